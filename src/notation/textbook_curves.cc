#include "notation/textbook_reader.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "domains/school/textbook.h"
#include "domains/school/textbook_value.h"
#include "util/text.h"

namespace conpole {

std::optional<std::string> ExerciseReader::FindSquareNumber() const {
  if (!SaysAny("makes", "make") || !Says("perfect") || !Says("square")) return std::nullopt;
  std::string term;
  for (const std::string& piece : math_) {
    if (piece.size() > 1) term = term.empty() ? piece : "";
  }
  const book::Ptr tree = book::ReadTree(term);
  for (const std::string& letter : book::LettersOf(tree)) {
    const auto c = book::CoefficientsOf(book::ValueOf(tree), letter);
    if (!c || c->size() != 3 || book::LettersOf(tree).size() != 2) continue;
    const book::Ptr constant = book::TreeOf((*c)[0]);
    const book::Ptr middle = book::TreeOf((*c)[1]);
    if (!constant->Is(book::Op::kLetter) || !book::LettersOf(middle).empty()) continue;
    return fmt::format("solve {0}: {0} = ({1})^2/(4 * ({2}))", constant->name, book::TextOf(middle),
                       book::TextOf(book::TreeOf((*c)[2])));
  }
  throw book::Refusal{"what is asked for by these words is not worked out here; write the expression itself"};
}

void ExerciseReader::TakeIntercepts(std::string& text) {
  constexpr std::string_view kForm = "slope-intercept";
  for (std::size_t at = text.find(kForm); at != std::string::npos; at = text.find(kForm)) text.erase(at + 5, 1);
  constexpr std::string_view kSum = "sum of the x-value of the x-intercept and the y-value of the y-intercept";
  if (const std::size_t at = text.find(kSum); at != std::string::npos) {
    sums_intercepts_ = true;
    text.replace(at, kSum.size(), "intercepts");
  }
  constexpr std::string_view kWord = "-intercept";
  for (std::size_t at = text.find(kWord); at != std::string::npos; at = text.find(kWord)) {
    const bool has_letter = at > 0 && (text[at - 1] == 'x' || text[at - 1] == 'y') && (at == 1 || !IsLetter(text[at - 2]));
    if (!has_letter) throw book::Refusal{"the x-intercept or the y-intercept of one curve can be found"};
    const bool asks = std::string_view(text).substr(0, at - 1).ends_with("hat is the ");
    const std::string letter(1, text[at - 1]);
    const bool of_line =
        text.find("quation of a line") != std::string::npos || text.find("quation of the line") != std::string::npos;
    if (!asks && !of_line && !intercept_.empty() && intercept_ != letter && text.find("hat is the ", at) == std::string::npos) {
      throw book::Refusal{"ask for the x-intercept or for the y-intercept, one at a time"};
    }
    intercept_ = letter;
    std::size_t end = at + kWord.size();
    if (text.compare(end, 1, "s") == 0) end += 1;
    if (text.compare(end, 3, "(s)") == 0) end += 3;
    text.erase(at - 1, end - at + 1);
  }
}

book::Relation ExerciseReader::Curve() const {
  std::string curve;
  for (const std::string& piece : math_) {
    if (!HasRelation(piece)) continue;
    if (!curve.empty()) throw book::Refusal{"this can be found of one curve at a time"};
    curve = piece;
  }
  if (curve.size() > 5 && IsLetter(curve[0]) && curve.compare(1, 3, "(x)") == 0) curve.replace(0, 4, "y");
  book::Relation relation = book::ReadRelation(curve);
  std::set<std::string> letters = book::LettersOf(relation.left);
  book::CollectLetters(relation.right, letters);
  letters.insert({"x", "y"});
  if (letters.size() != 2 || relation.sign != "=") throw book::Refusal{"the curve is to be given by an equation of x and y"};
  return relation;
}

std::string ExerciseReader::FindIntercept() const {
  if (Says("slope")) throw book::Refusal{"ask for the slope or for the intercept, one at a time"};
  if (sums_intercepts_) {
    const LineNumbers line = LineOf(Curve());
    return fmt::format("simplify: ({2})/({0}) + ({2})/({1})", line.x, line.y, line.constant);
  }
  const char* const zero = intercept_ == "x" ? "y" : intercept_ == "y" ? "x" : "xy";
  return fmt::format("solve x, y: {}; {} = 0", book::TextOf(Curve()), zero);
}

std::string ExerciseReader::FindVertex() const {
  const book::Relation curve = Curve();
  if (Says("form")) {
    if (!curve.left->Is(book::Op::kLetter) || curve.left->name != "y")
      throw book::Refusal{"write the parabola as y = ax^2 + bx + c"};
    return "vertex: " + book::TextOf(curve.right);
  }
  const auto c = book::CoefficientsOf(book::ValueOf(curve.right), "x");
  if (!curve.left->Is(book::Op::kLetter) || curve.left->name != "y" || !c || c->size() != 3 || HasLetter(curve.right, "y")) {
    throw book::Refusal{"the vertex is found of a parabola y = ax^2 + bx + c"};
  }
  if (Says("vertex") && Says("symmetry")) throw book::Refusal{"ask for the vertex or for the axis, one at a time"};
  if (Says("symmetry")) {
    return fmt::format("solve x: x = -({})/(2 * ({}))", book::TextOf(book::TreeOf((*c)[1])),
                       book::TextOf(book::TreeOf((*c)[2])));
  }
  return fmt::format("solve x, y: x = -({})/(2 * ({})); y = {}", book::TextOf(book::TreeOf((*c)[1])),
                     book::TextOf(book::TreeOf((*c)[2])), book::TextOf(curve.right));
}

ExerciseReader::LineNumbers ExerciseReader::LineOf(const book::Relation& relation) {
  const book::Ptr all = book::ReadTree(fmt::format("({}) - ({})", book::TextOf(relation.left), book::TextOf(relation.right)));
  const auto by_x = book::CoefficientsOf(book::ValueOf(all), "x");
  if (by_x && by_x->size() == 2) {
    const book::Ptr rest = book::TreeOf((*by_x)[0]);
    const book::Ptr x = book::TreeOf((*by_x)[1]);
    const auto by_y = book::CoefficientsOf(book::ValueOf(rest), "y");
    if (by_y && by_y->size() == 2 && book::LettersOf(x).empty()) {
      const book::Ptr y = book::TreeOf((*by_y)[1]);
      const book::Ptr constant = book::TreeOf((*by_y)[0]);
      if (book::LettersOf(y).empty() && book::LettersOf(constant).empty()) {
        return {book::TextOf(x), book::TextOf(y), fmt::format("-({})", book::TextOf(constant))};
      }
    }
  }
  throw book::Refusal{"this is found of a line ax + by = c"};
}

std::vector<std::pair<std::string, std::string>> ExerciseReader::Points() const {
  std::vector<std::pair<std::string, std::string>> points;
  for (const std::string& piece : math_) {
    for (std::string point : book::SplitAt(piece, " ")) {
      if (point.ends_with(',')) point.pop_back();
      if (!point.starts_with('(') || Closing(point, 0) + 1 != point.size()) continue;
      const std::vector<std::string> parts = book::SplitAt(std::string_view(point).substr(1, point.size() - 2), ",");
      if (parts.size() == 2) points.emplace_back(parts[0], parts[1]);
    }
  }
  return points;
}

std::optional<std::string> ExerciseReader::FindOfLine() const {
  const bool form = Says("slopeintercept");
  if (Says("standard") || !SaysAny("line", "slopeintercept") || !SaysAny("equation", "slopeintercept")) return std::nullopt;
  const std::vector<std::pair<std::string, std::string>> points = Points();
  std::string slope;
  std::string other;  // the equation of another line
  std::size_t used = points.size();
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (pieces_[i].is_word) continue;
    const std::string& text = pieces_[i].text;
    std::string letter;
    std::string value;
    const bool setting = IsSetting(text, letter, value) && letter == "m";
    std::size_t before = i;
    while (before > 0 && pieces_[before - 1].is_word &&
           (pieces_[before - 1].text == "of" || pieces_[before - 1].text == "is")) {
      --before;
    }
    const bool named = before > 0 && pieces_[before - 1].is_word && pieces_[before - 1].text == "slope";
    if (setting || (named && !text.starts_with('(') && !HasRelation(text))) {
      if (!slope.empty()) return std::nullopt;
      slope = setting ? value : text;
      ++used;
    } else if (HasRelation(text)) {
      if (!other.empty()) return std::nullopt;
      other = text;
      ++used;
    }
  }
  if (used != math_.size()) {
    // "y-intercept 4"
    if (intercept_ != "y" || used + 1 != math_.size() || math_.size() != 2 || slope.empty()) return std::nullopt;
    const std::string& number = math_[math_[0] == slope ? 1 : 0];
    if (HasRelation(number) || book::LettersOf(book::ReadTree(number)).size() > 0) return std::nullopt;
    return fmt::format("solve y: y = ({})x + ({})", slope, number);
  }
  if (!other.empty()) {
    const book::Relation relation = book::ReadRelation(other);
    if (points.empty() && slope.empty() && form && !Says("parallel") && !Says("perpendicular")) return "solve y: " + other;
    const LineNumbers line = LineOf(relation);
    const bool parallel = Says("parallel");
    if (points.size() != 1 || !slope.empty() || parallel == Says("perpendicular")) return std::nullopt;
    slope = parallel ? fmt::format("-({})/({})", line.x, line.y) : fmt::format("({})/({})", line.y, line.x);
  } else if (SaysAny("parallel", "perpendicular")) {
    return std::nullopt;
  }
  if (Says("horizontal") != Says("vertical") && points.size() == 1 && slope.empty()) {
    return Says("horizontal") ? "solve y: y = " + points[0].second : "solve x: x = " + points[0].first;
  }
  if (points.size() == 2 && slope.empty()) {
    const book::Ptr across = book::ReadTree(fmt::format("({}) - ({})", points[1].first, points[0].first));
    if (book::Normal(across)->IsNumber(0)) return "solve x: x = " + points[0].first;
    slope = fmt::format("(({}) - ({}))/({})", points[1].second, points[0].second, book::TextOf(across));
  } else if (points.size() != 1 || slope.empty()) {
    return std::nullopt;
  }
  return fmt::format("solve y: y - ({}) = ({})(x - ({}))", points[0].second, slope, points[0].first);
}

std::optional<std::string> ExerciseReader::FindVariation() const {
  if (!Says("varies") || Says("jointly") || Says("directly") == Says("inversely")) return std::nullopt;
  std::vector<std::string> letters;
  std::vector<std::pair<std::string, std::string>> settings;
  for (const std::string& piece : math_) {
    std::string letter;
    std::string value;
    if (IsSetting(piece, letter, value)) {
      settings.emplace_back(letter, value);
    } else if (piece.size() == 1 && IsLetter(piece[0])) {
      if (std::find(letters.begin(), letters.end(), piece) == letters.end()) letters.push_back(piece);
    } else {
      return std::nullopt;
    }
  }
  if (letters.size() != 2 || settings.size() < 2 || settings.size() > 3) return std::nullopt;
  std::map<std::string, std::string> first;
  std::vector<std::pair<std::string, std::string>> more;
  for (const auto& [letter, value] : settings) {
    if (!first.emplace(letter, value).second) more.emplace_back(letter, value);
  }
  const std::string& y = letters[0];
  const std::string& x = letters[1];
  if (first.size() != 2 || !first.contains(x) || !first.contains(y)) return std::nullopt;
  const char* const power = Plans("square of #") ? "^2" : Plans("cube of #") ? "^3" : "";
  if (Plans("root of #")) return std::nullopt;
  const char* const sign = Says("directly") ? "/" : "*";
  const std::string rest = Says("directly") ? "*" : "/";
  const std::string rule = fmt::format("({}){}({}){}{}", first[y], sign, first[x], power, rest);
  if (more.empty() && SaysAny("equation", "relates", "formula"))
    return fmt::format("solve {0}: {0} = {1}{2}{3}", y, rule, x, power);
  if (more.size() != 1 || SaysAny("equation", "formula")) return std::nullopt;
  if (more[0].first == x) return fmt::format("solve {}: {} = {}({}){}", y, y, rule, more[0].second, power);
  return *power != 0 ? std::nullopt : std::optional(fmt::format("solve {}: {} = {}{}", x, more[0].second, rule, x));
}

std::optional<std::string> ExerciseReader::FindRateOfChange() const {
  if (!Says("average") || !Says("rate") || !Says("change") || math_.size() < 2) return std::nullopt;
  if (std::any_of(math_.begin() + 2, math_.end(), [](const std::string& piece) { return piece.size() > 1; }))
    return std::nullopt;
  const std::size_t sign = math_[0].find('=');
  std::string interval = math_[1];
  std::erase(interval, ' ');
  if (sign != 4 || math_[0][1] != '(' || !interval.starts_with('[') || !interval.ends_with(']')) return std::nullopt;
  const std::vector<std::string> ends = book::SplitAt(std::string_view(interval).substr(1, interval.size() - 2), ",");
  if (ends.size() != 2) return std::nullopt;
  const book::Ptr body = book::ReadTree(math_[0].substr(sign + 1));
  const auto at = [&](const std::string& value) {
    return book::TextOf(book::Substitute(body, math_[0].substr(2, 1), book::ReadTree(value)));
  };
  return fmt::format("simplify: (({}) - ({}))/(({}) - ({}))", at(ends[1]), at(ends[0]), ends[1], ends[0]);
}

std::string ExerciseReader::FindDiscriminant() const {
  const bool counts = Says("number") && SaysAny("solutions", "roots", "zeros");
  if (math_.size() == 1 && !counts && !SaysAny("solve", "many", "nature", "type", "kind")) {
    const std::string equation = HasRelation(math_[0]) ? math_[0] : math_[0] + " = 0";
    const book::Relation relation = book::ReadRelation(equation);
    std::set<std::string> letters = book::LettersOf(relation.left);
    book::CollectLetters(relation.right, letters);
    const book::Ptr all = book::ReadTree(fmt::format("({}) - ({})", book::TextOf(relation.left), book::TextOf(relation.right)));
    if (relation.sign == "=" && letters.size() == 1) {
      const auto c = book::CoefficientsOf(book::ValueOf(all), *letters.begin());
      if (c && c->size() == 3) {
        return fmt::format("evaluate: b^2 - 4ac; a = {}, b = {}, c = {}", book::TextOf(book::TreeOf((*c)[2])),
                           book::TextOf(book::TreeOf((*c)[1])), book::TextOf(book::TreeOf((*c)[0])));
      }
    }
  }
  throw book::Refusal{"the discriminant is found of one quadratic equation"};
}

std::optional<std::string> ExerciseReader::FindOfPoints() const {
  const bool distance = Says("distance");
  const bool midpoint = Says("midpoint");
  if (!distance && !midpoint && !Says("slope")) return std::nullopt;
  std::vector<std::string> numbers;
  for (const auto& [x, y] : Points()) numbers.insert(numbers.end(), {x, y});
  if (numbers.empty() && !distance && !midpoint && math_.size() == 1 && HasRelation(math_[0])) {
    const LineNumbers line = LineOf(Curve());
    return Says("perpendicular") ? fmt::format("simplify: ({})/({})", line.y, line.x)
                                 : fmt::format("simplify: -({})/({})", line.x, line.y);
  }
  if (numbers.empty() && distance && std::any_of(math_.begin(), math_.end(), HasRelation)) return std::nullopt;
  constexpr std::size_t kTwoPoints = 4;
  if (numbers.size() != kTwoPoints || SaysAny("parallel", "perpendicular")) {
    throw book::Refusal{"this is found of two points (a, b)"};
  }
  const std::string across = fmt::format("({} - ({}))", numbers[2], numbers[0]);
  const std::string up = fmt::format("({} - ({}))", numbers[3], numbers[1]);
  if (distance) return fmt::format("simplify: sqrt({}^2 + {}^2)", across, up);
  if (!midpoint) return fmt::format("simplify: {}/{}", up, across);
  return fmt::format("solve x, y: x = ({} + ({}))/2; y = ({} + ({}))/2", numbers[0], numbers[2], numbers[1], numbers[3]);
}

}  // namespace conpole

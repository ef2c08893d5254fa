#include "notation/textbook_notation.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "domains/school/textbook.h"
#include "domains/school/textbook_value.h"
#include "notation/reading.h"
#include "notation/textbook_reader.h"
#include "notation/word_problems.h"
#include "util/text.h"

namespace conpole {
namespace {

constexpr std::string_view kNotReal = "not a real number";

}  // namespace

NotationResult ExerciseReader::Read() {
  try {
    const std::string state = Find();
    Parsed parsed = domain_.Parse(state);
    if (parsed.error && parsed.error->message.english().ends_with(kNotReal)) throw book::Refusal{parsed.error->message};
    if (parsed.error) return Unreadable(0, std::move(parsed.error->message));
    return Result(std::move(parsed.state));
  } catch (book::Refusal& refusal) {
    // That is an answer, too.
    if (refusal.message.english().ends_with(kNotReal)) return {"result: " + std::string(kNotReal), {}, std::nullopt, true};
    if (std::optional<NotationResult> story = ReadStory()) return *std::move(story);
    return Unreadable(0, std::move(refusal.message));
  }
}

// The same by the method that the words name, if it leads to the end.
std::string ExerciseReader::WithMethodInWords(std::string state) const {
  const char* const method = Says("quadratic") && Says("formula")                                       ? "formula"
                             : SaysAny("completing", "complete") && Says("square")                      ? "square"
                             : SaysAny("factoring", "factor", "factorise", "factorize")                 ? "factoring"
                             : SaysAny("substitution", "subsitution", "substituting", "substitute")     ? "substitution"
                             : SaysAny("elimination", "eliminating", "eliminate") && !Says("fractions") ? "elimination"
                                                                                                        : nullptr;
  if (names_task_ || method == nullptr) return state;
  try {
    const std::string chosen = book::WithMethod(state, method);
    std::string line = chosen;
    constexpr int kMaxLines = 30;
    for (int i = 0; i < kMaxLines; ++i) {
      book::Following next = book::FollowingLine(line);
      if (next.refusal) break;
      if (next.state.empty()) return chosen;
      line = std::move(next.state);
    }
  } catch (const book::Refusal&) {
    // The words mean something else.
  }
  return state;
}

NotationResult ExerciseReader::Result(std::string state) const {
  state = WithMethodInWords(std::move(state));
  if (state.starts_with("solve ") && !book::ReadExercise(state).method.empty()) {
    return {std::move(state), {}, std::nullopt, !names_task_};
  }
  // What the domain itself works out or solves needs no task.
  if (state.starts_with("simplify: ") || state.starts_with("solve ")) {
    Parsed bare = domain_.Parse(state.substr(state.find(": ") + 2));
    if (!bare.error) return {std::move(bare.state), {}, std::nullopt, true};
  }
  // What to do was not said, or said in words: others might read it in another way.
  return {std::move(state), {}, std::nullopt, !names_task_};
}

std::optional<NotationResult> ExerciseReader::ReadStory() const {
  try {
    const std::optional<std::string> story = ReadWordProblem(WithoutRemarks(std::string(text_)));
    if (!story) return std::nullopt;
    Parsed parsed = domain_.Parse(*story);
    if (parsed.error) return std::nullopt;
    return Result(std::move(parsed.state));
  } catch (const book::Refusal&) {
    return std::nullopt;
  }
}

std::string ExerciseReader::Find() {
  std::string plain = PlainExercise(text_);
  if (book::IsExercise(plain)) {
    // As canonical text has them: "; check " is looked for as it is.
    plain.erase(std::unique(plain.begin(), plain.end(), [](char a, char b) { return a == ' ' && b == ' '; }), plain.end());
    const book::Exercise exercise = book::ReadExercise(plain);
    names_task_ = true;
    return book::TextOf(exercise);
  }
  plain = WithPercentSigns(std::move(plain));
  plain = WithoutRemarks(WithRoots(WithLogarithms(WithoutUnequal(WithoutNumbering(std::move(plain))))));
  TakeIntercepts(plain);
  const std::size_t gap = plain.find("__");
  if (gap != std::string::npos) return ReadGap(plain, gap);
  pieces_ = SplitIntoPieces(plain);
  DropPattern();
  DropIntroduction();
  RefuseUnclearBegin();
  SplitLettersAfterFor();
  for (const TextPiece& piece : pieces_) {
    if (!piece.is_word) {
      // "Use < or > to compare"
      if (pieces_.size() > 1 && piece.text.find_first_not_of("<>=, ") == std::string::npos) continue;
      SplitMath(WithoutRepetition(piece.text));
      continue;
    }
    if (piece.text == "off" && &piece != pieces_.data() && (&piece - 1)->text == "round") continue;
    words_.insert(piece.text);
    has_words_ = true;
  }
  MakePlan();
  if (std::optional<std::string> found = FindUnits()) return *found;
  if (Says("scientific") && Says("notation") && math_.size() == 1) {
    // 92960000 mi
    const std::size_t unit = math_[0].find(" mi");
    if (unit != std::string::npos && unit + 3 == math_[0].size()) math_[0].resize(unit);
    if (std::optional<std::string> found = FindNumberTask()) return *found;
  }
  for (const std::string& word : words_) {
    if (!IsExerciseWord(word)) {
      throw book::Refusal{
          fmt::format("this seems to be a problem in words ('{}'), which is not understood; write the "
                      "equation or the expression itself",
                      word)};
    }
  }
  if (math_.empty()) throw book::Refusal{"there is no mathematics in this"};
  for (std::string& piece : math_) {
    // In German, an order ends with it.
    if (has_words_ && HasRelation(piece) && piece.ends_with('!')) piece.pop_back();
    const std::size_t mark = piece.find('!');
    if (mark != std::string::npos && piece.compare(mark, 2, "!=") != 0) {
      throw book::Refusal{"factorials are not worked out here"};
    }
  }
  TakeValuesInWords();
  // Without words nobody can tell what 1,000 is.
  if (!has_words_ && text_.find(',') != std::string_view::npos && plain.find(',') == std::string::npos) {
    throw book::Refusal{"a comma before three digits may mean thousands; write 1000, or 1.000"};
  }
  letters_are_real_ = (Says("real") || text_.find("not a real number") != std::string_view::npos) &&
                      !SaysAny("complex", "imaginary", "standard");
  // What is written twice is meant once.
  std::vector<std::string> different;
  for (std::string& piece : math_) {
    if (std::find(different.begin(), different.end(), piece) == different.end()) different.push_back(std::move(piece));
  }
  math_ = std::move(different);
  // "in a + bi form"
  if (Says("form") && math_.size() > 1) {
    std::erase_if(math_, [](const std::string& piece) { return piece == "a+bi" || piece == "a + bi"; });
  }
  if (std::optional<std::string> found = FindTruth()) return *found;
  if (std::optional<std::string> found = FindNamedOperation()) return *found;
  if (std::optional<std::string> found = FindCommon()) return *found;
  if (std::optional<std::string> found = FindNumberTask()) return *found;
  if (std::optional<std::string> found = FindOfLine()) return *found;
  if (std::optional<std::string> found = FindVariation()) return *found;
  if (std::optional<std::string> found = FindRateOfChange()) return *found;
  if (!intercept_.empty() || Says("intercepts")) return FindIntercept();
  if (SaysAny("maximum", "minimum", "vertex") || (Says("axis") && Says("symmetry"))) return FindVertex();
  if (Says("discriminant")) return FindDiscriminant();
  if (std::optional<std::string> found = FindOfPoints()) return *found;
  if (SaysAny("domain", "undefined") || AsksForExcluded()) return FindDomain();
  if (Says("inverse") && math_.size() == 1 && HasRelation(math_[0])) return FindInverse();
  if (SaysAny("inverse", "reciprocal", "opposite") && !Plans("opposite factors") && !Plans("by reciprocal") &&
      !Plans("adding opposite"))
    throw book::Refusal{"this is found of a number only"};
  if (std::optional<std::string> found = FindFunction()) return *found;
  std::vector<std::string> relations;
  std::vector<std::string> terms;
  for (const std::string& piece : math_) (HasRelation(piece) ? relations : terms).push_back(piece);
  if (!relations.empty()) return FindRelation(std::move(relations), std::move(terms));
  if (std::optional<std::string> joined = JoinedByWords(terms)) return FindExpression(*joined);
  if (terms.size() > 1) std::erase_if(terms, [](const std::string& term) { return term.size() == 1 && IsLetter(term[0]); });
  if (terms.size() != 1) throw book::Refusal{"there is more than one expression in this; write one at a time"};
  if (const std::string unit = RoundingUnit(); !unit.empty() && book::LettersOf(book::ReadTree(terms[0])).empty()) {
    return "round " + unit + ": " + terms[0];
  }
  return FindExpression(terms[0]);
}

void ExerciseReader::DropPattern() {
  constexpr std::string_view kOrder[] = {"write", "rewrite", "express", "put", "convert", "change"};
  for (std::size_t i = 3; i < pieces_.size(); ++i) {
    TextPiece& piece = pieces_[i];
    if (piece.is_word || pieces_[i - 1].text != "form" || pieces_[i - 2].text != "the" || pieces_[i - 3].text != "of") continue;
    // Not what is to be made of it.
    const bool order = std::any_of(
        pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(i),
        [&](const TextPiece& word) { return std::find(std::begin(kOrder), std::end(kOrder), word.text) != std::end(kOrder); });
    const std::size_t colon = piece.text.find(": ");
    const bool more = colon != std::string::npos ||
                      std::any_of(pieces_.begin() + static_cast<std::ptrdiff_t>(i) + 1, pieces_.end(),
                                  [](const TextPiece& other) { return !other.is_word && other.text.size() > 1; });
    const std::string_view pattern = std::string_view(piece.text).substr(0, colon);
    if (order || !more || pattern.find_first_of("abchkmn") == std::string_view::npos) continue;
    if (colon == std::string::npos) {
      pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      piece.text.erase(0, colon + 2);
    }
    return;
  }
}

void ExerciseReader::DropIntroduction() {
  static const std::set<std::string_view> verbs{"add",         "condense",  "divide",    "evaluate", "expand",
                                                "factor",      "factorise", "factorize", "multiply", "rationalise",
                                                "rationalize", "simplify",  "solve",     "subtract"};
  // With these before it, it is about the answer, or about what comes before.
  static const std::set<std::string_view> joins{"and", "then", "or", "not", "never", "without", "before", "cannot"};
  static const std::set<std::string_view> answers{"your", "answer", "answers", "result", "results", "it", "them"};
  constexpr std::string_view kOtherSubjects[] = {"deriv", "differentia", "integra", "limit",
                                                 "mod",   "binary",      "vector",  "clock"};
  const auto first = std::find_if(pieces_.begin(), pieces_.end(), [](const TextPiece& piece) { return !piece.is_word; });
  auto clause = first;
  for (auto word = first; word != pieces_.begin();) {
    --word;
    if (answers.contains(word->text)) return;
    const bool begin = word == pieces_.begin();
    const bool after_to = !begin && (word - 1)->text == "to";
    if (!verbs.contains(word->text) || (!word->begins && !after_to)) continue;
    if (!begin && joins.contains((word - 1)->text)) return;
    clause = word;
    break;
  }
  if (clause == first) return;
  const auto unknown = [](const TextPiece& piece) { return piece.is_word && !IsExerciseWord(piece.text); };
  const bool other = std::any_of(pieces_.begin(), clause, [&](const TextPiece& piece) {
    return unknown(piece) && std::any_of(std::begin(kOtherSubjects), std::end(kOtherSubjects),
                                         [&](std::string_view stem) { return piece.text.starts_with(stem); });
  });
  if (!other) pieces_.erase(std::remove_if(pieces_.begin(), clause, unknown), clause);
}

void ExerciseReader::MakePlan() {
  static const std::set<std::string_view> fill{
      "the",        "a",        "an",      "following", "expression", "expressions", "complex",   "two",        "both",
      "polynomial", "number",   "numbers", "integer",   "integers",   "fraction",    "function",  "binomial",   "monomial",
      "trinomial",  "quantity", "given",   "each",      "these",      "this",        "fractions", "polynomials"};
  plan_ = " ";
  for (const TextPiece& piece : pieces_) {
    if (!piece.is_word || !fill.contains(piece.text)) plan_ += piece.is_word ? piece.text + " " : "# ";
  }
}

bool ExerciseReader::Plans(std::string_view phrase) const {
  return plan_.find(fmt::format(" {} ", phrase)) != std::string::npos;
}

bool ExerciseReader::PlansAlone(std::string_view phrase) const {
  const std::size_t at = plan_.find(fmt::format(" {} ", phrase));
  if (at == std::string::npos) return false;
  constexpr std::string_view kBinding[] = {"of",   "double", "half",   "twice",    "triple",     "times",
                                           "from", "by",     "square", "opposite", "reciprocal", "than"};
  const std::string_view before = std::string_view(plan_).substr(0, at);
  return std::none_of(std::begin(kBinding), std::end(kBinding),
                      [&](std::string_view word) { return before.ends_with(fmt::format(" {}", word)); });
}

std::optional<std::string> ExerciseReader::FindNamedOperation() const {
  const bool one = math_.size() == 1 && !HasRelation(math_[0]);
  if (one && (Plans("square of #") || Plans("cube of #") || Plans("root of #"))) {
    // "The square of the binomial: (2a + 7)^2" names it twice.
    const book::Ptr tree = book::ReadTree(math_[0]);
    const bool power = tree->Is(book::Op::kPower) && !Plans("root of #");
    if (power && tree->args[0]->Is(book::Op::kSum)) return "expand: " + math_[0];
    if (power || (tree->Is(book::Op::kRoot) && Plans("root of #"))) {
      throw book::Refusal{"it is not clear what is meant by this"};
    }
  }
  if (one && PlansAlone("square root of #")) return "simplify: sqrt(" + math_[0] + ")";
  if (one && PlansAlone("cube root of #")) return "simplify: cbrt(" + math_[0] + ")";
  if (one && PlansAlone("absolute value of #")) return "simplify: abs(" + math_[0] + ")";
  if (one && PlansAlone("square of #")) return "simplify: (" + math_[0] + ")^2";
  if (one && PlansAlone("cube of #")) return "simplify: (" + math_[0] + ")^3";
  if (one && PlansAlone("half of #")) return "simplify: (" + math_[0] + ")/2";
  if (math_.size() == 2 && Says("fraction") && Plans("what of # is #")) {
    return fmt::format("simplify: ({})/({})", math_[1], math_[0]);
  }
  if (math_.size() == 2 && (Plans("ratio # to #") || Plans("ratio of # to #"))) {
    return fmt::format("simplify: ({})/({})", math_[0], math_[1]);
  }
  if (SaysAny("rationalize", "rationalise", "rationalizing")) return std::nullopt;
  static const std::vector<std::string_view> named_operations = Split(
      "find to complete|of square root|of cube root|of absolute value|of square of|of cube of|of sum of|of product of|"
      "of difference of|of quotient of|square of #|cube of #|half of #|absolute value of #|double #|twice #|triple #|"
      "root of #|degree of #|coefficient of #|term of #|numerator of #|denominator of #|factors of #|multiples of #|"
      "number of terms|digits has|base of #|exponent of #|remainder when|side #|estimate|in words|expanded form|"
      "prime or composite|write next|base and|volume of|larger solution|smaller solution|positive solution|smallest|"
      "which property|negative solution|repeated multiplication|of terms|is irrational|find of factors|remainder of|"
      "between which|sign of #|part of #|positive root|negative root|larger root|smaller root|largest root|"
      "smallest root|how many|is rational",
      "|");
  for (const std::string_view operation : named_operations) {
    const bool common = SaysAny("common", "gcf", "lcm", "lcd") || (operation == "smallest" && Says("multiple")) ||
                        (operation == "triple #" && Says("ordered"));
    if (operation == "factors of #" && Says("prime")) continue;
    if (Plans(operation) && !common && !Says("synthetic") && !Says("divide")) {
      throw book::Refusal{"what is asked for by these words is not worked out here; write the expression itself"};
    }
  }
  if (std::optional<std::string> square = FindSquareNumber()) return square;
  // "Is 91 prime?", "in vertex form"
  const bool asks_truth = one && plan_.starts_with(" is # ");
  const bool lists = asks_truth || (Says("list") && SaysAny("factors", "multiples"));
  if (lists || (SaysAny("round", "rounded") && has_words_ && one && book::LettersOf(book::ReadTree(math_[0])).empty() &&
                RoundingUnit().empty() && !Says("necessary") && !Says("needed"))) {
    throw book::Refusal{"what is asked for by these words is not worked out here; write the expression itself"};
  }
  return std::nullopt;
}

std::string ExerciseReader::WithoutNumbering(std::string text) {
  std::size_t at = text.find_first_not_of(' ');
  if (at == std::string::npos) return text;
  bool named = false;
  for (const std::string_view word : {"Problem ", "Exercise ", "Question ", "Example ", "Part ", "Q", "#"}) {
    if (!std::string_view(text).substr(at).starts_with(word)) continue;
    at += word.size();
    named = named || word.ends_with(' ');
  }
  const std::size_t begin = at;
  while (at < text.size() && IsDigit(text[at])) ++at;
  constexpr std::size_t kMaxDigits = 3;
  const bool number = at > begin && at - begin <= kMaxDigits && at + 1 < text.size();
  const bool mark = number && ((std::string_view(".:)").find(text[at]) != std::string_view::npos && text[at + 1] == ' ') ||
                               (named && text[at] == ' ' && IsLetter(text[at + 1])));
  const std::size_t rest = mark ? text.find_first_not_of(' ', at + 1) : std::string::npos;
  // "8 : 12" is a ratio.
  if (rest == std::string::npos || (text[at] == ':' && IsDigit(text[rest]))) return text;
  return text.substr(rest);
}

std::string ExerciseReader::WithPercentSigns(std::string text) {
  constexpr std::string_view kWord = " percent";
  for (std::size_t at = text.find(kWord); at != std::string::npos; at = text.find(kWord, at + 1)) {
    const std::size_t end = at + kWord.size();
    if (at > 0 && IsDigit(text[at - 1]) && (end == text.size() || !IsLetter(text[end]))) text.replace(at, kWord.size(), "%");
  }
  return text;
}

std::string ExerciseReader::WithRoots(std::string text) {
  struct Ordinal {
    std::string_view word;
    std::string_view degree;
  };
  constexpr Ordinal kOrdinals[] = {{"third", "3"}, {"3rd", "3"}, {"fourth", "4"}, {"4th", "4"},
                                   {"fifth", "5"}, {"5th", "5"}, {"sixth", "6"},  {"6th", "6"}};
  constexpr std::string_view kOf = " root of ";
  const std::size_t of = text.find(kOf);
  if (of == std::string::npos) return text;
  for (const Ordinal& ordinal : kOrdinals) {
    if (!std::string_view(text).substr(0, of).ends_with(ordinal.word)) continue;
    const std::size_t begin = of + kOf.size();
    const std::size_t end = std::min(text.find_first_not_of("0123456789-/()", begin), text.size());
    if (end > begin && text.find_first_not_of(" .?", end) == std::string::npos) {
      const std::size_t first = of - ordinal.word.size();
      text.replace(first, text.size() - first, fmt::format("root({}, {})", ordinal.degree, text.substr(begin, end - begin)));
    }
    break;
  }
  return text;
}

// "Multiplying by 1 -1 * -16": nobody can tell where the exercise begins.
void ExerciseReader::RefuseUnclearBegin() const {
  for (std::size_t i = 1; i < pieces_.size(); ++i) {
    const std::string& text = pieces_[i].text;
    if (pieces_[i].is_word || pieces_[i - 1].text != "by") continue;
    const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    if (end > 0 && end + 2 < text.size() && text[end] == ' ' && text[end + 1] == '-' && text[end + 2] != ' ') {
      throw book::Refusal{"it is not clear where the exercise begins; write the expression alone"};
    }
  }
}

// "For positive x", "where n is an integer": not all solutions are asked for.
void ExerciseReader::RefuseRestrictions() const {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (!pieces_[i].is_word) continue;
    const std::string& word = pieces_[i].text;
    const std::string_view before = i > 0 ? std::string_view(pieces_[i - 1].text) : std::string_view();
    const std::string_view after = i + 1 < pieces_.size() ? std::string_view(pieces_[i + 1].text) : std::string_view();
    const bool sign = word == "positive" || word == "negative" || word == "nonnegative";
    const bool whole =
        word == "integer" || word == "integers" || ((word == "whole" || word == "natural") && after == "numbers");
    const bool article = before == "a" || before == "an" || before == "is" || before == "for";
    const bool over = before == "over" || before == "for" || (before == "the" && i > 1 && pieces_[i - 2].text == "over");
    if ((sign && (before == "for" || before == "is" || after.size() == 1)) ||
        (whole &&
         (over || before == "positive" || before == "negative" || (article && i > 1 && pieces_[i - 2].text == "is")))) {
      throw book::Refusal{"only some of the solutions are asked for; all solutions are found here"};
    }
  }
}

std::string ExerciseReader::WithoutUnequal(std::string text) {
  constexpr std::string_view kSign = " eq ";
  for (std::size_t at = text.find(kSign); at != std::string::npos && at > 0; at = text.find(kSign, at + 1)) {
    std::size_t end = at + kSign.size();
    while (end < text.size() && (IsDigit(text[end]) || text[end] == '-')) ++end;
    std::size_t begin = at - 1;
    if (!IsLetter(text[begin]) || (begin > 0 && IsLetter(text[begin - 1])) || end == at + kSign.size()) continue;
    for (const std::string_view word : {"with ", "where ", "for ", "and ", "if "}) {
      if (std::string_view(text).substr(0, begin).ends_with(word)) begin -= word.size();
    }
    text.erase(begin, end - begin);
    at = 0;
  }
  return text;
}

std::optional<std::string> ExerciseReader::FindTruth() const {
  const bool asks = Plans("is # solution") || Plans("if # is solution") || Plans("is ordered pair # solution");
  if (!asks && !Says("whether")) return std::nullopt;
  const book::Refusal refusal{"whether values solve an equation is found of one equation and one value for each letter"};
  const std::vector<std::pair<std::string, std::string>> points = Points();
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<book::Relation> relations;
  std::set<std::string> letters;
  for (const std::string& piece : math_) {
    std::string letter;
    std::string value;
    if (points.empty() && settings.empty() && IsSetting(piece, letter, value)) {
      settings.emplace_back(letter, value);
    } else if (HasRelation(piece)) {
      book::Relation relation = book::ReadRelation(piece);
      book::CollectLetters(relation.left, letters);
      book::CollectLetters(relation.right, letters);
      relations.push_back(std::move(relation));
    }
  }
  if (relations.empty() || settings.size() + points.size() != 1 || math_.size() != relations.size() + 1) throw refusal;
  if (settings.empty()) settings = {{"x", points[0].first}, {"y", points[0].second}};
  std::string text;
  for (book::Relation& relation : relations) {
    for (const auto& [letter, value] : settings) {
      const book::Ptr number = book::ReadTree(value);
      relation.left = book::Substitute(relation.left, letter, number);
      relation.right = book::Substitute(relation.right, letter, number);
      letters.erase(letter);
    }
    text += (text.empty() ? "" : "; ") + book::TextOf(relation);
  }
  if (!letters.empty()) throw refusal;
  return relations.size() == 1 && relations[0].sign == "=" ? text : "test: " + text;
}

std::optional<std::string> ExerciseReader::JoinedByWords(const std::vector<std::string>& terms) const {
  // Not the square of the sum.
  const auto ends = [&](std::string_view end) {
    return plan_.ends_with(" " + std::string(end)) && PlansAlone(end.substr(0, end.size() - 1));
  };
  const bool numbers = terms.size() == 2 && IsDigit(terms[0][0]) && IsDigit(terms[1][0]);
  if (terms.size() != 2 || (terms[0].size() * terms[1].size() == 1 && !numbers)) return std::nullopt;
  const auto is_percentage = [](const std::string& text) { return text.find('%') != std::string::npos; };
  const auto join = [&](const std::string& a, std::string_view sign, const std::string& b) {
    if ((sign == "+" || sign == "-") && is_percentage(a) != is_percentage(b)) {
      throw book::Refusal{"it is not clear what is asked for; write the equation alone"};
    }
    return fmt::format("({}) {} ({})", a, sign, b);
  };
  if (ends("subtract # from # ")) return join(terms[1], "-", terms[0]);
  if (ends("difference of # and # ")) return join(terms[0], "-", terms[1]);
  if (ends("sum of # and # ") || ends("add # and # ") || ends("add # to # ")) return join(terms[0], "+", terms[1]);
  if (ends("product of # and # ") || ends("multiply # by # ") || ends("multiply # and # "))
    return join(terms[0], "*", terms[1]);
  // Two thirds of a number.
  const bool part =
      numbers && terms[0].find('/') != std::string::npos && terms[0].find_first_not_of("0123456789/() ") == std::string::npos;
  if (part && (plan_ == " what is # of # " || plan_ == " find # of # " || plan_ == " # of # "))
    return join(terms[0], "*", terms[1]);
  if (ends("what is # more than # ") || ends("# plus # ")) return join(terms[1], "+", terms[0]);
  if (ends("what is # less than # ") || ends("how much is # less than # ")) return join(terms[1], "-", terms[0]);
  if (ends("# minus # ")) return join(terms[0], "-", terms[1]);
  if (ends("# times # ")) return join(terms[0], "*", terms[1]);
  if (ends("quotient of # and # ") || ends("divide # by # ") || ends("# divided by # ") || ends("# is divided by # ")) {
    return join(terms[0], "/", terms[1]);
  }
  return std::nullopt;
}

void ExerciseReader::TakeValuesInWords() {
  for (std::size_t i = 3; i < pieces_.size(); ++i) {
    const bool says = pieces_[i - 3].is_word && pieces_[i - 3].text == "when" && !pieces_[i - 2].is_word &&
                      pieces_[i - 2].text.size() == 1 && pieces_[i - 1].is_word && pieces_[i - 1].text == "is" &&
                      !pieces_[i].is_word && pieces_[i].text.find_first_not_of("0123456789./()-") == std::string::npos;
    const auto letter = says ? std::find(math_.begin(), math_.end(), pieces_[i - 2].text) : math_.end();
    const auto value = says ? std::find(math_.begin(), math_.end(), pieces_[i].text) : math_.end();
    if (letter == math_.end() || value == math_.end()) continue;
    *value = *letter + " = " + *value;
    math_.erase(letter);
  }
}

void ExerciseReader::SplitLettersAfterFor() {
  for (std::size_t i = 1; i < pieces_.size(); ++i) {
    if (pieces_[i].is_word || !pieces_[i - 1].is_word || pieces_[i - 1].text != "for") continue;
    const std::string text = pieces_[i].text;
    if (text.size() < 3 || !IsLetter(text[0]) || text[1] != ' ') continue;
    if (std::string_view("=+-*/^<>").find(text[2]) != std::string_view::npos) continue;
    pieces_[i].text = text.substr(0, 1);
    pieces_.insert(pieces_.begin() + static_cast<std::ptrdiff_t>(i) + 1, {false, text.substr(2)});
  }
}

std::string ExerciseReader::WithoutRepetition(const std::string& text) {
  const std::size_t half = text.size() / 2;
  const bool twice = text.size() % 2 == 1 && text[half] == ' ' && text.compare(0, half, text, half + 1, half) == 0;
  return twice && half > 3 ? text.substr(0, half) : text;
}

std::string ExerciseReader::WithLogarithms(std::string text) {
  constexpr std::string_view kBegin = "log base ";
  constexpr std::string_view kOf = " of ";
  for (std::size_t at = text.find(kBegin); at != std::string::npos; at = text.find(kBegin, at)) {
    const std::size_t of = text.find(kOf, at);
    if (of == std::string::npos) break;
    const std::size_t end = std::min(text.find_first_of("=+-;", of), text.size());
    const std::string base = text.substr(at + kBegin.size(), of - at - kBegin.size());
    const std::string argument = text.substr(of + kOf.size(), end - of - kOf.size());
    text.replace(at, end - at, "log_(" + base + ")(" + argument + ")");
  }
  for (std::size_t at = text.find("=?"); at != std::string::npos; at = text.find("=?")) {
    const std::size_t begin = at > 0 && IsLetter(text[at - 1]) ? at - 1 : at;
    text.erase(begin, at + 2 - begin);
  }
  return text;
}

void ExerciseReader::SplitMath(std::string text) {
  for (const std::string_view end : {". ", "? ", ": "}) {
    for (std::size_t at = text.find(end); at != std::string::npos; at = text.find(end, at + 1)) {
      if (end[0] != ':' || (at > 0 && text[at - 1] != ' ')) text[at] = ';';
    }
  }
  for (const std::string& part : book::SplitAt(text, ";")) {
    if (part.empty()) continue;
    if (!HasRelation(part)) {
      math_.push_back(part);
      continue;
    }
    std::vector<std::string> pieces = book::SplitAt(part, ",");
    const bool all = std::all_of(pieces.begin(), pieces.end(), [](const std::string& piece) { return HasRelation(piece); });
    // "2ab - b^2, a = 3, b = -1"
    const bool values =
        pieces.size() > 1 && !HasRelation(pieces[0]) &&
        std::all_of(pieces.begin() + 1, pieces.end(), [](const std::string& piece) { return HasRelation(piece); });
    if (!all && !values) pieces = {part};
    for (const std::string& piece : pieces) {
      if (piece.empty()) continue;
      const std::size_t first = piece.find('=');
      const bool two = first != std::string::npos && piece.find('=', first + 1) != std::string::npos &&
                       piece.find_first_of("<>") == std::string::npos;
      if (two) {
        SplitAtBlank(piece);
      } else {
        math_.push_back(piece);
      }
    }
  }
}

void ExerciseReader::SplitAtBlank(const std::string& text) {
  const std::size_t first = text.find('=');
  const std::size_t second = text.find('=', first + 1);
  for (std::size_t at = first; at < second; ++at) {
    if (text[at] != ' ') continue;
    const std::string left = text.substr(0, at);
    const std::string right = text.substr(at + 1);
    const char before = left.find_last_not_of(' ') == std::string::npos ? '=' : left[left.find_last_not_of(' ')];
    const char after = right.find_first_not_of(' ') == std::string::npos ? '=' : right[right.find_first_not_of(' ')];
    const bool joined = std::string_view("=+-*/(,").find(before) != std::string_view::npos ||
                        std::string_view("=+*/),").find(after) != std::string_view::npos;
    if (joined) continue;
    try {
      book::ReadRelation(left);
    } catch (const book::Refusal&) {
      continue;
    }
    math_.push_back(left);
    SplitMath(right);
    return;
  }
  math_.push_back(text);
}

std::optional<std::string> ExerciseReader::LetterAskedFor() const {
  constexpr std::size_t kSoon = 3;
  const auto is_letter = [](const std::string& text) {
    return IsLetter(text[0]) && (text.size() == 1 || text[1] == '.' || text[1] == ':' || text[1] == ',');
  };
  std::optional<std::string> letter;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const std::string& word = pieces_[i].text;
    if (!pieces_[i].is_word || (word != "for" && word != "nach" && word != "find" && word != "isolate" && word != "is" &&
                                word != "make" && word != "express"))
      continue;
    const std::size_t last = std::min(pieces_.size(), i + 1 + (word == "find" || word == "isolate" ? kSoon : 1));
    for (std::size_t k = i + 1; k < last; ++k) {
      if (pieces_[k].is_word) continue;
      if (is_letter(pieces_[k].text)) letter = pieces_[k].text.substr(0, 1);
      break;
    }
  }
  return letter;
}

bool ExerciseReader::IsSetting(const std::string& relation, std::string& letter, std::string& value) {
  const std::size_t sign = relation.find('=');
  if (sign == std::string::npos || relation.find_first_of("<>") != std::string::npos) return false;
  letter = relation.substr(0, sign);
  std::erase(letter, ' ');
  value = relation.substr(sign + 1);
  if (letter.size() != 1 || !IsLetter(letter[0])) return false;
  try {
    return book::LettersOf(book::ReadTree(value)).empty();
  } catch (const book::Refusal&) {
    return false;
  }
}

std::string ExerciseReader::FindRelation(std::vector<std::string> relations, std::vector<std::string> terms) {
  RefuseRestrictions();
  const std::optional<std::string> wanted = LetterAskedFor();
  // Letters that only name what is asked for.
  std::erase_if(terms, [&](const std::string& term) {
    return (term.size() == 1 && IsLetter(term[0])) || (wanted && term.starts_with(*wanted) && term.size() == 2);
  });
  for (std::string& relation : relations) {
    // "for t: d = rt", "in terms of x. 2x = 5 - 3y"
    if (relation.size() > 2 && IsLetter(relation[0]) && (relation[1] == ':' || relation[1] == '.')) {
      relation = relation.substr(2);
    }
  }
  const bool inequality = std::any_of(relations.begin(), relations.end(), [](const std::string& relation) {
    return relation.find_first_of("<>") != std::string::npos;
  });
  if (inequality) {
    const bool mixed = std::any_of(relations.begin(), relations.end(), [](const std::string& relation) {
      return relation.find_first_of("<>") == std::string::npos;
    });
    if (mixed) throw book::Refusal{"only some of the solutions are asked for; all solutions are found here"};
    if (!terms.empty()) throw book::Refusal{"there is more than an inequality in this"};
    return FindInequality(relations);
  }
  // Values, and what they are put into.
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<std::string> equations;
  for (const std::string& relation : relations) {
    std::string letter;
    std::string value;
    if (IsSetting(relation, letter, value)) {
      settings.emplace_back(letter, value);
    } else {
      equations.push_back(relation);
    }
  }
  if (terms.size() == 1 && equations.empty() && !settings.empty()) {
    const auto as_text = [](const auto& setting) { return setting.first + " = " + setting.second; };
    return "evaluate: " + terms[0] + "; " + Join(settings, ", ", as_text);
  }
  if (!terms.empty()) throw book::Refusal{"it is not clear what is asked for; write the equation alone"};
  if (SaysAny("sum", "product", "difference", "number") && SaysAny("solutions", "roots", "zeros")) {
    throw book::Refusal{"only the solutions themselves are found here"};
  }
  if (SaysAny("exponential") && !SaysAny("solve", "solving") && relations.size() == 1 &&
      relations[0].find("log") + relations[0].find("ln") != 2 * std::string::npos) {
    return "exponential: " + relations[0];
  }
  const bool as_logarithm = Says("logarithm") && SaysAny("write", "rewrite", "express", "convert");
  if (Says("nature") || (Says("standard") && Says("form") && !SaysAny("solve", "solving", "find"))) {
    throw book::Refusal{"what is asked for by these words is not worked out here; write the expression itself"};
  }
  if ((Says("logarithmic") || as_logarithm) && !SaysAny("solve", "solving", "equations'") && relations.size() == 1 &&
      relations[0].find('^') != std::string::npos) {
    return "logarithmic: " + relations[0];
  }
  if (equations.empty()) {
    if (settings.size() == 1) return Equation(settings[0].first, relations[0]);
    throw book::Refusal{"all letters have their values already"};
  }
  std::set<std::string> letters;
  std::vector<book::Relation> read;
  for (const std::string& equation : equations) {
    book::Relation relation = book::ReadRelation(equation);
    book::CollectLetters(relation.left, letters);
    book::CollectLetters(relation.right, letters);
    for (const book::Ptr& side : {relation.left, relation.right}) {
      std::set<std::string> constants;
      book::CollectLetters(side, constants, true);
      if (constants.contains("i")) letters.insert("i");
    }
    read.push_back(std::move(relation));
  }
  const bool system_of_settings = equations.size() + settings.size() == letters.size() && letters.size() > 1 &&
                                  (SaysAny("system", "systems") || !has_words_ || words_ == std::set<std::string>{"solve"});
  if (equations.size() == 1 && !settings.empty() && !system_of_settings) {
    // A formula with values for all letters but one.
    for (const auto& [letter, value] : settings) {
      const book::Ptr number = book::ReadTree(value);
      read[0].left = book::Substitute(read[0].left, letter, number);
      read[0].right = book::Substitute(read[0].right, letter, number);
      letters.erase(letter);
    }
    if (letters.size() != 1) throw book::Refusal{"values are missing for some letters"};
    if (wanted && *letters.begin() != *wanted) throw book::Refusal{"the letter that is asked for has a value already"};
    return Equation(*letters.begin(), book::TextOf(read[0]));
  }
  for (const auto& [letter, value] : settings) {
    equations.push_back(letter + " = " + value);
    letters.insert(letter);
  }
  if (equations.size() == 1) {
    if (letters.size() == 1) {
      if (SaysAny("complex", "imaginary", "nonreal") && !HasOnlyRealRoots(read[0], *letters.begin())) {
        std::string state = book::WithMethod(Equation(*letters.begin(), equations[0]), "complex");
        if (const book::Following next = book::FollowingLine(state); next.refusal) throw *next.refusal;
        return state;
      }
      return Equation(*letters.begin(), equations[0]);
    }
    if (letters.empty()) throw book::Refusal{"there is no letter in this equation"};
    if (!wanted) {
      throw book::Refusal{"there is more than one letter in this; say which one to solve for, as in 'for h'"};
    }
    if (!letters.contains(*wanted)) throw book::Refusal{"the letter to solve for does not stand in the equation"};
    return "solve " + *wanted + ": " + equations[0];
  }
  if (letters.size() == 1) throw book::Refusal{"there are several equations in one letter; write one at a time"};
  return "solve " + Join({letters.begin(), letters.end()}) + ": " + Join(equations, "; ");
}

bool ExerciseReader::HasOnlyRealRoots(const book::Relation& relation, const std::string& letter) {
  const auto roots = book::RootsOf(relation.left, relation.right, letter);
  const book::Ptr all = book::ReadTree(fmt::format("({}) - ({})", book::TextOf(relation.left), book::TextOf(relation.right)));
  const auto c = book::CoefficientsOf(book::ValueOf(all), letter);
  return roots && c && roots->size() + 1 == c->size();
}

std::string ExerciseReader::Equation(const std::string& letter, const std::string& equation) const {
  if (!domain_.Parse(equation).error) return equation;
  return "solve " + letter + ": " + equation;
}

bool ExerciseReader::Alternatives() const {
  std::size_t first = pieces_.size();
  std::set<std::string> between;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (pieces_[i].is_word || !HasRelation(pieces_[i].text)) continue;
    for (std::size_t k = first; k < i; ++k) {
      if (pieces_[k].is_word) between.insert(pieces_[k].text);
    }
    first = std::min(first, i);
  }
  if (between.contains("or") && between.contains("and")) throw book::Refusal{"it is not clear what holds together in this"};
  return between.contains("or");
}

std::string ExerciseReader::FindInequality(const std::vector<std::string>& relations) {
  std::set<std::string> letters;
  std::string text;
  for (const std::string& relation : relations) {
    std::string rest = relation;
    for (char& c : rest) {
      if (c == '<' || c == '>' || c == '=') c = ',';
    }
    for (const std::string& side : book::SplitAt(rest, ",")) {
      if (!side.empty()) book::CollectLetters(book::ReadTree(side), letters);
    }
    if (!text.empty()) text += Alternatives() ? " or " : " and ";
    text += relation;
  }
  // 2 > 1 compares numbers.
  const std::size_t sign = text.find_first_of("<>");
  if (letters.empty() && relations.size() == 1 && text.find_first_of("<>", sign + 1) == std::string::npos) {
    const std::size_t right = sign + (text.compare(sign + 1, 1, "=") == 0 ? 2 : 1);
    return fmt::format("compare: {} ? {}", text.substr(0, sign), text.substr(right));
  }
  if (letters.size() != 1) throw book::Refusal{"inequalities are solved in one letter"};
  return "solve " + *letters.begin() + ": " + text;
}

void ExerciseReader::RefuseLoneNumber(const std::string& term) const {
  static const std::set<std::string_view> plain{"simplify", "evaluate", "compute", "calculate", "find",
                                                "what",     "is",       "the",     "value",     "of"};
  const bool number = term.find_first_not_of("0123456789.") == std::string::npos;
  if (number && !std::all_of(words_.begin(), words_.end(), [](const std::string& word) { return plain.contains(word); })) {
    throw book::Refusal{"what is asked for by these words is not worked out here; write the expression itself"};
  }
}

std::string ExerciseReader::FindExpression(const std::string& term) {
  const book::Ptr tree = book::ReadTree(term);
  if (AsksForMixed() && term.find_first_of("./") != std::string::npos && book::RationalOf(book::ValueOf(tree))) {
    return "mixed: " + term;
  }
  RefuseLoneNumber(term);
  if (letters_are_real_ && book::HasLetter(book::Normal(tree), "i")) throw book::Refusal{std::string(kNotReal)};
  const bool has_log = book::Has(tree, book::Op::kLog);
  const bool has_root = book::Has(tree, book::Op::kRoot);
  const std::set<std::string> letters = book::LettersOf(tree);
  if (SaysAny("conjugate", "conjugates") && !SaysAny("using", "pattern", "conjugates") && !tree->Is(book::Op::kProduct)) {
    std::set<std::string> constants;
    book::CollectLetters(tree, constants, true);
    if (!constants.contains("i") || SaysAny("multiply", "product")) {
      throw book::Refusal{"what is asked for by these words is not worked out here; write the expression itself"};
    }
    return "conjugate: " + term;
  }
  const bool perfect = Says("perfect") && Says("square") && SaysAny("is", "so", "such");
  if (perfect || Plans("so that") || Plans("such that")) {
    throw book::Refusal{"what is asked for by these words is not worked out here; write the expression itself"};
  }
  if (has_log) {
    const bool is_sum = tree->Is(book::Op::kSum);
    if (SaysAny("expand", "sum", "difference")) return "spread: " + term;
    if (SaysAny("condense", "single") || is_sum) return "condense: " + term;
    return (!has_words_ && tree->Is(book::Op::kLog) && !letters.empty() ? "spread: " : "simplify: ") + term;
  }
  if (SaysAny("completing", "complete") && Says("square")) {
    // What x^2 + bx lacks is added to it; others are written as a(x - h)^2 + k.
    const auto c = letters.size() == 1 ? book::CoefficientsOf(book::ValueOf(tree), *letters.begin()) : std::nullopt;
    const bool lacks = c && c->size() == 3 && book::IsZero((*c)[0]) && book::TreeOf((*c)[2])->IsNumber(1);
    return (lacks || Says("trinomial") ? "square: " : "vertex: ") + term;
  }
  if (SaysAny("exponent", "power", "exponents") && SaysAny("write", "wrtie", "express", "convert", "rewrite") && has_root &&
      !Says("laws")) {
    return "exponent: " + term;
  }
  if (Says("radical") && !has_root) return "radical: " + term;
  if (letters.empty()) {
    // Sums of numbers are worked out by the domain itself, as far as it reads them.
    if (!domain_.Parse(term).error) return term;
    return "simplify: " + term;
  }
  if (SaysAny("factor", "factoring", "factored", "factorise", "factorize", "factorization", "faktorisiere") ||
      (Says("greatest") && Says("common"))) {
    if (SaysAny("real", "complex", "irrational")) throw book::Refusal{"only factors with rational numbers are found here"};
    const bool common = Says("greatest") && Says("common");
    return (common ? "common: " : "factor: ") + term;
  }
  const bool quotient = tree->Is(book::Op::kQuotient) && book::LettersOf(tree->args[0]).size() > 0;
  if (quotient && SaysAny("divide", "dividing", "division", "synthetic", "quotient") &&
      !book::Has(tree->args[0], book::Op::kQuotient) && !book::Has(tree->args[1], book::Op::kQuotient) && !has_root) {
    return "divide: " + term;
  }
  if (has_words_ || has_root) {
    // Where nothing is to be simplified, words that do not say so mean something else.
    const bool says = !has_words_ || SaysAny("simplify", "simplifying", "simplified", "combine", "combining", "add", "adding",
                                             "subtract", "subtracting", "sum", "difference", "product", "quotient", "reduce",
                                             "like", "radicals", "exponents");
    if (!says && book::TextOf(book::Normal(tree)) == book::TextOf(tree)) {
      throw book::Refusal{"what is asked for by these words is not worked out here; write the expression itself"};
    }
    return "simplify: " + term;
  }
  // Without words: what is not simple is simplified, what is is divided or factored.
  const book::Ptr normal = book::Normal(tree);
  if (book::TextOf(normal) != book::TextOf(tree)) {
    const bool other_order = tree->Is(book::Op::kSum) && normal->Is(book::Op::kSum) &&
                             tree->args.size() == normal->args.size() && !book::Has(tree, book::Op::kQuotient) &&
                             std::none_of(tree->args.begin(), tree->args.end(), [](const book::Ptr& part) {
                               const book::Ptr& size = part->Is(book::Op::kNegation) ? part->args[0] : part;
                               return book::Has(size, book::Op::kSum);
                             });
    if (!other_order) return "simplify: " + term;
  }
  return (quotient ? "divide: " : "factor: ") + term;
}

NotationResult ReadTextbookNotation(const Domain& domain, std::string_view text) {
  // Bounds the nesting, too.
  constexpr std::size_t kMaxBytes = 2'000;
  if (text.size() > kMaxBytes) return Unreadable(kMaxBytes, "this is too long for an exercise");
  std::ptrdiff_t open_braces = 0;
  for (std::size_t at = 0; at < text.size() && open_braces >= 0; ++at) {
    if (at > 0 && text[at - 1] == '\\') continue;  // a sign, and no group
    open_braces += (text[at] == '{' ? 1 : 0) - (text[at] == '}' ? 1 : 0);
  }
  if (open_braces != 0) return Unreadable(0, "a brace has no other that belongs to it");
  NotationResult result = ExerciseReader(domain, text).Read();
  if (result.error || !book::IsExercise(result.state)) return result;
  // What is written has to be read as the same state.
  const NotationResult again = ExerciseReader(domain, result.state).Read();
  if (again.error || again.state != result.state) return Unreadable(0, "it is not clear what is meant by this");
  return result;
}

}  // namespace conpole

// Systems of equations: linear ones, and those that become equations in one letter once another is put in. A line is a list of
// equations that hold together, or several such lists of which one holds.
#include <algorithm>
#include <set>
#include <utility>

#include "domains/school/textbook.h"
#include "domains/school/textbook_value.h"
#include "util/text.h"

namespace conpole::textbook {
namespace {

constexpr std::string_view kNoPoint = "no solution";

struct System {
  std::vector<Relation> equations;
};

std::string TextOfSystem(const System& system) {
  return Join(system.equations, "; ", [](const Relation& equation) { return TextOf(equation); });
}

Value DifferenceOf(const Relation& equation) { return Add(ValueOf(equation.left), ValueOf(equation.right), -1); }

// "x = 3" with no letter of the system on its right but free ones.
std::optional<std::string> SolvedLetter(const Relation& equation) {
  if (!equation.left->Is(Op::kLetter) || HasLetter(equation.right, equation.left->name)) return std::nullopt;
  if (TextOf(Normal(equation.right)) != TextOf(equation.right)) return std::nullopt;
  return equation.left->name;
}

class SystemStep {
 public:
  SystemStep(System system, const Exercise& exercise)
      : system_(std::move(system)), letters_(exercise.letters), method_(exercise.method) {}

  // The lists that follow, and the label; nothing if this one is done.
  std::optional<std::pair<std::string, std::vector<System>>> Next() {
    // What holds always or never.
    for (std::size_t i = 0; i < system_.equations.size(); ++i) {
      const Value value = DifferenceOf(system_.equations[i]);
      if (IsZero(value)) {
        System rest = system_;
        rest.equations.erase(rest.equations.begin() + static_cast<std::ptrdiff_t>(i));
        if (rest.equations.empty()) throw Refusal{"this holds for all values of the letters"};
        return One("always-true", std::move(rest));
      }
      if (RationalOf(value)) return std::pair(std::string("contradiction"), std::vector<System>{});
      std::set<std::string> inside = LettersIn(system_.equations[i]);
      if (inside.empty()) return std::pair(std::string("contradiction"), std::vector<System>{});
    }
    eliminates_ = method_ == "elimination" && std::all_of(system_.equations.begin(), system_.equations.end(),
                                                          [&](const Relation& equation) { return LinearOf(equation); });
    // A letter that is known goes into the others.
    for (std::size_t i = 0; i < system_.equations.size(); ++i) {
      const std::optional<std::string> letter = SolvedLetter(system_.equations[i]);
      if (!letter || !StandsElsewhere(*letter, i)) continue;
      // With letters on the right that is substitution.
      if (eliminates_ && !LettersOf(system_.equations[i].right).empty() && Eliminated()) continue;
      System next = system_;
      for (std::size_t j = 0; j < next.equations.size(); ++j) {
        if (j == i) continue;
        Relation& equation = next.equations[j];
        if (!HasLetter(equation.left, *letter) && !HasLetter(equation.right, *letter)) continue;
        equation.left = Normal(Substitute(equation.left, *letter, system_.equations[i].right));
        equation.right = Normal(Substitute(equation.right, *letter, system_.equations[i].right));
      }
      return One("put-in " + *letter, std::move(next));
    }
    // An equation in one letter.
    for (std::size_t i = 0; i < system_.equations.size(); ++i) {
      if (SolvedLetter(system_.equations[i])) continue;
      const std::set<std::string> inside = LettersIn(system_.equations[i]);
      if (inside.size() != 1) continue;
      const auto roots = RootsOf(system_.equations[i].left, system_.equations[i].right, *inside.begin());
      if (!roots) throw Refusal{"an equation of this system has no roots that can be written exactly"};
      std::vector<System> lists;
      for (const Ptr& root : *roots) {
        System next = system_;
        next.equations[i] = {MakeLetter(*inside.begin()), "=", root};
        lists.push_back(std::move(next));
      }
      return std::pair("solve-for " + *inside.begin(), std::move(lists));
    }
    if (std::optional<System> shorter = method_ == "substitution" ? std::nullopt : Eliminated()) {
      return One("eliminate " + eliminated_, std::move(*shorter));
    }
    // A letter that stands alone in an equation, but for a number.
    for (const bool plain : {true, false}) {
      for (std::size_t i = 0; i < system_.equations.size(); ++i) {
        if (SolvedLetter(system_.equations[i])) continue;
        for (const std::string& letter : letters_) {
          const auto c = CoefficientsOf(DifferenceOf(system_.equations[i]), letter);
          if (!c || c->size() != 2) continue;
          const std::optional<Exact> factor = RationalOf((*c)[1]);
          if (!factor || (plain && *factor != 1 && *factor != -1)) continue;
          System next = system_;
          next.equations[i] = {MakeLetter(letter), "=", TreeOf(Multiply((*c)[0], NumberValueOf(-1 / *factor)))};
          return One("solve-for " + letter, std::move(next));
        }
      }
    }
    // In xy = 6 no letter is zero.
    for (std::size_t i = 0; i < system_.equations.size(); ++i) {
      if (SolvedLetter(system_.equations[i])) continue;
      for (const std::string& letter : letters_) {
        const auto c = CoefficientsOf(DifferenceOf(system_.equations[i]), letter);
        if (!c || c->size() != 2 || (*c)[1].above.size() != 1) continue;
        const std::optional<Exact> constant = RationalOf((*c)[0]);
        if (!constant || *constant == 0) continue;
        System next = system_;
        next.equations[i] = {MakeLetter(letter), "=", TreeOf(Divide(NumberValueOf(-*constant), (*c)[1]))};
        return One("solve-for " + letter, std::move(next));
      }
    }
    const bool done = std::all_of(system_.equations.begin(), system_.equations.end(),
                                  [](const Relation& equation) { return SolvedLetter(equation).has_value(); });
    if (!done) return SquaresEliminated();
    return std::nullopt;
  }

 private:
  static std::pair<std::string, std::vector<System>> One(std::string label, System system) {
    return {std::move(label), {std::move(system)}};
  }

  static std::set<std::string> LettersIn(const Relation& equation) {
    std::set<std::string> letters = LettersOf(equation.left);
    CollectLetters(equation.right, letters);
    return letters;
  }

  bool StandsElsewhere(const std::string& letter, std::size_t except) const {
    for (std::size_t j = 0; j < system_.equations.size(); ++j) {
      const Relation& equation = system_.equations[j];
      if (j != except && (HasLetter(equation.left, letter) || HasLetter(equation.right, letter))) return true;
    }
    return false;
  }

  // Whether an equation only says what a letter is.
  bool IsKnown(std::size_t i) const {
    const Relation& equation = system_.equations[i];
    return SolvedLetter(equation) && (!eliminates_ || LettersOf(equation.right).empty());
  }

  // The numbers before the letters, and the one without; nothing if the equation is not linear.
  std::optional<std::vector<Exact>> LinearOf(const Relation& equation) const {
    Value rest = DifferenceOf(equation);
    std::vector<Exact> row;
    for (const std::string& letter : letters_) {
      const auto c = CoefficientsOf(rest, letter);
      if (!c || c->size() > 2) return std::nullopt;
      const std::optional<Exact> factor = c->size() == 2 ? RationalOf((*c)[1]) : std::optional<Exact>(0);
      if (!factor) return std::nullopt;
      row.push_back(*factor);
      rest = (*c)[0];
    }
    const std::optional<Exact> number = RationalOf(rest);
    if (!number) return std::nullopt;
    row.push_back(-*number);
    return row;
  }

  // Linear equations without a letter that has the factor 1: one of two is replaced by a sum in which a letter is gone.
  std::optional<System> Eliminated() {
    std::vector<std::vector<Exact>> rows;
    for (const Relation& equation : system_.equations) {
      std::optional<std::vector<Exact>> row = LinearOf(equation);
      if (!row) return std::nullopt;
      rows.push_back(std::move(*row));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (eliminates_ || SolvedLetter(system_.equations[i])) continue;
      for (std::size_t v = 0; v < letters_.size(); ++v) {
        if (rows[i][v] == 1 || rows[i][v] == -1) return std::nullopt;
      }
    }
    for (std::size_t v = 0; v < letters_.size(); ++v) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = i + 1; j < rows.size(); ++j) {
          if (rows[i][v] == 0 || rows[j][v] == 0 || IsKnown(i) || IsKnown(j)) continue;
          // A letter that is gone does not come back.
          const auto gone = [&](const std::vector<Exact>& row) {
            return std::all_of(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(v),
                               [](const Exact& x) { return x == 0; });
          };
          if (!gone(rows[i]) || !gone(rows[j])) continue;
          const Exact ratio = rows[j][v] / rows[i][v];
          // In whole numbers, the first of them positive.
          std::vector<Exact> sum;
          Integer below = 1;
          for (std::size_t w = 0; w < rows[j].size(); ++w) {
            sum.push_back(rows[j][w] - ratio * rows[i][w]);
            below = boost::multiprecision::lcm(below, denominator(sum.back()));
          }
          const auto first = std::find_if(sum.begin(), sum.end(), [](const Exact& x) { return x != 0; });
          const Exact factor = first != sum.end() && *first < 0 ? -below : below;
          Value left = NumberValueOf(0);
          for (std::size_t w = 0; w < letters_.size(); ++w) left = Add(left, ValueOf(MakeLetter(letters_[w])), factor * sum[w]);
          System next = system_;
          next.equations[j] = {TreeOf(left), "=", MakeNumber(factor * sum.back())};
          eliminated_ = letters_[v];
          return next;
        }
      }
    }
    return std::nullopt;
  }

  // x^2 in all equations only: one is solved for it, and it is put into the others.
  std::optional<std::pair<std::string, std::vector<System>>> SquaresEliminated() {
    for (const std::string& letter : letters_) {
      for (std::size_t i = 0; i < system_.equations.size(); ++i) {
        const auto c = CoefficientsOf(DifferenceOf(system_.equations[i]), letter);
        if (!c || c->size() != 3 || !IsZero((*c)[1])) continue;
        const std::optional<Exact> factor = RationalOf((*c)[2]);
        if (!factor) continue;
        for (std::size_t j = 0; j < system_.equations.size(); ++j) {
          if (j == i) continue;
          const auto d = CoefficientsOf(DifferenceOf(system_.equations[j]), letter);
          if (!d || d->size() != 3 || !IsZero((*d)[1])) continue;
          const std::optional<Exact> other = RationalOf((*d)[2]);
          if (!other) continue;
          System next = system_;
          const Value sum = Add((*d)[0], (*c)[0], -*other / *factor);
          next.equations[j] = {TreeOf(sum), "=", MakeNumber(0)};
          return One("eliminate " + letter, std::move(next));
        }
      }
    }
    throw Refusal{"this system of equations is not solved here"};
  }

  System system_;
  const std::vector<std::string>& letters_;
  const std::string& method_;
  bool eliminates_ = false;  // linear equations, as was asked for
  std::string eliminated_;
};

}  // namespace

std::optional<Line> NextLineOfSystem(const Exercise& exercise) {
  if (exercise.body == kNoPoint) return std::nullopt;
  std::vector<System> lists;
  for (const std::string& part : SplitAt(exercise.body, " or ")) {
    System system;
    for (const std::string& equation : SplitAt(part, "; ")) system.equations.push_back(ReadRelation(equation));
    lists.push_back(std::move(system));
  }
  std::string label;
  std::vector<System> next;
  for (const System& system : lists) {
    auto step = SystemStep(system, exercise).Next();
    const std::string name = step ? step->first.substr(0, step->first.find(' ')) : std::string();
    if (!step || (!label.empty() && name != label.substr(0, label.find(' ')))) {
      next.push_back(system);
      continue;
    }
    if (label.empty()) label = step->first;
    std::move(step->second.begin(), step->second.end(), std::back_inserter(next));
  }
  if (label.empty()) {
    // In the order of the letters.
    const auto rank = [&](const Relation& equation) {
      return std::find(exercise.letters.begin(), exercise.letters.end(), equation.left->name) - exercise.letters.begin();
    };
    next = lists;
    for (System& system : next) {
      std::stable_sort(system.equations.begin(), system.equations.end(),
                       [&](const Relation& a, const Relation& b) { return rank(a) < rank(b); });
    }
    label = "order";
  }
  std::vector<std::string> different;
  for (const System& system : next) {
    std::string text = TextOfSystem(system);
    if (std::find(different.begin(), different.end(), text) == different.end()) different.push_back(std::move(text));
  }
  const std::string body = different.empty() ? std::string(kNoPoint) : Join(different, " or ");
  if (body == exercise.body) return std::nullopt;
  return Line{label, body};
}

}  // namespace conpole::textbook

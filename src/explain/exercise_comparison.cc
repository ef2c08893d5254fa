#include "explain/exercise_comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "domains/school/algebra_text.h"
#include "domains/school/textbook.h"
#include "domains/school/textbook_value.h"
#include "explain/counterexample.h"
#include "explain/function_rules.h"
#include "explain/mistakes.h"
#include "notation/textbook_notation.h"
#include "util/text.h"
#include "verify/exercise_meaning.h"

namespace conpole {
namespace {

namespace book = textbook;
using book::Op;
using book::Ptr;

constexpr std::string_view kCheckClause = "; check ";

// An exercise without what is to be checked in the end.
struct ExerciseLine {
  explicit ExerciseLine(std::string_view state) : exercise(book::ReadExercise(state)) {
    const std::size_t clause = exercise.body.find(kCheckClause);
    body = exercise.body.substr(0, clause);
    if (clause != std::string::npos) checked = exercise.body.substr(clause + kCheckClause.size());
    solves = exercise.task == "solve";
  }
  std::string With(std::string new_body) const {
    book::Exercise other = exercise;
    other.body = std::move(new_body);
    return book::TextOf(other);
  }
  // A relation alone, whose sides can be looked at.
  std::optional<book::Relation> Single() const {
    const bool several = body.find(" or ") != std::string::npos || body.find(" and ") != std::string::npos ||
                         body.find(';') != std::string::npos;
    if (!solves || several || body.find_first_of("=<>") == std::string::npos) return std::nullopt;
    try {
      return book::ReadRelation(body);
    } catch (const book::Refusal&) {
      return std::nullopt;  // a < x < b
    }
  }

  book::Exercise exercise;
  std::string body;
  std::string checked;
  bool solves = false;
};

bool JudgedSame(const std::string& before, const std::string& after) {
  return JudgeExerciseLine(before, after).value_or(false);
}
// Whether two expressions differ at a place where both have a value, which is told much faster than by the judge.
bool DifferAtOnce(const Ptr& a, const Ptr& b) {
  const std::set<std::string> letters = book::LettersOf(a, b);
  std::map<std::string, double> values;
  for (const std::string& letter : letters) values[letter] = 1.618 + 0.577 * static_cast<double>(values.size());
  const double left = book::Approximate(a, values);
  const double right = book::Approximate(b, values);
  return std::isfinite(left) && std::isfinite(right) && std::abs(left - right) > 1e-6 * (1 + std::abs(left) + std::abs(right));
}
bool JudgedEqual(const Ptr& a, const Ptr& b) {
  if (DifferAtOnce(a, b)) return false;
  return JudgedSame("simplify: " + book::TextOf(a), "simplify: " + book::TextOf(b));
}

// --- Steps that let wrong answers in ----------------------------------------------------------------------------------------

// Whether both sides were raised to a power, or the domain itself takes such a step with the answers to be checked.
bool MayAddRoots(const ExerciseLine& before, const ExerciseLine& after) {
  if (const std::optional<book::Relation> old = before.Single()) {
    for (const int power : {2, 3, 4}) {
      const std::string raised =
          fmt::format("({})^{} = ({})^{}", book::TextOf(old->left), power, book::TextOf(old->right), power);
      if (JudgedSame(before.With(raised), after.With(after.body))) return true;
    }
  }
  constexpr int kMostLines = 12;
  std::string line = book::TextOf(before.exercise);
  for (int i = 0; i < kMostLines; ++i) {
    const book::Following next = book::FollowingLine(line);
    if (next.refusal || next.state.empty()) return false;
    const ExerciseLine own(next.state);
    if (!own.checked.empty() && JudgedSame(before.With(own.body), after.With(after.body))) return true;
    line = next.state;
  }
  return false;
}

std::optional<Comparison> WithCheck(const ExerciseLine& before, const ExerciseLine& after) {
  const bool one_letter = before.solves && after.solves && before.exercise.letters.size() == 1;
  if (!one_letter || !after.checked.empty() || before.body.find_first_of("<>") != std::string::npos) return std::nullopt;
  if (before.body.find(" or ") != std::string::npos || after.body == "no solution" || after.body == "every number") return {};
  const std::string clause = before.checked.empty() ? before.body : before.checked;
  std::string checked = after.With(after.body + std::string(kCheckClause) + clause);
  // Where there is no solution, nobody may know.
  if (!JudgeExerciseLine(book::TextOf(before.exercise), checked).value_or(true) || !MayAddRoots(before, after)) {
    return std::nullopt;
  }
  Comparison comparison = Comparison::Different("check.extra_solutions");
  comparison.with_condition = std::move(checked);
  comparison.adds_roots = true;
  return comparison;
}

// --- Names of errors --------------------------------------------------------------------------------------------------------

// The rules of errors know one unknown. Other letters stand as numbers in them that nobody writes.
class OtherLetters {
 public:
  OtherLetters(const std::set<std::string>& letters, const std::string& unknown) {
    std::size_t next = 0;
    for (const std::string& letter : letters) {
      if (letter != unknown && next < kNumbers.size()) numbers_.emplace_back(letter, kNumbers[next++]);
      if (next == kNumbers.size()) full_ = true;
    }
  }
  bool full() const { return full_; }
  Ptr Hidden(Ptr tree) const {
    for (const auto& [letter, number] : numbers_) tree = book::Substitute(tree, letter, book::MakeNumber(number));
    return tree;
  }
  // A text with the letters again; nothing if a number was worked out with theirs.
  std::optional<std::string> Shown(std::string text) const {
    for (const auto& [letter, number] : numbers_) {
      const std::string digits = std::to_string(number);
      for (std::size_t at = text.find(digits); at != std::string::npos; at = text.find(digits, at + 1)) {
        text.replace(at, digits.size(), letter);
      }
    }
    constexpr std::size_t kStrange = 4;  // digits in a row
    std::size_t row = 0;
    for (const char c : text) {
      row = IsDigit(c) ? row + 1 : 0;
      if (row >= kStrange && !numbers_.empty()) return std::nullopt;
    }
    try {
      if (!numbers_.empty() && text.find_first_of("=<>") == std::string::npos) return book::TextOf(book::ReadTree(text));
    } catch (const book::Refusal&) {
      // Words, or a part of a term.
    }
    return text;
  }
  bool Show(Catalogue::Slots& slots) const {
    for (auto& [name, text] : slots) {
      std::optional<std::string> shown = Shown(std::move(text));
      if (!shown) return false;
      text = std::move(*shown);
    }
    return true;
  }

 private:
  static constexpr std::array<int, 6> kNumbers{700'001, 700'027, 700'057, 700'067, 700'079, 700'081};
  std::vector<std::pair<std::string, int>> numbers_;
  bool full_ = false;
};

// As the rules read it: of words they know only roots, so xx is x*x.
std::string AsPlainTerm(const Ptr& tree) {
  std::string text;
  for (const char c : book::TextOf(tree)) {
    const bool twice = !text.empty() && IsLetter(c) && text.back() == c;
    const bool in_word = twice && text.size() > 1 && IsLetter(text[text.size() - 2]) && text[text.size() - 2] != c;
    if (twice && !in_word) text += '*';
    text += c;
  }
  return text;
}

// A relation as an equation that the rules read, with one unknown; empty if they cannot.
std::string AsEquation(const book::Relation& relation, const OtherLetters& others) {
  const std::string text =
      fmt::format("{} = {}", AsPlainTerm(others.Hidden(relation.left)), AsPlainTerm(others.Hidden(relation.right)));
  const algebra::ReadResult read = algebra::Read(text);
  return read.error ? std::string() : algebra::TextOf(read.state);
}

// The error between two relations that are no equations in one unknown, found as if they were.
std::optional<Mistake> FindInRelations(const book::Relation& before, const book::Relation& after,
                                       const std::vector<std::string>& wanted) {
  std::set<std::string> letters = book::LettersOf(before.left, before.right);
  letters.merge(book::LettersOf(after.left, after.right));
  for (const std::string& unknown : wanted) {
    if (!letters.contains(unknown)) continue;
    const OtherLetters others(letters, unknown);
    const std::string old_line = AsEquation(before, others);
    const std::string new_line = AsEquation(after, others);
    if (others.full() || old_line.empty() || new_line.empty() || old_line == new_line) continue;
    std::optional<Mistake> mistake = FindMistake(old_line, new_line);
    if (mistake && others.Show(mistake->slots) && others.Show(mistake->also_slots)) return mistake;
  }
  return std::nullopt;
}

// The error of a rule in text that makes one expression of another.
std::optional<Mistake> FindInExpressions(const Ptr& before, const Ptr& after) {
  const std::set<std::string> letters = book::LettersOf(before, after);
  for (const std::string& unknown : letters) {
    const OtherLetters others(letters, unknown);
    const auto side_of = [&](const Ptr& tree) {
      return algebra::Read(fmt::format("{} = 0", AsPlainTerm(others.Hidden(tree))));
    };
    const algebra::ReadResult old_line = side_of(before);
    const algebra::ReadResult new_line = side_of(after);
    if (others.full() || old_line.error || new_line.error) continue;
    const algebra::Node& was = old_line.state.equations.front().left;
    const algebra::Node& is = new_line.state.equations.front().left;
    std::optional<Mistake> mistake = FindMistakeInPart(was, is, unknown[0]);
    if (!mistake) mistake = FindSlipInPart(was, is, unknown[0]);
    if (mistake && others.Show(mistake->slots)) return mistake;
  }
  return std::nullopt;
}

// Letters stand for their squares, so that sqrt(x^2) is x.
bool EqualForPositive(Ptr a, Ptr b) {
  const std::set<std::string> letters = book::LettersOf(a, b);
  for (const std::string& letter : letters) {
    const Ptr square = book::MakePower(book::MakeLetter(letter), book::MakeNumber(2));
    a = book::Substitute(a, letter, square);
    b = book::Substitute(b, letter, square);
  }
  return JudgedEqual(a, b);
}

// As people write it: log_2(x).
std::string AsWritten(const Ptr& tree) { return WriteTextbookPlain("simplify: " + book::TextOf(tree)); }

// 25 sqrt(2) for sqrt(50): squares that went before the root as they were.
std::vector<Ptr> WithSquaresBefore(const Ptr& tree) {
  std::vector<Ptr> wrong;
  if (!tree->Is(Op::kRoot) || !tree->args[1]->IsNumber(2) || !tree->args[0]->Is(Op::kNumber)) return wrong;
  constexpr int kMostRoot = 30;
  for (int root = 2; root <= kMostRoot; ++root) {
    const book::Exact rest = tree->args[0]->number / (root * root);
    if (rest > 1 && denominator(rest) == 1)
      wrong.push_back(book::MakeProduct({book::MakeNumber(root * root), book::MakeRoot(book::MakeNumber(rest), 2)}));
  }
  return wrong;
}

// The error of a rule that makes one tree of another at some place.
std::optional<Mistake> FindInFunctions(const Ptr& before, const Ptr& after) {
  using MakeWhole = std::function<Ptr(Ptr)>;
  std::vector<std::pair<Ptr, MakeWhole>> places;
  const std::function<void(const Ptr&, const MakeWhole&)> visit = [&](const Ptr& tree, const MakeWhole& rebuild) {
    places.emplace_back(tree, rebuild);
    for (std::size_t i = 0; i < tree->args.size(); ++i) {
      visit(tree->args[i], [tree, i, rebuild](Ptr part) {
        auto whole = std::make_shared<book::Tree>(*tree);
        whole->args[i] = std::move(part);
        return rebuild(whole);
      });
    }
  };
  visit(before, [](Ptr tree) { return tree; });
  for (const mistakes::FunctionRule& rule : mistakes::FunctionRules()) {
    if (rule.from.size() > 1) continue;
    for (const auto& [part, rebuild] : places) {
      bool is_made = false;
      mistakes::ApplyRule(rule, {part}, [&, &make = rebuild](const std::vector<Ptr>& made) {
        is_made = is_made || EqualForPositive(make(made[0]), after);
      });
      if (is_made) return Mistake{rule.name, {{"term", AsWritten(part)}}};
    }
  }
  for (const auto& [part, rebuild] : places) {
    for (const Ptr& wrong : WithSquaresBefore(part)) {
      if (JudgedEqual(rebuild(wrong), after)) return Mistake{"root_of_product", {{"term", AsWritten(part)}}};
    }
  }
  return std::nullopt;
}

// The same of both sides of a relation.
std::optional<Mistake> FindInFunctionRelation(const book::Relation& before, const book::Relation& after) {
  for (const mistakes::FunctionRule& rule : mistakes::FunctionRules()) {
    if (rule.from.size() == 1) continue;
    for (const bool turned : {false, true}) {
      const Ptr& left = turned ? before.right : before.left;
      bool is_made = false;
      mistakes::ApplyRule(rule, {left, turned ? before.left : before.right}, [&](const std::vector<Ptr>& made) {
        const auto is_between = [&](const Ptr& a, const Ptr& b) { return JudgedEqual(made[0], a) && JudgedEqual(made[1], b); };
        is_made = is_made || is_between(after.left, after.right) || is_between(after.right, after.left);
      });
      if (is_made) return Mistake{rule.name, {{"term", AsWritten(left)}}};
    }
  }
  return std::nullopt;
}

std::string WithSigns(std::string body, const std::function<std::string(const std::string&)>& change) {
  std::string changed;
  for (std::size_t at = 0; at < body.size(); ++at) {
    if (body[at] != '<' && body[at] != '>') {
      changed += body[at];
      continue;
    }
    const bool two = at + 1 < body.size() && body[at + 1] == '=';
    changed += change(body.substr(at, two ? 2 : 1));
    at += two ? 1 : 0;
  }
  return changed;
}

std::optional<Mistake> FindInOrder(const ExerciseLine& before, const ExerciseLine& after) {
  const std::string state = book::TextOf(before.exercise);
  const auto turned = [](const std::string& sign) { return (sign[0] == '<' ? ">" : "<") + sign.substr(1); };
  const auto other_end = [](const std::string& sign) { return sign.size() == 2 ? sign.substr(0, 1) : sign + "="; };
  if (JudgedSame(state, before.With(WithSigns(after.body, turned))) ||
      JudgedSame(before.With(WithSigns(before.body, turned)), before.With(after.body)))
    return Mistake{"inequality_sign", {}};
  if (JudgedSame(state, before.With(WithSigns(after.body, other_end)))) return Mistake{"inequality_ends", {}};
  return std::nullopt;
}

// Whether every solution of one line solves another.
bool HoldsWithin(const ExerciseLine& part, const ExerciseLine& whole) {
  return JudgedSame(whole.With(whole.body), whole.With(whole.body + " or " + part.body));
}

// 7.07 after sqrt(50).
std::optional<Mistake> FindRounded(const ExerciseLine& before, const ExerciseLine& after, const Ptr& number) {
  if (!number->Is(Op::kNumber) || number->places == 0) return std::nullopt;
  const std::string place = fmt::format("0.{}1", std::string(number->places - 1, '0'));
  if (!JudgedSame(fmt::format("round {}: {}", place, before.body), "result: " + after.body)) return std::nullopt;
  return Mistake{"rounded", {{"is", after.body}}};
}

// The error in an equation that was made of those of a system: of one of them, of their sum or difference, or of one with
// what a letter is in the other.
std::optional<Mistake> FindInSystem(const ExerciseLine& old_line, const ExerciseLine& new_line) {
  const std::vector<std::string> before = book::SplitAt(old_line.body, ";");
  std::vector<std::string> added = book::SplitAt(new_line.body, ";");
  std::erase_if(added, [&](const std::string& text) { return std::find(before.begin(), before.end(), text) != before.end(); });
  if (before.size() != 2 || added.size() != 1 || old_line.body.find(" or ") != std::string::npos) return std::nullopt;
  const std::array<book::Relation, 2> system{book::ReadRelation(before[0]), book::ReadRelation(before[1])};
  const book::Relation after = book::ReadRelation(added[0]);
  if (after.left->Is(Op::kLetter) && book::LettersOf(after.right).empty()) return std::nullopt;
  std::vector<book::Relation> origins(system.begin(), system.end());
  for (const std::size_t i : {0U, 1U}) {
    const book::Relation& one = system[i];
    const book::Relation& other = system[1 - i];
    if (one.sign != "=" || other.sign != "=" || after.sign != "=") return std::nullopt;
    const auto with = [&](bool minus) {
      const auto sum = [&](const Ptr& a, const Ptr& b) { return book::MakeSum({a, minus ? book::MakeNegation(b) : b}); };
      origins.push_back({sum(one.left, other.left), "=", sum(one.right, other.right)});
    };
    if (i == 0) with(false);
    with(true);
    if (one.left->Is(Op::kLetter) && !book::HasLetter(one.right, one.left->name)) {
      const auto put_in = [&](const Ptr& side) { return book::Substitute(side, one.left->name, one.right); };
      origins.push_back({put_in(other.left), "=", put_in(other.right)});
    }
  }
  const std::set<std::string> letters = book::LettersOf(after.left, after.right);
  for (const book::Relation& origin : origins) {
    // Of letters that cancel out nothing is left.
    const Ptr difference = book::Normal(book::MakeSum({origin.left, book::MakeNegation(origin.right)}));
    if (book::LettersOf(difference) != letters) continue;
    std::optional<Mistake> mistake = FindInRelations(origin, after, {letters.begin(), letters.end()});
    if (mistake && !mistake->rule.ends_with("_slip")) return mistake;
  }
  return std::nullopt;
}

// Of numbers of which nothing else is known.
std::optional<Mistake> FindBySize(const Ptr& before, const Ptr& after) {
  if (!book::LettersOf(before).empty() || !book::LettersOf(after).empty()) return std::nullopt;
  const double was = std::abs(book::Approximate(before, {}));
  const double is = std::abs(book::Approximate(after, {}));
  if (!std::isfinite(was) || !std::isfinite(is)) return std::nullopt;
  const bool same = std::abs(was - is) < 1e-9 * (1 + was);
  return Mistake{same       ? "opposite"
                 : is > was ? "too_large"
                            : "too_small",
                 {{"term", AsWritten(before)}, {"is", AsWritten(after)}}};
}

std::optional<Mistake> FindExerciseMistake(const ExerciseLine& before, const ExerciseLine& after) {
  try {
    if (after.exercise.task == "result") return std::nullopt;
    if (!before.solves) {
      const Ptr old_tree = book::ReadTree(before.body);
      const Ptr new_tree = book::ReadTree(after.body);
      if (std::optional<Mistake> mistake = FindRounded(before, after, new_tree)) return mistake;
      if (book::LettersOf(old_tree).empty() && book::LettersOf(new_tree).empty()) {
        const algebra::ReadResult old_line = algebra::Read(before.body);
        const algebra::ReadResult new_line = algebra::Read(after.body);
        if (!old_line.error && !new_line.error) {
          return FindMistake(algebra::TextOf(old_line.state), algebra::TextOf(new_line.state));
        }
      } else if (std::optional<Mistake> mistake = FindInExpressions(old_tree, new_tree)) {
        return mistake;
      }
      if (std::optional<Mistake> mistake = FindInFunctions(old_tree, new_tree)) return mistake;
      return FindBySize(old_tree, new_tree);
    }
    if (before.body.find_first_of("<>") != std::string::npos) {
      if (after.body.find('=') != std::string::npos && after.body.find_first_of("<>") == std::string::npos)
        return Mistake{"inequality_lost", {}};
      if (std::optional<Mistake> mistake = FindInOrder(before, after)) return mistake;
      // As equations they would be right, or nearly.
      const auto equal = [](const std::string&) { return std::string("="); };
      const std::string old_equation = WithSigns(before.body, equal);
      const std::string both = fmt::format("{} or {}", old_equation, WithSigns(after.body, equal));
      if (JudgedSame(before.With(old_equation), before.With(both))) return std::nullopt;
    }
    const std::optional<book::Relation> old_relation = before.Single();
    const std::optional<book::Relation> new_relation = after.Single();
    if (!old_relation && before.body.find(';') != std::string::npos) return FindInSystem(before, after);
    if (!old_relation || !new_relation || old_relation->sign != new_relation->sign) return std::nullopt;
    if (std::optional<Mistake> mistake = FindInFunctionRelation(*old_relation, *new_relation)) return mistake;
    if (std::optional<Mistake> mistake = FindInRelations(*old_relation, *new_relation, before.exercise.letters)) return mistake;
    // A side that alone was rewritten.
    const bool left = JudgedEqual(old_relation->left, new_relation->left);
    const bool right = JudgedEqual(old_relation->right, new_relation->right);
    if (left == right) return std::nullopt;
    std::optional<Mistake> mistake = left ? FindInFunctions(old_relation->right, new_relation->right)
                                          : FindInFunctions(old_relation->left, new_relation->left);
    if (mistake) mistake->side = left ? Comparison::Side::kRight : Comparison::Side::kLeft;
    return mistake;
  } catch (const book::Refusal&) {
    return std::nullopt;
  }
}

// --- What is said -----------------------------------------------------------------------------------------------------------

// The side that alone is another function than before.
Comparison::Side ChangedSideOf(const ExerciseLine& before, const ExerciseLine& after) {
  const std::optional<book::Relation> old_relation = before.Single();
  const std::optional<book::Relation> new_relation = after.Single();
  if (!old_relation || !new_relation || old_relation->sign != new_relation->sign) return Comparison::Side::kNone;
  const bool left = JudgedEqual(old_relation->left, new_relation->left);
  const bool right = JudgedEqual(old_relation->right, new_relation->right);
  if (left == right) return Comparison::Side::kNone;
  return left ? Comparison::Side::kRight : Comparison::Side::kLeft;
}

// A right side that alone was changed has the same solutions only by chance, unless what is beside it is 0 or 1: |x - 3| = 0.
bool IsByChance(const ExerciseLine& before, const ExerciseLine& after) {
  // Of linear relations only: powers, roots and the like are undone on one side.
  for (const ExerciseLine* const line : {&before, &after}) {
    for (const std::string_view sign : {"^", "abs(", "sqrt(", "cbrt(", "root(", "log(", "ln("}) {
      if (line->body.find(sign) != std::string::npos) return false;
    }
  }
  const Comparison::Side side = ChangedSideOf(before, after);
  if (side == Comparison::Side::kNone) return false;
  const book::Relation old_relation = *before.Single();
  const Ptr& kept = side == Comparison::Side::kLeft ? old_relation.right : old_relation.left;
  if (!book::LettersOf(kept).empty()) return false;
  return !JudgedEqual(kept, book::MakeNumber(0)) && !JudgedEqual(book::MakeAbs(kept), book::MakeNumber(1));
}

Comparison ExplainDifference(const ExerciseLine& before, const ExerciseLine& after) {
  if (!before.solves) {
    const bool value = after.exercise.task != "result" && before.exercise.task != "square";
    return Comparison::Different(value ? "check.other_value" : "check.look_again");
  }
  if (after.body == "no solution") return Comparison::Different("check.no_solution_left");
  if (before.exercise.letters.size() > 1 || after.body == "every number") return Comparison::Different("check.solutions");
  if (!after.checked.empty() || !before.checked.empty()) return Comparison::Different("check.solutions");
  if (HoldsWithin(after, before)) {
    Comparison comparison = Comparison::Different("check.missing_solutions");
    const bool absolute = before.body.find("abs(") != std::string::npos && before.body.find_first_of("<>") == std::string::npos;
    if (absolute) Name(Mistake{"lost_case", {}}, comparison);
    return comparison;
  }
  if (HoldsWithin(before, after)) return Comparison::Different("check.extra_solutions");
  Comparison comparison = Comparison::Different("check.solutions");
  comparison.side = ChangedSideOf(before, after);
  if (comparison.side != Comparison::Side::kNone) comparison.sentence = "check.one_side_changed";
  return comparison;
}

}  // namespace

Comparison CompareExercises(std::string_view before_state, std::string_view after_state) {
  const std::optional<bool> same = JudgeExerciseLine(before_state, after_state);
  const ExerciseLine before(before_state);
  const ExerciseLine after(after_state);
  if (!same) {
    const bool one_letter = before.solves && after.solves && before.exercise.letters.size() == 1;
    if (one_letter && !after.checked.empty() && MayAddRoots(before, after)) return Comparison::Same();
    Comparison comparison;
    comparison.sentence = "check.undecided";
    return comparison;
  }
  if (*same) {
    if (!IsByChance(before, after)) return Comparison::Same();
    Comparison comparison = Comparison::Different("check.not_a_step");
    comparison.same_solutions = true;
    comparison.side = ChangedSideOf(before, after);
    return comparison;
  }
  if (std::optional<Comparison> comparison = WithCheck(before, after)) return *std::move(comparison);
  Comparison comparison = ExplainDifference(before, after);
  if (!comparison.mistake.empty()) return comparison;
  if (std::optional<Mistake> mistake = FindExerciseMistake(before, after)) Name(std::move(*mistake), comparison);
  AddCounterexample(before.body, after.body, {}, comparison);
  return comparison;
}

}  // namespace conpole

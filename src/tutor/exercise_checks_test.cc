// Lines of all families of school algebra, judged: what is right, what is wrong and why, and what must hold for every line that
// the generator and the domain write.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "domains/school/textbook.h"
#include "domains/school/textbook_problems.h"
#include "notation/notation.h"
#include "subjects/free_notation.h"
#include "subjects/subject.h"
#include "tests/repetitions.h"
#include "tutor/check_step.h"
#include "util/random.h"
#include "util/text.h"
#include "verify/exercise_meaning.h"

namespace conpole {
namespace {

using Help = StepCheck::Help;
using Kind = StepCheck::Kind;

const Domain& SchoolDomain() {
  static const std::unique_ptr<Domain> domain = MakeDomain("algebra");
  return *domain;
}

StepCheck CheckExercise(std::string_view problem, std::string_view line, std::string_view language = "en") {
  const NotationResult read = ReadToCheck(SchoolDomain(), problem, language);
  EXPECT_FALSE(read.error) << problem << ": " << read.error->message;
  const std::vector<std::string> lines{std::string(line)};
  return CheckLines(SchoolDomain(), read.state, lines, {}, language).back();
}

struct ExerciseLineCase {
  std::string_view problem, line;
  Kind kind;
  std::string_view mistake = {};
};

TEST(ExerciseChecks, OneCheckForAllFamilies) {
  for (const ExerciseLineCase& item : {
           // Nobody says what is asked for.
           ExerciseLineCase{"u=g/0.25", "u=.25g", Kind::kNotEquivalent, "quotient_as_product"},
           ExerciseLineCase{"u=g/0.25", "u=4g", Kind::kCorrect},
           ExerciseLineCase{"zg-7f=nj", "zg-7f-nj=nj-nj", Kind::kNotCloser},
           ExerciseLineCase{"zg-7f=nj", "zg=nj-7f", Kind::kNotEquivalent, "sign_moved"},
           // Formulas.
           ExerciseLineCase{"A = b h/2 for h", "2A = bh", Kind::kCorrect},
           ExerciseLineCase{"A = b h/2 for h", "2A/b = h", Kind::kSolved},
           ExerciseLineCase{"A = b h/2 for h", "A/2 = bh", Kind::kNotEquivalent, "wrong_inverse"},
           // Inequalities.
           ExerciseLineCase{"2x+3>7", "2x>4", Kind::kProgress},
           ExerciseLineCase{"2x+3>7", "2 < x", Kind::kSolved},
           ExerciseLineCase{"2x+3>7", "(2, oo)", Kind::kSolved},
           ExerciseLineCase{"2x>4", "2x+3>7", Kind::kNotCloser},
           ExerciseLineCase{"2x+3>7", "2x>10", Kind::kNotEquivalent, "sign_moved"},
           ExerciseLineCase{"2x+3>7", "2x>4.01", Kind::kNotEquivalent, "wrong_digit"},
           ExerciseLineCase{"5-2x>7", "x>-1", Kind::kNotEquivalent, "inequality_sign"},
           ExerciseLineCase{"5-2x>7", "x<=-1", Kind::kNotEquivalent, "inequality_ends"},
           ExerciseLineCase{"x^2<=4", "x<=2", Kind::kNotEquivalent, "extra_solutions"},
           ExerciseLineCase{"|5x-6| <= 4", "-4 <= 5x-6 <= 4", Kind::kProgress},
           ExerciseLineCase{"(x-3)/(x+4) >= 0", "x-3 >= 0", Kind::kNotEquivalent, "missing_solutions"},
           // Expressions with letters.
           ExerciseLineCase{"(x+2)(x-3)", "x^2-3x+2x-6", Kind::kProgress},
           ExerciseLineCase{"(x+2)(x-3)", "x^2-x-6", Kind::kSolved},
           ExerciseLineCase{"(x+2)(x-3)", "x^2-6", Kind::kNotEquivalent, "brackets_product"},
           ExerciseLineCase{"(a+b)^2", "a^2+b^2", Kind::kNotEquivalent, "square_of_sum"},
           ExerciseLineCase{"x^2*x^3", "x^6", Kind::kNotEquivalent, "exponents_multiplied"},
           ExerciseLineCase{"x*x", "2x", Kind::kNotEquivalent, "power_product"},
           ExerciseLineCase{"a*a+1", "2a+1", Kind::kNotEquivalent, "power_product"},
           ExerciseLineCase{"x^0", "0", Kind::kNotEquivalent, "power_zero"},
           ExerciseLineCase{"a^0", "a", Kind::kNotEquivalent, "power_zero"},
           ExerciseLineCase{"x^0+x=3", "0+x=3", Kind::kNotEquivalent, "power_zero"},
           ExerciseLineCase{"2x^0", "1", Kind::kNotEquivalent, "power_order"},
           ExerciseLineCase{"x^0", "1", Kind::kSolved},
           ExerciseLineCase{"x^2-5x+6", "(x-2)(x-3)", Kind::kSolved},
           ExerciseLineCase{"Complete the square: z^2+8z", "z^2+8z+16", Kind::kCorrect},
           ExerciseLineCase{"Complete the square: z^2+8z", "z^2+8z+15", Kind::kNotEquivalent},
           // Roots and logarithms.
           ExerciseLineCase{"sqrt(50)", "5sqrt(2)", Kind::kSolved},
           ExerciseLineCase{"sqrt(50)", "sqrt(25*2)", Kind::kCorrect},
           ExerciseLineCase{"sqrt(50)", "25sqrt(2)", Kind::kNotEquivalent, "root_of_product"},
           ExerciseLineCase{"sqrt(12)+1", "4sqrt(3)+1", Kind::kNotEquivalent, "root_of_product"},
           ExerciseLineCase{"sqrt(50)", "7.07", Kind::kNotEquivalent, "rounded"},
           ExerciseLineCase{"sqrt(50)", "7.07106781186547524", Kind::kCannotTell},
           ExerciseLineCase{"sqrt(x^2+9)", "x+3", Kind::kNotEquivalent, "root_of_sum"},
           ExerciseLineCase{"log_2(8)", "3", Kind::kSolved},
           ExerciseLineCase{"3^(3x-2)=81", "3x-2=4", Kind::kCorrect},
           ExerciseLineCase{"sqrt(15-2x)=x", "x=3", Kind::kSolved},
           ExerciseLineCase{"sqrt(15-2x)=x", "x=3 or x=-5", Kind::kNotEquivalent, "extra_solutions"},
           ExerciseLineCase{"sqrt(15-2x)=x", "15-2x=x", Kind::kNotEquivalent, "root_undone"},
           ExerciseLineCase{"sqrt(x+3)=4", "x+3=4", Kind::kNotEquivalent, "root_undone"},
           ExerciseLineCase{"sqrt(2)*sqrt(3)", "sqrt(5)", Kind::kNotEquivalent, "root_of_product"},
           ExerciseLineCase{"sqrt(2)+sqrt(3)", "sqrt(5)", Kind::kNotEquivalent, "root_of_sum"},
           ExerciseLineCase{"log_2(8)", "4", Kind::kNotEquivalent, "logarithm_as_product"},
           ExerciseLineCase{"log_2(x)=3", "x=6", Kind::kNotEquivalent, "logarithm_undone"},
           ExerciseLineCase{"log_2(x)=3", "x=9", Kind::kNotEquivalent, "logarithm_undone"},
           ExerciseLineCase{"2^x=8", "x=4", Kind::kNotEquivalent, "exponent_undone"},
           // Absolute values.
           ExerciseLineCase{"|x-3|=5", "x-3=5 or x-3=-5", Kind::kProgress},
           ExerciseLineCase{"|x-3|=5", "x=-2, x=8", Kind::kSolved},
           ExerciseLineCase{"|x-3|=5", "{-2; 8}", Kind::kSolved},
           ExerciseLineCase{"|x-3|=5", "x=8", Kind::kNotEquivalent, "lost_case"},
           ExerciseLineCase{"|x-3|=5", "no solution", Kind::kNotEquivalent, "no_solution_left"},
           ExerciseLineCase{"|x-3|=0", "x-3=0", Kind::kProgress},
           ExerciseLineCase{"|x+5|=8", "|x|=3", Kind::kNotEquivalent, "absolute_of_sum"},
           ExerciseLineCase{"|x|>7", "-7<x<7", Kind::kNotEquivalent, "inequality_sign"},
           // Systems.
           ExerciseLineCase{"x+y=5, x-y=1", "2x=6", Kind::kProgress},
           ExerciseLineCase{"x+y=5, x-y=1", "x=3", Kind::kProgress},
           ExerciseLineCase{"x+y=5, x-y=1", "(3, 2)", Kind::kSolved},
           ExerciseLineCase{"x+y=5, x-y=1", "y=2; x=3", Kind::kSolved},
           ExerciseLineCase{"x+y=5, x-y=1", "2x=4", Kind::kNotEquivalent, "sign"},
           ExerciseLineCase{"x+y=5, x-y=1", "x=5+y", Kind::kNotEquivalent, "sign_moved"},
           ExerciseLineCase{"x+y=5, x-y=1", "x=3, y=4", Kind::kNotEquivalent, "does_not_fit"},
           ExerciseLineCase{"y=8x, x+y=7", "x+8=7", Kind::kNotEquivalent, "lost_unknown"},
           ExerciseLineCase{"6x+y=4, x+y=3", "7x=4-3", Kind::kNotEquivalent, "minus_bracket"},
           ExerciseLineCase{"x+y=5, x-y=1", "no solution", Kind::kNotEquivalent, "no_solution_left"},
           ExerciseLineCase{"x^2+y^2=9; y=x-3", "x^2+(x-3)^2=9", Kind::kProgress},
           // Numbers.
           ExerciseLineCase{"Evaluate 2x^2+3x+8 when x=4", "2*16+12+8", Kind::kProgress},
           ExerciseLineCase{"Round 23,658 to the nearest hundred.", "23700", Kind::kSolved},
           ExerciseLineCase{"Round 23,658 to the nearest hundred.", "23600", Kind::kNotEquivalent},
           ExerciseLineCase{"Write the number in scientific notation. 8,750,000", "8.75*10^6", Kind::kSolved},
           ExerciseLineCase{"Write the number in scientific notation. 8,750,000", "87.5*10^5", Kind::kCorrect},
       }) {
    for (const std::string_view language : {"en", "de"}) {
      const StepCheck check = CheckExercise(item.problem, item.line, language);
      EXPECT_EQ(NameOf(check.kind), NameOf(item.kind)) << item.problem << " => " << item.line << ": " << check.message;
      EXPECT_EQ(check.mistake, item.mistake) << item.problem << " => " << item.line << ": " << check.message;
      EXPECT_EQ(check.is_true.has_value(), item.kind != Kind::kCannotTell) << item.problem << " => " << item.line;
      EXPECT_FALSE(check.message.empty());
    }
  }
}

// A step that lets wrong answers in is allowed, and what was there before is checked in the end.
TEST(ExerciseChecks, AnswersToBeCheckedAreAllowed) {
  const StepCheck squared = CheckExercise("sqrt(15-2x)=x", "15-2x=x^2");
  EXPECT_TRUE(squared.correct()) << squared.message;
  EXPECT_TRUE(squared.changes_solutions);
  EXPECT_EQ(squared.state, "solve x: 15 - 2x = x^2; check sqrt(15 - 2x) = x");
  const NotationResult read = ReadNotation(SchoolDomain(), "sqrt(15-2x)=x");
  const std::vector<std::string> lines{"15-2x=x^2", "x^2+2x-15=0", "x=3 or x=-5", "x=3"};
  const std::vector<StepCheck> checks = CheckLines(SchoolDomain(), read.state, lines);
  ASSERT_EQ(checks.size(), lines.size());
  for (const StepCheck& check : checks) EXPECT_TRUE(check.correct()) << check.state << ": " << check.message;
  EXPECT_EQ(checks.back().kind, Kind::kSolved);
}

// The lines of the domain's own solution of a generated exercise, its problem first.
std::vector<std::string> LinesOfSolution(const std::string& problem) {
  std::vector<std::string> lines{problem};
  for (int i = 0; i < 40; ++i) {
    const textbook::Following next = textbook::FollowingLine(lines.back());
    if (next.refusal || next.state.empty()) break;
    lines.push_back(next.state);
  }
  return lines;
}

TEST(ExerciseChecks, TheLinesOfEverySolutionAreAccepted) {
  std::size_t judged = 0;
  for (const std::string_view family : textbook::ExerciseFamilies()) {
    const std::unique_ptr<Domain> domain = MakeDomain("algebra:family=" + std::string(family));
    for (std::uint64_t seed = 0; seed < Repetitions<std::uint64_t>(12, 2); ++seed) {
      const std::vector<std::string> lines = LinesOfSolution(domain->Generate(seed));
      for (std::size_t i = 1; i < lines.size(); ++i) {
        for (const std::string& before : {lines[i - 1], lines[0]}) {
          const StepCheck check = CheckStep(*domain, before, lines[i]);
          ++judged;
          EXPECT_TRUE(check.correct()) << family << ": " << before << " => " << lines[i] << ": " << check.message;
          EXPECT_NE(check.help, Help::kAway) << family << ": " << before << " => " << lines[i];
          if (i + 1 == lines.size()) {
            EXPECT_EQ(NameOf(check.kind), "solved") << family << ": " << before << " => " << lines[i];
          }
        }
      }
    }
  }
  EXPECT_GT(judged, Repetitions<std::size_t>(500, 100));
}

// --- A second opinion that shares nothing with the judge: floating-point numbers put into what is written. -------------------

using Values = std::map<std::string, double>;

double ValueAt(const textbook::Ptr& tree, const Values& at) {
  using textbook::Op;
  const auto part = [&](std::size_t i) { return ValueAt(tree->args[i], at); };
  double value = 0;
  switch (tree->op) {
    case Op::kNumber:
      return tree->number.convert_to<double>();
    case Op::kLetter:
      if (const auto known = at.find(tree->name); known != at.end()) return known->second;
      return tree->name == "e" ? std::exp(1.0) : tree->name == "pi" ? std::acos(-1.0) : std::nan("");
    case Op::kNegation:
      return -part(0);
    case Op::kSum:
      for (std::size_t i = 0; i < tree->args.size(); ++i) value += part(i);
      return value;
    case Op::kProduct:
      value = 1;
      for (std::size_t i = 0; i < tree->args.size(); ++i) value *= part(i);
      return value;
    case Op::kQuotient:
      return part(0) / part(1);
    case Op::kPower:
      return std::pow(part(0), part(1));
    case Op::kRoot:
      return part(1) == 3 ? std::cbrt(part(0)) : std::pow(part(0), 1 / part(1));
    case Op::kAbs:
      return std::abs(part(0));
    case Op::kLog:
      return std::log(part(0)) / std::log(part(1));
  }
  return std::nan("");
}

bool AreNear(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max({1.0, std::abs(a), std::abs(b)}); }

// Whether a line of "solve" holds at a point; nothing if that is too close to tell.
std::optional<bool> HoldsAt(const std::string& body, const Values& at) {
  bool any = false;
  for (const std::string& alternative : textbook::SplitAt(body.substr(0, body.find("; check ")), " or ")) {
    bool all = true;
    for (const std::string& relations : textbook::SplitAt(alternative, "; ")) {
      for (const std::string& relation : textbook::SplitAt(relations, " and ")) {
        if (relation == "no solution") return false;
        if (relation == "every number") return true;
        std::vector<double> sides;
        std::vector<std::string> signs;
        std::size_t begin = 0;
        for (std::size_t i = 0; i <= relation.size(); ++i) {
          const bool end = i == relation.size();
          if (!end && relation[i] != '<' && relation[i] != '>' && relation[i] != '=') continue;
          sides.push_back(ValueAt(textbook::ReadTree(std::string_view(relation).substr(begin, i - begin)), at));
          if (end) break;
          signs.push_back(relation.substr(i, relation[i + 1] == '=' ? 2 : 1));
          i += signs.back().size() - 1;
          begin = i + 1;
        }
        for (std::size_t i = 0; i < signs.size(); ++i) {
          const double a = sides[i];
          const double b = sides[i + 1];
          if (!std::isfinite(a) || !std::isfinite(b)) return std::nullopt;
          if (signs[i] == "=") {
            all = all && AreNear(a, b);
          } else {
            if (AreNear(a, b)) return std::nullopt;
            all = all && (signs[i][0] == '<' ? a < b : a > b);
          }
        }
      }
    }
    any = any || all;
  }
  return any;
}

// Whether a line is certainly not what the exercise says, by numbers put in. `answer` is the exercise's last line.
bool IsCertainlyWrong(const std::string& problem, const std::string& answer, const std::string& line) {
  const textbook::Exercise asked = textbook::ReadExercise(problem);
  const std::string last = textbook::ReadExercise(answer).body;
  const std::string body = textbook::ReadExercise(line).body;
  if (asked.task != "solve") {
    const textbook::Ptr wanted = textbook::ReadTree(last);
    const textbook::Ptr given = textbook::ReadTree(body);
    for (const double shift : {0.37, 1.91, 4.3}) {
      Values at;
      double value = shift;
      for (const char letter : std::string_view("abcdfghjklmnopqrstuvwxyz")) at[std::string(1, letter)] = value += 0.71;
      const double a = ValueAt(wanted, at);
      const double b = ValueAt(given, at);
      if (std::isfinite(a) && std::isfinite(b) && !AreNear(a, b)) return true;
    }
    return false;
  }
  if (asked.body.find_first_of("<>") != std::string::npos) {
    for (double x = -30; x < 30; x += 0.0713) {
      const Values at{{asked.letters.front(), x}};
      const std::optional<bool> wanted = HoldsAt(last, at);
      const std::optional<bool> given = HoldsAt(body, at);
      if (wanted && given && *wanted != *given) return true;
    }
    return false;
  }
  // The answers are put in.
  for (const std::string& alternative : textbook::SplitAt(last, " or ")) {
    Values at;
    double value = 1.3;
    for (const char letter : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdfghjklmnopqrstuvwxyz")) {
      at[std::string(1, letter)] = value += 0.71;
    }
    for (const std::string& relation : textbook::SplitAt(alternative, "; ")) {
      if (relation.size() < 5 || relation.substr(1, 3) != " = ") return false;
      at[relation.substr(0, 1)] = ValueAt(textbook::ReadTree(std::string_view(relation).substr(4)), at);
    }
    if (const std::optional<bool> given = HoldsAt(body, at); given && !*given) return true;
  }
  return false;
}

// The line with one number or one sign changed; nothing if it has none, or cannot be read then.
std::optional<std::string> WithSlip(const Domain& domain, const std::string& line, Random& random) {
  const std::size_t begin = line.find(": ") + 2;
  std::vector<std::size_t> places;
  for (std::size_t i = begin; i < line.size(); ++i) {
    const bool number = IsDigit(line[i]) && !IsDigit(line[i - 1]) && line[i - 1] != '.';
    const bool sign = (line[i] == '+' || line[i] == '-') && i + 1 < line.size() && line[i + 1] == ' ';
    if (number || sign) places.push_back(i);
  }
  if (places.empty()) return std::nullopt;
  const std::size_t at = places[static_cast<std::size_t>(random.Uint64(0, places.size()))];
  std::string changed = line;
  if (!IsDigit(line[at])) {
    changed[at] = line[at] == '+' ? '-' : '+';
  } else {
    constexpr std::array<int, 4> kSlips{1, 2, 7, 10};
    std::size_t end = at;
    while (end < line.size() && IsDigit(line[end])) ++end;
    if (end - at > 6) return std::nullopt;
    const int number = std::stoi(line.substr(at, end - at)) + kSlips[static_cast<std::size_t>(random.Uint64(0, kSlips.size()))];
    changed.replace(at, end - at, std::to_string(number));
  }
  const Parsed parsed = domain.Parse(changed);
  if (parsed.error || parsed.state == line) return std::nullopt;
  return parsed.state;
}

// A wrong number or sign is never called right, and no message gives the answer away.
TEST(ExerciseChecks, SlipsAreFoundAndNothingIsGivenAway) {
  std::size_t wrong = 0;
  std::size_t undecided = 0;
  Random random(33);
  for (const std::string_view family : textbook::ExerciseFamilies()) {
    const std::unique_ptr<Domain> domain = MakeDomain("algebra:family=" + std::string(family));
    for (std::uint64_t seed = 0; seed < Repetitions<std::uint64_t>(12, 2); ++seed) {
      const std::vector<std::string> lines = LinesOfSolution(domain->Generate(seed));
      const std::string task = textbook::ReadExercise(lines[0]).task;
      if (task == "square" || task == "evaluate" || textbook::ReadExercise(lines.back()).task == "result") continue;
      for (std::size_t i = 1; i < lines.size(); ++i) {
        const std::optional<std::string> slip = WithSlip(*domain, lines[i], random);
        if (!slip || slip->find("; check ") != std::string::npos || !IsCertainlyWrong(lines[0], lines.back(), *slip)) continue;
        ++wrong;
        const StepCheck check = CheckStep(*domain, lines[i - 1], *slip);
        if (check.kind == Kind::kCannotTell) ++undecided;
        EXPECT_FALSE(check.correct()) << family << ": " << lines[i - 1] << " => " << *slip << ": " << check.message;
        const std::string answer = textbook::ReadExercise(lines.back()).body;
        EXPECT_FALSE(GivesAway(check.message, answer, lines[i - 1], *slip)) << *slip << ": " << check.message;
      }
    }
  }
  EXPECT_GT(wrong, Repetitions<std::size_t>(200, 30));
  EXPECT_LT(undecided * 20, wrong);
}

}  // namespace
}  // namespace conpole

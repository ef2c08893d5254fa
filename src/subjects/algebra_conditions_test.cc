// No line of school algebra loses or adds a solution without saying so: every step that is offered, and every one that is
// shown, is judged without the domain's code, also where the unknown stands below a line or in a power.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "domains/school/algebra_problems.h"
#include "language/signs.h"
#include "search/scorers.h"
#include "tests/algebra_judge.h"
#include "tests/repetitions.h"
#include "tutor/tutor.h"
#include "util/random.h"
#include "util/text.h"

namespace conpole {
namespace {

// Expansions instead of time, so that results do not depend on the machine.
constexpr TutorBudget kSteadyConditions{.milliseconds = 600'000, .expansions = 500};

std::vector<std::string> ConditionsOf(std::string_view line) {
  std::vector<std::string> conditions;
  const std::size_t sign = line.find("; ");
  if (sign == std::string_view::npos) return conditions;
  line.remove_prefix(sign + 2);
  while (true) {
    const std::size_t end = line.find(", ");
    conditions.emplace_back(line.substr(0, end));
    if (end == std::string_view::npos) return conditions;
    line.remove_prefix(end + 2);
  }
}

bool HasLetter(std::string_view text) { return std::any_of(text.begin(), text.end(), IsLetter); }

class AlgebraConditionsTest : public testing::Test {
 protected:
  // Everything that can be done with a line is sound, and what is divided by is a number other than 0.
  void ExpectSoundSteps(const std::string& state) {
    successors_.Clear();
    if (domain_->Expand(state, Labels::kOn, successors_) != Status::kOpen) return;
    for (std::size_t i = 0; i < successors_.size(); ++i) {
      const std::string label(successors_.label(i));
      const std::string next(successors_.state(i));
      const std::optional<std::string> unsound = JudgeAlgebraStep(state, label, next);
      EXPECT_EQ(unsound, std::nullopt) << state << " -- " << label << " -> " << next;
      if (!label.starts_with("divide ")) continue;
      EXPECT_FALSE(HasLetter(label.substr(7))) << state << " -- " << label;
      EXPECT_NE(label, "divide 0") << state;
    }
  }

  // What is shown: the same, and a condition that is new stands in the line; where the unknown is what is multiplied by or
  // cancelled, the sentence names it.
  void ExpectSoundSolution(const std::string& problem) {
    const TutorSolution solution = tutor_.Solve(problem, kSteadyConditions);
    ExpectSoundSteps(solution.problem);
    for (const TutorStep& step : solution.steps) {
      ExpectSoundSteps(step.after);
      const std::vector<std::string> old_conditions = ConditionsOf(step.before);
      for (const std::string& condition : ConditionsOf(step.after)) {
        if (std::find(old_conditions.begin(), old_conditions.end(), condition) != old_conditions.end()) continue;
        EXPECT_NE(step.notation.find(condition), std::string::npos) << step.notation;
        if (step.axiom != "multiply" && step.axiom != "reduce") continue;
        EXPECT_NE(step.text.find(WithSigns(condition)), std::string::npos) << step.text << " leads to " << step.notation;
      }
      // A condition goes only when the answers are compared with it, or when nothing is left that it could exclude.
      if (ConditionsOf(step.after).size() < old_conditions.size()) {
        EXPECT_TRUE(step.axiom == "settle" || step.after == "no solution") << step.before << " -> " << step.after;
      }
    }
    if (solution.has_steps_to_answer() && !solution.steps.empty()) {
      EXPECT_TRUE(SameAlgebra(solution.problem, solution.steps.back().after)) << solution.problem;
      EXPECT_NE(solution.verdict, Verdict::kWrong);
    }
    if (solution.has_steps_to_answer()) ++solved_;
  }

  ThreadPool pool_{1};
  std::unique_ptr<Domain> domain_ = MakeDomain("algebra");
  std::unique_ptr<Scorer> scorer_ = MakeScorer(DefaultScorer(domain_->type()), domain_->type(), 0);
  Tutor tutor_{*domain_, *scorer_, pool_};
  Successors successors_;
  std::size_t solved_ = 0;
};

class FamilyConditionsTest : public AlgebraConditionsTest, public testing::WithParamInterface<std::string> {};

TEST_P(FamilyConditionsTest, EveryLineHasTheSolutionsOfTheOneBefore) {
  const std::unique_ptr<Domain> family = MakeDomain("algebra:family=" + GetParam());
  constexpr std::size_t kProblems = 60;
  for (std::uint64_t seed = 1'000; seed < 1'000 + kProblems; ++seed) ExpectSoundSolution(family->Generate(seed));
  EXPECT_EQ(solved_, kProblems);
}

std::vector<std::string> FamilyNames() {
  std::vector<std::string> names;
  for (const algebra::Family& family : algebra::Families()) names.emplace_back(family.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, FamilyConditionsTest, testing::ValuesIn(FamilyNames()), [](const auto& param_info) {
  std::string name = param_info.param;
  std::erase(name, '-');
  return name;
});

// Rational and quadratic equations, also those whose roots are excluded.
class EquationMaker {
 public:
  explicit EquationMaker(std::uint64_t seed) : random_(seed) {}

  std::string Make() {
    const std::string a = Linear();
    const std::string b = Linear();
    const std::string c = Linear();
    const std::string n = std::to_string(Small());
    const std::string m = std::to_string(Small());
    switch (random_.Uint64(0, 12)) {
      case 0:
        return "(" + a + ")/(" + b + ") = (" + c + ")/(" + a + ")";
      case 1:
        return n + "/(" + a + ") + " + m + "/(" + b + ") = " + n;
      case 2:
        return "(" + a + ")(" + b + ")/(" + b + ") = " + c;
      case 3:
        return "x/x + " + a + " = " + n;
      case 4:
        return "(x^2 - " + n + "x)/x = " + m;
      case 5:
        return "(" + a + ")(" + b + ") = (" + a + ")(" + c + ")";
      case 6:
        return "x(" + a + ") = " + n + "x";
      case 7:
        return "(" + a + ")^2 = " + n;
      case 8:
        return "1/x = 1/(" + a + ") - " + n + "/x";
      case 9:
        return "x^2 + " + n + "x = " + m;
      case 10:
        return "(x^2 - " + n + ")/(" + a + ") = 0";
      default:
        return "0/(" + a + ") = " + (random_.Coin() ? "0" : n);
    }
  }

 private:
  std::int64_t Small() { return random_.Int64(1, 7); }
  std::string Linear() {
    const std::int64_t slope = random_.Int64(1, 4);
    const std::int64_t constant = random_.Int64(-5, 6);
    std::string text = slope == 1 ? "x" : std::to_string(slope) + "x";
    if (constant > 0) text += " + " + std::to_string(constant);
    if (constant < 0) text += " - " + std::to_string(-constant);
    return text;
  }

  Random random_;
};

TEST_F(AlgebraConditionsTest, RationalAndQuadraticEquationsToo) {
  for (std::uint64_t seed = 0; seed < Repetitions(250U, 50U); ++seed) {
    const Parsed parsed = domain_->Parse(EquationMaker(seed).Make());
    if (!parsed.error) ExpectSoundSolution(parsed.state);
  }
  EXPECT_GT(solved_, Repetitions(200U, 40U));
}

TEST_F(AlgebraConditionsTest, DividingByTheUnknownIsNeverOffered) {
  for (const char* const problem : {"2x/3 = x/5", "x^2 = 5x", "x(x + 1) = 2x", "(x - 1)(x + 2) = (x - 1)(2x)"}) {
    const TutorSolution solution = tutor_.Solve(domain_->Parse(problem).state, kSteadyConditions);
    ExpectSoundSolution(solution.problem);
    EXPECT_TRUE(solution.verified()) << problem;
    for (const TutorStep& step : solution.steps) {
      EXPECT_FALSE(step.axiom == "divide" && HasLetter(step.operands.front())) << step.label;
    }
  }
}

}  // namespace
}  // namespace conpole

#include "subjects/classify.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"

namespace conpole {
namespace {

TEST(ClassifyTest, EquationsAreClassifiedByTheirSolutions) {
  struct Case {
    std::string problem;
    std::string name;
    bool solvable;
  };
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  for (const Case& expected : std::vector<Case>{{"(2x + 3) = 7", "one_solution", true},
                                                {"(x + 1) = x", "no_solution", false},
                                                {"(3 / x) = (6 / 2x)", "every_number", false},
                                                {"(x * x) = 4", "several_solutions", false},
                                                {"(x * (x * x)) = 2", "irrational_solution", false},
                                                {"(5 / x) = 0", "no_solution", false}}) {
    const ProblemClass found = ClassifyProblem(*domain, expected.problem);
    EXPECT_EQ(found.name, expected.name) << expected.problem;
    EXPECT_EQ(found.solvable, expected.solvable) << expected.problem;
  }
}

TEST(ClassifyTest, OtherProblemsCanBeSolvedUnlessItIsKnownThatTheyCannot) {
  for (const std::string spec : {"sorting", "ternary-addition", "multiplication", "fractions", "rubiks-cube", "algebra"}) {
    const std::unique_ptr<Domain> domain = MakeDomain(spec);
    EXPECT_TRUE(ClassifyProblem(*domain, domain->Generate(1)).solvable) << spec;
  }
  const std::unique_ptr<Domain> algebra = MakeDomain("algebra");
  EXPECT_EQ(ClassifyProblem(*algebra, "2x + 3 = 7").name, "one_solution");
  EXPECT_EQ(ClassifyProblem(*algebra, "1/2 + 1/3").name, "solvable");
  // algebra has steps that lead to these answers.
  EXPECT_TRUE(ClassifyProblem(*algebra, "x = x + 1").solvable);
  EXPECT_EQ(ClassifyProblem(*algebra, "x = x + 1").name, "no_solution");
}

// Of every hard equation it is known how many numbers solve it, and most have one solution.
TEST(ClassifyTest, HardEquationsAreAllClassified) {
  const std::unique_ptr<Domain> domain = MakeDomain("equations:source=hard");
  int solvable = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const ProblemClass found = ClassifyProblem(*domain, domain->Generate(seed));
    EXPECT_TRUE(found.name == "one_solution" || found.name == "no_solution" || found.name == "every_number") << found.name;
    if (found.solvable) ++solvable;
  }
  EXPECT_GT(solvable, 270);
}

}  // namespace
}  // namespace conpole

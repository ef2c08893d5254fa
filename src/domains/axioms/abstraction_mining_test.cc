#include "domains/axioms/abstraction_mining.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "tests/check_text.h"

namespace conpole {
namespace {

// A solution by the labels of its axioms.
std::vector<AxiomStep> Solution(const Domain& domain, std::string state, const std::vector<std::string>& labels) {
  std::vector<AxiomStep> steps;
  for (const std::string& label : labels) {
    const std::optional<std::string> next = Next(domain, state, label);
    EXPECT_TRUE(next) << state << " | " << label;
    if (!next) return steps;
    steps.push_back({label, state, *next});
    state = *next;
  }
  return steps;
}

std::vector<std::vector<AxiomStep>> SolutionsOf(const Domain& domain) {
  std::vector<std::vector<AxiomStep>> solutions;
  for (const std::string n : {"3", "4", "5", "6", "7", "8"}) {
    // (x + n) = 9 twice as often as 9 = (x + n).
    solutions.push_back(Solution(domain, "(x + " + n + ") = 9",
                                 {"sub " + n, "assoc 1, ((x + " + n + ") - " + n + ")", "sub_self 3, (" + n + " - " + n + ")",
                                  "add0 1, (x + 0)", "eval 2, (9 - " + n + ")"}));
    if (n > "5") continue;
    solutions.push_back(Solution(domain, "9 = (x + " + n + ")",
                                 {"refl", "sub " + n, "assoc 1, ((x + " + n + ") - " + n + ")",
                                  "sub_self 3, (" + n + " - " + n + ")", "add0 1, (x + 0)", "eval 2, (9 - " + n + ")"}));
  }
  return solutions;
}

TEST(AbstractionMiningTest, WhatRecursIsFoundWithItsPlaces) {
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  const std::vector<std::vector<AxiomStep>> solutions = SolutionsOf(*domain);
  const MinedAbstractions mined = MineAbstractions(*domain, solutions);
  ASSERT_FALSE(mined.set.abstractions.empty());
  const Abstraction& first = mined.set.abstractions.front();
  EXPECT_EQ(first.name, "sub+assoc+sub_self+add0+eval");
  EXPECT_EQ(FormatSteps(first.steps).substr(0, 11), "sub of LR; ") << "any operand would add no less successors";
  EXPECT_NE(FormatSteps(first.steps).find("assoc @0:L; sub_self @0:R; add0 @1:; eval @1:R"), std::string::npos)
      << FormatSteps(first.steps);
  EXPECT_EQ(mined.axioms, 6U * 5U + 3U * 6U);
  EXPECT_LE(mined.steps, 12U) << "one step, or two with refl";
  EXPECT_GT(mined.branching_after, mined.branching_before);
  EXPECT_NO_THROW(CheckAbstractions(domain->type(), mined.set));
  EXPECT_EQ(ParseAbstractions(FormatAbstractions(mined.set)), mined.set);
}

TEST(AbstractionMiningTest, PathsAreOpenedFirst) {
  const std::shared_ptr<const Domain> domain = MakeDomain("equations");
  const std::vector<std::vector<AxiomStep>> solutions = SolutionsOf(*domain);
  std::vector<std::vector<std::string>> paths;
  for (const std::vector<AxiomStep>& solution : solutions) {
    paths.push_back({solution.front().before});
    for (const AxiomStep& step : solution) paths.back().push_back(step.after);
  }
  const MinedAbstractions mined = MineAbstractions(*domain, solutions);
  // A step that two axioms lead to may be taken for the other one, so that names may differ.
  EXPECT_EQ(MineAbstractionsOfPaths(*domain, paths).axioms, mined.axioms);
  EXPECT_EQ(MineAbstractionsOfPaths(*domain, paths).steps, mined.steps);
  // In one step each, of a domain that has it.
  const AbstractDomain abstract(domain, mined.set);
  const std::vector<std::vector<std::string>> short_paths(6, {"(x + 2) = 5", "x = 3"});
  const MinedAbstractions again = MineAbstractionsOfPaths(abstract, short_paths);
  EXPECT_EQ(again.axioms, 6U * 5U);
  EXPECT_EQ(again.steps, 6U);
}

TEST(AbstractionMiningTest, LimitsAreKept) {
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  const std::vector<std::vector<AxiomStep>> solutions = SolutionsOf(*domain);
  const MinedAbstractions mined = MineAbstractions(*domain, solutions, {.longest = 2, .most = 1});
  ASSERT_EQ(mined.set.abstractions.size(), 1U);
  EXPECT_EQ(mined.set.abstractions.front().steps.size(), 2U);
  EXPECT_TRUE(MineAbstractions(*domain, solutions, {.uses = 100}).set.abstractions.empty());
  EXPECT_TRUE(MineAbstractions(*domain, {}).set.abstractions.empty());
}

// A sequence that occurs once more than never does not pay for the successors that it adds.
TEST(AbstractionMiningTest, WhatDoesNotPayIsNotTaken) {
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  const std::vector<std::vector<AxiomStep>> solutions{Solution(*domain, "3 = (x + 2)", {"refl", "comm 1, (x + 2)"}),
                                                      Solution(*domain, "3 = (x * 2)", {"refl", "comm 1, (x * 2)"})};
  EXPECT_TRUE(MineAbstractions(*domain, solutions, {.uses = 2}).set.abstractions.empty());
}

}  // namespace
}  // namespace conpole

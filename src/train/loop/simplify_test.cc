#include "train/loop/simplify.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace conpole {
namespace {

TEST(SimplifyTest, EquationsBecomeShortAndStayEquationsWithAnUnknown) {
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  const std::string problem = "((2 + x) + 5) = (-2x + (7 * ((4 - 10) + -7x)))";
  ASSERT_FALSE(domain->Parse(problem).error);
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const std::string simple = SimplifiedProblem(*domain, problem, 12, random);
    EXPECT_LE(simple.size(), 12U) << simple;
    EXPECT_NE(simple.find('x'), std::string::npos) << simple;
    EXPECT_EQ(domain->Parse(simple).state, simple) << "canonical";
    EXPECT_FALSE(domain->Solved(simple)) << simple;
    seen.insert(simple);
  }
  EXPECT_GT(seen.size(), 10U);
}

TEST(SimplifyTest, WhatIsShortEnoughStaysAsItIs) {
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  Random random(1);
  const std::string problem = "x = ((-6) + 2x)";
  EXPECT_EQ(SimplifiedProblem(*domain, problem, problem.size(), random), problem);
}

TEST(SimplifyTest, OtherDomainsAreSimplifiedAsFarAsTheyCanBe) {
  for (const auto& [spec, shrinks] : {std::pair("fractions", true), std::pair("multiplication", true),
                                      std::pair("ternary-addition", true), std::pair("sorting", false)}) {
    const std::unique_ptr<Domain> domain = MakeDomain(spec);
    std::size_t before = 0;
    std::size_t after = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const std::string problem = domain->Generate(seed);
      Random random(seed);
      const std::string simple = SimplifiedProblem(*domain, problem, 8, random);
      EXPECT_FALSE(domain->Parse(simple).error) << simple;
      before += problem.size();
      after += simple.size();
    }
    if (shrinks) {
      EXPECT_LT(after, before * 3 / 4) << spec;
    } else {
      EXPECT_EQ(after, before) << spec;
    }
  }
}

}  // namespace
}  // namespace conpole

// School algebra can be solved: a plain search without a network finds a short solution to problems of every family, each line
// of which has the solutions of the problem, as the judge finds them without the domain's code.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <queue>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "domains/school/algebra_problems.h"
#include "tests/algebra_judge.h"

namespace conpole {
namespace {

struct Line {
  std::string label;
  std::string state;
};

struct Solution {
  std::vector<Line> lines;  // after the problem; the last is solved
  std::size_t expanded = 0;
  bool solved = false;
};

// Breadth-first, within a line's distance the shorter text first: a shortest solution.
Solution SolveByBreadth(const Domain& domain, const std::string& problem, std::size_t max_expanded = 20'000) {
  struct Node {
    Line line;
    std::size_t parent;
    std::size_t depth;
  };
  std::vector<Node> nodes{{{"", problem}, 0, 0}};
  std::set<std::string, std::less<>> seen{problem};
  using Entry = std::pair<std::pair<std::size_t, std::size_t>, std::size_t>;  // depth, length; node
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  open.push({{0, 0}, 0});
  Solution solution;
  Successors successors;
  while (!open.empty() && solution.expanded < max_expanded) {
    const std::size_t at = open.top().second;
    open.pop();
    successors.Clear();
    const std::string state = nodes[at].line.state;
    const Status status = domain.Expand(state, Labels::kOn, successors);
    if (status == Status::kSolved) {
      solution.solved = true;
      for (std::size_t i = at; i != 0; i = nodes[i].parent) solution.lines.push_back(nodes[i].line);
      std::reverse(solution.lines.begin(), solution.lines.end());
      return solution;
    }
    ++solution.expanded;
    for (std::size_t i = 0; i < successors.size(); ++i) {
      const std::string next(successors.state(i));
      if (!seen.insert(next).second) continue;
      nodes.push_back({{std::string(successors.label(i)), next}, at, nodes[at].depth + 1});
      open.push({{nodes.back().depth, next.size()}, nodes.size() - 1});
    }
  }
  return solution;
}

std::string Shown(const std::string& problem, const Solution& solution) {
  std::string text = problem;
  for (const Line& line : solution.lines) text += "\n  " + line.label + "\n" + line.state;
  return text;
}

class FamilyTest : public testing::TestWithParam<std::string> {};

TEST_P(FamilyTest, ProblemsAreSolvedInFewSoundLines) {
  const std::unique_ptr<Domain> domain = MakeDomain("algebra:family=" + GetParam());
  constexpr std::uint64_t kProblems = 200;
  std::size_t lines = 0;
  std::size_t longest = 0;
  std::size_t expanded = 0;
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    const std::string problem = domain->Generate(seed);
    const Solution solution = SolveByBreadth(*domain, problem);
    ASSERT_TRUE(solution.solved) << problem;
    for (const Line& line : solution.lines) {
      ASSERT_TRUE(SameAlgebra(problem, line.state)) << line.state << " in\n" << Shown(problem, solution);
    }
    lines += solution.lines.size();
    longest = std::max(longest, solution.lines.size());
    expanded += solution.expanded;
  }
  // What a person would take, with a line to spare.
  EXPECT_LE(lines, 7 * kProblems);
  EXPECT_LE(longest, 12U);
  RecordProperty("mean_lines_in_hundredths", static_cast<int>(100 * lines / kProblems));
  RecordProperty("mean_expanded", static_cast<int>(expanded / kProblems));
}

std::vector<std::string> FamilyNames() {
  std::vector<std::string> names;
  for (const algebra::Family& family : algebra::Families()) names.emplace_back(family.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, FamilyTest, testing::ValuesIn(FamilyNames()), [](const auto& param_info) {
  std::string name = param_info.param;
  std::erase(name, '-');
  return name;
});

struct Known {
  std::string problem;
  std::string answer;
  std::size_t lines;  // of a shortest solution
};

TEST(AlgebraSolutionsTest, ProblemsThatPeopleType) {
  const std::unique_ptr<Domain> domain = MakeDomain("algebra");
  for (const Known& known : std::vector<Known>{
           {"2x + 3 = 7", "x = 2", 2},
           {"4x+2-x+5=16", "x = 3", 3},
           {"8x+6=2x+1-x", "x = -5/7", 4},
           {"x/2+x/3+x/4=13", "x = 12", 3},
           {"(3x+8)/5=(x-2)/4", "x = -6", 5},
           {"(1/2) = ((-3)+4x)/5", "x = 11/8", 5},
           {"(2x-1)/3-x/2=1", "x = 8", 4},
           {"2/(x+1)=3", "x = -1/3", 6},
           {"3/(x-2)=6", "x = 5/2", 6},
           {"(x+2)/(x-1)=4", "x = 2", 6},
           {"7-x=3", "x = 4", 2},
           {"3(x-2)=9", "x = 5", 2},
           {"2x/3=x/5", "x = 0", 3},
           {"1 1/2 x = 3", "x = 2", 2},
           {"0.5x+1.2=3", "x = 3.6", 2},
           {"1/2-1/2", "0", 1},
           {"0/5", "0", 1},
           {"3/4*0", "0", 1},
           {"-3/3", "-1", 1},
           {"1/4+1/11", "15/44", 2},
           {"17/19+23/29", "930/551", 2},
           {"12*34-8", "400", 2},
           {"123456789*987654321", "121932631112635269", 1},
           {"x = x", "every number", 1},
           {"x = x + 1", "no solution", 2},
           {"x/x = 1", "every number; x != 0", 2},
           {"0/x = 0", "every number; x != 0", 2},
           {"1/(x-1) = x/(x-1)", "no solution", 3},
           {"x^2 - 5x = 0", "x = 0 or x = 5", 2},
           {"x^2 = x + 1", "x = (1 + sqrt(5))/2 or x = (1 - sqrt(5))/2", 2},
           {"(x - 1)^2 = 2", "x = 1 + sqrt(2) or x = 1 - sqrt(2)", 1},
           {"x^2 + 1 = 0", "no solution", 2},
           {"(x - 7)^2 = 25", "x = 12 or x = 2", 2},
           {"x^3 = 2", "x = cbrt(2)", 1},
           {"2(x - 1)^4 + 3 = 7", "x = 1 + root(4, 2) or x = 1 - root(4, 2)", 3},
           {"x^4 - 5x^2 + 6 = 0", "x = sqrt(2) or x = -sqrt(2) or x = sqrt(3) or x = -sqrt(3)", 6},
           {"x/2 = 5/4", "x = 5/2", 1},
           {"-4(x + 2) = 12", "x = -5", 2},
           {"x^3 - 6x^2 + 11x - 6 = 0", "x = 1 or x = 2 or x = 3", 2},
       }) {
    const Parsed parsed = domain->Parse(known.problem);
    ASSERT_FALSE(parsed.error) << known.problem << ": " << parsed.error->message;
    const Solution solution = SolveByBreadth(*domain, parsed.state);
    ASSERT_TRUE(solution.solved) << known.problem;
    EXPECT_EQ(solution.lines.back().state, known.answer) << Shown(parsed.state, solution);
    EXPECT_EQ(solution.lines.size(), known.lines) << Shown(parsed.state, solution);
    std::string before = parsed.state;
    for (const Line& line : solution.lines) {
      EXPECT_EQ(JudgeAlgebraStep(before, line.label, line.state), std::nullopt) << before << " | " << line.label;
      before = line.state;
    }
  }
}

}  // namespace
}  // namespace conpole

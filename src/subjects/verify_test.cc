#include "subjects/verify.h"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "conpole/domain.h"
#include "tests/repetitions.h"
#include "verify/exact.h"

namespace conpole {
namespace {

using SolutionsKind = SolutionSet::Kind;

std::string Canonical(std::string_view name, std::string_view text) {
  const Parsed parsed = MakeDomain(name)->Parse(text);
  EXPECT_FALSE(parsed.error) << text;
  return parsed.state;
}

SolutionSet Solutions(std::string_view equation) { return SolveExactly(Canonical("equations", equation)); }

Verdict Verify(std::string_view name, std::string_view problem, std::string_view answer) {
  return VerifyAnswer(*MakeDomain(name), Canonical(name, problem), answer);
}

TEST(SolveExactlyTest, FindsTheRootOfLinearEquations) {
  const std::vector<std::pair<std::string, Exact>> cases{{"2x + 3 = 7", 2},
                                                         {"[2/3]x + 5 = 20 - x", 9},
                                                         {"-x = 9*(x - 10)", 9},
                                                         {"x / -2 + 7 = -12", 38},
                                                         {"x * 5 = 55", 11},
                                                         {"(y - 1) / 3 = (y + 1) / 4", 7},
                                                         {"-(2x) = -(-x) - [3/7]", Exact(1, 7)},
                                                         {"x = 0", 0},
                                                         {"3 / x = 4", Exact(3, 4)},
                                                         {"x / (x - 2) = 3", 3},
                                                         {"x / x = x", 1},
                                                         {"(x * x) / x = 0 + x / x", 1},
                                                         {"9223372036854775807x = 1", Exact(1, 9223372036854775807)}};
  for (const auto& [equation, root] : cases) {
    const SolutionSet solutions = Solutions(equation);
    EXPECT_EQ(solutions.kind, SolutionsKind::kRoots) << equation;
    EXPECT_EQ(solutions.roots.rational, (std::vector<Exact>{root})) << equation;
    EXPECT_EQ(solutions.count(), 1U) << equation;
  }
}

TEST(SolveExactlyTest, RecognisesEquationsWithoutSolution) {
  for (const char* const equation :
       {"x = x + 1", "2x + 3 = 2x - 3", "0x = 5", "2 = 3", "1 / x = 0", "x / x = 2", "x / 0 = 1", "(x - 1) / (x - 1) = 0",
        "(x * x - 1) / (x + 1) = -2", "x / (x - x) = 1", "x * x = -1", "1 / (0 * x) = 1 / (0 * x)"}) {
    EXPECT_EQ(Solutions(equation).kind, SolutionsKind::kNone) << equation;
  }
}

TEST(SolveExactlyTest, RecognisesIdentitiesAndWhereTheyAreNotDefined) {
  for (const char* const equation : {"x = x", "2 = 2", "2*(x + 1) = 2x + 2", "0 * x = 0"}) {
    const SolutionSet solutions = Solutions(equation);
    EXPECT_EQ(solutions.kind, SolutionsKind::kEvery) << equation;
    EXPECT_TRUE(solutions.exceptions.rational.empty()) << equation;
  }
  const SolutionSet solutions = Solutions("x / x + 0 / (2x - 3) = 1");
  EXPECT_EQ(solutions.kind, SolutionsKind::kEvery);
  EXPECT_EQ(solutions.exceptions.rational, (std::vector<Exact>{0, Exact(3, 2)}));
}

TEST(SolveExactlyTest, FindsSeveralRoots) {
  EXPECT_EQ(Solutions("x * x = 4").roots.rational, (std::vector<Exact>{-2, 2}));
  EXPECT_EQ(Solutions("x * x = 2").roots.irrational, 2U);
  EXPECT_EQ(Solutions("x * x = 2").count(), 2U);
  EXPECT_EQ(Solutions("x * (x * x) = x").roots.rational, (std::vector<Exact>{-1, 0, 1}));
  // Multiplying by x adds a root, and dividing by it takes it away again.
  EXPECT_EQ(Solutions("2x * x = 6 * x").roots.rational, (std::vector<Exact>{0, 3}));
  EXPECT_EQ(Solutions("(2x * x) / x = (6 * x) / x").roots.rational, (std::vector<Exact>{3}));
}

TEST(SolveExactlyTest, SaysWhatItDoesNotAnalyse) {
  EXPECT_EQ(Solutions("x = y").kind, SolutionsKind::kNotAnalysed);
  EXPECT_EQ(Solutions("x = X").kind, SolutionsKind::kNotAnalysed);
  for (const char* const text : {"", "x", "x + 1", "x = ", "= x", "(x = 1)", "x = 1 = 2", "x = )", "x = (1]"}) {
    EXPECT_EQ(SolveExactly(text).kind, SolutionsKind::kNotAnalysed) << text;
  }
}

TEST(SolveExactlyTest, ComparesSolutionsExactly) {
  const auto same = [](const char* a, const char* b) { return SameSolutions(Solutions(a), Solutions(b)).value(); };
  EXPECT_TRUE(same("2x + 3 = 7", "x = 2"));
  EXPECT_TRUE(same("2x + 3 = 7", "y = 2"));
  EXPECT_FALSE(same("2x + 3 = 7", "x = 3"));
  EXPECT_TRUE(same("x * x = 2", "2 / x = x"));
  EXPECT_FALSE(same("x * x = 2", "x * x = 3"));
  EXPECT_TRUE(same("x = x + 1", "0 = 1"));
  EXPECT_FALSE(same("x = x", "x / x = 1"));
  EXPECT_FALSE(same("x = 2", "x * x = 2 * x"));
  EXPECT_EQ(SameSolutions(Solutions("x = y"), Solutions("x = 2")), std::nullopt);
}

TEST(SolveExactlyTest, HostileEquationsEndSoonAndNeverWithAGuess) {
  std::vector<std::string> equations;
  std::string deep;
  for (int i = 0; i < 2000; ++i) deep += "(";
  deep += "x";
  for (int i = 0; i < 2000; ++i) deep += " + 1)";
  equations.push_back(deep + " = 7");
  for (const std::string_view step : {" * x)", " / x)", " * (x + [1/97]))", " / (x - 3))", " + [1/9223372036854775807]x)"}) {
    std::string power = "x";
    const std::size_t count = 15'000 / (step.size() + 1);
    for (std::size_t i = 0; i < count; ++i) power += step;
    equations.push_back(std::string(count, '(') + power + " = 7");
  }
  std::string sum = "x";
  const std::size_t terms = 1'200;
  for (std::size_t i = 0; i < terms; ++i) sum += " + [1/" + std::to_string(2 * i + 3) + "])";
  equations.push_back(std::string(terms, '(') + sum + " = 0");
  equations.push_back("x = " + std::string(16'000, '9'));
  for (const std::string& equation : equations) {
    const std::clock_t start = std::clock();  // of the processor: other programs do not count
    const SolutionSet solutions = SolveExactly(equation);
    EXPECT_LT((std::clock() - start) / CLOCKS_PER_SEC, Repetitions(5, 20)) << equation.substr(0, 100);
    EXPECT_NE(solutions.kind, SolutionsKind::kNotAnalysed) << equation.substr(0, 100);
  }
  EXPECT_EQ(SolveExactly(equations[0]).roots.rational, (std::vector<Exact>{-1993}));
}

TEST(VerifyTest, EvaluatesAndComparesTerms) {
  EXPECT_EQ(EvaluateTerm("((2x + 3) / [1/2])", 2), Exact(14));
  EXPECT_EQ(EvaluateTerm("(x - x)", 5), Exact(0));
  EXPECT_EQ(EvaluateTerm("(1 / (x - 2))", 2), std::nullopt);
  EXPECT_EQ(EvaluateTerm("(1 / (0x - 2))", Exact(1, 3)), Exact(-1, 2));
  EXPECT_EQ(EvaluateTerm("[1]/[2] + [1]/[3]", 0), Exact(5, 6));
  EXPECT_EQ(SameFunction("(2 * (x + 1))", "(2x + 2)"), true);
  EXPECT_EQ(SameFunction("(x / x)", "1"), true);
  EXPECT_EQ(SameFunction("(2 * (x + 1))", "(2x + 1)"), false);
  EXPECT_EQ(SameFunction("x", "y"), std::nullopt);
  EXPECT_EQ(SameFunction("x = 1", "1"), std::nullopt);
}

TEST(VerifyTest, Equations) {
  EXPECT_EQ(Verify("equations", "2x + 3 = 7", "x = 2"), Verdict::kRight);
  EXPECT_EQ(Verify("equations", "2y = -1", "y = ([-1/2])"), Verdict::kRight);
  EXPECT_EQ(Verify("equations", "2x + 3 = 7", "x = 3"), Verdict::kWrong);
  EXPECT_EQ(Verify("equations", "2x + 3 = 7", "y = 2"), Verdict::kWrong);
  EXPECT_EQ(Verify("equations", "2x + 3 = 7", "2x = 4"), Verdict::kWrong);
  EXPECT_EQ(Verify("equations", "2x + 3 = 7", "nonsense"), Verdict::kWrong);
  EXPECT_EQ(Verify("equations", "x = x + 1", "x = 0"), Verdict::kWrong);
  EXPECT_EQ(Verify("equations", "x = x", "x = 0"), Verdict::kWrong);
  EXPECT_EQ(Verify("equations", "x * x = 4", "x = 2"), Verdict::kWrong);
  EXPECT_EQ(Verify("equations", "x = y", "x = 2"), Verdict::kCannotTell);
}

TEST(VerifyTest, FractionsAndProducts) {
  EXPECT_EQ(Verify("fractions", "[1]/[2] + [1]/[3]", "[5]/[6]"), Verdict::kRight);
  EXPECT_EQ(Verify("fractions", "[1]/[2] - [3]/[4]", "[-1]/[4]"), Verdict::kRight);
  EXPECT_EQ(Verify("fractions", "5 * [-4]/[(2 * 3)]", "[-10]/[3]"), Verdict::kRight);
  EXPECT_EQ(Verify("fractions", "[1]/[2] + [1]/[3]", "[2]/[5]"), Verdict::kWrong);
  EXPECT_EQ(Verify("fractions", "[1]/[2] + [1]/[3]", "[10]/[12]"), Verdict::kWrong);
  EXPECT_EQ(Verify("multiplication", "(12e1 * 345e0)", "41400e0"), Verdict::kRight);
  EXPECT_EQ(Verify("multiplication", "(12e1 * 345e0)", "414e2"), Verdict::kRight);
  EXPECT_EQ(Verify("multiplication", "(12e1 * 345e0)", "4140e0"), Verdict::kWrong);
  EXPECT_EQ(Verify("multiplication", "((99999999999999999999e2 * 3e0) - 1e0)", "29999999999999999999699e0"), Verdict::kRight);
}

TEST(VerifyTest, FlatDomains) {
  EXPECT_EQ(Verify("ternary-addition", "#(c3 b5 b3)", "#(b4 b5)"), Verdict::kRight);
  EXPECT_EQ(Verify("ternary-addition", "#(c3 b5 b3)", "#(b3 b5)"), Verdict::kWrong);
  EXPECT_EQ(Verify("ternary-addition", "#(c~ c~ c~)", "#(c~)"), Verdict::kWrong);
  EXPECT_EQ(Verify("sorting", "[===|=|==]", "[=|==|===]"), Verdict::kRight);
  EXPECT_EQ(Verify("sorting", "[===|=|==]", "[=|==|==]"), Verdict::kWrong);
  EXPECT_EQ(Verify("sorting", "[===|=|==]", "[===|=|==]"), Verdict::kWrong);
}

TEST(VerifyTest, TheCubeIsTurnedAgain) {
  const std::string solved = "A000000000aB111111111bC222222222cD333333333dE444444444eF555555555f";
  const std::unique_ptr<Domain> near = MakeDomain("rubiks-cube:max_moves=1");
  const std::unique_ptr<Domain> far = MakeDomain("rubiks-cube:min_moves=2,max_moves=2");
  std::size_t two_turns = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(VerifyPath(*near, std::vector<std::string>{near->Generate(seed), solved}), Verdict::kRight);
    const std::string problem = far->Generate(seed);
    EXPECT_EQ(VerifyAnswer(*far, problem, solved), Verdict::kRight);
    if (VerifyPath(*far, std::vector<std::string>{problem, solved}) == Verdict::kWrong) ++two_turns;
  }
  EXPECT_GT(two_turns, 10U);
  EXPECT_EQ(VerifyPath(*near, std::vector<std::string>{solved}), Verdict::kRight);
  EXPECT_EQ(VerifyPath(*near, {}), Verdict::kWrong);
  const std::string twisted = "A005000000aB111111111bC222222222cD333333333dE444444444eF055555555f";
  EXPECT_EQ(VerifyAnswer(*near, twisted, solved), Verdict::kWrong);
}

TEST(VerifyTest, SolvedStatesOnRandomWalksAreRight) {
  for (const char* const name : {"sorting", "ternary-addition", "fractions"}) {
    const std::unique_ptr<Domain> domain = MakeDomain(name);
    std::size_t solved = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      const std::string problem = domain->Generate(seed);
      std::string state = problem;
      for (std::uint64_t step = 0; step < 30 && !domain->Solved(state); ++step) {
        Successors next;
        if (domain->Expand(state, Labels::kOff, next) != Status::kOpen) break;
        state = std::string(next.state((seed * 31 + step * 17) % next.size()));
      }
      if (!domain->Solved(state)) continue;
      ++solved;
      EXPECT_EQ(VerifyAnswer(*domain, problem, state), Verdict::kRight) << problem << " => " << state;
    }
    EXPECT_GT(solved, 5U) << name;
  }
}

// What is known of the templates that the published problems were drawn from.
TEST(VerifyTest, RecordedTemplatesHaveTenUnsolvableProblems) {
  const std::string templates = CONPOLE_SHARED "/data/equations-ct.txt";
  if (!std::filesystem::exists(templates)) GTEST_SKIP() << "there is no " << templates;
  const std::unique_ptr<Domain> domain = MakeDomain("equations:templates=" + templates);
  std::vector<std::uint64_t> unsolvable;
  std::size_t solvable = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const SolutionSet solutions = SolveExactly(domain->Generate(seed));
    if (solutions.kind == SolutionsKind::kNone && seed < 200) unsolvable.push_back(seed);
    if (solutions.kind == SolutionsKind::kRoots && solutions.count() == 1) ++solvable;
  }
  EXPECT_EQ(unsolvable, (std::vector<std::uint64_t>{6, 41, 84, 85, 87, 133, 145, 159, 171, 177}));
  EXPECT_EQ(solvable, 1925U);
}

TEST(VerifyTest, KhanAcademyEquationsHaveOneSolutionEach) {
  const std::string path = CONPOLE_SHARED "/data/khan.json";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "there is no " << path;
  const nlohmann::json kinds = nlohmann::json::parse(std::ifstream(path));
  for (const nlohmann::json& equations : kinds) {
    for (const std::string equation : equations) EXPECT_EQ(Solutions(equation).count(), 1U) << equation;
  }
}

}  // namespace
}  // namespace conpole

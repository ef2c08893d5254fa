// The public headers as a program uses them; tests/package does the same with the installed package.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/run_search.h"
#include "conpole/solver.h"
#include "conpole/trained_model.h"
#include "tests/files.h"

namespace conpole {
namespace {

const std::string kModels = CONPOLE_SOURCE "/models/";

TEST(ApiTest, SolvesHintsAndChecks) {
  // Expansions instead of time, so that results do not depend on the machine.
  Solver solver("equations",
                {.model = kModels + "equations.safetensors", .milliseconds = 600'000, .expansions = 2'000, .threads = 1});
  const Solver::Solution solution = solver.Solve("x + 3 = 11");
  EXPECT_EQ(solution.status, Solver::Status::kSolved);
  EXPECT_EQ(solution.verdict, Verdict::kRight);
  EXPECT_EQ(solution.answer, "x = 8");
  ASSERT_FALSE(solution.steps.empty());
  EXPECT_EQ(solution.steps.front().before, solution.problem);
  EXPECT_EQ(solution.steps.back().after, solution.answer);
  for (const Solver::Step& step : solution.steps) EXPECT_NE(step.text, "");
  EXPECT_NE(solver.Hint("x + 3 = 11"), solver.Hint("x + 3 = 11", 3));
  EXPECT_EQ(solver.Check("x + 3 = 11", "x = 8").verdict, Verdict::kRight);
  EXPECT_TRUE(solver.Check("x + 3 = 11", "x = 8").solved);
  EXPECT_EQ(solver.Check("x + 3 = 11", "x = 9").verdict, Verdict::kWrong);
  EXPECT_EQ(solver.Check("x + 3 = 11", "x + = 9").verdict, Verdict::kWrong);
  EXPECT_EQ(solver.Solve("x = x + 1").status, Solver::Status::kNoSolution);
  EXPECT_EQ(solver.domain().type().name, "equations");
}

// What axioms alone do not lead to within the same number of states.
TEST(ApiTest, SearchesWithTheAbstractionsOfTheModel) {
  constexpr char kProblem[] = "((((4 + (x / 2)) + x) + ((1 / (-4)) - -5x)) * (-7)) = 2";
  SolverOptions options{.model = kModels + "equations.safetensors", .milliseconds = 600'000, .expansions = 60, .threads = 1};
  EXPECT_EQ(Solver("equations", options).Solve(kProblem).answer, "x = ([-113/182])");
  options.abstractions = "none";
  EXPECT_EQ(Solver("equations", options).Solve(kProblem).status, Solver::Status::kUnsolved);
}

TEST(ApiTest, ReadsInItsLanguage) {
  EXPECT_EQ(Solver("algebra", {.language = "de", .milliseconds = 600'000, .threads = 1}).Solve("2x = 3,141").answer,
            "x = 1.5705");
  // Thousands, perhaps.
  EXPECT_NE(ErrorOf([] { Solver("algebra", {.threads = 1}).Solve("2x = 3,141"); }).find("position 6"), std::string::npos);
}

TEST(ApiTest, ErrorsSayWhatIsWrong) {
  EXPECT_NE(ErrorOf([] { Solver("equation"); }).find("unknown domain 'equation'"), std::string::npos);
  EXPECT_NE(ErrorOf([] { Solver("equations", {.language = "xx"}); }), "no error");
  Solver solver("equations", {.model = kModels + "equations.safetensors", .threads = 1});
  EXPECT_NE(ErrorOf([&] { solver.Solve("x = = 3"); }).find("position 4"), std::string::npos);
  EXPECT_NE(ErrorOf([&] { solver.Hint("x + 3 = 11", 4); }), "no error");
}

TEST(ApiTest, EmbedsAndSearches) {
  TrainedModel model(kModels + "sorting.safetensors", 1);
  EXPECT_EQ(model.metadata().at("domain").substr(0, 7), "sorting");
  const std::vector<std::string> states{"[==|=]", "[=|==]"};
  const std::vector<float> vectors = model.Embed(states);
  EXPECT_EQ(vectors.size(), 2 * model.vector_size());
  TrainedModel moved = std::move(model);
  const auto domain = MakeDomain("sorting");
  const std::vector<SearchResult> results = RunSearch(*domain, moved.scorer(), states, {}, 1);
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].path, states);
  EXPECT_TRUE(results[1].solved());
  EXPECT_NE(ErrorOf([] { TrainedModel("/nowhere"); }).find("/nowhere"), std::string::npos);
}

}  // namespace
}  // namespace conpole

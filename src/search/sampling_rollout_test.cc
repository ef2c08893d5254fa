#include "search/sampling_rollout.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"

namespace conpole {
namespace {

// Lets a walk go on with scores that a function gives.
template <class ScoreOf>
void Walk(const Domain& domain, SamplingRollout& search, const ScoreOf& score_of) {
  Successors buffer;
  while (!search.finished()) {
    search.Expand(domain, buffer);
    if (search.finished()) break;
    std::vector<float> scores;
    for (auto id = search.first_candidate(); id < search.states().size(); ++id)
      scores.push_back(score_of(search.states()[id].text()));
    search.Select(domain, scores);
  }
}

class SamplingRolloutTest : public testing::Test {
 protected:
  // How often each successor of a state is the first step of a walk.
  std::map<std::string, int> FirstSteps(const SamplingOptions& options, int walks) {
    std::map<std::string, int> steps;
    for (int seed = 0; seed < walks; ++seed) {
      SamplingRollout search(*domain_, kProblem, options, static_cast<std::uint64_t>(seed));
      Successors buffer;
      search.Expand(*domain_, buffer);
      std::vector<float> scores(search.candidates(), 0);
      scores[0] = 1;
      search.Select(*domain_, scores);
      ++steps[std::string(search.states()[search.walk().back()].text())];
    }
    return steps;
  }

  static constexpr const char* kProblem = "[====|===|=|==]";
  std::unique_ptr<Domain> domain_ = MakeDomain("sorting");
};

TEST_F(SamplingRolloutTest, WalksThroughNewStatesAndKnowsTheirSuccessors) {
  SamplingRollout search(*domain_, kProblem, {.max_steps = 8, .temperature = 1}, 3);
  Walk(*domain_, search, [](std::string_view) { return 0.0F; });
  std::set<std::string> seen;
  for (std::size_t i = 0; i < search.walk().size(); ++i) {
    const std::string state(search.states()[search.walk()[i]].text());
    EXPECT_TRUE(seen.insert(state).second) << "twice: " << state;
    if (i >= search.listed()) continue;
    Successors successors;
    domain_->Expand(state, Labels::kOff, successors);
    std::set<std::string> expected;
    for (std::size_t k = 0; k < successors.size(); ++k) expected.emplace(successors.state(k));
    expected.erase(state);
    std::set<std::string> known;
    for (const auto id : search.SuccessorsOf(i)) known.emplace(search.states()[id].text());
    EXPECT_EQ(known, expected);
  }
  EXPECT_LE(search.walk().size(), 9U);
}

TEST_F(SamplingRolloutTest, EndsAtASolvedSuccessorOrAfterItsSteps) {
  SamplingRollout solved(*domain_, "[==|=|===]", {.max_steps = 5}, 1);
  Walk(*domain_, solved, [](std::string_view) { return 0.0F; });
  EXPECT_TRUE(solved.result().solved());
  EXPECT_EQ(solved.result().path.back(), "[=|==|===]");
  SamplingRollout unsolved(*domain_, "[=====|====|=|===|==|======]", {.max_steps = 2}, 1);
  Walk(*domain_, unsolved, [](std::string_view) { return 0.0F; });
  EXPECT_EQ(unsolved.result().outcome, SearchOutcome::kOutOfBudget);
  EXPECT_EQ(unsolved.walk().size(), 3U);
  EXPECT_EQ(unsolved.listed(), 2U);
}

TEST_F(SamplingRolloutTest, DrawsByTheSoftmaxOfTheScores) {
  const int walks = 4000;
  const auto steps = FirstSteps({.temperature = 0.5}, walks);
  // One candidate has the score 1, the other n - 1 have 0.
  const auto n = static_cast<double>(steps.size());
  const double expected = std::exp(2) / (std::exp(2) + n - 1);
  const auto most = std::max_element(steps.begin(), steps.end(), [](auto& a, auto& b) { return a.second < b.second; });
  EXPECT_NEAR(most->second / static_cast<double>(walks), expected, 0.04);
  EXPECT_EQ(FirstSteps({.temperature = 0}, 50).size(), 1U) << "the best";
  const auto random = FirstSteps({.temperature = 0, .epsilon = 1}, walks);
  for (const auto& [state, count] : random) EXPECT_NEAR(count / static_cast<double>(walks), 1 / n, 0.04) << state;
}

TEST_F(SamplingRolloutTest, OddsAreDrawnByTheirSigmoid) {
  const int walks = 4000;
  const auto steps = FirstSteps({.temperature = 0.1, .scores_are_odds = true}, walks);
  const auto n = static_cast<double>(steps.size());
  const double gap = std::exp((1 / (1 + std::exp(-1.0)) - 0.5) / 0.1);
  const auto most = std::max_element(steps.begin(), steps.end(), [](auto& a, auto& b) { return a.second < b.second; });
  EXPECT_NEAR(most->second / static_cast<double>(walks), gap / (gap + n - 1), 0.04);
}

}  // namespace
}  // namespace conpole

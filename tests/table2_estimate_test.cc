#include "experiments/table2_estimate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace conpole::cli {
namespace {

RunKind OnGpu(const char* agent, const char* variant, const char* domain) { return {agent, variant, domain, true}; }
RunKind OnCpu(const char* agent, const char* variant, const char* domain) { return {agent, variant, domain, false}; }

// Without what it takes to begin and to be tested.
double Training(const TimeEstimate& estimate, const RunKind& kind, std::uint64_t steps) {
  return estimate.SecondsFor(kind, steps) - (estimate.SecondsFor(kind, 0) - 15);
}

TEST(TimeEstimateTest, StepsTakeAsLongAsWhereTheyWereMeasured) {
  const RunKind kind = OnGpu("conpole", "", "equations");
  const TimeEstimate estimate({{kind, 1'000'000, 215, 14}}, 14);
  EXPECT_NEAR(Training(estimate, kind, 1'000'000), 215, 1e-9);
  EXPECT_NEAR(Training(estimate, kind, 10'000'000), 15 + 2000, 1e-9) << "some of it is not repeated";
}

TEST(TimeEstimateTest, FewerAtATimeAreFasterEach) {
  const RunKind kind = OnGpu("conpole", "", "equations");
  const std::vector<MeasuredRun> measured{{kind, 1'000'000, 115, 4}};
  const double four = Training(TimeEstimate(measured, 4), kind, 1'000'000) - 15;
  const double alone = Training(TimeEstimate(measured, 1), kind, 1'000'000) - 15;
  EXPECT_NEAR(four / alone, 4 / 2.6, 1e-6) << "four on one GPU do 2.6 times as much as one";
  const std::vector<MeasuredRun> unknown{{kind, 1'000'000, 115, 0}};
  EXPECT_EQ(TimeEstimate(unknown, 1).SecondsFor(kind, 1'000'000), TimeEstimate(unknown, 4).SecondsFor(kind, 1'000'000));
}

TEST(TimeEstimateTest, WhatWasNeverMeasuredIsLikeWhatIsMostLikeIt) {
  const std::vector<MeasuredRun> measured{{OnGpu("davi", "repaired", "sorting"), 1'000'000, 1015, 1},
                                          {OnGpu("davi", "repaired", "fractions"), 1'000'000, 4015, 1},
                                          {OnGpu("davi", "as-published", "equations"), 1'000'000, 515, 1},
                                          {OnGpu("bc", "repaired", "equations"), 1'000'000, 65, 1},
                                          {OnCpu("davi", "repaired", "equations"), 1'000'000, 1e6, 1}};
  const TimeEstimate estimate(measured, 1);
  const auto training = [&](const RunKind& kind) { return Training(estimate, kind, 1'000'000) - 15; };
  EXPECT_NEAR(training(OnGpu("davi", "repaired", "equations")), 2000, 1e-6) << "the mean of the same agent's";
  EXPECT_NEAR(training(OnGpu("bc", "as-published", "equations")), 50, 1e-6) << "the other variant";
  EXPECT_NEAR(training(OnGpu("drrn", "repaired", "fractions")), 4000, 1e-6) << "the same domain";
  // With nothing to go by there is an answer all the same.
  EXPECT_GT(TimeEstimate({}, 1).SecondsFor(OnCpu("bc", "repaired", "sorting"), 1'000'000), 100);
}

TEST(TimeEstimateTest, ASlowMachineIsSlowForAll) {
  const RunKind seen = OnGpu("conpole", "", "sorting");
  const RunKind other = OnGpu("cvi", "repaired", "equations");
  TimeEstimate estimate({{seen, 100'000, 115, 1}, {other, 100'000, 215, 1}}, 1);
  estimate.Learn(seen, 100'000, 315);
  EXPECT_NEAR(Training(estimate, other, 100'000), 15 + 3 * 200, 1e-6);
  // What was seen here counts for itself, the latest of it.
  EXPECT_NEAR(Training(estimate, seen, 100'000), 315, 1e-6);
  estimate.Learn(seen, 100'000, 165);
  estimate.Learn(seen, 0, 5);
  EXPECT_NEAR(Training(estimate, seen, 100'000), 165, 1e-6);
  EXPECT_NEAR(Training(estimate, other, 100'000), 15 + 1.5 * 200, 1e-6);
}

TEST(TimeEstimateTest, ARunUnderWayIsJudgedByItsOwnPace) {
  const RunKind kind = OnGpu("conpole", "", "equations");
  TimeEstimate estimate({{kind, 1'000'000, 1015, 1}}, 1);
  estimate.LearnRest(20);
  estimate.LearnRest(0);
  EXPECT_NEAR(estimate.SecondsLeft(kind, 1'000'000, 0, 5), 1015 + 10 - 5, 1e-6);
  // Half of it took 2,000 s: so does the rest, and then it is tested.
  EXPECT_NEAR(estimate.SecondsLeft(kind, 1'000'000, 500'000, 2000), 2000 + 10, 1e-6);
  // After a tenth both count, half each.
  EXPECT_NEAR(estimate.SecondsLeft(kind, 1'000'000, 100'000, 400), 0.9 * (0.5 * 4000 + 0.5 * 1025) + 10, 1e-6);
  EXPECT_NEAR(estimate.SecondsLeft(kind, 1'000'000, 1'200'000, 2000), 10, 1e-6);
}

TEST(TimeEstimateTest, RunsTakeTurns) {
  const auto until_done = [](std::vector<double> under_way, std::vector<double> waiting, std::size_t jobs) {
    return SecondsUntilDone(under_way, waiting, jobs);
  };
  EXPECT_EQ(until_done({}, {}, 2), 0);
  EXPECT_EQ(until_done({}, {5, 4, 3}, 1), 12);
  EXPECT_EQ(until_done({}, {5, 4, 3}, 2), 7);
  EXPECT_EQ(until_done({10, 1}, {2, 3}, 2), 10);
  EXPECT_EQ(until_done({}, {1, 1, 9}, 3), 9) << "none ends before the longest";
}

// Each run of the records that are kept, estimated from the others: what the program would have said before it was ever run.
TEST(TimeEstimateTest, TellsTheKeptRunsFromOneAnother) {
  const std::vector<MeasuredRun> kept = RunsMeasuredBefore();
  std::vector<double> factors;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (!kept[i].kind.is_on_gpu) continue;
    std::vector<MeasuredRun> others = kept;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const TimeEstimate estimate(others, kept[i].jobs);
    const double ratio = Training(estimate, kept[i].kind, kept[i].steps) / kept[i].seconds;
    factors.push_back(std::max(ratio, 1 / ratio));
    RecordProperty(kept[i].kind.agent + kept[i].kind.variant + kept[i].kind.domain, std::to_string(ratio));
  }
  if (factors.size() < 20) GTEST_SKIP() << "only " << factors.size() << " records of runs on GPUs";
  std::sort(factors.begin(), factors.end());
  EXPECT_LT(factors[factors.size() / 2], 1.6) << "half of the estimates are nearer than this";
  EXPECT_LT(factors[factors.size() * 9 / 10], 4);
}

}  // namespace
}  // namespace conpole::cli

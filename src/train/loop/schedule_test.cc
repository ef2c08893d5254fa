#include "train/loop/schedule.h"

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace conpole {
namespace {

TrainOptions WithoutBudget() {
  TrainOptions options;
  options.eval_every = 0;
  options.eval_least = 100;
  return options;
}

// Goes on with evaluations until the run is over, and returns its steps. `validation` is a function of the steps.
template <class Validation>
std::uint64_t RunToTheEnd(Schedule& schedule, const Validation& validation, std::uint64_t level = 0) {
  std::uint64_t steps = 0;
  while (schedule.PartDone(steps, 0) < 1) {
    const std::uint64_t next = schedule.NextEvaluation(steps);
    EXPECT_GT(next, steps);
    steps = next;
    schedule.StandsStill(steps, {validation(steps), level});
    if (steps > 100'000'000) break;
  }
  return steps;
}

TEST(ScheduleTest, ABudgetIsSpent) {
  TrainOptions options = WithoutBudget();
  options.steps = 1000;
  const Schedule of_steps(options);
  EXPECT_DOUBLE_EQ(of_steps.PartDone(250, 1e9), 0.25);
  EXPECT_DOUBLE_EQ(of_steps.PartDone(2000, 0), 1);
  EXPECT_DOUBLE_EQ(of_steps.SecondsLeft(250, 10), 30);
  options.seconds = 8;
  const Schedule of_both(options);
  EXPECT_DOUBLE_EQ(of_both.PartDone(250, 4), 0.5);
  EXPECT_DOUBLE_EQ(of_both.PartDone(250, 1), 0.25);
  options.steps = 0;
  Schedule of_seconds(options);
  EXPECT_DOUBLE_EQ(of_seconds.PartDone(1'000'000, 2), 0.25);
  for (std::uint64_t steps = 0; steps < 1'000'000; steps += 1000) EXPECT_FALSE(of_seconds.StandsStill(steps, {0, 0}));
}

// What the last evaluation takes belongs to the seconds that were asked for.
TEST(ScheduleTest, KeepsTimeForTheEvaluationAtTheEnd) {
  TrainOptions options = WithoutBudget();
  options.seconds = 100;
  Schedule schedule(options);
  EXPECT_DOUBLE_EQ(schedule.PartDone(1, 80), 0.8);
  schedule.Reserve(20);
  EXPECT_DOUBLE_EQ(schedule.PartDone(1, 40), 0.5);
  EXPECT_DOUBLE_EQ(schedule.PartDone(1, 80), 1);
  // A faster one later does not take the end back, and slow ones leave half of the time for learning.
  schedule.Reserve(1);
  EXPECT_DOUBLE_EQ(schedule.PartDone(1, 80), 1);
  schedule.Reserve(1000);
  EXPECT_DOUBLE_EQ(schedule.PartDone(1, 25), 0.5);
  Schedule resumed(options);
  resumed.Restore(schedule.Save());
  EXPECT_DOUBLE_EQ(resumed.PartDone(1, 25), 0.5);
  // Steps have nothing to do with it.
  Schedule of_steps(WithoutBudget());
  of_steps.Reserve(20);
  EXPECT_EQ(of_steps.Save().at("reserved"), 0.0);
}

TEST(ScheduleTest, EvaluationsBecomeMoreSeldom) {
  TrainOptions options = WithoutBudget();
  const Schedule schedule(options);
  EXPECT_EQ(schedule.NextEvaluation(0), 100U);
  EXPECT_EQ(schedule.NextEvaluation(6000), 7000U);
  EXPECT_EQ(schedule.NextEvaluation(10'000'000), 10'075'000U);
  options.eval_every = 300;
  EXPECT_EQ(Schedule(options).NextEvaluation(300), 600U);
  EXPECT_EQ(Schedule(options).NextEvaluation(299), 300U);
}

TEST(ScheduleTest, ARunThatSolvesAllEndsSoon) {
  Schedule schedule(WithoutBudget());
  EXPECT_TRUE(std::isnan(schedule.SecondsLeft(10, 1)));
  const std::uint64_t steps = RunToTheEnd(schedule, [](std::uint64_t at) { return at < 1000 ? 0.5 : 1.0; });
  EXPECT_GT(steps, 1000U);
  EXPECT_LT(steps, 2000U);
  EXPECT_EQ(schedule.remedies(), 0U);
  EXPECT_EQ(schedule.SecondsLeft(steps, 1), 0);
}

TEST(ScheduleTest, ARunThatSolvesMuchEndsWhenItGetsNoBetter) {
  Schedule schedule(WithoutBudget());
  const auto validation = [](std::uint64_t at) { return at < 100'000 ? static_cast<double>(at) / 110'000 : 0.91; };
  const std::uint64_t steps = RunToTheEnd(schedule, validation);
  EXPECT_GT(steps, 140'000U);
  EXPECT_LT(steps, 250'000U);
  EXPECT_EQ(schedule.remedies(), 0U);
}

TEST(ScheduleTest, ARunThatStandsStillIsGivenSomeChances) {
  Schedule schedule(WithoutBudget());
  EXPECT_LT(RunToTheEnd(schedule, [](std::uint64_t) { return 0.5; }), 20'000U);
  EXPECT_EQ(schedule.remedies(), 2U);
  // One that gets somewhere needs none.
  Schedule growing(WithoutBudget());
  for (std::uint64_t steps = 100; steps < 50'000; steps += 100) EXPECT_FALSE(growing.StandsStill(steps, {0.5, steps}));
}

TEST(ScheduleTest, GoesOnAfterRestoring) {
  Schedule schedule(WithoutBudget());
  for (std::uint64_t steps = 100; steps < 1500; steps += 100) schedule.StandsStill(steps, {0.3, 0});
  EXPECT_EQ(schedule.remedies(), 1U);
  Schedule restored(WithoutBudget());
  restored.Restore(nlohmann::json::parse(schedule.Save().dump()));
  EXPECT_EQ(restored.Save(), schedule.Save());
  const auto validation = [](std::uint64_t) { return 0.3; };
  EXPECT_EQ(RunToTheEnd(restored, validation), RunToTheEnd(schedule, validation));
}

}  // namespace
}  // namespace conpole

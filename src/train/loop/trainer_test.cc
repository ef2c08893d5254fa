// The loop around a learner that is simple enough to know what it must do.
#include "train/loop/trainer.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/error.h"
#include "tests/counting_learner.h"
#include "tests/files.h"

namespace conpole {
namespace {

class TrainerTest : public FolderTest {
 protected:
  TrainerTest() : domain_(MakeDomain("sorting:max_length=6")), checkpoints_(folder()) {
    options_.steps = 5'000;
    options_.threads = 2;
    options_.in_flight = 16;
    options_.bootstrap = 20;
    options_.eval_every = 1'000;
    options_.eval_seeds = {0, 20};
    options_.validation_seeds = {20, 40};
  }

  std::unique_ptr<Trainer> MakeTrainer(CountingLearner& learner) {
    agent_ = MakeAgent(agent_name_, options_);
    std::vector<const Domain*> domains{domain_.get()};
    if (second_domain_) domains.push_back(second_domain_.get());
    return std::make_unique<Trainer>(domains, *agent_, learner, options_, callbacks_);
  }

  // A run that is stopped and resumed again and again has the same evaluations as one that is not.
  void ExpectToResumeExactly();

  static std::set<std::string> ProblemsOf(const Domain& domain, const SeedRange& seeds) {
    std::set<std::string> problems;
    for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) problems.insert(domain.Generate(seed));
    return problems;
  }

  std::unique_ptr<Domain> domain_;
  std::unique_ptr<Domain> second_domain_;  // null for none
  std::map<std::string, std::string> ReadNewest() const {
    return ReadCheckpoint(checkpoints_.PathOf(checkpoints_.Steps().front()));
  }

  CheckpointFolder checkpoints_;
  TrainOptions options_;
  TrainCallbacks callbacks_;
  std::string agent_name_ = "conpole";
  std::unique_ptr<Agent> agent_;
  std::atomic<bool> stop_ = false;
};

TEST_F(TrainerTest, RunsToTheEndEvaluatesAndReportsTheBest) {
  std::vector<std::uint64_t> evaluated;
  int improved = 0;
  callbacks_.evaluated = [&](const TrainStatus& status) { evaluated.push_back(status.steps); };
  callbacks_.improved = [&](const TrainStatus&, const Tensors&) { ++improved; };
  CountingLearner learner;
  const auto trainer = MakeTrainer(learner);
  EXPECT_TRUE(trainer->Run(stop_, checkpoints_));
  const TrainStatus& status = trainer->status();
  EXPECT_GE(status.steps, options_.steps);
  EXPECT_GE(evaluated.size(), 3U);
  EXPECT_GE(improved, 1);
  EXPECT_DOUBLE_EQ(status.evaluation->success, 1);
  EXPECT_DOUBLE_EQ(*status.best_validation, 1);
  EXPECT_EQ(status.gradient_steps, static_cast<std::uint64_t>(learner.learned()));
  EXPECT_GT(status.solved, 100U);
  EXPECT_TRUE(checkpoints_.HasAny());
}

TEST_F(TrainerTest, OneThreadOrFourTheSameIsLearned) {
  CountingLearner first;
  CountingLearner second;
  options_.threads = 1;
  MakeTrainer(first)->Run(stop_, checkpoints_);
  options_.threads = 4;
  MakeTrainer(second)->Run(stop_, checkpoints_);
  EXPECT_EQ(first.log(), second.log());
  EXPECT_GT(first.learned(), 50);
}

TEST_F(TrainerTest, OfTheExamplesOfATurnThoseOfSimilarLengthLearnTogether) {
  // How much longer the longest text of a batch is than the mean of all of them: what the others wait for.
  class WaitingLearner final : public CountingLearner {
   public:
    void Learn(const TrainingBatch& batch, double learning_rate) override {
      CountingLearner::Learn(batch, learning_rate);
      std::size_t longest = 0;
      for (const std::string_view text : batch.texts()) longest = std::max(longest, text.size());
      characters_of_longest += longest;
      examples += batch.examples();
    }
    std::size_t characters_of_longest = 0;
    std::size_t examples = 0;
  };
  options_.steps = 3'000;
  options_.batch = 4;
  // With few gradient steps there is one in a turn, and chance alone says which examples it has.
  WaitingLearner learners[2];
  for (const double gradient_steps : {0.05, 8.0}) {
    options_.gradient_steps = gradient_steps;
    WaitingLearner& learner = learners[gradient_steps > 1 ? 1 : 0];
    EXPECT_TRUE(MakeTrainer(learner)->Run(stop_, checkpoints_));
    EXPECT_GT(learner.learned(), 5);
    EXPECT_EQ(learner.examples, 4U * static_cast<std::size_t>(learner.learned())) << "none is left out or taken twice";
  }
  const auto mean = [](const WaitingLearner& learner) {
    return static_cast<double>(learner.characters_of_longest) / learner.learned();
  };
  EXPECT_LT(mean(learners[1]), 0.9 * mean(learners[0]));
}

TEST_F(TrainerTest, GoesOnFromACheckpoint) {
  CountingLearner learner;
  options_.steps = 2'000;
  const auto trainer = MakeTrainer(learner);
  trainer->Run(stop_, checkpoints_);
  const TrainStatus before = trainer->status();

  options_.steps = 5'000;
  CountingLearner resumed_learner;
  const auto resumed = MakeTrainer(resumed_learner);
  resumed->Restore(ReadNewest());
  EXPECT_EQ(resumed->status().steps, before.steps);
  EXPECT_EQ(resumed->status().solved, before.solved);
  EXPECT_EQ(resumed_learner.learned(), learner.learned());
  EXPECT_TRUE(resumed->Run(stop_, checkpoints_));
  EXPECT_GE(resumed->status().steps, 5'000U);
  EXPECT_GT(resumed->status().seconds, before.seconds);
  EXPECT_EQ(resumed->status().gradient_steps, static_cast<std::uint64_t>(resumed_learner.learned()));
}

TEST_F(TrainerTest, StopsWhenAskedAndWritesACheckpoint) {
  callbacks_.evaluated = [&](const TrainStatus&) { stop_ = true; };
  options_.steps = 1'000'000'000;
  CountingLearner learner;
  EXPECT_FALSE(MakeTrainer(learner)->Run(stop_, checkpoints_));
  EXPECT_TRUE(checkpoints_.HasAny());
}

TEST_F(TrainerTest, WhatTheLearnerThrowsArrives) {
  CountingLearner learner;
  learner.fail_after = 30;
  EXPECT_EQ(ErrorOf([&] { MakeTrainer(learner)->Run(stop_, checkpoints_); }), "the learner is tired");
}

TEST_F(TrainerTest, DivergenceEndsTrainingAndLeavesTheLastCheckpoint) {
  CountingLearner learner;
  const auto trainer = MakeTrainer(learner);
  trainer->WriteCheckpoint(checkpoints_);
  const std::set<std::string> before = Names();
  learner.diverge_after = 30;
  EXPECT_THROW(trainer->Run(stop_, checkpoints_), Diverged);
  EXPECT_EQ(Names(), before);
}

TEST_F(TrainerTest, APolicyThatSolvesNothingIsReplacedByChanceUntilItHasLearnedMore) {
  constexpr int kLessons = 35;
  constexpr float kHalfOfPairs = 10;
  // Stays, at first, where half of the pairs are in the wrong order: far from the solution, reversed or not.
  class Misled final : public CountingLearner {
   public:
    void Score(const ScoreBatch& batch, std::span<float> scores, const std::atomic<bool>* stop) override {
      CountingLearner::Score(batch, scores, stop);
      if (learned() >= kLessons) return;
      for (float& score : scores) score = -std::abs(score + kHalfOfPairs);
    }
  };
  Misled learner;
  domain_ = MakeDomain("sorting:min_length=7,max_length=7");
  options_.steps = 100'000;
  options_.max_steps = 30;
  options_.beam = 4;
  const auto trainer = MakeTrainer(learner);
  EXPECT_TRUE(trainer->Run(stop_, checkpoints_));
  EXPECT_GT(learner.learned(), kLessons);
  EXPECT_DOUBLE_EQ(trainer->status().evaluation->success, 1);
}

TEST_F(TrainerTest, NoSearchSeesScoresThatAreNotFinite) {
  class Infinite final : public CountingLearner {
   public:
    void Score(const ScoreBatch& /*batch*/, std::span<float> scores, const std::atomic<bool>* /*stop*/) override {
      std::fill(scores.begin(), scores.end(), std::numeric_limits<float>::infinity());
    }
  };
  Infinite learner;
  agent_ = MakeAgent("conpole", options_);
  Trainer trainer({domain_.get()}, *agent_, learner, options_, callbacks_);
  EXPECT_THROW(trainer.Run(stop_, checkpoints_), Diverged);
}

TEST_F(TrainerTest, FailuresTeachAndEarnGradientStepsWhereTheAgentSaysSo) {
  agent_name_ = "drrn";
  options_.easiest_of = 1;
  options_.depth_start = options_.depth_max = 3;
  options_.steps = 500;
  CountingLearner learner;
  const auto trainer = MakeTrainer(learner);
  EXPECT_TRUE(trainer->Run(stop_, checkpoints_));
  EXPECT_LT(trainer->status().solved, trainer->status().problems);
  EXPECT_GE(static_cast<std::uint64_t>(learner.learned()) + 40, trainer->status().problems);
  EXPECT_GT(learner.scored_by_slow_copy(), 0);
  const auto half = static_cast<float>(options_.discount / 2);
  EXPECT_TRUE(learner.targets().contains(1)) << "solved";
  EXPECT_TRUE(learner.targets().contains(half)) << "what the slow copy says, discounted";
  for (const float target : learner.targets()) EXPECT_FALSE(std::isnan(target));
}

TEST_F(TrainerTest, EveryEvaluationIsReportedOnceAndAFinishedRunReportsNone) {
  std::vector<std::uint64_t> evaluated;
  callbacks_.evaluated = [&](const TrainStatus& status) { evaluated.push_back(status.steps); };
  options_.eval_every = 1;  // so that the last turn has one, too
  CountingLearner learner;
  const auto trainer = MakeTrainer(learner);
  EXPECT_TRUE(trainer->Run(stop_, checkpoints_));
  EXPECT_TRUE(std::adjacent_find(evaluated.begin(), evaluated.end()) == evaluated.end());
  EXPECT_EQ(evaluated.back(), trainer->status().steps);

  const std::size_t count = evaluated.size();
  const std::set<std::string> names = Names();
  const auto resumed = MakeTrainer(learner);
  resumed->Restore(ReadNewest());
  EXPECT_TRUE(resumed->Run(stop_, checkpoints_));
  EXPECT_EQ(evaluated.size(), count);
  EXPECT_EQ(Names(), names);
}

TEST_F(TrainerTest, TheBestPolicyIsChosenByWhatIsKnown) {
  // Nothing can be told: what is solved counts.
  callbacks_.verify = [](const auto&...) { return Verdict::kCannotTell; };
  CountingLearner first;
  auto trainer = MakeTrainer(first);
  trainer->Run(stop_, checkpoints_);
  EXPECT_DOUBLE_EQ(*trainer->status().best_validation, 1);
  EXPECT_TRUE(std::isnan(trainer->status().validation->verified()));
  // All are wrong: nothing counts.
  callbacks_.verify = [](const auto&...) { return Verdict::kWrong; };
  CountingLearner second;
  trainer = MakeTrainer(second);
  trainer->Run(stop_, checkpoints_);
  EXPECT_DOUBLE_EQ(*trainer->status().best_validation, 0);
  EXPECT_DOUBLE_EQ(trainer->status().validation->wrong, 1);
  EXPECT_DOUBLE_EQ(trainer->status().validation->verified(), 0);
}

TEST_F(TrainerTest, TheBestPolicyIsChosenOnTheValidationSeeds) {
  options_.eval_seeds = {0, 5};
  options_.validation_seeds = {5, 10};
  const std::set<std::string> evaluated = ProblemsOf(*domain_, options_.eval_seeds);
  for (const std::string& problem : ProblemsOf(*domain_, options_.validation_seeds)) ASSERT_FALSE(evaluated.contains(problem));
  callbacks_.verify = [&](const Domain&, const std::string& problem, const auto&) {
    return evaluated.contains(problem) ? Verdict::kWrong : Verdict::kRight;
  };
  CountingLearner learner;
  const auto trainer = MakeTrainer(learner);
  trainer->Run(stop_, checkpoints_);
  EXPECT_DOUBLE_EQ(trainer->status().evaluation->wrong, 1);
  EXPECT_DOUBLE_EQ(trainer->status().validation->right, 1);
  EXPECT_DOUBLE_EQ(*trainer->status().best_validation, 1);
}

TEST_F(TrainerTest, TheLatestOfTheBestPoliciesIsKept) {
  // What the evaluations come to, one after the other.
  const std::vector<Verdict> verdicts{Verdict::kWrong, Verdict::kRight, Verdict::kRight, Verdict::kWrong, Verdict::kWrong};
  options_.steps = 8'000;
  std::vector<std::uint64_t> evaluated;
  std::vector<std::uint64_t> improved;
  callbacks_.verify = [&](const auto&...) { return verdicts[std::min(evaluated.size(), verdicts.size() - 1)]; };
  callbacks_.evaluated = [&](const TrainStatus& status) { evaluated.push_back(status.steps); };
  callbacks_.improved = [&](const TrainStatus& status, const Tensors&) { improved.push_back(status.steps); };
  CountingLearner learner;
  const auto trainer = MakeTrainer(learner);
  trainer->Run(stop_, checkpoints_);
  ASSERT_GE(evaluated.size(), 4U);
  EXPECT_EQ(improved, std::vector<std::uint64_t>(evaluated.begin(), evaluated.begin() + 3));
  EXPECT_EQ(trainer->status().best_steps, evaluated[2]);
  EXPECT_DOUBLE_EQ(*trainer->status().best_validation, 1);
}

TEST_F(TrainerTest, WhatAxiomsAloneSolveIsHalfOfTheChoice) {
  options_.eval_seeds = {0, 5};
  options_.validation_seeds = {5, 10};
  options_.axioms_share = 0.5;
  // Longer lists, so that the problems of the two can be told apart.
  const std::unique_ptr<Domain> axioms = MakeDomain("sorting:min_length=7,max_length=8");
  callbacks_.axioms = {axioms.get()};
  const std::set<std::string> by_axioms = ProblemsOf(*axioms, options_.validation_seeds);
  for (const std::string& problem : ProblemsOf(*domain_, options_.validation_seeds)) ASSERT_FALSE(by_axioms.contains(problem));
  callbacks_.verify = [&](const Domain&, const std::string& problem, const auto&) {
    return by_axioms.contains(problem) ? Verdict::kWrong : Verdict::kRight;
  };
  CountingLearner learner;
  const auto trainer = MakeTrainer(learner);
  trainer->Run(stop_, checkpoints_);
  EXPECT_DOUBLE_EQ(trainer->status().validation->right, 1);
  EXPECT_DOUBLE_EQ(trainer->status().axioms_validation->wrong, 1);
  EXPECT_DOUBLE_EQ(*trainer->status().best_validation, 0.5);
}

TEST_F(TrainerTest, AnEvaluationThatIsInterruptedIsMadeAgain) {
  options_.eval_seeds = {0, 5'000};
  int evaluated = 0;
  callbacks_.evaluated = [&](const TrainStatus&) { ++evaluated; };
  CountingLearner learner;
  callbacks_.verify = [&](const auto&...) {
    stop_ = true;
    return Verdict::kRight;
  };
  const auto trainer = MakeTrainer(learner);
  EXPECT_FALSE(trainer->Run(stop_, checkpoints_));
  EXPECT_EQ(evaluated, 0);
  EXPECT_FALSE(trainer->status().best_validation);

  stop_ = false;
  callbacks_.verify = [](const auto&...) { return Verdict::kRight; };
  const auto resumed = MakeTrainer(learner);
  resumed->Restore(ReadNewest());
  EXPECT_TRUE(resumed->Run(stop_, checkpoints_));
  EXPECT_GT(evaluated, 0);
}

TEST_F(TrainerTest, TakesManyGradientStepsOnOneBatchWhereTheAgentSaysSo) {
  agent_name_ = "adi";
  options_.variant = Variant::kAsPublished;
  options_.steps = 2'000;
  options_.batch = 4;
  CountingLearner learner;
  const auto trainer = MakeTrainer(learner);
  EXPECT_TRUE(trainer->Run(stop_, checkpoints_));
  EXPECT_EQ(trainer->status().gradient_steps, static_cast<std::uint64_t>(learner.learned()));
  EXPECT_EQ(learner.learned() % 64, 0);
  EXPECT_GE(learner.learned(), 2 * 64);
  EXPECT_EQ(learner.scored_by_slow_copy(), 0);
  // The log has a line per gradient step; what comes before the first semicolon is of the first batch.
  const std::string first =
      learner.log().substr(learner.log().find(';') + 1, learner.log().find(']') - learner.log().find(';'));
  std::size_t times = 0;
  for (std::size_t at = learner.log().find(first); at != std::string::npos; at = learner.log().find(first, at + 1)) ++times;
  EXPECT_GE(times, 64U) << first;
}

TEST_F(TrainerTest, LearnsInTheEndWhereTheAgentSaysSo) {
  agent_name_ = "bc";
  options_.variant = Variant::kAsPublished;
  options_.batch = 1;
  options_.depth_start = options_.depth_max = 20;
  options_.steps = 1'000;
  std::vector<std::uint64_t> evaluated;
  callbacks_.evaluated = [&](const TrainStatus& status) { evaluated.push_back(status.gradient_steps); };
  CountingLearner learner;
  const auto trainer = MakeTrainer(learner);
  EXPECT_TRUE(trainer->Run(stop_, checkpoints_));
  EXPECT_EQ(evaluated, std::vector<std::uint64_t>{5000}) << "once, when all is learned";
  EXPECT_EQ(learner.learned(), 5000);
  EXPECT_TRUE(learner.log().starts_with("1,"));

  // Whoever stops in the middle of that goes on there.
  std::filesystem::remove_all(folder());
  std::filesystem::create_directories(folder());
  CountingLearner slow;
  slow.fail_after = 100;
  evaluated.clear();
  EXPECT_EQ(ErrorOf([&] { MakeTrainer(slow)->Run(stop_, checkpoints_); }), "the learner is tired");
  EXPECT_TRUE(evaluated.empty());
}

void TrainerTest::ExpectToResumeExactly() {
  options_.checkpoint_minutes = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> whole;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> parts;
  const auto keep_in = [](auto& points) {
    return [&points](const TrainStatus& status) { points.emplace_back(status.steps, status.gradient_steps); };
  };
  callbacks_.evaluated = keep_in(whole);
  CountingLearner undisturbed;
  EXPECT_TRUE(MakeTrainer(undisturbed)->Run(stop_, checkpoints_));
  ASSERT_GE(whole.size(), 4U);
  const int newest = undisturbed.learned();

  std::filesystem::remove_all(folder());
  std::filesystem::create_directories(folder());
  callbacks_.evaluated = keep_in(parts);
  CountingLearner first;
  MakeTrainer(first)->WriteCheckpoint(checkpoints_);
  // Stopped by what happens between two evaluations, again and again; what came after the last one is done anew.
  for (int fail_after = 40;; fail_after += 55) {
    CountingLearner learner;
    learner.fail_after = fail_after;
    const auto trainer = MakeTrainer(learner);
    trainer->Restore(ReadNewest());
    parts.erase(std::find_if(parts.begin(), parts.end(), [&](const auto& p) { return p.first > trainer->status().steps; }),
                parts.end());
    try {
      EXPECT_TRUE(trainer->Run(stop_, checkpoints_));
      EXPECT_EQ(learner.learned(), newest);
      break;
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "the learner is tired");
    }
  }
  EXPECT_EQ(parts, whole);
}

TEST_F(TrainerTest, ARunThatIsStoppedAndResumedEqualsOneThatIsNot) { ExpectToResumeExactly(); }

TEST_F(TrainerTest, SoDoesOneOfSeveralDomains) {
  second_domain_ = MakeDomain("ternary-addition:max_digits=3");
  ExpectToResumeExactly();
}

// Bars are of the first domain, digits of the second.
TEST_F(TrainerTest, SeveralDomainsTakeTurnsAndShareEveryGradientStep) {
  class SharingLearner final : public CountingLearner {
   public:
    void Learn(const TrainingBatch& batch, double learning_rate) override {
      CountingLearner::Learn(batch, learning_rate);
      std::size_t bars = 0;
      for (std::size_t i = 0; i < batch.examples(); ++i) {
        const ScoreBatch::Pair& first = batch.pairs()[i == 0 ? 0 : batch.example_ends()[i - 1]];
        if (batch.texts()[first.candidate].starts_with('[')) ++bars;
      }
      ++batches_with[2 * bars == batch.examples() ? "both" : "one"];
    }
    std::map<std::string, int> batches_with;
  };
  second_domain_ = MakeDomain("ternary-addition:max_digits=3");
  std::set<std::string> tried;
  callbacks_.tried = [&](const TriedProblem& problem) { tried.insert(problem.domain); };
  SharingLearner learner;
  const auto trainer = MakeTrainer(learner);
  EXPECT_TRUE(trainer->Run(stop_, checkpoints_));
  EXPECT_GT(learner.batches_with["both"], 50);
  EXPECT_LT(learner.batches_with["one"], learner.batches_with["both"] / 4) << "only before both have solved something";
  const TrainStatus& status = trainer->status();
  ASSERT_EQ(status.domains.size(), 2U);
  const DomainStatus& sorting = status.domains[0];
  const DomainStatus& ternary = status.domains[1];
  EXPECT_EQ(tried, (std::set<std::string>{sorting.name, ternary.name}));
  EXPECT_EQ(sorting.name, "sorting");
  EXPECT_EQ(status.steps, sorting.steps + ternary.steps);
  EXPECT_EQ(status.solved, sorting.solved + ternary.solved);
  EXPECT_GT(std::min(sorting.steps, ternary.steps), status.steps / 5) << "neither waits for the other";
  // The learner knows what sorting is, and nothing of sums.
  EXPECT_DOUBLE_EQ(*sorting.best_validation, 1);
  EXPECT_LT(ternary.validation->success, 1);
  EXPECT_DOUBLE_EQ(status.validation->success, (sorting.validation->success + ternary.validation->success) / 2);
  EXPECT_DOUBLE_EQ(status.evaluation->right, (sorting.evaluation->right + ternary.evaluation->right) / 2);
  EXPECT_LE(*status.best_validation, (1 + *ternary.best_validation) / 2);
}

TEST_F(TrainerTest, ARunWithoutABudgetEndsWhenAllIsSolved) {
  options_.steps = 0;
  options_.eval_every = 0;
  options_.eval_least = 500;
  std::vector<double> rates;
  callbacks_.evaluated = [&](const TrainStatus& status) { rates.push_back(status.learning_rate); };
  CountingLearner learner;
  const auto trainer = MakeTrainer(learner);
  EXPECT_TRUE(trainer->Run(stop_, checkpoints_));
  EXPECT_DOUBLE_EQ(*trainer->status().best_validation, 1);
  EXPECT_LT(trainer->status().steps, 20'000U);
  EXPECT_LT(rates.back(), 0.2 * options_.learning_rate);
  const std::uint64_t steps = trainer->status().steps;
  const auto resumed = MakeTrainer(learner);
  resumed->Restore(ReadNewest());
  EXPECT_TRUE(resumed->Run(stop_, checkpoints_)) << "done is done";
  EXPECT_EQ(resumed->status().steps, steps);
}

TEST_F(TrainerTest, APlateauIsSaidAndLeftByWiderBeams) {
  // All answers are wrong, so that validation never improves.
  options_.steps = 0;
  options_.eval_every = 200;
  std::vector<std::string> said;
  callbacks_.say = [&](const std::string& message) { said.push_back(message); };
  callbacks_.verify = [](const auto&...) { return Verdict::kWrong; };
  CountingLearner learner;
  const auto trainer = MakeTrainer(learner);
  EXPECT_TRUE(trainer->Run(stop_, checkpoints_));
  ASSERT_EQ(said.size(), 2U);
  EXPECT_NE(said[0].find("(0.0%): beams are 20 wide from now on"), std::string::npos) << said[0];
  EXPECT_NE(said[1].find("beams are 40 wide from now on"), std::string::npos) << said[1];
}

TEST_F(TrainerTest, SecondsEndARun) {
  options_.steps = 0;
  options_.seconds = 0.2;
  CountingLearner learner;
  const auto trainer = MakeTrainer(learner);
  EXPECT_TRUE(trainer->Run(stop_, checkpoints_));
  EXPECT_GE(trainer->status().seconds, 0.1);  // half of it at the most is kept for the last evaluation
  EXPECT_EQ(trainer->status().evaluated_steps, trainer->status().steps);
}

TEST_F(TrainerTest, DamagedCheckpointsAreErrors) {
  CountingLearner learner;
  const auto trainer = MakeTrainer(learner);
  EXPECT_EQ(ErrorOf([&] { trainer->Restore({}); }), "the checkpoint lacks a section");
  EXPECT_NE(ErrorOf([&] { trainer->Restore({{"trainer", "{}"}}); }).find("damaged"), std::string::npos);
}

}  // namespace
}  // namespace conpole

// Training with abstractions: they are steps of the run, stay with it and with its models, and are taken from the model that a
// run begins with. The learner is one that is simple enough to know what it must do.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "domains/axioms/abstractions.h"
#include "tests/counting_learner.h"
#include "tests/files.h"
#include "tests/thread_ranks.h"
#include "train/run/checkpoint.h"
#include "train/run/run.h"
#include "tutor/abstraction_file.h"

namespace conpole {
namespace {

class StoredLearner final : public CountingLearner {
 public:
  explicit StoredLearner(const Model& model) : tensors_(model.tensors) {}
  Tensors Weights() const override { return tensors_; }

 private:
  Tensors tensors_;
};

class AbstractTrainingTest : public FolderTest {
 protected:
  AbstractTrainingTest() {
    request_.folder = Path("run");
    request_.version = "test";
    request_.given = {{"domain", "sorting:max_length=5"},
                      {"steps", "300"},
                      {"in-flight", "16"},
                      {"eval-every", "150"},
                      {"threads", "1"},
                      {"network", "lstm:embedding=4,hidden=8"},
                      {"curriculum", "short"},
                      {"eval-seeds", "0:5"},
                      {"validation-seeds", "5:10"}};
    std::ofstream(Path("sorting.abstractions")) << kText;
    parts_.make_domain = [](const std::string& spec) { return MakeDomain(spec); };
    parts_.adapt = [this](TrainOptions& options) {
      options.bootstrap = 20;
      options.abstract_at = abstract_at_;
    };
    parts_.read_abstractions = [](const RunSettings& settings, const Domain&) -> AbstractionSet {
      const std::string& file = settings.abstractions == "auto" ? settings.train.init : settings.abstractions;
      return file.empty() ? AbstractionSet{} : ReadAbstractionFile(file);
    };
    parts_.make_learner = [](const Model& model, const LearnerOptions&, const std::string&) {
      return std::make_unique<StoredLearner>(model);
    };
  }

  bool Train() {
    TrainingRun run(request_, parts_, {});
    return run.Train(stop_);
  }
  std::string AbstractionsIn(const std::string& name) { return ReadAbstractionsOfModel(Path(name)); }

  using SolutionPath = std::vector<std::string>;
  // The latest solutions that the newest checkpoint of a run has.
  std::vector<SolutionPath> SolutionsIn(const std::string& name) {
    const CheckpointFolder checkpoints(Path(name));
    const auto sections = ReadCheckpoint(checkpoints.PathOf(checkpoints.Steps().front()));
    return nlohmann::json::parse(sections.at("solutions"));
  }

  static constexpr const char* kText = "conpole abstractions 1 for sorting\ncarry: swap; swap @0:R\n";
  RunRequest request_;
  RunParts parts_;
  std::vector<std::uint64_t> abstract_at_;
  std::atomic<bool> stop_ = false;
};

TEST_F(AbstractTrainingTest, StayWithTheModelAndTheRun) {
  request_.given["abstractions"] = Path("sorting.abstractions");
  stop_ = true;
  EXPECT_FALSE(Train());
  // A run that goes on has those that it began with.
  std::filesystem::remove(Path("sorting.abstractions"));
  stop_ = false;
  request_.resume = true;
  request_.given = {};
  EXPECT_TRUE(Train());
  EXPECT_EQ(AbstractionsIn("run/last.safetensors"), kText);
  EXPECT_EQ(AbstractionsIn("run/best.safetensors"), kText);
  EXPECT_EQ(ReadModel(Path("run/last.safetensors")).metadata.at("domain"), "sorting:max_length=5");
}

TEST_F(AbstractTrainingTest, AreTakenFromTheModelThatARunBeginsWith) {
  request_.given["abstractions"] = Path("sorting.abstractions");
  ASSERT_TRUE(Train());
  request_.folder = Path("next");
  request_.given.erase("abstractions");
  request_.given["init"] = Path("run/last.safetensors");
  ASSERT_TRUE(Train());
  EXPECT_EQ(AbstractionsIn("next/last.safetensors"), kText);
}

TEST_F(AbstractTrainingTest, ARunWithoutThemHasNone) {
  ASSERT_TRUE(Train());
  EXPECT_FALSE(ReadModel(Path("run/last.safetensors")).metadata.contains(kAbstractionsKey));
}

TEST_F(AbstractTrainingTest, SomeProblemsAreSearchedByAxiomsAlone) {
  request_.given["abstractions"] = Path("sorting.abstractions");
  request_.given["steps"] = "3000";
  abstract_at_ = {1'000'000};  // so that solutions are kept
  const std::unique_ptr<Domain> axioms = MakeDomain("sorting:max_length=5");
  const auto is_of_axioms = [&](const SolutionPath& path) {
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      Successors successors;
      axioms->Expand(path[i], Labels::kOff, successors);
      bool is_axiom = false;
      for (std::size_t k = 0; k < successors.size(); ++k) is_axiom |= successors.state(k) == path[i + 1];
      if (!is_axiom) return false;
    }
    return true;
  };
  ASSERT_TRUE(Train());
  EXPECT_FALSE(std::ranges::all_of(SolutionsIn("run"), is_of_axioms)) << "abstractions are used";
  EXPECT_FALSE(ReadModel(Path("run/best.safetensors")).metadata.contains("validation_axioms_success"));

  request_.given["axioms-share"] = "1";
  request_.folder = Path("axioms");
  ASSERT_TRUE(Train());
  EXPECT_FALSE(SolutionsIn("axioms").empty());
  EXPECT_TRUE(std::ranges::all_of(SolutionsIn("axioms"), is_of_axioms));
  const Model model = ReadModel(Path("axioms/best.safetensors"));
  EXPECT_TRUE(model.metadata.contains("validation_axioms_success"));
  EXPECT_EQ(model.metadata.at(kAbstractionsKey), kText);
}

TEST_F(AbstractTrainingTest, AreFoundOnTheWay) {
  request_.given["domain"] = "ternary-addition:max_digits=4";
  request_.given["steps"] = "5000";
  abstract_at_ = {1000, 2000};
  ASSERT_TRUE(Train());
  const AbstractionSet found = ParseAbstractions(AbstractionsIn("run/last.safetensors"));
  EXPECT_EQ(found.domain, "ternary-addition");
  EXPECT_FALSE(found.abstractions.empty());
  EXPECT_LE(found.abstractions.size(), 16U);
}

TEST_F(AbstractTrainingTest, AreFoundInTheSolutionsOfAllRanks) {
  request_.given["domain"] = "ternary-addition:max_digits=4";
  request_.given["steps"] = "5000";
  abstract_at_ = {2000};
  std::size_t abstracted[2] = {0, 0};
  OnThreadRanks(2, [&](Ranks& ranks) {
    RunParts parts = parts_;
    parts.ranks = &ranks;
    TrainingRun run(request_, parts, {});
    EXPECT_TRUE(run.Train(stop_));
    abstracted[ranks.rank()] = run.status().abstracted;
  });
  EXPECT_EQ(abstracted[0], 1U);
  EXPECT_EQ(abstracted[1], 1U);
  EXPECT_NE(AbstractionsIn("run/last.safetensors").find("del"), std::string::npos);
}

TEST_F(AbstractTrainingTest, ARunThatGoesOnFindsThemAsIfItHadNeverStopped) {
  request_.given["domain"] = "ternary-addition:max_digits=4";
  request_.given["steps"] = "4000";
  abstract_at_ = {1000};
  request_.given["checkpoint-minutes"] = "0";
  ASSERT_TRUE(Train());
  request_.folder = Path("stopped");
  RunEvents events;
  events.evaluated = [this](const TrainStatus& status) { stop_ = status.steps >= 500; };
  {
    TrainingRun run(request_, parts_, events);
    ASSERT_FALSE(run.Train(stop_));
  }
  EXPECT_FALSE(SolutionsIn("stopped").empty());
  stop_ = false;
  request_.resume = true;
  ASSERT_TRUE(Train());
  EXPECT_NE(AbstractionsIn("run/last.safetensors"), "");
  EXPECT_EQ(AbstractionsIn("stopped/last.safetensors"), AbstractionsIn("run/last.safetensors"));
}

TEST_F(AbstractTrainingTest, WhatIsNotWorthItChangesNothing) {
  request_.given["domain"] = "sorting:max_length=2";  // one step solves all problems
  request_.given["steps"] = "2000";
  abstract_at_ = {1000};
  ASSERT_TRUE(Train());
  EXPECT_EQ(AbstractionsIn("run/last.safetensors"), "");
}

TEST_F(AbstractTrainingTest, ThoseOfAnotherDomainAreRefused) {
  request_.given["abstractions"] = Path("sorting.abstractions");
  request_.given["domain"] = "fractions";
  EXPECT_EQ(ErrorOf([this] { Train(); }), "the abstractions are for sorting, not for fractions");
}

}  // namespace
}  // namespace conpole

// Training with abstractions: they are steps of the run, stay with it and with its models, and are taken from the model that a
// run begins with. The learner is one that is simple enough to know what it must do.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "domains/abstract_domain.h"
#include "tests/counting_learner.h"
#include "tests/files.h"
#include "train/run.h"
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
                      {"bootstrap", "20"},
                      {"eval-every", "150"},
                      {"threads", "1"},
                      {"hidden", "8"},
                      {"embedding", "4"},
                      {"layers", "1"},
                      {"eval-seeds", "0:5"},
                      {"validation-seeds", "5:10"}};
    std::ofstream(Path("sorting.abstractions")) << kText;
    parts_.make_domain = [](const std::string& spec) { return MakeDomain(spec); };
    parts_.read_abstractions = [](const RunSettings& settings) -> std::string {
      if (!settings.abstractions.empty()) return FormatAbstractions(ReadAbstractionFile(settings.abstractions));
      return settings.train.init.empty() ? "" : ReadAbstractionsOfModel(settings.train.init);
    };
    parts_.with_abstractions = [this](std::unique_ptr<Domain> domain, const std::string& text) {
      ++wrapped_;
      return WithAbstractions(std::move(domain), ParseAbstractions(text));
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

  static constexpr const char* kText = "conpole abstractions 1 for sorting\ncarry: swap; swap @0:R\n";
  RunRequest request_;
  RunParts parts_;
  std::atomic<bool> stop_ = false;
  int wrapped_ = 0;
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
  EXPECT_EQ(wrapped_, 2);
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
  EXPECT_EQ(wrapped_, 0);
  EXPECT_FALSE(ReadModel(Path("run/last.safetensors")).metadata.contains(kAbstractionsKey));
}

TEST_F(AbstractTrainingTest, SomeProblemsAreSearchedByAxiomsAlone) {
  request_.given["abstractions"] = Path("sorting.abstractions");
  request_.given["steps"] = "3000";
  request_.given["abstract-at"] = "2000";
  const std::unique_ptr<Domain> axioms = MakeDomain("sorting:max_length=5");
  std::size_t solutions_of_axioms = 0;
  std::size_t all = 0;
  parts_.find_abstractions = [&](const Domain&, std::span<const std::vector<std::string>> solutions, std::size_t) {
    all = solutions.size();
    solutions_of_axioms = static_cast<std::size_t>(std::count_if(solutions.begin(), solutions.end(), [&](const auto& path) {
      Successors successors;
      for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        successors.Clear();
        axioms->Expand(path[i], Labels::kOff, successors);
        bool is_axiom = false;
        for (std::size_t k = 0; k < successors.size(); ++k) is_axiom |= successors.state(k) == path[i + 1];
        if (!is_axiom) return false;
      }
      return true;
    }));
    return std::string();
  };
  ASSERT_TRUE(Train());
  EXPECT_LT(solutions_of_axioms, all) << "abstractions are used";
  EXPECT_FALSE(ReadModel(Path("run/best.safetensors")).metadata.contains("validation_axioms_success"));

  request_.given["axioms-share"] = "1";
  request_.folder = Path("axioms");
  ASSERT_TRUE(Train());
  ASSERT_GT(all, 0U);
  EXPECT_EQ(solutions_of_axioms, all);
  const Model model = ReadModel(Path("axioms/best.safetensors"));
  EXPECT_TRUE(model.metadata.contains("validation_axioms_success"));
  EXPECT_EQ(model.metadata.at(kAbstractionsKey), kText);
}

TEST_F(AbstractTrainingTest, AreFoundOnTheWay) {
  request_.given["steps"] = "3000";
  request_.given["abstract-at"] = "1000,2000";
  request_.given["abstract-most"] = "3";
  std::vector<bool> was_abstract;
  parts_.find_abstractions = [&](const Domain& domain, std::span<const std::vector<std::string>> solutions, std::size_t most) {
    EXPECT_EQ(most, 3U);
    EXPECT_FALSE(solutions.empty());
    for (const std::vector<std::string>& path : solutions) EXPECT_TRUE(domain.Solved(path.back())) << path.back();
    was_abstract.push_back(AsAbstractDomain(domain) != nullptr);
    return std::string(kText);
  };
  ASSERT_TRUE(Train());
  EXPECT_EQ(was_abstract, (std::vector<bool>{false, true}));
  EXPECT_EQ(wrapped_, 2);
  EXPECT_EQ(AbstractionsIn("run/last.safetensors"), kText);
}

TEST_F(AbstractTrainingTest, ARunThatGoesOnFindsThemAsIfItHadNeverStopped) {
  request_.given["steps"] = "2000";
  request_.given["abstract-at"] = "1000";
  request_.given["checkpoint-minutes"] = "0";
  std::vector<std::vector<std::vector<std::string>>> looked_at;
  parts_.find_abstractions = [&](const Domain&, std::span<const std::vector<std::string>> solutions, std::size_t) {
    looked_at.emplace_back(solutions.begin(), solutions.end());
    return std::string(kText);
  };
  ASSERT_TRUE(Train());
  request_.folder = Path("stopped");
  RunEvents events;
  events.evaluated = [this](const TrainStatus& status) { stop_ = status.steps >= 500; };
  {
    TrainingRun run(request_, parts_, events);
    ASSERT_FALSE(run.Train(stop_));
  }
  ASSERT_EQ(looked_at.size(), 1U);
  stop_ = false;
  request_.resume = true;
  ASSERT_TRUE(Train());
  ASSERT_EQ(looked_at.size(), 2U);
  EXPECT_EQ(looked_at[0], looked_at[1]);
  // And what is found stays.
  EXPECT_EQ(AbstractionsIn("stopped/last.safetensors"), kText);
}

TEST_F(AbstractTrainingTest, WhatIsNotWorthItChangesNothing) {
  request_.given["steps"] = "2000";
  request_.given["abstract-at"] = "1000";
  parts_.find_abstractions = [](const Domain&, std::span<const std::vector<std::string>>, std::size_t) {
    return std::string();
  };
  ASSERT_TRUE(Train());
  EXPECT_EQ(wrapped_, 0);
  EXPECT_EQ(AbstractionsIn("run/last.safetensors"), "");
}

TEST_F(AbstractTrainingTest, NoneCanBeFoundForAFixedLayout) {
  request_.given["domain"] = "rubiks-cube";
  request_.given["abstract-at"] = "100";
  parts_.find_abstractions = [](const Domain&, std::span<const std::vector<std::string>>, std::size_t) {
    return std::string();
  };
  EXPECT_EQ(ErrorOf([this] { Train(); }), "abstract-at: there is no way to find abstractions for rubiks-cube");
}

TEST_F(AbstractTrainingTest, ThoseOfAnotherDomainAreRefused) {
  request_.given["abstractions"] = Path("sorting.abstractions");
  request_.given["domain"] = "fractions";
  EXPECT_EQ(ErrorOf([this] { Train(); }), "the abstractions are for sorting, not for fractions");
}

}  // namespace
}  // namespace conpole

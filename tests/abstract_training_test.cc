// Training with abstractions: they are steps of the run, stay with it and with its models, and are taken from the model that a
// run begins with. The learner is one that is simple enough to know what it must do.
#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

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

TEST_F(AbstractTrainingTest, ThoseOfAnotherDomainAreRefused) {
  request_.given["abstractions"] = Path("sorting.abstractions");
  request_.given["domain"] = "fractions";
  EXPECT_EQ(ErrorOf([this] { Train(); }), "the abstractions are for sorting, not for fractions");
}

}  // namespace
}  // namespace conpole

// Runs in folders, around a learner that is simple enough to know what it must do.
#include "train/run/run.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/counting_learner.h"
#include "tests/files.h"
#include "tests/thread_ranks.h"

namespace conpole {
namespace {

// One whose weights are those that it was given, so that models can be written.
class StoredLearner final : public CountingLearner {
 public:
  explicit StoredLearner(const Model& model) : tensors_(model.tensors) {}
  Tensors Weights() const override { return tensors_; }

 private:
  Tensors tensors_;
};

class RunTest : public FolderTest {
 protected:
  RunTest() {
    request_.folder = Path("run");
    request_.version = "test";
    request_.given = {{"domain", "sorting:max_length=5"},
                      {"steps", "2000"},
                      {"in-flight", "16"},
                      {"eval-every", "500"},
                      {"threads", "1"},
                      {"eval-seeds", "0:20"},
                      {"network", "lstm:embedding=4,hidden=8"},
                      {"curriculum", "short"},
                      {"validation-seeds", "20:40"}};
    parts_.make_domain = [](const std::string& spec) { return MakeDomain(spec); };
    parts_.adapt = [](TrainOptions& options) { options.bootstrap = 20; };
    parts_.make_learner = [this](const Model& model, const LearnerOptions&, const std::string&) {
      auto learner = std::make_unique<StoredLearner>(model);
      learner->diverge_after = diverge_after_;
      return learner;
    };
  }

  bool Train() {
    TrainingRun run(request_, parts_, events_);
    const bool is_done = run.Train(stop_);
    best_model_ = run.best_model();
    return is_done;
  }
  void Resume(const SettingValues& given = {}) {
    request_.resume = true;
    request_.given = given;
  }
  std::string TrainError() {
    return ErrorOf([this] { Train(); });
  }

  RunRequest request_;
  RunParts parts_;
  RunEvents events_;
  std::atomic<bool> stop_ = false;
  int diverge_after_ = 1'000'000'000;
  std::string best_model_;
};

TEST_F(RunTest, WritesAllThatARunLeaves) {
  std::vector<std::string> saved;
  events_.saved = [&](const std::string& path) { saved.push_back(path); };
  EXPECT_TRUE(Train());
  EXPECT_EQ(best_model_, Path("run/best.safetensors"));
  EXPECT_EQ(saved.back(), Path("run/last.safetensors"));
  const Model model = ReadModel(best_model_);
  EXPECT_EQ(model.metadata.at("domain"), MakeDomain("sorting:max_length=5")->Spec());
  EXPECT_EQ(model.metadata.at("full_domain"), "sorting:min_length=1,max_length=5");
  EXPECT_EQ(model.metadata.at("agent"), "cvi");
  EXPECT_EQ(model.metadata.at("eval_verified"), model.metadata.at("eval_success"));
  EXPECT_TRUE(std::filesystem::exists(MetricsPath(Path("run"))));
  EXPECT_TRUE(std::filesystem::exists(Path("run/config.toml")));
}

TEST_F(RunTest, AFolderTakesOneProcessAtATime) {
  TrainingRun run(request_, parts_, {});
  EXPECT_EQ(TrainError(), Path("run") + " is in use: another process trains there");
  Resume();
  EXPECT_EQ(TrainError(), Path("run") + " is in use: another process trains there");
}

TEST_F(RunTest, RanksOfDifferentVersionsOrBuildsAreRefused) {
  std::vector<std::string> errors(3);
  OnThreadRanks(3, [&](Ranks& ranks) {
    RunRequest request = request_;
    RunParts parts = parts_;
    parts.ranks = &ranks;
    if (ranks.rank() == 1) request.version = "other";
    if (ranks.rank() == 2) request.build = "of yesterday";
    errors[ranks.rank()] = ErrorOf([&] { const TrainingRun run(request, parts, {}); });
  });
  for (const std::string& error : errors) {
    EXPECT_NE(error.find("version is test on rank 0 and other on rank 1"), std::string::npos) << error;
    EXPECT_NE(error.find("build is  on rank 0 and of yesterday on rank 2"), std::string::npos) << error;
  }
}

// A learner that waits for other ranks now and then, and leaves the caller time for something else.
class WaitingLearner final : public CountingLearner {
 public:
  WaitingLearner(bool waits, std::string& log) : waits_(waits), to_(log) {}
  ~WaitingLearner() override { to_ = log(); }
  WaitingLearner(const WaitingLearner&) = delete;
  WaitingLearner& operator=(const WaitingLearner&) = delete;

  void LearnMeanwhile(const TrainingBatch& batch, double learning_rate, const std::function<bool()>& meanwhile) override {
    for (int i = learned() % 4; waits_ && i > 0 && meanwhile(); --i) ++used_;
    Learn(batch, learning_rate);
  }
  void Refresh() override {
    EXPECT_TRUE(!waits_ || learned() < 100 || used_ > 0) << "nothing was done meanwhile";
    CountingLearner::Refresh();
  }

 private:
  bool waits_;
  std::string& to_;
  int used_ = 0;
};

// How long ranks wait for each other, and so what they do meanwhile, depends on the machine.
TEST_F(RunTest, RanksLearnTheSameWhateverTheyScoredWhileTheyWaited) {
  std::vector<std::string> logs[2];
  for (const bool waits : {false, true}) {
    std::vector<std::string>& log = logs[waits ? 1 : 0];
    log.resize(2);
    request_.folder = Path(waits ? "waits" : "never-waits");
    request_.given["domain"] = "sorting:max_length=9";
    request_.given["steps"] = "6000";
    request_.given["in-flight"] = "64";
    OnThreadRanks(2, [&](Ranks& ranks) {
      RunParts parts = parts_;
      parts.ranks = &ranks;
      parts.make_learner = [&](const Model&, const LearnerOptions&, const std::string&) {
        return std::make_unique<WaitingLearner>(waits, log[ranks.rank()]);
      };
      TrainingRun run(request_, parts, {});
      EXPECT_TRUE(run.Train(stop_));
    });
  }
  EXPECT_FALSE(logs[0][0].empty());
  EXPECT_NE(logs[0][0], logs[0][1]);
  EXPECT_EQ(logs[0], logs[1]);
}

// Nothing that was learned from is lost, and all ranks have done as much.
TEST_F(RunTest, GoesOnWithAnotherNumberOfRanks) {
  request_.given["domain"] = "sorting:max_length=5 + ternary-addition:max_digits=3";
  std::size_t experiences = 0;
  int steps = 0;
  for (const std::size_t size : {2U, 3U, 1U, 4U, 2U}) {
    steps += 600;
    std::vector<TrainStatus> statuses(size);
    request_.given["steps"] = std::to_string(steps);
    OnThreadRanks(size, [&](Ranks& ranks) {
      RunParts parts = parts_;
      parts.ranks = &ranks;
      TrainingRun run(request_, parts, {});
      EXPECT_TRUE(run.Train(stop_));
      statuses[ranks.rank()] = run.status();
    });
    request_.resume = true;
    for (const TrainStatus& status : statuses) {
      EXPECT_GE(status.steps, static_cast<std::uint64_t>(steps));
      EXPECT_EQ(status.steps, statuses[0].steps);
      EXPECT_EQ(status.solved, statuses[0].solved);
      EXPECT_EQ(status.domains[1].solved, statuses[0].domains[1].solved);
      EXPECT_EQ(status.gradient_steps, statuses[0].gradient_steps);
      EXPECT_EQ(status.depth_limit, statuses[0].depth_limit);
      EXPECT_EQ(status.weights_differed, 0U);
    }
    EXPECT_GT(statuses[0].replay_examples, experiences) << size << " ranks";
    experiences = statuses[0].replay_examples;
  }
}

TEST_F(RunTest, ANewRunNeedsAFolderWithoutOne) {
  ASSERT_TRUE(Train());
  EXPECT_NE(TrainError().find("has a run already"), std::string::npos);
  // What a checkpoint would have said is gone, and what is left is not replaced all the same.
  for (const auto& entry : std::filesystem::directory_iterator(Path("run"))) {
    if (entry.path().filename().string().starts_with("checkpoint")) std::filesystem::remove(entry.path());
  }
  const std::string best = Content("run/best.safetensors");
  EXPECT_NE(TrainError().find("has a run already"), std::string::npos);
  Resume({{"domain", "sorting"}});
  EXPECT_NE(TrainError().find("has no checkpoint to resume from, but it has"), std::string::npos);
  EXPECT_EQ(Content("run/best.safetensors"), best);
}

// So that the same command can begin a run and go on with it.
TEST_F(RunTest, ResumingWhereNothingIsBeginsAndSaysSo) {
  std::vector<std::string> warnings;
  events_.warning = [&](const std::string& message) { warnings.push_back(message); };
  request_.resume = true;
  EXPECT_TRUE(Train());
  EXPECT_EQ(warnings, std::vector<std::string>{Path("run") + " has no checkpoint to resume from: the run begins at step 0"});
  warnings.clear();
  Resume({{"steps", "2500"}});
  EXPECT_TRUE(Train());
  EXPECT_EQ(warnings, std::vector<std::string>{});
}

TEST_F(RunTest, AFolderThatIsRefusedStaysAsItWas) {
  request_.given["domain"] = "chess";
  EXPECT_NE(TrainError().find("chess"), std::string::npos);
  request_.given.erase("domain");
  EXPECT_EQ(TrainError(), "the domain is missing: conpole train DOMAIN");
  EXPECT_FALSE(std::filesystem::exists(Path("run")));
}

TEST_F(RunTest, UnfinishedFilesOfKilledProcessesAreRemoved) {
  std::filesystem::create_directory(Path("run"));
  for (const char* name : {"checkpoint-000000000000100.4711-3.tmp", "best.safetensors.4711-0.tmp", "config.toml.1-2.tmp",
                           "notes.tmp", "my.1-1.tmp"}) {
    std::ofstream(Path(std::string("run/") + name)) << "x";
  }
  ASSERT_TRUE(Train());
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(Path("run"))) {
    if (entry.path().extension() == ".tmp") left.push_back(entry.path().filename());
  }
  std::sort(left.begin(), left.end());
  EXPECT_EQ(left, (std::vector<std::string>{"my.1-1.tmp", "notes.tmp"}));
}

TEST_F(RunTest, ResumingGoesOnWithTheSettingsOfTheRun) {
  ASSERT_TRUE(Train());
  Resume({{"steps", "3000"}});
  {
    TrainingRun run(request_, parts_, {});
    EXPECT_GE(run.status().steps, 2000U);
    EXPECT_EQ(run.settings().train.in_flight, 16U);
    EXPECT_TRUE(run.Train(stop_));
    EXPECT_GE(run.status().steps, 3000U);
  }
  // Without the file the checkpoint knows them.
  std::filesystem::remove(Path("run/config.toml"));
  Resume();
  const TrainingRun run(request_, parts_, {});
  EXPECT_EQ(run.settings().train.steps, 3000U);
  EXPECT_EQ(run.settings().train.in_flight, 16U);
}

TEST_F(RunTest, ResumingAFinishedRunChangesNothing) {
  ASSERT_TRUE(Train());
  const std::string metrics = Content("run/metrics.jsonl");
  const std::vector<MetricsLine> lines = ReadMetrics(MetricsPath(Path("run")));
  for (std::size_t i = 1; i < lines.size(); ++i) EXPECT_LT(lines[i - 1].step, lines[i].step);
  Resume();
  EXPECT_TRUE(Train());
  EXPECT_EQ(Content("run/metrics.jsonl"), metrics);
}

TEST_F(RunTest, AFileMayMoveButNotChangeOnResuming) {
  const std::string text =
      "domain sort\nstate list\nvar a b : number\nvar s : list\ngoal s.. if ascending(s)\nrule swap .. a b .. -> .. b a ..\n"
      "problem \"{l}\" with n in 2..5, l in shuffle(1..n)\nkeeps multiset\n";
  std::ofstream(Path("a.domain")) << text;
  std::ofstream(Path("moved.domain")) << text << "# a comment\n";
  std::ofstream(Path("changed.domain")) << text << "limit 100\n";
  request_.given["domain"] = Path("a.domain");
  ASSERT_TRUE(Train());
  Resume({{"domain", Path("moved.domain")}});
  EXPECT_TRUE(Train());
  Resume({{"domain", Path("changed.domain")}});
  EXPECT_NE(TrainError().find("is a run with another text of the domain sort"), std::string::npos) << TrainError();
}

// Signs of its states are characters of the network; those of sentences are not, nor are they of another run's network.
TEST_F(RunTest, TheAlphabetIsThatOfTheDomainAndStays) {
  const std::string text =
      "domain logic\ntitle en \"Logic – small\"\nstate term\ninfix left ∨\ninfix left ∧\nprefix ¬\nconstant ⊤\nletter p q\n"
      "var a b : term\nvar x : atom\ngoal x\nrule double ¬¬a -> a\nrule swap a ∧ b -> b ∧ a\nrule same a ∧ a -> a\n"
      "problem \"¬¬{v} ∧ {v}\" with v in \"p\", \"q\"\nkeeps truth\n";
  std::ofstream(Path("logic.domain")) << text;
  request_.given["domain"] = Path("logic.domain");
  request_.given["steps"] = "200";
  ASSERT_TRUE(Train());
  const Model model = ReadModel(Path("run/last.safetensors"));
  EXPECT_EQ(model.architecture.alphabet, "¬∧∨⊤");
  Resume({{"steps", "400"}});
  ASSERT_TRUE(Train());
  EXPECT_EQ(ReadModel(Path("run/last.safetensors")).architecture, model.architecture);

  request_.resume = false;
  request_.folder = Path("ascii");
  request_.given = {
      {"domain", "sorting:max_length=5"}, {"steps", "200"}, {"threads", "1"}, {"init", Path("run/last.safetensors")}};
  ASSERT_TRUE(Train());
  EXPECT_EQ(ReadModel(Path("ascii/last.safetensors")).architecture.alphabet, "¬∧∨⊤") << "that of the model it began with";
  request_.folder = Path("new");
  request_.given.erase("init");
  ASSERT_TRUE(Train());
  EXPECT_EQ(ReadModel(Path("new/last.safetensors")).architecture.alphabet, "");
}

TEST_F(RunTest, NeitherDomainNorAgentChangesOnResuming) {
  ASSERT_TRUE(Train());
  Resume({{"domain", "sorting:max_length=7"}});
  EXPECT_NE(TrainError().find("cannot go on with sorting:max_length=7"), std::string::npos) << TrainError();
  Resume({{"domain", "sorting:max_length=5"}, {"agent", "conpole"}});
  EXPECT_NE(TrainError().find("cannot go on with conpole"), std::string::npos);
  Resume({{"network", "lstm:embedding=4,hidden=8,layers=1,spaces=skip"}});
  EXPECT_EQ(TrainError(), Path("run") +
                              " is a run with the network lstm:embedding=4,hidden=8,layers=1,spaces=read, and cannot "
                              "go on with lstm:embedding=4,hidden=8,layers=1,spaces=skip");
}

TEST_F(RunTest, AnAgentBringsWhatIsUsualForItUnlessSomethingElseIsGiven) {
  request_.given.insert({{"agent", "drrn"}, {"variant", "as-published"}, {"gradient-steps", "0.25"}});
  {
    TrainingRun run(request_, parts_, {});
    EXPECT_EQ(run.settings().train.discount, 1);
    EXPECT_EQ(run.settings().train.target_every, 1U);
    EXPECT_EQ(run.settings().train.gradient_steps, 0.25);
    EXPECT_EQ(run.settings().train.batch, 64U);
    stop_ = true;
    EXPECT_FALSE(run.Train(stop_));
  }
  // What was resolved once stays, and so does the variant.
  Resume({{"batch", "32"}});
  {
    const TrainingRun run(request_, parts_, {});
    EXPECT_EQ(run.settings().train.batch, 32U);
    EXPECT_EQ(run.settings().train.gradient_steps, 0.25);
    EXPECT_EQ(run.settings().train.discount, 1);
    EXPECT_EQ(run.settings().train.variant, Variant::kAsPublished);
  }
  Resume({{"variant", "repaired"}});
  EXPECT_EQ(TrainError(), Path("run") + " is a run with the variant as-published, and cannot go on with repaired");
}

// A run needs a domain and nothing else.
TEST_F(RunTest, TheRecipeSizesItselfToDeviceDomainAndAgent) {
  const auto settings_of = [&](const SettingValues& given) {
    RunRequest request = request_;
    request.given = given;
    RunParts parts = parts_;
    parts.adapt = {};
    parts.make_packed_learner = [](const auto&...) { return nullptr; };
    return TrainingRun(request, parts, {}).settings();
  };
  const RunSettings sorting = settings_of({{"domain", "sorting"}});
  EXPECT_EQ(sorting.agent, "cvi");
  EXPECT_EQ(sorting.device, "cpu");
  EXPECT_EQ(sorting.train.steps, 0U) << "as many as it takes";
  EXPECT_FALSE(sorting.train.network.skips_spaces.value()) << "there are none";
  const RunSettings equations = settings_of({{"domain", "equations"}, {"network", "lstm:hidden=24"}});
  EXPECT_EQ(equations.train.network.sizes.at("hidden"), 24);
  EXPECT_EQ(equations.train.network.sizes.at("embedding"), sorting.train.network.sizes.at("embedding"));
  EXPECT_TRUE(equations.train.network.skips_spaces.value());
  const RunSettings on_gpu = settings_of({{"domain", "equations"}, {"device", "cuda"}});
  EXPECT_GT(on_gpu.train.in_flight, equations.train.in_flight);
  EXPECT_EQ(on_gpu.train.network.sizes.at("hidden"), 128);
  EXPECT_TRUE(settings_of({{"domain", "sorting"}, {"abstractions", "none"}}).train.abstract_at.empty());
  EXPECT_FALSE(sorting.train.abstract_at.empty());
  EXPECT_GT(settings_of({{"domain", "sorting"}, {"agent", "drrn"}}).train.steps, 0U) << "it does not notice its end";
}

TEST_F(RunTest, ARunMayBeginWithTheWeightsOfAModel) {
  ASSERT_TRUE(Train());
  const Tensors first = ReadModel(Path("run/last.safetensors")).tensors;
  request_.folder = Path("cold");
  request_.given["seed"] = "2";
  ASSERT_TRUE(Train());
  EXPECT_NE(ReadModel(Path("cold/last.safetensors")).tensors, first);
  request_.folder = Path("warm");
  request_.given["init"] = Path("run/last.safetensors");
  ASSERT_TRUE(Train());
  EXPECT_EQ(ReadModel(Path("warm/last.safetensors")).tensors, first);
  request_.folder = Path("other");
  request_.given["network"] = "lstm:spaces=skip";
  EXPECT_EQ(TrainError(), Path("run/last.safetensors") +
                              ": training cannot begin with this network: its way with spaces is read and not skip");
  request_.given["agent"] = "conpole";
  request_.given["network"] = "lstm:layers=2";
  EXPECT_EQ(TrainError(), Path("run/last.safetensors") +
                              ": training cannot begin with this network: its layers is 1 and not 2, its head is value and "
                              "not bilinear");
  request_.given["network"] = "bag";
  EXPECT_EQ(TrainError(),
            Path("run/last.safetensors") + ": training cannot begin with this network: its kind is lstm and not bag");
}

TEST_F(RunTest, OneRunMayBeOfSeveralDomains) {
  request_.given["domain"] = "sorting:max_length=5 + ternary-addition";
  ASSERT_TRUE(Train());
  const std::map<std::string, std::string> metadata = ReadModel(best_model_).metadata;
  EXPECT_EQ(metadata.at("domain"), "sorting:max_length=5 + ternary-addition");
  EXPECT_EQ(metadata.at("0.full_domain"), "sorting:min_length=1,max_length=5");
  EXPECT_EQ(metadata.at("1.domain"), "ternary-addition");
  const MetricsLine last = ReadMetrics(MetricsPath(Path("run"))).back();
  EXPECT_DOUBLE_EQ(
      last.Find("validation_success").value(),
      (last.Find("validation_success/sorting").value() + last.Find("validation_success/ternary-addition").value()) / 2);
  EXPECT_EQ(last.Find("steps/sorting").value() + last.Find("steps/ternary-addition").value(), static_cast<double>(last.step));

  Resume({{"steps", "2500"}});
  EXPECT_TRUE(Train());
  for (const char* other : {"sorting:max_length=5", "ternary-addition + sorting:max_length=5",
                            "sorting:max_length=5 + ternary-addition + fractions"}) {
    Resume({{"domain", other}});
    EXPECT_NE(TrainError().find(" and cannot go on with "), std::string::npos) << other;
  }
}

TEST_F(RunTest, WhatOneNetworkCannotLearnIsRefused) {
  request_.given["domain"] = "sorting + rubiks-cube";
  EXPECT_EQ(TrainError(),
            "the states of rubiks-cube have a fixed layout: it is learned by a network of its own, not beside others");
  request_.given["domain"] = "sorting + fractions + sorting";
  EXPECT_EQ(TrainError(), "sorting is named twice");
}

TEST_F(RunTest, ARunThatIsKilledAtOnceCanBeResumed) {
  stop_ = true;  // the nearest to a kill: nothing is done
  EXPECT_FALSE(Train());
  stop_ = false;
  Resume();
  EXPECT_TRUE(Train());
}

// The process ends after the last evaluation was written and before the checkpoint was that knows of it.
TEST_F(RunTest, NoLineOfMetricsIsWrittenTwice) {
  struct Killed {};
  request_.given["eval-every"] = "1000000";            // at the end only
  request_.given["checkpoint-minutes"] = "0.0000001";  // always
  events_.evaluated = [](const TrainStatus&) { throw Killed(); };
  EXPECT_THROW(Train(), Killed);
  ASSERT_EQ(ReadMetrics(MetricsPath(Path("run"))).size(), 1U);
  events_.evaluated = {};
  Resume();
  EXPECT_TRUE(Train());
  EXPECT_EQ(ReadMetrics(MetricsPath(Path("run"))).size(), 1U);
}

TEST_F(RunTest, TheConfigurationRecordsWhatMadeTheRun) {
  request_.record = {{"commit", "abc"}};
  EXPECT_TRUE(Train());
  const std::string config = Content("run/config.toml");
  EXPECT_NE(config.find("[record]\ncommit = 'abc'\nversion = 'test'\n"), std::string::npos) << config;
  EXPECT_EQ(ReadSettingsFile(Path("run/config.toml")).at("domain"), "sorting:max_length=5");
}

TEST_F(RunTest, DivergenceIsSaidAndTheLastCheckpointIsWhole) {
  diverge_after_ = 30;
  EXPECT_NE(TrainError().find("The last checkpoint is from before that"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(Path("run/last.safetensors")));
  diverge_after_ = 1'000'000'000;
  Resume();
  EXPECT_TRUE(Train());
}

}  // namespace
}  // namespace conpole

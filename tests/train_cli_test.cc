// Training as a user meets it: train, kill, resume, evaluate, ship, solve.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/files.h"
#include "tests/program.h"
#include "tests/small_training.h"
#include "util/random.h"

namespace conpole {
namespace {

class TrainCliTest : public FolderTest {
 protected:
  // The name of the newest checkpoint of a run; empty if there is none yet.
  std::string NewestCheckpoint(const std::string& run) const {
    std::string newest;
    std::error_code ignored;  // the folder may not be there yet
    for (const auto& entry : std::filesystem::directory_iterator(Path(run), ignored)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("checkpoint-") && !name.ends_with(".tmp")) newest = std::max(newest, name);
    }
    return newest;
  }

  // The metrics without what depends on the clock.
  std::vector<Json> Metrics(const std::string& run) const {
    std::vector<Json> lines;
    for (const std::string& line : Lines(Content(run + "/metrics.jsonl"))) {
      Json object = Json::parse(line);
      for (auto item = object.begin(); item != object.end();) {
        item = item.key().find("second") != std::string::npos ? object.erase(item) : std::next(item);
      }
      lines.push_back(object);
    }
    return lines;
  }
};

TEST_F(TrainCliTest, TrainsAModelThatSolves) {
  const Outcome outcome = Conpole(TrainArguments(Path("run"), {"--steps", "6000"}));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::vector<Json> metrics = Metrics("run");
  ASSERT_GE(metrics.size(), 3U);
  EXPECT_GE(metrics.back()["validation_success"].get<double>(), 0.95) << metrics.back();

  const std::string model = Path("run/best.safetensors");
  const Json report = Conpole({"eval", "sorting:max_length=5", "--model", model, "--search", "greedy", "--json"}).json();
  EXPECT_GE(report["success_rate"].get<double>(), 0.95) << report;
  EXPECT_EQ(report["success_rate"], report["verified_rate"]);
  const Outcome solved = Conpole({"solve", "sorting", "[===|==|=]", "--model", model});
  EXPECT_EQ(solved.status, 0) << solved.err;
  EXPECT_NE(solved.out.find("[1, 2, 3] is the answer"), std::string::npos) << solved.out;
  EXPECT_NE(Content("run/config.toml").find("hidden=16"), std::string::npos);
}

TEST_F(TrainCliTest, OneNetworkLearnsTwoDomains) {
  Arguments arguments = TrainArguments(Path("run"), {"--steps", "20000", "--domain", "sorting:max_length=5"});
  arguments.erase(std::find(arguments.begin(), arguments.end(), "--domain"));  // as texts
  arguments.push_back("ternary-addition:max_digits=6");
  const Outcome outcome = Conpole(arguments);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json last = Metrics("run").back();
  const std::string model = Path("run/best.safetensors");
  for (const char* domain : {"sorting:max_length=5", "ternary-addition:max_digits=6"}) {
    const Json report = Conpole({"eval", domain, "--model", model, "--search", "greedy", "--json"}).json();
    EXPECT_GE(report["success_rate"].get<double>(), 0.9) << domain << " " << last;
  }
  EXPECT_EQ(Conpole({"solve", "sorting", "[===|==|=]", "--model", model}).status, 0);
  const Outcome refused = Conpole({"solve", "fractions", "[1]/[2] + [1]/[3]", "--model", model});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("is for the domain sorting:max_length=5 + ternary-addition:max_digits=6, not for fractions"),
            std::string::npos)
      << refused.err;
}

TEST_F(TrainCliTest, TheSameSeedGivesTheSameMetrics) {
  for (const char* name : {"a", "b"}) {
    ASSERT_EQ(Conpole(TrainArguments(Path(name), {"--steps", "3000"})).status, 0);
  }
  EXPECT_EQ(Metrics("a"), Metrics("b"));
  EXPECT_EQ(Content("a/last.safetensors"), Content("b/last.safetensors"));
  ASSERT_EQ(Conpole(TrainArguments(Path("c"), {"--steps", "3000", "--seed", "2"})).status, 0);
  EXPECT_NE(Metrics("a"), Metrics("c"));
}

// From walks away from the solved cube to a beam that solves cubes of a list, a hint and a vector.
TEST_F(TrainCliTest, LearnsTheCubeFromWalks) {
  if (!CONPOLE_HAS_TORCH) {
    ExpectRefused({"train", "rubiks-cube", "--out", Path("x")}, "this needs LibTorch");
    EXPECT_FALSE(std::filesystem::exists(Path("x")));
    return;
  }
  const Outcome outcome = Conpole({"train", "rubiks-cube:max_moves=3", "--out", Path("run"), "--network",
                                   "residual:wide=64,hidden=32", "--walk-length", "5", "--batch", "500", "--steps", "60000",
                                   "--learning-rate", "0.005", "--eval-every", "30000", "--threads", "1"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("states/s"), std::string::npos) << outcome.out;
  const std::vector<Json> metrics = Metrics("run");
  EXPECT_GE(metrics.back()["validation_success"].get<double>(), 0.8) << metrics.back();

  const std::string model = Path("run/last.safetensors");
  std::ofstream(Path("cubes.json")) << R"(["R U R' F2 D L' B U2", "F R U"])";
  Json report =
      Conpole({"eval", "rubiks-cube", "--cubes", Path("cubes.json"), "--model", model, "--beam", "2000", "--json"}).json();
  EXPECT_EQ(report["problems"], 2) << report;
  EXPECT_EQ(report["verified"], 2) << report;
  EXPECT_GT(report["expanded"], 0) << report;
  std::ofstream(Path("cubes.txt")) << "A000000000aB111111111bC225225225cD334334334dE442442442eF553553553f\r\n\nF R U\n";
  report =
      Conpole({"eval", "rubiks-cube", "--problems", Path("cubes.txt"), "--model", model, "--device", "cpu:0", "--json"}).json();
  EXPECT_EQ(report["verified"], 2) << "with LibTorch: " << report;
  EXPECT_EQ(report["mean_length"], 2.0) << report;
  EXPECT_EQ(Conpole({"solve", "rubiks-cube", "R U R' F", "--model", model}).status, 0);
  EXPECT_EQ(Conpole({"hint", "rubiks-cube", "R U R' F", "--model", model}).status, 0);
  const Outcome vector = Conpole({"embed", "rubiks-cube", "--model", model},
                                 "A000000000aB111111111bC225225225cD334334334dE442442442eF553553553f\n");
  EXPECT_EQ(vector.json()["vector"].size(), 32U) << vector.err;

  ExpectRefused({"eval", "rubiks-cube", "--cubes", Path("none"), "--model", model}, "none");
  std::ofstream(Path("bad.txt")) << "R U\nR W\n";
  ExpectRefused({"eval", "rubiks-cube", "--cubes", Path("bad.txt"), "--model", model}, "problem 2: position 2");
  ExpectRefused({"eval", "rubiks-cube", "--cubes", Path("bad.txt"), "--seeds", "0:2"}, "excludes");
  ExpectRefused({"eval", "sorting", "--model", model}, "is for the domain rubiks-cube");
}

// By search, without walking backwards; then searched in the same way, and gone on from with another schedule.
TEST_F(TrainCliTest, LearnsTheCubeBySearch) {
  if (!CONPOLE_HAS_TORCH) GTEST_SKIP() << "this needs LibTorch";
  const Outcome outcome = Conpole({"train",           "rubiks-cube:max_moves=3",
                                   "--out",           Path("run"),
                                   "--agent",         "conpole-local",
                                   "--network",       "residual:wide=64,hidden=32",
                                   "--beam",          "20",
                                   "--in-flight",     "20",
                                   "--batch",         "100",
                                   "--steps",         "20000",
                                   "--learning-rate", "0.005",
                                   "--eval-every",    "10000",
                                   "--threads",       "1"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::vector<Json> metrics = Metrics("run");
  EXPECT_GE(metrics.back()["validation_success"].get<double>(), 0.7) << metrics.back();
  EXPECT_EQ(metrics.back()["level"], 3) << metrics.back();
  EXPECT_LT(metrics.back()["step"], 20'000 + 20) << metrics.back();

  const std::string model = Path("run/last.safetensors");
  std::ofstream(Path("cubes.txt")) << "F R U\nR U'\n";
  for (const std::string search : {"beam", "bwas"}) {
    std::vector<std::string> eval{"eval", "rubiks-cube", "--cubes", Path("cubes.txt"), "--model",
                                  model,  "--search",    search,    "--json"};
    EXPECT_EQ(Conpole(eval).json()["expanded"], 0) << "these are known from walking backwards";
    eval.insert(eval.end(), {"--endgame", "off"});
    const Json report = Conpole(eval).json();
    EXPECT_EQ(report["verified"], 2) << report;
    EXPECT_GT(report["expanded"], 4) << report;
  }
  ExpectRefused({"eval", "rubiks-cube", "--model", model, "--endgame", "maybe"}, "--endgame must be on or off");

  EXPECT_EQ(
      Conpole({"train", "rubiks-cube", "--out", Path("again"), "--steps", "100", "--batch", "50", "--init", model}).status, 0);
  ExpectRefused({"train", "rubiks-cube", "--out", Path("other"), "--network", "residual:wide=65", "--init", model},
                "its wide is 64 and not 65");
}

// Waits until a condition holds, however slow the machine is, or the process has ended.
template <class Condition>
bool WaitUntil(const Process& process, const Condition& holds) {
  while (!holds()) {
    siginfo_t ended{};
    if (waitid(P_PID, static_cast<id_t>(process.pid()), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid != 0) {
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

TEST_F(TrainCliTest, ResumesAfterBeingKilledAtAnyMoment) {
  const Arguments arguments =
      TrainArguments(Path("run"), {"--steps", "100000000", "--checkpoint-minutes", "0.001", "--resume"});
  Random random(5);
  const Scratch ignored;
  std::string newest;
  for (int i = 0; i < 20; ++i) {
    {
      Process process(arguments, ignored.descriptor(), ignored.descriptor(), ignored.descriptor());
      // Every other time as soon as it may be, else some time after it has come further.
      if (i % 2 == 0) {
        const std::string before = newest;
        ASSERT_TRUE(WaitUntil(process, [&] { return NewestCheckpoint("run") > before; })) << ignored.Read();
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(random.Uint64(0, 300)));
      kill(process.pid(), SIGKILL);
      EXPECT_EQ(process.Wait(), 1000 + SIGKILL) << ignored.Read();
    }
    const std::string now = NewestCheckpoint("run");
    EXPECT_GE(now, newest) << "what was kept is lost";
    newest = now;
  }
  EXPECT_FALSE(newest.empty());

  // SIGTERM and SIGHUP are requests: they end with a checkpoint, and the last part finishes the run.
  for (const int signal : {SIGTERM, SIGHUP}) {
    Process process(arguments, ignored.descriptor(), ignored.descriptor(), ignored.descriptor());
    ASSERT_TRUE(WaitUntil(process, [&] { return NewestCheckpoint("run") > newest; })) << ignored.Read();
    kill(process.pid(), signal);
    EXPECT_EQ(process.Wait(), 130) << ignored.Read();
    newest = NewestCheckpoint("run");
  }
  const Outcome last = Conpole({"train", "--out", Path("run"), "--resume", "--steps", "1"});
  EXPECT_EQ(last.status, 0) << last.err;
  std::uint64_t step = 0;
  for (const Json& line : Metrics("run")) {
    EXPECT_GE(line["step"].get<std::uint64_t>(), step);
    step = line["step"];
  }
  for (const auto& entry : std::filesystem::directory_iterator(Path("run"))) {
    EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
  }
}

TEST_F(TrainCliTest, AnInterruptedEvaluationEndsAtOnceWithACheckpoint) {
  // Problems for minutes of evaluation, with which a run begins that begins with a model.
  ASSERT_EQ(Conpole(TrainArguments(Path("first"), {"--steps", "200"})).status, 0);
  const Scratch out;
  const Scratch err;
  Process process(TrainArguments(Path("run"), {"--steps", "100000000", "--eval-seeds", "0:3000000", "--eval-every", "1000000",
                                               "--init", Path("first/last.safetensors"), "--json"}),
                  err.descriptor(), out.descriptor(), err.descriptor());
  ASSERT_TRUE(WaitUntil(process, [&] { return !NewestCheckpoint("run").empty(); })) << err.Read();
  kill(process.pid(), SIGTERM);
  EXPECT_EQ(process.Wait(), 130) << err.Read();
  EXPECT_EQ(Content("run/metrics.jsonl"), "");
  EXPECT_FALSE(std::filesystem::exists(Path("run/best.safetensors")));
}

TEST_F(TrainCliTest, TwoProcessesDoNotShareAFolder) {
  const Scratch ignored;
  Process process(TrainArguments(Path("run"), {"--steps", "100000000"}), ignored.descriptor(), ignored.descriptor(),
                  ignored.descriptor());
  ASSERT_TRUE(WaitUntil(process, [&] { return !NewestCheckpoint("run").empty(); })) << ignored.Read();
  ExpectRefused(TrainArguments(Path("run"), {"--steps", "100"}), "is in use");
  ExpectRefused({"train", "--out", Path("run"), "--resume"}, "is in use");
}

TEST_F(TrainCliTest, DivergenceIsSaidAndTheRunCanGoOn) {
  const Outcome outcome = Conpole(TrainArguments(Path("run"), {"--steps", "3000", "--learning-rate", "1e30"}));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("training has diverged"), std::string::npos) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(Path("run/last.safetensors")));
  const Outcome again = Conpole({"train", "--out", Path("run"), "--resume", "--learning-rate", "0.005"});
  EXPECT_EQ(again.status, 0) << again.err;
}

TEST_F(TrainCliTest, AFinishedRunStaysAsItIs) {
  ASSERT_EQ(Conpole(TrainArguments(Path("run"), {"--steps", "2000"})).status, 0);
  const std::string metrics = Content("run/metrics.jsonl");
  EXPECT_EQ(metrics.find("\"loss\":null"), std::string::npos) << metrics;
  ASSERT_EQ(Conpole({"train", "--out", Path("run"), "--resume"}).status, 0);
  EXPECT_EQ(Content("run/metrics.jsonl"), metrics);
}

TEST_F(TrainCliTest, WhatWasNotEvaluatedHasNoBest) {
  const Outcome outcome = Conpole(TrainArguments(Path("run"), {"--steps", "50"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("the policy was not evaluated yet"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("best"), std::string::npos) << outcome.out;
}

TEST_F(TrainCliTest, TellsProgramsWhatHappens) {
  const Outcome outcome = Conpole(TrainArguments(Path("run"), {"--steps", "2000", "--json"}));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::map<std::string, int> events;
  Json last;
  for (const std::string& line : Lines(outcome.out)) {
    last = Json::parse(line);
    ++events[last["event"]];
  }
  EXPECT_GE(events["evaluated"], 1);
  EXPECT_GE(events["saved"], 2);
  EXPECT_EQ(last["event"], "end");
  EXPECT_EQ(last["done"], true);
  EXPECT_EQ(last["best_model"], Path("run/best.safetensors"));
}

// Q-learning from walks, of which some get nowhere: far better than where it began.
TEST_F(TrainCliTest, DrrnLearns) {
  const Outcome outcome = Conpole(TrainArguments(Path("run"), {"--agent", "drrn", "--steps", "3000", "--gradient-steps", "1"}));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::vector<Json> metrics = Metrics("run");
  EXPECT_LT(metrics.front()["eval_success"].get<double>(), 0.7) << metrics.front();
  EXPECT_GE(metrics.back()["eval_success"].get<double>(), 0.9) << metrics.back();
}

TEST_F(TrainCliTest, BaselinesLearn) {
  for (const char* agent : {"cvi", "adi", "davi", "bc"}) {
    const Outcome outcome =
        Conpole(TrainArguments(Path(agent), {"--agent", agent, "--steps", "3000", "--gradient-steps", "1"}));
    ASSERT_EQ(outcome.status, 0) << agent << ": " << outcome.err;
    const std::vector<Json> metrics = Metrics(agent);
    EXPECT_GE(metrics.back()["eval_success"].get<double>(), 0.9) << agent << ": " << metrics.back();
  }
}

// What was published has its faults: no walk gets anywhere, so only what is a step away can be learned.
TEST_F(TrainCliTest, DrrnAsPublishedDoesNotLearn) {
  const Outcome outcome =
      Conpole(TrainArguments(Path("run"), {"--agent", "drrn", "--variant", "as-published", "--steps", "3000"}));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_LT(Metrics("run").back()["eval_success"].get<double>(), 0.9);
  EXPECT_NE(Content("run/config.toml").find("variant = 'as-published'"), std::string::npos) << Content("run/config.toml");
  ExpectRefused(TrainArguments(Path("x"), {"--variant", "as-published"}), "conpole has no variant as-published");
}

TEST_F(TrainCliTest, BadInputIsRefusedAndLosesNothing) {
  ExpectRefused({"train", "--out", Path("x")}, "the domain is missing");
  ExpectRefused({"train"}, "the domain is missing");
  ExpectRefused({"train", "sorting", "--domain", "fractions", "--out", Path("x")}, "the domain is given twice");
  ExpectRefused({"train", "--domain", "chess", "--out", Path("x")}, "chess");
  ExpectRefused({"train", "--domain", "sorting", "--agent", "alphazero", "--out", Path("x")}, "alphazero");
  ExpectRefused({"train", "--domain", "sorting", "--device", "abacus", "--out", Path("x")},
                CONPOLE_HAS_TORCH ? "abacus" : "LibTorch");
  ExpectRefused({"train", "--domain", "sorting", "--beam", "0", "--out", Path("x")},
                "beam must be a whole number from 1 to 8191");
  ExpectRefused({"train", "--domain", "sorting", "--steps", "-1", "--out", Path("x")}, "steps must be a whole number");
  ExpectRefused({"train", "--domain", "sorting", "--network", "lstm:hidden=100000", "--out", Path("x")}, "hidden must be");
  ExpectRefused({"train", "--domain", "sorting", "--network", "bag:layers=2", "--out", Path("x")}, "layers");
  ExpectRefused({"train", "--domain", "sorting", "--seed", "18446744073709551616", "--out", Path("x")}, "seed must be");
  ExpectRefused({"train", "--domain", "sorting", "--beam", "18446744073709551615", "--out", Path("x")}, "beam must be");
  ExpectRefused({"train", "--domain", "sorting", "--gradient-steps", "inf", "--out", Path("x")}, "gradient-steps must be");
  ExpectRefused({"train", "--domain", "sorting", "--seconds", "nan", "--out", Path("x")}, "seconds must be");
  ExpectRefused({"train", "--config", folder(), "--out", Path("x")}, "is a folder");
  std::ofstream(Path("bad.toml")) << "domain = \"sorting\"\nlerning-rate = 1\n";
  ExpectRefused({"train", "--config", Path("bad.toml"), "--out", Path("x")}, "there is no setting 'lerning-rate'");
  std::ofstream(Path("old.toml")) << "domain = \"sorting\"\nbeam-noise = 1\n";
  ExpectRefused({"train", "--config", Path("old.toml"), "--out", Path("x")}, "line 2: the setting beam-noise is gone");
  std::ofstream(Path("value.toml")) << "domain = \"sorting\"\nsteps = \"many\"\n";
  ExpectRefused({"train", "--config", Path("value.toml"), "--out", Path("x")}, "steps");
  ExpectRefused({"train", "--config", Path("none.toml"), "--out", Path("x")}, "none.toml");
  EXPECT_FALSE(std::filesystem::exists(Path("x")));

  ASSERT_EQ(Conpole(TrainArguments(Path("run"), {"--steps", "200"})).status, 0);
  ExpectRefused(TrainArguments(Path("run"), {"--steps", "200"}), "has a run already");
  ExpectRefused({"train", "--out", Path("run"), "--resume", "--network", "lstm:hidden=24"}, "cannot go on with lstm:");
  std::ofstream(Path("file")) << "not a folder";
  ExpectRefused(TrainArguments(Path("file"), {"--steps", "200"}), Path("file"));
}

// Settings that a user changes by hand must be those that the program knows.
TEST_F(TrainCliTest, EveryShippedConfigurationIsRead) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(CONPOLE_SOURCE) + "/configs")) {
    ++count;
    const Outcome outcome =
        Conpole({"train", "--config", entry.path(), "--out", Path("x"), "--device", "cpu", "--agent", "none"});
    EXPECT_NE(outcome.err.find("unknown agent 'none'"), std::string::npos) << entry.path() << ": " << outcome.err;
  }
  EXPECT_EQ(count, 3);
}

}  // namespace
}  // namespace conpole

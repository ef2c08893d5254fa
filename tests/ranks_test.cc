// Runs on several ranks as a launcher starts them: a process for each, told by environment variables who it is. What happens to
// one of them must not leave the others behind.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/files.h"
#include "tests/free_port.h"
#include "tests/program.h"
#include "tests/small_training.h"
#include "util/random.h"

namespace conpole {
namespace {

// Processes that were started together.
class Launch {
 public:
  using Variables = std::vector<std::pair<std::string, std::string>>;

  // The environment of each rank has `variables` besides. `last` is what the last rank is given instead of `arguments`, if that
  // is not empty.
  Launch(std::size_t size, const Arguments& arguments, const Variables& variables = {}, const Arguments& last = {},
         rlim_t file_size_of_last = RLIM_INFINITY) {
    const std::uint16_t port = FreePort();
    for (std::size_t rank = 0; rank < size; ++rank) {
      Variables all = variables;
      all.insert(all.end(), {{"RANK", std::to_string(rank)},
                             {"LOCAL_RANK", std::to_string(rank)},
                             {"WORLD_SIZE", std::to_string(size)},
                             {"MASTER_ADDR", "127.0.0.1"},
                             {"MASTER_PORT", std::to_string(port)}});
      for (const auto& [name, value] : all) setenv(name.c_str(), value.c_str(), 1);
      const bool is_last = rank + 1 == size;
      std::unique_ptr<FileSizeLimit> limit;
      if (is_last && file_size_of_last != RLIM_INFINITY) limit = std::make_unique<FileSizeLimit>(file_size_of_last);
      outs_.push_back(std::make_unique<Scratch>());
      errs_.push_back(std::make_unique<Scratch>());
      processes_.push_back(std::make_unique<Process>(is_last && !last.empty() ? last : arguments, none_.descriptor(),
                                                     outs_.back()->descriptor(), errs_.back()->descriptor()));
      for (const auto& [name, value] : all) unsetenv(name.c_str());
    }
  }

  void Signal(std::size_t rank, int signal) { kill(processes_[rank]->pid(), signal); }
  int Wait(std::size_t rank) { return processes_[rank]->Wait(); }
  std::string Out(std::size_t rank) const { return outs_[rank]->Read(); }
  std::string Err(std::size_t rank) const { return errs_[rank]->Read(); }

  // All are to end well.
  void ExpectDone() {
    for (std::size_t rank = 0; rank < processes_.size(); ++rank) {
      EXPECT_EQ(Wait(rank), 0) << "rank " << rank << ": " << Err(rank);
    }
  }

 private:
  Scratch none_;
  std::vector<std::unique_ptr<Scratch>> outs_;
  std::vector<std::unique_ptr<Scratch>> errs_;
  std::vector<std::unique_ptr<Process>> processes_;
};

class RanksTest : public FolderTest {
 protected:
  void SetUp() override {
    if (!CONPOLE_HAS_GLOO) GTEST_SKIP() << "this build has no Gloo";
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

  // Until a run has written metrics: it is in the middle of its work.
  void WaitForMetrics(const std::string& run) const {
    for (int i = 0; i < 6000 && Content(run + "/metrics.jsonl").empty(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
};

// Quick to notice what is lost, and still longer than a busy machine keeps a thread from running.
const Launch::Variables kQuick{{"CONPOLE_RANK_TIMEOUT", "5"}};

TEST_F(RanksTest, TwoRanksLearnAndTwoRunsAreEqual) {
  for (const char* name : {"a", "b"}) {
    Launch launch(2, TrainArguments(Path(name), {"--steps", "6000"}));
    launch.ExpectDone();
    EXPECT_NE(launch.Out(0).find("best validation"), std::string::npos) << launch.Out(0);
    EXPECT_EQ(launch.Out(1), "");
  }
  const std::vector<Json> metrics = Metrics("a");
  ASSERT_GE(metrics.size(), 3U);
  EXPECT_GE(metrics.back()["validation_success"].get<double>(), 0.95) << metrics.back();
  EXPECT_EQ(metrics.back()["weights_differed"], 0);
  EXPECT_NE(Content("a/metrics.jsonl").find("\"seconds_waited_rank_1\":"), std::string::npos);
  EXPECT_EQ(metrics, Metrics("b"));
  EXPECT_EQ(Content("a/last.safetensors"), Content("b/last.safetensors"));
}

TEST_F(RanksTest, GoesOnWithAnotherNumberOfRanks) {
  std::size_t lines = 0;
  int steps = 0;
  for (const std::size_t size : {2U, 3U, 1U, 2U}) {
    steps += 1500;
    const Arguments arguments = TrainArguments(Path("run"), {"--steps", std::to_string(steps), "--resume"});
    if (size == 1) {
      const Outcome outcome = Conpole(arguments);
      ASSERT_EQ(outcome.status, 0) << outcome.err;
    } else {
      Launch launch(size, arguments);
      launch.ExpectDone();
    }
    const std::vector<Json> metrics = Metrics("run");
    ASSERT_GT(metrics.size(), lines) << size << " ranks";
    lines = metrics.size();
    EXPECT_GE(metrics.back()["step"].get<int>(), steps);
    if (steps > 1500) {
      EXPECT_GT(metrics.back()["replay_examples"].get<int>(), 500) << "what was learned from is lost";
    }
  }
  EXPECT_GE(Metrics("run").back()["validation_success"].get<double>(), 0.95);
}

// The same number of ranks goes on as if it had never been stopped, if checkpoints are for that.
TEST_F(RanksTest, ResumesExactly) {
  const Arguments exact{"--checkpoint-minutes", "0", "--steps", "4000"};
  Launch(2, TrainArguments(Path("whole"), exact)).ExpectDone();
  {
    Launch launch(2, TrainArguments(Path("parts"), exact), kQuick);
    WaitForMetrics("parts");
    launch.Signal(0, SIGKILL);
    launch.Signal(1, SIGKILL);
    launch.Wait(0);
    launch.Wait(1);
  }
  Launch(2, TrainArguments(Path("parts"), {"--checkpoint-minutes", "0", "--steps", "4000", "--resume"})).ExpectDone();
  EXPECT_EQ(Content("whole/last.safetensors"), Content("parts/last.safetensors"));
}

// Of three ranks one is killed at some moment, from before they meet to the middle of learning.
TEST_F(RanksTest, AKilledRankEndsTheOthersWhichNameIt) {
  const int repetitions = std::getenv("CONPOLE_KILLS") != nullptr ? std::atoi(std::getenv("CONPOLE_KILLS")) : 3;
  Random random(1);
  const Arguments arguments =
      TrainArguments(Path("run"), {"--steps", "1000000000", "--resume", "--checkpoint-minutes", "0.01", "--eval-every", "500"});
  for (int i = 0; i < repetitions; ++i) {
    Launch launch(3, arguments, {{"CONPOLE_RANK_TIMEOUT", "5"}, {"CONPOLE_JOIN_TIMEOUT", "20"}});
    const std::size_t killed = static_cast<std::size_t>(i) % 3;
    if (i % 2 == 0) WaitForMetrics("run");
    std::this_thread::sleep_for(std::chrono::milliseconds(random.Uint64(0, 3000)));
    launch.Signal(killed, SIGKILL);
    for (std::size_t rank = 0; rank < 3; ++rank) {
      const int status = launch.Wait(rank);
      if (rank == killed) continue;
      EXPECT_EQ(status, 2) << launch.Err(rank);
      const std::string err = launch.Err(rank);
      const bool names_it = err.find("rank " + std::to_string(killed)) != std::string::npos ||
                            err.find("did not come within 20 s: " + std::to_string(killed)) != std::string::npos ||
                            (killed == 0 && err.find("nobody keeps a store") != std::string::npos);
      EXPECT_TRUE(names_it) << "rank " << killed << " was killed, and rank " << rank << " says: " << err;
    }
  }
  // What is there is whole.
  Launch launch(2, TrainArguments(Path("run"), {"--steps", "1", "--resume"}));
  launch.ExpectDone();
}

TEST_F(RanksTest, AHangingRankEndsTheOthersWhichNameIt) {
  for (const std::size_t stopped : {1U, 0U}) {
    const std::string run = "run" + std::to_string(stopped);
    Launch launch(2, TrainArguments(Path(run), {"--steps", "1000000000", "--eval-every", "500"}), kQuick);
    WaitForMetrics(run);
    launch.Signal(stopped, SIGSTOP);
    EXPECT_EQ(launch.Wait(1 - stopped), 2);
    EXPECT_NE(launch.Err(1 - stopped).find("rank " + std::to_string(stopped)), std::string::npos) << launch.Err(1 - stopped);
    launch.Signal(stopped, SIGKILL);
    launch.Signal(stopped, SIGCONT);
    launch.Wait(stopped);
  }
}

TEST_F(RanksTest, AFullDiskOnOneRankEndsAllAndLeavesTheCheckpointBefore) {
  Launch(2, TrainArguments(Path("run"), {"--steps", "1500"})).ExpectDone();
  const Arguments more = TrainArguments(Path("run"), {"--steps", "1000000000", "--resume", "--checkpoint-minutes", "0.001"});
  Launch launch(2, more, {}, more, /*file_size_of_last=*/1000);
  EXPECT_EQ(launch.Wait(0), 2);
  EXPECT_EQ(launch.Wait(1), 2);
  EXPECT_NE(launch.Err(1).find("checkpoint"), std::string::npos) << launch.Err(1);
  EXPECT_NE(launch.Err(0).find("rank 1 failed: the checkpoint"), std::string::npos) << launch.Err(0);
  Launch(2, TrainArguments(Path("run"), {"--steps", "1500", "--resume"})).ExpectDone();
}

TEST_F(RanksTest, RanksThatDifferAreRefused) {
  Launch launch(2, TrainArguments(Path("run"), {"--steps", "3000"}), {},
                TrainArguments(Path("run"), {"--steps", "4000", "--batch", "8"}));
  for (const std::size_t rank : {0U, 1U}) {
    EXPECT_EQ(launch.Wait(rank), 2);
    EXPECT_NE(launch.Err(rank).find("steps is 3000 on rank 0 and 4000 on rank 1"), std::string::npos) << launch.Err(rank);
    EXPECT_NE(launch.Err(rank).find("batch is 16 on rank 0 and 8 on rank 1"), std::string::npos) << launch.Err(rank);
  }
}

TEST_F(RanksTest, AnInterruptionOfOneRankStopsAllWithACheckpoint) {
  Launch launch(2, TrainArguments(Path("run"), {"--steps", "1000000000", "--eval-every", "500"}));
  WaitForMetrics("run");
  launch.Signal(1, SIGTERM);
  EXPECT_EQ(launch.Wait(0), 0);
  EXPECT_NE(launch.Out(0).find("not done yet"), std::string::npos) << launch.Out(0);
  EXPECT_EQ(launch.Wait(1), 130) << launch.Err(1);
  Launch(2, TrainArguments(Path("run"), {"--steps", "1", "--resume"})).ExpectDone();
}

TEST_F(RanksTest, ActorsSearchAndOthersLearn) {
  Launch launch(3, TrainArguments(Path("run"), {"--steps", "6000", "--actors", "2", "--weights-age", "8"}));
  launch.ExpectDone();
  const Json last = Metrics("run").back();
  EXPECT_GE(last["validation_success"].get<double>(), 0.95) << last;
  EXPECT_GT(last["weights_age_max"].get<int>(), 0) << last;
  EXPECT_LE(last["weights_age_max"].get<int>(), 8) << last;
  ExpectRefused(TrainArguments(Path("other"), {"--actors", "1"}), "one at least has to learn");
  // Roles may change.
  Launch(3, TrainArguments(Path("run"), {"--steps", "7000", "--actors", "0", "--resume"})).ExpectDone();
  EXPECT_GT(Metrics("run").back()["replay_examples"].get<int>(), 500);
}

}  // namespace
}  // namespace conpole

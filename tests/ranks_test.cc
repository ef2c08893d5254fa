// Runs on several ranks as a launcher starts them: a process for each, told by environment variables who it is. What happens to
// one of them must not leave the others behind.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
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
    const std::string port = std::to_string(FreePort());
    const auto place = [&](std::size_t rank) -> Variables {
      return {{"RANK", std::to_string(rank)},
              {"LOCAL_RANK", std::to_string(rank)},
              {"WORLD_SIZE", std::to_string(size)},
              {"MASTER_ADDR", "127.0.0.1"},
              {"MASTER_PORT", port}};
    };
    Start(size, place, arguments, variables, last, file_size_of_last);
  }

  // As srun starts them: it says nothing about where they meet.
  static Launch BySlurm(std::size_t size, const Arguments& arguments) {
    const std::string job = std::to_string(1'230'000 + FreePort(20'000 + getpid() % 9'000, 30'000) % 10'000);
    const auto place = [&](std::size_t rank) -> Variables {
      return {{"SLURM_PROCID", std::to_string(rank)},
              {"SLURM_LOCALID", std::to_string(rank)},
              {"SLURM_STEP_NUM_TASKS", std::to_string(size)},
              {"SLURM_STEP_NODELIST", "localhost"},
              {"SLURM_JOB_ID", job}};
    };
    Launch launch;
    launch.Start(size, place, arguments);
    return launch;
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
  Launch() = default;

  void Start(std::size_t size, const std::function<Variables(std::size_t rank)>& place, const Arguments& arguments,
             const Variables& variables = {}, const Arguments& last = {}, rlim_t file_size_of_last = RLIM_INFINITY) {
    for (std::size_t rank = 0; rank < size; ++rank) {
      Variables all = place(rank);
      all.insert(all.end(), variables.begin(), variables.end());
      for (const auto& [name, value] : all) setenv(name.c_str(), value.c_str(), 1);
      const bool is_last = rank + 1 == size;
      std::unique_ptr<FileSizeLimit> limit;
      if (is_last && file_size_of_last != RLIM_INFINITY) limit = std::make_unique<FileSizeLimit>(file_size_of_last);
      outs_.push_back(std::make_unique<Scratch>());
      errs_.push_back(std::make_unique<Scratch>());
      processes_.push_back(std::make_unique<Process>(is_last && !last.empty() ? last : arguments, none_->descriptor(),
                                                     outs_.back()->descriptor(), errs_.back()->descriptor()));
      for (const auto& [name, value] : all) unsetenv(name.c_str());
    }
  }

  std::unique_ptr<Scratch> none_ = std::make_unique<Scratch>();
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
    WaitFor([&] { return !Content(run + "/metrics.jsonl").empty(); });
  }
  static void WaitFor(const std::function<bool()>& is_there) {
    for (int i = 0; i < 6000 && !is_there(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }

  bool HasCheckpoint(const std::string& run) const {
    std::error_code none;
    const std::filesystem::directory_iterator files(Path(run), none);
    return std::any_of(begin(files), end(files), [](const std::filesystem::directory_entry& entry) {
      const std::string name = entry.path().filename().string();
      return name.starts_with("checkpoint-") && name.find('.') == std::string::npos;
    });
  }

  // What a run left, a process on its own can go on with; here it has nothing left to do.
  void ExpectWhole(const std::string& run) const {
    const Outcome outcome = Conpole(TrainArguments(Path(run), {"--steps", "1", "--resume"}));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("begins at step 0"), std::string::npos) << outcome.err;
  }
};

// Quick to notice what is lost, and still longer than a busy machine keeps a thread from running.
const Launch::Variables kQuick{{"CONPOLE_RANK_TIMEOUT", "5"}};

TEST_F(RanksTest, TwoRanksLearnAndTwoRunsAreEqual) {
  for (const char* name : {"a", "b"}) {
    Launch launch(2, TrainArguments(Path(name), {"--steps", "2000", "--eval-every", "500"}));
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
  int experiences = 0;
  int steps = 0;
  for (const std::size_t size : {2U, 3U, 1U, 2U}) {
    steps += 800;
    const Arguments arguments =
        TrainArguments(Path("run"), {"--steps", std::to_string(steps), "--resume", "--eval-every", "500"});
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
    EXPECT_GT(metrics.back()["replay_examples"].get<int>(), experiences) << "what was learned from is lost";
    experiences = metrics.back()["replay_examples"].get<int>();
  }
  EXPECT_GE(Metrics("run").back()["validation_success"].get<double>(), 0.95);
}

// The same number of ranks goes on as if it had never been stopped, if checkpoints are for that.
TEST_F(RanksTest, ResumesExactly) {
  Arguments exact{"--checkpoint-minutes", "0", "--steps", "2000", "--eval-every", "500"};
  Launch(2, TrainArguments(Path("whole"), exact)).ExpectDone();
  {
    Launch launch(2, TrainArguments(Path("parts"), exact), kQuick);
    WaitForMetrics("parts");
    launch.Signal(0, SIGKILL);
    launch.Signal(1, SIGKILL);
    launch.Wait(0);
    launch.Wait(1);
  }
  exact.push_back("--resume");
  Launch(2, TrainArguments(Path("parts"), exact)).ExpectDone();
  const std::string whole = Content("whole/last.safetensors");
  const std::string parts = Content("parts/last.safetensors");
  constexpr std::size_t kMetadata = 700;  // what the weights are is of no use to a reader
  EXPECT_TRUE(whole == parts) << whole.substr(8, kMetadata) << "\n"
                              << parts.substr(8, kMetadata) << "\n"
                              << Content("whole/metrics.jsonl") << "\n"
                              << Content("parts/metrics.jsonl");
}

// Of three ranks one is killed at some moment, from before they meet to the middle of learning. Three runs at a time: what they
// take is mostly waiting.
TEST_F(RanksTest, AKilledRankEndsTheOthersWhichNameIt) {
  const int repetitions = std::getenv("CONPOLE_KILLS") != nullptr ? std::atoi(std::getenv("CONPOLE_KILLS")) : 3;
  const auto run_of = [](int number) { return "run" + std::to_string(number % 3); };
  const auto kill_one = [&](Launch& launch, int number) {
    const auto killed = static_cast<std::size_t>(number) % 3;
    if (number % 2 == 0) WaitForMetrics(run_of(number));
    std::this_thread::sleep_for(std::chrono::milliseconds(Random(static_cast<std::uint64_t>(number)).Uint64(0, 3000)));
    launch.Signal(killed, SIGKILL);
    for (std::size_t rank = 0; rank < 3; ++rank) {
      const int status = launch.Wait(rank);
      if (rank == killed) continue;
      const std::string err = launch.Err(rank);
      EXPECT_EQ(status, 2) << err;
      const bool names_it = err.find("rank " + std::to_string(killed)) != std::string::npos ||
                            err.find("did not come within 20 s: " + std::to_string(killed)) != std::string::npos ||
                            (killed == 0 && err.find("nobody keeps a store") != std::string::npos);
      EXPECT_TRUE(names_it) << "rank " << killed << " was killed, and rank " << rank << " says: " << err;
    }
  };
  for (int done = 0; done < repetitions; done += 3) {
    std::vector<Launch> launches;
    for (int number = done; number < std::min(done + 3, repetitions); ++number) {
      const Arguments arguments = TrainArguments(
          Path(run_of(number)), {"--steps", "1000000000", "--resume", "--checkpoint-minutes", "0.01", "--eval-every", "500"});
      launches.emplace_back(3, arguments, Launch::Variables{{"CONPOLE_RANK_TIMEOUT", "5"}, {"CONPOLE_JOIN_TIMEOUT", "20"}});
    }
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < launches.size(); ++i) {
      threads.emplace_back([&, i] { kill_one(launches[i], done + static_cast<int>(i)); });
    }
    for (std::thread& thread : threads) thread.join();
  }
  ExpectWhole(run_of(0));
}

TEST_F(RanksTest, AHangingRankEndsTheOthersWhichNameIt) {
  std::vector<Launch> launches;
  const auto run_of = [](std::size_t stopped) { return "run" + std::to_string(stopped); };
  for (const std::size_t stopped : {0U, 1U}) {
    launches.emplace_back(2, TrainArguments(Path(run_of(stopped)), {"--steps", "1000000000", "--eval-every", "500"}), kQuick);
  }
  for (const std::size_t stopped : {0U, 1U}) {
    WaitForMetrics(run_of(stopped));
    launches[stopped].Signal(stopped, SIGSTOP);
  }
  for (const std::size_t stopped : {0U, 1U}) {
    Launch& launch = launches[stopped];
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
  ExpectWhole("run");
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
  ExpectWhole("run");
}

TEST_F(RanksTest, TakePartInAJobOfSlurm) {
  Launch launch = Launch::BySlurm(2, TrainArguments(Path("run"), {"--steps", "1500"}));
  launch.ExpectDone();
  EXPECT_NE(launch.Out(0).find("best validation"), std::string::npos) << launch.Out(0);
  EXPECT_EQ(launch.Out(1), "");
  EXPECT_NE(Content("run/metrics.jsonl").find("\"seconds_waited_rank_1\":"), std::string::npos);
}

TEST_F(RanksTest, EvaluateTogetherWhatOneWouldAlone) {
  const Arguments arguments{"eval", "sorting:max_length=5", "--seeds",   "0:31", "--search",
                            "bfs",  "--failures",           "--threads", "1"};
  const auto without_seconds = [](const std::string& text) { return text.substr(0, text.rfind(',')); };
  const Outcome alone = Conpole(arguments);
  Launch launch(2, arguments);
  launch.ExpectDone();
  EXPECT_EQ(without_seconds(launch.Out(0)), without_seconds(alone.out));
  EXPECT_EQ(launch.Out(1), "");
}

// The path of a program that is installed; nothing if it is not.
std::string Installed(const std::string& program) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = folder + "/" + program;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

// torchrun starts all ranks again when one is killed, and they go on from the last whole checkpoint.
TEST_F(RanksTest, AreStartedAgainByTorchrun) {
  const std::string torchrun = Installed("torchrun");
  if (torchrun.empty()) GTEST_SKIP() << "torchrun is not installed";
  // Each process says who it is, and learns without an end at the first start only.
  std::string script = "echo $$ > " + Path("pid") + "-$RANK-$TORCHELASTIC_RESTART_COUNT\nsteps=1000000000\n";
  script += "test $TORCHELASTIC_RESTART_COUNT = 0 || steps=2000\n";
  script += std::string("exec ") + CONPOLE_PROGRAM;
  for (const std::string& argument : TrainArguments(Path("run"), {"--resume", "--checkpoint-minutes", "0.001"})) {
    script += " '" + argument + "'";
  }
  script += " --steps $steps\n";
  std::ofstream(Path("rank.sh")) << script;
  const auto launch = [&](const Arguments& meeting) {
    // Spelt as all versions know them.
    Arguments arguments{"-r", "1", "-t", "1", "--nproc_per_node", "2", "--max_restarts", "1"};
    arguments.insert(arguments.end(), meeting.begin(), meeting.end());
    arguments.insert(arguments.end(), {"--no_python", "sh", Path("rank.sh")});
    const Scratch none;
    const Scratch out;
    const Scratch err;
    setenv("CONPOLE_RANK_TIMEOUT", "5", 1);
    Process process(arguments, none.descriptor(), out.descriptor(), err.descriptor(), torchrun);
    unsetenv("CONPOLE_RANK_TIMEOUT");
    std::atomic<bool> is_over = false;
    std::thread killer([&] {
      WaitFor([&] { return is_over || (!Content("run/metrics.jsonl").empty() && HasCheckpoint("run")); });
      if (!is_over) kill(std::atoi(Content("pid-1-0").c_str()), SIGKILL);
    });
    const int status = process.Wait();
    is_over = true;
    killer.join();
    return Outcome{status, out.Read(), err.Read()};
  };
  // The ranks meet at a store of torchrun's, unless it is of another version than LibTorch.
  Outcome outcome = launch({"--master_port", std::to_string(FreePort())});
  if (outcome.err.find("TORCH_DISABLE_SHARE_RDZV_TCP_STORE") != std::string::npos) {
    setenv("TORCH_DISABLE_SHARE_RDZV_TCP_STORE", "1", 1);
    outcome = launch({"--rdzv_backend", "c10d", "--rdzv_endpoint", "localhost:" + std::to_string(FreePort())});
    unsetenv("TORCH_DISABLE_SHARE_RDZV_TCP_STORE");
  }
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("rank 1"), std::string::npos) << outcome.err;
  EXPECT_FALSE(Content("pid-1-1").empty()) << "it was not started again: " << outcome.err;
  // It began once.
  const std::size_t begins = outcome.err.find("begins at step 0");
  ASSERT_NE(begins, std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("begins at step 0", begins + 1), std::string::npos) << outcome.err;
  const std::vector<Json> metrics = Metrics("run");
  ASSERT_FALSE(metrics.empty());
  EXPECT_GE(metrics.back()["step"].get<int>(), 2000);
}

}  // namespace
}  // namespace conpole

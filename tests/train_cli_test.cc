// Training as a user meets it: train, kill, resume, evaluate, ship, solve.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/files.h"
#include "tests/program.h"
#include "util/random.h"

namespace conpole {
namespace {

// A network that is just large enough for lists of up to five bars.
Arguments TrainArguments(const std::string& folder, const Arguments& more = {}) {
  Arguments arguments{"train",
                      "--domain",
                      "sorting:max_length=5",
                      "--out",
                      folder,
                      "--embedding",
                      "8",
                      "--hidden",
                      "16",
                      "--layers",
                      "1",
                      "--in-flight",
                      "32",
                      "--batch",
                      "16",
                      "--bootstrap",
                      "30",
                      "--threads",
                      "1",
                      "--eval-every",
                      "1000",
                      "--negatives-sampled",
                      "8",
                      "--gradient-steps",
                      "0.5",
                      "--learning-rate",
                      "0.005"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

class TrainCliTest : public FolderTest {
 protected:
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
  EXPECT_NE(Content("run/config.toml").find("hidden = 16"), std::string::npos);
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

TEST_F(TrainCliTest, ResumesAfterBeingKilledAtAnyMoment) {
  const Arguments arguments =
      TrainArguments(Path("run"), {"--steps", "100000000", "--checkpoint-minutes", "0.001", "--resume"});
  Random random(5);
  const Scratch ignored;
  std::string newest;
  for (int i = 0; i < 20; ++i) {
    {
      Process process(arguments, ignored.descriptor(), ignored.descriptor(), ignored.descriptor());
      std::this_thread::sleep_for(std::chrono::milliseconds(random.Uint64(100, 1200)));
      ASSERT_EQ(kill(process.pid(), 0), 0) << "it ended by itself: " << ignored.Read();
      kill(process.pid(), SIGKILL);
      EXPECT_EQ(process.Wait(), 1000 + SIGKILL) << ignored.Read();
    }
    std::string now;
    for (const auto& entry : std::filesystem::directory_iterator(Path("run"))) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("checkpoint-") && !name.ends_with(".tmp")) now = std::max(now, name);
    }
    EXPECT_GE(now, newest) << "what was kept is lost";
    newest = now;
  }
  EXPECT_FALSE(newest.empty());

  // SIGTERM is a request: it ends with a checkpoint, and the last part finishes the run.
  Process process(arguments, ignored.descriptor(), ignored.descriptor(), ignored.descriptor());
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  kill(process.pid(), SIGTERM);
  EXPECT_EQ(process.Wait(), 130) << ignored.Read();
  const Outcome last = Conpole({"train", "--out", Path("run"), "--resume", "--steps", "1"});
  EXPECT_EQ(last.status, 0) << last.err;
  std::uint64_t step = 0;
  for (const Json& line : Metrics("run")) {
    EXPECT_GE(line["step"].get<std::uint64_t>(), step);
    step = line["step"];
  }
}

TEST_F(TrainCliTest, BadInputIsRefusedAndLosesNothing) {
  ExpectRefused({"train", "--out", Path("x")}, "--domain is missing");
  ExpectRefused({"train", "--domain", "chess", "--out", Path("x")}, "chess");
  ExpectRefused({"train", "--domain", "sorting", "--agent", "alphazero", "--out", Path("x")}, "alphazero");
  ExpectRefused({"train", "--domain", "sorting", "--device", "abacus", "--out", Path("x")}, "abacus");
  ExpectRefused({"train", "--domain", "sorting", "--beam", "0", "--out", Path("x")}, "beam must be more than 0");
  ExpectRefused({"train", "--domain", "sorting", "--steps", "-1", "--out", Path("x")}, "--steps");
  ExpectRefused({"train", "--domain", "sorting", "--hidden", "10", "--out", Path("x")}, "multiple of 8");
  std::ofstream(Path("bad.toml")) << "domain = \"sorting\"\nlerning-rate = 1\n";
  ExpectRefused({"train", "--config", Path("bad.toml"), "--out", Path("x")}, "there is no setting 'lerning-rate'");
  std::ofstream(Path("value.toml")) << "domain = \"sorting\"\nsteps = \"many\"\n";
  ExpectRefused({"train", "--config", Path("value.toml"), "--out", Path("x")}, "steps");
  ExpectRefused({"train", "--config", Path("none.toml"), "--out", Path("x")}, "none.toml");
  EXPECT_FALSE(std::filesystem::exists(Path("x")));

  ASSERT_EQ(Conpole(TrainArguments(Path("run"), {"--steps", "200"})).status, 0);
  ExpectRefused(TrainArguments(Path("run"), {"--steps", "200"}), "has a run already");
  ExpectRefused({"train", "--out", Path("run"), "--resume", "--hidden", "24"}, "other sizes");
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
  EXPECT_GE(count, 6);
}

}  // namespace
}  // namespace conpole

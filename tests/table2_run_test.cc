// reproduce table2 as a whole, small: all agents, killed again and again, stopped in time.
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/files.h"
#include "tests/program.h"
#include "util/random.h"

namespace conpole {
namespace {

// Lists of up to four bars and a network that is just large enough for them.
Arguments Table2(const std::string& out, const Arguments& more = {}) {
  Arguments arguments{"reproduce", "table2",
                      "--out",     out,
                      "--domains", "sorting:max_length=4",
                      "--threads", "1",
                      "--steps",   "400",
                      "--set",     "network=lstm:embedding=4,hidden=8",
                      "--set",     "in-flight=8",
                      "--set",     "eval-every=100"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

class Table2RunTest : public FolderTest {
 protected:
  // All records without what depends on the clock, by their names.
  std::map<std::string, Json> Records(const std::string& out) const {
    std::map<std::string, Json> records;
    for (const auto& entry : std::filesystem::directory_iterator(Path(out + "/data"))) {
      Json record = Json::parse(Content(out + "/data/" + entry.path().filename().string()));
      record.erase("seconds");
      records[entry.path().filename()] = record;
    }
    return records;
  }
  // How far all runs have come, in a way that only grows.
  std::size_t Progress(const std::string& out) const {
    std::size_t progress = 0;
    std::error_code ignored;  // what is looked at may go away meanwhile
    for (auto entry = std::filesystem::recursive_directory_iterator(Path(out), ignored);
         entry != std::filesystem::recursive_directory_iterator(); entry.increment(ignored)) {
      if (ignored) break;
      const std::string name = entry->path().filename();
      if (name.starts_with("checkpoint-") && !name.ends_with(".tmp")) {
        progress += std::strtoull(name.c_str() + std::string("checkpoint-").size(), nullptr, 10);
      }
      if (name.ends_with(".json")) progress += 1'000'000;
    }
    return progress;
  }
  // Ends the processes that train below a folder.
  static void KillTraining(const std::string& folder) {
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const std::string name = entry.path().filename();
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      std::ifstream file(entry.path() / "cmdline");
      const std::string line{std::istreambuf_iterator<char>(file), {}};
      if (line.find(folder + "/runs/") != std::string::npos) kill(static_cast<pid_t>(std::stol(name)), SIGKILL);
    }
  }
};

TEST_F(Table2RunTest, AllAgentsGiveATableAndNothingIsDoneTwice) {
  const Outcome outcome = Conpole(Table2(Path("out"), {"--jobs", "2"}));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::map<std::string, Json> records = Records("out");
  EXPECT_EQ(records.size(), 12U);
  for (const auto& [name, record] : records) {
    EXPECT_EQ(record["done"], true) << name;
    EXPECT_GE(record["steps"].get<int>(), 400) << name;
    EXPECT_EQ(record["fresh"]["problems"], 1000) << name;
    EXPECT_FALSE(record["evaluations"].empty()) << name;
  }
  EXPECT_NE(outcome.out.find("ConPoLe-local"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("12 runs, 0 of them done; about"), std::string::npos) << outcome.err;

  const auto when = std::filesystem::last_write_time(Path("out/data/conpole-sorting-1.json"));
  const Outcome again = Conpole(Table2(Path("out")));
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.out, outcome.out);
  EXPECT_NE(again.err.find("12 runs, 12 of them done"), std::string::npos) << again.err;
  EXPECT_EQ(std::filesystem::last_write_time(Path("out/data/conpole-sorting-1.json")), when);
  ExpectRefused(Table2(Path("out"), {"--set", "network=lstm:hidden=9"}), "other settings");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(Path("out"))) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("checkpoint-")) << entry.path() << " takes room for nothing";
  }

  // More steps are another run.
  Arguments more = Table2(Path("out"), {"--agents", "conpole"});
  *std::find(more.begin(), more.end(), "400") = "600";
  EXPECT_EQ(Conpole(more).status, 0);
  EXPECT_GE(Records("out").at("conpole-sorting-1.json")["steps"].get<int>(), 600);
}

TEST_F(Table2RunTest, KilledAtAnyMomentItGoesOnAndTheNumbersAreTheSame) {
  const Arguments agents{"--agents", "conpole,davi,bc", "--variants", "as-published"};
  ASSERT_EQ(Conpole(Table2(Path("whole"), agents)).status, 0);
  Random random(7);
  const Scratch ignored;
  int kills = 0;
  for (std::size_t progress = 0; kills < 20; ++kills) {
    Process process(Table2(Path("killed"), agents), ignored.descriptor(), ignored.descriptor(), ignored.descriptor());
    // Every other time once it has come further, so that it ends on any machine.
    while (kills % 2 == 0 && Progress("killed") <= progress) {
      siginfo_t ended{};
      if (waitid(P_PID, static_cast<id_t>(process.pid()), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid != 0) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(random.Uint64(0, 200)));
    if (kills % 4 < 2) KillTraining(Path("killed"));
    kill(process.pid(), SIGKILL);
    process.Wait();
    progress = Progress("killed");
  }
  // A run whose process was killed has failed for that call; the next one goes on with it.
  const Outcome last = Conpole(Table2(Path("killed"), agents));
  ASSERT_EQ(last.status, 0) << last.err;
  EXPECT_EQ(Records("killed"), Records("whole"));
  EXPECT_EQ(Content("killed/table2.md"), Content("whole/table2.md"));
}

TEST_F(Table2RunTest, StopsInTimeOrWhenAskedAndLeavesNothingRunning) {
  const Arguments endless{"--agents", "conpole", "--set", "steps=1000000000"};
  ExpectRefused(Table2(Path("out"), endless), "--steps");
  const Arguments arguments = Table2(Path("out"), {"--agents", "conpole", "--set", "learning-rate=0.001"});
  Arguments long_ones = arguments;
  *std::find(long_ones.begin(), long_ones.end(), "400") = "1000000000";
  Arguments in_time = long_ones;
  in_time.insert(in_time.end(), {"--seconds", "3"});
  const Outcome outcome = Conpole(in_time);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("not done yet; the same command goes on"), std::string::npos) << outcome.err;

  const Scratch err;
  const Scratch ignored;
  {
    Process process(long_ones, ignored.descriptor(), ignored.descriptor(), err.descriptor());
    const std::size_t before = Progress("out");
    while (Progress("out") <= before && err.Read().find("conpole:") == std::string::npos) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    kill(process.pid(), SIGTERM);
    EXPECT_EQ(process.Wait(), 130) << err.Read();
  }
  // What it left is enough for a run that is to end earlier: nobody holds the folder any more.
  EXPECT_EQ(Conpole(arguments).status, 0);
  EXPECT_EQ(Records("out").size(), 1U);
}

}  // namespace
}  // namespace conpole

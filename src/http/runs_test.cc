#include "http/runs.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/files.h"

namespace conpole {
namespace {

namespace fs = std::filesystem;

class TrainingRunsTest : public FolderTest {
 protected:
  TrainingRunsTest() {
    Put("shown/new/metrics.jsonl",
        "{\"step\":100,\"seconds\":1.5,\"loss\":null,\"validation_success\":0.25,\"validation_success/"
        "sorting\":0.5,\"solved\":7}\n"
        "{\"step\":200,\"seconds\":3,\"loss\":0.25,\"validation_success\":0.5}\n"
        "{\"step\":300,\"sec");
    Put("shown/new/progress.json",
        R"({"domain":"sorting + fractions","running":true,"step":220,"tried":{"domain":"sorting","problem":"[==|=]","solution":[]}})");
    Put("shown/group/seed-1/metrics.jsonl", "");
    Put("shown/group/seed-1/progress.json", "{\"domain\":");
    Put("shown/group/notes.txt", "no run");
    fs::last_write_time(Path("shown/group/seed-1/metrics.jsonl"), fs::file_time_type::clock::now() - std::chrono::hours(1));
    fs::last_write_time(Path("shown/group/seed-1/progress.json"), fs::file_time_type::clock::now() - std::chrono::hours(1));
  }

  void Put(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(Path(name)).parent_path());
    std::ofstream(Path(name)) << text;
  }
  ServiceJson Ask(const std::string& operation, const std::string& request) const {
    const ServiceAnswer answer = TrainingRuns(Path("shown")).Answer(operation, request);
    EXPECT_EQ(answer.status, 200) << answer.body;
    return ServiceJson::parse(answer.body);
  }
};

TEST_F(TrainingRunsTest, AreListedNewestFirstWhateverTheySay) {
  const ServiceJson runs = Ask("list", "")["runs"];
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0]["run"], "new");
  EXPECT_EQ(runs[0]["domain"], "sorting + fractions");
  EXPECT_EQ(runs[0]["running"], true);
  EXPECT_LT(runs[0]["age"].get<double>(), 3000);
  EXPECT_EQ(runs[1]["run"], "group/seed-1");
  EXPECT_GT(runs[1]["age"].get<double>(), 3000);
  EXPECT_FALSE(runs[1].contains("domain")) << "half a file says nothing";
}

TEST_F(TrainingRunsTest, ShowWhatIsDrawn) {
  const ServiceJson run = Ask("show", R"({"run":"new"})");
  EXPECT_EQ(run["progress"]["tried"]["problem"], "[==|=]");
  EXPECT_EQ(run["curve"].dump(),
            R"([{"step":100,"seconds":1.5,"loss":null,"validation_success":0.25,"validation_success/sorting":0.5},)"
            R"({"step":200,"seconds":3,"loss":0.25,"validation_success":0.5}])");
  EXPECT_TRUE(Ask("show", R"({"run":"group/seed-1"})")["curve"].empty());
}

TEST_F(TrainingRunsTest, LongCurvesAreThinnedAndKeepTheirEnd) {
  std::string lines;
  for (int step = 1; step <= 5000; ++step) lines += "{\"step\":" + std::to_string(step) + "}\n";
  Put("shown/long/metrics.jsonl", lines);
  const ServiceJson curve = Ask("show", R"({"run":"long"})")["curve"];
  EXPECT_GT(curve.size(), 400U);
  EXPECT_LE(curve.size(), 501U);
  EXPECT_EQ(curve.front()["step"], 1);
  EXPECT_EQ(curve.back()["step"], 5000);
}

TEST_F(TrainingRunsTest, NothingElseCanBeRead) {
  Put("outside/metrics.jsonl", "{\"step\":1}\n");
  const TrainingRuns runs(Path("shown"));
  for (const char* const name : {"../outside", "group", "/etc", "", "new/", "new/../new"}) {
    EXPECT_EQ(runs.Answer("show", ServiceJson{{"run", name}}.dump()).status, 404) << name;
  }
  EXPECT_EQ(runs.Answer("show", "{}").status, 400);
  EXPECT_EQ(runs.Answer("list", "{\"run\":\"new\"}").status, 400);
  EXPECT_EQ(runs.Answer("list", "[").status, 400);
  EXPECT_NE(ErrorOf([&] { const TrainingRuns none(Path("outside/metrics.jsonl")); }).find("is not a folder"),
            std::string::npos);
}

}  // namespace
}  // namespace conpole

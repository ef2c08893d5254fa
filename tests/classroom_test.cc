// Classes: what keys allow, what is kept and deleted, and that no result is lost when the server is killed. The clock is the
// test's.
#include "classroom/classroom.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "classroom/record_store.h"
#include "classroom/results.h"
#include "classroom/store.h"
#include "conpole/error.h"
#include "tests/served_program.h"

namespace conpole {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr Seconds kDay = 86'400;

class ClassroomTest : public testing::Test {
 protected:
  void SetUp() override {
#ifndef CONPOLE_SQLITE
    EXPECT_THROW(OpenClassStore("anywhere"), Error);
    GTEST_SKIP() << "this build has no SQLite";
#endif
    folder_ = fs::path(testing::TempDir()) / ("conpole_class_" + std::to_string(getpid()) + "_" +
                                              testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  std::string folder() const { return folder_.string(); }
  Classroom& classroom() {
    if (!classroom_) Open();
    return *classroom_;
  }
  void Open(ClassroomOptions options = {}) {
    classroom_.reset();
    options.now = [this] { return now_; };
    classroom_ = std::make_unique<Classroom>(service_, OpenClassStore(folder()), options);
  }
  Json Ask(const std::string& operation, const Json& request, int status = 200) {
    const ServiceAnswer answer = classroom().Answer(operation, request.dump());
    EXPECT_EQ(answer.status, status) << operation << ' ' << request << ' ' << answer.body;
    return operation == "csv" ? Json(answer.body) : Json::parse(answer.body);
  }
  Json Make(const Json& more = Json::object()) {
    Json request{
        {"title", "Week 12"},
        {"items", {{{"domain", "algebra"}, {"problem", "2x+3=7"}}, {{"skill", "brackets"}, {"level", 1}, {"seed", 7}}}}};
    request.update(more);
    return Ask("make", request);
  }

  Seconds now_ = 1'800'000'000;

 private:
  fs::path folder_;
  Service service_;
  std::unique_ptr<Classroom> classroom_;
};

TEST_F(ClassroomTest, PagesOfPupilsHearOfTheRecordStore) {
  const Json keys = Make();
  EXPECT_FALSE(Ask("set", {{"set", keys["pupils"]}}).contains("records"));
  Open({.records = RecordStore{"https://lrs.example/xapi", "Basic YTpi"}});
  EXPECT_EQ(Ask("set", {{"set", keys["pupils"]}})["records"],
            (Json{{"endpoint", "https://lrs.example/xapi"}, {"auth", "Basic YTpi"}}));
  Open({.records = RecordStore{"/xapi", ""}});
  EXPECT_EQ(Ask("set", {{"set", keys["pupils"]}})["records"], (Json{{"endpoint", "/xapi"}}));
}

TEST(RecordStoreTest, TheFileIsReadStrictly) {
  const std::string path = testing::TempDir() + "/conpole_records_" + std::to_string(getpid()) + ".json";
  const auto read = [&](const std::string& text) {
    std::ofstream(path) << text;
    return ReadRecordStore(path);
  };
  const RecordStore store = read(R"({"endpoint": "https://lrs.example:8443/xapi", "auth": "Basic YTpi"})");
  EXPECT_EQ(store.auth, "Basic YTpi");
  EXPECT_EQ(store.Origin(), "https://lrs.example:8443");
  EXPECT_EQ(read(R"({"endpoint": "/xapi"})").Origin(), "");
  for (const char* const wrong :
       {"", "[]", "{}", R"({"endpoint": "lrs.example"})", R"({"endpoint": 7})", R"({"endpoint": "/x", "key": ""})",
        R"({"endpoint": "/x", "auth": "a\nb"})", R"({"endpoint": "ftp://lrs.example"})"}) {
    EXPECT_THROW(read(wrong), Error) << wrong;
  }
  fs::remove(path);
  EXPECT_THROW(ReadRecordStore(path), Error);
}

TEST_F(ClassroomTest, ResultsSayWhoDidWhat) {
  const Json keys = Make();
  const Json set = Ask("set", {{"set", keys["pupils"]}});
  EXPECT_EQ(set["title"], "Week 12");
  ASSERT_EQ(set["exercises"].size(), 2U);
  EXPECT_EQ(set["exercises"][0]["notation"], "2x + 3 = 7");
  EXPECT_FALSE(set["exercises"][1]["problem"].get<std::string>().empty());

  const Json ada = Ask("join", {{"set", keys["pupils"]}, {"name", " Ada "}});
  EXPECT_EQ(ada["name"], "Ada");
  const auto work = [&](std::uint64_t number, const Json& more, int status = 200) {
    Json request{{"set", keys["pupils"]}, {"pupil", ada["pupil"]}, {"number", number}, {"exercise", 1}};
    request.update(more);
    return Ask("work", request, status);
  };
  const Json wrong = work(1, {{"lines", {"2x=10"}}, {"seconds", 20}});
  EXPECT_EQ(wrong["correct"], false);
  EXPECT_TRUE(wrong["mistake"].is_string()) << wrong;
  work(2, {{"kind", "hint"}, {"seconds", 31}});
  EXPECT_EQ(work(3, {{"lines", {"2x=4"}}, {"seconds", 40}})["correct"], true);
  EXPECT_EQ(work(4, {{"lines", {"2x=4", "x=2"}}, {"seconds", 50}})["verdict"], "solved");
  // What comes again is kept once, and answered as before.
  EXPECT_EQ(work(1, {{"lines", {"2x=10"}}, {"seconds", 20}}), wrong);

  const Json results = Ask("results", {{"results", keys["results"]}});
  ASSERT_EQ(results["pupils"].size(), 1U);
  const Json& done = results["pupils"][0]["work"];
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(done[0]["exercise"], 1);
  EXPECT_EQ(done[0]["solved"], true);
  EXPECT_EQ(done[0]["hints"], 1);
  EXPECT_EQ(done[0]["seconds"], 50);
  ASSERT_EQ(done[0]["lines"].size(), 3U);
  EXPECT_EQ(done[0]["lines"][0]["line"], "2x=10");
  EXPECT_EQ(done[0]["mistakes"], (Json{{wrong["mistake"].get<std::string>(), 1}}));
  // The same to the pupil who comes back, who needs the code.
  EXPECT_EQ(Ask("pupil", {{"set", keys["pupils"]}, {"pupil", ada["pupil"]}})["work"], done);

  const std::string csv = Ask("csv", {{"results", keys["results"]}});
  EXPECT_TRUE(csv.starts_with("name,exercise,problem,solved,")) << csv;
  EXPECT_NE(csv.find("\"Ada\",1,\"2x + 3 = 7\",yes,1,1,0,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\"Ada\",2,"), std::string::npos) << csv;
}

TEST_F(ClassroomTest, KeysAllowWhatTheyAreForAndNoMore) {
  const Json keys = Make();
  const Json other = Make();
  EXPECT_NE(keys["pupils"], keys["results"]);
  EXPECT_NE(keys["pupils"], other["pupils"]);
  EXPECT_EQ(keys["results"].get<std::string>().size(), 26U);
  Ask("results", {{"results", keys["pupils"]}}, 404);
  Ask("csv", {{"results", keys["pupils"]}}, 404);
  Ask("delete", {{"results", keys["pupils"]}}, 404);
  Ask("set", {{"set", keys["results"]}}, 404);
  Ask("set", {{"set", ""}}, 404);
  Ask("results", {{"results", "' OR 1=1 --"}}, 404);
  const Json pupil = Ask("join", {{"set", keys["pupils"]}, {"name", "Ada"}});
  Ask("pupil", {{"set", other["pupils"]}, {"pupil", pupil["pupil"]}}, 404);
  // The set that pupils get says nothing of the results, or of other pupils.
  const std::string set = Ask("set", {{"set", keys["pupils"]}}).dump();
  EXPECT_EQ(set.find(keys["results"].get<std::string>()), std::string::npos);
  EXPECT_EQ(set.find("Ada"), std::string::npos);
}

TEST_F(ClassroomTest, NamesAreOfOnePupil) {
  const Json keys = Make();
  const Json join{{"set", keys["pupils"]}, {"name", "Ada"}, {"pupil", "abcdefghij23"}};
  EXPECT_EQ(Ask("join", join)["pupil"], "abcdefghij23");
  // The same pupil, whose answer was lost; and another one.
  EXPECT_EQ(Ask("join", join)["pupil"], "abcdefghij23");
  EXPECT_EQ(Ask("join", {{"set", keys["pupils"]}, {"name", "Ada"}}, 409)["detail"], "somebody has this name already");
  Ask("join", {{"set", keys["pupils"]}, {"name", "Bob"}, {"pupil", "abcdefghij23"}}, 409);
  Ask("join", {{"set", keys["pupils"]}, {"name", "  "}}, 400);
  Ask("join", {{"set", keys["pupils"]}, {"name", "a\nb"}}, 400);
  Ask("join", {{"set", keys["pupils"]}, {"name", std::string(100, 'a')}}, 400);
  Ask("join", {{"set", keys["pupils"]}, {"name", "Cid"}, {"pupil", "short"}}, 400);
  EXPECT_EQ(Ask("results", {{"results", keys["results"]}})["pupils"].size(), 1U);
}

TEST_F(ClassroomTest, WhatIsWrongIsSaidInTheLanguageOfTheSet) {
  const Json items{{{"problem", "2x + 3 = 7"}}};
  const Json german = Ask("make", {{"language", "de"}, {"items", items}});
  const Json join{{"set", german["pupils"]}, {"name", "Ada"}};
  Ask("join", join);
  EXPECT_EQ(Ask("join", join, 409)["detail"], "diesen Namen hat schon jemand");
  EXPECT_EQ(Ask("delete", {{"results", german["results"]}, {"name", "Bob"}}, 404)["detail"], "niemand hat diesen Namen");
  EXPECT_EQ(Ask("make", {{"language", "fr"}, {"items", {5}}}, 400)["detail"], "'items[0]' doit être un objet");
  EXPECT_EQ(Ask("set", {{"set", "nowhere"}}, 404)["detail"], "there is no such set, or not any more");
  Ask("make", {{"language", "xx"}, {"items", items}}, 400);
}

TEST_F(ClassroomTest, SetsWithoutHelpHaveNone) {
  const Json keys = Make({{"hints", false}});
  const Json pupil = Ask("join", {{"set", keys["pupils"]}, {"name", "Ada"}});
  const Json place{{"set", keys["pupils"]}, {"pupil", pupil["pupil"]}, {"number", 1}, {"exercise", 1}};
  Ask("hint", place, 403);
  Ask("solution", place, 403);
  for (const char* const kind : {"hint", "solution"}) {
    Json told = place;
    told["kind"] = kind;
    Ask("work", told, 403);
  }
  Json line = place;
  line["lines"] = {"x=2"};
  EXPECT_EQ(Ask("work", line)["verdict"], "solved");

  const Json open = Make();
  const Json other = Ask("join", {{"set", open["pupils"]}, {"name", "Ada"}});
  const Json there{{"set", open["pupils"]}, {"pupil", other["pupil"]}, {"exercise", 1}};
  Json first = there;
  first["number"] = 1;
  Json second = there;
  second["number"] = 2;
  EXPECT_FALSE(Ask("hint", first)["text"].get<std::string>().empty());
  EXPECT_EQ(Ask("solution", second)["answer"], "x = 2");
  const Json work = Ask("results", {{"results", open["results"]}})["pupils"][0]["work"][0];
  EXPECT_EQ(work["hints"], 1);
  EXPECT_EQ(work["solutions"], 1);
}

TEST_F(ClassroomTest, TeachersAndTimeDelete) {
  const Json keys = Make({{"days", 7}});
  const Json longer = Make();
  for (const char* const name : {"Ada", "Bob"}) Ask("join", {{"set", keys["pupils"]}, {"name", name}});
  Ask("delete", {{"results", keys["results"]}, {"name", "Ada"}});
  Ask("delete", {{"results", keys["results"]}, {"name", "Ada"}}, 404);
  const Json left = Ask("results", {{"results", keys["results"]}})["pupils"];
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0]["name"], "Bob");
  now_ += 7 * kDay;
  // Over, also before it is deleted.
  Ask("results", {{"results", keys["results"]}}, 404);
  Ask("join", {{"set", keys["pupils"]}, {"name", "Eve"}}, 404);
  Open();
  now_ -= 7 * kDay;
  Ask("results", {{"results", keys["results"]}}, 404);
  EXPECT_EQ(Ask("set", {{"set", longer["pupils"]}})["title"], "Week 12");
  Ask("delete", {{"results", longer["results"]}});
  Ask("set", {{"set", longer["pupils"]}}, 404);
  // Nothing of it is left in the files.
  for (const fs::directory_entry& file : fs::directory_iterator(folder())) {
    std::ifstream stream(file.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    for (const char* const text : {"Ada", "Bob", "Week 12"}) EXPECT_EQ(bytes.find(text), std::string::npos) << file.path();
  }
}

TEST_F(ClassroomTest, WhatIsWrongIsSaid) {
  Open({.keep_days = 30, .max_sets = 1, .max_exercises = 2, .max_pupils = 1, .max_events = 1});
  Ask("sing", Json::object(), 404);
  Ask("make", Json::object(), 400);
  Ask("make", {{"items", Json::array()}}, 400);
  Ask("make", {{"items", {1}}}, 400);
  EXPECT_EQ(Ask("make", {{"items", {{{"domain", "algebra"}}}}}, 400)["detail"], "'items[0].problem' is missing");
  Ask("make", {{"items", {{{"problem", nullptr}}}}}, 400);
  Ask("make", {{"items", {{{"problem", 7}}}}}, 400);
  Ask("make", {{"items", {{{"problem", "2x=4"}}}}, {"days", 31}}, 400);
  const Json unread = Ask("make", {{"items", {{{"problem", "2x=4"}}, {{"problem", "2x+=4"}}}}}, 422);
  EXPECT_EQ(unread["field"], "items[1]");
  Ask("make", {{"items", {{{"problem", "2x=4"}, {"secret", 1}}}}}, 400);
  const Json keys = Ask("make", {{"items", {{{"problem", "2x=4"}}}}});
  Ask("make", {{"items", {{{"problem", "2x=4"}}}}}, 503);
  const Json pupil = Ask("join", {{"set", keys["pupils"]}, {"name", "Ada"}});
  Ask("join", {{"set", keys["pupils"]}, {"name", "Bob"}}, 409);
  const auto work = [&](const Json& more, int status) {
    Json request{{"set", keys["pupils"]}, {"pupil", pupil["pupil"]}};
    request.update(more);
    Ask("work", request, status);
  };
  work({{"number", 1}, {"lines", {"x=2"}}}, 400);
  work({{"exercise", 2}, {"number", 1}, {"lines", {"x=2"}}}, 400);
  work({{"exercise", 1}, {"lines", {"x=2"}}}, 400);
  work({{"exercise", 1}, {"number", 1}}, 400);
  work({{"exercise", 1}, {"number", 1}, {"lines", {"x=2"}}}, 200);
  work({{"exercise", 1}, {"number", 2}, {"lines", {"x=2"}}}, 409);
}

TEST_F(ClassroomTest, NoCellOfASpreadsheetBecomesAFormula) {
  KeptSet set;
  set.exercises = R"([{"notation": "-x = 2"}])";
  KeptEvent line;
  line.kind = "line";
  line.line = "=\"x\"";
  line.verdict = "wrong";
  const std::string csv = ResultsToCsv(set, {{{1, "code", "=HYPERLINK(1)"}, {line}}});
  EXPECT_NE(csv.find("\r\n\"'=HYPERLINK(1)\",1,\"'-x = 2\",no,1,0,0,\"\",0,\"'=\"\"x\"\" [wrong]\"\r\n"), std::string::npos)
      << csv;
}

// A pupil on a line that breaks again and again: everything is sent until it is answered.
class PatientPupil {
 public:
  PatientPupil(const std::atomic<int>& port, std::string set) : port_(port), set_(std::move(set)) {}

  Json Ask(const std::string& operation, Json request) {
    request["set"] = set_;
    for (;;) {
      const int port = port_;
      try {
        const auto response =
            PlainClient(static_cast<std::uint16_t>(port)).Ask("POST", "/class/" + operation, request.dump(), "");
        if (response && response->status == 200) return Json::parse(response->body);
        if (response && response->status < 500) return {{"failed", response->body}};
      } catch (const Error&) {  // nobody listens at the moment
      }
      std::this_thread::yield();
    }
  }

 private:
  const std::atomic<int>& port_;
  std::string set_;
};

TEST_F(ClassroomTest, NoResultIsLostWhenTheServerIsKilled) {
  constexpr int kPupils = 30;
  constexpr int kKills = 4;
  const std::vector<std::string> arguments{"--no-page", "--log", "off", "--data", folder()};
  auto server = std::make_unique<ServedProgram>(CONPOLE_PROGRAM, arguments);
  const auto made =
      PlainClient(server->port()).Ask("POST", "/class/make", R"({"items": [{"problem": "2x+3=7"}, {"problem": "3x=12"}]})", "");
  ASSERT_TRUE(made && made->status == 200);
  const Json keys = Json::parse(made->body);

  std::atomic<int> port = server->port();
  std::atomic<int> answered = 0;
  std::atomic<int> failed = 0;
  // What each pupil does: a wrong line, a hint, right lines.
  const std::vector<Json> script{{{"exercise", 1}, {"lines", {"2x=10"}}}, {{"exercise", 1}, {"kind", "hint"}},
                                 {{"exercise", 1}, {"lines", {"2x=4"}}},  {{"exercise", 1}, {"lines", {"2x=4", "x=2"}}},
                                 {{"exercise", 2}, {"lines", {"x=5"}}},   {{"exercise", 2}, {"lines", {"x=4"}}}};
  std::vector<std::thread> pupils;
  for (int i = 0; i < kPupils; ++i) {
    pupils.emplace_back([&, i] {
      PatientPupil pupil(port, keys["pupils"]);
      const std::string code =
          fmt::format("abcdefghij{}", std::string(static_cast<std::size_t>(i % 8), 'k') + static_cast<char>('a' + i / 8));
      const Json joined = pupil.Ask("join", {{"name", fmt::format("Pupil {}", i)}, {"pupil", code}});
      for (std::size_t n = 0; n < script.size(); ++n) {
        Json event = script[n];
        event["pupil"] = code;
        event["number"] = n + 1;
        if (pupil.Ask("work", event).contains("failed") || joined.contains("failed")) ++failed;
        ++answered;
      }
    });
  }
  for (int kill = 1; kill <= kKills; ++kill) {
    while (answered < kill * kPupils) std::this_thread::yield();
    server->Signal(SIGKILL);
    EXPECT_EQ(server->Wait(), -SIGKILL);
    server = std::make_unique<ServedProgram>(CONPOLE_PROGRAM, arguments);
    port = server->port();
  }
  for (std::thread& one : pupils) one.join();
  EXPECT_EQ(failed, 0);

  const auto response =
      PlainClient(server->port()).Ask("POST", "/class/results", Json{{"results", keys["results"]}}.dump(), "");
  ASSERT_TRUE(response && response->status == 200);
  const Json results = Json::parse(response->body);
  ASSERT_EQ(results["pupils"].size(), std::size_t{kPupils});
  std::set<std::string> names;
  for (const Json& pupil : results["pupils"]) {
    names.insert(pupil["name"]);
    ASSERT_EQ(pupil["work"].size(), 2U) << pupil;
    EXPECT_EQ(pupil["work"][0]["lines"].size(), 3U) << pupil;
    EXPECT_EQ(pupil["work"][0]["hints"], 1);
    EXPECT_EQ(pupil["work"][1]["lines"].size(), 2U) << pupil;
    EXPECT_EQ(pupil["work"][0]["solved"], true);
    EXPECT_EQ(pupil["work"][1]["solved"], true);
  }
  EXPECT_EQ(names.size(), std::size_t{kPupils});
  const auto csv = PlainClient(server->port()).Ask("POST", "/class/csv", Json{{"results", keys["results"]}}.dump(), "");
  ASSERT_TRUE(csv);
  EXPECT_EQ(csv->header("content-type"), "text/csv; charset=utf-8");
}

TEST(ServedWithoutData, NothingIsKept) {
  ServedProgram server(CONPOLE_PROGRAM, {"--no-page", "--log", "off"});
  const auto response = PlainClient(server.port()).Ask("POST", "/class/make", R"({"items": [{"problem": "2x=4"}]})", "");
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 404);
  EXPECT_NE(response->body.find("--data"), std::string::npos);
}

}  // namespace
}  // namespace conpole

// reproduce table2 without training: the table and the curves of records that are there.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/files.h"
#include "tests/program.h"

namespace conpole {
namespace {

class Table2Test : public FolderTest {
 protected:
  // A record of a run, in the folder data.
  void Write(const std::string& agent, const std::string& variant, const std::string& domain, int seed, int solved_of_1000,
             const std::string& evaluations = "[[100,0.5,0.4],[200,0.75,0.8],[300,0.7,0.9]]", bool is_done = true) const {
    std::filesystem::create_directories(Path("data"));
    std::ofstream(Path("data/" + agent + variant + domain + std::to_string(seed) + ".json"))
        << Json{{"version", 1},
                {"agent", agent},
                {"variant", variant},
                {"domain", domain},
                {"source", ""},
                {"seed", seed},
                {"device", "cpu"},
                {"steps", 300},
                {"done", is_done},
                {"seconds", 1.5},
                {"settings", {{"batch", "8"}}},
                {"test", {{"problems", 200}, {"solved", 140}, {"wrong", 0}}},
                {"fresh", {{"problems", 1000}, {"solved", solved_of_1000}, {"wrong", 0}}},
                {"evaluations", Json::parse(evaluations)}};
  }
  Outcome Draw(Arguments more = {}) const {
    Arguments arguments{"reproduce", "table2", "--from", Path("data"), "--out", Path("out")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Conpole(arguments);
  }
};

TEST_F(Table2Test, TellsMeanRangeAndIntervalBesideThePaper) {
  Write("conpole", "", "sorting", 1, 900);
  Write("conpole", "", "sorting", 2, 1000);
  Write("drrn", "as-published", "ternary-addition", 1, 400, "[[100,0.25,0.2]]", false);
  const Outcome outcome = Draw({"--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json table = outcome.json();
  ASSERT_EQ(table["cells"].size(), 2U);
  const Json conpole = table["cells"][0];
  EXPECT_EQ(conpole["agent"], "conpole");
  EXPECT_EQ(conpole["paper"], 1);
  EXPECT_EQ(conpole["test"]["mean"], 0.75) << "the best evaluation, as in the paper";
  EXPECT_EQ(conpole["fresh"], Json::parse(R"({"mean":0.95,"low":0.9,"high":1.0})"));
  // Wilson's interval of 1900 of 2000.
  EXPECT_NEAR(conpole["fresh_95"][0].get<double>(), 0.9396, 1e-4);
  EXPECT_NEAR(conpole["fresh_95"][1].get<double>(), 0.9587, 1e-4);
  EXPECT_EQ(conpole["runs"].size(), 2U);
  EXPECT_EQ(table["cells"][1]["paper"], 0.4);

  const std::string markdown = Content("out/table2.md");
  EXPECT_NE(markdown.find("| 95.0 (94.0 to 95.9)"), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("| range over runs"), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("| 90.0 to 100.0"), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("DRRN as published"), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("0k *"), std::string::npos) << "not all steps were done: " << markdown;
  EXPECT_EQ(Json::parse(Content("out/table2.json")), table);
  EXPECT_EQ(Draw().out, markdown) << "the same again";
}

TEST_F(Table2Test, DrawsACurvePerAgent) {
  Write("conpole", "", "sorting", 1, 900);
  Write("conpole", "", "sorting", 2, 900);
  Write("bc", "repaired", "sorting", 1, 900);
  Write("mathsteps", "", "equations", 0, 900, "[]");
  const Outcome outcome = Draw();
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  if (outcome.err.find("gnuplot") != std::string::npos) GTEST_SKIP() << outcome.err;
  const std::string picture = Content("out/curves-sorting.svg");
  EXPECT_NE(picture.find("ConPoLe"), std::string::npos);
  EXPECT_NE(picture.find("BC repaired"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(Path("out/curves-equations.svg"))) << "rules have no learning curve";
}

TEST_F(Table2Test, PutsTheTableIntoAPage) {
  Write("conpole", "", "sorting", 1, 900);
  std::ofstream(Path("page.md"))
      << "before\n<!-- table2: begin, written by conpole reproduce table2 -->\nold\n<!-- table2: end -->\nafter\n";
  ASSERT_EQ(Draw({"--into", Path("page.md")}).status, 0);
  EXPECT_EQ(Content("page.md"), "before\n<!-- table2: begin, written by conpole reproduce table2 -->\n" +
                                    Content("out/table2.md") + "<!-- table2: end -->\nafter\n");
  std::ofstream(Path("other.md")) << "no place\n";
  ExpectRefused({"reproduce", "table2", "--from", Path("data"), "--out", Path("out"), "--into", Path("other.md")},
                "has no place for the table");
  EXPECT_EQ(Content("other.md"), "no place\n");
}

TEST_F(Table2Test, RefusesWhatIsNotARecord) {
  Write("conpole", "", "sorting", 1, 900);
  const auto expect_refused = [&](const std::string& reason) {
    ExpectRefused({"reproduce", "table2", "--from", Path("data"), "--out", Path("out")}, reason);
  };
  for (const char* text : {"", "[]", "{}", R"({"version":1})", "not JSON"}) {
    std::ofstream(Path("data/bad.json")) << text;
    expect_refused("data/bad.json");
  }
  std::filesystem::remove(Path("data/bad.json"));
  Write("conpole", "", "sorting", 2, 1001);
  expect_refused("more is solved than there is");
  std::filesystem::remove_all(Path("data"));
  expect_refused("cannot be read");
  std::filesystem::create_directories(Path("data"));
  expect_refused("has no records");
}

TEST_F(Table2Test, RefusesPlansThatCannotBe) {
  const auto expect_refused = [&](const Arguments& more, const std::string& reason) {
    Arguments arguments{"reproduce", "table2", "--out", Path("out")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    ExpectRefused(arguments, reason);
  };
  expect_refused({"--agents", "alphazero"}, "unknown agent 'alphazero'");
  expect_refused({"--variants", "perfect"}, "unknown variant 'perfect'");
  expect_refused({"--domains", "chess"}, "chess");
  expect_refused({"--seeds", "one"}, "--seeds");
  expect_refused({"--steps", "none"}, "--steps");
  expect_refused({"--set", "batch"}, "--set must be NAME=VALUE");
  expect_refused({"--set", "hiden=8"}, "there is no setting 'hiden'");
  expect_refused({"--jobs", "0"}, "--jobs");
  EXPECT_FALSE(std::filesystem::exists(Path("out")));
}

// What was measured in the folder counts more than what the program knows from elsewhere, and tells how fast the machine is.
TEST_F(Table2Test, ThePlanTellsHowLongItMayTake) {
  const Arguments plan{"reproduce", "table2",      "--out",      Path("."),  "--domains", "sorting",
                       "--agents",  "conpole,cvi", "--variants", "repaired", "--seeds",   "1,2",
                       "--steps",   "3000",        "--set",      "batch=8",  "--plan"};
  const Outcome before = Conpole(plan);
  ASSERT_EQ(before.status, 0) << before.err;
  EXPECT_NE(before.out.find("4 runs, 0 of them done; about"), std::string::npos) << before.out;
  EXPECT_NE(before.out.find("conpole-sorting-2"), std::string::npos) << before.out;

  // 300 steps took 1.5 s here, so that 3,000 take a quarter of a minute; a run that is done and would be repeated is not
  // planned.
  Write("conpole", "", "sorting", 7, 900);
  const Outcome after = Conpole(plan);
  ASSERT_EQ(after.status, 0) << after.err;
  const std::size_t line = after.out.find("conpole-sorting-1");
  ASSERT_NE(line, std::string::npos) << after.out;
  const std::string row = after.out.substr(line, after.out.find('\n', line) - line);
  EXPECT_TRUE(row.ends_with(" 16 s")) << row << ": 0.75 s, ten times 0.75 s, and 8 s to begin and to be tested";
  EXPECT_FALSE(std::filesystem::exists(Path("runs/conpole-sorting-1"))) << "nothing was trained";
}

// From what the judge said of the rules' answers to a row: bench/mathsteps.sh without the solving.
TEST_F(Table2Test, RulesGetTheirRowFromTheBenchmark) {
  if (std::system("node --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no node";  // NOLINT: one thread
  std::ofstream(Path("sets")) << "templates\n";
  std::ofstream(Path("cold")) << "6.5\n";
  const std::string right = R"({"answer":"x = 1","steps":3,"milliseconds":1})";
  const std::string long_one = R"({"answer":"x = 1","steps":31,"milliseconds":1})";
  const std::string none = R"({"answer":"no solution","steps":3,"milliseconds":1})";
  const std::string nothing = R"({"answer":"","steps":0,"milliseconds":1})";
  for (const char* const program : {"conpole", "mathsteps"}) {
    const std::string name = Path(std::string("templates.") + program);
    std::ofstream(name) << right << '\n' << right << '\n' << long_one << '\n' << nothing << '\n' << none << '\n';
    std::ofstream(name + ".verdict") << "right\nwrong\nright\nunreadable\nright\n";
  }
  std::filesystem::create_directories(Path("data"));
  const std::string command = "node " CONPOLE_SOURCE "/bench/mathsteps/compare.mjs " + folder() + " --record " + Path("data") +
                              " --json " + Path("all.json") + " > " + Path("table");
  ASSERT_EQ(std::system(command.c_str()), 0);  // NOLINT: one thread
  EXPECT_EQ(Json::parse(Content("all.json"))["sets"]["templates"]["mathsteps"]["solved"], 3);

  const Outcome outcome = Draw({"--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json cell = outcome.json()["cells"][0];
  EXPECT_EQ(cell["agent"], "mathsteps");
  EXPECT_EQ(cell["domain"], "equations");
  EXPECT_EQ(cell["test"]["mean"], 0.2) << "of three right answers one took more than 30 steps, and one is no number: " << cell;
}

// The page that people read says what the records say that are kept beside it.
TEST_F(Table2Test, ResultsAreWhatTheDataSays) {
  const std::string source = CONPOLE_SOURCE;
  const Outcome outcome = Conpole({"reproduce", "table2", "--from", source + "/docs/data/table2", "--out", Path("out")});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::ifstream file(source + "/docs/experiments/agents.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::string begin = "<!-- table2: begin, written by conpole reproduce table2 -->\n";
  const std::size_t at = page.find(begin);
  ASSERT_NE(at, std::string::npos);
  const std::size_t end = page.find("<!-- table2: end -->\n", at);
  ASSERT_NE(end, std::string::npos);
  EXPECT_EQ(page.substr(at + begin.size(), end - at - begin.size()), Content("out/table2.md"))
      << "renew it: conpole reproduce table2 --from docs/data/table2 --out DIR --into docs/experiments/agents.md";
}

}  // namespace
}  // namespace conpole

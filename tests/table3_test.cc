// reproduce table3, as its users run it: small, since what it measures with is tested beside src/vectors.
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/files.h"
#include "tests/program.h"

namespace conpole {
namespace {

const std::string kSource = CONPOLE_SOURCE;

class Table3Test : public FolderTest {
 protected:
  void Write(const std::string& name, const std::string& content) const { std::ofstream(Path(name)) << content; }
  Outcome Run(const Arguments& more) const {
    Arguments arguments{"reproduce", "table3"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Conpole(arguments);
  }
  // Lists of four numbers: few states, and solutions of a few steps.
  Outcome RunOnSorting(const Arguments& more) const {
    Arguments arguments{"--domains", "sorting:max_length=5", "--queries", "0:12",  "--references",
                        "100:130",   "--untrained",          "2",         "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run(arguments);
  }
  // The row of a representation; null if there is none.
  static Json RowOf(const Json& table, const std::string& representation, const std::string& layer = "",
                    const std::string& variant = "") {
    for (const Json& row : table["rows"]) {
      if (row["representation"] == representation && row["layer"] == layer && row["variant"] == variant) return row;
    }
    return nullptr;
  }
};

TEST_F(Table3Test, TellsTheSectionsOfExercisesByTheNearest) {
  Write("exercises.json", R"|({"sums": ["(x + 10) = 27", "19 = (14 + y)"], "products": ["2x = 2", "51 = 3t"]})|");
  const Outcome outcome = Run({"--exercises", Path("exercises.json"), "--sections-only", "--untrained", "3", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json table = outcome.json();
  const Json counts = RowOf(table, "counts")["sections"];
  EXPECT_EQ(counts["mean"], 1);
  // Wilson's interval of 4 of 4.
  EXPECT_NEAR(counts["interval_95"][0].get<double>(), 0.5101, 1e-4);
  EXPECT_EQ(counts["interval_95"][1], 1);
  EXPECT_NEAR(RowOf(table, "chance")["sections"]["ties_shared"].get<double>(), 1.0 / 3, 1e-4) << "one other of three";
  EXPECT_EQ(RowOf(table, "conpole", "vector", "shipped")["sections"]["paper"], 0.905);
  for (const char* const layer : {"vector", "layer 2", "layer 1", "characters"}) {
    EXPECT_FALSE(RowOf(table, "conpole", layer, "shipped").is_null()) << layer;
    const Json untrained = RowOf(table, "untrained", layer);
    EXPECT_EQ(untrained["runs"], 3) << layer;
    EXPECT_TRUE(untrained["sections"].contains("range")) << layer;
  }
  // The same as lines.
  Write("exercises.txt", "(x + 10) = 27\tsums\n19 = (14 + y)\tsums\n2x = 2\tproducts\n51 = 3t\tproducts\n");
  EXPECT_EQ(Run({"--exercises", Path("exercises.txt"), "--sections-only", "--untrained", "3", "--json"}).json(), table);
}

// What was known of these exercises before there was this command. They are not part of this repository.
TEST_F(Table3Test, KhanAcademysSectionsAreToldAsMeasuredBefore) {
  const std::string exercises = std::string(CONPOLE_SHARED) + "/data/khan.json";
  if (!std::filesystem::exists(exercises)) GTEST_SKIP() << exercises << " is not there";
  const Outcome outcome = Run({"--exercises", exercises, "--sections-only", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json table = outcome.json();
  EXPECT_NEAR(RowOf(table, "edit-distance")["sections"]["mean"].get<double>(), 0.714, 5e-4);
  EXPECT_NEAR(RowOf(table, "numbers-as-n")["sections"]["mean"].get<double>(), 0.857, 5e-4);
  EXPECT_NEAR(RowOf(table, "counts")["sections"]["mean"].get<double>(), 0.976, 5e-4);
  const double shipped = RowOf(table, "conpole", "vector", "shipped")["sections"]["mean"];
  EXPECT_GT(shipped, RowOf(table, "untrained", "vector")["sections"]["range"][1].get<double>());
}

TEST_F(Table3Test, ComparesSolutionsOfGeneratedProblemsWithThoseOfTheNearest) {
  const Outcome outcome = RunOnSorting({"--out", Path("out")});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json table = outcome.json();
  const Json chance = RowOf(table, "chance");
  ASSERT_EQ(chance["neighbours"].size(), 6U) << "three measures among all, and among those that are alike";
  EXPECT_EQ(RowOf(table, "counts")["neighbours"], chance["neighbours"]) << "lists have none of what is counted";
  EXPECT_EQ(RowOf(table, "numbers-as-n")["neighbours"], RowOf(table, "edit-distance")["neighbours"]) << "nor digits";
  EXPECT_NE(RowOf(table, "edit-distance")["neighbours"], chance["neighbours"]);
  for (const Json& row : table["rows"]) {
    for (const Json& test : row["neighbours"]) {
      EXPECT_GE(test["mean"], 0);
      if (test["measure"] != "length") {
        EXPECT_LE(test["mean"], 1);
      }
      const Json ends = test.contains("range") ? test["range"] : test["interval_95"];
      EXPECT_LE(ends[0], test["mean"]);
      EXPECT_GE(ends[1], test["mean"]);
    }
  }
  EXPECT_EQ(RowOf(table, "untrained", "vector")["runs"], 2);
  EXPECT_EQ(Json::parse(Content("out/table3.json")), table);
  EXPECT_TRUE(std::filesystem::exists(Path("out/data/sorting-conpole-shipped.json")));

  // Nothing is solved twice, and everything is the same again; also with another number of threads.
  const std::string solutions = Content("out/solutions-sorting.json");
  const auto written = std::filesystem::last_write_time(Path("out/solutions-sorting.json"));
  EXPECT_EQ(RunOnSorting({"--out", Path("out"), "--threads", "3"}).out, outcome.out);
  EXPECT_EQ(std::filesystem::last_write_time(Path("out/solutions-sorting.json")), written);
  EXPECT_EQ(RunOnSorting({"--threads", "1"}).out, outcome.out) << "without a folder";
  // A run that was stopped goes on from what it has.
  Json part = Json::parse(solutions);
  for (const char* const seed : {"0", "7", "110"}) ASSERT_EQ(part["solutions"].erase(seed), 1U);
  Write("out/solutions-sorting.json", part.dump());
  EXPECT_EQ(RunOnSorting({"--out", Path("out")}).out, outcome.out);
  EXPECT_EQ(Json::parse(Content("out/solutions-sorting.json")), Json::parse(solutions));
  // It does take what is there: another solution gives another table.
  part["solutions"]["7"] = {"reverse", "reverse", "reverse", "reverse", "reverse", "reverse", "reverse", "reverse", "reverse"};
  Write("out/solutions-sorting.json", part.dump());
  EXPECT_NE(RunOnSorting({"--out", Path("out")}).out, outcome.out);
  Write("out/solutions-sorting.json", "{");
  ExpectRefused({"reproduce", "table3", "--domains", "sorting", "--out", Path("out")},
                "remove it to have everything solved anew");
  // What other settings solved is not taken.
  const Outcome other = Run({"--domains", "sorting:max_length=4", "--queries", "0:5", "--references", "100:105", "--untrained",
                             "0", "--out", Path("out2"), "--json"});
  ASSERT_EQ(other.status, 0) << other.err;
  std::filesystem::copy_file(Path("out2/solutions-sorting.json"), Path("out/solutions-sorting.json"),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(RunOnSorting({"--out", Path("out")}).out, outcome.out);
  EXPECT_EQ(Content("out/solutions-sorting.json"), solutions);
}

TEST_F(Table3Test, SaysNothingWhereThereIsNothingToChooseFrom) {
  const Outcome outcome =
      Run({"--domains", "sorting:max_length=5", "--queries", "0:4", "--references", "100:101", "--untrained", "1", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json table = outcome.json();
  ASSERT_FALSE(table["rows"].empty());
  for (const Json& row : table["rows"]) EXPECT_TRUE(row["neighbours"].empty()) << row;
}

TEST_F(Table3Test, TakesModelsOfOtherRuns) {
  const std::string shipped = kSource + "/models/sorting.safetensors";
  const Outcome outcome = RunOnSorting({"--out", Path("out"), "--models", shipped});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json given = RowOf(outcome.json(), "conpole", "vector");
  ASSERT_FALSE(given.is_null());
  EXPECT_EQ(given["neighbours"], RowOf(outcome.json(), "conpole", "vector", "shipped")["neighbours"]) << "it is the same";

  // A folder of table2: its records say whose models they are.
  for (const char* const folder : {"table2/data", "table2/runs/cvi-repaired-sorting-4", "run"}) {
    std::filesystem::create_directories(Path(folder));
  }
  std::filesystem::copy_file(shipped, Path("table2/runs/cvi-repaired-sorting-4/best.safetensors"));
  std::filesystem::copy_file(shipped, Path("run/last.safetensors"));
  Write("table2/data/one.json", Json{{"version", 1},
                                     {"agent", "cvi"},
                                     {"variant", "repaired"},
                                     {"domain", "sorting"},
                                     {"source", ""},
                                     {"seed", 4},
                                     {"device", "cpu"},
                                     {"steps", 300},
                                     {"done", true},
                                     {"seconds", 1.5},
                                     {"settings", Json::object()},
                                     {"test", nullptr},
                                     {"fresh", nullptr},
                                     {"evaluations", Json::array()}}
                                    .dump());
  const Outcome more = RunOnSorting({"--out", Path("out"), "--models", Path("table2"), Path("run")});
  ASSERT_EQ(more.status, 0) << more.err;
  EXPECT_EQ(RowOf(more.json(), "cvi", "vector", "repaired")["neighbours"], given["neighbours"]);
  EXPECT_EQ(RowOf(more.json(), "conpole", "vector"), given) << "what was there before stays";
  EXPECT_NE(Content("out/table3.md").find("CVI repaired"), std::string::npos);

  ExpectRefused({"reproduce", "table3", "--models", shipped, "--models", Path("run")}, "are both sorting-conpole-1");
  ExpectRefused({"reproduce", "table3", "--models", Path("nothing")}, "nothing");
  ExpectRefused({"reproduce", "table3", "--models", Path("table2/runs")}, "is neither the folder of a training run nor");
}

TEST_F(Table3Test, MakesTablesOfRecords) {
  ASSERT_EQ(RunOnSorting({"--out", Path("out")}).status, 0);
  Write("page.md", "before\n<!-- table3: begin, written by conpole reproduce table3 -->\nold\n<!-- table3: end -->\nafter\n");
  const Outcome outcome = Run({"--from", Path("out/data"), "--into", Path("page.md")});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, Content("out/table3.md"));
  EXPECT_EQ(Content("page.md"), "before\n<!-- table3: begin, written by conpole reproduce table3 -->\n" + outcome.out +
                                    "<!-- table3: end -->\nafter\n");
  EXPECT_NE(outcome.out.find("| untrained network (2 runs)"), std::string::npos);

  Write("other.md", "no place\n");
  ExpectRefused({"reproduce", "table3", "--from", Path("out/data"), "--into", Path("other.md")}, "has no place for the table");
  Json record = Json::parse(Content("out/data/sorting-chance.json"));
  record["queries"] = "0:13";
  Write("out/data/sorting-chance.json", record.dump());
  ExpectRefused({"reproduce", "table3", "--from", Path("out/data")}, "were not measured on the same problems");
  for (const char* const text : {"", "[]", "{}", R"({"version":1})", R"({"version":2})", "not JSON"}) {
    Write("out/data/sorting-chance.json", text);
    ExpectRefused({"reproduce", "table3", "--from", Path("out/data")}, "sorting-chance.json is not a record of Table 3");
  }
  ExpectRefused({"reproduce", "table3", "--from", Path("nowhere")}, "cannot be read");
}

TEST_F(Table3Test, RefusesWhatCannotBe) {
  const auto expect_refused = [&](const Arguments& more, const std::string& reason) {
    Arguments arguments{"reproduce", "table3", "--out", Path("out")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    ExpectRefused(arguments, reason);
  };
  expect_refused({"--domains", "chess"}, "chess");
  expect_refused({"--domains", ","}, "--domains");
  expect_refused({"--domains", "sorting,sorting"}, "twice");
  expect_refused({"--domains", "sorting", "--queries", "all"}, "--queries");
  expect_refused({"--domains", "sorting", "--references", "5:5"}, "--references");
  expect_refused({"--untrained", "many"}, "--untrained");
  expect_refused({"--sections-only"}, "--sections-only needs --exercises");
  expect_refused({"--exercises", Path("nothing.json")}, "nothing.json");
  Write("list.json", R"(["x + 3 = 7"])");
  expect_refused({"--exercises", Path("list.json")}, "problem 1 has no section");
  Write("bad.json", R"({"sums": ["x + = 7"]})");
  expect_refused({"--exercises", Path("bad.json")}, "problem 1: position");
  Write("exercises.json", R"({"sums": ["x + 3 = 7"]})");
  expect_refused({"--exercises", Path("exercises.json"), "--domains", "sorting"}, "the exercises are equations");
}

// The page that people read says what the records say that are kept beside it.
TEST_F(Table3Test, ResultsAreWhatTheDataSays) {
  const Outcome outcome = Run({"--from", kSource + "/docs/data/table3"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::ifstream file(kSource + "/docs/experiments/vectors.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::string begin = "<!-- table3: begin, written by conpole reproduce table3 -->\n";
  const std::size_t at = page.find(begin);
  ASSERT_NE(at, std::string::npos);
  const std::size_t end = page.find("<!-- table3: end -->\n", at);
  ASSERT_NE(end, std::string::npos);
  EXPECT_EQ(page.substr(at + begin.size(), end - at - begin.size()), outcome.out)
      << "renew it: conpole reproduce table3 --from docs/data/table3 --into docs/experiments/vectors.md";
}

}  // namespace
}  // namespace conpole

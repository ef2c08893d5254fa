// reproduce table3, as its users run it: small, since what it measures with is tested beside it. The tables are tested
// in experiments_test.py.
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

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
    Arguments arguments{"--domains", "sorting:max_length=5", "--queries", "0:12", "--references",
                        "100:130",   "--untrained",          "2"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run(arguments);
  }
  // What was measured of a representation, and how often; null if it was not.
  static Json LayerOf(const Outcome& outcome, const std::string& representation, const std::string& layer = "",
                      const std::string& variant = "", bool is_counted = true) {
    Json found;
    std::size_t runs = 0;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) {
      const Json record = Json::parse(line);
      if (record["representation"] != representation || record["variant"] != variant) continue;
      for (const Json& one : record["layers"]) {
        if (one["layer"] != layer) continue;
        found = one;
        if (is_counted) found["runs"] = ++runs;
      }
    }
    return found;
  }
};

TEST_F(Table3Test, TellsTheSectionsOfExercisesByTheNearest) {
  Write("exercises.json", R"|({"sums": ["(x + 10) = 27", "19 = (14 + y)"], "products": ["2x = 2", "51 = 3t"]})|");
  const Outcome outcome = Run({"--exercises", Path("exercises.json"), "--sections-only", "--untrained", "3"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(LayerOf(outcome, "counts")["sections"]["right"], 4);
  EXPECT_NEAR(LayerOf(outcome, "chance")["sections"]["shared"].get<double>(), 1.0 / 3, 1e-4) << "one other of three";
  for (const char* const layer : {"vector", "layer 2", "layer 1", "characters"}) {
    EXPECT_FALSE(LayerOf(outcome, "conpole", layer, "shipped").is_null()) << layer;
    EXPECT_EQ(LayerOf(outcome, "untrained", layer)["runs"], 3) << layer;
  }
  // The same as lines.
  Write("exercises.txt", "(x + 10) = 27\tsums\n19 = (14 + y)\tsums\n2x = 2\tproducts\n51 = 3t\tproducts\n");
  EXPECT_EQ(Run({"--exercises", Path("exercises.txt"), "--sections-only", "--untrained", "3"}).out, outcome.out);
}

// What was known of these exercises before there was this command. They are not part of this repository.
TEST_F(Table3Test, KhanAcademysSectionsAreToldAsMeasuredBefore) {
  const std::string exercises = std::string(CONPOLE_SHARED) + "/data/khan.json";
  if (!std::filesystem::exists(exercises)) GTEST_SKIP() << exercises << " is not there";
  const Outcome outcome = Run({"--exercises", exercises, "--sections-only", "--untrained", "1"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto right = [&](const std::string& representation, const std::string& layer = "", const std::string& variant = "") {
    return LayerOf(outcome, representation, layer, variant)["sections"]["right"].get<int>();
  };
  EXPECT_EQ(right("edit-distance"), 30);
  EXPECT_EQ(right("numbers-as-n"), 36);
  EXPECT_EQ(right("counts"), 41);
  EXPECT_GT(right("conpole", "vector", "shipped"), right("untrained", "vector"));
}

TEST_F(Table3Test, ComparesSolutionsOfGeneratedProblemsWithThoseOfTheNearest) {
  const Outcome outcome = RunOnSorting({});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json chance = LayerOf(outcome, "chance");
  ASSERT_EQ(chance["neighbours"].size(), 6U) << "three measures among all, and among those that are alike";
  EXPECT_EQ(LayerOf(outcome, "counts")["neighbours"], chance["neighbours"]) << "lists have none of what is counted";
  EXPECT_EQ(LayerOf(outcome, "numbers-as-n")["neighbours"], LayerOf(outcome, "edit-distance")["neighbours"]) << "nor digits";
  EXPECT_NE(LayerOf(outcome, "edit-distance")["neighbours"], chance["neighbours"]);
  for (const std::string baseline : {"counts", "characters", "edit-distance", "chance"}) {
    const Json layer = LayerOf(outcome, baseline);
    for (const Json& test : layer["neighbours"]) {
      const Json& score = test["score"];
      EXPECT_GE(score[0], 0);
      EXPECT_LE(score[0], test["measure"] == "length" ? 100 : 1);
      EXPECT_LE(score[1], score[0]);
      EXPECT_GE(score[2], score[0]);
    }
  }
  EXPECT_EQ(LayerOf(outcome, "untrained", "vector")["runs"], 2);
  EXPECT_EQ(RunOnSorting({"--threads", "3"}).out, outcome.out) << "with another number of threads";
}

TEST_F(Table3Test, TheScriptKeepsEveryRecord) {
  const std::string command =
      "python3 " + kSource + "/experiments/table3.py --program " CONPOLE_PROGRAM " --out " + Path("out") +
      " --domains sorting:max_length=5 --queries 0:12 --references 100:130 --untrained 2 > " + Path("tables");
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread is running
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(Content("tables"), Content("out/table3.md"));
  const Outcome outcome = RunOnSorting({});
  EXPECT_EQ(Json::parse(Content("out/data/sorting-conpole-shipped.json"))["layers"][0],
            LayerOf(outcome, "conpole", "vector", "shipped", false));
  EXPECT_EQ(Json::parse(Content("out/data/sorting-untrained-2.json"))["seed"], 2);
  EXPECT_EQ(Json::parse(Content("out/data/sorting-chance.json"))["queries"], "0:12");
}

TEST_F(Table3Test, SaysNothingWhereThereIsNothingToChooseFrom) {
  const Outcome outcome =
      Run({"--domains", "sorting:max_length=5", "--queries", "0:4", "--references", "100:101", "--untrained", "1"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  for (const std::string baseline : {"counts", "edit-distance", "chance"}) {
    EXPECT_EQ(LayerOf(outcome, baseline)["neighbours"], Json::array()) << baseline;
  }
}

TEST_F(Table3Test, TakesModelsOfOtherRuns) {
  const std::string shipped = kSource + "/models/sorting.safetensors";
  const Outcome outcome = RunOnSorting({"--models", shipped});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json given = LayerOf(outcome, "conpole", "vector");
  ASSERT_FALSE(given.is_null());
  EXPECT_EQ(given["neighbours"], LayerOf(outcome, "conpole", "vector", "shipped")["neighbours"]) << "it is the same";

  // A folder of table2: its records say whose models they are.
  for (const char* const folder : {"table2/data", "table2/runs/cvi-repaired-sorting-4", "run"}) {
    std::filesystem::create_directories(Path(folder));
  }
  std::filesystem::copy_file(shipped, Path("table2/runs/cvi-repaired-sorting-4/best.safetensors"));
  std::filesystem::copy_file(shipped, Path("run/last.safetensors"));
  Write("table2/data/cvi-repaired-sorting-4.json", Json{{"version", 1},
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
  const Outcome more = RunOnSorting({"--models", Path("table2"), Path("run")});
  ASSERT_EQ(more.status, 0) << more.err;
  EXPECT_EQ(LayerOf(more, "cvi", "vector", "repaired")["neighbours"], given["neighbours"]);
  EXPECT_EQ(LayerOf(more, "conpole", "vector"), given);

  ExpectRefused({"reproduce", "table3", "--models", shipped, "--models", Path("run")}, "are both sorting-conpole-1");
  ExpectRefused({"reproduce", "table3", "--models", Path("nothing")}, "nothing");
  ExpectRefused({"reproduce", "table3", "--models", Path("table2/runs")}, "is neither the folder of a training run nor");
}

TEST_F(Table3Test, RefusesWhatCannotBe) {
  const auto expect_refused = [&](const Arguments& more, const std::string& reason) {
    Arguments arguments{"reproduce", "table3"};
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

}  // namespace
}  // namespace conpole

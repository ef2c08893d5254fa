// reproduce cube: the searches, going on after an interruption, and the table and the curve of records that are there.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/files.h"
#include "tests/program.h"

namespace conpole {
namespace {

const std::string kBegin = "<!-- cube: begin, written by conpole reproduce cube -->\n";
const std::string kEnd = "<!-- cube: end -->\n";

class CubeTableTest : public FolderTest {
 protected:
  // A record, in the folder data.
  void Write(const std::string& model, int width, int moves_of_ten, int states_of_ten, int solved = 10,
             const Json& lengths = Json::array()) const {
    std::filesystem::create_directories(Path("data"));
    std::ofstream(Path("data/" + model + std::to_string(width) + ".json"))
        << Json{{"version", 1},          {"model", model},          {"model_id", "0"},   {"network", "324-8-8, 1 blocks"},
                {"weights", 1000},       {"agent", "walks"},        {"trained_on", 2e9}, {"trained_seconds", 60},
                {"search", "beam"},      {"width", width},          {"step_weight", 0},  {"device", "cuda"},
                {"cubes", 10},           {"cubes_id", "0"},         {"solved", solved},  {"verified", solved},
                {"moves", moves_of_ten}, {"states", states_of_ten}, {"seconds", 5},      {"longest", 30},
                {"lengths", lengths}};
  }
  Outcome Draw(Arguments more = {}) const {
    Arguments arguments{"reproduce", "cube", "--from", Path("data"), "--out", Path("out")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Conpole(arguments);
  }
  // Cubes that are solved soon, and yet the network is asked.
  Arguments Run(const std::string& widths, const std::string& search = "beam") const {
    std::ofstream(Path("cubes.txt")) << "R U F' L2 D B' R'\nF2 R U' B L D' F' U\nD L2 F R' B' U2 L\n";
    return {"reproduce", "cube",  "--cubes",   Path("cubes.txt"), "--widths", widths,           "--search",
            search,      "--out", Path("run"), "--threads",       "1",        "--max-expanded", "3000"};
  }
};

TEST_F(CubeTableTest, TellsMovesAndStatesBesideWhatOthersPublished) {
  Write("small", 64, 285, 20'000);
  Write("small", 1024, 240, 160'000, 10, Json::parse("[[23,5],[25,5]]"));
  const Outcome outcome = Draw({"--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json table = outcome.json();
  ASSERT_EQ(table["ours"].size(), 2U);
  EXPECT_EQ(table["ours"][0]["width"], 64);
  EXPECT_EQ(table["ours"][0]["moves"], 28.5);
  EXPECT_EQ(table["ours"][0]["states_per_cube"], 2000);
  EXPECT_EQ(table["ours"][1]["seconds_per_cube"], 0.5);
  EXPECT_EQ(table["published"][0]["moves"], 39.4) << "the paper";
  const std::string markdown = Content("out/cube.md");
  for (const char* part :
       {"| 28.50 ", "| 2.0k ", "| 1,024 ", "| 16k ", "| 0.50 GPU ", "10 of 10", "2.0e9 states, 60 s", "39.4"}) {
    EXPECT_NE(markdown.find(part), std::string::npos) << part << "\n" << markdown;
  }
  EXPECT_EQ(Json::parse(Content("out/cube.json")), table);
  EXPECT_EQ(Draw().out, markdown) << "the same again";
  if (outcome.err.find("gnuplot") != std::string::npos) return;
  EXPECT_NE(Content("out/cube.svg").find("small, beam"), std::string::npos);
  EXPECT_NE(Content("out/cube.svg").find("EfficientCube"), std::string::npos);
}

TEST_F(CubeTableTest, PutsTheTableIntoAPage) {
  Write("small", 64, 285, 20'000);
  std::ofstream(Path("page.md")) << "before\n" + kBegin + "old\n" + kEnd + "after\n";
  ASSERT_EQ(Draw({"--into", Path("page.md")}).status, 0);
  EXPECT_EQ(Content("page.md"), "before\n" + kBegin + Content("out/cube.md") + kEnd + "after\n");
  std::ofstream(Path("other.md")) << "no place\n";
  ExpectRefused({"reproduce", "cube", "--from", Path("data"), "--out", Path("out"), "--into", Path("other.md")},
                "has no place for the table");
  EXPECT_EQ(Content("other.md"), "no place\n");
}

TEST_F(CubeTableTest, RefusesWhatIsNotARecord) {
  Write("small", 64, 285, 20'000);
  const auto expect_refused = [&](const std::string& reason) {
    ExpectRefused({"reproduce", "cube", "--from", Path("data"), "--out", Path("out")}, reason);
  };
  for (const char* text : {"", "[]", "{}", R"({"version":1})", "not JSON"}) {
    std::ofstream(Path("data/bad.json")) << text;
    expect_refused("data/bad.json");
  }
  std::filesystem::remove(Path("data/bad.json"));
  Write("small", 16, 285, 20'000, 11);
  expect_refused("more is solved than there is");
  Write("small", 16, 285, 20'000, 10, Json::parse("[[28,10]]"));
  expect_refused("the lengths are not those of the solutions");
  std::filesystem::remove_all(Path("data"));
  expect_refused("cannot be read");
  std::filesystem::create_directories(Path("data"));
  expect_refused("has no records");
}

TEST_F(CubeTableTest, RefusesPlansThatCannotBe) {
  ExpectRefused({"reproduce", "cube", "--out", Path("out")}, "--cubes is needed");
  ExpectRefused(Run("8", "dfs"), "unknown search 'dfs'");
  ExpectRefused(Run("none"), "--widths");
  ExpectRefused(Run(","), "nothing to run");
  Arguments twice = Run("8");
  const std::string model = std::string(CONPOLE_SOURCE) + "/models/rubiks-cube.safetensors";
  twice.insert(twice.end(), {"--model", "a=" + model, "--model", "a=" + model});
  ExpectRefused(twice, "two models are called a");
}

TEST_F(CubeTableTest, SolvesCubesAndGoesOnWhereItWas) {
  const Outcome outcome = Conpole(Run("4,16"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json wide = Json::parse(Content("run/data/shipped-beam-16.json"));
  EXPECT_EQ(wide["solved"], 3);
  EXPECT_EQ(wide["verified"], 3);
  EXPECT_EQ(wide["weights"], 4896012);
  EXPECT_GT(wide["states"], 0);
  // What is there is not done again: a mark in it stays. What is missing is.
  std::string marked = Content("run/data/shipped-beam-16.json");
  marked.replace(marked.find("\"seconds\": "), 11, "\"seconds\": 1000");
  std::ofstream(Path("run/data/shipped-beam-16.json")) << marked;
  const std::string narrow = Content("run/data/shipped-beam-4.json");
  std::filesystem::remove(Path("run/data/shipped-beam-4.json"));
  ASSERT_EQ(Conpole(Run("4,16,32")).status, 0);
  EXPECT_EQ(Content("run/data/shipped-beam-16.json"), marked);
  EXPECT_TRUE(std::filesystem::exists(Path("run/data/shipped-beam-32.json")));
  Json before = Json::parse(narrow);
  Json after = Json::parse(Content("run/data/shipped-beam-4.json"));
  before.erase("seconds");
  after.erase("seconds");
  EXPECT_EQ(before, after) << "the same figures";
  // Other cubes are another table.
  Arguments other = Run("16");
  std::ofstream(Path("cubes.txt")) << "R U\n";
  ExpectRefused(other, "is of other cubes");
}

TEST_F(CubeTableTest, SearchesByBestFirstToo) {
  const Outcome outcome = Conpole(Run("16", "beam,bwas"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json record = Json::parse(Content("run/data/shipped-bwas-16.json"));
  EXPECT_EQ(record["search"], "bwas");
  EXPECT_EQ(record["step_weight"], 1);
  EXPECT_EQ(record["solved"], 3);
  EXPECT_EQ(record["verified"], 3);
  EXPECT_NE(outcome.out.find("shipped, bwas"), std::string::npos) << outcome.out;
  Arguments other = Run("16", "bwas");
  other.insert(other.end(), {"--weight", "0.5"});
  ExpectRefused(other, "is of another weight");
}

// The page that people read says what the records say that are kept beside it.
TEST_F(CubeTableTest, ResultsAreWhatTheDataSays) {
  const std::string source = CONPOLE_SOURCE;
  const Outcome outcome = Conpole({"reproduce", "cube", "--from", source + "/docs/data/cube", "--out", Path("out")});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::ifstream file(source + "/docs/experiments/cube.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::size_t at = page.find(kBegin);
  ASSERT_NE(at, std::string::npos);
  const std::size_t end = page.find(kEnd, at);
  ASSERT_NE(end, std::string::npos);
  EXPECT_EQ(page.substr(at + kBegin.size(), end - at - kBegin.size()), Content("out/cube.md"))
      << "renew it: conpole reproduce cube --from docs/data/cube --out DIR --into docs/experiments/cube.md";
}

}  // namespace
}  // namespace conpole

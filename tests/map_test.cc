// map, as its users run it, and the lists of problems that it takes.
#include <cmath>
#include <cstddef>
#include <fstream>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/files.h"
#include "tests/program.h"

namespace conpole {
namespace {

std::size_t Count(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

class MapTest : public FolderTest {
 protected:
  void Write(const std::string& name, const std::string& content) const { std::ofstream(Path(name)) << content; }
  // Draws without solving anything.
  Outcome Draw(Arguments arguments) const {
    arguments.insert(arguments.begin(), "map");
    arguments.insert(arguments.end(), {"--sizes", "none"});
    return Conpole(arguments);
  }
};

TEST_F(MapTest, DrawsAPictureThatExplainsItself) {
  Write("list.txt",
        "(x + 10) = 27\tsums & <differences>\n19 = (14 + x)\tsums & <differences>\n2x = 2\tproducts\n51 = 3x\tproducts\n");
  const Outcome outcome = Draw({Path("list.txt"), "--title", "Khan & \"others\"", "--out", Path("map.svg")});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("4 problems; the two components explain "), std::string::npos) << outcome.out;
  const std::string picture = Content("map.svg");
  EXPECT_TRUE(picture.starts_with("<svg ")) << picture.substr(0, 100);
  EXPECT_TRUE(picture.ends_with("</svg>\n"));
  EXPECT_NE(picture.find("role=\"img\" aria-labelledby=\"map-title map-description\""), std::string::npos);
  EXPECT_NE(picture.find("<title id=\"map-title\">Khan &amp; &quot;others&quot;</title>"), std::string::npos);
  EXPECT_NE(picture.find("<desc id=\"map-description\">4 problems by their vectors"), std::string::npos);
  EXPECT_NE(picture.find("2 of sums &amp; &lt;differences&gt;, 2 of products."), std::string::npos);
  EXPECT_NE(picture.find(">sums &amp; &lt;differences&gt;</text>"), std::string::npos) << "the legend";
  // Two marks of each group, and one of each in the legend, which has no note.
  EXPECT_EQ(Count(picture, "<circle"), 3U);
  EXPECT_EQ(Count(picture, "<polygon"), 3U);
  EXPECT_EQ(Count(picture, "<title>"), 4U);
  EXPECT_NE(picture.find("<title>51 = 3x | products</title>"), std::string::npos);
  // Every mark lies in the picture.
  for (std::size_t at = picture.find("cx=\""); at != std::string::npos; at = picture.find("cx=\"", at + 1)) {
    const double x = std::stod(picture.substr(at + 4));
    EXPECT_GT(x, 0);
    EXPECT_LT(x, 960);
  }
  EXPECT_EQ(Draw({Path("list.txt"), "--title", "Khan & \"others\"", "--threads", "3"}).out, picture) << "the same bytes";
  const std::string without = Draw({Path("list.txt"), "--without-texts"}).out;
  EXPECT_EQ(without.find("51 = 3x"), std::string::npos);
  EXPECT_NE(without.find("<title>products</title>"), std::string::npos);
}

TEST_F(MapTest, PutsProblemsOfOneVectorIntoOnePlace) {
  // A list in any notation, and with any unknown.
  Write("list.txt", "(x + 3) = 7\nx+3=7\ny + 3 = 7\n(2x - 5) = (8x + 1)\n-4 = (x / 9)\n");
  const Outcome outcome = Draw({"equations", Path("list.txt"), "--label", "none", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json problems = outcome.json()["problems"];
  ASSERT_EQ(problems.size(), 5U);
  const auto place = [&](std::size_t i) { return std::pair(problems[i]["x"].get<double>(), problems[i]["y"].get<double>()); };
  EXPECT_EQ(place(0), place(1));
  EXPECT_EQ(place(0), place(2));
  EXPECT_NE(place(0), place(3));
  EXPECT_NE(place(3), place(4));
  double sum = 0;
  for (std::size_t i = 0; i < 5; ++i) sum += place(i).first;
  EXPECT_NEAR(sum, 0, 1e-6) << "places are from the mean";
  const Json shares = outcome.json()["variance"];
  EXPECT_GE(shares[0], shares[1]);
  EXPECT_LE(shares[0].get<double>() + shares[1].get<double>(), 1 + 1e-9);
  EXPECT_TRUE(problems[0]["length"].is_null()) << "nothing was solved";
}

TEST_F(MapTest, SizesAreTheStepsOfSolutionsAndColoursWhatIsAskedFor) {
  const Outcome steps = Conpole({"map", "sorting:max_length=5", "--seeds", "0:12", "--json"});
  ASSERT_EQ(steps.status, 0) << steps.err;
  const Json table = steps.json();
  EXPECT_EQ(table["label"], "first-step");
  std::set<std::string> labels;
  for (const Json& problem : table["problems"]) {
    ASSERT_TRUE(problem["length"].is_number_unsigned()) << problem;
    EXPECT_EQ(problem["length"] == 0, problem["label"] == "solved");
    labels.insert(problem["label"]);
  }
  EXPECT_TRUE(labels.contains("swap"));
  const Outcome lengths = Conpole({"map", "sorting:max_length=5", "--seeds", "0:12", "--label", "length", "--json"});
  ASSERT_EQ(lengths.status, 0) << lengths.err;
  const Json by_length = lengths.json();
  ASSERT_EQ(by_length["problems"].size(), 12U);
  for (const Json& problem : by_length["problems"]) EXPECT_EQ(problem["label"], std::to_string(problem["length"].get<int>()));
  const std::string picture = Conpole({"map", "sorting:max_length=5", "--seeds", "0:12"}).out;
  EXPECT_NE(picture.find(">steps of the solution</text>"), std::string::npos);
  EXPECT_NE(picture.find("larger marks are longer solutions"), std::string::npos);
}

TEST_F(MapTest, SolvesWhatHasToBeWrittenOtherwiseFirst) {
  Write("list.txt", "-x = 3\n");
  const Outcome outcome = Conpole({"map", Path("list.txt"), "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json table = outcome.json();
  EXPECT_TRUE(table["problems"][0]["length"].is_number()) << "no axiom is about -x: " << outcome.out;
}

TEST_F(MapTest, ManyLabelsBecomeOne) {
  std::string list;
  for (int i = 0; i < 30; ++i) list += "(x + " + std::to_string(i) + ") = 7\tlabel " + std::to_string(i / 2) + "\n";
  Write("list.txt", list);
  const std::string picture = Draw({Path("list.txt")}).out;
  EXPECT_NE(picture.find(">label 10</text>"), std::string::npos);
  EXPECT_EQ(picture.find(">label 11</text>"), std::string::npos);
  EXPECT_NE(picture.find(">other</text>"), std::string::npos);
}

TEST_F(MapTest, TakesListsOfAnyForm) {
  const auto labels = [&](const std::string& content, const Arguments& more = {}) {
    Write("list", content);
    Arguments arguments{Path("list"), "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = Draw(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::string result;
    const Json table = outcome.status == 0 ? outcome.json() : Json{{"problems", Json::array()}};
    for (const Json& problem : table["problems"]) result += problem["label"].get<std::string>() + ";";
    return result;
  };
  EXPECT_EQ(labels("x = 1\ta\n\n2x = 4\tb c\n"), "a;b c;");
  EXPECT_EQ(labels("x = 1\ta\r\n2x = 4\r\n"), "a;without;");
  EXPECT_EQ(labels(R"({"a": ["x = 1", "x = 2"], "b": ["2x = 4"]})"), "a;a;b;");
  EXPECT_EQ(labels(R"([{"problem": "x = 1", "label": "a"}, {"problem": "2x = 4", "label": "b"}])"), "a;b;");
  const std::string lines =
      "{\"seed\":7,\"problem\":\"x = 1\",\"hard\":false}\n{\"seed\":8,\"problem\":\"2x = 4\",\"hard\":true}\n";
  EXPECT_EQ(labels(lines, {"--label", "seed"}), "7;8;");
  EXPECT_EQ(labels(lines, {"--label", "hard"}), "false;true;");
  EXPECT_EQ(labels(R"(["(2x + 3) = 7", "x = 1"])", {"--label", "shape"}), "(Nx + N) = N;x = N;");
  EXPECT_EQ(labels(R"({"problem": "x = 1", "label": "alone"})"), "alone;");

  const auto expect_refused = [&](const std::string& content, const std::string& reason) {
    Write("list", content);
    ExpectRefused({"map", Path("list")}, reason);
  };
  expect_refused("", "there is no problem in it");
  expect_refused("x = 1\n2x = = 4\n", "problem 2: position");
  expect_refused(R"({"a": "x = 1"})", "is not a list of texts");
  expect_refused(R"([{"text": "x = 1"}])", "begins as JSON, but is not a list of texts");
  expect_refused("{\"problem\": \"x = 1\"}\n{\"problem\": 5}\n", "problem 2");
  expect_refused("{\"problem\": \"x = 1\"}\nx = 2\n", "problem 2");
}

TEST_F(MapTest, OtherCommandsTakeTheSameLists) {
  const auto count = [&](const std::string& content) {
    Write("list", content);
    const Outcome outcome = Conpole({"eval", "equations", "--problems", Path("list"), "--search", "greedy", "--max-steps", "1",
                                     "--scorer", "length", "--json"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.status == 0 ? outcome.json()["problems"].get<int>() : -1;
  };
  EXPECT_EQ(count("x = 1\ta\n2x = 4\tb\n"), 2);
  EXPECT_EQ(count("x\t= 1\n2x = 4\n"), 2) << "a tab is a blank where that can be read";
  EXPECT_EQ(count(R"({"a": ["x = 1"], "b": ["2x = 4", "3x = 6"]})"), 3);
  EXPECT_EQ(count(Conpole({"generate", "equations", "--seed", "3", "--count", "4"}).out), 4);
}

TEST_F(MapTest, RefusesWhatCannotBe) {
  Write("list", "x = 1\n");
  ExpectRefused({"map", "chess"}, "chess");
  ExpectRefused({"map", "equations", Path("nothing")}, "nothing");
  ExpectRefused({"map", Path("list"), "--seeds", "0:5"}, "exclude each other");
  ExpectRefused({"map", "--seeds", "5:0"}, "--seeds");
  ExpectRefused({"map", "--seeds", "0:1000000"}, "more than");
  ExpectRefused({"map", Path("list"), "--label", "section"}, "no problem has a label section; there are: first-step, length");
  ExpectRefused({"map", Path("list"), "--sizes", "big"}, "--sizes must be length or none");
  ExpectRefused({"map", Path("list"), "--sizes", "none", "--out", Path("no/such/folder.svg")}, "folder.svg");
  ExpectRefused({"map", "sorting", Path("list")}, "problem 1");
}

}  // namespace
}  // namespace conpole

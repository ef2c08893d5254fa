// conpole abstractions, --abstractions and generate --classify, as people call them.
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/files.h"
#include "tests/program.h"

namespace conpole {
namespace {

using Json = nlohmann::json;

class AbstractionsCliTest : public FolderTest {
 protected:
  // Breadth-first search needs no model and no time.
  Outcome Mine(const std::string& out) {
    return Conpole({"abstractions", "mine", "fractions", "--seeds", "0:60", "--search", "bfs", "--max-edges", "20000", "--uses",
                    "2", "--out", Path(out), "--json"});
  }
};

TEST_F(AbstractionsCliTest, AreMinedListedAndUsed) {
  const Outcome outcome = Mine("fractions.abstractions");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json mined = Json::parse(outcome.out);
  EXPECT_GT(mined.at("solutions"), 30);
  EXPECT_LT(mined.at("mean_steps"), mined.at("mean_axioms"));
  ASSERT_FALSE(mined.at("abstractions").empty());

  const Outcome list = Conpole({"abstractions", "list", Path("fractions.abstractions"), "--json"});
  ASSERT_EQ(list.status, 0) << list.err;
  std::istringstream lines(list.out);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(Json::parse(line), mined.at("abstractions").front());

  const auto eval = [&](const std::string& abstractions, const std::string& max_axioms = "0") {
    const Outcome report = Conpole({"eval", "fractions", "--seeds", "100:130", "--search", "bfs", "--max-edges", "20000",
                                    "--abstractions", abstractions, "--max-axioms", max_axioms, "--json"});
    EXPECT_EQ(report.status, 0) << report.err;
    return Json::parse(report.out);
  };
  const Json with = eval(Path("fractions.abstractions"));
  const Json without = eval("none");
  EXPECT_FALSE(without.contains("mean_axioms"));
  EXPECT_LT(with.at("mean_length"), without.at("mean_length"));
  EXPECT_GE(with.at("mean_axioms"), with.at("mean_length"));
  EXPECT_EQ(with.at("wrong"), 0);
  const Json short_ones = eval(Path("fractions.abstractions"), "3");
  EXPECT_LT(short_ones.at("solved"), with.at("solved"));
  EXPECT_GT(short_ones.at("solved"), 0);
  EXPECT_LE(short_ones.at("axioms_max"), 3);
}

TEST_F(AbstractionsCliTest, AListHasNoControlCharacters) {
  ASSERT_EQ(Mine("mined").status, 0);
  std::ifstream in(Path("mined"));
  std::string text((std::istreambuf_iterator<char>(in)), {});
  const Json mined = Json::parse(Conpole({"abstractions", "list", Path("mined"), "--json"}).lines().front());
  const std::string name = mined.at("name");
  text.replace(text.find(name), name.size(), name + "\x1b[31m");
  std::ofstream(Path("coloured")) << text;
  const Outcome list = Conpole({"abstractions", "list", Path("coloured")});
  EXPECT_EQ((list.out + list.err).find('\x1b'), std::string::npos) << list.out;
}

TEST_F(AbstractionsCliTest, WhatIsWrongIsSaid) {
  const auto refused = [](const Arguments& arguments, const std::string& message) {
    const Outcome outcome = Conpole(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
  };
  refused({"eval", "sorting", "--abstractions", Path("none")}, Path("none"));
  std::ofstream(Path("other")) << "conpole abstractions 1 for equations\na: eval; add0\n";
  refused({"eval", "sorting", "--abstractions", Path("other")}, "the abstractions are for equations, not for sorting");
  refused({"abstractions", "mine", "equations", "--seeds", "0:3", "--search", "bfs", "--max-edges", "1", "--out", Path("x")},
          "there is nothing to learn from");
}

TEST(ClassifyCliTest, ProblemsAreClassifiedAndCounted) {
  const Outcome generated = Conpole({"generate", "equations:source=hard", "--seed", "0", "--count", "100", "--classify"});
  ASSERT_EQ(generated.status, 0) << generated.err;
  std::istringstream lines(generated.out);
  int solvable = 0;
  for (std::string line; std::getline(lines, line);) {
    const Json problem = Json::parse(line);
    EXPECT_EQ(problem.at("solvable"), problem.at("class") == "one_solution") << line;
    if (problem.at("solvable")) ++solvable;
  }
  EXPECT_GT(solvable, 80);
  EXPECT_LT(solvable, 100);
  const Outcome eval =
      Conpole({"eval", "equations:source=hard", "--seeds", "0:100", "--search", "bfs", "--max-edges", "10", "--json"});
  ASSERT_EQ(eval.status, 0) << eval.err;
  EXPECT_EQ(Json::parse(eval.out).at("solvable"), solvable);
  const Outcome text = Conpole({"eval", "equations:source=hard", "--seeds", "0:100", "--search", "bfs", "--max-edges", "10"});
  EXPECT_NE(text.out.find(std::to_string(solvable) + " of 100 can be solved, and of these "), std::string::npos) << text.out;
}

}  // namespace
}  // namespace conpole

#include "tutor/format.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "search/scorers.h"

namespace conpole {
namespace {

using Json = nlohmann::json;

std::vector<std::string> Keys(const nlohmann::ordered_json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

class FormatTest : public testing::Test {
 protected:
  TutorSolution Solve(const std::string& problem, Script script = Script::kPlain) {
    Tutor tutor(*domain_, *scorer_, pool_, {.explain = {.script = script}});
    return tutor.Solve(domain_->Parse(problem).state);
  }

  ThreadPool pool_{1};
  std::unique_ptr<Domain> domain_ = MakeDomain("equations");
  std::unique_ptr<Scorer> scorer_ = MakeLengthScorer();
};

TEST_F(FormatTest, Names) {
  EXPECT_EQ(FormatOf("text"), Format::kText);
  EXPECT_EQ(FormatOf("json"), Format::kJson);
  EXPECT_EQ(FormatOf("latex"), Format::kLatex);
  EXPECT_THROW(FormatOf("xml"), Error);
}

TEST_F(FormatTest, SolutionsAsText) {
  EXPECT_EQ(FormatSolution(*domain_, Solve("x = 7 - 3"), Format::kText),
            "x = 7 - 3\n  Compute 7 - 3 = 4.\nx = 4\n-- x = 4 is the answer, and it was verified.");
  EXPECT_EQ(FormatSolution(*domain_, Solve("x = x + 1"), Format::kText), "x = x + 1\n-- No number solves this equation.");
}

TEST_F(FormatTest, SolutionsAsJson) {
  const std::string text = FormatSolution(*domain_, Solve("x = 7 - 3"), Format::kJson);
  EXPECT_EQ(
      Keys(nlohmann::ordered_json::parse(text)),
      (std::vector<std::string>{"domain", "problem", "status", "answer", "verified", "steps", "expanded", "milliseconds"}));
  const Json json = Json::parse(text);
  EXPECT_EQ(json.at("domain"), "equations");
  EXPECT_EQ(json.at("problem"), "x = (7 - 3)");
  EXPECT_EQ(json.at("status"), "solved");
  EXPECT_EQ(json.at("answer"), "x = 4");
  EXPECT_EQ(json.at("verified"), true);
  EXPECT_EQ(json.at("steps"), Json::parse(R"json([{"axiom": "eval", "position": 2, "before": "x = (7 - 3)", "after": "x = 4",
                                               "text": "Compute 7 - 3 = 4."}])json"));
  const Json none = Json::parse(FormatSolution(*domain_, Solve("x = x + 1"), Format::kJson));
  EXPECT_EQ(none.at("status"), "no_solution");
  EXPECT_TRUE(none.at("answer").is_null());
  const Json every = Json::parse(FormatSolution(*domain_, Solve("x = 1 + x * 1 - 1"), Format::kJson));
  EXPECT_EQ(every.at("status"), "every_number");
  EXPECT_EQ(every.at("except"), Json::array());
  EXPECT_EQ(Json::parse(FormatSolution(*domain_, Solve("x * x = 4"), Format::kJson)).at("status"), "several_solutions");
}

TEST_F(FormatTest, EveryNumberNamesTheNumbersThatItExcludes) {
  const Json one = Json::parse(FormatSolution(*domain_, Solve("0/x = 0"), Format::kJson));
  EXPECT_EQ(one.at("status"), "every_number");
  EXPECT_EQ(one.at("except"), Json::array({"0"}));
  EXPECT_EQ(one.at("except_irrational"), 0);
  EXPECT_EQ(Solve("0/x = 0").message, "Every number except 0 solves this equation.");
  EXPECT_EQ(Solve("0/x + 0/(2x - 1) = 0").message, "Every number except 0, 1/2 solves this equation.");
  const Json roots = Json::parse(FormatSolution(*domain_, Solve("0/(x*x - 2) + 0/x = 0"), Format::kJson));
  EXPECT_EQ(roots.at("except"), Json::array({"0"}));
  EXPECT_EQ(roots.at("except_irrational"), 2);
  EXPECT_EQ(Solve("0/(x*x - 2) = 0").message, "Every number for which both sides are defined solves this equation.");
}

TEST_F(FormatTest, SolutionsAsLatex) {
  EXPECT_EQ(FormatSolution(*domain_, Solve("x = 7 - 3", Script::kLatex), Format::kLatex),
            "\\begin{align*}\n  x &= 7 - 3 \\\\\n  x &= 4 && \\text{Compute $7 - 3$ = $4$.}\n\\end{align*}");
  EXPECT_EQ(FormatSolution(*domain_, Solve("x = x + 1", Script::kLatex), Format::kLatex),
            "\\begin{align*}\n  x &= x + 1 \\\\\n  &\\text{No number solves this equation.}\n\\end{align*}");
}

TEST_F(FormatTest, HintsAsJsonGiveNothingAwayTooEarly) {
  Tutor tutor(*domain_, *scorer_, pool_);
  const std::string state = domain_->Parse("x = 7 - 3").state;
  const auto hint = [&](int level) {
    return Json::parse(FormatHint(*domain_, state, level, tutor.Hint(state, level), Format::kJson));
  };
  EXPECT_TRUE(hint(1).at("axiom").is_null());
  EXPECT_EQ(hint(2).at("axiom"), "eval");
  EXPECT_EQ(hint(2).at("position"), 2);
  EXPECT_TRUE(hint(2).at("line").is_null());
  EXPECT_EQ(hint(3).at("line"), "x = 4");
}

TEST_F(FormatTest, ChecksAsJson) {
  const std::string state = domain_->Parse("2x + 3 = 7").state;
  const Json wrong = Json::parse(FormatCheck(*domain_, state, CheckStep(*domain_, state, "2x + 3 = 8"), Format::kJson));
  EXPECT_EQ(wrong.at("verdict"), "not_equivalent");
  EXPECT_EQ(wrong.at("side"), "right");
  EXPECT_EQ(wrong.at("correct"), false);
  const Json unreadable = Json::parse(FormatCheck(*domain_, state, CheckStep(*domain_, state, "2x + = 8"), Format::kJson));
  EXPECT_EQ(unreadable.at("verdict"), "unreadable");
  EXPECT_EQ(unreadable.at("position"), 5);
}

TEST_F(FormatTest, NextStepsHaveTheirProbability) {
  Tutor tutor(*domain_, *scorer_, pool_);
  const std::string state = domain_->Parse("x = 7 - 3").state;
  const Json json = Json::parse(FormatNextSteps(*domain_, state, tutor.Write(state), tutor.NextSteps(state), Format::kJson));
  EXPECT_EQ(json.at("solved"), false);
  EXPECT_EQ(json.at("steps")[0].at("after"), "x = 4");
  EXPECT_GT(json.at("steps")[0].at("probability").get<double>(), 0);
}

TEST_F(FormatTest, ErrorsHaveTheirPosition) {
  EXPECT_EQ(Json::parse(FormatErrorAsJson({.position = 3, .message = "what"}, "2x ")),
            Json::parse(R"({"error": "what", "position": 3, "understood": "2x "})"));
}

}  // namespace
}  // namespace conpole

#include "tutor/format.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "search/scorers.h"
#include "subjects/markup_json.h"

namespace conpole {
namespace {

using Json = nlohmann::json;

std::vector<std::string> Keys(const nlohmann::ordered_json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

// No clock decides: what is found is found on a busy machine, too.
constexpr TutorBudget kSteadyFormat{.milliseconds = 600'000};

class FormatTest : public testing::Test {
 protected:
  TutorSolution Solve(const std::string& problem, Script script = Script::kPlain) {
    Tutor tutor(*domain_, *scorer_, pool_, {.explain = {.script = script}});
    return tutor.Solve(domain_->Parse(problem).state, kSteadyFormat);
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
  EXPECT_EQ(FormatSolution(*domain_, Solve("x = 7 - 3"), {Format::kText}),
            "x = 7 - 3\n  Compute 7 - 3 = 4.\nx = 4\n-- x = 4 is the answer, and it was verified.");
  EXPECT_EQ(FormatSolution(*domain_, Solve("x = x + 1"), {Format::kText}), "x = x + 1\n-- No number solves this equation.");
}

TEST_F(FormatTest, SolutionsAsJson) {
  const std::string text = FormatSolution(*domain_, Solve("x = 7 - 3"), {Format::kJson});
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
                                               "text": "Compute 7 - 3 = 4.", "why": []}])json"));
  const Json none = Json::parse(FormatSolution(*domain_, Solve("x = x + 1"), {Format::kJson}));
  EXPECT_EQ(none.at("status"), "no_solution");
  EXPECT_EQ(none.at("answer"), "no solution");
  const Json every = Json::parse(FormatSolution(*domain_, Solve("x = 1 + x * 1 - 1"), {Format::kJson}));
  EXPECT_EQ(every.at("status"), "every_number");
  EXPECT_EQ(every.at("except"), Json::array());
  EXPECT_EQ(every.at("answer"), "every number for which both sides are defined");
  const Json statement = Json::parse(FormatSolution(*domain_, Solve("2 * 4 = 8"), {Format::kJson}));
  EXPECT_EQ(statement.at("status"), "solved");
  EXPECT_EQ(statement.at("answer"), "true");
  EXPECT_EQ(Json::parse(FormatSolution(*domain_, Solve("x * x = 4"), {Format::kJson})).at("status"), "several_solutions");
}

TEST_F(FormatTest, EveryNumberNamesTheNumbersThatItExcludes) {
  const Json one = Json::parse(FormatSolution(*domain_, Solve("0/x = 0"), {Format::kJson}));
  EXPECT_EQ(one.at("status"), "every_number");
  EXPECT_EQ(one.at("except"), Json::array({"0"}));
  EXPECT_EQ(one.at("except_irrational"), 0);
  EXPECT_EQ(Solve("0/x = 0").message, "Every number except 0 solves this equation.");
  EXPECT_EQ(Solve("0/x + 0/(2x - 1) = 0").message, "Every number except 0, 1/2 solves this equation.");
  const Json roots = Json::parse(FormatSolution(*domain_, Solve("0/(x*x - 2) + 0/x = 0"), {Format::kJson}));
  EXPECT_EQ(roots.at("except"), Json::array({"0"}));
  EXPECT_EQ(roots.at("except_irrational"), 2);
  EXPECT_EQ(Solve("0/(x*x - 2) = 0").message, "Every number for which both sides are defined solves this equation.");
}

TEST_F(FormatTest, SolutionsAsLatex) {
  EXPECT_EQ(FormatSolution(*domain_, Solve("x = 7 - 3", Script::kLatex), {Format::kLatex}),
            "\\begin{align*}\n  x &= 7 - 3 \\\\\n  x &= 4 && \\text{Compute $7 - 3$ = $4$.}\n\\end{align*}");
  EXPECT_EQ(FormatSolution(*domain_, Solve("x = x + 1", Script::kLatex), {Format::kLatex}),
            "\\begin{align*}\n  x &= x + 1 \\\\\n  &\\text{No number solves this equation.}\n\\end{align*}");
}

class DetailFormatTest : public testing::Test {
 protected:
  std::string Format(const std::string& problem, Detail detail, conpole::Format format) {
    const Script script = format == conpole::Format::kLatex ? Script::kLatex : Script::kPlain;
    Tutor tutor(*domain_, *scorer_, pool_, {.explain = {.script = script}, .detail = detail});
    return FormatSolution(*domain_, tutor.Solve(domain_->Parse(problem).state, kSteadyFormat), {format, detail});
  }

  ThreadPool pool_{1};
  std::unique_ptr<Domain> domain_ = MakeDomain("algebra");
  std::unique_ptr<Scorer> scorer_ = MakeScorer(DefaultScorer(domain_->type()), domain_->type(), 0);
};

TEST_F(DetailFormatTest, Names) {
  EXPECT_EQ(DetailOf("school"), Detail::kSchool);
  EXPECT_EQ(DetailOf("axioms"), Detail::kAxioms);
  EXPECT_EQ(DetailOf("both"), Detail::kBoth);
  EXPECT_THROW(DetailOf("all"), Error);
}

TEST_F(DetailFormatTest, AxiomsAsText) {
  constexpr auto kText = Format::kText;
  EXPECT_EQ(Format("x + 3 = 7", Detail::kSchool, kText),
            "x + 3 = 7\n  Subtract 3 from both sides.\nx = 4\n-- x = 4 is the answer, and it was verified.");
  EXPECT_EQ(Format("x + 3 = 7", Detail::kAxioms, kText),
            "x + 3 = 7\n"
            "  Subtract 3 from both sides.\n"
            "x + 3 - 3 = 7 - 3\n"
            "  Group differently: x + 3 - 3 is x + (3 - 3).\n"
            "x + (3 - 3) = 7 - 3\n"
            "  What is subtracted from itself leaves 0: 3 - 3 = 0.\n"
            "x + 0 = 7 - 3\n"
            "  Adding 0 changes nothing: x + 0 is x.\n"
            "x = 7 - 3\n"
            "  Compute 7 - 3 = 4.\n"
            "x = 4\n"
            "-- x = 4 is the answer, and it was verified.");
  EXPECT_EQ(Format("2/3 * 3/5", Detail::kBoth, kText),
            "2/3 · 3/5\n"
            "  Multiply the fractions and cancel 3: 2/3 · 3/5 = 2/5.\n"
            "      2/3 · 3/5\n"
            "        Multiply the numerators and the denominators.\n"
            "      (2 · 3)/(3 · 5)\n"
            "        Compute 2 · 3 = 6.\n"
            "      6/(3 · 5)\n"
            "        Compute 3 · 5 = 15.\n"
            "      6/15\n"
            "        Write 6 as 2 · 3.\n"
            "      (2 · 3)/15\n"
            "        Write 15 as 3 · 5.\n"
            "      (2 · 3)/(3 · 5)\n"
            "        Cancel the common factor 3.\n"
            "      2/5\n"
            "2/5\n"
            "-- 2/5 is the answer, and it was verified.");
}

TEST_F(DetailFormatTest, StepsThatAxiomsDoNotSayStay) {
  // The condition stands in the school step, which is therefore shown with its axioms, not replaced by them.
  const std::string text = Format("2/x = 5", Detail::kAxioms, Format::kText);
  EXPECT_NE(text.find("\n  Multiply both sides by x, where x ≠ 0.\n      2 / x = 5\n        Multiply both sides by x.\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\n2 = 5x; x ≠ 0\n"), std::string::npos) << text;
  EXPECT_EQ(Format("x^2 = 9", Detail::kAxioms, Format::kText),
            "x^2 = 9\n"
            "  Take the square root of both sides: there is a positive and a negative one. (The axioms do not suffice for this "
            "step.)\n"
            "x = 3 or x = -3\n"
            "-- This equation has several solutions: x = 3 or x = -3.");
}

TEST_F(DetailFormatTest, AxiomsAsLatex) {
  EXPECT_EQ(Format("2 = x", Detail::kAxioms, Format::kLatex),
            "\\begin{align*}\n  2 &= x \\\\\n  x &= 2 && \\text{Swap the two sides.}\n\\end{align*}");
  EXPECT_EQ(Format("2 = x", Detail::kBoth, Format::kLatex),
            "\\begin{align*}\n  2 &= x \\\\\n  x &= 2 && \\text{\\quad Swap the two sides.} \\\\\n"
            "  x &= 2 && \\text{Swap the sides.}\n\\end{align*}");
}

TEST_F(DetailFormatTest, AxiomsAsJson) {
  const Json school = Json::parse(Format("2 = x", Detail::kSchool, Format::kJson));
  EXPECT_FALSE(school.at("steps")[0].contains("axioms"));
  for (const Detail detail : {Detail::kAxioms, Detail::kBoth}) {
    const Json step = Json::parse(Format("2 = x", detail, Format::kJson)).at("steps")[0];
    EXPECT_EQ(step.at("axioms_domain"), "equations");
    EXPECT_TRUE(step.at("axioms_note").is_null());
    EXPECT_EQ(step.at("axioms"), Json::parse(R"([{"axiom": "refl", "position": null, "before": "2 = x", "state": "x = 2",
                                                   "notation": "x = 2", "text": "Swap the two sides."}])"));
  }
  const Json root = Json::parse(Format("x^2 = 9", Detail::kAxioms, Format::kJson)).at("steps")[0];
  EXPECT_TRUE(root.at("axioms").is_null());
  EXPECT_TRUE(root.at("axioms_domain").is_null());
  EXPECT_EQ(root.at("axioms_note"), "(The axioms do not suffice for this step.)");
}

TEST_F(FormatTest, HintsAsJsonGiveNothingAwayTooEarly) {
  Tutor tutor(*domain_, *scorer_, pool_);
  const std::string state = domain_->Parse("x = 7 - 3").state;
  const auto hint = [&](int level) {
    return Json::parse(FormatHint(*domain_, state, level, tutor.Hint(state, level, kSteadyFormat), {Format::kJson}));
  };
  EXPECT_TRUE(hint(1).at("axiom").is_null());
  EXPECT_EQ(hint(2).at("axiom"), "eval");
  EXPECT_EQ(hint(2).at("position"), 2);
  EXPECT_TRUE(hint(2).at("line").is_null());
  EXPECT_EQ(hint(3).at("line"), "x = 4");
}

TEST_F(FormatTest, ChecksAsJson) {
  const std::string state = domain_->Parse("2x + 3 = 7").state;
  const Json wrong = Json::parse(FormatCheck(*domain_, state, CheckStep(*domain_, state, "2x + 3 = 8"), {Format::kJson}));
  EXPECT_EQ(wrong.at("verdict"), "not_equivalent");
  EXPECT_EQ(wrong.at("side"), "right");
  EXPECT_EQ(wrong.at("correct"), false);
  const Json unreadable = Json::parse(FormatCheck(*domain_, state, CheckStep(*domain_, state, "2x + = 8"), {Format::kJson}));
  EXPECT_EQ(unreadable.at("verdict"), "unreadable");
  EXPECT_EQ(unreadable.at("position"), 5);
}

TEST_F(FormatTest, NextStepsHaveTheirProbability) {
  Tutor tutor(*domain_, *scorer_, pool_);
  const std::string state = domain_->Parse("x = 7 - 3").state;
  const Json json = Json::parse(FormatNextSteps(*domain_, state, tutor.Write(state), tutor.NextSteps(state), {Format::kJson}));
  EXPECT_EQ(json.at("solved"), false);
  EXPECT_EQ(json.at("steps")[0].at("after"), "x = 4");
  EXPECT_GT(json.at("steps")[0].at("probability").get<double>(), 0);
}

TEST_F(FormatTest, ErrorsHaveTheirPosition) {
  EXPECT_EQ(Json::parse(FormatErrorAsJson({.position = 3, .message = "what"}, "2x ")),
            Json::parse(R"({"error": "what", "position": 3, "understood": "2x "})"));
}

TEST_F(FormatTest, MarkupIsAddedWhereItIsAskedFor) {
  const FormatOptions plain{.format = Format::kJson};
  const FormatOptions marked{.format = Format::kJson, .markup = true, .language = "de"};
  using Ordered = nlohmann::ordered_json;
  const std::vector<std::string> of_line{"notation", "mathml", "speech"};
  const std::vector<std::string> of_step{"notation", "mathml", "speech", "before_mathml"};
  // With markup there are these fields more, and nothing else is different.
  const auto added = [](const Ordered& with, const Ordered& without) {
    std::vector<std::string> fields;
    for (const auto& [key, value] : with.items()) {
      if (!without.contains(key)) fields.push_back(key);
    }
    EXPECT_EQ(fields.size() + without.size(), with.size());
    return fields;
  };

  const TutorSolution solution = Solve("x = 7 - 3");
  const Ordered solved = Ordered::parse(FormatSolution(*domain_, solution, marked));
  const Ordered solved_plainly = Ordered::parse(FormatSolution(*domain_, solution, plain));
  EXPECT_EQ(added(solved, solved_plainly),
            (std::vector<std::string>{"notation", "mathml", "speech", "answer_mathml", "answer_speech"}));
  EXPECT_EQ(added(solved.at("steps").at(0), solved_plainly.at("steps").at(0)), of_step);
  EXPECT_EQ(solved.at("speech"), "x gleich 7 minus 3");
  EXPECT_EQ(solved.at("answer_speech"), "x gleich 4");
  EXPECT_NE(solved.at("steps").at(0).at("mathml").get<std::string>().find("class=\"changed\""), std::string::npos);
  EXPECT_FALSE(Ordered::parse(FormatSolution(*domain_, Solve("x = x + 1"), marked)).contains("answer_mathml"));

  const std::string state = domain_->Parse("2x + 3 = 7 - 1").state;
  Tutor tutor(*domain_, *scorer_, pool_);
  for (int level = 1; level <= Tutor::kHintLevels; ++level) {
    const TutorHint hint = tutor.Hint(state, level, kSteadyFormat);
    std::vector<std::string> fields = of_line;
    if (level == 3) fields.insert(fields.end(), {"line_notation", "line_mathml", "line_speech", "before_mathml"});
    EXPECT_EQ(added(Ordered::parse(FormatHint(*domain_, state, level, hint, marked)),
                    Ordered::parse(FormatHint(*domain_, state, level, hint, plain))),
              fields);
  }

  const StepCheck right = CheckStep(*domain_, state, "2x + 3 = 6");
  const StepCheck unreadable = CheckStep(*domain_, state, "2x + = 6");
  EXPECT_EQ(added(Ordered::parse(FormatCheck(*domain_, state, right, marked)),
                  Ordered::parse(FormatCheck(*domain_, state, right, plain))),
            of_step);
  EXPECT_EQ(FormatCheck(*domain_, state, unreadable, marked), FormatCheck(*domain_, state, unreadable, plain));
  EXPECT_EQ(added(Ordered::parse(FormatChecks(*domain_, state, {right, unreadable}, marked)),
                  Ordered::parse(FormatChecks(*domain_, state, {right, unreadable}, plain))),
            of_line);

  const std::vector<NextStep> steps = tutor.NextSteps(state);
  const Ordered next = Ordered::parse(FormatNextSteps(*domain_, state, tutor.Write(state), steps, marked));
  const Ordered next_plainly = Ordered::parse(FormatNextSteps(*domain_, state, tutor.Write(state), steps, plain));
  EXPECT_EQ(added(next, next_plainly), of_line);
  EXPECT_EQ(added(next.at("steps").at(0), next_plainly.at("steps").at(0)), of_step);
}

TEST_F(FormatTest, AxiomsHaveMarkupOfTheirOwnDomain) {
  const std::unique_ptr<Domain> algebra = MakeDomain("algebra");
  Tutor tutor(*algebra, *scorer_, pool_, {.explain = {}, .detail = Detail::kBoth});
  const TutorSolution solution = tutor.Solve("x + 3 = 7");
  const Json json = Json::parse(
      FormatSolution(*algebra, solution, {.format = Format::kJson, .detail = Detail::kBoth, .markup = true, .language = "en"}));
  const Json& axiom = json.at("steps").at(0).at("axioms").at(0);
  EXPECT_EQ(axiom.at("notation"), "x + 3 - 3 = 7 - 3");
  EXPECT_EQ(axiom.at("speech"), "x plus 3 minus 3 equals 7 minus 3");
  EXPECT_TRUE(axiom.contains("mathml") && axiom.contains("before_mathml"));
}

TEST_F(FormatTest, PicturesAreData) {
  const std::unique_ptr<Domain> sorting = MakeDomain("sorting");
  Tutor tutor(*sorting, *scorer_, pool_);
  const TutorSolution solution = tutor.Solve(sorting->Parse("[==|=]").state);
  const Json json = Json::parse(FormatSolution(*sorting, solution, {.format = Format::kJson, .markup = true}));
  EXPECT_EQ(json.at("picture"), Json::parse(R"({"kind": "bars", "values": [2, 1]})"));
  EXPECT_EQ(json.at("steps").at(0).at("picture"), Json::parse(R"({"kind": "bars", "values": [1, 2], "moved": [0, 1]})"));
  nlohmann::ordered_json object;
  AddMarkup(object, MarkupOf(*MakeDomain("fractions"), "[1]/[2] - [1]/[3]"), "line_");
  EXPECT_EQ(object.at("line_picture").dump(),
            R"({"kind":"fractions","terms":[{"numerator":1,"denominator":2},{"numerator":1,"denominator":3,"operator":"-"}]})");
}

}  // namespace
}  // namespace conpole

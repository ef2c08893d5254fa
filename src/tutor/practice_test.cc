#include "tutor/practice.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "search/scorers.h"

namespace conpole {
namespace {

using Json = nlohmann::json;

class PracticeTest : public testing::Test {
 protected:
  PracticeTest()
      : domain_(MakeDomain("algebra")), scorer_(MakeScorer("lines", domain_->type(), 0)), tutor_(*domain_, *scorer_, pool_) {}

  PracticeOptions Options(std::string_view skill, std::size_t level = 1) const {
    PracticeOptions options;
    options.skills = SkillsOf("algebra");
    while (options.skills[options.first_skill]->name != skill) ++options.first_skill;
    options.level = level;
    options.seed = 1;
    options.budget = {.milliseconds = 600'000, .expansions = 3'000};
    return options;
  }
  // The last line of the solution, without showing it to the session.
  std::string AnswerOf(const PracticeSession& session) { return tutor_.Solve(session.line()).answer; }
  PracticeAnswer SolveOne(PracticeSession& session) { return session.Enter(AnswerOf(session)); }

  ThreadPool pool_{1};
  std::unique_ptr<Domain> domain_;
  std::unique_ptr<Scorer> scorer_;
  Tutor tutor_;
};

TEST_F(PracticeTest, ThreeInARowAreALevelAndTheLastLevelIsTheSkill) {
  PracticeSession session(tutor_, Options("one-step", 3));
  for (const std::size_t count : {1U, 2U}) {
    const PracticeAnswer answer = SolveOne(session);
    EXPECT_EQ(answer.check.kind, StepCheck::Kind::kSolved);
    EXPECT_TRUE(answer.solved && answer.without_help && !answer.level_mastered);
    EXPECT_EQ(answer.in_a_row, count);
    EXPECT_EQ(session.exercise().level, 3U);
  }
  EXPECT_EQ(session.ProgressOf(FindSkill("one-step")).in_a_row, 2U);
  PracticeAnswer answer = SolveOne(session);
  EXPECT_TRUE(answer.level_mastered && !answer.skill_mastered);
  EXPECT_EQ(session.exercise().level, 4U);
  EXPECT_EQ(session.ProgressOf(FindSkill("one-step")).levels_mastered, 3U);
  SolveOne(session);
  SolveOne(session);
  answer = SolveOne(session);
  EXPECT_TRUE(answer.level_mastered && answer.skill_mastered);
  EXPECT_EQ(session.exercise().skill->name, "two-steps");
  EXPECT_EQ(session.exercise().level, 1U);
  EXPECT_EQ(session.solved_without_help(), 6U);
}

TEST_F(PracticeTest, AfterTheLastSkillItsLastLevelGoesOn) {
  PracticeSession session(tutor_, Options("long-multiplication", 5));
  for (int i = 0; i < 3; ++i) SolveOne(session);
  EXPECT_EQ(session.exercise().skill->name, "long-multiplication");
  EXPECT_EQ(session.exercise().level, 5U);
}

// Each with a learner of its own, since what was solved before counts, too.
TEST_F(PracticeTest, WrongLinesHintsAndSolutionsBeginTheRowAnew) {
  const auto row_after = [&](const auto& what) {
    PracticeSession session(tutor_, Options("two-steps"));
    const auto row = [&] { return session.ProgressOf(FindSkill("two-steps")).in_a_row; };
    SolveOne(session);
    EXPECT_EQ(row(), 1U);
    what(session);
    return row();
  };
  EXPECT_EQ(row_after([&](PracticeSession& session) {
              EXPECT_FALSE(session.Enter("x = 1000").check.correct());
              EXPECT_EQ(SolveOne(session).in_a_row, 0U) << "this one was not flawless";
            }),
            0U);
  EXPECT_EQ(row_after([&](PracticeSession& session) {
              session.Hint();
              const PracticeAnswer answer = SolveOne(session);
              EXPECT_EQ(answer.in_a_row, 0U);
              EXPECT_TRUE(answer.without_help) << "a hint at the kind of step gives no line away";
            }),
            0U);
  EXPECT_EQ(row_after([&](PracticeSession& session) {
              session.Solve();
              const PracticeAnswer answer = SolveOne(session);
              EXPECT_EQ(answer.in_a_row, 0U);
              EXPECT_FALSE(answer.without_help);
            }),
            0U);
  EXPECT_EQ(row_after([](PracticeSession& session) { session.Next(); }), 0U);
  EXPECT_EQ(row_after([](PracticeSession& session) {
              EXPECT_EQ(session.Enter("2x + = 3").check.kind, StepCheck::Kind::kUnreadable);
            }),
            1U)
      << "a slip of the pen is no error";
}

TEST_F(PracticeTest, AHintThatIsTheLineCountsAsHelp) {
  PracticeSession session(tutor_, Options("one-step"));
  session.Hint();
  session.Hint();
  const std::string hint = session.Hint().text;
  const std::string answer = AnswerOf(session);
  EXPECT_NE(hint.find(answer), std::string::npos);
  EXPECT_FALSE(session.Enter(answer).without_help) << "it can be a copy";
  EXPECT_EQ(session.solved_without_help(), 0U);
  // For each new line, hints begin with the first.
  PracticeSession longer(tutor_, Options("two-steps"));
  const std::string first = longer.Hint().text;
  const std::string second = longer.Hint().text;
  EXPECT_NE(first, second);
  EXPECT_TRUE(longer.Enter(tutor_.Solve(longer.line()).steps.front().after).check.correct());
  EXPECT_EQ(longer.Hint().text, tutor_.Hint(longer.line(), 1).text);
  EXPECT_TRUE(SolveOne(longer).without_help);
}

TEST_F(PracticeTest, NoExerciseComesTwiceAndTheSameSeedGivesTheSameOnes) {
  PracticeSession session(tutor_, Options("one-step"));
  PracticeSession again(tutor_, Options("one-step"));
  std::set<std::string> seen;
  for (int i = 0; i < 150; ++i) {
    EXPECT_TRUE(seen.insert(session.exercise().problem).second) << session.exercise().problem;
    EXPECT_EQ(session.exercise().problem, again.exercise().problem);
    EXPECT_EQ(session.exercise().problem, MakeExercise(*session.exercise().skill, 1, session.exercise().seed));
    session.Next();
    again.Next();
  }
}

TEST_F(PracticeTest, MoreGivesExercisesOfTheSameKind) {
  PracticeSession session(tutor_, Options("one-step", 2));
  session.More();
  EXPECT_EQ(session.exercise().level, 2U);
  for (int i = 0; i < 3; ++i) SolveOne(session);
  ASSERT_EQ(session.exercise().level, 3U);
  session.More();
  EXPECT_EQ(session.exercise().level, 2U) << "like the one that was just solved";
  EXPECT_EQ(session.MoreLike("3(x-2)=9"), std::nullopt);
  EXPECT_EQ(session.exercise().skill->name, "brackets");
  EXPECT_EQ(session.exercise().level, 1U);
  session.Hint();
  session.More();
  EXPECT_EQ(session.exercise().skill->name, "brackets") << "like the one that is worked on";
  const std::string problem = session.exercise().problem;
  EXPECT_NE(session.MoreLike("3(x-2="), std::nullopt);
  EXPECT_NE(session.MoreLike("x = 2"), std::nullopt);
  EXPECT_EQ(session.exercise().problem, problem);
  session.Choose(FindSkill("decimals"), 2);
  EXPECT_EQ(session.exercise().skill->name, "decimals");
  EXPECT_THROW(session.Choose(FindSkill("decimals"), 9), Error);
  EXPECT_THROW(session.Choose(FindSkill("sorting"), 1), Error) << "no problems of algebra";
  EXPECT_EQ(session.exercise().skill->name, "decimals");
}

TEST_F(PracticeTest, SkillsCanBePractisedWithTheAxiomsOfAnotherDomain) {
  const std::unique_ptr<Domain> equations = MakeDomain("equations");
  const std::unique_ptr<Scorer> length = MakeScorer("length", equations->type(), 0);
  Tutor tutor(*equations, *length, pool_);
  PracticeOptions options = Options("two-steps");
  options.budget.expansions = 10;
  PracticeSession session(tutor, options);
  EXPECT_EQ(session.exercise().notation, MakeExercise(FindSkill("two-steps"), 1, 1));
  EXPECT_EQ(session.MoreLike("3(x-2)=9"), std::nullopt);
  EXPECT_EQ(session.exercise().skill->name, "brackets");
}

TEST_F(PracticeTest, WithoutSkillsTheDomainGivesItsProblems) {
  PracticeOptions options;
  options.level = 1;
  options.seed = 5;
  PracticeSession session(tutor_, options);
  EXPECT_EQ(session.exercise().skill, nullptr);
  EXPECT_EQ(session.exercise().problem, tutor_.Exercise(1, 5));
  EXPECT_TRUE(SolveOne(session).solved);
  EXPECT_EQ(session.exercise().level, 1U);
  session.More();
  EXPECT_EQ(session.exercise().skill, nullptr);
}

TEST_F(PracticeTest, TheTranscriptHasEverything) {
  PracticeOptions options = Options("one-step");
  std::uint64_t now = 0;
  options.milliseconds = [&] { return now += 10; };
  PracticeSession session(tutor_, options);
  const std::string problem = session.exercise().problem;
  session.Enter("x = 1000");
  session.Enter("x = = \xff");
  session.Hint();
  session.Solve();
  const std::string answer = AnswerOf(session);
  session.Enter(answer);
  SolveOne(session);
  const Json json = Json::parse(session.Transcript());
  EXPECT_EQ(json.at("domain"), "algebra");
  EXPECT_EQ(json.at("language"), "en");
  EXPECT_EQ(json.at("solved_without_help"), 1);
  ASSERT_EQ(json.at("exercises").size(), 3U);
  const Json& first = json.at("exercises")[0];
  EXPECT_EQ(first.at("skill"), "one-step");
  EXPECT_EQ(first.at("level"), 1);
  EXPECT_EQ(first.at("seed"), 1);
  EXPECT_EQ(first.at("problem"), problem);
  EXPECT_TRUE(first.at("solved") && first.at("helped") && !first.at("flawless"));
  const Json& events = first.at("events");
  ASSERT_EQ(events.size(), 5U);
  EXPECT_EQ(events[0].at("event"), "line");
  EXPECT_EQ(events[0].at("line"), "x = 1000");
  EXPECT_EQ(events[0].at("verdict"), "not_equivalent");
  EXPECT_FALSE(events[0].at("text").get<std::string>().empty());
  EXPECT_EQ(events[0].at("milliseconds"), 10);
  EXPECT_EQ(events[1].at("verdict"), "unreadable");
  EXPECT_EQ(events[2].at("event"), "hint");
  EXPECT_EQ(events[2].at("level"), 1);
  EXPECT_EQ(events[3].at("event"), "solution");
  EXPECT_EQ(events[3].at("lines").back(), answer);
  EXPECT_EQ(events[4].at("verdict"), "solved");
  EXPECT_TRUE(json.at("exercises")[1].at("flawless"));
  EXPECT_FALSE(json.at("exercises")[2].at("solved"));
  EXPECT_EQ(json.at("skills")[0].at("in_a_row"), 1);
  // Without a clock there are no times.
  PracticeSession timeless(tutor_, Options("one-step"));
  timeless.Hint();
  EXPECT_EQ(timeless.Transcript().find("milliseconds"), std::string::npos);
}

// By the letters, digits and signs that two texts have in common: what a network would tell better.
std::size_t Common(const std::string& a, const std::string& b) {
  std::size_t count = 0;
  for (const char c : std::set<char>(a.begin(), a.end())) {
    count += static_cast<std::size_t>(std::min(std::count(a.begin(), a.end(), c), std::count(b.begin(), b.end(), c)));
  }
  return 1000 * count / std::max(a.size(), b.size());
}
std::vector<std::size_t> ByCharacters(const std::string& problem, std::span<const std::string> others) {
  std::vector<std::size_t> places(others.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return Common(problem, others[a]) > Common(problem, others[b]); });
  return places;
}

TEST_F(PracticeTest, StaysNearAProblem) {
  PracticeOptions options = Options("two-steps");
  options.like = "2x + 3 = 7";
  options.likeness = &ByCharacters;
  PracticeSession session(tutor_, options);
  PracticeSession other(tutor_, Options("two-steps"));
  std::size_t near = 0;
  std::size_t usual = 0;
  std::set<std::string> seen{options.like};
  for (int i = 0; i < 20; ++i) {
    const PracticeExercise& exercise = session.exercise();
    EXPECT_TRUE(seen.insert(exercise.problem).second) << exercise.problem;
    EXPECT_EQ(exercise.skill->name, "two-steps");
    EXPECT_EQ(exercise.level, 1U);
    EXPECT_EQ(exercise.like, "2x + 3 = 7");
    // Its seed gives it again.
    EXPECT_EQ(MakeExercise(*exercise.skill, exercise.level, exercise.seed), exercise.problem);
    near += Common(options.like, exercise.problem);
    usual += Common(options.like, other.exercise().problem);
    EXPECT_EQ(other.exercise().like, "");
    session.Next();
    other.Next();
  }
  EXPECT_GT(near * 10, usual * 11);
  EXPECT_EQ(Json::parse(session.Transcript()).at("exercises")[0].at("like"), "2x + 3 = 7");
  EXPECT_FALSE(Json::parse(other.Transcript()).at("exercises")[0].contains("like"));
  // The same seed and the same likeness give the same exercises.
  EXPECT_EQ(PracticeSession(tutor_, options).exercise().problem,
            Json::parse(session.Transcript())["exercises"][0]["problem"].get<std::string>());
}

TEST_F(PracticeTest, LikenessGoesOnInTheNextLevelAndWithAnotherProblem) {
  PracticeOptions options = Options("one-step", 1);
  options.like = "x + 3 = 8";
  options.likeness = &ByCharacters;
  PracticeSession session(tutor_, options);
  for (int i = 0; i < 3; ++i) SolveOne(session);
  EXPECT_EQ(session.exercise().level, 2U);
  EXPECT_EQ(session.exercise().like, "x + 3 = 8");
  EXPECT_FALSE(session.MoreLike("x^2 - 5x + 6 = 0"));
  EXPECT_EQ(session.exercise().skill->name, "quadratics");
  EXPECT_EQ(session.exercise().like, "x^2 - 5x + 6 = 0");
  EXPECT_TRUE(session.MoreLike("x^2 - = 0"));
  EXPECT_EQ(session.exercise().like, "x^2 - 5x + 6 = 0");
}

TEST_F(PracticeTest, BeginsAtTheLevelOfTheProblem) {
  const auto start = [&](const std::string& problem) {
    PracticeOptions options = Options("one-step");
    options.like = problem;
    options.likeness = &ByCharacters;
    return StartLike(tutor_, options, options.skills);
  };
  const auto skill = [&](const std::string& problem) { return start(problem).skill->name; };
  EXPECT_EQ(skill("x + 3 = 8"), "one-step");
  EXPECT_EQ(start("x + 3 = 8").level, 1U);
  EXPECT_EQ(skill("3(x - 2) = 9"), "brackets");
  // By its size alone it would be level 1, where everything is a product.
  EXPECT_EQ(skill("x^2 - 5x + 6 = 0"), "quadratics");
  EXPECT_EQ(start("x^2 - 5x + 6 = 0").level, 3U);
  // No level below the one that it fits in.
  EXPECT_GE(start("36 - 3x = 52").level, 2U);
  // What is of no skill begins where something is like it.
  EXPECT_NE(start("x = 3").skill, nullptr);
  EXPECT_NE(start("x = 1 or x = 2 or x = 3 or x = 4 or x = 5 or x = 6 or x = 7 or x = 8 or x = 9 or x = 10").skill, nullptr);
}

TEST_F(PracticeTest, WithoutSkillsTheLengthOfItsSolutionIsTheLevel) {
  PracticeOptions options;
  options.budget = {.milliseconds = 600'000, .expansions = 3'000};
  options.like = "2x + 3 = 7";
  options.likeness = &ByCharacters;
  const PracticeStart start = StartLike(tutor_, options, {});
  EXPECT_EQ(start.skill, nullptr);
  EXPECT_EQ(start.level, 1U);
  options.level = start.level;
  PracticeSession session(tutor_, options);
  for (int i = 0; i < 3; ++i) {
    const std::size_t steps = tutor_.Solve(session.exercise().problem, options.budget).steps.size();
    EXPECT_GE(steps, 1U);
    EXPECT_LE(steps, Tutor::kStepsPerLevel) << session.exercise().problem;
    EXPECT_EQ(domain_->Generate(session.exercise().seed), session.exercise().problem);
    session.Next();
  }
}

}  // namespace
}  // namespace conpole

#include "tutor/tutor.h"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "notation/notation.h"
#include "search/scorers.h"
#include "subjects/free_notation.h"
#include "subjects/subject.h"
#include "subjects/verify.h"
#include "tests/invariants.h"
#include "tests/repetitions.h"
#include "tests/search_fixtures.h"
#include "tutor/policy.h"
#include "verify/exact.h"

namespace conpole {
namespace {

// A tutor with all that it needs; with the shipped model unless a scorer is named.
class Lesson {
 public:
  explicit Lesson(std::string_view spec, std::string_view scorer = "", TutorOptions options = {})
      : domain(MakeDomain(spec)), policy(MakePolicyOf(*domain, scorer)), tutor(*domain, *policy, pool, std::move(options)) {}

  std::string Read(std::string_view text) const {
    const NotationResult read = ReadNotation(*domain, text);
    EXPECT_FALSE(read.error) << text << ": " << read.error->message;
    return read.state;
  }
  TutorSolution Solve(std::string_view text, const TutorBudget& budget = {}) { return tutor.Solve(Read(text), budget); }

  ThreadPool pool;
  std::unique_ptr<Domain> domain;
  std::unique_ptr<Scorer> policy;
  Tutor tutor;

 private:
  std::unique_ptr<Scorer> MakePolicyOf(const Domain& of, std::string_view scorer) {
    setenv("CONPOLE_MODELS", CONPOLE_SOURCE "/models", 1);  // tests are not where the program is
    return scorer.empty() ? MakePolicy(of, pool) : MakeScorer(scorer, of.type(), 0);
  }
};

// Expansions instead of time, so that results do not depend on the machine.
constexpr TutorBudget kSteady{.milliseconds = 600'000, .expansions = 300};

// Every step must be legal and sound, and the one that its label says.
void ExpectLegalSteps(const Domain& domain, const TutorSolution& solution) {
  const Facts* const facts = FindFacts(domain.type().name);
  std::string state = solution.problem;
  Successors successors;
  for (const TutorStep& step : solution.steps) {
    EXPECT_EQ(step.before, state);
    EXPECT_EQ(step.axiom, AxiomOf(step.label));
    EXPECT_FALSE(step.text.empty());
    successors.Clear();
    domain.Expand(state, Labels::kOn, successors);
    bool found = false;
    for (std::size_t i = 0; i < successors.size(); ++i) {
      found = found || (successors.label(i) == step.label && successors.state(i) == step.after);
    }
    EXPECT_TRUE(found) << state << " -> " << step.after << " by " << step.label;
    const std::optional<std::string> unsound = facts->find_unsound(state, step.label, step.after);
    EXPECT_FALSE(unsound) << state << " -> " << step.after << ": " << *unsound;
    state = step.after;
  }
  if (!solution.solved()) return;
  EXPECT_EQ(state, solution.answer);
  EXPECT_TRUE(domain.Solved(state)) << state;
}

TEST(TutorTest, SolvesAProblemOfEachDomain) {
  struct Example {
    std::string_view domain;
    std::string_view problem;
    std::string_view answer;
  };
  for (const Example& example : {Example{"equations", "2x+3=7", "x = 2"}, Example{"fractions", "1/2 + 1/3", "[5]/[6]"},
                                 Example{"multiplication", "12 * 34", "408e0"}, Example{"sorting", "[3,1,2]", "[=|==|===]"},
                                 Example{"ternary-addition", "c3 b5 b3", "#(b4 b5)"}}) {
    Lesson lesson(example.domain);
    const TutorSolution solution = lesson.Solve(example.problem, kSteady);
    EXPECT_EQ(solution.status, SolveStatus::kSolved) << example.problem;
    EXPECT_TRUE(solution.verified());
    EXPECT_EQ(solution.answer, example.answer);
    EXPECT_GT(solution.expanded, 0U);
    EXPECT_FALSE(solution.message.empty());
    ExpectLegalSteps(*lesson.domain, solution);
  }
  Lesson cube("rubiks-cube");
  const TutorSolution solution = cube.Solve("R U F'");
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_EQ(solution.steps.size(), 3U);
  ExpectLegalSteps(*cube.domain, solution);
}

// Policies know only x, and the axioms know no negations.
TEST(TutorTest, AnyLetterAndNegationsWillDo) {
  Lesson lesson("equations");
  const TutorSolution solution = lesson.Solve("-t = 9(t - 10)", kSteady);
  EXPECT_EQ(solution.problem, "-1t = (9 * (t - 10))");
  EXPECT_EQ(solution.answer, "t = 9");
  ExpectLegalSteps(*lesson.domain, solution);
  const TutorBudget none{.expansions = 0};
  EXPECT_EQ(lesson.Solve("x = -(2x - 3)", none).problem, "x = ((-1) * (2x - 3))");
  EXPECT_EQ(lesson.Solve("6 / (-(x + 1)) = 2", none).problem, "(6 / ((-1) * (x + 1))) = 2");
}

TEST(TutorTest, StepsSayWhatWasDoneAndWhere) {
  Lesson lesson("equations");
  const TutorSolution solution = lesson.Solve("x+3=7");
  ASSERT_FALSE(solution.steps.empty());
  const TutorStep& first = solution.steps.front();
  EXPECT_EQ(first.axiom, "sub");
  EXPECT_FALSE(first.position);
  EXPECT_EQ(first.text, "Subtract 3 from both sides.");
  EXPECT_TRUE(solution.steps.back().position);
  EXPECT_EQ(solution.message, "x = 4 is the answer, and it was verified.");
}

TEST(TutorTest, SaysExactlyWhatHasNoSingleSolution) {
  Lesson lesson("equations", "length");
  struct Example {
    std::string_view problem;
    SolveStatus status;
    std::string_view answer;
  };
  for (const Example& example :
       {Example{"x = x + 1", SolveStatus::kNoSolution, ""}, Example{"x/x = 2", SolveStatus::kNoSolution, ""},
        Example{"(x*0)/x = 1 - 1 + x - x + 1", SolveStatus::kNoSolution, ""},
        Example{"x + 1 = 1 + x", SolveStatus::kEveryNumber, ""},
        Example{"x*x = 4", SolveStatus::kSeveralSolutions, "x = -2, x = 2"},
        Example{"x*x = 2", SolveStatus::kSeveralSolutions, ""}}) {
    const TutorSolution solution = lesson.Solve(example.problem);
    EXPECT_EQ(solution.status, example.status) << example.problem;
    EXPECT_EQ(solution.answer, example.answer) << example.problem;
    EXPECT_TRUE(solution.verified()) << example.problem;
    EXPECT_TRUE(solution.steps.empty());
    EXPECT_FALSE(solution.message.empty());
  }
  for (const std::string_view problem : {"x*x*x = 2"}) {
    const TutorSolution solution = lesson.Solve(problem);
    EXPECT_EQ(solution.status, SolveStatus::kUnsolved) << problem;
    EXPECT_FALSE(solution.verified());
    EXPECT_EQ(solution.expanded, 0U);
  }
}

// Multiplying (x / x) = x by x gives x = x * x, of which 0 is a root; a search must not stop at x = 0.
TEST(TutorTest, GoesOnPastWrongAnswers) {
  Lesson lesson("equations", "length");
  SearchOptions search;
  search.kind = SearchKind::kBreadthFirst;
  for (const std::string_view problem : {"x/x = x", "x*(1/x) = x"}) {
    const TutorSolution solution = lesson.tutor.Solve(lesson.Read(problem), {}, &search);
    EXPECT_TRUE(solution.status == SolveStatus::kUnsolved || solution.answer == "x = 1") << solution.answer;
    ExpectLegalSteps(*lesson.domain, solution);
  }
}

TEST(TutorTest, TheBudgetIsKept) {
  Lesson lesson("rubiks-cube");
  const std::string hard = MakeDomain("rubiks-cube:min_moves=19")->Generate(1);
  TutorSolution solution = lesson.tutor.Solve(hard, {.milliseconds = 600'000, .expansions = 500});
  EXPECT_EQ(solution.status, SolveStatus::kUnsolved);
  EXPECT_FALSE(solution.verified());
  EXPECT_EQ(solution.outcome, SearchOutcome::kOutOfBudget);
  EXPECT_GE(solution.expanded, 500U);
  EXPECT_LT(solution.expanded, 1'000U);
  solution = lesson.tutor.Solve(hard, {.milliseconds = 1});
  EXPECT_EQ(solution.status, SolveStatus::kUnsolved);
  EXPECT_LT(solution.milliseconds, 30'000);
  const std::atomic<bool> stop = true;
  solution = lesson.tutor.Solve(hard, {.stop = &stop});
  EXPECT_EQ(solution.outcome, SearchOutcome::kInterrupted);
}

TEST(TutorTest, TimeBoundsANamedSearchToo) {
  Lesson lesson("rubiks-cube");
  const std::string hard = MakeDomain("rubiks-cube:min_moves=19")->Generate(1);
  SearchOptions search;
  search.breadth_first.max_edges = 1'000'000'000;
  search.beam.max_steps = 1'000'000'000;
  for (const SearchKind kind : {SearchKind::kBreadthFirst, SearchKind::kBeam, SearchKind::kGreedy, SearchKind::kBestFirst}) {
    search.kind = kind;
    TutorSolution solution = lesson.tutor.Solve(hard, {.milliseconds = 0}, &search);
    EXPECT_EQ(solution.outcome, SearchOutcome::kOutOfBudget);
    EXPECT_EQ(solution.message, "No solution was found in time.");
    const std::atomic<bool> stop = true;
    solution = lesson.tutor.Solve(hard, {.milliseconds = 0, .stop = &stop}, &search);
    EXPECT_EQ(solution.outcome, SearchOutcome::kInterrupted);
    EXPECT_EQ(solution.message, "The search was interrupted before a solution was found.");
  }
}

// Another domain, that sets a flag as soon as a state is found to be solved.
class FlaggingDomain final : public Domain {
 public:
  FlaggingDomain(const Domain& domain, std::atomic<bool>& flag)
      : Domain(domain.type(), domain.parameters()), domain_(domain), flag_(flag) {}

  std::string Generate(std::uint64_t seed) const override { return domain_.Generate(seed); }
  Status Expand(std::string_view state, Labels labels, Successors& out) const override {
    return domain_.Expand(state, labels, out);
  }
  bool Solved(std::string_view state) const override {
    const bool solved = domain_.Solved(state);
    if (solved) flag_ = true;
    return solved;
  }
  Parsed Parse(std::string_view text) const override { return domain_.Parse(text); }

 private:
  const Domain& domain_;
  std::atomic<bool>& flag_;
};

// Nobody waits for detours to be removed once the time is up.
TEST(TutorTest, RemovingDetoursStopsInTime) {
  const GraphDomain graph({{"S", {"A", "B"}}, {"A", {"C"}}, {"C", {"G"}}, {"B", {"G"}}});
  ThreadPool pool(1);
  const std::unique_ptr<Scorer> scorer =
      MakeHeuristicScorer({"", "", [](std::string_view state) { return state == "B" ? 1.0F : 0.0F; }});
  std::atomic<bool> flag = false;
  const FlaggingDomain domain(graph, flag);
  Tutor tutor(domain, *scorer, pool);
  EXPECT_EQ(tutor.Solve("S").steps.size(), 2U);
  flag = false;
  const TutorSolution stopped = tutor.Solve("S", {.stop = &flag});
  EXPECT_EQ(stopped.outcome, SearchOutcome::kSolved);
  EXPECT_EQ(stopped.steps.size(), 3U);
}

TEST(TutorTest, WhatIsSolvedNeedsNoSteps) {
  Lesson lesson("sorting", "length");
  const TutorSolution solution = lesson.Solve("[1,2,3]");
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_TRUE(solution.steps.empty());
  EXPECT_EQ(lesson.tutor.Hint(lesson.Read("[1,2,3]"), 1).text, "There is nothing left to do: this is the answer.");
  EXPECT_TRUE(lesson.tutor.NextSteps(lesson.Read("[1,2,3]")).empty());
}

// A policy that prefers to swap everything else first. The states of the shortest way are among those it meets.
TEST(TutorTest, DetoursAreRemoved) {
  class Contrary final : public Scorer {
   public:
    ScoreMeaning meaning() const override { return ScoreMeaning::kLogPreference; }
    void Score(const ScoreBatch& batch, std::span<float> scores) override {
      for (std::size_t i = 0; i < scores.size(); ++i) {
        const std::string_view text = batch.texts[batch.pairs[i].candidate];
        scores[i] = static_cast<float>(text.find("===")) / -10.0F;
      }
    }
  };
  ThreadPool pool(1);
  Contrary contrary;
  const std::unique_ptr<Domain> domain = MakeDomain("sorting");
  Tutor tutor(*domain, contrary, pool);
  const TutorSolution solution = tutor.Solve("[===|==|=]");
  EXPECT_TRUE(solution.solved());
  EXPECT_EQ(solution.steps.size(), 1U);  // reverse
}

TEST(TutorTest, HintsSayMoreFromLevelToLevel) {
  Lesson lesson("equations");
  const std::string state = lesson.Read("x+3=7");
  EXPECT_EQ(lesson.tutor.Hint(state, 1).text, "Do the same on both sides.");
  EXPECT_EQ(lesson.tutor.Hint(state, 2).text, "Subtract 3 from both sides.");
  EXPECT_EQ(lesson.tutor.Hint(state, 3).text, "Subtract 3 from both sides. This gives x + 3 - 3 = 7 - 3");
  EXPECT_EQ(lesson.tutor.Hint(lesson.Read("x = 7 - 3"), 2).text, "Compute 7 - 3.");
  EXPECT_EQ(lesson.tutor.Hint(lesson.Read("x = x + 1"), 2).text, "No number solves this equation.");
  EXPECT_THROW(lesson.tutor.Hint(state, 0), Error);
  EXPECT_THROW(lesson.tutor.Hint(state, 4), Error);
  Lesson german("equations", "", {.explain = {.language = "de"}});
  EXPECT_EQ(german.tutor.Hint(state, 2).text, "Subtrahiere 3 auf beiden Seiten.");
  EXPECT_THROW(Lesson("equations", "length", {.explain = {.language = "xx"}}), Error);
}

TEST(TutorTest, SaysWhichLimitEndedASearch) {
  Lesson sorting("sorting", "length");
  const std::string list = sorting.Read("[3,1,2]");
  const auto message = [&](const SearchOptions& search) { return sorting.tutor.Solve(list, {}, &search).message; };
  SearchOptions search;
  search.kind = SearchKind::kGreedy;
  search.greedy.max_steps = 0;
  EXPECT_EQ(message(search), "No solution of at most 0 steps was found.");
  search.kind = SearchKind::kBeam;
  search.beam.max_steps = 1;
  EXPECT_EQ(message(search), "No solution of at most 1 step was found.");
  search.kind = SearchKind::kBreadthFirst;
  search.breadth_first.max_edges = 2;
  EXPECT_EQ(message(search), "No solution was found before the limit of 2 successors was reached.");
  search.kind = SearchKind::kBestFirst;
  search.best_first.max_expanded = 1;
  search.best_first.batch = 1;
  Lesson cube("rubiks-cube", "stickers");
  EXPECT_EQ(cube.tutor.Solve(cube.Read("R U F"), {}, &search).message,
            "No solution was found before the limit of 1 expanded state was reached.");
  const std::atomic<bool> stop = true;
  EXPECT_EQ(sorting.tutor.Solve(list, {.stop = &stop}).message, "The search was interrupted before a solution was found.");
  EXPECT_EQ(sorting.tutor.Solve(list, {.expansions = 0}).message,
            "No solution was found before the limit of 0 expanded states was reached.");
  EXPECT_EQ(sorting.tutor.Solve(list, {.milliseconds = 0}).message, "No solution was found in time.");
  TutorOptions one_step;
  one_step.max_steps = 1;
  Lesson short_sighted("sorting", "length", one_step);
  EXPECT_EQ(short_sighted.tutor.Solve(list).message, "No solution of at most 1 step was found.");
}

TEST(TutorTest, NextStepsAreAllThatIsLegal) {
  for (const DomainType* const type : DomainTypes()) {
    Lesson lesson(type->name);
    const std::string state = lesson.domain->Generate(7);
    Successors successors;
    lesson.domain->Expand(state, Labels::kOn, successors);
    const std::vector<NextStep> steps = lesson.tutor.NextSteps(state);
    EXPECT_EQ(steps.size(), successors.size()) << type->name;
    double sum = 0;
    double last = 1;
    std::multiset<std::string> labels;
    for (const NextStep& next : steps) {
      EXPECT_LE(next.probability, last);
      last = next.probability;
      sum += next.probability;
      labels.insert(next.step.label);
    }
    EXPECT_NEAR(sum, 1, 1e-6) << type->name;
    for (std::size_t i = 0; i < successors.size(); ++i) EXPECT_TRUE(labels.contains(std::string(successors.label(i))));
  }
}

TEST(TutorTest, ChecksAskWhetherALineIsCloser) {
  Lesson lesson("equations");
  const std::string current = lesson.Read("2x + 3 = 7");
  EXPECT_EQ(lesson.tutor.Check(current, "2x = 4").kind, StepCheck::Kind::kProgress);
  EXPECT_EQ(lesson.tutor.Check(current, "x = 2").kind, StepCheck::Kind::kSolved);
  EXPECT_EQ(lesson.tutor.Check(lesson.Read("2x = 4"), "2x + 3 = 7").kind, StepCheck::Kind::kCorrect);
  EXPECT_EQ(lesson.tutor.Check(current, "2x = 5").kind, StepCheck::Kind::kNotEquivalent);
  EXPECT_EQ(lesson.tutor.Check(current, "2x = ").kind, StepCheck::Kind::kUnreadable);
}

TEST(TutorTest, ExercisesHaveTheLengthAskedFor) {
  for (const std::uint64_t level : {1U, 2U}) {
    Lesson lesson("sorting");
    const std::string problem = lesson.tutor.Exercise(level, 5);
    const std::size_t steps = lesson.tutor.Solve(problem).steps.size();
    EXPECT_GT(steps, (level - 1) * Tutor::kStepsPerLevel);
    EXPECT_LE(steps, level * Tutor::kStepsPerLevel);
    EXPECT_EQ(lesson.tutor.Exercise(level, 5), problem);
  }
}

// Without optimisation the network takes long.
constexpr std::uint64_t kProblems = Repetitions(10, 2);
constexpr std::uint64_t kTemplateProblems = Repetitions(25, 3);

TEST(TutorTest, EveryStepOfEverySolutionIsLegalAndSound) {
  for (const Subject* const subject : Subjects()) {
    const std::string& name = subject->type()->name;
    Lesson lesson(subject->ExerciseSpec(name, 1, 4));
    std::uint64_t solved = 0;
    for (std::uint64_t seed = 1'000; seed < 1'000 + kProblems; ++seed) {
      const TutorSolution solution = lesson.tutor.Solve(lesson.domain->Generate(seed), kSteady);
      EXPECT_EQ(solution.verified(), solution.status != SolveStatus::kUnsolved);
      ExpectLegalSteps(*lesson.domain, solution);
      solved += solution.verified() ? 1U : 0U;
    }
    EXPECT_GE(10 * solved, 8 * kProblems) << name;
  }
}

TEST(TutorTest, SolvesAllEquationsOfKhanAcademy) {
  const std::string path = CONPOLE_SHARED "/data/khan.json";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "there is no " << path;
  if (!kIsOptimised) GTEST_SKIP() << "without optimisation the network takes long";
  Lesson lesson("equations");
  std::ifstream file(path);
  int problems = 0;
  for (const auto& section : nlohmann::json::parse(file)) {
    for (const std::string text : section) {
      const TutorSolution solution = lesson.Solve(text, kSteady);
      EXPECT_EQ(solution.status, SolveStatus::kSolved) << text;
      EXPECT_TRUE(solution.verified()) << text;
      ++problems;
    }
  }
  EXPECT_EQ(problems, 42);
}

// All that have no single solution, and the first few of the others; bench/solve does the rest.
TEST(TutorTest, NoAnswerToTheTemplatesOfThePaperIsWrong) {
  const std::string templates = CONPOLE_SHARED "/data/equations-ct.txt";
  if (!std::filesystem::exists(templates)) GTEST_SKIP() << "there is no " << templates;
  Lesson lesson("equations:templates=" + templates);
  int unsolvable = 0;
  int unsolved = 0;
  for (std::uint64_t seed = 0; seed < Repetitions(200U, 40U); ++seed) {
    const std::string problem = lesson.domain->Generate(seed);
    const SolutionSet exact = SolveExactly(problem);
    const bool one = exact.kind == SolutionSet::Kind::kRoots && exact.count() == 1;
    if (one && seed >= kTemplateProblems) continue;
    const TutorSolution solution = lesson.tutor.Solve(problem, kSteady);
    if (!one) {
      ++unsolvable;
      EXPECT_TRUE(solution.verified() && !solution.solved()) << problem;
    } else if (solution.solved()) {
      EXPECT_EQ(VerifyAnswer(*lesson.domain, problem, solution.answer), Verdict::kRight) << problem;
    } else {
      ++unsolved;
    }
  }
  if (kIsOptimised) {
    EXPECT_EQ(unsolvable, 10);
  }
  EXPECT_LE(unsolved, 2);
}

}  // namespace
}  // namespace conpole

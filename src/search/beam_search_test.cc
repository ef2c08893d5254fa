#include "search/beam_search.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "search/lockstep.h"
#include "tests/search_fixtures.h"

namespace conpole {
namespace {

struct Candidate {
  std::string parent;
  std::string text;
  friend bool operator==(const Candidate&, const Candidate&) = default;
};
using Steps = std::vector<std::vector<Candidate>>;

std::ostream& operator<<(std::ostream& out, const Candidate& candidate) {
  return out << candidate.parent << "->" << candidate.text;
}

struct BeamRun {
  SearchResult result;
  Steps steps;  // what training would see
};

BeamRun RunBeam(const Domain& domain, Scorer& scorer, const std::string& problem, const BeamOptions& options) {
  BeamRun run;
  ThreadPool pool(1);
  LockstepOptions lockstep;
  lockstep.finished = [&](std::size_t, const GuidedSearch& search) {
    const auto& beam = dynamic_cast<const BeamSearch&>(search);
    const StateTable& states = beam.states();
    for (std::size_t t = 0; t < beam.round_begins().size(); ++t) {
      const StateTable::Id end = t + 1 < beam.round_begins().size() ? beam.round_begins()[t + 1] : states.size();
      auto& step = run.steps.emplace_back();
      for (StateTable::Id id = beam.round_begins()[t]; id < end; ++id) {
        step.push_back({std::string(states[states[id].parent].text()), std::string(states[id].text())});
      }
    }
  };
  const auto make = [&](const Domain& of, const std::string& text, StateTable memory) {
    return std::make_unique<BeamSearch>(of, text, options, std::move(memory));
  };
  run.result = RunLockstep(domain, scorer, std::vector{problem}, make, pool, lockstep).front();
  return run;
}

BeamOptions Width(std::size_t width) {
  BeamOptions options;
  options.width = width;
  return options;
}

TEST(BeamSearchTest, RecordsTheNewCandidatesOfEachStepWithTheirParents) {
  // B is met again from A and S from B: neither is a candidate twice.
  const GraphDomain domain({{"S", {"A", "B", "A"}}, {"A", {"B", "C", "D"}}, {"B", {"D", "S", "E"}}, {"C", {"F", "G"}}});
  FunctionScorer scorer = EdgeScorer({});
  const BeamRun run = RunBeam(domain, scorer, "S", Width(10));
  EXPECT_EQ(run.steps, (Steps{{{"S", "A"}, {"S", "B"}}, {{"A", "C"}, {"A", "D"}, {"B", "E"}}, {{"C", "F"}, {"C", "G"}}}));
  EXPECT_EQ(run.result.outcome, SearchOutcome::kSolved);
  EXPECT_EQ(run.result.path, (Path{"S", "A", "C", "G"}));
  EXPECT_EQ(run.result.expanded, 6U);
  EXPECT_EQ(run.result.edges, 11U);
}

TEST(BeamSearchTest, ATraceHasTheScoresAndTheChoicesOfEachStepThatWasScored) {
  const GraphDomain domain({{"S", {"A", "B", "C"}}, {"B", {"D", "E"}}, {"C", {"F"}}, {"F", {"G"}}});
  FunctionScorer scorer = EdgeScorer({{"S A", 1}, {"S B", 3}, {"S C", 2}, {"B D", -4}, {"B E", -1}, {"C F", 2}});
  for (const bool keeps_trace : {true, false}) {
    BeamSearch::Trace trace;
    std::vector<std::string> chosen;
    ThreadPool pool(1);
    LockstepOptions lockstep;
    lockstep.finished = [&](std::size_t, const GuidedSearch& search) {
      const auto& beam = dynamic_cast<const BeamSearch&>(search);
      trace = beam.trace();
      for (const StateTable::Id id : trace.chosen) chosen.emplace_back(beam.states()[id].text());
    };
    const auto make = [&](const Domain& of, const std::string& text, StateTable memory) {
      auto search = std::make_unique<BeamSearch>(of, text, Width(2), std::move(memory));
      if (keeps_trace) search->KeepTrace();
      return search;
    };
    const SearchResult result = RunLockstep(domain, scorer, std::vector<std::string>{"S"}, make, pool, lockstep).front();
    EXPECT_EQ(result.path, (Path{"S", "C", "F", "G"}));
    // The last step has a solution in it, which nobody needs a score for.
    EXPECT_EQ(trace.scores, keeps_trace ? (std::vector<float>{1, 3, 2, -4, -1, 2}) : std::vector<float>{});
    EXPECT_EQ(chosen, keeps_trace ? (std::vector<std::string>{"B", "C", "F", "E"}) : std::vector<std::string>{});
    EXPECT_EQ(trace.ends, keeps_trace ? (std::vector<std::size_t>{2, 4}) : std::vector<std::size_t>{});
  }
}

TEST(BeamSearchTest, TheWholeBeamIsExpandedEvenAfterASolution) {
  const GraphDomain domain({{"S", {"A", "B"}}, {"A", {"G", "C"}}, {"B", {"D"}}});
  FunctionScorer scorer = EdgeScorer({});
  const BeamRun run = RunBeam(domain, scorer, "S", Width(2));
  EXPECT_EQ(run.steps.back(), (std::vector<Candidate>{{"A", "G"}, {"A", "C"}, {"B", "D"}}));
  EXPECT_EQ(run.result.path, (Path{"S", "A", "G"}));
}

TEST(BeamSearchTest, AStateThatWasEverACandidateIsNeverVisitedAgain) {
  // The only way to G is through B, which loses to A in the first step and is met again in the second.
  const GraphDomain domain({{"S", {"A", "B"}}, {"A", {"B", "S"}}, {"B", {"G"}}});
  FunctionScorer scorer = EdgeScorer({{"S A", 1}});
  const BeamRun run = RunBeam(domain, scorer, "S", Width(1));
  EXPECT_EQ(run.result.outcome, SearchOutcome::kExhausted);
  EXPECT_EQ(domain.expanded(), (Path{"S", "A"}));
  EXPECT_EQ(run.steps, (Steps{{{"S", "A"}, {"S", "B"}}, {}}));
  EXPECT_TRUE(run.result.path.empty());
}

TEST(BeamSearchTest, TheWidthIsRespectedAndTiesKeepTheOrderOfArrival) {
  const GraphDomain::Edges edges{{"S", {"D", "A", "C", "B"}}, {"D", {"d"}}, {"A", {"a"}}, {"C", {"c"}}, {"B", {"b"}}};
  const std::vector<std::string> order{"D", "A", "C", "B"};
  for (std::size_t width = 1; width <= 5; ++width) {
    const GraphDomain domain(edges);
    FunctionScorer scorer = EdgeScorer({});
    BeamOptions options = Width(width);
    options.max_steps = 2;
    const BeamRun run = RunBeam(domain, scorer, "S", options);
    Path expected{"S"};
    expected.insert(expected.end(), order.begin(), order.begin() + static_cast<std::ptrdiff_t>(std::min(width, order.size())));
    EXPECT_EQ(domain.expanded(), expected);
    EXPECT_EQ(run.result.outcome, SearchOutcome::kOutOfBudget);
  }
  const GraphDomain domain(edges);
  FunctionScorer scorer = EdgeScorer({{"S B", 1}, {"S C", 1}});
  BeamOptions options = Width(3);
  options.max_steps = 2;
  RunBeam(domain, scorer, "S", options);
  EXPECT_EQ(domain.expanded(), (Path{"S", "C", "B", "D"}));
}

// Values after two steps, with p the softmax of the scores over the candidates of a parent:
//         score   sum    last   log p of the path
//   A       1      1      1     1 - log(e + 1)              = -0.313
//   B       0      0      0     0 - log(e + 1)              = -1.313
//   A->C   0.2    1.2    0.2    -0.313 + 0.2 - log(e^.2 + 2) = -1.283
//   A->D    0      1      0     -1.483
//   A->F    0      1      0     -1.483
//   B->E   0.6    0.6    0.6    -1.313 + 0
TEST(BeamSearchTest, TheThreeValuesOrderTheBeamByTheirFormulas) {
  struct Case {
    BeamValue value;
    Path third_beam;
  };
  for (const Case& expected :
       {Case{BeamValue::kSumOfScores, {"C", "D", "F", "E"}}, Case{BeamValue::kLastScore, {"E", "C", "D", "F"}},
        Case{BeamValue::kLogProbability, {"C", "E", "D", "F"}}}) {
    for (const std::size_t width : {2U, 4U}) {
      const GraphDomain domain({{"S", {"A", "B"}}, {"A", {"C", "D", "F"}}, {"B", {"E"}}});
      FunctionScorer scorer = EdgeScorer({{"S A", 1}, {"A C", 0.2F}, {"B E", 0.6F}});
      BeamOptions options = Width(width);
      options.value = expected.value;
      RunBeam(domain, scorer, "S", options);
      Path visited{"S", "A", "B"};
      visited.insert(visited.end(), expected.third_beam.begin(),
                     expected.third_beam.begin() + static_cast<std::ptrdiff_t>(width));
      EXPECT_EQ(domain.expanded(), visited) << static_cast<int>(expected.value);
    }
  }
}

TEST(BeamSearchTest, LogProbabilitiesOfLargeScoresStayFinite) {
  const GraphDomain domain({{"S", {"A", "B"}}, {"A", {"C"}}, {"B", {"D"}}});
  FunctionScorer scorer = EdgeScorer({{"S A", 1000}, {"S B", 1001}, {"A C", -1000}, {"B D", 5000}});
  BeamOptions options = Width(2);
  options.value = BeamValue::kLogProbability;
  RunBeam(domain, scorer, "S", options);
  // C and D are the only candidates of their parents: probability 1 each.
  EXPECT_EQ(domain.expanded(), (Path{"S", "B", "A", "D", "C"}));
}

TEST(BeamSearchTest, ASolvedCandidateMayHaveToBeChosenFirst) {
  const GraphDomain::Edges edges{{"S", {"A", "G"}}, {"A", {"H"}}};
  FunctionScorer scorer = EdgeScorer({{"S A", 1}});
  BeamOptions options = Width(1);
  EXPECT_EQ(RunBeam(GraphDomain(edges, {"G", "H"}), scorer, "S", options).result.path, (Path{"S", "G"}));
  options.take_solved_candidates = false;
  EXPECT_EQ(RunBeam(GraphDomain(edges, {"G", "H"}), scorer, "S", options).result.path, (Path{"S", "A", "H"}));
  options.width = 2;
  EXPECT_EQ(RunBeam(GraphDomain(edges, {"G", "H"}), scorer, "S", options).result.path, (Path{"S", "G"}));
}

TEST(BeamSearchTest, TheFirstListedOfSeveralSolutionsCounts) {
  const GraphDomain::Edges edges{{"S", {"A", "H", "G"}}};
  FunctionScorer scorer = EdgeScorer({{"S G", 1}});
  BeamOptions options = Width(2);
  EXPECT_EQ(RunBeam(GraphDomain(edges, {"G", "H"}), scorer, "S", options).result.path, (Path{"S", "H"}));
  options.take_solved_candidates = false;  // now the best one does
  EXPECT_EQ(RunBeam(GraphDomain(edges, {"G", "H"}), scorer, "S", options).result.path, (Path{"S", "G"}));
}

TEST(BeamSearchTest, StepsAreLimited) {
  const GraphDomain domain({{"S", {"A"}}, {"A", {"B"}}, {"B", {"G"}}});
  FunctionScorer scorer = EdgeScorer({});
  for (const bool take_solved : {true, false}) {
    for (std::size_t max_steps = 0; max_steps <= 4; ++max_steps) {
      BeamOptions options = Width(1);
      options.max_steps = max_steps;
      options.take_solved_candidates = take_solved;
      const BeamRun run = RunBeam(domain, scorer, "S", options);
      EXPECT_EQ(run.result.outcome, max_steps >= 3 ? SearchOutcome::kSolved : SearchOutcome::kOutOfBudget) << max_steps;
      EXPECT_EQ(run.result.expanded, std::min<std::size_t>(max_steps, 3));
      EXPECT_EQ(run.steps.size(), std::min<std::size_t>(max_steps, 3));
    }
  }
}

TEST(BeamSearchTest, NothingLeftIsNotTheSameAsNoStepsLeft) {
  const GraphDomain domain(GraphDomain::Edges{{"S", {"A"}}});
  FunctionScorer scorer = EdgeScorer({});
  BeamOptions options = Width(3);
  EXPECT_EQ(RunBeam(domain, scorer, "S", options).result, (SearchResult{SearchOutcome::kExhausted, {}, 2, 1}));
  options.max_steps = 1;
  EXPECT_EQ(RunBeam(domain, scorer, "S", options).result, (SearchResult{SearchOutcome::kOutOfBudget, {}, 1, 1}));
}

TEST(BeamSearchTest, ASolvedProblemIsAPathOfOneState) {
  const GraphDomain domain(GraphDomain::Edges{});
  FunctionScorer scorer = EdgeScorer({});
  for (const std::size_t max_steps : {0U, 30U}) {
    BeamOptions options = Width(1);
    options.max_steps = max_steps;
    const BeamRun run = RunBeam(domain, scorer, "G", options);
    EXPECT_EQ(run.result, (SearchResult{SearchOutcome::kSolved, {"G"}, 0, 0}));
    EXPECT_TRUE(run.steps.empty());
  }
  EXPECT_TRUE(scorer.calls().empty());
}

}  // namespace
}  // namespace conpole

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "search/best_first.h"
#include "tests/repetitions.h"
#include "tests/search_fixtures.h"
#include "util/hash.h"

namespace conpole {
namespace {

using Id = StateTable::Id;
using Function = FunctionScorer::Function;

SearchOptions Levin(std::size_t batch, std::uint64_t max_expanded = 100'000) {
  SearchOptions options;
  options.kind = SearchKind::kLevin;
  options.levin = {batch, max_expanded};
  return options;
}

BestFirstSearch LevinSearch(const Domain& domain, const std::string& problem, const LevinOptions& options) {
  return {domain, problem, ScoreMeaning::kLogPreference, options};
}

// Scores between 0 and `spread`, by the texts.
Function Scattered(std::uint64_t seed, float spread) {
  return [=](std::string_view parent, std::string_view candidate) {
    return spread * static_cast<float>(MixHash(HashText(parent) ^ seed, HashText(candidate)) >> 40) * 0x1p-24F;
  };
}

// What the scorers of a property test are, from one that knows nothing to one that is sure of itself.
std::vector<Function> Policies(std::uint64_t seed) {
  return {[](std::string_view, std::string_view) { return 0.0F; }, Scattered(seed, 1), Scattered(seed, 5), Scattered(seed, 50)};
}

// For each state of a search the steps to it and the logarithm of (steps + 1) / probability, worked out from its table alone.
struct Costs {
  Costs(const StateTable& states, const Function& score) : steps(states.size(), 0), cost(states.size(), 0) {
    std::vector<double> surprise(states.size(), 0);
    for (Id begin = 1; begin < states.size();) {
      const Id parent = states[begin].parent;
      Id end = begin;
      double sum = 0;
      for (; end < states.size() && states[end].parent == parent; ++end) sum += Weight(states, end, score);
      for (; begin < end; ++begin) {
        steps[begin] = steps[parent] + 1;
        surprise[begin] = surprise[parent] - std::log(Weight(states, begin, score) / sum);
        cost[begin] = std::log(static_cast<double>(steps[begin] + 1)) + surprise[begin];
      }
    }
  }
  static double Weight(const StateTable& states, Id id, const Function& score) {
    return std::exp(static_cast<double>(score(states[states[id].parent].text(), states[id].text())));
  }

  std::vector<std::size_t> steps;
  std::vector<double> cost;
};

constexpr double kRounding = 1e-4;  // scores are single floats

// p(A) = 3/4, p(B) = 1/4; among the new successors of A: p(C) = 9/10, p(D) = 1/10. So (steps + 1) / pi is 8/3, 8, 40/9 and 40.
TEST(LevinTest, GoesByStepsAndTheProbabilityOfThePath) {
  const GraphDomain::Edges edges{{"S", {"A", "B"}}, {"A", {"S", "C", "D"}}, {"B", {"G"}}, {"C", {"E"}}, {"E", {"F"}}};
  const GraphDomain domain(edges);
  FunctionScorer scorer = EdgeScorer({{"S A", std::log(3.0F)}, {"A C", std::log(9.0F)}, {"A S", 20.0F}});
  // E has 4 * 40/27 = 5.9 and F 5 * 40/27 = 7.4, so that B comes last.
  EXPECT_EQ(SearchOne(domain, scorer, "S", Levin(1)), (SearchResult{SearchOutcome::kSolved, {"S", "B", "G"}, 6, 8}));
  EXPECT_EQ(domain.expanded(), (Path{"S", "A", "C", "E", "F", "B"}));
}

TEST(LevinTest, AStateKeepsItsFirstParent) {
  const GraphDomain domain({{"S", {"A", "B"}}, {"A", {"C"}}, {"C", {"D"}}, {"B", {"D"}}, {"D", {"G"}}});
  FunctionScorer scorer = EdgeScorer({{"S A", 10}});
  EXPECT_EQ(SearchOne(domain, scorer, "S", Levin(1)).path, (Path{"S", "A", "C", "D", "G"}));
}

TEST(LevinTest, TheRoundThatListsASolvedStateIsTheLast) {
  const GraphDomain domain({{"S", {"A", "B"}}, {"A", {"C", "G"}}, {"B", {"D", "H"}}, {"C", {"E"}}}, {"G", "H"});
  FunctionScorer scorer = EdgeScorer({});
  EXPECT_EQ(SearchOne(domain, scorer, "S", Levin(1)), (SearchResult{SearchOutcome::kSolved, {"S", "A", "G"}, 2, 4}));
  EXPECT_EQ(SearchOne(domain, scorer, "S", Levin(2)), (SearchResult{SearchOutcome::kSolved, {"S", "A", "G"}, 3, 6}));
}

TEST(LevinTest, SaysWhetherNothingOrNoBudgetWasLeft) {
  const GraphDomain domain({{"S", {"A", "B"}}, {"A", {"C"}}});
  FunctionScorer scorer = EdgeScorer({});
  EXPECT_EQ(SearchOne(domain, scorer, "S", Levin(1)), (SearchResult{SearchOutcome::kExhausted, {}, 4, 3}));
  EXPECT_EQ(SearchOne(domain, scorer, "S", Levin(1, 2)), (SearchResult{SearchOutcome::kOutOfBudget, {}, 2, 3}));
  EXPECT_EQ(SearchOne(domain, scorer, "S", Levin(100, 2)), (SearchResult{SearchOutcome::kOutOfBudget, {}, 2, 3}));
  EXPECT_EQ(SearchOne(domain, scorer, "S", Levin(1, 0)), (SearchResult{SearchOutcome::kOutOfBudget, {}, 0, 0}));
  EXPECT_EQ(SearchOne(domain, scorer, "G", Levin(1, 0)), (SearchResult{SearchOutcome::kSolved, {"G"}, 0, 0}));
}

// The guarantee of Levin tree search, for the tree of the states that were met and whatever the policy.
TEST(LevinTest, NoMoreStatesAreExpandedThanThePathIsUnlikely) {
  std::size_t solved = 0;
  for (const char* const name : {"sorting:max_length=5", "ternary-addition:max_digits=6", "equations", "fractions"}) {
    const std::unique_ptr<Domain> domain = MakeDomain(name);
    for (std::uint64_t seed = 0; seed < Repetitions(12U, 3U); ++seed) {
      for (const Function& policy : Policies(seed)) {
        BestFirstSearch search = LevinSearch(*domain, domain->Generate(seed), {.batch = 1, .max_expanded = 500});
        if (search.finished()) continue;
        FunctionScorer scorer(ScoreMeaning::kLogPreference, policy);
        RunToTheEnd(search, *domain, scorer);
        const Costs costs(search.states(), policy);
        const auto bound = [&](Id id) { return std::exp(costs.cost[id]) * (1 + kRounding); };
        const auto expanded = static_cast<double>(search.result().expanded);
        if (search.result().solved()) {
          ++solved;
          const Id end = search.solved_state();
          EXPECT_EQ(costs.steps[end], search.result().steps());
          EXPECT_LE(expanded, bound(search.states()[end].parent)) << name << ' ' << seed;
          EXPECT_LE(expanded, bound(end)) << name << ' ' << seed;
        }
        // Whatever was expanded last: each state but the first stands in the round of its parent, one state per round.
        for (std::size_t round = 0; round + 1 < search.round_begins().size(); ++round) {
          const Id first = search.round_begins()[round];
          if (first == search.round_begins()[round + 1]) continue;
          EXPECT_LE(static_cast<double>(round + 1), bound(search.states()[first].parent)) << name << ' ' << seed;
        }
      }
    }
  }
  EXPECT_GE(solved, Repetitions(20U, 4U));
}

TEST(LevinTest, StatesAreExpandedInTheOrderOfTheirCosts) {
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  for (std::uint64_t seed = 0; seed < Repetitions(8U, 2U); ++seed) {
    for (const Function& policy : Policies(seed)) {
      BestFirstSearch search = LevinSearch(*domain, domain->Generate(seed), {.batch = 1, .max_expanded = 300});
      if (search.finished()) continue;
      FunctionScorer scorer(ScoreMeaning::kLogPreference, policy);
      RunToTheEnd(search, *domain, scorer);
      const StateTable& states = search.states();
      const Costs costs(states, policy);
      double last = 0;
      for (Id id = 1; id < states.size(); ++id) {
        const double cost = costs.cost[states[id].parent];
        EXPECT_GE(cost, last - kRounding);
        last = std::max(last, cost);
      }
    }
  }
}

// A tree of words over three letters, without an end. A word is solved if its hash says so: one of `rarity`.
class WordDomain final : public Domain {
 public:
  WordDomain(std::uint64_t seed, std::uint64_t rarity) : Domain(Type(), {}), seed_(seed), rarity_(rarity) {}

  std::string Generate(std::uint64_t) const override { return "-"; }
  Status Expand(std::string_view state, Labels, Successors& out) const override {
    for (const char letter : {'a', 'b', 'c'}) {
      char* const next = WriteText(out.BeginState(state.size() + 1), state);
      *next = letter;
      out.EndState(next + 1);
    }
    return Status::kOpen;
  }
  bool Solved(std::string_view state) const override {
    return state.size() > 3 && MixHash(HashText(state), seed_) % rarity_ == 0;
  }
  Parsed Parse(std::string_view text) const override { return {std::string(text), std::nullopt}; }

 private:
  static const DomainType& Type() {
    static const DomainType type{"words", "a tree without an end", {}, {}, nullptr};
    return type;
  }

  std::uint64_t seed_;
  std::uint64_t rarity_;
};

// Where no state can be met twice, the bound holds for the likeliest way of all, not only for the one that was found. Ways of
// more than `depth` steps are not looked at.
double LowestCost(const Domain& domain, const Function& policy, const std::string& state, double surprise, std::size_t steps,
                  std::size_t depth) {
  if (domain.Solved(state)) return std::log(static_cast<double>(steps + 1)) + surprise;
  double lowest = std::numeric_limits<double>::infinity();
  if (steps == depth) return lowest;
  Successors successors;
  domain.Expand(state, Labels::kOff, successors);
  double sum = 0;
  for (std::size_t i = 0; i < successors.size(); ++i) sum += std::exp(double{policy(state, successors.state(i))});
  for (std::size_t i = 0; i < successors.size(); ++i) {
    const std::string next(successors.state(i));
    const double more = std::log(sum) - double{policy(state, next)};
    lowest = std::min(lowest, LowestCost(domain, policy, next, surprise + more, steps + 1, depth));
  }
  return lowest;
}

TEST(LevinTest, InATreeNoWayToASolutionIsLikelierThanTheBoundAllows) {
  for (std::uint64_t seed = 0; seed < Repetitions(60U, 6U); ++seed) {
    const WordDomain domain(seed, 60);
    for (const Function& policy : Policies(seed)) {
      const double lowest = LowestCost(domain, policy, "-", 0, 0, 7);
      if (std::isinf(lowest)) continue;
      FunctionScorer scorer(ScoreMeaning::kLogPreference, policy);
      const SearchResult result = SearchOne(domain, scorer, "-", Levin(1));
      ASSERT_TRUE(result.solved());
      EXPECT_LE(static_cast<double>(result.expanded), std::exp(lowest) * (1 + kRounding)) << seed;
    }
  }
}

// D is met first from A, which all but rules it out, although it is the only way on from B: so it waits behind all of E.
TEST(LevinTest, InAGraphAStateWaitsByTheWayThatItWasFirstMetBy) {
  GraphDomain::Edges edges{{"S", {"A", "B"}}, {"A", {"D", "E"}}, {"B", {"D"}}, {"D", {"G"}}};
  std::string last = "E";
  for (int i = 1; i <= 30; ++i) {
    const std::string next = "E" + std::to_string(i);
    edges[last] = {next};
    last = next;
  }
  const GraphDomain domain(edges);
  FunctionScorer scorer = EdgeScorer({{"S A", 0.1F}, {"A E", 20}});
  const SearchResult result = SearchOne(domain, scorer, "S", Levin(1));
  EXPECT_EQ(result.path, (Path{"S", "A", "D", "G"}));
  EXPECT_GT(result.expanded, 30U) << "although B, D and G have a probability of nearly a half";
}

}  // namespace
}  // namespace conpole

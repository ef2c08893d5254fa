// What every domain promises, checked for every registered one: a new domain gets this suite by being in the registry. Facts
// about the mathematics of a domain stand in invariants.cc and are looked up by name.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "tests/check_text.h"
#include "tests/invariants.h"

namespace conpole {
namespace {

class ConformanceTest : public testing::TestWithParam<std::string> {
 protected:
  ConformanceTest() : domain_(MakeDomain(GetParam())), facts_(FindFacts(domain_->type().name)) {}

  const std::vector<Axiom>& Axioms() const { return domain_->type().axioms; }

  std::size_t Below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }

  // States of random walks from the first problems, and their expansions.
  struct Visited {
    std::string state;
    Expansion expansion;
  };
  std::vector<Visited> RandomWalks(std::uint64_t problems, int depth) {
    std::vector<Visited> visited;
    for (std::uint64_t seed = 0; seed < problems; ++seed) {
      std::string state = domain_->Generate(seed);
      for (int step = 0; step < depth; ++step) {
        visited.push_back({state, ExpandCopy(*domain_, state)});
        const auto& actions = visited.back().expansion.actions;
        if (actions.empty()) break;
        state = actions[Below(actions.size())].second;
      }
    }
    return visited;
  }

  // One to four random edits.
  std::string Mutated(std::string text) {
    static constexpr std::string_view kTelling = "()[]|=/+-*#e09axbz. \t";
    for (std::size_t edits = 1 + Below(4); edits > 0; --edits) {
      const std::size_t at = Below(text.size() + 1);
      const char c = Below(4) == 0 ? static_cast<char>(Below(256)) : kTelling[Below(kTelling.size())];
      switch (Below(5)) {
        case 0:
          text.insert(at, 1, c);
          break;
        case 1:
          text.erase(at, 1 + Below(3));
          break;
        case 2:
          if (at < text.size()) text[at] = c;
          break;
        case 3:
          text.insert(at, text.substr(Below(text.size() + 1), Below(8)));
          break;
        default:
          if (Below(4) == 0) text.resize(at);
          break;
      }
    }
    return text;
  }

  std::unique_ptr<Domain> domain_;
  const Facts* facts_;
  std::mt19937_64 random_{20211};
};

TEST_P(ConformanceTest, DescribesItself) {
  const DomainType& type = domain_->type();
  EXPECT_EQ(domain_->Spec(), GetParam());
  EXPECT_FALSE(type.summary.empty());
  std::set<std::string> names;
  for (const Axiom& axiom : type.axioms) {
    EXPECT_TRUE(names.insert(axiom.name).second) << "axiom " << axiom.name << " twice";
    EXPECT_FALSE(axiom.meaning.empty()) << axiom.name;
    EXPECT_EQ(axiom.name.find(' '), std::string::npos) << axiom.name;
  }
  EXPECT_FALSE(names.empty());
  names.clear();
  for (const Parameter& parameter : type.parameters) {
    EXPECT_TRUE(names.insert(parameter.name).second) << "parameter " << parameter.name << " twice";
    EXPECT_FALSE(parameter.meaning.empty()) << parameter.name;
    EXPECT_EQ(MakeDomain(type.name)->parameters().Text(parameter.name), parameter.default_value);
    // The default passes its own check.
    EXPECT_NO_THROW(Parameters(type.parameters, {{parameter.name, parameter.default_value}})) << parameter.name;
  }
}

TEST_P(ConformanceTest, ProblemsAreCanonicalAndDependOnTheSeedAlone) {
  const std::unique_ptr<Domain> other = MakeDomain(GetParam());
  std::set<std::string> problems;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const std::string problem = domain_->Generate(seed);
    problems.insert(problem);
    const Parsed parsed = domain_->Parse(problem);
    ASSERT_FALSE(parsed.error) << problem << ": " << parsed.error->message;
    ASSERT_EQ(parsed.state, problem);
    ASSERT_EQ(other->Generate(seed), problem);
    if (facts_ != nullptr) {
      const std::optional<std::string> fault = facts_->find_impossible(problem);
      ASSERT_FALSE(fault) << problem << ": " << *fault;
    }
  }
  EXPECT_GT(problems.size(), 100U);
  // The largest seeds are seeds too.
  EXPECT_NE(domain_->Generate(UINT64_MAX), domain_->Generate(UINT64_MAX - 1));
}

TEST_P(ConformanceTest, EveryStateOnARandomWalkKeepsThePromises) {
  for (const Visited& visited : RandomWalks(60, 12)) {
    const std::optional<std::string> fault = FindFault(*domain_, visited.state);
    ASSERT_FALSE(fault) << visited.state << ": " << *fault;
  }
}

TEST_P(ConformanceTest, ExpandingAgainGivesTheSameWithAndWithoutLabels) {
  for (const Visited& visited : RandomWalks(60, 12)) {
    SCOPED_TRACE(visited.state);
    ASSERT_EQ(ExpandCopy(*domain_, visited.state), visited.expansion);
    Expansion plain = visited.expansion;
    for (auto& [label, next] : plain.actions) label.clear();
    ASSERT_EQ(ExpandCopy(*domain_, visited.state, Labels::kOff), plain);
  }
}

TEST_P(ConformanceTest, ThreadsDoNotDisturbEachOther) {
  const std::vector<Visited> visited = RandomWalks(40, 8);
  std::vector<int> differences(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < differences.size(); ++t) {
    threads.emplace_back([&, t] {
      // Each starts elsewhere, so that different states meet.
      for (std::size_t k = 0; k < visited.size(); ++k) {
        const Visited& item = visited[(k + t * visited.size() / differences.size()) % visited.size()];
        const bool same = ExpandCopy(*domain_, item.state) == item.expansion &&
                          domain_->Parse(item.state).state == item.state &&
                          domain_->Solved(item.state) == (item.expansion.status == Status::kSolved) &&
                          domain_->Generate(k) == domain_->Generate(k);
        if (!same) ++differences[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(differences, std::vector<int>(4));
}

TEST_P(ConformanceTest, LabelsNameAListedAxiomAndOneSuccessor) {
  std::set<std::string_view> axioms;
  for (const Axiom& axiom : Axioms()) axioms.insert(axiom.name);
  for (const Visited& visited : RandomWalks(60, 12)) {
    std::map<std::string_view, std::string_view> results;
    for (const auto& [label, next] : visited.expansion.actions) {
      ASSERT_TRUE(axioms.contains(AxiomOf(label))) << visited.state << " | " << label;
      const auto [result, added] = results.emplace(label, next);
      ASSERT_TRUE(added) << visited.state << " | " << label << " leads to " << result->second << " and to " << next;
    }
  }
}

TEST_P(ConformanceTest, SolvedStatesAreSolvedAndHaveNoSuccessors) {
  if (facts_ == nullptr) GTEST_SKIP() << "invariants.cc has no facts about " << GetParam();
  for (const std::string& state : facts_->solved) {
    ASSERT_EQ(domain_->Parse(state).state, state);
    EXPECT_TRUE(domain_->Solved(state)) << state;
    EXPECT_EQ(ExpandCopy(*domain_, state), (Expansion{Status::kSolved, {}})) << state;
  }
  for (const std::string& state : facts_->unsolved) {
    ASSERT_EQ(domain_->Parse(state).state, state);
    EXPECT_FALSE(domain_->Solved(state)) << state;
    EXPECT_NE(ExpandCopy(*domain_, state).status, Status::kSolved) << state;
  }
}

TEST_P(ConformanceTest, ApplyingEveryAxiomGivesEverySuccessorOnce) {
  for (const Visited& visited : RandomWalks(30, 10)) {
    SCOPED_TRACE(visited.state);
    std::size_t total = 0;
    for (const Axiom& axiom : Axioms()) {
      Successors out;
      const Status status = domain_->Apply(visited.state, axiom.name, out);
      std::vector<std::pair<std::string, std::string>> expected;
      for (const auto& action : visited.expansion.actions) {
        if (AxiomOf(action.first) == axiom.name) expected.push_back(action);
      }
      ASSERT_EQ(out.size(), expected.size()) << axiom.name;
      for (std::size_t i = 0; i < out.size(); ++i) {
        ASSERT_EQ(out.label(i), expected[i].first);
        ASSERT_EQ(out.state(i), expected[i].second);
      }
      const Status when_open = expected.empty() ? Status::kDeadEnd : Status::kOpen;
      ASSERT_EQ(status, visited.expansion.status == Status::kOpen ? when_open : visited.expansion.status) << axiom.name;
      total += out.size();
    }
    ASSERT_EQ(total, visited.expansion.actions.size());
  }
}

TEST_P(ConformanceTest, AnUnknownAxiomIsAnErrorThatListsTheKnownOnes) {
  Successors out;
  try {
    domain_->Apply(domain_->Generate(0), "nonsense", out);
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string_view message = error.what();
    EXPECT_NE(message.find("nonsense"), std::string_view::npos) << message;
    for (const Axiom& axiom : Axioms()) EXPECT_NE(message.find(axiom.name), std::string_view::npos) << message;
  }
}

TEST_P(ConformanceTest, SuccessorsAreAppendedToWhatIsThere) {
  Successors out;
  std::vector<std::pair<std::string, std::string>> expected;
  for (const Visited& visited : RandomWalks(30, 5)) {
    ASSERT_EQ(domain_->Expand(visited.state, Labels::kOn, out), visited.expansion.status);
    expected.insert(expected.end(), visited.expansion.actions.begin(), visited.expansion.actions.end());
    // Refused text leaves the buffer as it is.
    ASSERT_EQ(domain_->Expand("\x01", Labels::kOn, out), Status::kMalformed);
    const std::string axiom(Axioms().front().name);
    domain_->Apply(visited.state, axiom, out);
    for (const auto& action : visited.expansion.actions) {
      if (AxiomOf(action.first) == axiom) expected.push_back(action);
    }
  }
  ASSERT_EQ(out.size(), expected.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    ASSERT_EQ(out.label(i), expected[i].first);
    ASSERT_EQ(out.state(i), expected[i].second);
  }
}

TEST_P(ConformanceTest, MutatedTextIsAStateOrIsRefusedWithAReason) {
  std::size_t accepted = 0;
  std::size_t refused = 0;
  for (const Visited& visited : RandomWalks(60, 5)) {
    for (int copy = 0; copy < 20; ++copy) {
      const std::string text = Mutated(visited.state);
      // A string_view into memory of exactly this size, so that reading past the end is found.
      const std::vector<char> exact(text.begin(), text.end());
      const std::optional<std::string> fault = FindFault(*domain_, {exact.data(), exact.size()});
      ASSERT_FALSE(fault) << testing::PrintToString(text) << ": " << *fault;
      ++(domain_->Parse(text).error ? refused : accepted);
    }
  }
  EXPECT_GT(accepted, 0U);
  EXPECT_GT(refused, 0U);
}

TEST_P(ConformanceTest, ActionsAreSound) {
  if (facts_ == nullptr) {
    std::cout << "note: invariants.cc has no facts about " << GetParam() << "; nothing shows that its actions are sound\n";
    GTEST_SKIP() << "no facts about " << GetParam();
  }
  std::set<std::string> met;
  const auto check = [&](const std::string& state, const Expansion& expansion) {
    for (const auto& [label, next] : expansion.actions) {
      met.emplace(AxiomOf(label));
      const std::optional<std::string> fault = facts_->find_unsound(state, label, next);
      ASSERT_FALSE(fault) << state << " | " << label << " => " << next << ": " << *fault;
    }
  };
  for (const std::string& state : facts_->rare) {
    const Expansion expansion = ExpandCopy(*domain_, state);
    ASSERT_EQ(expansion.status, Status::kOpen) << state;
    ASSERT_NO_FATAL_FAILURE(check(state, expansion));
  }
  for (const Visited& visited : RandomWalks(150, 15)) {
    ASSERT_NO_FATAL_FAILURE(check(visited.state, visited.expansion));
    // States that differ a little from those of walks reach rules that walks rarely meet.
    for (int copy = 0; copy < 3; ++copy) {
      const Parsed parsed = domain_->Parse(Mutated(visited.state));
      if (parsed.error) continue;
      ASSERT_NO_FATAL_FAILURE(check(parsed.state, ExpandCopy(*domain_, parsed.state)));
    }
  }
  for (const Axiom& axiom : Axioms()) EXPECT_TRUE(met.contains(axiom.name)) << axiom.name << " was never met";
}

// Sources of problems that parameters choose.
INSTANTIATE_TEST_SUITE_P(Sources, ConformanceTest, testing::Values("equations:source=hard"),
                         [](const auto&) { return "hardequations"; });

INSTANTIATE_TEST_SUITE_P(Registered, ConformanceTest, testing::ValuesIn(DomainNames()), [](const auto& param_info) {
  std::string name = param_info.param;
  std::erase(name, '-');
  return name;
});

// The judges themselves, on steps that are wrong.
struct WrongStep {
  std::string domain;
  std::string state;
  std::string label;
  std::string next;
};

TEST(InvariantsTest, WrongStepsAreFound) {
  const std::string solved = "A000000000aB111111111bC222222222cD333333333dE444444444eF555555555f";
  for (const WrongStep& step : std::vector<WrongStep>{
           {"sorting", "[==|=]", "swap 0", "[=|=]"},
           {"ternary-addition", "#(b1 c1)", "comb 0, b1 c1", "#(a1 b1)"},
           {"multiplication", "(12e3 * 4e1)", "sdmul 0, (12e3 * 4e1)", "48e3"},
           {"fractions", "[1]/[2] + [1]/[3]", "combine 0", "[(1 + 1)]/[2]"},
           {"equations", "(1 - (2 - x)) = 3", "sub_comm 1, (1 - (2 - x))", "(1 - (x - 2)) = 3"},
           {"equations", "(2x + 1) = 3", "refl", "3 = (1 + 2x)"},
           {"equations", "2x = 3", "sub 3", "(2x - 3) = (3 - 2x)"},
           {"equations", "2x = 3", "div 2", "(2x / 2) = 3"},
           {"rubiks-cube", solved, "U1", solved},
           {"algebra", "2x + 3 = 7", "subtract 3", "2x = 10"},
           {"algebra", "2x + 3 = 7", "subtract 3", "x = 2"},
           {"algebra", "x^2 = 2x", "divide x", "x = 2"},
           {"algebra", "x/(x - 1) = 1/(x - 1)", "multiply x - 1", "x = 1"},
           {"algebra", "x^2 = 5", "root 2", "x = sqrt(5)"},
           {"algebra", "1/x = 1/x", "conclude", "every number"},
           {"algebra", "1/2 + 1/3", "sum 1/2 + 1/3", "2/5"},
       }) {
    EXPECT_TRUE(FindFacts(step.domain)->find_unsound(step.state, step.label, step.next)) << step.state << " | " << step.label;
  }
}

TEST(InvariantsTest, CubesThatNoTurnsLeadToAreFound) {
  const Facts& facts = *FindFacts("rubiks-cube");
  const std::string solved = facts.solved.front();
  EXPECT_FALSE(facts.find_impossible(solved));
  const auto at = [](std::size_t cell) { return cell / 9 * 11 + 1 + cell % 9; };
  // The edge between the upper face and the front (cells 3 and 50), flipped.
  std::string flipped = solved;
  std::swap(flipped[at(3)], flipped[at(50)]);
  EXPECT_EQ(facts.find_impossible(flipped), "a flipped edge");
  // The corner of the upper, left and front face (cells 0, 26 and 47), twisted.
  std::string twisted = solved;
  std::swap(twisted[at(0)], twisted[at(26)]);
  std::swap(twisted[at(26)], twisted[at(47)]);
  EXPECT_EQ(facts.find_impossible(twisted), "a twisted corner");
  // Two edges of the upper face, exchanged: front (3, 50) and back (5, 41).
  std::string exchanged = solved;
  std::swap(exchanged[at(50)], exchanged[at(41)]);
  EXPECT_EQ(facts.find_impossible(exchanged), "odd permutation");
  // Two stickers of one corner, exchanged.
  std::string mirrored = solved;
  std::swap(mirrored[at(0)], mirrored[at(26)]);
  EXPECT_TRUE(facts.find_impossible(mirrored));
}

}  // namespace
}  // namespace conpole

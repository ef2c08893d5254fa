#include "domains/axioms/abstract_domain.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "tests/check_text.h"

namespace conpole {
namespace {

std::unique_ptr<Domain> With(const std::string& spec, const std::string& lines) {
  std::unique_ptr<Domain> domain = MakeDomain(spec);
  const std::string title = "conpole abstractions 1 for " + domain->type().name + "\n";
  return WithAbstractions(std::move(domain), ParseAbstractions(title + lines));
}

// The steps that only an abstraction leads to.
std::vector<std::pair<std::string, std::string>> Further(const Domain& domain, const std::string& state) {
  std::vector<std::pair<std::string, std::string>> actions = ExpandCopy(domain, state).actions;
  const std::size_t own = ExpandCopy(AsAbstractDomain(domain)->base(), state).actions.size();
  actions.erase(actions.begin(), actions.begin() + static_cast<std::ptrdiff_t>(own));
  return actions;
}

using Actions = std::vector<std::pair<std::string, std::string>>;

constexpr const char* kMoveOver = "move: sub of LR; assoc @0:L; sub_self @0:R; add0 @1:\n";

TEST(AbstractDomainTest, ASequenceAppliesWhereItsPlacesFit) {
  const std::unique_ptr<Domain> domain = With("equations", kMoveOver);
  EXPECT_EQ(Further(*domain, "(2x + 3) = 11"), (Actions{{"move 3", "2x = (11 - 3)"}}));
  EXPECT_EQ(Further(*domain, "((x + 1) + 5x) = 7"), (Actions{{"move 5x", "(x + 1) = (7 - 5x)"}}));
  EXPECT_EQ(Further(*domain, "11 = (2x + 3)"), Actions{}) << "the term stands on the other side";
  EXPECT_EQ(Further(*domain, "(2x * 3) = 11"), Actions{});
}

TEST(AbstractDomainTest, TheFirstStepMayBeAnywhere) {
  const std::unique_ptr<Domain> domain = With("equations", "tidy: eval; add0 @1:\n");
  EXPECT_EQ(Further(*domain, "(x + (3 - 3)) = (2x + (4 - 4))"),
            (Actions{{"tidy 3, (3 - 3)", "x = (2x + (4 - 4))"}, {"tidy 10, (4 - 4)", "(x + (3 - 3)) = 2x"}}));
}

TEST(AbstractDomainTest, AnyOperandWillDoUnlessOneIsAskedFor) {
  const std::unique_ptr<Domain> any = With("equations", "move: sub; assoc @0:L; sub_self @0:R; add0 @1:\n");
  EXPECT_EQ(Further(*any, "(2x + 3) = 11"), (Actions{{"move 3", "2x = (11 - 3)"}}));
  const std::unique_ptr<Domain> twice = With("equations", "twice: refl; sub\n");
  const Actions actions = Further(*twice, "2x = 11");
  // What the first label does not settle is named, too.
  EXPECT_EQ(actions.front(), std::make_pair(std::string("twice; 11"), std::string("(11 - 11) = (2x - 11)")));
}

TEST(AbstractDomainTest, AListsItemsAreStepsToTheRight) {
  const std::unique_ptr<Domain> domain = With("sorting", "carry: swap; swap @0:R\nback: swap; swap @1:\n");
  EXPECT_EQ(Further(*domain, "[===|=|==]"), (Actions{{"carry 0", "[=|==|===]"}, {"back 1", "[==|===|=]"}}));
}

TEST(AbstractDomainTest, NumbersOfFractionsArePlaces) {
  const std::unique_ptr<Domain> domain = With("fractions", "add: combine; eval @0:L\n");
  EXPECT_EQ(Further(*domain, "[3]/[4] + [2]/[4]"), (Actions{{"add 0", "[5]/[4]"}}));
}

TEST(AbstractDomainTest, StatesThatAreOfferedAlreadyAreNotOfferedAgain) {
  const std::unique_ptr<Domain> domain = With("equations", "nothing: comm; comm @0:\nsame: refl; refl\nonce: eval; eval\n");
  for (const auto& [label, next] : Further(*domain, "(2 + x) = (3 + 4)")) {
    for (const auto& [own_label, own] : ExpandCopy(AsAbstractDomain(*domain)->base(), "(2 + x) = (3 + 4)").actions) {
      EXPECT_NE(next, own) << label << " and " << own_label;
    }
  }
}

TEST(AbstractDomainTest, ItPassesForTheDomainItIsMadeOf) {
  const std::unique_ptr<Domain> domain = With("equations:max_constant=5", kMoveOver);
  const std::unique_ptr<Domain> plain = MakeDomain("equations:max_constant=5");
  EXPECT_EQ(&domain->type(), &plain->type());
  EXPECT_EQ(domain->Spec(), plain->Spec());
  EXPECT_EQ(domain->Generate(3), plain->Generate(3));
  EXPECT_TRUE(domain->Solved("x = 3"));
  EXPECT_EQ(ExpandCopy(*domain, "x = 3").status, Status::kSolved);
  EXPECT_EQ(ExpandCopy(*domain, "x = ").status, Status::kMalformed);
  EXPECT_EQ(FindFault(*domain, "x = "), std::nullopt);
  EXPECT_EQ(AsAbstractDomain(*plain), nullptr);
}

TEST(AbstractDomainTest, WithoutAbstractionsItIsTheDomainItself) {
  EXPECT_EQ(AsAbstractDomain(*With("equations", "")), nullptr);
}

TEST(AbstractDomainTest, WhatDoesNotFitIsRefused) {
  EXPECT_THROW(WithAbstractions(MakeDomain("sorting"), {"equations", {}}), Error);
  EXPECT_THROW(With("rubiks-cube", "twice: U1; U1\n"), Error) << "searches over packed states would not know it";
}

// On random walks every abstract step opens into axioms that the domain offers, one after the other, and labels name one state.
TEST(AbstractDomainTest, StepsOpenIntoAxiomsThatLeadToTheSameState) {
  const std::string equations = std::string(kMoveOver) +
                                "free: sub; assoc @0:L; eval @0:R\ntidy: eval; add0 @1:\n"
                                "share: div; comm @0:LL; assoc @1:; div_self @0:R; mul1 @1:\nswap: comm; assoc @1:\n";
  const std::map<std::string, std::string> all{
      {"equations:source=hard", equations},
      {"fractions", "a: combine; eval @0:L\nb: factorize; factorize\nc: scale; eval @0:L\n"},
      {"multiplication", "a: split; dist @1:\nb: dist; sdmul @0:L\n"},
      {"sorting", "a: swap; swap @0:R\nb: reverse; swap @0:R\n"},
      {"ternary-addition", "a: comb; del @0:\nb: swap; comb @0:R\n"},
      {"algebra", "a: expand; collect\n"}};
  std::mt19937_64 random(17);
  for (const auto& [spec, lines] : all) {
    const std::unique_ptr<Domain> domain = With(spec, lines);
    const AbstractDomain& abstract = *AsAbstractDomain(*domain);
    std::size_t opened_steps = 0;
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
      std::string state = domain->Generate(seed);
      for (int step = 0; step < 6; ++step) {
        SCOPED_TRACE(spec + ": " + state);
        ASSERT_EQ(FindFault(*domain, state), std::nullopt);
        const Expansion expansion = ExpandCopy(*domain, state);
        Expansion plain = expansion;
        for (auto& [label, next] : plain.actions) label.clear();
        ASSERT_EQ(ExpandCopy(*domain, state, Labels::kOff), plain);
        std::set<std::string> labels;
        for (const auto& [label, next] : expansion.actions) ASSERT_TRUE(labels.insert(label).second) << label;
        const Actions further = expansion.actions.empty() ? Actions{} : Further(*domain, state);
        for (const auto& [label, next] : further) {
          const std::vector<AxiomStep> axioms = abstract.Open(state, next);
          ASSERT_GE(axioms.size(), 2U);
          std::string at = state;
          for (const AxiomStep& axiom : axioms) {
            ASSERT_EQ(axiom.before, at);
            ASSERT_EQ(Next(abstract.base(), at, axiom.label), axiom.after) << axiom.label;
            at = axiom.after;
          }
          ASSERT_EQ(at, next);
          ++opened_steps;
        }
        if (expansion.actions.empty()) break;
        // Abstract steps are few, so half of all steps are such.
        const Actions& choices = !further.empty() && random() % 2 == 0 ? further : expansion.actions;
        state = choices[random() % choices.size()].second;
      }
    }
    EXPECT_GT(opened_steps, 10U) << spec;
  }
}

TEST(AbstractDomainTest, AStepThatThereIsNotCannotBeOpened) {
  const std::unique_ptr<Domain> domain = With("equations", kMoveOver);
  EXPECT_THROW(AsAbstractDomain(*domain)->Open("(2x + 3) = 11", "x = 4"), Error);
  EXPECT_THROW(AsAbstractDomain(*domain)->Open("x = 4", "x = 4"), Error);
  EXPECT_EQ(AsAbstractDomain(*domain)->Open("2x = 11", "11 = 2x"), (std::vector<AxiomStep>{{"refl", "2x = 11", "11 = 2x"}}));
}

// Scratch space belongs to a thread and is used by one domain after the other.
TEST(AbstractDomainTest, ThreadsAndDomainsDoNotDisturbEachOther) {
  const std::unique_ptr<Domain> equations = With("equations", kMoveOver);
  const std::unique_ptr<Domain> sorting = With("sorting", "carry: swap; swap @0:R\n");
  const Expansion first = ExpandCopy(*equations, "(2x + 3) = 11");
  const Expansion second = ExpandCopy(*sorting, "[===|=|==]");
  std::vector<int> differences(3);
  std::vector<std::thread> threads;
  for (int& count : differences) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        if (ExpandCopy(*equations, "(2x + 3) = 11") != first) ++count;
        if (ExpandCopy(*sorting, "[===|=|==]") != second) ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(differences, std::vector<int>(3));
}

}  // namespace
}  // namespace conpole

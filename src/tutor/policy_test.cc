#include "tutor/policy.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/error.h"
#include "search/lockstep.h"
#include "search/scorers.h"
#include "tests/files.h"
#include "util/hash.h"
#include "util/text_index.h"

namespace conpole {
namespace {

// Remembers what it was asked, and scores a pair by where its texts stand in that list.
class Listener final : public Scorer {
 public:
  explicit Listener(std::vector<std::string>& heard) : heard_(heard) {}

  ScoreMeaning meaning() const override { return ScoreMeaning::kLogOdds; }
  std::size_t ProblemsInFlight() const override { return 7; }
  void Score(const ScoreBatch& batch, std::span<float> scores) override {
    heard_.assign(batch.texts.begin(), batch.texts.end());
    EXPECT_EQ(std::set<std::string>(heard_.begin(), heard_.end()).size(), heard_.size()) << "texts must be distinct";
    for (std::size_t i = 0; i < heard_.size(); ++i) EXPECT_EQ(batch.hashes[i], HashText(heard_[i]));
    for (std::size_t i = 0; i < scores.size(); ++i) {
      scores[i] = static_cast<float>(10 * batch.pairs[i].parent + batch.pairs[i].candidate);
    }
  }

 private:
  std::vector<std::string>& heard_;
};

using Texts = std::vector<std::string>;

TEST(PolicyTest, AnyUnknownIsShownAsX) {
  const std::unique_ptr<Domain> equations = MakeDomain("equations");
  Texts heard;
  const std::unique_ptr<Scorer> scorer = ForAnyUnknown(*equations, std::make_unique<Listener>(heard));
  EXPECT_EQ(scorer->meaning(), ScoreMeaning::kLogOdds);
  EXPECT_EQ(scorer->ProblemsInFlight(), 7U);
  const std::vector<std::string_view> candidates{"t = 3", "3 = 3", "t = (4 - 1)"};
  EXPECT_EQ(ScoreCandidates(*scorer, "t = (1 + 2)", candidates), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(heard, (Texts{"x = (1 + 2)", "x = 3", "3 = 3", "x = (4 - 1)"}));
  // Texts in x go through as they are, and so do those with two letters.
  ScoreCandidates(*scorer, "x = 1", std::vector<std::string_view>{"x = y"});
  EXPECT_EQ(heard, (Texts{"x = 1", "x = y"}));
}

TEST(PolicyTest, TextsThatDifferInTheirLetterBecomeOne) {
  const std::unique_ptr<Domain> equations = MakeDomain("equations");
  Texts heard;
  const std::unique_ptr<Scorer> scorer = ForAnyUnknown(*equations, std::make_unique<Listener>(heard));
  EXPECT_EQ(ScoreCandidates(*scorer, "y = 1", std::vector<std::string_view>{"x = 1", "z = 2", "a = 2"}),
            (std::vector<float>{0, 1, 1}));
  EXPECT_EQ(heard, (Texts{"x = 1", "x = 2"}));
}

// The letters of words stay, even if the unknown has the same letter.
TEST(PolicyTest, WordsAreNoUnknowns) {
  const std::unique_ptr<Domain> algebra = MakeDomain("algebra");
  Texts heard;
  const std::unique_ptr<Scorer> scorer = ForAnyUnknown(*algebra, std::make_unique<Listener>(heard));
  ScoreCandidates(*scorer, "r^2 = 5", std::vector<std::string_view>{"r = sqrt(5) or r = -sqrt(5)", "no solution"});
  EXPECT_EQ(heard, (Texts{"x^2 = 5", "x = sqrt(5) or x = -sqrt(5)", "no solution"}));
}

// Remembers how many characters of candidates it was asked about at a time.
class Counter final : public Scorer {
 public:
  static constexpr std::size_t kMost = 4'000;

  explicit Counter(std::vector<std::size_t>& characters) : characters_(characters) {}

  ScoreMeaning meaning() const override { return ScoreMeaning::kLogPreference; }
  std::size_t CharactersAtATime() const override { return kMost; }
  void Score(const ScoreBatch& batch, std::span<float> scores) override {
    characters_.push_back(0);
    for (const ScoreBatch::Pair& pair : batch.pairs) characters_.back() += batch.texts[pair.candidate].size();
    std::fill(scores.begin(), scores.end(), 1.0F);
  }

 private:
  std::vector<std::size_t>& characters_;
};

// The scores of all steps from the list size, size - 1, ..., 1, scored in pieces until one more than `looks` pieces begin.
std::vector<float> ScoresOfList(Scorer& scorer, int size, int looks) {
  const std::unique_ptr<Domain> sorting = MakeDomain("sorting");
  std::string list = "[";
  for (int item = size; item > 0; --item) list += std::to_string(item) + (item > 1 ? ".5|" : ".5]");
  Successors successors;
  EXPECT_EQ(sorting->Expand(list, Labels::kOff, successors), Status::kOpen);
  TextIndex distinct;
  std::vector<ScoreBatch::Pair> pairs;
  const std::uint32_t parent = distinct.Add(list);
  for (std::size_t i = 0; i < successors.size(); ++i) pairs.push_back({parent, distinct.Add(successors.state(i))});
  std::vector<float> scores(pairs.size(), -1.0F);
  const StopToken stop = StopToken().Or([&] { return looks-- == 0; });
  ScoreInPieces(scorer, {distinct.texts(), distinct.hashes(), pairs}, scores, stop);
  return scores;
}

// A number is one to three characters of a list, and up to hundreds of the text that a network reads.
TEST(PolicyTest, NetworksAreAskedAboutFewLongTextsAtATime) {
  const std::unique_ptr<Domain> sorting = MakeDomain("sorting");
  std::vector<std::size_t> characters;
  const std::unique_ptr<Scorer> scorer = ForAnyUnknown(*sorting, std::make_unique<Counter>(characters));
  const std::vector<float> scores = ScoresOfList(*scorer, 40, 1'000);
  EXPECT_EQ(std::count(scores.begin(), scores.end(), 1.0F), 40);
  EXPECT_GE(characters.size(), 7U);
  for (const std::size_t at_a_time : characters) EXPECT_LE(at_a_time, Counter::kMost + 1'000);
  characters.clear();
  ScoresOfList(*scorer, 40, 2);
  EXPECT_EQ(characters.size(), 2U);  // and no more, once the time is over
}

TEST(PolicyTest, NetworksAreNotAskedAboutListsOfHundreds) {
  const std::unique_ptr<Domain> sorting = MakeDomain("sorting");
  std::vector<std::size_t> characters;
  const std::unique_ptr<Scorer> scorer = ForAnyUnknown(*sorting, std::make_unique<Counter>(characters));
  EXPECT_EQ(ScoresOfList(*scorer, 320, 1'000), std::vector<float>(320, 0.0F));
  EXPECT_TRUE(characters.empty());
}

TEST(PolicyTest, OnlyUnknownsAreRenamed) {
  const std::unique_ptr<Domain> ternary = MakeDomain("ternary-addition");
  Texts heard;
  const std::unique_ptr<Scorer> scorer = ForAnyUnknown(*ternary, std::make_unique<Listener>(heard));
  ScoreCandidates(*scorer, "#(b3)", std::vector<std::string_view>{"#(c3)"});
  EXPECT_EQ(heard, (Texts{"#(b3)", "#(c3)"}));
}

TEST(PolicyTest, TextsFromOutsideAreReadAsNetworksWereTrained) {
  const std::unique_ptr<Domain> equations = MakeDomain("equations");
  EXPECT_EQ(ReadForPolicy(*equations, "x + 3 = 7").state, "(x + 3) = 7");
  EXPECT_EQ(ReadForPolicy(*equations, "(y + 3) = 7").state, "(x + 3) = 7");
  EXPECT_EQ(ReadForPolicy(*equations, "x = = 3").error->position, 4U);
  // Parse refuses it, but steps lead there.
  const std::unique_ptr<Domain> fractions = MakeDomain("fractions");
  ASSERT_TRUE(fractions->Parse("[3]/[0]").error);
  EXPECT_EQ(ReadForPolicy(*fractions, "[3]/[0]").state, "[3]/[0]");
  EXPECT_TRUE(ReadForPolicy(*fractions, "[3]/[").error);
}

TEST(PolicyTest, AModelSaysItsDomainWithAllParameters) {
  Model model;
  EXPECT_EQ(DomainOfModel(model), "");
  model.metadata["domain"] = "sorting:max_length=5";
  EXPECT_EQ(DomainOfModel(model), "sorting:max_length=5");
  model.metadata["full_domain"] = "sorting:min_length=1,max_length=5";
  EXPECT_EQ(DomainOfModel(model), "sorting:min_length=1,max_length=5");
}

TEST(PolicyTest, AModelMayBeForSeveralDomains) {
  Model model;
  model.metadata = {{"domain", "sorting:max_length=5 + equations"},
                    {"agent", "cvi"},
                    {"0.domain", "sorting:max_length=5"},
                    {"1.domain", "equations"},
                    {"1.abstractions", "some"},
                    {"1.eval_success", "0.5"},
                    {"eval_success", "0.7"}};
  const std::unique_ptr<Domain> sorting = MakeDomain("sorting");
  const std::unique_ptr<Domain> equations = MakeDomain("equations:source=hard");
  const std::unique_ptr<Domain> fractions = MakeDomain("fractions");
  EXPECT_NO_THROW(RequireModelFor(*sorting, model, "m"));
  EXPECT_NO_THROW(RequireModelFor(*equations, model, "m"));
  EXPECT_EQ(ErrorOf([&] { RequireModelFor(*fractions, model, "m"); }),
            "the model 'm' is for the domain sorting:max_length=5 + equations, not for fractions");
  EXPECT_EQ(MetadataFor(*equations, model.metadata).at("abstractions"), "some");
  EXPECT_EQ(MetadataFor(*equations, model.metadata).at("eval_success"), "0.5");
  EXPECT_EQ(MetadataFor(*equations, model.metadata).at("agent"), "cvi");
  EXPECT_FALSE(MetadataFor(*sorting, model.metadata).contains("abstractions"));
  EXPECT_EQ(MetadataFor(*fractions, model.metadata), model.metadata);
}

TEST(PolicyTest, AChoiceIsAModelOrAScorer) {
  setenv("CONPOLE_MODELS", CONPOLE_SOURCE "/models", 1);
  ThreadPool pool(1);
  const std::unique_ptr<Domain> sorting = MakeDomain("sorting");
  EXPECT_TRUE(NameOfPolicy(*sorting, {}).starts_with("model "));
  EXPECT_EQ(NameOfPolicy(*sorting, {.scorer = "random"}), "random");
  EXPECT_EQ(NameOfPolicy(*sorting, {.model = "somewhere"}), "model somewhere");
  EXPECT_TRUE(NameOfPolicy(*MakeDomain("rubiks-cube"), {}).starts_with("model "));
  EXPECT_NE(MakePolicy(*sorting, pool), nullptr);
  EXPECT_NE(MakePolicy(*sorting, pool, {.scorer = "length"}), nullptr);
  EXPECT_THROW(MakePolicy(*sorting, pool, {.model = "a", .scorer = "length"}), Error);
  EXPECT_THROW(MakePolicy(*sorting, pool, {.model = "nowhere"}), Error);
  EXPECT_THROW(MakePolicy(*sorting, pool, {.scorer = "abacus"}), Error);
  EXPECT_THROW(MakePolicy(*sorting, pool, {.model = ModelPathOf(*MakeDomain("fractions"), {})}), Error);
}

TEST(PolicyTest, AHeuristicThatSufficesIsTheDefault) {
  setenv("CONPOLE_MODELS", CONPOLE_SOURCE "/models", 1);
  ThreadPool pool(1);
  const std::unique_ptr<Domain> algebra = MakeDomain("algebra");
  EXPECT_EQ(NameOfPolicy(*algebra, {}), "lines");
  EXPECT_EQ(MakePolicy(*algebra, pool)->meaning(), ScoreMeaning::kMinusStepsToGo);
  EXPECT_TRUE(NameOfPolicy(*MakeDomain("equations"), {}).starts_with("model "));
  EXPECT_TRUE(NameOfPolicy(*MakeDomain("equations"), {.learned = true}).starts_with("model "));
  EXPECT_THROW(MakePolicy(*algebra, pool, {.model = "a", .learned = true}), Error);
  EXPECT_THROW(MakePolicy(*algebra, pool, {.scorer = "length", .learned = true}), Error);
}

}  // namespace
}  // namespace conpole

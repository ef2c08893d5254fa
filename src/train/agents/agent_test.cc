#include "train/agents/agent.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "domains/axioms/abstract_domain.h"
#include "domains/axioms/abstractions.h"
#include "search/scorers.h"
#include "tests/files.h"
#include "tests/search_fixtures.h"

namespace conpole {
namespace {

// A search of this agent, guided by chance, that has ended.
std::unique_ptr<GuidedSearch> EndedSearch(const Agent& agent, const Domain& domain, const std::string& problem,
                                          std::size_t max_steps = 30) {
  std::unique_ptr<GuidedSearch> search = agent.MakeSearch(domain, problem, {.max_steps = max_steps, .seed = 4}, {});
  if (!search->finished()) RunToTheEnd(*search, domain, *MakeRandomScorer(3));
  return search;
}

std::set<std::string> SuccessorsOf(const Domain& domain, std::string_view state) {
  Successors successors;
  domain.Expand(state, Labels::kOff, successors);
  std::set<std::string> states;
  for (std::size_t i = 0; i < successors.size(); ++i) states.emplace(successors.state(i));
  return states;
}

class AgentTest : public testing::Test {
 protected:
  AgentTest() : domain_(MakeDomain("sorting")) { options_.beam = 3; }

  // What an agent keeps of the solution of a fixed problem.
  std::vector<Experience> ExperiencesOf(std::string_view name) {
    const std::unique_ptr<Agent> agent = MakeAgent(name, options_);
    search_ = EndedSearch(*agent, *domain_, "[===|====|=|==]");
    EXPECT_TRUE(search_->result().solved());
    replay_ = std::make_unique<ReplayBuffer>(1000);
    Random random(1);
    EXPECT_EQ(agent->Teach(*domain_, *search_, random, *replay_), options_.gradient_steps);
    std::vector<Experience> kept(replay_->size());
    for (std::size_t i = 0; i < kept.size(); ++i) replay_->Read(i, kept[i]);
    return kept;
  }
  const std::vector<std::string>& path() const { return search_->result().path; }

  TrainOptions options_;
  std::unique_ptr<Domain> domain_;
  std::unique_ptr<GuidedSearch> search_;
  std::unique_ptr<ReplayBuffer> replay_;
};

TEST_F(AgentTest, ConPoLeKeepsTheStepsOfTheSolutionAgainstAllOtherCandidatesOfTheirParents) {
  const std::vector<Experience> kept = ExperiencesOf("conpole");
  ASSERT_GE(kept.size(), 1U);
  ASSERT_LE(kept.size(), path().size() - 1);
  for (std::size_t step = 0; step < kept.size(); ++step) {
    const Experience& experience = kept[step];
    EXPECT_EQ(experience.texts[experience.pairs[0].parent], path()[step]);
    EXPECT_EQ(experience.texts[experience.pairs[0].candidate], path()[step + 1]);
    EXPECT_EQ(experience.learned, experience.pairs.size());
    for (std::size_t i = 0; i < experience.pairs.size(); ++i) EXPECT_EQ(experience.targets[i], i == 0 ? 1 : 0);
    std::set<std::string_view> candidates;
    for (const ScoreBatch::Pair& pair : experience.pairs) {
      const std::string candidate(experience.texts[pair.candidate]);
      EXPECT_TRUE(SuccessorsOf(*domain_, experience.texts[pair.parent]).contains(candidate)) << candidate;
      EXPECT_TRUE(candidates.insert(experience.texts[pair.candidate]).second) << "twice: " << candidate;
    }
    if (step + 2 == path().size()) {
      for (std::size_t i = 1; i < experience.pairs.size(); ++i) {
        EXPECT_FALSE(domain_->Solved(experience.texts[experience.pairs[i].candidate]));
      }
    }
  }
}

// They are on the way, if not as far.
TEST_F(AgentTest, TheAxiomsOfAnAbstractionThatWasTakenAreNoNegatives) {
  auto abstract = std::make_unique<AbstractDomain>(
      MakeDomain("sorting"), ParseAbstractions("conpole abstractions 1 for sorting\ncarry: swap; swap @0:R\n"));
  const AbstractDomain& abstractions = *abstract;
  domain_ = std::move(abstract);
  options_.beam = 1;  // so that it takes many steps
  std::size_t opened = 0;
  for (const Experience& experience : ExperiencesOf("conpole")) {
    const ScoreBatch::Pair right = experience.pairs.front();
    const auto axioms = abstractions.Open(experience.texts[right.parent], experience.texts[right.candidate]);
    if (axioms.size() < 2) continue;
    ++opened;
    ASSERT_TRUE(SuccessorsOf(*domain_, axioms[0].before).contains(axioms[0].after));
    for (const ScoreBatch::Pair& pair : experience.pairs) EXPECT_NE(experience.texts[pair.candidate], axioms[0].after);
  }
  EXPECT_GT(opened, 0U);
}

TEST_F(AgentTest, ConPoLeLocalKeepsOnlySiblings) {
  for (const Experience& experience : ExperiencesOf("conpole-local")) {
    for (const ScoreBatch::Pair& pair : experience.pairs) EXPECT_EQ(pair.parent, experience.pairs[0].parent);
  }
}

TEST_F(AgentTest, Algorithm1ScoresAllAgainstTheStateOfTheSolution) {
  options_.negatives = Negatives::kAlgorithm1;
  bool has_others = false;
  for (const Experience& experience : ExperiencesOf("conpole")) {
    const std::set<std::string> own = SuccessorsOf(*domain_, experience.texts[experience.pairs[0].parent]);
    for (const ScoreBatch::Pair& pair : experience.pairs) {
      EXPECT_EQ(pair.parent, experience.pairs[0].parent);
      has_others |= !own.contains(std::string(experience.texts[pair.candidate]));
    }
  }
  EXPECT_TRUE(has_others);
}

TEST_F(AgentTest, CviLearnsFromTheStepsOfConpole) {
  const std::vector<Experience> kept = ExperiencesOf("cvi");
  ASSERT_FALSE(kept.empty());
  for (const Experience& experience : kept) {
    EXPECT_NE(std::find(path().begin(), path().end(), experience.texts[experience.pairs[0].candidate]), path().end());
    TrainingBatch batch;
    Random random(2);
    MakeAgent("cvi", options_)->AddExample(experience, random, batch);
    batch.Seal();
    for (std::size_t i = 0; i < batch.targets().size(); ++i) EXPECT_EQ(batch.targets()[i], i == 0 ? 1 : 0);
  }
}

TEST_F(AgentTest, CviReadsNoStatesThatCandidatesComeFrom) {
  for (const Experience& experience : ExperiencesOf("cvi")) {
    TrainingBatch batch;
    Random random(2);
    MakeAgent("cvi", options_)->AddExample(experience, random, batch);
    std::set<std::string_view> read(batch.texts().begin(), batch.texts().end());
    for (const ScoreBatch::Pair& pair : batch.pairs()) read.erase(batch.texts()[pair.candidate]);
    EXPECT_EQ(read, std::set<std::string_view>{""});
  }
}

TEST_F(AgentTest, NegativesAreLimited) {
  options_.negatives_kept = 2;
  for (const Experience& experience : ExperiencesOf("conpole")) EXPECT_LE(experience.pairs.size(), 3U);
}

TEST_F(AgentTest, ABatchHasTheRightPairFirstAndSampledNegatives) {
  options_.negatives_sampled = 2;
  const std::vector<Experience> kept = ExperiencesOf("conpole");
  const auto longest = std::max_element(
      kept.begin(), kept.end(), [](const Experience& a, const Experience& b) { return a.pairs.size() < b.pairs.size(); });
  ASSERT_GT(longest->pairs.size(), 3U);
  Random random(2);
  TrainingBatch batch;
  MakeAgent("conpole", options_)->AddExample(*longest, random, batch);
  batch.Seal();
  ASSERT_EQ(batch.examples(), 1U);
  ASSERT_EQ(batch.pairs().size(), 3U);
  EXPECT_EQ(batch.texts()[batch.pairs()[0].candidate], longest->texts[longest->pairs[0].candidate]);
  EXPECT_EQ(std::vector<float>(batch.targets().begin(), batch.targets().end()), (std::vector<float>{1, 0, 0}));
}

// What is kept of a search of a graph, as "right step | others", step by step. All states are equally long, so that they stay
// in their order.
std::vector<std::string> LessonsOf(const Domain& domain, std::string_view agent_name, const TrainOptions& options) {
  const std::unique_ptr<Agent> agent = MakeAgent(agent_name, options);
  const std::unique_ptr<GuidedSearch> search = agent->MakeSearch(domain, "S", {.max_steps = 30, .seed = 4}, {});
  RunToTheEnd(*search, domain, *MakeLengthScorer());
  EXPECT_TRUE(search->result().solved());
  ReplayBuffer replay(100);
  Random random(1);
  agent->Teach(domain, *search, random, replay);
  std::vector<std::string> lessons;
  for (std::size_t i = 0; i < replay.size(); ++i) {
    Experience experience;
    replay.Read(i, experience);
    std::set<std::string> sides[2];
    for (std::size_t pair = 0; pair < experience.pairs.size(); ++pair) {
      const ScoreBatch::Pair& texts = experience.pairs[pair];
      sides[experience.targets[pair] == 1 ? 0 : 1].insert(std::string(experience.texts[texts.parent]) +
                                                          std::string(experience.texts[texts.candidate]));
    }
    std::string lesson;
    for (const std::string& step : sides[0]) lesson += step + " ";
    lesson += "|";
    for (const std::string& step : sides[1]) lesson += " " + step;
    lessons.push_back(lesson);
  }
  return lessons;
}

TEST_F(AgentTest, EachStepOfTheSolutionStandsAgainstTheOtherCandidatesOfItsRound) {
  // A and B lead to the solved state as fast, by C and D; B meets C, too. E goes back to A, and F nowhere.
  const GraphDomain domain({{"S", {"A", "B", "E", "F"}},
                            {"A", {"C", "H"}},
                            {"B", {"C", "D"}},
                            {"E", {"I", "A"}},
                            {"F", {"J"}},
                            {"C", {"G", "K"}},
                            {"D", {"G", "L"}},
                            {"H", {"M"}},
                            {"I", {"A", "N"}},
                            {"J", {"O"}}});
  TrainOptions options;
  options.beam = 20;
  const std::vector<std::string> all{"SA | SB SE SF", "AC | AH BD EI FJ", "CG | CK DL HM IN JO"};
  EXPECT_EQ(LessonsOf(domain, "conpole", options), all);
  EXPECT_EQ(LessonsOf(domain, "cvi", options), all);
  EXPECT_EQ(LessonsOf(domain, "conpole-local", options), (std::vector<std::string>{"SA | SB SE SF", "AC | AH", "CG | CK"}));
}

TEST_F(AgentTest, EachRightStepIsAnExampleAgainstTheSameOthers) {
  Experience experience;
  experience.texts = {"s", "t", "a", "b", "c", "d", "e"};
  experience.pairs = {{0, 2}, {1, 3}, {0, 4}, {0, 5}, {1, 6}};
  experience.targets = {1, 1, 0, 0, 0};
  experience.learned = 5;
  options_.negatives_sampled = 2;
  const auto batch_of = [&](const char* agent) {
    Random random(2);
    TrainingBatch batch;
    MakeAgent(agent, options_)->AddExample(experience, random, batch);
    batch.Seal();
    return batch;
  };
  const auto pair_of = [](const TrainingBatch& batch, std::size_t i) {
    const ScoreBatch::Pair& pair = batch.pairs()[i];
    return std::string(batch.texts()[pair.parent]) + std::string(batch.texts()[pair.candidate]);
  };
  const TrainingBatch batch = batch_of("conpole");
  EXPECT_EQ(batch.example_ends(), (std::vector<std::size_t>{3, 6}));
  EXPECT_EQ(std::vector<float>(batch.targets().begin(), batch.targets().end()), (std::vector<float>{1, 0, 0, 1, 0, 0}));
  EXPECT_EQ(pair_of(batch, 0), "sa");
  EXPECT_EQ(pair_of(batch, 3), "tb");
  EXPECT_EQ(pair_of(batch, 1), pair_of(batch, 4));
  EXPECT_EQ(pair_of(batch, 2), pair_of(batch, 5));
  // As values: without the states that are left.
  const TrainingBatch values = batch_of("cvi");
  EXPECT_EQ(pair_of(values, 0), "a");
  EXPECT_EQ(pair_of(values, 3), "b");
  EXPECT_EQ(pair_of(values, 1).size(), 1U);
}

TEST_F(AgentTest, ASearchMayBeWiderThanUsual) {
  const std::string problem = "[====|===|==|=|======|=====|=======|========]";
  const std::unique_ptr<Agent> agent = MakeAgent("conpole", options_);
  const auto expanded = [&](double effort) {
    const auto search = agent->MakeSearch(*domain_, problem, {.max_steps = 3, .seed = 4, .effort = effort}, {});
    RunToTheEnd(*search, *domain_, *MakeRandomScorer(3));
    EXPECT_EQ(search->round_begins().size(), 3U);
    return search->result().expanded;
  };
  EXPECT_EQ(expanded(1), 1U + 3 + 3);
  EXPECT_EQ(expanded(2), 1U + 6 + 6);
}

TEST_F(AgentTest, FailuresTeachConPoLeNothing) {
  const std::unique_ptr<Agent> agent = MakeAgent("conpole", options_);
  const auto search = EndedSearch(*agent, *domain_, "[====|===|==|=|======|=====]", 1);
  ASSERT_FALSE(search->result().solved());
  ReplayBuffer replay(10);
  Random random(1);
  EXPECT_EQ(agent->Teach(*domain_, *search, random, replay), 0);
  EXPECT_EQ(replay.size(), 0U);
}

TEST_F(AgentTest, DrrnKeepsEveryStepOfAWalkWithAllSuccessorsOfTheStateItLedTo) {
  const std::vector<Experience> kept = ExperiencesOf("drrn");
  const std::vector<std::string>& path = this->path();
  ASSERT_EQ(kept.size(), path.size() - 1);
  for (std::size_t step = 0; step < kept.size(); ++step) {
    const Experience& experience = kept[step];
    EXPECT_EQ(experience.learned, 1U);
    EXPECT_EQ(experience.texts[experience.pairs[0].parent], path[step]);
    EXPECT_EQ(experience.texts[experience.pairs[0].candidate], path[step + 1]);
    if (step + 1 == kept.size()) {
      EXPECT_EQ(experience.targets, std::vector<float>{1});
      continue;
    }
    std::set<std::string> successors = SuccessorsOf(*domain_, path[step + 1]);
    successors.erase(path[step + 1]);
    std::set<std::string> looked_at;
    EXPECT_TRUE(std::isnan(experience.targets[0]));
    for (std::size_t i = 1; i < experience.pairs.size(); ++i) {
      EXPECT_EQ(experience.texts[experience.pairs[i].parent], path[step + 1]);
      const std::string_view candidate = experience.texts[experience.pairs[i].candidate];
      looked_at.emplace(candidate);
      EXPECT_EQ(domain_->Solved(candidate), experience.targets[i] == 1);
    }
    EXPECT_EQ(looked_at, successors);
  }
}

TEST_F(AgentTest, FailuresTeachDrrn) {
  const std::unique_ptr<Agent> agent = MakeAgent("drrn", options_);
  const auto search = EndedSearch(*agent, *domain_, "[====|===|==|=|======|=====]", 3);
  ASSERT_FALSE(search->result().solved());
  ReplayBuffer replay(10);
  Random random(1);
  EXPECT_EQ(agent->Teach(*domain_, *search, random, replay), options_.gradient_steps);
  EXPECT_EQ(replay.size(), 2U) << "what lies behind the third step is not known";
  EXPECT_EQ(agent->solved_by_chance(), 0U);
}

TEST_F(AgentTest, DrrnMakesTargetsOfTheBestThatComesNext) {
  options_.discount = 0.5;
  const std::unique_ptr<Agent> agent = MakeAgent("drrn", options_);
  EXPECT_TRUE(agent->target_network().is_used());
  const float ask = std::numeric_limits<float>::quiet_NaN();
  TrainingBatch batch;
  Random random(1);
  const auto add = [&](std::vector<float> targets) {
    Experience experience;
    experience.texts = {"s", "c", "d"};
    experience.pairs.assign(targets.size(), {1, 2});
    experience.pairs[0] = {0, 1};
    experience.targets = std::move(targets);
    experience.learned = 1;
    agent->AddExample(experience, random, batch);
  };
  add({1});  // solved
  add({0});  // a dead end
  add({ask, ask, ask});
  add({ask, ask, 1});  // next to a solved state
  batch.Seal();
  ASSERT_EQ(batch.lookahead().pairs().size(), 4U);
  const float scores[] = {-1, 0, 5, 7};
  agent->SetTargets(scores, batch);
  EXPECT_EQ(std::vector<float>(batch.targets().begin(), batch.targets().end()), (std::vector<float>{1, 0, 0.25F, 0.5F}));
}

TEST_F(AgentTest, AgentsDifferInHeadAndLoss) {
  EXPECT_EQ(MakeAgent("conpole", options_)->head(), Head::kBilinear);
  EXPECT_EQ(MakeAgent("cvi", options_)->head(), Head::kValue);
  EXPECT_EQ(MakeAgent("cvi", options_)->loss(), Loss::kContrastive);
  EXPECT_EQ(MakeAgent("cvi", options_)->meaning(), ScoreMeaning::kLogPreference);
  EXPECT_EQ(MakeAgent("drrn", options_)->head(), Head::kBilinear);
  EXPECT_EQ(MakeAgent("drrn", options_)->meaning(), ScoreMeaning::kLogOdds);
  options_.variant = Variant::kAsPublished;
  EXPECT_EQ(MakeAgent("cvi", options_)->loss(), Loss::kBinary);
  EXPECT_EQ(MakeAgent("cvi", options_)->meaning(), ScoreMeaning::kLogOdds);
  EXPECT_EQ(ErrorOf([&] { MakeAgent("alphazero", options_); }),
            "unknown agent 'alphazero'; there are: conpole, conpole-local, cvi, drrn, adi, davi, bc, walks");
}

}  // namespace
}  // namespace conpole

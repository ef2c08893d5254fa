// ADI, DAVI, BC and DRRN, as published and repaired, on graphs small enough to compute everything by hand.
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "search/lockstep.h"
#include "tests/files.h"
#include "tests/search_fixtures.h"
#include "train/agents/agent.h"
#include "train/run/settings.h"
#include "util/thread_pool.h"

namespace conpole {
namespace {

// An experience that outlives the search that it is of.
struct Kept {
  std::vector<std::pair<std::string, std::string>> pairs;
  std::vector<float> targets;
  std::size_t learned = 0;
};

class BaselinesTest : public testing::Test {
 protected:
  std::unique_ptr<Agent> Make(std::string_view name, Variant variant) {
    TrainOptions options = options_;
    options.variant = variant;
    FindAgentType(name)->adapt(options);
    if (variant == Variant::kRepaired) options.discount = 0.5;
    return MakeAgent(name, options);
  }

  // Lets an agent search from S, where the network gives these scores, and keeps what that teaches.
  std::vector<Kept> Teach(const Agent& agent, const GraphDomain& domain, const std::map<std::string, float>& scores,
                          std::size_t max_steps = 10, std::uint64_t seed = 4) {
    const std::unique_ptr<GuidedSearch> search = agent.MakeSearch(domain, "S", {.max_steps = max_steps, .seed = seed}, {});
    FunctionScorer scorer(ScoreMeaning::kRank, [&](std::string_view, std::string_view candidate) {
      const auto known = scores.find(std::string(candidate));
      return known == scores.end() ? 0 : known->second;
    });
    if (!search->finished()) RunToTheEnd(*search, domain, scorer);
    solved_ = search->result().solved();
    steps_ = agent.StepsOf(*search);
    ReplayBuffer replay(1000);
    Random random(1);
    earned_ = agent.Teach(domain, *search, random, replay);
    std::vector<Kept> kept;
    for (std::size_t i = 0; i < replay.size(); ++i) {
      Experience experience;
      replay.Read(i, experience);
      Kept one;
      for (const ScoreBatch::Pair& pair : experience.pairs) {
        one.pairs.emplace_back(experience.texts[pair.parent], experience.texts[pair.candidate]);
      }
      one.targets = experience.targets;
      one.learned = experience.learned;
      kept.push_back(std::move(one));
    }
    return kept;
  }

  // The targets that the first pairs get, where the slow copy gives these scores to the candidates.
  static std::vector<float> TargetsOf(const Agent& agent, const std::vector<Kept>& kept,
                                      const std::map<std::string, float>& scores) {
    TrainingBatch batch;
    Random random(1);
    for (const Kept& one : kept) {
      Experience experience;
      for (const auto& [parent, candidate] : one.pairs) {
        const auto index = static_cast<std::uint32_t>(experience.texts.size());
        experience.pairs.push_back({index, index + 1});
        experience.texts.insert(experience.texts.end(), {parent, candidate});
      }
      experience.targets = one.targets;
      experience.learned = one.learned;
      agent.AddExample(experience, random, batch);
    }
    batch.Seal();
    std::vector<float> of_slow_copy;
    for (const ScoreBatch::Pair& pair : batch.lookahead().pairs()) {
      of_slow_copy.push_back(scores.at(std::string(batch.lookahead().texts()[pair.candidate])));
    }
    agent.SetTargets(of_slow_copy, batch);
    return {batch.targets().begin(), batch.targets().end()};
  }

  TrainOptions options_;
  bool solved_ = false;
  std::uint64_t steps_ = 0;
  double earned_ = 0;
};

TEST_F(BaselinesTest, AdiAsPublishedLearnsTheProblemAloneFromTargetsThatStay) {
  const GraphDomain domain({{"S", {"A", "G", "B"}}});
  const auto agent = Make("adi", Variant::kAsPublished);
  const std::vector<Kept> kept = Teach(*agent, domain, {{"A", 0.25F}, {"B", -3}, {"G", 0.5F}});
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].pairs, (std::vector<std::pair<std::string, std::string>>{{"S", "S"}}));
  EXPECT_FLOAT_EQ(kept[0].targets[0], 1 + 0.5F - 0.02F) << "V of the goal is added to its reward";
  EXPECT_EQ(steps_, 4U) << "one, and each successor";
  EXPECT_EQ(agent->gradient_steps_per_batch(), 64U);
  EXPECT_FALSE(agent->target_network().is_used());
  EXPECT_FALSE(agent->takes_solved_problems());

  const GraphDomain far({{"S", {"A", "B"}}});
  EXPECT_FLOAT_EQ(Teach(*agent, far, {{"A", 0.25F}, {"B", -3}})[0].targets[0], 0.25F - 0.02F);
  const GraphDomain dead_end(GraphDomain::Edges{});
  EXPECT_TRUE(Teach(*agent, dead_end, {}).empty());
}

TEST_F(BaselinesTest, DaviAsPublishedCountsHundredthsAndNothingAtTheGoal) {
  const auto agent = Make("davi", Variant::kAsPublished);
  const GraphDomain far({{"S", {"A", "B"}}});
  EXPECT_FLOAT_EQ(Teach(*agent, far, {{"A", -0.25F}, {"B", -3}})[0].targets[0], -0.25F - 0.01F);
  const GraphDomain near({{"S", {"A", "G"}}});
  EXPECT_FLOAT_EQ(Teach(*agent, near, {{"A", -0.25F}, {"G", -9}})[0].targets[0], -0.01F);
  EXPECT_TRUE(agent->takes_solved_problems());
  const GraphDomain solved(GraphDomain::Edges{}, {"S"});
  const std::vector<Kept> kept = Teach(*agent, solved, {});
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].targets, std::vector<float>{0});
}

// S - A - G, and S - B, a dead end.
const GraphDomain::Edges kShortWay{{"S", {"A", "B"}}, {"A", {"S", "G"}}};

TEST_F(BaselinesTest, AdiRepairedLearnsEveryStateOfItsWalkFromFreshTargets) {
  const GraphDomain domain(kShortWay);
  const auto agent = Make("adi", Variant::kRepaired);
  const std::vector<Kept> kept = Teach(*agent, domain, {{"A", 50}, {"B", -50}});
  ASSERT_TRUE(solved_);
  ASSERT_EQ(kept.size(), 3U) << "S, A and the solved state";
  EXPECT_EQ(kept[0].pairs, (std::vector<std::pair<std::string, std::string>>{{"S", "S"}, {"S", "A"}, {"S", "B"}}));
  EXPECT_EQ(steps_, 2U);
  EXPECT_TRUE(agent->target_network().is_used());
  // V(S) = max(sigmoid(0), sigmoid(-9)) / 2, V(A) = 1 / 2 since G is solved, whatever the network says; V(G) = 1.
  const std::vector<float> targets = TargetsOf(*agent, kept, {{"A", 0}, {"B", -9}, {"S", 9}, {"G", -9}});
  EXPECT_EQ(targets, (std::vector<float>{0.25F, 0.5F, 1}));
}

TEST_F(BaselinesTest, DaviRepairedCountsSteps) {
  const GraphDomain domain(kShortWay);
  options_.depth_max = 30;
  const auto agent = Make("davi", Variant::kRepaired);
  EXPECT_EQ(agent->meaning(), ScoreMeaning::kMinusStepsToGo);
  const std::vector<Kept> kept = Teach(*agent, domain, {{"A", 0}, {"B", -5000}});
  ASSERT_TRUE(solved_);
  // J(S) = 1 + min(3.5, 20), J(A) = 1, J(G) = 0.
  EXPECT_EQ(TargetsOf(*agent, kept, {{"A", -3.5F}, {"B", -20}, {"S", -1}, {"G", -7}}), (std::vector<float>{-4.5F, -1, 0}));
  // What the network says of states that are not solved cannot be less than a step, nor more than a search may take.
  EXPECT_EQ(TargetsOf(*agent, kept, {{"A", 8}, {"B", -20}, {"S", -1}, {"G", -7}})[0], -1);
  EXPECT_EQ(TargetsOf(*agent, kept, {{"A", -80}, {"B", -90}, {"S", -1}, {"G", -7}})[0], -30);

  const std::vector<Kept> lost = Teach(*agent, domain, {{"A", -5000}, {"B", 0}});
  ASSERT_FALSE(solved_);
  ASSERT_EQ(lost.size(), 2U);
  EXPECT_EQ(lost[1].targets, std::vector<float>{-30}) << "a dead end";
}

TEST_F(BaselinesTest, BehaviouralCloningKeepsWalksThatSolve) {
  // The only way out of the loop is from A.
  const GraphDomain domain({{"S", {"A", "B"}}, {"A", {"S", "G"}}, {"B", {"S"}}});
  const auto published = Make("bc", Variant::kAsPublished);
  const auto repaired = Make("bc", Variant::kRepaired);
  EXPECT_EQ(published->gradient_steps_at_end(), 5000U);
  EXPECT_EQ(repaired->gradient_steps_at_end(), 0U);
  bool had_a_loop = false;
  bool had_a_failure = false;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<Kept> all = Teach(*published, domain, {}, 20, seed);
    EXPECT_EQ(earned_, 0);
    const std::vector<Kept> cut = Teach(*repaired, domain, {}, 20, seed);
    if (!solved_) {
      had_a_failure = true;
      EXPECT_TRUE(all.empty() && cut.empty());
      EXPECT_EQ(steps_, 20U);
      EXPECT_EQ(earned_, 0);
      continue;
    }
    EXPECT_EQ(earned_, 1);
    // Without loops there is one way: S - A - G, and B had no choice. The way back from A is what G is preferred to.
    ASSERT_EQ(cut.size(), 2U);
    EXPECT_EQ(cut[0].pairs, (std::vector<std::pair<std::string, std::string>>{{"S", "A"}, {"S", "B"}}));
    EXPECT_EQ(cut[1].pairs, (std::vector<std::pair<std::string, std::string>>{{"A", "G"}, {"A", "S"}}));
    EXPECT_EQ(cut[1].targets, (std::vector<float>{1, 0}));
    EXPECT_GE(all.size(), cut.size());
    had_a_loop |= all.size() > cut.size();
  }
  EXPECT_TRUE(had_a_loop);
  // A walk of four steps may not get there.
  for (std::uint64_t seed = 0; seed < 50 && !had_a_failure; ++seed) {
    Teach(*published, domain, {}, 4, seed);
    had_a_failure = !solved_;
  }
  EXPECT_TRUE(had_a_failure);
}

TEST_F(BaselinesTest, DrrnAsPublishedNeverGetsBeyondTheSuccessorsOfTheProblem) {
  const GraphDomain domain({{"S", {"A", "B"}}, {"A", {"G", "B"}}, {"B", {}}});
  const auto agent = Make("drrn", Variant::kAsPublished);
  const std::vector<Kept> kept = Teach(*agent, domain, {}, 6);
  EXPECT_FALSE(solved_) << "G is two steps away";
  ASSERT_EQ(kept.size(), 6U) << "as many draws as steps are allowed";
  EXPECT_EQ(steps_, 7U);
  std::set<std::string> drawn;
  for (const Kept& one : kept) {
    EXPECT_EQ(one.pairs[0].first, "S");
    drawn.insert(one.pairs[0].second);
    // Q(S, A) is what the network says of the best that comes next, even if that is the goal. B is a dead end.
    const float target = TargetsOf(*agent, {one}, {{"G", 0}, {"B", -50}})[0];
    EXPECT_FLOAT_EQ(target, one.pairs[0].second == "A" ? 0.5F : 0.0F);
  }
  EXPECT_EQ(drawn, (std::set<std::string>{"A", "B"}));
  EXPECT_EQ(agent->target_network().every, 1U) << "a copy that is renewed at once is none";

  const GraphDomain near(GraphDomain::Edges{{"S", {"G"}}});
  const std::vector<Kept> solved = Teach(*agent, near, {});
  ASSERT_TRUE(solved_);
  ASSERT_EQ(solved.size(), 1U);
  EXPECT_EQ(solved[0].targets, std::vector<float>{1});
}

TEST_F(BaselinesTest, OnlyAgentsWithFaultsHaveTwoVariants) {
  RunSettings settings;
  settings.domain = "sorting";
  settings.train.variant = Variant::kAsPublished;
  for (const AgentType& type : AgentTypes()) {
    settings.agent = type.name;
    settings.train.network.kind = type.make == nullptr ? "residual" : "lstm";
    if (type.adapt == nullptr) {
      EXPECT_EQ(ErrorOf([&] { CheckSettings(settings); }), settings.agent + " has no variant as-published");
    } else {
      CheckSettings(settings);
    }
  }
}

}  // namespace
}  // namespace conpole

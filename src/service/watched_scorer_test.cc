#include "service/watched_scorer.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/packed_policy.h"
#include "search/packed_scorer.h"

namespace conpole {
namespace {

// Says how far states are, too: by their first cell.
class FirstCell final : public PackedPolicy {
 public:
  explicit FirstCell(const FixedLayout& layout) : layout_(layout) {}
  std::size_t cells() const override { return layout_.cells; }
  std::size_t actions() const override { return layout_.actions(); }
  std::size_t StatesAtATime() const override { return 8; }
  void Score(std::span<const std::uint8_t>, std::span<float> preferences) override {
    std::fill(preferences.begin(), preferences.end(), 0.5F);
  }
  bool has_values() const override { return true; }
  void ScoreWithValues(std::span<const std::uint8_t> states, std::span<float> preferences, std::span<float> values) override {
    Score(states, preferences);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(states[i * layout_.cells] + 1);
  }

 private:
  const FixedLayout& layout_;
};

TEST(WatchedScorerTest, APolicySaysHowFarStatesAreAlsoWhileItIsWatched) {
  const std::unique_ptr<Domain> domain = MakeDomain("rubiks-cube");
  const FixedLayout& layout = *domain->type().layout;
  const CallWatch::Report none;
  CallWatch watch(nullptr, none, 600'000);
  const std::unique_ptr<Scorer> scorer =
      MakeWatchedScorer(std::make_unique<PackedScorer>(layout, std::make_unique<FirstCell>(layout)), watch);
  ASSERT_NE(scorer->packed(), nullptr);
  EXPECT_TRUE(scorer->packed()->has_values());
  std::vector<std::uint8_t> states = layout.solved;
  states.insert(states.end(), layout.solved.rbegin(), layout.solved.rend());
  std::vector<float> preferences(2 * layout.actions());
  std::vector<float> values(2);
  scorer->packed()->ScoreWithValues(states, preferences, values);
  EXPECT_EQ(values,
            (std::vector<float>{static_cast<float>(layout.solved.front() + 1), static_cast<float>(layout.solved.back() + 1)}));
  EXPECT_EQ(preferences, std::vector<float>(preferences.size(), 0.5F));
}

TEST(WatchedScorerTest, AskingForValuesIsStoppedLikeAskingForPreferences) {
  const std::unique_ptr<Domain> domain = MakeDomain("rubiks-cube");
  const FixedLayout& layout = *domain->type().layout;
  const CallWatch::Report none;
  CallWatch watch(nullptr, none, 0);  // no time at all
  watch.ThrowWhenStopped();
  const std::unique_ptr<Scorer> scorer =
      MakeWatchedScorer(std::make_unique<PackedScorer>(layout, std::make_unique<FirstCell>(layout)), watch);
  std::vector<float> preferences(layout.actions());
  std::vector<float> values(1);
  EXPECT_THROW(scorer->packed()->ScoreWithValues(layout.solved, preferences, values), CallStopped);
}

}  // namespace
}  // namespace conpole

#include "torch/torch_policy.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "nn/network_kind.h"
#include "nn/residual_network.h"
#include "search/packed_beam.h"
#include "search/packed_scorer.h"
#include "search/run_search.h"

namespace conpole {
namespace {

class TorchPolicyTest : public testing::Test {
 protected:
  TorchPolicyTest() {
    Architecture architecture = TrainingArchitecture("residual", {{"wide", 96}, {"hidden", 40}, {"blocks", 2}});
    architecture.sizes["cells"] = static_cast<int>(layout_.cells);
    architecture.sizes["colours"] = static_cast<int>(layout_.colours);
    architecture.sizes["actions"] = static_cast<int>(layout_.actions());
    model_ = RandomModel(architecture, 7);
  }

  std::vector<std::uint8_t> State(std::uint64_t seed) const { return PackState(layout_, domain_->Generate(seed)); }

  std::unique_ptr<Domain> domain_ = MakeDomain("rubiks-cube:min_moves=8,max_moves=12");
  const FixedLayout& layout_ = *domain_->type().layout;
  Model model_;
  ThreadPool pool_{2};
};

TEST_F(TorchPolicyTest, BothEnginesGiveTheSamePreferences) {
  const std::unique_ptr<PackedPolicy> torch = MakeTorchPolicy(model_, layout_, {});
  ResidualPolicy runtime(model_, pool_);
  std::vector<std::uint8_t> states;
  constexpr std::size_t kCount = 1500;  // more than one pass
  for (std::uint64_t seed = 0; seed < kCount; ++seed) {
    const std::vector<std::uint8_t> state = State(seed);
    states.insert(states.end(), state.begin(), state.end());
  }
  std::vector<float> expected(kCount * layout_.actions());
  std::vector<float> actual(expected.size());
  runtime.Score(states, expected);
  torch->Score(states, actual);
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(actual[i], expected[i], 1e-4F) << i;
}

// A random network, so that duplicates, lost beams and deep searches all come up. Values are all different but for rounding.
TEST_F(TorchPolicyTest, BothBeamsFindTheSame) {
  const std::unique_ptr<PackedPolicy> torch = MakeTorchPolicy(model_, layout_, {});
  ResidualPolicy runtime(model_, pool_);
  CpuPackedBeam beam(SharedEndgame(layout_), runtime, pool_);
  std::size_t solved = 0;
  for (const std::size_t width : {std::size_t{1}, std::size_t{30}, std::size_t{400}}) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      for (const BeamValue value : {BeamValue::kLogProbability, BeamValue::kSumOfScores, BeamValue::kLastScore}) {
        const PackedBeamOptions options{.width = width, .max_steps = 14, .value = value, .stop = {}};
        const PackedResult expected = beam.Search(State(seed), options);
        const PackedResult actual = torch->beam()->Search(State(seed), options);
        EXPECT_EQ(actual.outcome, expected.outcome) << width << " " << seed;
        EXPECT_EQ(actual.evaluated, expected.evaluated) << width << " " << seed;
        EXPECT_EQ(actual.candidates, expected.candidates) << width << " " << seed;
        EXPECT_EQ(actual.actions.size(), expected.actions.size()) << width << " " << seed;
        if (actual.outcome == SearchOutcome::kSolved) ++solved;
      }
    }
  }
  EXPECT_GT(solved, 5U);
}

// Tiles, and a network that says how far states are.
TEST_F(TorchPolicyTest, BothBeamsFindTheSameByDistance) {
  const std::unique_ptr<Domain> domain = MakeDomain(
      "domain tiles\nstate layout\ncolours 1 2 3 4 5 6 7 8 _\nsolved \"123/456/78_\"\n"
      "exchange slide t _ -> _ t along rows columns\nproblem scramble 10..30\n");
  const FixedLayout& layout = *domain->type().layout;
  Architecture architecture = model_.architecture;
  architecture.sizes["cells"] = static_cast<int>(layout.cells);
  architecture.sizes["colours"] = static_cast<int>(layout.colours);
  architecture.sizes["actions"] = static_cast<int>(layout.actions());
  architecture.head = Head::kActionsAndValue;
  const Model model = RandomModel(architecture, 7);
  const std::unique_ptr<PackedPolicy> torch = MakeTorchPolicy(model, layout, {});
  ResidualPolicy runtime(model, pool_);
  ASSERT_TRUE(torch->has_values() && runtime.has_values());
  CpuPackedBeam beam(SharedEndgame(layout), runtime, pool_);
  std::size_t solved = 0;
  for (const std::size_t width : {std::size_t{1}, std::size_t{30}, std::size_t{300}}) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      for (const BeamValue value : {BeamValue::kLogProbability, BeamValue::kDistance, BeamValue::kBoth}) {
        const std::vector<std::uint8_t> start = PackState(layout, domain->Generate(seed));
        const PackedBeamOptions options{.width = width, .max_steps = 60, .value = value, .endgame = false, .stop = {}};
        const PackedResult expected = beam.Search(start, options);
        const PackedResult actual = torch->beam()->Search(start, options);
        EXPECT_EQ(actual.outcome, expected.outcome) << width << " " << seed;
        EXPECT_EQ(actual.evaluated, expected.evaluated) << width << " " << seed;
        EXPECT_EQ(actual.actions.size(), expected.actions.size()) << width << " " << seed;
        if (actual.outcome != SearchOutcome::kSolved) continue;
        ++solved;
        std::vector<std::uint8_t> at = start;
        std::vector<std::uint8_t> moved(at.size());
        for (const std::uint8_t action : actual.actions) {
          ASSERT_TRUE(IsPossible(layout, action, at.data()));
          MovePacked(layout, action, at.data(), moved.data());
          at.swap(moved);
        }
        EXPECT_EQ(at, layout.solved);
      }
    }
  }
  EXPECT_GT(solved, 5U);
}

TEST_F(TorchPolicyTest, BothBeamsKnowOnlyTheSolvedStateWithoutTheEndgame) {
  const std::unique_ptr<PackedPolicy> torch = MakeTorchPolicy(model_, layout_, {});
  ResidualPolicy runtime(model_, pool_);
  const Endgame endgame(layout_);
  CpuPackedBeam beam(endgame, runtime, pool_);
  const PackedBeamOptions options{.width = 500, .max_steps = 4, .endgame = false, .stop = {}};
  const std::unique_ptr<Domain> near = MakeDomain("rubiks-cube:min_moves=1,max_moves=3");
  std::size_t solved = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const std::vector<std::uint8_t> state = PackState(layout_, near->Generate(seed));
    const PackedResult expected = beam.Search(state, options);
    const PackedResult actual = torch->beam()->Search(state, options);
    EXPECT_EQ(actual.outcome, expected.outcome) << seed;
    EXPECT_EQ(actual.evaluated, expected.evaluated) << seed;
    EXPECT_EQ(actual.actions.size(), expected.actions.size()) << seed;
    EXPECT_EQ(actual.evaluated == 0, state == layout_.solved) << seed;
    if (actual.outcome == SearchOutcome::kSolved) ++solved;
  }
  EXPECT_GE(solved, 8U);
}

TEST_F(TorchPolicyTest, ItsBeamIsTheOneThatSearchesUse) {
  PackedScorer scorer(layout_, MakeTorchPolicy(model_, layout_, {}));
  std::vector<std::string> problems;
  for (std::uint64_t seed = 0; seed < 3; ++seed) problems.push_back(domain_->Generate(seed));
  SearchOptions options;
  options.beam.width = 200;
  for (const SearchResult& result : RunSearch(*domain_, scorer, problems, options, pool_)) {
    EXPECT_EQ(result.solved(), !result.path.empty() && domain_->Solved(result.path.back()));
  }
  const std::atomic<bool> stop = true;
  const PackedResult stopped = scorer.packed()->beam()->Search(State(1), {.width = 4, .stop = &stop});
  EXPECT_EQ(stopped.outcome, SearchOutcome::kInterrupted);
}

TEST_F(TorchPolicyTest, ModelsForOtherStatesAreRefused) {
  FixedLayout other = layout_;
  other.colours = 7;
  EXPECT_THROW(MakeTorchPolicy(model_, other, {}), Error);
}

}  // namespace
}  // namespace conpole

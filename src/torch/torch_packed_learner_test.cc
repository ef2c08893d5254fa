#include "torch/torch_packed_learner.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "nn/network_kind.h"
#include "search/endgame.h"
#include "train/loop/learner.h"
#include "train/loop/walks.h"

namespace conpole {
namespace {

class TorchPackedLearnerTest : public testing::Test {
 protected:
  TorchPackedLearnerTest() {
    architecture_.sizes["cells"] = static_cast<int>(layout_.cells);
    architecture_.sizes["colours"] = static_cast<int>(layout_.colours);
    architecture_.sizes["actions"] = static_cast<int>(layout_.actions());
  }

  std::unique_ptr<PackedLearner> Make(double average = 0.05) const {
    return MakeTorchPackedLearner(architecture_, layout_, {.seed = 3, .average = average, .threads = 1}, "cpu");
  }
  void Learn(PackedLearner& learner, std::uint64_t from, std::uint64_t to, double rate = 3e-3) const {
    for (std::uint64_t step = from; step < to; ++step) learner.Learn(source_.Draw(step, 60, 5), rate);
  }

  std::unique_ptr<Domain> domain_ = MakeDomain("rubiks-cube");
  const FixedLayout& layout_ = *domain_->type().layout;
  Architecture architecture_ = TrainingArchitecture("residual", {{"wide", 64}, {"hidden", 32}, {"blocks", 1}});
  WalkSource source_{layout_, 1};
};

// With what was learned, the way back from two turns is found nearly always: a random one is right in one of twelve.
TEST_F(TorchPackedLearnerTest, LearnsToWalkBack) {
  const std::unique_ptr<PackedLearner> learner = Make();
  EXPECT_TRUE(std::isnan(learner->TakeLoss()));
  Learn(*learner, 0, 20);
  const double before = learner->TakeLoss();
  Learn(*learner, 20, 150);
  learner->TakeLoss();
  Learn(*learner, 150, 170);
  const double after = learner->TakeLoss();
  EXPECT_LT(after, 0.7 * before);

  const Endgame endgame(layout_, 127);
  const WalkBatch walks = source_.Draw(1'000'000, 200, 2);
  std::vector<std::uint8_t> states;
  for (std::size_t walk = 0; walk < walks.walks; ++walk) {
    std::vector<std::uint8_t> state = layout_.solved;
    std::vector<std::uint8_t> moved(state.size());
    for (std::size_t step = 0; step < walks.length; ++step) {
      MovePacked(layout_, walks.actions[step * walks.walks + walk], state.data(), moved.data());
      state.swap(moved);
    }
    states.insert(states.end(), state.begin(), state.end());
  }
  std::vector<float> preferences(walks.walks * layout_.actions());
  learner->Policy()->Score(states, preferences);
  std::size_t right = 0;
  std::vector<std::uint64_t> hashes(layout_.actions());
  for (std::size_t walk = 0; walk < walks.walks; ++walk) {
    const std::uint8_t* const state = states.data() + walk * layout_.cells;
    const float* const row = preferences.data() + walk * layout_.actions();
    const auto best = static_cast<std::size_t>(std::max_element(row, row + layout_.actions()) - row);
    endgame.hash().OfSuccessors(state, hashes.data());
    if (endgame.Distance(hashes[best]) == 1U) ++right;
  }
  EXPECT_GT(right, 160U);
}

// The same states and actions teach the same, wherever they come from.
TEST_F(TorchPackedLearnerTest, ExamplesTeachWhatWalksDo) {
  const WalkBatch walks = source_.Draw(1, 60, 3);
  PackedExamples examples;
  for (std::size_t step = 0; step < walks.length; ++step) {
    for (std::size_t walk = 0; walk < walks.walks; ++walk) {
      std::vector<std::uint8_t> state = layout_.solved;
      std::vector<std::uint8_t> moved(state.size());
      for (std::size_t k = 0; k <= step; ++k) {
        MovePacked(layout_, walks.actions[k * walks.walks + walk], state.data(), moved.data());
        state.swap(moved);
      }
      examples.states.insert(examples.states.end(), state.begin(), state.end());
      examples.actions.push_back(layout_.inverse[walks.actions[step * walks.walks + walk]]);
    }
  }
  const std::unique_ptr<PackedLearner> by_walks = Make();
  const std::unique_ptr<PackedLearner> by_examples = Make();
  by_walks->Learn(walks, 1e-3);
  by_examples->Learn(examples, 1e-3);
  EXPECT_EQ(by_examples->Weights(), by_walks->Weights());
  EXPECT_EQ(by_examples->TakeLoss(), by_walks->TakeLoss());
}

// Of walks among tiles, dealt into parts: which tile to slide, and how far a state is.
TEST_F(TorchPackedLearnerTest, LearnsHowFarStatesAre) {
  const std::unique_ptr<Domain> domain = MakeDomain(
      "domain tiles\nstate layout\ncolours 1 2 3 4 5 _\nsolved \"123/45_\"\n"
      "exchange slide t _ -> _ t along rows columns\nproblem scramble 1..5\n");
  const FixedLayout& layout = *domain->type().layout;
  Architecture architecture = architecture_;
  architecture.head = Head::kActionsAndValue;
  architecture.sizes["cells"] = static_cast<int>(layout.cells);
  architecture.sizes["colours"] = static_cast<int>(layout.colours);
  architecture.sizes["actions"] = static_cast<int>(layout.actions());
  const std::unique_ptr<PackedLearner> learner = MakeTorchPackedLearner(architecture, layout, {.threads = 1}, "cpu");
  const WalkSource source(layout, 1);
  for (std::uint64_t step = 0; step < 160; step += 4) {
    WalkBatch walks = source.Draw(step, 60, 20);
    walks.parts = 4;
    for (walks.part = 0; walks.part < walks.parts; ++walks.part) learner->Learn(walks, 3e-3);
  }
  EXPECT_LT(learner->TakeLoss(), 1.5);
  // The last states of walks of one step, and of those of twenty.
  const WalkBatch walks = source.Draw(1'000'000, 50, 20);
  std::vector<float> far(2);
  std::vector<float> preferences(2 * layout.actions());
  double near = 0;
  double distant = 0;
  for (std::size_t walk = 0; walk < walks.walks; ++walk) {
    std::vector<std::uint8_t> state = layout.solved;
    std::vector<std::uint8_t> moved(state.size());
    std::vector<std::uint8_t> both;
    for (std::size_t step = 0; step < walks.length; ++step) {
      MovePacked(layout, walks.actions[step * walks.walks + walk], state.data(), moved.data());
      state.swap(moved);
      if (step == 0 || step + 1 == walks.length) both.insert(both.end(), state.begin(), state.end());
    }
    learner->Policy()->ScoreWithValues(both, preferences, far);
    near += far[0];
    distant += far[1];
  }
  EXPECT_LT(near / static_cast<double>(walks.walks) + 1, distant / static_cast<double>(walks.walks));
  const Tensors weights = learner->Weights();
  EXPECT_EQ(weights.at("value.weight").shape, (std::vector<std::size_t>{1, 32}));
  EXPECT_EQ(weights.at("action.weight").shape, (std::vector<std::size_t>{layout.actions(), 32}));
}

// Lights come in any order, of which walks have one: after them the policy names the first light that was pressed.
TEST_F(TorchPackedLearnerTest, LearnsTheFirstOfTogglesInOneOrder) {
  const std::unique_ptr<Domain> domain = MakeDomain(
      "domain lights\nstate layout\ncolours . o\nsolved \".../.../...\"\ntoggle press each cross\nproblem scramble 1..3\n");
  const FixedLayout& layout = *domain->type().layout;
  Architecture architecture = architecture_;
  architecture.sizes["cells"] = static_cast<int>(layout.cells);
  architecture.sizes["colours"] = static_cast<int>(layout.colours);
  architecture.sizes["actions"] = static_cast<int>(layout.actions());
  const std::unique_ptr<PackedLearner> learner =
      MakeTorchPackedLearner(architecture, layout, {.average = 0.05, .threads = 1}, "cpu");
  const WalkSource source(layout, 1);
  for (std::uint64_t step = 0; step < 300; ++step) learner->Learn(source.Draw(step, 30, 6), 5e-3);
  const WalkBatch walks = source.Draw(1'000'000, 100, 6);
  const std::size_t steps = 3;
  std::vector<std::uint8_t> states;
  for (std::size_t walk = 0; walk < walks.walks; ++walk) {
    std::vector<std::uint8_t> state = layout.solved;
    std::vector<std::uint8_t> moved(state.size());
    for (std::size_t step = 0; step < steps; ++step) {
      MovePacked(layout, walks.actions[step * walks.walks + walk], state.data(), moved.data());
      state.swap(moved);
    }
    states.insert(states.end(), state.begin(), state.end());
  }
  std::vector<float> preferences(walks.walks * layout.actions());
  learner->Policy()->Score(states, preferences);
  std::size_t right = 0;
  for (std::size_t walk = 0; walk < walks.walks; ++walk) {
    const float* const row = preferences.data() + walk * layout.actions();
    const auto best = std::max_element(row, row + layout.actions()) - row;
    if (best == walks.actions[(steps - 1) * walks.walks + walk]) ++right;
  }
  EXPECT_GT(right, 60U) << "by chance it would be a few";
}

// With looking ahead the value becomes the root of how many moves there are, which walks only lead to guess. Saved in between,
// it goes on in the same way.
TEST_F(TorchPackedLearnerTest, LearnsMovesByLookingAhead) {
  const std::unique_ptr<Domain> domain = MakeDomain(
      "domain tiles\nstate layout\ncolours 1 2 3 _\nsolved \"12/3_\"\nexchange slide t _ -> _ t along rows columns\n"
      "problem scramble 1..3\n");
  const FixedLayout& layout = *domain->type().layout;
  Architecture architecture = architecture_;
  architecture.head = Head::kActionsAndValue;
  architecture.sizes["cells"] = static_cast<int>(layout.cells);
  architecture.sizes["colours"] = static_cast<int>(layout.colours);
  architecture.sizes["actions"] = static_cast<int>(layout.actions());
  const auto make = [&] {
    return MakeTorchPackedLearner(architecture, layout, {.average = 0.05, .value_weight = 1, .threads = 1}, "cpu");
  };
  const WalkSource source(layout, 1);
  const auto learn = [&](PackedLearner& learner, std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t step = from; step < to; ++step) {
      WalkBatch walks = source.Draw(step, 10, 30);
      walks.looks_ahead = step >= 200;
      learner.Learn(walks, 3e-3);
    }
  };
  const std::unique_ptr<PackedLearner> learner = make();
  learn(*learner, 0, 300);
  const std::unique_ptr<PackedLearner> resumed = make();
  resumed->Restore(learner->Save());
  learn(*learner, 300, 320);
  learn(*resumed, 300, 320);
  EXPECT_EQ(resumed->Weights(), learner->Weights());
  learn(*learner, 320, 1000);
  // There are twelve states in a circle.
  const Endgame endgame(layout, 100);
  std::vector<std::uint8_t> state = layout.solved;
  std::vector<std::uint8_t> moved(state.size());
  std::uint8_t last = 0;
  double error = 0;  // of the eleven others, on average
  for (std::size_t step = 0; step < 12; ++step) {
    std::vector<float> preferences(layout.actions());
    std::vector<float> far(1);
    learner->Policy()->ScoreWithValues(state, preferences, far);
    const auto distance = static_cast<double>(endgame.Distance(endgame.hash().Of(state.data())).value());
    if (distance > 0) error += std::abs(far[0] * far[0] - distance) / 11;
    for (const std::uint8_t action : PossibleActions(layout, state.data())) {
      if (step != 0 && action == layout.inverse[last]) continue;
      last = action;
      MovePacked(layout, action, state.data(), moved.data());
      state.swap(moved);
      break;
    }
  }
  EXPECT_LT(error, 1.5) << "walks are about 15 steps long";
}

TEST_F(TorchPackedLearnerTest, GoesOnFromWhatWasSavedAsIfNothingHadHappened) {
  const std::unique_ptr<PackedLearner> whole = Make();
  Learn(*whole, 0, 12);
  const std::unique_ptr<PackedLearner> first = Make();
  Learn(*first, 0, 7);
  const std::string saved = first->Save();
  const std::unique_ptr<PackedLearner> second = Make();
  Learn(*second, 0, 2);
  second->Restore(saved);
  Learn(*second, 7, 12);
  EXPECT_EQ(second->Weights(), whole->Weights());
  EXPECT_EQ(second->Save(), whole->Save());
}

// A model's normalisation is folded into its weights: a learner that begins with them gives the same policy, and is as good on
// the states of its first gradient step, whose mean and variance it takes over.
TEST_F(TorchPackedLearnerTest, BeginsWhereAnotherEnded) {
  const std::unique_ptr<PackedLearner> taught = Make();
  Learn(*taught, 0, 150);
  taught->TakeLoss();
  Learn(*taught, 150, 151, 1e-12);
  const double loss = taught->TakeLoss();
  const Tensors weights = taught->Weights();

  const std::unique_ptr<PackedLearner> learner = Make();
  learner->Begin(weights);
  const auto expect_near = [&](const Tensors& now, float most) {
    ASSERT_EQ(now.size(), weights.size());
    for (const auto& [name, tensor] : weights) {
      ASSERT_EQ(now.at(name).shape, tensor.shape);
      for (std::size_t i = 0; i < tensor.values.size(); ++i)
        ASSERT_NEAR(now.at(name).values[i], tensor.values[i], most) << name;
    }
  };
  expect_near(learner->Weights(), 1e-6F);
  // A checkpoint of the beginning is gone on with in the same way.
  const std::unique_ptr<PackedLearner> resumed = Make();
  resumed->Restore(learner->Save());
  Learn(*learner, 150, 151, 1e-12);
  EXPECT_NEAR(learner->TakeLoss(), loss, 0.05);
  expect_near(learner->Weights(), 2e-3F);
  Learn(*resumed, 150, 151, 1e-12);
  EXPECT_EQ(resumed->Weights(), learner->Weights());

  Tensors damaged = weights;
  damaged.erase("action.bias");
  EXPECT_THROW(Make()->Begin(damaged), Error);
}

TEST_F(TorchPackedLearnerTest, RefusesWhatItDidNotSave) {
  const std::unique_ptr<PackedLearner> learner = Make();
  const std::string saved = learner->Save();
  EXPECT_THROW(learner->Restore(saved.substr(0, saved.size() - 1)), Error);
  EXPECT_THROW(learner->Restore("nothing"), Error);
  Architecture larger = architecture_;
  larger.sizes["hidden"] = 33;
  EXPECT_THROW(MakeTorchPackedLearner(larger, layout_, {}, "cpu")->Restore(saved), Error);
  larger.sizes["actions"] = 11;
  EXPECT_THROW(MakeTorchPackedLearner(larger, layout_, {}, "cpu"), Error);
}

TEST_F(TorchPackedLearnerTest, NoticesThatItDiverged) {
  const std::unique_ptr<PackedLearner> learner = Make();
  EXPECT_THROW(Learn(*learner, 0, 20, 1e25), Diverged);
  EXPECT_THROW(learner->Save(), Diverged);
}

}  // namespace
}  // namespace conpole

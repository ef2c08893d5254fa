#include "train/loop/training_batch.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace conpole {
namespace {

TEST(TrainingBatchTest, HoldsEveryTextOnceAndDependsOnNothingOnceSealed) {
  TrainingBatch batch;
  {
    std::string parent = "s";
    std::string right = "right";
    std::string wrong = "wrong";
    batch.AddPair(parent, right, 1);
    batch.AddPair(parent, wrong, 0);
    batch.EndExample();
    batch.AddPair(right, parent, 0.5F);
    batch.AddLookahead(right, wrong, 0.25F);
    batch.EndExample();
    batch.Seal();
    parent = right = wrong = "overwritten";
  }
  const TrainingBatch moved = std::move(batch);
  ASSERT_EQ(moved.texts().size(), 3U);
  EXPECT_EQ(moved.texts()[0], "s");
  EXPECT_EQ(moved.texts()[1], "right");
  EXPECT_EQ(moved.texts()[2], "wrong");
  EXPECT_EQ(moved.examples(), 2U);
  EXPECT_EQ(moved.example_ends(), (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(moved.pairs()[2].parent, 1U);
  EXPECT_EQ(moved.pairs()[2].candidate, 0U);
  EXPECT_EQ(std::vector<float>(moved.targets().begin(), moved.targets().end()), (std::vector<float>{1, 0, 0.5F}));
  EXPECT_EQ(moved.lookahead_ends(), (std::vector<std::size_t>{0, 1}));
  ASSERT_EQ(moved.lookahead().texts().size(), 2U);
  EXPECT_EQ(moved.lookahead().texts()[1], "wrong");
  EXPECT_EQ(moved.lookahead_values()[0], 0.25F);
}

TEST(TrainingBatchTest, PartsHaveTheExamplesOfTheWhole) {
  TrainingBatch batch;
  for (const std::string_view text : {"a", "b", "c", "d", "e"}) {
    batch.AddPair("s", text, static_cast<float>(text[0]));
    batch.AddPair(text, "s", 0);
    batch.EndExample();
  }
  batch.Seal();
  const std::vector<TrainingBatch> parts = batch.Split(2);
  ASSERT_EQ(parts.size(), 2U);
  std::string found;
  for (const TrainingBatch& part : parts) {
    EXPECT_GE(part.examples(), 2U);
    EXPECT_EQ(part.pairs().size(), 2 * part.examples());
    for (std::size_t i = 0; i < part.pairs().size(); i += 2) {
      EXPECT_EQ(part.texts()[part.pairs()[i].parent], "s");
      EXPECT_EQ(part.pairs()[i].candidate, part.pairs()[i + 1].parent);
      found += part.texts()[part.pairs()[i].candidate];
      EXPECT_EQ(part.targets()[i], static_cast<float>(found.back()));
    }
  }
  EXPECT_EQ(found, "abcde");
  EXPECT_EQ(batch.Split(9).size(), 5U);
}

}  // namespace
}  // namespace conpole

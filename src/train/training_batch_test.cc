#include "train/training_batch.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace conpole {
namespace {

TEST(TrainingBatchTest, HoldsEveryTextOnceAndDependsOnNothingOnceSealed) {
  TrainingBatch batch;
  {
    std::string parent = "s";
    std::string right = "right";
    std::string wrong = "wrong";
    batch.AddPair(parent, right);
    batch.AddPair(parent, wrong);
    batch.EndExample();
    batch.AddPair(right, parent);
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
}

}  // namespace
}  // namespace conpole

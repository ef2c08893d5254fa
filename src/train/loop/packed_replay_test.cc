#include "train/loop/packed_replay.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/error.h"

namespace conpole {
namespace {

void Add(PackedReplay& replay, std::uint8_t from, std::uint8_t to) {
  for (std::uint8_t i = from; i < to; ++i) {
    const std::vector<std::uint8_t> state{i, static_cast<std::uint8_t>(i + 100), i};
    replay.Add(state, i);
  }
}

std::vector<int> Actions(const PackedReplay& replay) {
  std::vector<int> actions;
  for (std::size_t i = 0; i < replay.size(); ++i) {
    actions.push_back(replay.Action(i));
    EXPECT_EQ(replay.State(i)[1], replay.Action(i) + 100) << "a state and its action stay together";
  }
  return actions;
}

std::string Saved(const PackedReplay& replay) {
  std::string bytes;
  replay.Save([&](std::string_view piece) { bytes += piece; });
  return bytes;
}

TEST(PackedReplayTest, RemembersTheLatest) {
  PackedReplay replay(3, 4);
  EXPECT_EQ(replay.size(), 0U);
  Add(replay, 0, 3);
  EXPECT_EQ(Actions(replay), (std::vector<int>{0, 1, 2}));
  Add(replay, 3, 6);
  EXPECT_EQ(Actions(replay), (std::vector<int>{4, 5, 2, 3}));
}

TEST(PackedReplayTest, GoesOnFromWhatWasSaved) {
  PackedReplay replay(3, 4);
  Add(replay, 0, 6);
  PackedReplay restored(3, 4);
  restored.Restore(Saved(replay), 12);
  EXPECT_EQ(Actions(restored), (std::vector<int>{2, 3, 4, 5})) << "the oldest first";
  Add(restored, 6, 7);
  EXPECT_EQ(Actions(restored), (std::vector<int>{6, 3, 4, 5}));
  PackedReplay smaller(3, 2);
  smaller.Restore(Saved(replay), 12);
  EXPECT_EQ(Actions(smaller), (std::vector<int>{4, 5}));
  smaller.Restore("", 12);
  EXPECT_EQ(smaller.size(), 0U);
}

TEST(PackedReplayTest, RefusesWhatItDidNotSave) {
  PackedReplay replay(3, 4);
  Add(replay, 0, 4);
  const std::string saved = Saved(replay);
  EXPECT_THROW(replay.Restore(saved.substr(1), 12), Error);
  EXPECT_THROW(replay.Restore(saved, 3), Error) << "an action that there is not";
  EXPECT_EQ(replay.size(), 4U);
}

}  // namespace
}  // namespace conpole

#include "train/loop/replay.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "tests/files.h"

namespace conpole {
namespace {

Experience MakeExperience(const std::vector<std::string>& texts) {
  Experience experience;
  for (const std::string& text : texts) experience.texts.push_back(text);
  for (std::uint32_t i = 1; i < texts.size(); ++i) experience.pairs.push_back({0, i});
  experience.targets.assign(experience.pairs.size(), 0);
  experience.targets.front() = 1;
  experience.learned = experience.pairs.size();
  return experience;
}

std::string SavedText(const ReplayBuffer& replay) {
  std::string text;
  replay.Save([&](std::string_view piece) { text += piece; });
  return text;
}

TEST(ReplayBufferTest, GivesBackWhatWasAdded) {
  ReplayBuffer replay(10);
  const std::vector<std::string> texts{"2x = 4", "x = (4 / 2)", "", std::string(16'384, 'y')};
  replay.Add(MakeExperience(texts));
  Experience read;
  replay.Read(0, read);
  ASSERT_EQ(read.texts.size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(read.texts[i], texts[i]);
  ASSERT_EQ(read.pairs.size(), 3U);
  EXPECT_EQ(read.pairs[2].parent, 0U);
  EXPECT_EQ(read.pairs[2].candidate, 3U);
  EXPECT_EQ(replay.LongestText(0), 16'384U);
}

TEST(ReplayBufferTest, TargetsComeBackAndEqualOnesAtTheEndTakeNoRoom) {
  const auto memory_of = [](const std::vector<float>& targets, std::size_t learned) {
    ReplayBuffer replay(1);
    Experience experience;
    experience.texts = {"a", "b"};
    experience.pairs.assign(targets.size(), {0, 1});
    experience.targets = targets;
    experience.learned = learned;
    replay.Add(experience);
    Experience read;
    replay.Read(0, read);
    EXPECT_EQ(read.learned, learned);
    EXPECT_EQ(read.targets.size(), targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i) {
      EXPECT_TRUE(std::isnan(targets[i]) ? std::isnan(read.targets[i]) : read.targets[i] == targets[i]) << i;
    }
    return SavedText(replay).size();
  };
  const float ask = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> contrast(100, 0);
  contrast[0] = 1;
  std::vector<float> lookahead(100, ask);
  lookahead[0] = 0.5F;
  std::vector<float> all_different(100);
  std::iota(all_different.begin(), all_different.end(), -3.5F);
  EXPECT_EQ(memory_of(contrast, 100), memory_of(lookahead, 1));
  EXPECT_EQ(memory_of(all_different, 50), memory_of(contrast, 100) + 98 * sizeof(float));
  memory_of({0.25F}, 1);
}

TEST(ReplayBufferTest, ForgetsTheOldest) {
  ReplayBuffer replay(3);
  for (const char* name : {"a", "b", "c", "d", "e"}) replay.Add(MakeExperience({name, "x"}));
  EXPECT_EQ(replay.size(), 3U);
  EXPECT_EQ(replay.added(), 5U);
  std::string names;
  Experience read;
  for (std::size_t i = 0; i < replay.size(); ++i) {
    replay.Read(i, read);
    names += read.texts[0];
  }
  EXPECT_EQ(names, "dec");
}

TEST(ReplayBufferTest, GoesOnAsBeforeAfterRestoring) {
  ReplayBuffer replay(3);
  for (const char* name : {"a", "b", "c", "d"}) replay.Add(MakeExperience({name, "x"}));
  ReplayBuffer restored(3);
  restored.Restore(SavedText(replay));
  replay.Add(MakeExperience({"e", "y"}));
  restored.Add(MakeExperience({"e", "y"}));
  EXPECT_EQ(SavedText(restored), SavedText(replay));
}

TEST(ReplayBufferTest, DamagedBytesAreErrorsAndChangeNothing) {
  ReplayBuffer replay(3);
  replay.Add(MakeExperience({"state", "next", "other"}));
  const std::string saved = SavedText(replay);
  ReplayBuffer target(3);
  for (std::size_t size = 0; size < saved.size(); ++size) {
    EXPECT_NE(ErrorOf([&] { target.Restore(std::string_view(saved).substr(0, size)); }), "no error") << size;
  }
  EXPECT_NE(ErrorOf([&] { target.Restore(saved + "x"); }), "no error");
  std::string out_of_range = saved;
  out_of_range[32 + 10] = '\x7F';  // the parent of the first pair
  EXPECT_EQ(ErrorOf([&] { target.Restore(out_of_range); }), "an experience is damaged");
  ReplayBuffer too_long(3);
  too_long.Add(MakeExperience({"state", std::string(kMaxStateBytes + 1, 'x')}));
  EXPECT_EQ(ErrorOf([&] { target.Restore(SavedText(too_long)); }), "an experience is damaged");
  ReplayBuffer many(4);
  for (const char* name : {"a", "b", "c", "d"}) many.Add(MakeExperience({name, "x"}));
  EXPECT_EQ(ErrorOf([&] { target.Restore(SavedText(many)); }), "there are more experiences than the replay buffer may hold");
  EXPECT_EQ(target.size(), 0U);
}

}  // namespace
}  // namespace conpole

#include "util/text_index.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace conpole {
namespace {

TEST(TextIndexTest, EachTextIsThereOnce) {
  TextIndex index;
  EXPECT_EQ(index.Add("a"), 0U);
  EXPECT_EQ(index.Add("b"), 1U);
  EXPECT_EQ(index.Add("a"), 0U);
  EXPECT_EQ(index.Add(""), 2U);
  EXPECT_EQ(index.Add(""), 2U);
  ASSERT_EQ(index.size(), 3U);
  EXPECT_EQ(index.texts()[1], "b");
  EXPECT_EQ(index.hashes()[1], HashText("b"));
}

TEST(TextIndexTest, FindsWhatIsThere) {
  TextIndex index;
  EXPECT_EQ(index.Find("a"), TextIndex::kNone);
  index.Add("b");
  index.Add("a");
  EXPECT_EQ(index.Find("a"), 1U);
  EXPECT_EQ(index.Find("c"), TextIndex::kNone);
}

TEST(TextIndexTest, ResettingEmptiesIt) {
  TextIndex index;
  index.Add("a");
  index.Add("b");
  index.Reset(10);
  EXPECT_EQ(index.size(), 0U);
  EXPECT_EQ(index.Find("a"), TextIndex::kNone);
  EXPECT_EQ(index.Add("b"), 0U);
}

TEST(TextIndexTest, GrowsAndKeepsPlaces) {
  std::vector<std::string> texts;
  for (int i = 0; i < 10'000; ++i) texts.push_back(std::to_string(i * i));
  TextIndex index;
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(index.Add(texts[i]), i);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(index.Add(texts[i]), i);
    EXPECT_EQ(index.Find(texts[i]), i);
  }
}

TEST(TextIndexTest, EqualHashesAreNotEqualTexts) {
  TextIndex index;
  EXPECT_EQ(index.Add("a", 7), 0U);
  EXPECT_EQ(index.Add("b", 7), 1U);
  EXPECT_EQ(index.Add("a", 7), 0U);
  EXPECT_EQ(index.Add("b", 7), 1U);
}

}  // namespace
}  // namespace conpole

#include "search/state_table.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/successors.h"
#include "util/hash.h"
#include "util/random.h"
#include "util/text.h"

namespace conpole {
namespace {

void Append(Successors& successors, std::string_view text) {
  successors.EndState(WriteText(successors.BeginState(text.size()), text));
}

std::string RandomText(Random& random, std::uint64_t letters, std::uint64_t max_size) {
  std::string text(static_cast<std::size_t>(random.Uint64(0, max_size + 1)), ' ');
  for (char& c : text) c = static_cast<char>('a' + random.Uint64(0, letters));
  return text;
}

TEST(StateTableTest, HoldsEachTextOnceWithItsFirstParent) {
  StateTable table;
  EXPECT_EQ(table.size(), 0U);
  EXPECT_EQ(table.Add("root", StateTable::kNone), 0U);
  EXPECT_EQ(table.Add("a", 0), 1U);
  EXPECT_EQ(table.Add("b", 1), 2U);
  EXPECT_EQ(table.Add("a", 2), 1U);
  ASSERT_EQ(table.size(), 3U);
  EXPECT_EQ(table[0].parent, StateTable::kNone);
  EXPECT_EQ(table[1].parent, 0U);
  EXPECT_EQ(table[2].text(), "b");
  EXPECT_EQ(table[2].hash, HashText("b"));
}

// Few letters, so that many texts are equal or differ in one byte.
TEST(StateTableTest, EqualsAMapOnRandomTexts) {
  Random random(1);
  StateTable table;
  std::unordered_map<std::string, StateTable::Id> ids;
  std::vector<std::string> texts;
  for (int i = 0; i < 200'000; ++i) {
    const std::string text = RandomText(random, 3, 20);
    const auto [at, fresh] = ids.try_emplace(text, table.size());
    ASSERT_EQ(table.Add(text, StateTable::kNone), at->second) << text;
    if (fresh) texts.push_back(text);
  }
  ASSERT_EQ(table.size(), texts.size());
  for (StateTable::Id id = 0; id < table.size(); ++id) ASSERT_EQ(table[id].text(), texts[id]);
  EXPECT_GT(table.MemoryUsed(), texts.size() * sizeof(StateTable::State));
}

TEST(StateTableTest, TextsThatDifferInOneByteAreDifferent) {
  StateTable table;
  const std::string base(60, '=');
  StateTable::Id expected = 0;
  EXPECT_EQ(table.Add(base, StateTable::kNone), expected++);
  for (std::size_t at = 0; at < base.size(); ++at) {
    for (int c = 0; c < 256; ++c) {
      std::string text = base;
      text[at] = static_cast<char>(c);
      if (text == base) continue;
      ASSERT_EQ(table.Add(text, 0), expected++);
    }
  }
  EXPECT_EQ(table.Add(base, 0), 0U);
}

TEST(StateTableTest, TheEmptyTextIsATextLikeAnyOther) {
  StateTable first;
  EXPECT_EQ(first.Add("", StateTable::kNone), 0U);
  EXPECT_EQ(first.Add("", StateTable::kNone), 0U);
  EXPECT_EQ(first[0].text(), "");

  StateTable later;
  EXPECT_EQ(later.Add("x", StateTable::kNone), 0U);
  EXPECT_EQ(later.Add("", 0), 1U);
  EXPECT_EQ(later.Add(std::string_view(), 0), 1U);
  EXPECT_EQ(later.PathTo(1), (std::vector<std::string>{"x", ""}));
}

TEST(StateTableTest, TextsMayBeLongerThanABlock) {
  StateTable table;
  std::vector<std::string> texts;
  for (const std::size_t size : {1UL, 5000UL, 3UL, 4'000'000UL, 0UL, 4095UL, 4097UL, 10UL}) {
    texts.emplace_back(size, static_cast<char>('a' + texts.size()));
    EXPECT_EQ(table.Add(texts.back(), StateTable::kNone), texts.size() - 1);
  }
  for (StateTable::Id id = 0; id < table.size(); ++id) EXPECT_TRUE(table[id].text() == texts[id]) << id;
  EXPECT_EQ(table.Add(texts[3], StateTable::kNone), 3U);
}

TEST(StateTableTest, AddAllSaysWhatIsNewAndStopsWhenTold) {
  StateTable table;
  table.Add("S", StateTable::kNone);
  Successors successors;
  for (const std::string_view text : {"A", "S", "B", "A", "C"}) Append(successors, text);
  std::vector<StateTable::Id> met;
  std::vector<bool> fresh;
  table.AddAll(successors, 0, [&](StateTable::Id id, bool is_fresh) {
    met.push_back(id);
    fresh.push_back(is_fresh);
    return met.size() < 4;
  });
  EXPECT_EQ(met, (std::vector<StateTable::Id>{1, 0, 2, 1}));
  EXPECT_EQ(fresh, (std::vector<bool>{true, false, true, false}));
  EXPECT_EQ(table.size(), 3U);
}

TEST(StateTableTest, AddAllEqualsAddWhileTheTableGrows) {
  Random random(2);
  StateTable one_by_one;
  StateTable at_once;
  Successors successors;
  for (int round = 0; round < 300; ++round) {
    successors.Clear();
    std::vector<StateTable::Id> expected;
    for (int i = 0; i < 100; ++i) {
      const std::string text = RandomText(random, 4, 9);
      Append(successors, text);
      expected.push_back(one_by_one.Add(text, StateTable::kNone));
    }
    std::vector<StateTable::Id> ids;
    at_once.AddAll(successors, StateTable::kNone, [&](StateTable::Id id, bool) {
      ids.push_back(id);
      return true;
    });
    ASSERT_EQ(ids, expected);
  }
  EXPECT_EQ(at_once.size(), one_by_one.size());
}

TEST(StateTableTest, AClearedTableIsLikeANewOneAndReusesItsMemory) {
  Random random(4);
  StateTable used;
  std::size_t memory = 0;
  for (int round = 0; round < 4; ++round) {
    used.Clear();
    ASSERT_EQ(used.size(), 0U);
    StateTable fresh;
    Random texts = random;  // the same texts in every round, so that they need the same room
    for (int i = 0; i < 20'000; ++i) {
      const std::string text = i == 5000 ? std::string(100'000, 'z') : RandomText(texts, 3, 12);
      const StateTable::Id parent = fresh.size() == 0 ? StateTable::kNone : fresh.size() - 1;
      ASSERT_EQ(used.Add(text, parent), fresh.Add(text, parent));
    }
    for (StateTable::Id id = 0; id < fresh.size(); ++id) {
      ASSERT_EQ(used[id].text(), fresh[id].text());
      ASSERT_EQ(used[id].parent, fresh[id].parent);
    }
    if (round == 0) memory = used.MemoryUsed();
    EXPECT_EQ(used.MemoryUsed(), memory);
  }
}

TEST(StateTableTest, AMovedTableKeepsItsTexts) {
  StateTable from;
  from.Add("a", StateTable::kNone);
  from.Add(std::string(3'000'000, 'b'), 0);
  StateTable to;
  to.Add("other", StateTable::kNone);
  to = std::move(from);
  EXPECT_EQ(to.size(), 2U);
  EXPECT_EQ(to.Add("a", StateTable::kNone), 0U);
  EXPECT_EQ(to.Add("c", 1), 2U);
  EXPECT_EQ(to.PathTo(2), (std::vector<std::string>{"a", std::string(3'000'000, 'b'), "c"}));
}

TEST(StateTableTest, PathsFollowTheParents) {
  StateTable table;
  table.Add("S", StateTable::kNone);
  table.Add("A", 0);
  table.Add("B", 1);
  table.Add("C", 0);
  EXPECT_EQ(table.PathTo(0), std::vector<std::string>{"S"});
  EXPECT_EQ(table.PathTo(2), (std::vector<std::string>{"S", "A", "B"}));
  table.SetParent(2, 3);
  EXPECT_EQ(table.PathTo(2), (std::vector<std::string>{"S", "C", "B"}));
}

}  // namespace
}  // namespace conpole

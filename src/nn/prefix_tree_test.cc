#include "nn/prefix_tree.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace conpole {
namespace {

const std::vector<std::string_view> kAlike{"2x=4", "2x=(4+0)", "", "2x", "3x=4", "2x=4"};

// What a node stands for: all that was read up to its position.
std::string ReadAt(std::string_view text, std::size_t at, bool from_the_end) {
  if (!from_the_end) return std::string(text.substr(0, at + 1));
  return {text.rbegin(), text.rend() - static_cast<std::ptrdiff_t>(at)};
}

class PrefixTreeTest : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(Directions, PrefixTreeTest, testing::Bool(),
                         [](const auto& param_info) { return param_info.param ? "FromTheEnd" : "FromTheBeginning"; });

TEST_P(PrefixTreeTest, WhatIsReadInTheSameWayIsOneNode) {
  PrefixTree tree;
  for (int again = 0; again < 2; ++again) {  // a tree may be built anew
    tree.Build(kAlike, {.from_the_end = GetParam()});
    std::vector<std::string> read(tree.nodes());
    std::set<std::string> different;
    std::size_t position = 0;
    for (const std::string_view text : kAlike) {
      for (std::size_t at = 0; at < text.size(); ++at, ++position) {
        const std::string expected = ReadAt(text, at, GetParam());
        std::string& actual = read[tree.node_of(position)];
        if (actual.empty()) actual = expected;
        EXPECT_EQ(actual, expected);
        different.insert(expected);
      }
    }
    EXPECT_EQ(tree.nodes(), different.size());
    EXPECT_EQ(tree.levels(), 8U);
    for (std::size_t i = 0; i < kAlike.size(); ++i) {
      if (kAlike[i].empty()) {
        EXPECT_EQ(tree.last(i), PrefixTree::kNone);
      } else {
        EXPECT_EQ(read[tree.last(i)], ReadAt(kAlike[i], GetParam() ? 0 : kAlike[i].size() - 1, GetParam()));
      }
    }
    for (std::size_t level = 0; level < tree.levels(); ++level) {
      for (std::size_t node = tree.first(level); node < tree.first(level + 1); ++node) {
        EXPECT_EQ(read[node].size(), level + 1);
        EXPECT_EQ(tree.node_of(tree.position(node)), node);
        if (level == 0) {
          EXPECT_EQ(tree.before(node), PrefixTree::kNone);
          continue;
        }
        EXPECT_EQ(read[tree.before(node)], read[node].substr(0, level));
        // In the order of those before them, so that what comes after a node stands together.
        EXPECT_LE(node == tree.first(level) ? 0 : tree.before(node - 1), tree.before(node));
      }
    }
  }
}

TEST_P(PrefixTreeTest, MayShareNothing) {
  PrefixTree tree;
  tree.Build(kAlike, {.from_the_end = GetParam(), .shares = false});
  std::size_t characters = 0;
  std::set<std::uint32_t> nodes;
  for (const std::string_view text : kAlike) {
    for (std::size_t at = 0; at < text.size(); ++at) nodes.insert(tree.node_of(characters++));
  }
  EXPECT_EQ(tree.nodes(), characters);
  EXPECT_EQ(nodes.size(), characters);
  tree.Build({}, {.from_the_end = GetParam()});
  EXPECT_EQ(tree.nodes(), 0U);
  EXPECT_EQ(tree.levels(), 0U);
}

}  // namespace
}  // namespace conpole

#include "train/loop/latest_solutions.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace conpole {
namespace {

using Paths = std::vector<LatestSolutions::Path>;

TEST(LatestSolutionsTest, TheOldestGoFirst) {
  LatestSolutions solutions(2);
  EXPECT_TRUE(solutions.paths().empty());
  for (const char* const problem : {"a", "b", "c"}) solutions.Add({problem, "solved"});
  EXPECT_EQ(solutions.paths(), (Paths{{"b", "solved"}, {"c", "solved"}}));
}

TEST(LatestSolutionsTest, WhatIsSavedIsAdded) {
  LatestSolutions solutions(3);
  solutions.Add({"a", "b", "solved"});
  solutions.Add({"c", "solved"});
  LatestSolutions restored(3);
  restored.Restore(nlohmann::json::parse(solutions.Save().dump()));
  EXPECT_EQ(restored.paths(), solutions.paths());
  restored.Restore(solutions.Save());
  EXPECT_EQ(restored.paths().size(), 3U);
  EXPECT_THROW(restored.Restore(nlohmann::json::parse("[1]")), nlohmann::json::exception);
}

}  // namespace
}  // namespace conpole

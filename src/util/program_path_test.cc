#include "util/program_path.h"

#include <gtest/gtest.h>

namespace conpole {
namespace {

TEST(ProgramPathTest, IsTheFileThatRuns) {
  const std::optional<std::filesystem::path> path = ProgramPath();
  ASSERT_TRUE(path);
  EXPECT_TRUE(path->is_absolute());
  EXPECT_EQ(path->filename(), "util_test");
  EXPECT_TRUE(std::filesystem::is_regular_file(*path));
}

}  // namespace
}  // namespace conpole

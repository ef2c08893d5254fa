#include "train/run/checkpoint.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <gtest/gtest.h>

#include "tests/files.h"

namespace conpole {
namespace {

std::vector<CheckpointSection> Sections(const std::string& text) {
  return {{"pieces",
           [text](const WriteBytes& write) {
             for (const char character : text) write({&character, 1});
           }},
          {"empty", [](const WriteBytes&) {}},
          {"whole", [text](const WriteBytes& write) { write(text); }}};
}

class CheckpointTest : public FolderTest {
 protected:
  void Overwrite(const std::string& name, const std::string& content) const {
    std::ofstream(Path(name), std::ios::binary) << content;
  }
};

TEST_F(CheckpointTest, SectionsComeBack) {
  WriteCheckpoint(Path("c"), Sections("some bytes"));
  const auto sections = ReadCheckpoint(Path("c"));
  EXPECT_EQ(sections.size(), 3U);
  EXPECT_EQ(sections.at("pieces"), "some bytes");
  EXPECT_EQ(sections.at("empty"), "");
  EXPECT_EQ(sections.at("whole"), "some bytes");
}

TEST_F(CheckpointTest, EveryDamagedByteAndEveryTruncationIsFound) {
  WriteCheckpoint(Path("c"), Sections("some bytes"));
  const std::string good = Content("c");
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    Overwrite("c", bad);
    EXPECT_NE(ErrorOf([&] { ReadCheckpoint(Path("c")); }).find(Path("c")), std::string::npos) << i;
    Overwrite("c", good.substr(0, i));
    EXPECT_NE(ErrorOf([&] { ReadCheckpoint(Path("c")); }).find(Path("c")), std::string::npos) << i;
  }
  Overwrite("c", good + "x");
  EXPECT_NE(ErrorOf([&] { ReadCheckpoint(Path("c")); }), "no error");
}

// Each of these took memory, time or patience without end before it was refused.
TEST_F(CheckpointTest, WhatIsNoCheckpointIsRefusedBeforeItIsRead) {
  const auto error_of = [&](const char* name) { return ErrorOf([&] { ReadCheckpoint(Path(name)); }); };
  const auto ends_with = [](const std::string& text, std::string_view end) { return text.ends_with(end); };
  std::filesystem::create_directory(Path("folder"));
  EXPECT_PRED2(ends_with, error_of("folder"), "it is not a regular file");
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  EXPECT_PRED2(ends_with, error_of("pipe"), "it is not a regular file");
  EXPECT_PRED2(ends_with, error_of("none"), "it is not a regular file");

  // As large as no machine's memory, so that reading it would be noticed.
  constexpr std::uintmax_t kHuge = std::uintmax_t{1} << 43;
  const auto make_sparse = [&](const char* name, const std::string& begin) {
    Overwrite(name, begin);
    std::error_code failure;
    std::filesystem::resize_file(Path(name), kHuge, failure);
    return !failure;
  };
  if (!make_sparse("zeros", "")) GTEST_SKIP() << "this file system has no large sparse files";
  EXPECT_PRED2(ends_with, error_of("zeros"), "it is not a checkpoint");
  WriteCheckpoint(Path("good"), Sections("some bytes"));
  make_sparse("longer", Content("good"));
  EXPECT_PRED2(ends_with, error_of("longer"), "its end is not that of a checkpoint");
}

TEST_F(CheckpointTest, OtherVersionsAreNamedAsSuch) {
  Overwrite("c", "conpole checkpoint 1\n and the rest of it, which is longer than the shortest checkpoint that there is");
  EXPECT_NE(ErrorOf([&] { ReadCheckpoint(Path("c")); }).find("was written by another version of this program"),
            std::string::npos);
}

TEST_F(CheckpointTest, TheNewestTwoStay) {
  const CheckpointFolder checkpoints(folder());
  EXPECT_FALSE(checkpoints.HasAny());
  for (const std::uint64_t steps : {9U, 100U, 20U}) checkpoints.Write(steps, Sections(std::to_string(steps)));
  EXPECT_EQ(Names(), (std::set<std::string>{"checkpoint-000000000000020", "checkpoint-000000000000100"}));
  EXPECT_EQ(checkpoints.Steps(), (std::vector<std::uint64_t>{100, 20}));
}

TEST_F(CheckpointTest, AFullDiskIsAnErrorThatKeepsTheLastGoodOne) {
  const CheckpointFolder checkpoints(folder());
  checkpoints.Write(1, Sections("good"));
  {
    const FileSizeLimit limit(1000);
    EXPECT_NE(ErrorOf([&] { checkpoints.Write(2, Sections(std::string(100'000, 'x'))); }).find("cannot be written"),
              std::string::npos);
  }
  EXPECT_EQ(Names(), (std::set<std::string>{"checkpoint-000000000000001"}));
  EXPECT_EQ(ReadCheckpoint(checkpoints.PathOf(1)).at("whole"), "good");
}

}  // namespace
}  // namespace conpole

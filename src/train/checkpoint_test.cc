#include "train/checkpoint.h"

#include <algorithm>
#include <fstream>
#include <string>
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

TEST_F(CheckpointTest, TheNewestTwoStayAndTheNewestWholeOneIsRead) {
  const CheckpointFolder checkpoints(folder());
  EXPECT_FALSE(checkpoints.HasAny());
  const auto ignore = [](const std::string&) {};
  EXPECT_NE(ErrorOf([&] { checkpoints.ReadNewest(ignore); }).find("no whole checkpoint"), std::string::npos);
  for (const std::uint64_t steps : {9U, 100U, 20U}) checkpoints.Write(steps, Sections(std::to_string(steps)));
  EXPECT_EQ(Names(), (std::set<std::string>{"checkpoint-000000000000020", "checkpoint-000000000000100"}));
  EXPECT_EQ(checkpoints.ReadNewest(ignore).at("whole"), "100");

  Overwrite("checkpoint-000000000000100", "rubbish");
  std::vector<std::string> complaints;
  EXPECT_EQ(checkpoints.ReadNewest([&](const std::string& text) { complaints.push_back(text); }).at("whole"), "20");
  ASSERT_EQ(complaints.size(), 1U);
  EXPECT_NE(complaints[0].find("it is not a checkpoint"), std::string::npos);
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
  EXPECT_EQ(checkpoints.ReadNewest([](const std::string&) {}).at("whole"), "good");
}

}  // namespace
}  // namespace conpole

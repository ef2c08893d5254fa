#include "train/ranks/rank_checkpoints.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/error.h"
#include "tests/files.h"
#include "tests/thread_ranks.h"

namespace conpole {
namespace {

using SectionsByName = std::map<std::string, std::string>;

CheckpointSection Section(const std::string& name, const std::string& text) {
  return {name, [text](const WriteBytes& write) { write(text); }};
}

class RankCheckpointsTest : public FolderTest {
 protected:
  CheckpointFolder folder() const { return CheckpointFolder(Path("")); }

  // What all share, and what each rank has of its own, say which checkpoint they belong to.
  void Write(std::size_t ranks, std::uint64_t steps, const std::string& text) const {
    OnThreadRanks(ranks, [&](Ranks& own) {
      WriteRankCheckpoint(folder(), own, steps, {Section("shared", text)},
                          {Section("own", text + " of " + std::to_string(own.rank()))});
    });
  }

  // What each rank reads; `complaints` are the first one's.
  std::vector<SectionsByName> Read(std::size_t ranks, std::string* complaints = nullptr) const {
    std::vector<SectionsByName> read(ranks);
    OnThreadRanks(ranks, [&](Ranks& own) {
      read[own.rank()] = ReadRankCheckpoint(folder(), own, [&](const std::string& complaint) {
        if (own.is_first() && complaints != nullptr) *complaints += complaint;
      });
    });
    return read;
  }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(Path(""))) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  // The part of rank 1 of the only checkpoint that has parts.
  std::string PartOfRankOne() const {
    for (const std::string& name : Names()) {
      if (name.ends_with(".rank-1")) return name;
    }
    return "none";
  }
};

TEST_F(RankCheckpointsTest, EachRankGetsItsOwn) {
  EXPECT_EQ(Read(2), std::vector<SectionsByName>(2)) << "there is none";
  Write(2, 10, "ten");
  EXPECT_EQ(Read(2),
            (std::vector<SectionsByName>{{{"shared", "ten"}, {"own", "ten of 0"}}, {{"shared", "ten"}, {"own", "ten of 1"}}}));
}

TEST_F(RankCheckpointsTest, AnotherNumberOfRanksGetsAll) {
  Write(2, 10, "ten");
  const SectionsByName of_two{{"shared", "ten"}, {"own.0", "ten of 0"}, {"own.1", "ten of 1"}};
  EXPECT_EQ(Read(1), (std::vector<SectionsByName>{of_two}));
  EXPECT_EQ(Read(3), (std::vector<SectionsByName>{of_two, of_two, of_two}));
  // One that a process on its own wrote has no parts.
  Write(1, 20, "twenty");
  EXPECT_EQ(Read(1), (std::vector<SectionsByName>{{{"shared", "twenty"}, {"own", "twenty of 0"}}}));
  const SectionsByName of_one{{"shared", "twenty"}, {"own", "twenty of 0"}};
  EXPECT_EQ(Read(2), (std::vector<SectionsByName>{of_one, of_one}));
}

TEST_F(RankCheckpointsTest, WhatIsNotWholeOnOneRankIsPassedOverByAll) {
  Write(2, 10, "ten");
  const std::vector<SectionsByName> older = Read(2);
  const std::string of_ten = PartOfRankOne();
  Write(2, 20, "twenty");
  for (const std::string& name : Names()) {
    if (name.ends_with(".rank-1") && name != of_ten) std::ofstream(Path(name), std::ios::binary) << "damaged";
  }
  std::string complaints;
  EXPECT_EQ(Read(2, &complaints), older);
  EXPECT_NE(complaints.find("rank 1 failed: "), std::string::npos) << complaints;
}

TEST_F(RankCheckpointsTest, NoneIsWrittenIfOneRankCannotWriteItsPart) {
  Write(2, 10, "ten");
  const std::vector<std::string> before = Names();
  const std::vector<SectionsByName> older = Read(2);
  std::vector<std::string> errors(2);
  OnThreadRanks(2, [&](Ranks& own) {
    const CheckpointSection fails{"own", [&](const WriteBytes&) {
                                    if (own.rank() == 1) throw Error("the disk is full");
                                  }};
    errors[own.rank()] = ErrorOf([&] { WriteRankCheckpoint(folder(), own, 20, {Section("shared", "twenty")}, {fails}); });
  });
  EXPECT_NE(errors[1].find("the disk is full"), std::string::npos) << errors[1];
  EXPECT_EQ(errors[0], "rank 1 failed: " + errors[1]);
  EXPECT_EQ(Read(2), older);
  // Nor if the parts are elsewhere.
  std::filesystem::create_directory(Path("elsewhere"));
  OnThreadRanks(2, [&](Ranks& own) {
    const CheckpointFolder seen(own.is_first() ? Path("") : Path("elsewhere"));
    errors[own.rank()] =
        ErrorOf([&] { WriteRankCheckpoint(seen, own, 20, {Section("shared", "twenty")}, {Section("own", "x")}); });
  });
  EXPECT_NE(errors[0].find("which rank 1 wrote, is not there: the run's folder must be one that all ranks share"),
            std::string::npos)
      << errors[0];
  std::filesystem::remove_all(Path("elsewhere"));
  EXPECT_EQ(Names(), before);
}

TEST_F(RankCheckpointsTest, PartsGoWithTheirCheckpoint) {
  for (int i = 1; i <= 4; ++i) Write(3, static_cast<std::uint64_t>(i), "some");
  EXPECT_EQ(Names().size(), 6U) << "of two checkpoints, which are kept, there are three files each";
  // A part that a killed rank left, and one of another checkpoint of as many steps.
  std::ofstream(Path("checkpoint-000000000000099-0123456789abcdef.rank-1")) << "x";
  Write(3, 4, "other");
  EXPECT_EQ(Names().size(), 6U);
  EXPECT_EQ(Read(3)[2].at("own"), "other of 2");
}

TEST_F(RankCheckpointsTest, PartsAreKnownByTheirNames) {
  std::string checkpoint;
  EXPECT_TRUE(IsCheckpointPart("checkpoint-12-ab.rank-3", checkpoint));
  EXPECT_EQ(checkpoint, "checkpoint-12");
  for (const char* name : {"checkpoint-12", "checkpoint-12-ab", "checkpoint-12.rank-3", "checkpoint-12-ab.rank-",
                           "other-12-ab.rank-3", "checkpoint-12-ab.rank-3x"}) {
    EXPECT_FALSE(IsCheckpointPart(name, checkpoint)) << name;
  }
}

}  // namespace
}  // namespace conpole

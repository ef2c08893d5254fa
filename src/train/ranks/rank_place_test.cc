#include "train/ranks/rank_place.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "tests/files.h"

namespace conpole {
namespace {

using Variables = std::map<std::string, std::string>;

std::optional<RankPlace> PlaceIn(const Variables& variables) {
  return PlaceOf([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

const Variables kPlain{
    {"RANK", "3"}, {"WORLD_SIZE", "4"}, {"LOCAL_RANK", "1"}, {"MASTER_ADDR", "host"}, {"MASTER_PORT", "29500"}};

Variables With(Variables variables, const std::string& name, const std::string& value) {
  variables[name] = value;
  return variables;
}

TEST(RankPlaceTest, AProcessOnItsOwnHasNone) {
  EXPECT_FALSE(PlaceIn({}));
  EXPECT_FALSE(PlaceIn(With(kPlain, "WORLD_SIZE", "1")));
  // In a batch script, before srun.
  EXPECT_FALSE(PlaceIn({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}}));
}

TEST(RankPlaceTest, ReadsWhatTorchrunSets) {
  const RankPlace place =
      *PlaceIn(With(With(kPlain, "TORCHELASTIC_USE_AGENT_STORE", "True"), "TORCHELASTIC_RESTART_COUNT", "2"));
  EXPECT_EQ(place.rank, 3U);
  EXPECT_EQ(place.size, 4U);
  EXPECT_EQ(place.local_rank, 1U);
  EXPECT_EQ(place.address, "host");
  EXPECT_EQ(place.port, 29500);
  EXPECT_TRUE(place.store_is_there);
  EXPECT_FALSE(PlaceIn(kPlain)->store_is_there);
  EXPECT_NE(place.meeting, PlaceIn(kPlain)->meeting) << "what was said before a restart must not be taken for new";
  EXPECT_EQ(PlaceIn(With(kPlain, "CONPOLE_RANK_TIMEOUT", "2.5"))->silence_seconds, 2.5);
}

TEST(RankPlaceTest, ReadsWhatSrunSets) {
  const Variables slurm{{"SLURM_PROCID", "5"},
                        {"SLURM_LOCALID", "1"},
                        {"SLURM_STEP_NUM_TASKS", "8"},
                        {"SLURM_STEP_NODELIST", "gpu[07-08,11]"},
                        {"SLURM_JOB_ID", "123456"}};
  const RankPlace place = *PlaceIn(slurm);
  EXPECT_EQ(place.rank, 5U);
  EXPECT_EQ(place.size, 8U);
  EXPECT_EQ(place.local_rank, 1U);
  EXPECT_EQ(place.address, "gpu07");
  EXPECT_EQ(place.port, 23456);
  EXPECT_EQ(PlaceIn(With(slurm, "MASTER_ADDR", "here"))->address, "here");
  EXPECT_EQ(PlaceIn(With(slurm, "MASTER_PORT", "99"))->port, 99);
}

TEST(RankPlaceTest, NamesTheVariableThatIsWrong) {
  Variables missing = kPlain;
  missing.erase("MASTER_ADDR");
  EXPECT_NE(ErrorOf([&] { PlaceIn(missing); }).find("MASTER_ADDR is missing"), std::string::npos);
  EXPECT_NE(ErrorOf([&] { PlaceIn(With(kPlain, "RANK", "4")); }).find("RANK must be a whole number from 0 to 3"),
            std::string::npos);
  EXPECT_NE(ErrorOf([&] { PlaceIn(With(kPlain, "WORLD_SIZE", "two")); }).find("WORLD_SIZE"), std::string::npos);
  EXPECT_NE(ErrorOf([&] { PlaceIn(With(kPlain, "MASTER_PORT", "70000")); }).find("MASTER_PORT"), std::string::npos);
  EXPECT_NE(ErrorOf([&] { PlaceIn(With(kPlain, "CONPOLE_RANK_TIMEOUT", "0")); }).find("CONPOLE_RANK_TIMEOUT"),
            std::string::npos);
}

TEST(RankPlaceTest, FindsTheFirstMachineOfAList) {
  EXPECT_EQ(FirstHost("node"), "node");
  EXPECT_EQ(FirstHost("a,b"), "a");
  EXPECT_EQ(FirstHost("node[007-010,3],other"), "node007");
  EXPECT_EQ(FirstHost("node[3,5]"), "node3");
  EXPECT_EQ(FirstHost("node[1-2]-ib0,x"), "node1-ib0");
  for (const char* list : {"", ",a", "node[1-2", "[", "node["})
    EXPECT_NE(ErrorOf([&] { FirstHost(list); }), "no error") << list;
}

}  // namespace
}  // namespace conpole

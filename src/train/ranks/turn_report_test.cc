#include "train/ranks/turn_report.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace conpole {
namespace {

TEST(TurnReportTest, ComesBack) {
  TurnReport report;
  report.steps = 1;
  report.strings_scored = 2;
  report.strings_learned = 3;
  report.experiences = 4;
  report.searches_left = 6;
  report.gradient_steps = 0.75;
  report.seconds_waited = 1.5;
  report.time_is_over = true;
  using Origin = Curriculum::Origin;
  report.outcomes = {
      {true, 7, Origin::kEasiest}, {false, 0, Origin::kEasiest}, {true, 0, Origin::kAsItCame}, {false, 0, Origin::kAsItCame}};
  std::string bytes(TurnReport::BytesFor(9), '?');  // there is room for more
  report.Write(bytes);
  const TurnReport read = TurnReport::Read(bytes);
  EXPECT_EQ(read.steps, 1U);
  EXPECT_EQ(read.strings_scored, 2U);
  EXPECT_EQ(read.strings_learned, 3U);
  EXPECT_EQ(read.experiences, 4U);
  EXPECT_EQ(read.searches_left, 6U);
  EXPECT_EQ(read.gradient_steps, 0.75);
  EXPECT_EQ(read.seconds_waited, 1.5);
  EXPECT_FALSE(read.stops);
  EXPECT_TRUE(read.time_is_over);
  EXPECT_FALSE(read.wants_checkpoint);
  ASSERT_EQ(read.outcomes.size(), report.outcomes.size());
  for (std::size_t i = 0; i < read.outcomes.size(); ++i) {
    EXPECT_EQ(read.outcomes[i].solved, report.outcomes[i].solved) << i;
    EXPECT_EQ(read.outcomes[i].length, report.outcomes[i].length) << i;
    EXPECT_EQ(read.outcomes[i].origin, report.outcomes[i].origin) << i;
  }
  // Two that say the same are the same bytes: runs are compared to the last digit.
  std::string again(bytes.size(), '!');
  read.Write(again);
  EXPECT_EQ(again, bytes);
}

TEST(TurnReportTest, ALengthThatDoesNotFitIsStillASolution) {
  TurnReport report;
  report.outcomes = {{true, std::size_t{1} << 40, Curriculum::Origin::kAsItCame}};
  std::string bytes(TurnReport::BytesFor(1), '\0');
  report.Write(bytes);
  const TurnReport::Outcome read = TurnReport::Read(bytes).outcomes.at(0);
  EXPECT_TRUE(read.solved);
  EXPECT_GT(read.length, std::size_t{1} << 29);
  EXPECT_EQ(read.origin, Curriculum::Origin::kAsItCame);
}

}  // namespace
}  // namespace conpole

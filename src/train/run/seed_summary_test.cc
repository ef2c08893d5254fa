#include "train/run/seed_summary.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/files.h"
#include "train/run/metrics.h"

namespace conpole {
namespace {

class SeedSummaryTest : public FolderTest {
 protected:
  SeedRun Run(std::uint64_t seed, const std::vector<double>& successes) const {
    const std::string folder = Path("seed-" + std::to_string(seed));
    std::filesystem::create_directory(folder);
    MetricsLog log(folder);
    std::uint64_t step = 100 * seed;
    for (const double success : successes) log.Write(step += 1000, {{"loss", 0.5}, {"eval_success", success}});
    return {seed, folder};
  }
};

TEST_F(SeedSummaryTest, NumbersThatAreThereCount) {
  const OverSeeds over = SummariseValues({1, std::numeric_limits<double>::quiet_NaN(), 3});
  EXPECT_EQ(over.values.size(), 3U);
  EXPECT_EQ(over.mean, 2);
  EXPECT_DOUBLE_EQ(over.deviation, std::sqrt(2.0));
  EXPECT_EQ(over.min, 1);
  EXPECT_EQ(over.max, 3);
  EXPECT_EQ(SummariseValues({7}).deviation, 0);
  EXPECT_TRUE(std::isnan(SummariseValues({}).mean));
}

TEST_F(SeedSummaryTest, RunsAreSummarisedByTheirEvaluations) {
  const std::vector<SeedRun> runs{Run(1, {0.5, 0.75, 1}), Run(3, {0.25, 0.25})};
  WriteSeedSummary(folder(), runs);
  const auto summary = nlohmann::json::parse(Content("summary.json"));
  EXPECT_EQ(summary["seeds"], (std::vector<int>{1, 3}));
  EXPECT_EQ(summary["last"]["eval_success"]["values"], (std::vector<double>{1, 0.25}));
  EXPECT_EQ(summary["last"]["eval_success"]["mean"], 0.625);
  const std::vector<MetricsLine> curve = ReadMetrics(MetricsPath(folder()));
  ASSERT_EQ(curve.size(), 2U) << "both runs were evaluated twice";
  EXPECT_EQ(curve[0].step, 1200U);
  EXPECT_EQ(curve[1].Find("eval_success"), 0.5);
  EXPECT_EQ(curve[1].Find("eval_success_min"), 0.25);
  EXPECT_EQ(curve[1].Find("eval_success_max"), 0.75);
  EXPECT_EQ(curve[1].Find("loss"), 0.5);
}

TEST_F(SeedSummaryTest, ARunWithoutMetricsIsNamed) {
  const std::vector<SeedRun> runs{Run(1, {1}), Run(2, {})};
  EXPECT_EQ(ErrorOf([&] { WriteSeedSummary(folder(), runs); }), Path("seed-2") + ": has no metrics yet");
  EXPECT_FALSE(std::filesystem::exists(Path("summary.json")));
}

}  // namespace
}  // namespace conpole

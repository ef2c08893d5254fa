#include "train/curriculum.h"

#include <algorithm>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "conpole/domain.h"
#include "tests/files.h"

namespace conpole {
namespace {

void Report(Curriculum& curriculum, int problems, bool solved, std::size_t length = 4) {
  for (int i = 0; i < problems; ++i) curriculum.Report(solved, length);
}

double MeanSize(Curriculum& curriculum, const Domain& domain) {
  double sum = 0;
  for (int i = 0; i < 200; ++i) sum += static_cast<double>(curriculum.NextProblem(domain).size());
  return sum / 200;
}

TEST(CurriculumTest, ProblemsAreEasyWhileFewAreSolved) {
  const std::unique_ptr<Domain> domain = MakeDomain("sorting");
  TrainOptions options;
  options.easiest_of = 8;
  Curriculum curriculum(options);
  EXPECT_EQ(curriculum.easiest_of(), 8U);
  const double easy = MeanSize(curriculum, *domain);
  Report(curriculum, 3 * 128, true);
  EXPECT_EQ(curriculum.easiest_of(), 1U);
  EXPECT_DOUBLE_EQ(curriculum.solved_rate(), 1);
  EXPECT_GT(MeanSize(curriculum, *domain), 2 * easy);
  Report(curriculum, 10 * 128, false);
  EXPECT_EQ(curriculum.easiest_of(), 8U);
}

TEST(CurriculumTest, NoProblemIsSolvedAlready) {
  const std::unique_ptr<Domain> domain = MakeDomain("fractions");
  Curriculum curriculum({});
  for (int i = 0; i < 300; ++i) EXPECT_FALSE(domain->Solved(curriculum.NextProblem(*domain)));
  const std::unique_ptr<Domain> trivial = MakeDomain("sorting:max_length=1");
  EXPECT_NE(ErrorOf([&] { curriculum.NextProblem(*trivial); }).find("solved already"), std::string::npos);
  // Unless they are asked for.
  EXPECT_TRUE(trivial->Solved(curriculum.NextProblem(*trivial, /*may_be_solved=*/true)));
}

TEST(CurriculumTest, DepthFollowsTheSolutions) {
  TrainOptions options;
  options.depth_start = 6;
  options.depth_max = 30;
  Curriculum curriculum(options);
  Report(curriculum, 100, false);
  EXPECT_EQ(curriculum.depth_limit(), 6U);
  Report(curriculum, 300, true, 10);
  EXPECT_EQ(curriculum.depth_limit(), 17U);
  Report(curriculum, 300, true, 28);
  EXPECT_EQ(curriculum.depth_limit(), 30U);
}

TEST(CurriculumTest, DepthCanGrowWithTheProblemsTried) {
  TrainOptions options;
  options.depth_start = 8;
  options.depth_growth = 2;
  Curriculum curriculum(options);
  Report(curriculum, 1500, false);
  EXPECT_EQ(curriculum.depth_limit(), 11U);
}

TEST(CurriculumTest, AParameterGrowsWhileNearlyAllProblemsAreSolved) {
  const std::unique_ptr<Domain> domain = MakeDomain("sorting:max_length=6");
  TrainOptions options;
  options.easiest_of = 1;
  options.grow = "max_length";
  options.grow_from = 2;
  Curriculum curriculum(options);
  EXPECT_EQ(curriculum.level(), 2);
  const auto longest = [&](Curriculum& of) {
    std::size_t most = 0;
    for (int i = 0; i < 200; ++i) {
      const std::string problem = of.NextProblem(*domain);
      most = std::max(most, static_cast<std::size_t>(std::count(problem.begin(), problem.end(), '|')) + 1);
    }
    return most;
  };
  EXPECT_EQ(longest(curriculum), 2U);
  Report(curriculum, 128, true);
  EXPECT_EQ(curriculum.level(), 3);
  EXPECT_EQ(longest(curriculum), 3U);
  Report(curriculum, 10 * 128, true);
  EXPECT_EQ(curriculum.level(), 6) << "no more than the domain has";
  EXPECT_EQ(longest(curriculum), 6U);
  Report(curriculum, 2 * 128, false);
  EXPECT_LT(curriculum.level(), 6);
  Curriculum restored(options);
  restored.Restore(nlohmann::json::parse(curriculum.Save().dump()));
  EXPECT_EQ(restored.level(), curriculum.level());
  EXPECT_EQ(restored.NextProblem(*domain), curriculum.NextProblem(*domain));
  Report(curriculum, 20 * 128, false);
  EXPECT_EQ(curriculum.level(), 2);

  options.grow = "width";
  EXPECT_NE(ErrorOf([&] { Curriculum(options).NextProblem(*domain); }).find("width"), std::string::npos);
  options.grow.clear();
  EXPECT_EQ(Curriculum(options).level(), 0);
}

TEST(CurriculumTest, GoesOnAsBeforeAfterRestoring) {
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  Curriculum curriculum({});
  Report(curriculum, 77, true, 9);
  curriculum.NextProblem(*domain);
  Curriculum restored({});
  restored.Restore(nlohmann::json::parse(curriculum.Save().dump()));
  EXPECT_EQ(restored.depth_limit(), curriculum.depth_limit());
  EXPECT_EQ(restored.NextProblem(*domain), curriculum.NextProblem(*domain));
  EXPECT_EQ(restored.Save(), curriculum.Save());
  EXPECT_NE(ErrorOf([&] { restored.Restore({{"drawn", "many"}}); }).find("damaged"), std::string::npos);
}

}  // namespace
}  // namespace conpole

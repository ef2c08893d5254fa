#include "train/loop/curriculum.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
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

// Ranks draw from seeds of their own, and have numbers of their own for what they draw.
TEST(CurriculumTest, RanksDrawDifferentProblems) {
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  TrainOptions options;
  options.problems = {1000, 1090};
  options.easiest_of = 1;
  std::map<std::string, std::set<std::size_t>> ranks_with;
  for (std::uint64_t seed = 1000; seed < 1090; ++seed) ranks_with[domain->Generate(seed)].insert(seed % 3);
  std::set<std::uint64_t> numbers;
  for (std::size_t rank = 0; rank < 3; ++rank) {
    Curriculum curriculum(options);
    curriculum.TakeShare(rank, 3);
    std::set<std::string> own;
    for (int i = 0; i < 300; ++i) {
      EXPECT_TRUE(numbers.insert(curriculum.drawn()).second) << "two ranks have the number " << curriculum.drawn();
      const std::string problem = curriculum.NextProblem(*domain, /*may_be_solved=*/true);
      own.insert(problem);
      EXPECT_TRUE(ranks_with.at(problem).contains((1000 + rank) % 3)) << problem << " is not rank " << rank << "'s";
    }
    EXPECT_GT(own.size(), 25U) << "all of its seeds but a few";
  }
  Curriculum curriculum(options);
  EXPECT_EQ(ErrorOf([&] { curriculum.TakeShare(0, 91); }), "91 ranks need as many problems, and there are 90");
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
  EXPECT_EQ(curriculum.long_length(), 28);
  options.max_steps = 20;
  Curriculum limited(options);
  Report(limited, 300, true, 28);
  EXPECT_EQ(limited.depth_limit(), 20U);
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

TEST(CurriculumTest, TheLowerEndOfARangeGrowsWithTheUpper) {
  const std::unique_ptr<Domain> domain = MakeDomain("sorting:min_length=5,max_length=6");
  TrainOptions options;
  options.easiest_of = 1;
  options.grow = "max_length";
  options.grow_from = 2;
  Curriculum curriculum(options);
  const auto bars = [](const std::string& problem) { return 1 + std::count(problem.begin(), problem.end(), '|'); };
  for (int i = 0; i < 50; ++i) EXPECT_EQ(bars(curriculum.NextProblem(*domain)), 2);
  Report(curriculum, 10 * 128, true);
  EXPECT_EQ(curriculum.level(), 6);
  for (int i = 0; i < 50; ++i) EXPECT_GE(bars(curriculum.NextProblem(*domain)), 5);
}

TEST(CurriculumTest, ProblemsStayEasyUntilTheShareThatIsAskedForIsSolved) {
  TrainOptions options;
  options.easiest_of = 8;
  const auto after_three_of_four_solved = [&] {
    Curriculum curriculum(options);
    for (int i = 0; i < 3 * 128; ++i) curriculum.Report(i % 4 != 0, 4);
    return curriculum.easiest_of();
  };
  EXPECT_EQ(after_three_of_four_solved(), 1U);
  options.solved_share = 0.8;
  EXPECT_EQ(after_three_of_four_solved(), 8U);
}

TEST(CurriculumTest, ShortProblemsAreNotPreferredWhereTheyAreNoEasier) {
  TrainOptions options;
  options.easiest_of = 8;
  const auto after = [&](int solved_as_they_come_of_16) {
    Curriculum curriculum(options);
    for (int i = 0; i < 12 * 128; ++i) {
      curriculum.Report(Curriculum::Origin::kEasiest, i % 16 == 0, 4);
      if (i % 16 == 0) curriculum.Report(Curriculum::Origin::kAsItCame, i / 16 % 16 < solved_as_they_come_of_16, 4);
    }
    return curriculum.easiest_of();
  };
  EXPECT_EQ(after(0), 8U) << "nothing but short ones is solved";
  EXPECT_LE(after(4), 2U) << "short ones are solved less often, and so are the shortest of two, which are tried again";
}

TEST(CurriculumTest, SomeProblemsAreTakenAsTheyCome) {
  const std::unique_ptr<Domain> domain = MakeDomain("sorting");
  TrainOptions options;
  options.easiest_of = 64;
  Curriculum curriculum(options);
  std::size_t as_they_come = 0;
  std::size_t longer = 0;
  for (int i = 0; i < 800; ++i) {
    const Curriculum::Task task = curriculum.NextTask(*domain);
    if (task.origin != Curriculum::Origin::kAsItCame) continue;
    ++as_they_come;
    if (task.problem.size() > std::string_view("[=|==]").size() + 6) ++longer;
  }
  EXPECT_NEAR(static_cast<double>(as_they_come), 50, 25);
  EXPECT_GT(longer, as_they_come / 4);
  options.easiest_of = 1;
  Curriculum all(options);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(all.NextTask(*domain).origin, Curriculum::Origin::kEasiest);
}

TEST(CurriculumTest, ProblemsAreSimplifiedUntilTheyAreSolved) {
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  TrainOptions options;
  options.easiest_of = 1;
  options.simplify = 12;
  Curriculum curriculum(options);
  const auto mean_size = [&] {
    std::size_t sum = 0;
    for (int i = 0; i < 200; ++i) {
      const Curriculum::Task task = curriculum.NextTask(*domain);
      EXPECT_FALSE(domain->Solved(task.problem));
      sum += task.problem.size();
    }
    return static_cast<double>(sum) / 200;
  };
  EXPECT_LT(mean_size(), 14) << "but for some that are as they come";
  Report(curriculum, 128, true);
  EXPECT_EQ(curriculum.size_limit(), 18U);
  Report(curriculum, 40 * 128, true);
  // Half of them are as they are, and the others of all sizes.
  std::size_t longest = 0;
  std::size_t as_they_are = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string problem = curriculum.NextTask(*domain).problem;
    longest = std::max(longest, problem.size());
    if (problem.size() > 12) ++as_they_are;
  }
  EXPECT_LE(curriculum.size_limit(), 80U) << "no more than the longest problem";
  EXPECT_GE(curriculum.size_limit(), longest - longest / 5);
  EXPECT_GT(as_they_are, 200U);
  EXPECT_GT(mean_size(), 16);
  curriculum.StepBack();
  EXPECT_LT(curriculum.size_limit(), longest);
  EXPECT_GE(curriculum.size_limit(), longest / 2 - 5);
  Report(curriculum, 100 * 128, false);
  EXPECT_EQ(curriculum.size_limit(), 12U);
  EXPECT_EQ(Curriculum({}).size_limit(), 0U);
}

TEST(CurriculumTest, PartsOfProblemsAreNotPreferredWhereTheyAreNoEasier) {
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  TrainOptions options;
  options.easiest_of = 1;
  options.simplify = 12;
  const auto size_limit = [&](bool parts_are_solved, bool wholes_are_solved) {
    Curriculum curriculum(options);
    std::size_t as_they_came = 0;
    for (int i = 0; i < 4000; ++i) {
      const Curriculum::Task task = curriculum.NextTask(*domain);
      const bool is_whole = task.origin == Curriculum::Origin::kAsItCame;
      if (is_whole) ++as_they_came;
      curriculum.Report(task.origin, is_whole ? wholes_are_solved : parts_are_solved, 4);
    }
    EXPECT_NEAR(static_cast<double>(as_they_came), 125, 50);
    return curriculum.size_limit();
  };
  EXPECT_EQ(size_limit(false, false), 12U);
  EXPECT_GT(size_limit(false, true), 30U) << "what cannot be solved in parts is not cut down";
  EXPECT_GT(size_limit(true, false), 30U);
}

TEST(CurriculumTest, AShareOfTheProblemsIsForAxiomsAlone) {
  const std::unique_ptr<Domain> domain = MakeDomain("sorting");
  const auto share = [&](double asked_for) {
    TrainOptions options;
    options.axioms_share = asked_for;
    Curriculum curriculum(options);
    int alone = 0;
    for (int i = 0; i < 400; ++i) alone += curriculum.NextTask(*domain).axioms_alone ? 1 : 0;
    return alone / 400.0;
  };
  EXPECT_EQ(share(0), 0);
  EXPECT_NEAR(share(0.3), 0.3, 0.1);
  EXPECT_EQ(share(1), 1);
}

TEST(CurriculumTest, AllTasksAreTheSameAfterRestoring) {
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  TrainOptions options;
  options.simplify = 10;
  Curriculum curriculum(options);
  const auto go_on = [&](Curriculum& of, int tasks) {
    std::string problems;
    for (int i = 0; i < tasks; ++i) {
      const Curriculum::Task task = of.NextTask(*domain);
      problems += task.problem + ";";
      of.Report(task.origin, i % 3 == 0, 2);
    }
    return problems;
  };
  go_on(curriculum, 900);
  Curriculum restored(options);
  restored.Restore(nlohmann::json::parse(curriculum.Save().dump()));
  EXPECT_EQ(go_on(restored, 200), go_on(curriculum, 200));
}

}  // namespace
}  // namespace conpole

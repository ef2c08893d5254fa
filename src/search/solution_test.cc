#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/error.h"
#include "conpole/search.h"
#include "search/scorers.h"
#include "tests/check_text.h"
#include "tests/repetitions.h"
#include "tests/search_fixtures.h"

namespace conpole {
namespace {

TEST(SolutionTest, EveryStepOfASolutionIsAnActionOfItsDomain) {
  for (const DomainType* const type : DomainTypes()) {
    const std::unique_ptr<Domain> domain = MakeDomain(type->name);
    std::vector<std::string> problems;
    for (std::uint64_t seed = 0; seed < Repetitions(40U, 8U); ++seed) problems.push_back(domain->Generate(seed));
    FunctionScorer scorer(ScoreMeaning::kLogPreference, [&](std::string_view, std::string_view candidate) {
      return type->heuristics.empty() ? 1.0F / static_cast<float>(candidate.size() + 1)
                                      : -type->heuristics.front().steps_to_go(candidate);
    });
    for (const SearchKind kind :
         {SearchKind::kGreedy, SearchKind::kBreadthFirst, SearchKind::kBeam, SearchKind::kBestFirst, SearchKind::kLevin}) {
      SearchOptions options;
      options.kind = kind;
      options.breadth_first.max_edges = 5000;
      options.beam.width = 20;
      options.best_first.max_expanded = 300;
      options.levin.max_expanded = 300;
      for (std::size_t i = 0; const SearchResult& result : SearchAll(*domain, scorer, problems, options)) {
        const std::string& problem = problems[i++];
        ASSERT_EQ(result.solved(), !result.path.empty());
        if (!result.solved()) continue;
        EXPECT_EQ(result.path.front(), problem);
        EXPECT_TRUE(domain->Solved(result.path.back()));
        const std::vector<std::string> labels = LabelsOfPath(*domain, result.path);
        ASSERT_EQ(labels.size(), result.steps());
        for (std::size_t step = 0; step < labels.size(); ++step) {
          EXPECT_EQ(Next(*domain, result.path[step], labels[step]), result.path[step + 1]) << problem;
        }
      }
    }
  }
}

TEST(SolutionTest, ShortPathsHaveNoLabels) {
  const std::unique_ptr<Domain> domain = MakeDomain("sorting");
  EXPECT_TRUE(LabelsOfPath(*domain, {}).empty());
  EXPECT_TRUE(LabelsOfPath(*domain, {"[=|==]"}).empty());
}

TEST(SolutionTest, TheFirstOfSeveralActionsNamesTheStep) {
  EXPECT_EQ(LabelsOfPath(*MakeDomain("sorting"), {"[==|=]", "[=|==]"}), std::vector<std::string>{"swap 0"});
}

TEST(SolutionTest, AStepThatIsNoActionIsAnError) {
  const std::unique_ptr<Domain> domain = MakeDomain("sorting");
  for (const Path& path : {Path{"[===|=|==]", "[=|==|===]"}, Path{"[=|==]", "[==|=]"}, Path{"nonsense", "[=]"}}) {
    try {
      LabelsOfPath(*domain, path);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), "'" + path[1] + "' is not a successor of '" + path[0] + "'");
    }
  }
}

}  // namespace
}  // namespace conpole

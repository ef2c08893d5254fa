// Abstractions from solutions to lessons: mined with the shipped model, kept in files, shown and opened by the tutor.
#include "tutor/abstraction_file.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "conpole/search.h"
#include "domains/axioms/abstract_domain.h"
#include "domains/axioms/abstraction_mining.h"
#include "nn/model.h"
#include "nn/network_kind.h"
#include "search/run_search.h"
#include "search/scorers.h"
#include "tests/check_text.h"
#include "tests/files.h"
#include "tests/repetitions.h"
#include "tutor/format.h"
#include "tutor/policy.h"
#include "tutor/tutor.h"

namespace conpole {
namespace {

constexpr const char* kText =
    "conpole abstractions 1 for equations\n"
    "sub+assoc+sub_self+add0: sub of LR; assoc @0:L; sub_self @0:R; add0 @1:\n";

// Greedy solutions of the problems from `first` on, in axioms.
std::vector<std::vector<AxiomStep>> Solutions(const Domain& domain, std::uint64_t first, std::uint64_t count) {
  setenv("CONPOLE_MODELS", CONPOLE_SOURCE "/models", 1);
  ThreadPool pool;
  const std::unique_ptr<Scorer> scorer = MakePolicy(domain, pool);
  std::vector<std::string> problems;
  for (std::uint64_t seed = first; seed < first + count; ++seed) problems.push_back(domain.Generate(seed));
  SearchOptions options;
  options.kind = SearchKind::kGreedy;
  std::vector<std::vector<AxiomStep>> solutions;
  for (const SearchResult& result : RunSearch(domain, *scorer, problems, options, pool)) {
    if (!result.solved()) continue;
    const std::vector<std::string> labels = LabelsOfPath(domain, result.path);
    std::vector<AxiomStep>& solution = solutions.emplace_back();
    for (std::size_t i = 0; i < labels.size(); ++i) solution.push_back({labels[i], result.path[i], result.path[i + 1]});
  }
  return solutions;
}

// The fewest steps of a domain that lead through states of a solution from its problem to its answer.
std::size_t FewestSteps(const Domain& domain, const std::vector<AxiomStep>& solution) {
  std::vector<std::size_t> fewest(solution.size() + 1);
  for (std::size_t at = solution.size(); at-- > 0;) {
    fewest[at] = fewest[at + 1] + 1;
    const Expansion expansion = ExpandCopy(domain, solution[at].before);
    for (std::size_t later = at + 1; later < solution.size(); ++later) {
      const std::string& target = solution[later].after;
      const bool reached = std::any_of(expansion.actions.begin(), expansion.actions.end(),
                                       [&](const auto& action) { return action.second == target; });
      if (reached) fewest[at] = std::min(fewest[at], fewest[later + 1] + 1);
    }
  }
  return fewest[0];
}

TEST(MinedAbstractionsTest, ShortenSolutionsOfProblemsThatTheyWereNotMinedFrom) {
  if (!kIsOptimised) GTEST_SKIP() << "without optimisation the network takes long";
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  const MinedAbstractions mined = MineAbstractions(*domain, Solutions(*domain, 100'000, 12));
  ASSERT_FALSE(mined.set.abstractions.empty());
  EXPECT_LT(mined.steps, mined.axioms);
  const std::unique_ptr<Domain> with = WithAbstractions(MakeDomain("equations"), mined.set);
  std::size_t axioms = 0;
  std::size_t steps = 0;
  for (const std::vector<AxiomStep>& solution : Solutions(*domain, 200'000, 4)) {
    axioms += solution.size();
    steps += FewestSteps(*with, solution);
  }
  ASSERT_GT(axioms, 0U);
  EXPECT_LT(static_cast<double>(steps), 0.85 * static_cast<double>(axioms)) << steps << " steps of " << axioms << " axioms";
}

class AbstractionFileTest : public FolderTest {};

TEST_F(AbstractionFileTest, AreReadFromTextAndFromModels) {
  std::ofstream(Path("some.abstractions")) << kText;
  const AbstractionSet set = ReadAbstractionFile(Path("some.abstractions"));
  EXPECT_EQ(FormatAbstractions(set), kText);

  Model model = RandomModel(TrainingArchitecture("lstm", {{"hidden", 8}, {"embedding", 4}, {"layers", 1}}), 1);
  model.metadata["domain"] = "equations";
  WriteModel(model, Path("without.safetensors"), WeightFormat::kFloat16);
  model.metadata[kAbstractionsKey] = kText;
  WriteModel(model, Path("with.safetensors"), WeightFormat::kFloat16);
  EXPECT_EQ(ReadAbstractionsOfModel(Path("with.safetensors")), kText);
  EXPECT_EQ(ReadModel(Path("with.safetensors")).metadata.at(kAbstractionsKey), kText);
  EXPECT_EQ(ReadAbstractionFile(Path("with.safetensors")), set);
  EXPECT_EQ(ReadAbstractionsOfModel(Path("without.safetensors")), "");
  EXPECT_EQ(ErrorOf([&] { ReadAbstractionFile(Path("without.safetensors")); }),
            Path("without.safetensors") + ": the model was trained without abstractions");
}

TEST_F(AbstractionFileTest, ErrorsNameTheFile) {
  EXPECT_TRUE(ErrorOf([&] { ReadAbstractionFile(Path("none")); }).starts_with(Path("none")));
  std::ofstream(Path("bad")) << "conpole abstractions 1 for equations\nx: eval\n";
  EXPECT_EQ(ErrorOf([&] { ReadAbstractionFile(Path("bad")); }),
            Path("bad") + ": line 2 of the abstractions: an abstraction has 2 to 32 steps, not 1");
  std::ofstream(Path("bad.safetensors")) << "no model";
  EXPECT_TRUE(ErrorOf([&] { ReadAbstractionsOfModel(Path("bad.safetensors")); }).starts_with(Path("bad.safetensors")));
}

// Prefers short texts, which is what an abstract step leads to.
TutorSolution SolveShown(const Domain& domain, Detail detail) {
  ThreadPool pool;
  const std::unique_ptr<Scorer> scorer = MakeScorer("length", domain.type(), 0);
  TutorOptions options;
  options.detail = detail;
  Tutor tutor(domain, *scorer, pool, options);
  return tutor.Solve("(x + 3) = 7", {.milliseconds = 600'000, .expansions = 2'000});
}

TEST(AbstractLessonTest, StepsAreShownAndOpened) {
  const std::unique_ptr<Domain> domain = WithAbstractions(MakeDomain("equations"), ParseAbstractions(kText));
  const TutorSolution solution = SolveShown(*domain, Detail::kBoth);
  ASSERT_TRUE(solution.solved());
  EXPECT_TRUE(solution.verified());
  ASSERT_EQ(solution.steps.size(), 2U);
  const TutorStep& first = solution.steps.front();
  EXPECT_EQ(first.label, "sub+assoc+sub_self+add0 3");
  EXPECT_EQ(first.text, "In one step: sub, assoc, sub_self, add0.");
  EXPECT_EQ(first.after, "x = (7 - 3)");
  ASSERT_EQ(first.axioms.size(), 4U);
  EXPECT_EQ(first.axioms.front().before, "(x + 3) = 7");
  EXPECT_EQ(first.axioms.front().axiom, "sub");
  EXPECT_EQ(first.axioms.back().after, first.after);
  EXPECT_TRUE(first.axioms_complete);
  EXPECT_TRUE(solution.steps.back().axioms.empty()) << "an axiom is no sequence";

  const std::string text = FormatSolution(*domain, solution, {Format::kText, Detail::kAxioms, false});
  EXPECT_EQ(text.find("In one step"), std::string::npos) << text;
  EXPECT_NE(text.find("x + 3 - 3 = 7 - 3"), std::string::npos) << text;
  EXPECT_NE(FormatSolution(*domain, solution, {Format::kText, Detail::kSchool, false}).find("In one step"), std::string::npos);
}

TEST(AbstractLessonTest, StepsAreAxiomsUnlessBothAreAskedFor) {
  const std::unique_ptr<Domain> domain = WithAbstractions(MakeDomain("equations"), ParseAbstractions(kText));
  const std::unique_ptr<Domain> axioms = MakeDomain("equations");
  for (const Detail detail : {Detail::kSchool, Detail::kAxioms}) {
    const TutorSolution solution = SolveShown(*domain, detail);
    ASSERT_TRUE(solution.solved());
    EXPECT_TRUE(solution.verified());
    EXPECT_EQ(solution.steps.size(), 5U);
    std::string state = "(x + 3) = 7";
    for (const TutorStep& step : solution.steps) {
      EXPECT_EQ(step.before, state);
      const Expansion expansion = ExpandCopy(*axioms, state);
      EXPECT_TRUE(std::any_of(expansion.actions.begin(), expansion.actions.end(), [&](const auto& action) {
        return action.first == step.label && action.second == step.after;
      })) << step.label;
      state = step.after;
    }
    EXPECT_EQ(state, solution.answer);
  }
}

TEST(AbstractLessonTest, HintsAndNextStepsAreAxioms) {
  const std::unique_ptr<Domain> domain = WithAbstractions(MakeDomain("equations"), ParseAbstractions(kText));
  ThreadPool pool;
  const std::unique_ptr<Scorer> scorer = MakeScorer("length", domain->type(), 0);
  Tutor tutor(*domain, *scorer, pool);
  const TutorHint hint = tutor.Hint("(x + 3) = 7", 3, {.milliseconds = 600'000, .expansions = 2'000});
  ASSERT_TRUE(hint.step);
  EXPECT_EQ(hint.step->label, "sub 3");
  EXPECT_EQ(hint.text.find("In one step"), std::string::npos) << hint.text;
  EXPECT_EQ(tutor.NextSteps("(x + 3) = 7").size(), ExpandCopy(*MakeDomain("equations"), "(x + 3) = 7").actions.size());

  TutorOptions both;
  both.detail = Detail::kBoth;
  Tutor shows_both(*domain, *scorer, pool, both);
  for (int level = 1; level <= Tutor::kHintLevels; ++level) {
    const TutorHint larger = shows_both.Hint("(x + 3) = 7", level, {.milliseconds = 600'000, .expansions = 2'000});
    EXPECT_NE(larger.text.find("sub, assoc"), std::string::npos) << larger.text;
  }
}

}  // namespace
}  // namespace conpole

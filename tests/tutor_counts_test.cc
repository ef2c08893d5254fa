// How often the tutor reads and analyses a problem. The linker puts the functions below between the tutor and what they count
// (see CMakeLists.txt), so nothing in the library knows of it.
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/successors.h"
#include "domains/school/algebra_text.h"
#include "math/expression.h"
#include "subjects/free_notation.h"
#include "tutor/format.h"
#include "tutor/policy.h"
#include "tutor/tutor.h"
#include "verify/algebra_meaning.h"
#include "verify/exact.h"

namespace conpole {
namespace {

int reads = 0;
int analyses = 0;
int lines_read = 0;
int meanings_read = 0;

}  // namespace

std::optional<Expression> RealRead(std::string_view) __asm__("__real_" CONPOLE_READ_CANONICAL);
std::optional<Expression> CountedRead(std::string_view) __asm__("__wrap_" CONPOLE_READ_CANONICAL);
std::optional<Expression> CountedRead(std::string_view text) {
  ++reads;
  return RealRead(text);
}

SolutionSet RealAnalysis(const Expression&) __asm__("__real_" CONPOLE_SOLVE_EXACTLY);
SolutionSet CountedAnalysis(const Expression&) __asm__("__wrap_" CONPOLE_SOLVE_EXACTLY);
SolutionSet CountedAnalysis(const Expression& equation) {
  ++analyses;
  return RealAnalysis(equation);
}

algebra::ReadResult RealReadLine(std::string_view) __asm__("__real_" CONPOLE_READ_LINE);
algebra::ReadResult CountedReadLine(std::string_view) __asm__("__wrap_" CONPOLE_READ_LINE);
algebra::ReadResult CountedReadLine(std::string_view text) {
  ++lines_read;
  return RealReadLine(text);
}

AlgebraMeaning RealReadMeaning(std::string_view) __asm__("__real_" CONPOLE_READ_MEANING);
AlgebraMeaning CountedReadMeaning(std::string_view) __asm__("__wrap_" CONPOLE_READ_MEANING);
AlgebraMeaning CountedReadMeaning(std::string_view text) {
  ++meanings_read;
  return RealReadMeaning(text);
}

namespace {

class TutorCountsTest : public testing::Test {
 protected:
  TutorCountsTest() {
    setenv("CONPOLE_MODELS", CONPOLE_SOURCE "/models", 1);
    policy_ = MakePolicy(*domain_, pool_);
    tutor_ = std::make_unique<Tutor>(*domain_, *policy_, pool_);
    reads = 0;
    analyses = 0;
  }

  ThreadPool pool_{1};
  std::unique_ptr<Domain> domain_ = MakeDomain("equations");
  std::unique_ptr<Scorer> policy_;
  std::unique_ptr<Tutor> tutor_;
};

// Expansions instead of time, so that results do not depend on the machine.
constexpr TutorBudget kSteady{.milliseconds = 600'000, .expansions = 2'000};

// It was read 26 times and analysed 6 times before problems were carried along.
TEST_F(TutorCountsTest, AProblemIsAnalysedOnceAndEveryLineReadOnce) {
  const std::string problem = ReadNotation(*domain_, "x + 3 = 11").state;
  EXPECT_EQ(reads, 1);  // to show how it was understood
  const TutorSolution solution = tutor_->Solve(problem, kSteady);
  ASSERT_TRUE(solution.verified());
  ASSERT_EQ(solution.steps.size(), 5U);
  EXPECT_EQ(analyses, 1);
  // The six lines, the 3 that is subtracted, and the answer where the search and the removal of detours meet it.
  EXPECT_LE(reads, 1 + 6 + 1 + 2);
  RecordProperty("reads", reads);
  const int before = reads;
  EXPECT_FALSE(FormatSolution(*domain_, solution, {Format::kText}).empty());
  EXPECT_FALSE(FormatSolution(*domain_, solution, {Format::kJson}).empty());
  EXPECT_EQ(reads, before);
}

TEST_F(TutorCountsTest, ListingNextStepsNeedsNoAnalysis) {
  const std::string state = domain_->Parse("t + 3 = 11").state;
  const std::size_t steps = tutor_->NextSteps(state).size();
  EXPECT_EQ(analyses, 0);
  EXPECT_LE(reads, static_cast<int>(2 * steps + 1));  // each line, and a term that its label names
}

TEST_F(TutorCountsTest, ACheckAnalysesEachLineOnce) {
  EXPECT_EQ(tutor_->Check(domain_->Parse("x + 3 = 11").state, "x = 11 - 3").kind, StepCheck::Kind::kProgress);
  EXPECT_EQ(analyses, 2);
}

// School algebra read the lines of this 22 times, before they were kept.
TEST(AlgebraCountsTest, EveryLineIsReadOnce) {
  ThreadPool pool(1);
  const std::unique_ptr<Domain> domain = MakeDomain("algebra");
  const std::unique_ptr<Scorer> policy = MakePolicy(*domain, pool);
  Tutor tutor(*domain, *policy, pool);
  lines_read = 0;
  meanings_read = 0;
  const TutorSolution solution = tutor.Solve(ReadNotation(*domain, "2x + 3 = 7").state, kSteady);
  ASSERT_TRUE(solution.verified());
  ASSERT_EQ(solution.steps.size(), 2U);
  EXPECT_LE(meanings_read, 3) << "the three lines";
  // The three lines, and the other lines that the search estimates: none of them twice.
  std::set<std::string> met{solution.problem};
  Successors successors;
  for (const std::string& line : {std::string("2x + 3 = 7"), std::string("2x = 4")}) {
    domain->Expand(line, Labels::kOff, successors);
    for (std::size_t i = 0; i < successors.size(); ++i) met.emplace(successors.state(i));
    successors.Clear();
  }
  EXPECT_LE(lines_read, static_cast<int>(met.size()) + 2);  // and the number that each sentence names
}

}  // namespace
}  // namespace conpole

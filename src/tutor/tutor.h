// The tutor of one domain: solves problems step by step, gives hints, lists what can be done next and judges a learner's lines.
// What it presents as an answer was verified against the problem (tutor/verify.h); what it could not verify, it does not show.
//
// A tutor uses a scorer, so one thread at a time may call its methods. It owns nothing that it is given.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "conpole/search.h"
#include "search/run_search.h"
#include "tutor/check_step.h"
#include "tutor/explain.h"
#include "tutor/verify.h"
#include "util/thread_pool.h"

namespace conpole {

// A limit is looked at between the rounds of a search, so it is exceeded by one round at the most.
struct TutorBudget {
  std::uint64_t milliseconds = 5'000;
  std::uint64_t expansions = 1'000'000;
  const std::atomic<bool>* stop = nullptr;  // ends the search, if given
};

struct TutorOptions {
  ExplainOptions explain;
  std::size_t max_steps = 60;  // of a solution, before detours are removed
};

struct TutorStep {
  std::string axiom;
  std::optional<std::size_t> position;  // of the subterm, digit or bar that the axiom is used on
  std::string label;
  std::string before;
  std::string after;
  std::string text;  // a sentence
};

enum class SolveStatus : std::uint8_t {
  kSolved,
  kNoSolution,        // an equation that no number solves
  kEveryNumber,       // an equation that every number solves for which it is defined
  kSeveralSolutions,  // an equation that more than one number solves, but not every one
  kUnsolved,          // no verified answer was found
};

struct TutorSolution {
  SolveStatus status = SolveStatus::kUnsolved;
  std::string problem;
  std::string answer;     // canonical text; of several solutions all, unless one is irrational
  bool verified = false;  // whether the status is known by exact means: of all but kUnsolved
  std::string message;    // the status in a sentence
  std::vector<TutorStep> steps;
  SearchOutcome outcome = SearchOutcome::kExhausted;  // of the last search
  std::uint64_t expanded = 0;                         // states
  double milliseconds = 0;

  bool solved() const { return status == SolveStatus::kSolved; }
};

struct TutorHint {
  SolveStatus status = SolveStatus::kUnsolved;  // of the state that the hint is for
  std::string text;
  // The step that the hint is about; nothing if the state is an answer, or has no solution with steps.
  std::optional<TutorStep> step;
};

struct NextStep {
  TutorStep step;
  double probability = 0;  // of the policy; of all next steps they add up to 1
};

class Tutor {
 public:
  static constexpr int kHintLevels = 3;
  static constexpr std::uint64_t kStepsPerLevel = 3;

  Tutor(const Domain& domain, Scorer& policy, ThreadPool& pool, TutorOptions options = {});

  const Domain& domain() const { return domain_; }
  const TutorOptions& options() const { return options_; }

  // All states given to these methods must be canonical text, as ReadNotation gives it.

  // 1. An equation is analysed: whether it has exactly one solution, and if not, what is the matter. Negations are written as
  //    products, -x as -1x, since there are no axioms for them; the problem of the result has them so.
  // 2. The policy is followed greedily, and then by beams of 2, 4, 8... states, until an answer is found that is right. Then
  //    detours are removed: of all ways through the states that the search met, the solution is a shortest.
  // 3. The solution is verified and explained.
  TutorSolution Solve(const std::string& problem, const TutorBudget& budget = {});
  // The same with one search instead of step 2, and with its limits. Throws Error if an option makes no sense.
  TutorSolution SolveWith(const std::string& problem, const SearchOptions& search);

  // Level 1 says what kind of step comes next, 2 which axiom and where, 3 the line that it leads to. Throws Error if there is
  // no such level.
  TutorHint Hint(const std::string& state, int level, const TutorBudget& budget = {});

  // Everything that can be done, the likeliest first.
  std::vector<NextStep> NextSteps(const std::string& state);

  // Closer means that a shorter solution is found from there. Each of the two lines gets the budget.
  StepCheck Check(const std::string& current, std::string_view line, const TutorBudget& budget = {});

  // A problem whose solution has about level * kStepsPerLevel steps: the first one from `seed` on that fits or, if that takes
  // too long, the one that comes closest.
  std::string Exercise(std::uint64_t level, std::uint64_t seed);

 private:
  struct Found {
    std::vector<std::string> path;
    SearchOutcome outcome = SearchOutcome::kExhausted;
  };
  class Spending;
  class VerifiedDomain;

  // Step 1. Whether there is exactly one solution to search for.
  bool Analyse(TutorSolution& solution) const;
  // Step 2.
  Found SearchWithGrowingBeams(const VerifiedDomain& domain, const std::string& problem, Spending& spending);
  // Step 3. Shows what was found if it is the right answer to what was asked.
  void Present(TutorSolution& solution, const std::string& asked, const Found& found) const;
  TutorStep MakeStep(std::string_view label, std::string before, std::string after) const;

  const Domain& domain_;
  Scorer& policy_;
  ThreadPool& pool_;
  TutorOptions options_;
};

// The model that comes with conpole for the domain or, where there is none, a simple scorer. The pool must outlive it.
std::unique_ptr<Scorer> MakePolicy(const Domain& domain, ThreadPool& pool);

// solved, no_solution, every_number, several_solutions or unsolved.
std::string_view NameOf(SolveStatus status);

}  // namespace conpole

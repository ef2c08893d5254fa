#include "conpole/solver.h"

#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "conpole/scorer.h"
#include "tutor/check_step.h"
#include "tutor/notation.h"
#include "tutor/policy.h"
#include "tutor/tutor.h"
#include "util/thread_pool.h"

namespace conpole {
namespace {

Verdict VerdictOf(StepCheck::Kind kind) {
  switch (kind) {
    case StepCheck::Kind::kSolved:
    case StepCheck::Kind::kProgress:
    case StepCheck::Kind::kNotCloser:
    case StepCheck::Kind::kCorrect:
      return Verdict::kRight;
    case StepCheck::Kind::kNotEquivalent:
    case StepCheck::Kind::kUnreadable:
      return Verdict::kWrong;
    case StepCheck::Kind::kCannotTell:
      break;
  }
  return Verdict::kCannotTell;
}

TutorOptions TutorOptionsOf(const SolverOptions& options) {
  TutorOptions tutor;
  tutor.explain.language = options.language;
  return tutor;
}

}  // namespace

struct Solver::Parts {
  Parts(std::string_view spec, SolverOptions given)
      : options(std::move(given)),
        pool(options.threads),
        domain(MakeDomain(spec)),
        policy(MakePolicy(*domain, pool, {.model = options.model, .scorer = {}})),
        tutor(*domain, *policy, pool, TutorOptionsOf(options)) {}

  TutorBudget Budget() const {
    TutorBudget budget;
    budget.milliseconds = options.milliseconds;
    budget.expansions = options.expansions;
    return budget;
  }

  SolverOptions options;
  ThreadPool pool;
  std::unique_ptr<Domain> domain;
  std::unique_ptr<Scorer> policy;
  Tutor tutor;
};

Solver::Solver(std::string_view domain, SolverOptions options) : parts_(std::make_unique<Parts>(domain, std::move(options))) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

const Domain& Solver::domain() const { return *parts_->domain; }

std::string Solver::Read(std::string_view problem) const {
  NotationResult read = ReadNotation(*parts_->domain, problem);
  if (read.error) throw Error(fmt::format("position {}: {}", read.error->position, read.error->message));
  return std::move(read.state);
}

Solver::Solution Solver::Solve(std::string_view problem) {
  TutorSolution found = parts_->tutor.Solve(Read(problem), parts_->Budget());
  Solution solution;
  solution.status = found.status;
  solution.verdict = found.verdict;
  solution.problem = std::move(found.problem);
  solution.answer = std::move(found.answer);
  solution.message = std::move(found.message);
  for (TutorStep& step : found.steps) {
    solution.steps.push_back({std::move(step.before), std::move(step.after), std::move(step.label), std::move(step.text)});
  }
  return solution;
}

std::string Solver::Hint(std::string_view problem, int level) {
  return parts_->tutor.Hint(Read(problem), level, parts_->Budget()).text;
}

Solver::LineCheck Solver::Check(std::string_view before, std::string_view line) {
  StepCheck checked = parts_->tutor.Check(Read(before), line, parts_->Budget());
  return {VerdictOf(checked.kind), checked.kind == StepCheck::Kind::kSolved, std::move(checked.state),
          std::move(checked.message)};
}

}  // namespace conpole

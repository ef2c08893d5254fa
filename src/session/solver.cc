#include "conpole/solver.h"

#include <utility>

#include "session/session.h"
#include "tutor/check_step.h"

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

SessionOptions SessionOptionsOf(std::string_view domain, SolverOptions&& given) {
  SessionOptions options;
  options.given_domain = MakeDomain(domain);
  options.language = std::move(given.language);
  options.policy.model = std::move(given.model);
  options.abstractions = std::move(given.abstractions);
  options.budget.milliseconds = given.milliseconds;
  options.budget.expansions = given.expansions;
  options.threads = given.threads;
  return options;
}

}  // namespace

struct Solver::Parts {
  Parts(std::string_view domain, SolverOptions&& options) : session(SessionOptionsOf(domain, std::move(options))) {}

  Session session;
};

Solver::Solver(std::string_view domain, SolverOptions options) : parts_(std::make_unique<Parts>(domain, std::move(options))) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

const Domain& Solver::domain() const { return parts_->session.domain(); }

std::string Solver::Read(std::string_view problem) const { return parts_->session.Read(problem); }

Solver::Solution Solver::Solve(std::string_view problem) {
  TutorSolution found = parts_->session.Solve(problem);
  Solution solution;
  solution.status = found.status;
  solution.verdict = found.verdict;
  solution.problem = std::move(found.problem);
  // What is known may be words alone: "x ≈ 1.167304".
  solution.answer = found.answer.empty() ? std::move(found.answer_notation) : std::move(found.answer);
  solution.message = std::move(found.message);
  for (TutorStep& step : found.steps) {
    solution.steps.push_back({std::move(step.before), std::move(step.after), std::move(step.label), std::move(step.text)});
  }
  return solution;
}

std::string Solver::Hint(std::string_view problem, int level, std::string_view tried) {
  return parts_->session.Hint(problem, level, tried).text;
}

Solver::LineCheck Solver::Check(std::string_view before, std::string_view line) {
  StepCheck checked = parts_->session.Check(before, line);
  return {VerdictOf(checked.kind), checked.kind == StepCheck::Kind::kSolved, std::move(checked.state),
          std::move(checked.message)};
}

}  // namespace conpole

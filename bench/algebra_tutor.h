// A tutor of school algebra on one core, as the benchmarks use it: guided by the domain's estimate of the lines left, without a
// network. One thread at a time may call it.
#pragma once

#include <memory>
#include <string>

#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "search/scorers.h"
#include "tutor/tutor.h"
#include "util/thread_pool.h"

namespace conpole::bench {

class AlgebraTutor {
 public:
  explicit AlgebraTutor(const std::string& spec = "algebra")
      : domain_(MakeDomain(spec)),
        scorer_(MakeHeuristicScorer(domain_->type().heuristics.front())),
        pool_(1),
        tutor_(*domain_, *scorer_, pool_) {}

  const Domain& domain() const { return *domain_; }
  TutorSolution Solve(const std::string& problem) { return tutor_.Solve(problem); }

 private:
  std::unique_ptr<Domain> domain_;
  std::unique_ptr<Scorer> scorer_;
  ThreadPool pool_;
  Tutor tutor_;
};

}  // namespace conpole::bench

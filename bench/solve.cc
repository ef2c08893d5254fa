// How long people wait for a solution: the tutor with the shipped models, from a canonical problem to verified steps, a problem
// at a time on all cores. Prints p50 and p95 per domain.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "conpole/domain.h"
#include "subjects/subject.h"
#include "tutor/policy.h"
#include "tutor/tutor.h"
#include "util/statistics.h"
#include "util/thread_pool.h"

namespace conpole::bench {
namespace {

constexpr TutorBudget kBudget{.milliseconds = 2'000};

void PrintDomain(const std::string& spec, std::uint64_t problems) {
  const std::unique_ptr<Domain> domain = MakeDomain(spec);
  ThreadPool pool;
  const std::unique_ptr<Scorer> policy = MakePolicy(*domain, pool);
  Tutor tutor(*domain, *policy, pool);
  std::vector<double> times;
  std::vector<double> lengths;
  std::uint64_t solved = 0;
  for (std::uint64_t seed = 0; seed < problems; ++seed) {
    const TutorSolution solution = tutor.Solve(domain->Generate(seed), kBudget);
    times.push_back(solution.milliseconds);
    if (solution.verified()) ++solved;
    if (solution.solved()) lengths.push_back(static_cast<double>(solution.steps.size()));
  }
  std::cout << fmt::format("| {} | {} of {} | {:.1f} | {:.0f} | {:.0f} |\n", spec, solved, problems, Mean(lengths),
                           Percentile(times, 0.5), Percentile(times, 0.95))
            << std::flush;
}

int Run(const std::vector<std::string>& arguments) {
  setenv("CONPOLE_MODELS", CONPOLE_SOURCE "/models", 0);
  const std::uint64_t problems = arguments.empty() ? 50 : std::stoull(arguments[0]);
  std::cout << "| domain | answered within 2 s | mean steps | p50 ms | p95 ms |\n|---|---|---|---|---|\n";
  for (const DomainType* const type : DomainTypes()) {
    PrintDomain(SubjectOf(*MakeDomain(type->name)).ExerciseSpec(type->name, 1, 4), problems);
  }
  return 0;
}

}  // namespace
}  // namespace conpole::bench

int main(int argc, char** argv) { return conpole::bench::Run({argv + 1, argv + argc}); }

// How well the tutor solves school algebra: 10,000 random problems of each family, one at a time on one core, without a
// network.
//   families [PROBLEMS OF EACH FAMILY [FAMILY...]]
// Every line of every solution is judged against the problem and against the line before it by tests/algebra_judge.h, which
// knows nothing of the domain's code. Prints a table, with times of the processor, so that it matters little what else the
// machine does; the exit status is 1 if a line or an answer is wrong.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/algebra_tutor.h"
#include "domains/school/algebra_problems.h"
#include "tests/algebra_judge.h"
#include "util/statistics.h"

namespace conpole::bench {
namespace {

struct Tally {
  std::size_t problems = 0;
  std::size_t answered = 0;    // with an answer that was verified
  std::size_t with_steps = 0;  // that lead to the answer
  std::size_t wrong = 0;       // with a line that is not equivalent to the problem or not what its label says
  std::vector<double> lines;
  std::vector<double> milliseconds;

  void Add(const Tally& other) {
    problems += other.problems;
    answered += other.answered;
    with_steps += other.with_steps;
    wrong += other.wrong;
    lines.insert(lines.end(), other.lines.begin(), other.lines.end());
    milliseconds.insert(milliseconds.end(), other.milliseconds.begin(), other.milliseconds.end());
  }
};

// Says what is wrong with a solution; nothing if every line is right.
std::string FaultOf(const TutorSolution& solution) {
  for (const TutorStep& step : solution.steps) {
    if (!SameAlgebra(solution.problem, step.after)) return fmt::format("{} is not equivalent to the problem", step.after);
    if (const auto fault = JudgeAlgebraStep(step.before, step.label, step.after)) {
      return fmt::format("{} | {} | {}: {}", step.before, step.label, step.after, *fault);
    }
  }
  if (!solution.answer.empty() && !SameAlgebra(solution.problem, solution.answer)) return "the answer is " + solution.answer;
  return {};
}

Tally Measure(const std::string& family, std::uint64_t problems) {
  AlgebraTutor tutor("algebra:family=" + family);
  Tally tally;
  for (std::uint64_t seed = 0; seed < problems; ++seed) {
    const std::string problem = tutor.domain().Generate(seed);
    const std::clock_t start = std::clock();
    const TutorSolution solution = tutor.Solve(problem);
    const std::clock_t end = std::clock();
    ++tally.problems;
    tally.milliseconds.push_back(1'000.0 * static_cast<double>(end - start) / CLOCKS_PER_SEC);
    const bool answered = solution.verified() && solution.status != SolveStatus::kUnsolved;
    if (answered) ++tally.answered;
    if (answered && solution.has_steps_to_answer()) {
      ++tally.with_steps;
      tally.lines.push_back(static_cast<double>(solution.steps.size()));
    } else {
      std::cerr << fmt::format("no steps: {} (seed {}): {}\n", problem, seed, solution.message);
    }
    if (const std::string fault = FaultOf(solution); !fault.empty()) {
      ++tally.wrong;
      std::cerr << fmt::format("wrong: {} (seed {}): {}\n", problem, seed, fault);
    }
  }
  return tally;
}

void Print(const std::string& name, const Tally& tally) {
  const auto share = [&](std::size_t count) {
    return 100.0 * static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(tally.problems, 1));
  };
  std::cout << fmt::format("| {} | {} | {:.2f}% | {:.2f}% | {} | {:.2f} | {:.0f} | {:.2f} | {:.2f} |\n", name, tally.problems,
                           share(tally.answered), share(tally.with_steps), tally.wrong, Mean(tally.lines),
                           Percentile(tally.lines, 1), Percentile(tally.milliseconds, 0.5),
                           Percentile(tally.milliseconds, 0.99))
            << std::flush;
}

int Run(const std::vector<std::string>& arguments) {
  const std::uint64_t problems = arguments.empty() ? 10'000 : std::stoull(arguments[0]);
  std::vector<std::string> families(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
  if (families.empty()) {
    for (const algebra::Family& family : algebra::Families()) families.emplace_back(family.name);
  }
  std::cout << "| family | problems | answered | with steps | wrong | mean lines | longest | p50 ms | p99 ms |\n"
               "|---|---|---|---|---|---|---|---|---|\n";
  Tally all;
  for (const std::string& family : families) {
    const Tally tally = Measure(family, problems);
    Print(family, tally);
    all.Add(tally);
  }
  Print("all", all);
  return all.wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace conpole::bench

int main(int argc, char** argv) { return conpole::bench::Run({argv + 1, argv + argc}); }

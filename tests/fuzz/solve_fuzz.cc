// Any text at all on the way that a problem takes by default: it is read in free notation, analysed, every line that follows is
// estimated by the heuristic, the nearest one is taken, and the answer that this leads to is verified.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "conpole/domain.h"
#include "domains/school/algebra_heuristic.h"
#include "domains/school/textbook.h"
#include "subjects/free_notation.h"
#include "subjects/subject.h"
#include "verify/exercise_meaning.h"

namespace {

void Require(bool condition, std::string_view what, std::string_view text) {
  if (condition) return;
  std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(what.size()), what.data(), static_cast<int>(text.size()), text.data());
  std::abort();
}

float Estimate(std::string_view state) {
  const float steps = conpole::algebra::StepsToGo(state);
  Require(std::isfinite(steps) && steps >= 0, "no distance", state);
  return steps;
}

// The successor with the least steps to go; empty if there is none.
std::string Nearest(const conpole::Domain& domain, std::string_view state) {
  conpole::Successors successors;
  domain.Expand(state, conpole::Labels::kOff, successors);
  std::string nearest;
  float least = 0;
  for (std::size_t i = 0; i < successors.size(); ++i) {
    const float steps = Estimate(successors.state(i));
    if (!nearest.empty() && steps >= least) continue;
    nearest = successors.state(i);
    least = steps;
  }
  return nearest;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::unique_ptr<conpole::Domain> algebra = conpole::MakeDomain("algebra");
  const conpole::NotationResult read = conpole::ReadNotation(*algebra, {reinterpret_cast<const char*>(data), size});
  if (read.error) return 0;
  const conpole::Subject& subject = conpole::SubjectOf(*algebra);
  const std::unique_ptr<conpole::Problem> problem = subject.Analyse(*algebra, subject.Understand(read.state));
  std::string state = problem->start;
  Estimate(state);
  constexpr int kMaxSteps = 12;
  for (int i = 0; i < kMaxSteps && !algebra->Solved(state); ++i) {
    std::string next = Nearest(*algebra, state);
    if (next.empty()) return 0;
    state = std::move(next);
  }
  if (!algebra->Solved(state)) return 0;
  // An exercise whose answer nobody can tell to be right has none.
  if (conpole::textbook::IsExercise(state)) {
    Require(conpole::SameExercise(problem->start, state).value_or(true), "a wrong answer", state);
  } else {
    Require(subject.Verify(*problem, subject.Understand(state)) != conpole::Verdict::kWrong, "a wrong answer", state);
  }
  return 0;
}

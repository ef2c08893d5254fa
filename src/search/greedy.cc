#include "search/greedy.h"

#include <utility>

namespace conpole {

std::unique_ptr<BeamSearch> MakeGreedyRollout(const Domain& domain, const std::string& problem, const GreedyOptions& options,
                                              StateTable memory) {
  BeamOptions beam;
  beam.width = 1;
  beam.max_steps = options.max_steps;
  beam.value = BeamValue::kLastScore;
  beam.take_solved_candidates = false;
  return std::make_unique<BeamSearch>(domain, problem, beam, std::move(memory));
}

}  // namespace conpole

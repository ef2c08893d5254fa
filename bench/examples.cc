#include "bench/examples.h"

#include <string>
#include <vector>

#include "bench/states.h"
#include "conpole/successors.h"

namespace conpole::bench {
namespace {

constexpr std::size_t kPairs = 33;  // of an example

}  // namespace

TrainingBatch ExamplesOf(const Domain& domain, std::size_t count) {
  const std::vector<std::string> states = RandomWalkStates(domain, count * 12);
  TrainingBatch batch;
  std::vector<Successors> lists(states.size());
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < states.size() && batch.examples() < count; ++i) {
    domain.Expand(states[i], Labels::kOff, lists[i]);
    for (std::size_t k = 0; k < lists[i].size() && pairs < kPairs; ++k, ++pairs)
      batch.AddPair(states[i], lists[i].state(k), pairs == 0 ? 1 : 0);
    if (pairs < kPairs) continue;
    batch.EndExample();
    pairs = 0;
  }
  batch.Seal();
  return batch;
}

}  // namespace conpole::bench

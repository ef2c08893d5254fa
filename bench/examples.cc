#include "bench/examples.h"

#include <string>
#include <vector>

#include "bench/states.h"
#include "conpole/successors.h"

namespace conpole::bench {

TrainingBatch ExamplesOf(const Domain& domain, std::size_t count, std::size_t pairs) {
  const std::vector<std::string> states = RandomWalkStates(domain, count * 12);
  TrainingBatch batch;
  std::vector<Successors> lists(states.size());
  std::size_t taken = 0;
  for (std::size_t i = 0; i < states.size() && batch.examples() < count; ++i) {
    domain.Expand(states[i], Labels::kOff, lists[i]);
    for (std::size_t k = 0; k < lists[i].size() && taken < pairs; ++k, ++taken)
      batch.AddPair(states[i], lists[i].state(k), taken == 0 ? 1 : 0);
    if (taken < pairs) continue;
    batch.EndExample();
    taken = 0;
  }
  batch.Seal();
  return batch;
}

}  // namespace conpole::bench

// The examples that benchmarks of learning work on. All are the same in every run.
#pragma once

#include <cstddef>

#include "conpole/domain.h"
#include "train/loop/training_batch.h"

namespace conpole::bench {

// Examples of the successors of random states, as many states as it takes: each the right one and the others of as many pairs.
TrainingBatch ExamplesOf(const Domain& domain, std::size_t count, std::size_t pairs = 33);

}  // namespace conpole::bench

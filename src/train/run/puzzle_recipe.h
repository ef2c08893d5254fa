// What the recipe says about puzzles that are domain files: those that nobody has tuned anything for. Any thread may call it.
#pragma once

#include "conpole/fixed_layout.h"
#include "train/run/options.h"

namespace conpole {

// Walks as long as the puzzle needs, a value beside the policy, and on a GPU a network by how many states there are.
void AdaptToPuzzle(const FixedLayout& layout, bool on_gpu, TrainOptions& options);

}  // namespace conpole

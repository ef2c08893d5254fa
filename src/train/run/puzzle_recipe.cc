#include "train/run/puzzle_recipe.h"

#include "domains/puzzles/permutation_group.h"
#include "train/loop/walks.h"

namespace conpole {

void AdaptToPuzzle(const FixedLayout& layout, bool on_gpu, TrainOptions& options) {
  options.walk_length = EstimateWalkLength(layout);
  options.value_weight = 0.1;
  constexpr double kManyStates = 40;  // the logarithm of about 2e17, between those of the 15-puzzle and of the 3x3x3 cube
  if (on_gpu && PuzzleGroup(layout).LogOfStates() > kManyStates) {
    options.network.sizes = {{"wide", 4096}, {"hidden", 1024}, {"blocks", 4}};
  }
}

}  // namespace conpole

// For tests of learners: a small batch for any loss, and networks that are small.
#pragma once

#include <string>
#include <string_view>

#include "nn/lstm_encoder.h"
#include "nn/network_kind.h"
#include "train/loop/learner.h"
#include "train/loop/training_batch.h"

namespace conpole {

inline std::string NameOf(Loss loss) {
  return loss == Loss::kContrastive ? "Contrastive" : loss == Loss::kBinary ? "Binary" : "Squared";
}

inline TrainingBatch ExampleBatch() {
  TrainingBatch batch;
  batch.AddPair("2x = 4", "x = (4 / 2)", 1);
  batch.AddPair("2x = 4", "(2x - x) = (4 - x)", 0);
  batch.AddPair("3x = 4", "3x = (4 + 0)", 0);
  batch.EndExample();
  batch.AddPair("x = (4 / 2)", "x = 2", 1);
  batch.AddPair("x = (4 / 2)", "(x + 1) = ((4 / 2) + 1)", 0);
  batch.EndExample();
  batch.Seal();
  return batch;
}

// Of other losses the scores are what a state is worth.
inline Architecture SmallNetwork(std::string_view kind, int layers, Loss loss) {
  Architecture architecture =
      kind == "lstm" ? Lstm({.embedding = 8, .hidden = 16, .layers = layers}) : TrainingArchitecture(kind, {{"hidden", 24}});
  architecture.head = loss == Loss::kContrastive ? Head::kBilinear : Head::kValue;
  return architecture;
}

}  // namespace conpole

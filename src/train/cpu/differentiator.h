// The loss of a batch and its gradient by all weights of a network that reads texts, on the CPU in 32 bits. One per thread; all
// may share the weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "nn/alphabet.h"
#include "train/cpu/encoder_gradients.h"
#include "train/cpu/network_weights.h"
#include "train/loop/learner.h"
#include "train/loop/training_batch.h"

namespace conpole {

class Differentiator {
 public:
  // To be made before the weights are packed. Both must outlive it.
  Differentiator(NetworkWeights& weights, const TextReader& reader);

  // LossOf (train/cpu/losses.h) with the weights as they were packed last; adds its gradient to `gradients`, which has an entry
  // per weight.
  double Run(const TrainingBatch& batch, Loss loss, double weight, float* gradients);

 private:
  // A linear layer, which takes rows to rows.
  struct Layer {
    const WeightMatrix& matrix;
    std::size_t bias;
  };
  void Forward(const Layer& layer, const Rows& in, Rows& out);
  void Backward(const Layer& layer, const Rows& in, const Rows& of_out, Rows& of_in, float* gradients);
  // The texts whose vectors scores depend on, a row each.
  void ReadTexts(const TrainingBatch& batch);
  void ScoreBilinear(const TrainingBatch& batch);
  void ScoreByValue(const TrainingBatch& batch);
  // With the gradients of the scores: those of vectors_.
  void BilinearBackward(const TrainingBatch& batch, float* gradients);
  void ValueBackward(const TrainingBatch& batch, float* gradients);

  const NetworkWeights& weights_;
  const TextReader& reader_;
  bool is_bilinear_;
  std::unique_ptr<EncoderGradients> encoder_;
  Layer first_;
  Layer second_;
  const WeightMatrix* form_ = nullptr;  // of the bilinear head
  std::size_t value_ = 0;               // of the value head
  std::size_t value_bias_ = 0;
  RowProducts products_;

  conpole::ReadTexts memory_;
  std::vector<std::string_view> texts_;
  std::vector<std::uint32_t> row_of_text_;
  std::vector<std::uint32_t> parents_;        // rows of texts that are parents
  std::vector<std::uint32_t> parent_of_row_;  // where a row stands among them
  Rows below_;
  Rows middle_;
  Rows vectors_;
  Rows forms_;  // of the parents
  Rows of_below_;
  Rows of_middle_;
  Rows of_vectors_;
  Rows of_forms_;
  std::vector<float> scores_;
  std::vector<float> of_scores_;
};

}  // namespace conpole

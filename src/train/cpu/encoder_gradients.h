// From texts to what the linear layers at the end of a network take, and the way back, for learning on the CPU: one class per
// kind of network. One thread at a time may use each.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "train/cpu/network_weights.h"

namespace conpole {

class EncoderGradients {
 public:
  virtual ~EncoderGradients() = default;

  // A row per text, with the weights as they were packed last. The texts have a byte per character and must stay until
  // Backward.
  virtual void Forward(std::span<const std::string_view> texts, Rows& out) = 0;
  // After Forward, with the gradients of its rows: adds those of the weights.
  virtual void Backward(const Rows& of_out, float* gradients) = 0;
};

// LSTM layers. Beginnings that texts share, and ends that they share, go through the first layer once, and so does what the
// second layer takes from them.
std::unique_ptr<EncoderGradients> MakeLstmGradients(NetworkWeights& weights);
// The mean over windows of characters.
std::unique_ptr<EncoderGradients> MakeBagGradients(NetworkWeights& weights);

}  // namespace conpole

// The network on the LSTM of oneDNN 2, to compare our own kernels with. The header needs no oneDNN. One thread at a time may
// use an encoder; oneDNN itself runs on all cores.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "nn/model.h"

namespace conpole::bench {

enum class OnednnPrecision : std::uint8_t { kFloat32, kBfloat16 };

class OnednnEncoder {
 public:
  OnednnEncoder(const Model& model, OnednnPrecision precision);
  ~OnednnEncoder();

  // Writes the vectors of all texts, one after the other. Texts of equal length go through together.
  void Encode(std::span<const std::string_view> texts, std::span<float> vectors);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// Operations per second of a large matrix product.
double OnednnProductRate(OnednnPrecision precision);

}  // namespace conpole::bench

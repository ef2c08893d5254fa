// The kind "lstm" (nn/lstm_encoder.h) with LibTorch, and with kernels of our own where they fit.
#pragma once

#include <memory>

#include "nn/architecture.h"
#include "torch/text_encoder.h"

namespace conpole {

std::shared_ptr<TextEncoder> MakeLstmTextEncoder(const Architecture& architecture, const TextEncoderOptions& options);

}  // namespace conpole

// The kind "bag" (nn/bag_encoder.h) with LibTorch.
#pragma once

#include <memory>

#include "nn/architecture.h"
#include "torch/text_encoder.h"

namespace conpole {

std::shared_ptr<TextEncoder> MakeBagTextEncoder(const Architecture& architecture, const TextEncoderOptions& options);

}  // namespace conpole

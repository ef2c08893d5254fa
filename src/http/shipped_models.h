// The models that come with conpole, as files beside the program (nn/shipped_models.h), for a service. One thread at a time.
#pragma once

#include <optional>
#include <string>

#include "service/model_shelf.h"

namespace conpole {

class ShippedModels final : public ModelSource {
 public:
  bool Has(const std::string& file) const override;
  std::optional<Model> Read(const std::string& file) override;
};

}  // namespace conpole

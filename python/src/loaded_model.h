// A model as Python holds it: its weights, and an encoder that any thread may use.
#pragma once

#include <string>

#include "nn/encoder.h"
#include "nn/model.h"

namespace conpole::python {

struct LoadedModel {
  explicit LoadedModel(const std::string& path) : model(ReadModel(path)), encoder(model) {}

  const Model model;
  const Encoder encoder;
};

}  // namespace conpole::python

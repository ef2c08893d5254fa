// A model as Python holds it: its weights, and the encoder and head made from them. Immutable; any thread may use it.
#pragma once

#include <memory>
#include <string>

#include "nn/encoder.h"
#include "nn/head.h"
#include "nn/model.h"

namespace conpole::python {

struct LoadedModel {
  explicit LoadedModel(const std::string& path) : model(ReadModel(path)), encoder(MakeEncoder(model)), head(MakeHead(model)) {}

  const Model model;
  const std::unique_ptr<const Encoder> encoder;
  const std::unique_ptr<const ScoringHead> head;
};

}  // namespace conpole::python

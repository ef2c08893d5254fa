// A model as Python holds it: its weights, and the encoder and head made from them. A model that reads states of a fixed layout
// has the layout of the domain that it is for, and no head. Immutable; any thread may use it.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "conpole/fixed_layout.h"
#include "nn/encoder.h"
#include "nn/head.h"
#include "nn/model.h"
#include "nn/residual_network.h"
#include "tutor/policy.h"

namespace conpole::python {

struct LoadedModel {
  explicit LoadedModel(const std::string& path) : LoadedModel(ReadModel(path)) {}
  explicit LoadedModel(Model read)
      : model(std::move(read)),
        layout(ReadsLayout(model) ? LayoutOf(model) : nullptr),
        encoder(layout != nullptr ? std::unique_ptr<Encoder>(new ResidualEncoder(model, *layout)) : MakeEncoder(model)),
        head(layout != nullptr ? nullptr : MakeHead(model)) {}

  const Model model;
  const FixedLayout* const layout;
  const std::unique_ptr<const Encoder> encoder;
  const std::unique_ptr<const ScoringHead> head;

 private:
  static const FixedLayout* LayoutOf(const Model& model) {
    const auto domain = model.metadata.find("domain");
    if (domain == model.metadata.end()) throw Error("the model does not say which domain it is for");
    return &LayoutFor(*MakeDomain(domain->second), model);
  }
};

}  // namespace conpole::python

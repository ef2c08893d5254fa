// A model as Python holds it: its weights, the encoder and head made from them, and the domain in whose notation it is given
// texts. A model that reads states of a fixed layout has the layout of the domain that it is for, and no head. Immutable; any
// thread may use it.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "conpole/fixed_layout.h"
#include "domains/files/domain_file.h"
#include "nn/encoder.h"
#include "nn/head.h"
#include "nn/model.h"
#include "nn/residual_network.h"
#include "tutor/policy.h"

namespace conpole::python {

struct LoadedModel {
  // Reads the file. Texts are read in the domain that is given or, without one, in the one that the model was trained for, if
  // it comes with conpole; a model that is for any domain, and none is given, takes texts as they are. Throws Error, also if
  // the model is for another domain than the one that is given and not for any.
  explicit LoadedModel(const std::string& file, std::shared_ptr<const Domain> given = nullptr, bool for_any_domain = false)
      : LoadedModel(ReadModel(file), file, std::move(given), for_any_domain) {}
  // The same for a model that was read already; errors call it by the name.
  LoadedModel(Model read, std::string name, std::shared_ptr<const Domain> given, bool for_any_domain)
      : path(std::move(name)),
        any_domain(for_any_domain),
        model(std::move(read)),
        domain(given != nullptr || any_domain ? std::move(given) : OwnDomain(model)),
        layout(ReadsLayout(model) ? LayoutOf(model) : nullptr),
        encoder(layout != nullptr ? std::unique_ptr<Encoder>(new ResidualEncoder(model, *layout)) : MakeEncoder(model)),
        head(layout != nullptr ? nullptr : MakeHead(model)) {
    if (domain != nullptr) RequireFor(*domain);
  }

  // Throws Error if the model is for another domain and not for any.
  void RequireFor(const Domain& other) const {
    if (!any_domain) RequireModelFor(other, model, path);
  }

  const std::string path;
  const bool any_domain;
  const Model model;
  const std::shared_ptr<const Domain> domain;  // null: texts are taken as they are
  const FixedLayout* const layout;
  const std::unique_ptr<const Encoder> encoder;
  const std::unique_ptr<const ScoringHead> head;

 private:
  static const FixedLayout* LayoutOf(const Model& model) {
    const std::string spec = DomainOfModel(model);
    if (spec.empty()) throw Error("the model does not say which domain it is for");
    return &LayoutFor(*MakeDomain(spec), model);
  }

  // By its name alone: parameters say how problems are made, not how states are written, and may name files that are elsewhere.
  static std::shared_ptr<const Domain> OwnDomain(const Model& model) {
    const std::string spec = DomainOfModel(model);
    if (model.metadata.contains(kDomainFileKey)) return MakeDomain(spec);
    const std::string name = spec.substr(0, spec.find(':'));
    for (const DomainType* const type : DomainTypes()) {
      if (type->name == name) return MakeDomain(name);
    }
    return nullptr;
  }
};

}  // namespace conpole::python

// Abstractions in files: a text of their own (domains/axioms/abstractions.h), or the metadata of a model that was trained with
// them. Any thread may call any of this.
#pragma once

#include <string>

#include "conpole/domain.h"
#include "domains/axioms/abstractions.h"

namespace conpole {

// Where a model keeps the text of its abstractions.
inline constexpr const char* kAbstractionsKey = "abstractions";

// Of a file of either kind. A model of several domains has those of each: then the domain must be given. Throws Error, which
// names the file, if it is neither, or a model without abstractions.
AbstractionSet ReadAbstractionFile(const std::string& path, const Domain* domain = nullptr);
// The text that a model has; empty if it has none. Throws Error, which names the file, if it is no model.
std::string ReadAbstractionsOfModel(const std::string& path, const Domain* domain = nullptr);

}  // namespace conpole

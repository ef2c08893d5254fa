// Abstractions in files: a text of their own (domains/abstractions.h), or the metadata of a model that was trained with them.
// Any thread may call any of this.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "conpole/domain.h"
#include "domains/abstractions.h"

namespace conpole {

// Where a model keeps the text of its abstractions.
inline constexpr const char* kAbstractionsKey = "abstractions";

// Of a file of either kind; of a model without abstractions none, for the domain that it was trained for. Throws Error, which
// names the file, if it is neither.
AbstractionSet ReadAbstractionFile(const std::string& path);
// The text that a model has; empty if it has none. Throws Error, which names the file, if it is no model.
std::string ReadAbstractionsOfModel(const std::string& path);
// The domain with the abstractions that a model with these metadata was trained with, if there are any. Throws Error, which
// calls the model by its name, if they are not for this domain.
std::unique_ptr<Domain> WithAbstractionsOf(const std::map<std::string, std::string>& metadata, const std::string& name,
                                           std::unique_ptr<Domain> domain);

}  // namespace conpole

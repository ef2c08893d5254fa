// The domain that a command names: one that comes with conpole, or python:MODULE.CLASS.
#pragma once

#include <memory>
#include <string_view>

#include "conpole/domain.h"

namespace conpole::cli {

// Whether the text names a domain written in Python.
bool IsPythonSpec(std::string_view spec);

// For a domain written in Python conpole-torch takes over: to be called before anything that must not be done twice. Throws
// Error if there is no such domain, or no Python in this build.
std::unique_ptr<Domain> MakeAnyDomain(std::string_view spec);

}  // namespace conpole::cli

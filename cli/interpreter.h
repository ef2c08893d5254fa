// The seam to an interpreter of Python, which conpole-torch has inside where it was built with one. The commands know this
// header alone; what is behind it is linked in: python/src/program_interpreter.cc, or without_python.cc, which refuses.
#pragma once

#include <memory>
#include <string_view>

#include "conpole/domain.h"

namespace conpole::cli {

// The domain that a class in Python is, by its MODULE.CLASS, or MODULE.CLASS:NAME=VALUE,... with parameters. There only after
// RequireTorch (torch_engine.h). Made and destroyed by the main thread, one at a time; any thread may use it. Throws Error if
// there is no such domain, or no Python in this build.
std::unique_ptr<Domain> MakePythonDomain(std::string_view path);

}  // namespace conpole::cli

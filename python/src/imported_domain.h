// A domain written in Python for a program that is not: it brings an interpreter along.
#pragma once

#include <memory>
#include <string_view>

#include "conpole/domain.h"

namespace conpole::python {

// The domain MODULE.CLASS or MODULE.CLASS:NAME=VALUE,..., where the class is derived from conpole.PyDomain and takes the
// parameters by name. Modules are looked for in the current folder, in PYTHONPATH and among those that are installed: in the
// virtual environment that is active, or else for the interpreter that the program was built with.
//
// The interpreter lives as long as the domain. One domain at a time, made and destroyed by the main thread; any thread may use
// it meanwhile. Throws Error if there is no such domain. What the code of the domain raises becomes an Error, too.
std::unique_ptr<Domain> ImportDomain(std::string_view path);

}  // namespace conpole::python

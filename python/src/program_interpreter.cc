// The program's seam to Python (cli/interpreter.h), filled with an interpreter.
#include "cli/interpreter.h"
#include "python/src/imported_domain.h"

namespace conpole::cli {

std::unique_ptr<Domain> MakePythonDomain(std::string_view path) { return python::ImportDomain(path); }

}  // namespace conpole::cli

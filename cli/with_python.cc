// torch_engine.h in a conpole-torch with Python.
#include "cli/torch_engine.h"
#include "python/src/imported_domain.h"

namespace conpole::cli {

std::unique_ptr<Domain> MakePythonDomain(std::string_view path) { return python::ImportDomain(path); }

}  // namespace conpole::cli

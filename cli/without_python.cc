// interpreter.h in a conpole-torch without Python, and in conpole, where conpole-torch takes over before it is needed.
#include "cli/interpreter.h"
#include "conpole/error.h"

namespace conpole::cli {

std::unique_ptr<Domain> MakePythonDomain(std::string_view /*path*/) {
  throw Error(
      "domains written in Python need a conpole that was configured with -DCONPOLE_PYTHON=ON and found Python's library");
}

}  // namespace conpole::cli

// conpole's side of torch_engine.h: conpole-torch takes over before any of it is needed.
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "cli/torch_engine.h"
#include "conpole/error.h"
#include "util/program_path.h"

namespace conpole::cli {
namespace {

char** given_arguments = nullptr;  // of main, which end with null

}  // namespace

void RememberArguments(char** arguments) { given_arguments = arguments; }

const TorchEngine& RequireTorch() {
  const std::optional<std::filesystem::path> self = ProgramPath();
  // It is looked for nowhere else: what the current folder has must not be run.
  if (!self)
    throw Error("this needs LibTorch, and so conpole-torch beside conpole; but the system does not tell where that is");
  const std::filesystem::path other = self->parent_path() / "conpole-torch";
  execv(other.c_str(), given_arguments);
  const int failure = errno;
  if (failure == ENOENT) {
    throw Error(fmt::format("this needs LibTorch, which conpole was built without: there is no {}", other.string()));
  }
  throw Error(
      fmt::format("this needs LibTorch: {} cannot be run: {}", other.string(), std::generic_category().message(failure)));
}

}  // namespace conpole::cli

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

// It is looked for nowhere else: what the current folder has must not be run.
std::optional<std::filesystem::path> OtherProgram() {
  const std::optional<std::filesystem::path> self = ProgramPath();
  if (!self) return {};
  return self->parent_path() / "conpole-torch";
}

}  // namespace

void RememberArguments(char** arguments) { given_arguments = arguments; }

// Loading LibTorch takes seconds, and it can use no GPU for which the system has no device.
std::string BestDevice() {
  const std::optional<std::filesystem::path> other = OtherProgram();
  const bool may_have_gpu =
      access("/dev/nvidiactl", F_OK) == 0 || access("/dev/kfd", F_OK) == 0 || access("/dev/dxg", F_OK) == 0;
  if (may_have_gpu && other && access(other->c_str(), X_OK) == 0) RequireTorch();
  return "cpu";
}

const TorchEngine& RequireTorch() {
  const std::optional<std::filesystem::path> other = OtherProgram();
  if (!other)
    throw Error("this needs LibTorch, and so conpole-torch beside conpole; but the system does not tell where that is");
  execv(other->c_str(), given_arguments);
  const int failure = errno;
  if (failure == ENOENT) {
    throw Error(fmt::format("this needs LibTorch, which conpole was built without: there is no {}", other->string()));
  }
  throw Error(
      fmt::format("this needs LibTorch: {} cannot be run: {}", other->string(), std::generic_category().message(failure)));
}

}  // namespace conpole::cli

#include "util/program_path.h"

#include <sys/auxv.h>

#include <system_error>

namespace conpole {

std::optional<std::filesystem::path> ProgramPath() {
  std::error_code failure;
  std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", failure);
  if (!failure && path.is_absolute()) return path;
  // Without /proc: the path that the kernel was asked to run. A relative one still leads to the same file, as nothing here
  // changes the current folder.
  const auto* const executed = reinterpret_cast<const char*>(getauxval(AT_EXECFN));  // NOLINT: an address as a number
  if (executed == nullptr) return std::nullopt;
  path = std::filesystem::canonical(executed, failure);
  if (failure) return std::nullopt;
  return path;
}

}  // namespace conpole

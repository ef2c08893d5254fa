// Where the running program is. Any thread may ask.
#pragma once

#include <filesystem>
#include <optional>

namespace conpole {

// The file that is running, as an absolute path without symbolic links; nothing if the system does not tell. Never a guess from
// the current folder or from PATH, so that what stands beside the program can be trusted as much as the program.
std::optional<std::filesystem::path> ProgramPath();

}  // namespace conpole

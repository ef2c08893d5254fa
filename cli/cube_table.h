// conpole reproduce cube.
#pragma once

#include "cli/command.h"

namespace conpole::cli {

// Adds it to the commands of reproduce.
void AddCubeTable(CLI::App& reproduce, Action& action);

}  // namespace conpole::cli

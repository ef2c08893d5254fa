// conpole reproduce cube.
#pragma once

#include "cli/command.h"

namespace conpole::cli {

// Adds it to the commands of reproduce.
void AddCubeTable(Command& reproduce);

}  // namespace conpole::cli

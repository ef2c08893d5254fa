// conpole reproduce table3.
#pragma once

#include "cli/command.h"

namespace conpole::cli {

// Adds it to the commands of reproduce.
void AddTable3(Command& reproduce);

}  // namespace conpole::cli

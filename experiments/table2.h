// conpole reproduce table2.
#pragma once

#include "cli/command.h"

namespace conpole::cli {

// Adds it to the commands of reproduce.
void AddTable2(Command& reproduce);

}  // namespace conpole::cli

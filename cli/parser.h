// Reads the arguments of the program by the description of its commands, and writes its help. For the main thread.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace conpole::cli {

// Reads the arguments (without the program's name) into what the options of `program` and its commands refer to, and does what
// was asked for: the help, the version or the action of the command. Returns the exit status.
//
// An option begins with two minus signs, like --seed; -h is the only other one. All else is a text, like the problem -x = 9 or
// the folder -run, and so is everything after a "--". Texts keep their order.
//
// Throws Error, which names what was meant if that can be guessed, for a command or an option that there is not, a value that
// is missing, empty or wrong, and texts that are too few or too many.
int RunCommand(Command& program, const std::vector<std::string>& arguments);

// Prints the help of the program, or of the command that the names lead to, and returns the exit status. Throws Error if there
// is none.
int PrintHelpOf(Command& program, const std::vector<std::string>& names);

}  // namespace conpole::cli

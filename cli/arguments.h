// What of the arguments is an option and what is a text, decided before the parser of options sees them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace conpole::cli {

// The arguments of `program` (without its name) in the order that its parser needs: commands, options with their values, "--",
// texts. Begins with two minus signs: an option, like --seed, but also -h. All else is a text, like the problem -x = 9 or the
// folder -run; and so is everything after a "--". Commands get all their texts, in order and as they were written.
//
// Throws Error for a command or an option that there is not.
std::vector<std::string> SortArguments(CLI::App& program, const std::vector<std::string>& arguments);

// The message about a command that there is not.
std::string NoSuchCommand(std::string_view name);

}  // namespace conpole::cli

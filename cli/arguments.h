// What of the arguments is an option and what is a text, decided before the parser of options sees them; and lists in options.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace conpole::cli {

// The arguments of `program` (without its name) in the order that its parser needs: commands, options with their values, "--",
// texts. An option begins with two minus signs, like --seed; -h is the only other one. All else is a text, like the problem
// -x = 9 or the folder -run, and so is everything after a "--". Texts keep their order.
//
// Throws Error for a command or an option that there is not.
std::vector<std::string> SortArguments(CLI::App& program, const std::vector<std::string>& arguments);

// Adds what a command takes besides options: at least `min` texts and at the most `max`, each as it was written, which the
// parser's own lists do not promise: they take [1,2] apart. `texts` must outlive the parsing. Once for a command.
void AddTexts(CLI::App& command, const std::string& name, std::vector<std::string>& texts, std::size_t min, std::size_t max,
              const std::string& meaning);

// The parts of a list that an option takes, which are between commas; empty ones are left out.
std::vector<std::string> SplitAtCommas(std::string_view text);

// The message about a command that there is not.
std::string NoSuchCommand(std::string_view name);

}  // namespace conpole::cli

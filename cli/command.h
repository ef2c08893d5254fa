// What a command is. The command NAME has one file, NAME.cc, which defines the function AddName, and one line in the list in
// CMakeLists.txt, from which the table that main.cc goes through is made.
#pragma once

#include <functional>
#include <string>

#include <CLI/CLI.hpp>

namespace conpole::cli {

// Exit statuses. Bad usage (and every Error) is kBadInput.
inline constexpr int kOk = 0;
inline constexpr int kSomeFailed = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kInterrupted = 130;  // as shells say it for Ctrl-C

// What a command does once its options are read; returns the exit status.
using Action = std::function<int()>;

// Adds a subcommand with its options to the program. When it is chosen, `action` is set.
using AddCommand = void (*)(CLI::App& program, Action& action);

// What the program does without a command.
int Tour();

}  // namespace conpole::cli

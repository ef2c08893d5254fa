// Drawing with gnuplot, which runs as a child process without a shell.
#pragma once

#include <string>
#include <string_view>

namespace conpole::cli {

// Any text as a string of a gnuplot script, in quotes. Control characters, and bytes that are not UTF-8, are replaced.
std::string GnuplotQuoted(std::string_view text);

// Returns what the script prints, which is the picture if it sets no output. Throws Error if gnuplot is not installed or fails.
std::string RunGnuplot(const std::string& script);

}  // namespace conpole::cli

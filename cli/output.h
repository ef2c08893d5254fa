// Output of the commands: JSON objects one per line, each flushed, so that they work in pipes. For the main thread.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "conpole/message.h"

namespace conpole::cli {

using Json = nlohmann::ordered_json;

// All three throw Error if standard output cannot be written.
void PrintText(std::string_view text);
void PrintLine(std::string_view text);
// Bytes that are not UTF-8 (in an echoed input) are replaced.
void PrintJsonLine(const Json& object);

// Text from outside as a message may show it: one line of UTF-8 in which nothing is a command to a terminal. Line ends become
// blanks; other control characters, and bytes that are not UTF-8, are written by their codes, like \x1b.
std::string Printable(std::string_view text);

// The same for a message that may quote what somebody wrote: of each long quotation, and of the whole, it has the beginning.
std::string PrintableMessage(std::string_view message);

// What went wrong, in words for whoever uses the program: that of an Error, and nothing of how C++ calls a lack of memory.
Message MessageOf(const std::exception& error);

// Tries a path before the work whose result will be written there. Throws Error if there can be no such file.
void RequirePlaceFor(const std::string& path);

}  // namespace conpole::cli

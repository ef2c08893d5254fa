// Output of the commands: JSON objects one per line, each flushed, so that they work in pipes.
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

namespace conpole::cli {

using Json = nlohmann::ordered_json;

// Both throw Error if standard output cannot be written.
void PrintLine(std::string_view text);
// Bytes that are not UTF-8 (in an echoed input) are replaced.
void PrintJsonLine(const Json& object);

}  // namespace conpole::cli

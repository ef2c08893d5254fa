// Reads the part of YAML that openapi.yaml is written in: maps and lists in blocks and in one line, plain and quoted texts,
// numbers, folded texts (>-). No anchors, no tags, no texts over several lines but folded ones. Any thread may use it.
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

namespace conpole {

// Throws Error, with the line, for anything else.
nlohmann::ordered_json ReadYaml(std::string_view text);

}  // namespace conpole

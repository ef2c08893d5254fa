// The description of the API as a page that people read: without scripts, and with nothing from elsewhere. Any thread may use
// it.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace conpole {

// HTML of an OpenAPI document; its styles are at docs.css beside it.
std::string WriteApiPage(const nlohmann::ordered_json& document);
std::string_view ApiPageStyles();

}  // namespace conpole

// The seam to JavaScript, and with it the readers of all requests: first the operation, then a blank and the
// request. After "model:NAME " the rest is a model's file. Whatever comes, there is an answer in JSON with a status that fits
// it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "web/engine/engine.h"

namespace {

using Json = nlohmann::json;

void Require(bool condition) {
  if (!condition) std::abort();
}

// The same request with searches that end soon, if it is one that could search.
std::string WithShortSearches(std::string_view request) {
  Json json = Json::parse(request, nullptr, false);
  if (!json.is_object()) return std::string(request);
  for (const char* const name : {"milliseconds", "expansions"}) {
    if (!json.contains(name) || json[name].is_number_unsigned()) json[name] = 20;
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

void conpole_progress(const char* json, std::size_t size) { Require(Json::accept(json, json + size)); }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(input.find(' '), input.size());
  const std::string_view operation = input.substr(0, end);
  const std::string_view rest = input.substr(std::min(end + 1, input.size()));
  int status = 0;
  if (operation.starts_with("model:")) {
    const std::string_view name = operation.substr(6);
    status = conpole_hand_over(name.data(), name.size(), rest.data(), rest.size());
  } else {
    const std::string request = WithShortSearches(rest);
    status = conpole_call(operation.data(), operation.size(), request.data(), request.size());
  }
  Require(status == 200 || (status >= 400 && status < 500));
  const Json answer = Json::parse(std::string_view(conpole_answer(), conpole_answer_size()), nullptr, false);
  Require(answer.is_object());
  if (status != 200) Require(answer.at("status") == status);
  return 0;
}

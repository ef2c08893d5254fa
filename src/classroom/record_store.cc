#include "classroom/record_store.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "util/read_file.h"
#include "util/text.h"

namespace conpole {
namespace {

constexpr std::size_t kMaxRecordStoreBytes = std::size_t{64} << 10;

bool IsOnOneLine(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f; });
}

}  // namespace

std::string RecordStore::Origin() const {
  const std::size_t scheme = endpoint.find("://");
  return scheme == std::string::npos ? "" : endpoint.substr(0, endpoint.find('/', scheme + 3));
}

RecordStore ReadRecordStore(const std::string& path) {
  const nlohmann::json file = nlohmann::json::parse(ReadRegularFile(path, kMaxRecordStoreBytes), nullptr, false);
  if (!file.is_object()) throw Error(fmt::format("{} is no JSON object with 'endpoint' and 'auth'", Shown(path)));
  RecordStore store;
  for (const auto& [name, value] : file.items()) {
    std::string* const field = name == "endpoint" ? &store.endpoint : name == "auth" ? &store.auth : nullptr;
    if (field == nullptr) throw Error(fmt::format("{} has '{}'; 'endpoint' and 'auth' are known", Shown(path), name));
    if (!value.is_string() || !IsOnOneLine(value.get<std::string>())) {
      throw Error(fmt::format("'{}' in {} must be a text on one line", name, Shown(path)));
    }
    *field = value.get<std::string>();
  }
  const bool has_origin = store.endpoint.starts_with("https://") || store.endpoint.starts_with("http://");
  if (!has_origin && !store.endpoint.starts_with('/')) {
    throw Error(fmt::format("'endpoint' in {} must be an address (https://lrs.example/xapi) or a path (/xapi)", Shown(path)));
  }
  return store;
}

}  // namespace conpole

#include "tutor/catalogue.h"

#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "tutor/catalogue_data.h"
#include "util/text.h"

namespace conpole {
namespace {

// Nothing if a slot is not given.
std::optional<std::string> Fill(std::string_view sentence, const Catalogue::Slots& slots) {
  std::string filled;
  while (true) {
    const std::size_t open = sentence.find('{');
    filled += sentence.substr(0, open);
    if (open == std::string_view::npos) return filled;
    const std::size_t close = sentence.find('}', open);
    const auto slot = slots.find(sentence.substr(open + 1, close - open - 1));
    if (slot == slots.end()) return std::nullopt;
    filled += slot->second;
    sentence.remove_prefix(close + 1);
  }
}

}  // namespace

Catalogue::Catalogue(std::string_view json) : entries_(nlohmann::json::parse(json).get<Entries>()) {}

std::vector<std::string> Catalogue::Languages() {
  std::vector<std::string> languages;
  for (const auto& [language, json] : kCatalogues) languages.emplace_back(language);
  return languages;
}

const Catalogue& Catalogue::Find(std::string_view language) {
  static const std::map<std::string, Catalogue, std::less<>> catalogues = [] {
    std::map<std::string, Catalogue, std::less<>> read;
    for (const auto& [name, json] : kCatalogues) read.emplace(name, Catalogue(json));
    return read;
  }();
  const auto found = catalogues.find(language);
  if (found == catalogues.end()) throw Error(fmt::format("unknown language '{}'; there are: {}", language, Join(Languages())));
  return found->second;
}

std::string Catalogue::Sentence(std::string_view id, const Slots& slots) const {
  const auto entry = entries_.find(id);
  if (entry == entries_.end()) throw Error(fmt::format("the catalogue has no sentence '{}'", id));
  for (const std::string& sentence : entry->second) {
    if (std::optional<std::string> filled = Fill(sentence, slots)) return std::move(*filled);
  }
  throw Error(fmt::format("the sentences '{}' need more than was given", id));
}

}  // namespace conpole

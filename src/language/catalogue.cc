#include "language/catalogue.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "language/catalogue_data.h"
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

bool Catalogue::Has(std::string_view language) {
  const std::vector<std::string> languages = Languages();
  return std::find(languages.begin(), languages.end(), language) != languages.end();
}

const Catalogue& Catalogue::Find(std::string_view language) {
  struct Place {
    std::once_flag once;
    std::optional<Catalogue> catalogue;
  };
  static std::array<Place, std::size(kCatalogues)> places;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (kCatalogues[i].first != language) continue;
    Place& place = places[i];
    std::call_once(place.once, [&] { place.catalogue = Catalogue(kCatalogues[i].second); });
    return *place.catalogue;
  }
  throw Error(Message("unknown language '{}'; there are: {}", language, Join(Languages())));
}

std::string Catalogue::Sentence(std::string_view id, const Slots& slots) const {
  const auto entry = entries_.find(id);
  if (entry == entries_.end()) throw Error(Message("the catalogue has no sentence '{}'", id));
  for (const std::string& sentence : entry->second) {
    if (std::optional<std::string> filled = Fill(sentence, slots)) return std::move(*filled);
  }
  throw Error(Message("the sentences '{}' need more than was given", id));
}

const std::map<std::string, std::string, std::less<>>& ErrorSentences(std::string_view language) {
  using Sentences = std::map<std::string, std::string, std::less<>>;
  static const std::map<std::string_view, Sentences> sentences = [] {
    std::map<std::string_view, Sentences> read;
    for (const auto& [of, json] : kErrors) read.emplace(of, nlohmann::json::parse(json).get<Sentences>());
    return read;
  }();
  static const Sentences none;
  const auto found = sentences.find(language);
  return found == sentences.end() ? none : found->second;
}

std::string SayIn(std::string_view language, const Message& message) {
  if (language == "en") return message.english();
  const auto& sentences = ErrorSentences(language);
  const auto sentence = sentences.find(message.id());
  if (sentence == sentences.end()) return message.english();
  if (message.slots().empty()) return sentence->second;
  return Message::Filled(sentence->second, [&](std::size_t slot) { return SayIn(language, message.slots().at(slot)); });
}

std::optional<std::string> Catalogue::Filled(std::string_view sentence, const Slots& slots) { return Fill(sentence, slots); }

}  // namespace conpole

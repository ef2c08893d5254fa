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

// How a sentence begins, and each of its slots with the text up to the next.
struct Pattern {
  explicit Pattern(std::string_view sentence) {
    std::size_t open = sentence.find('{');
    beginning = sentence.substr(0, open);
    while (open != std::string_view::npos) {
      const std::size_t close = sentence.find('}', open);
      const std::size_t next = sentence.find('{', close);
      const std::size_t length = next == std::string_view::npos ? next : next - close - 1;
      slots.emplace_back(sentence.substr(open + 1, close - open - 1), sentence.substr(close + 1, length));
      open = next;
    }
  }

  // What fills the slots, each with as little text as possible; nothing if the message is not of this pattern.
  std::optional<Catalogue::Slots> Match(std::string_view message) const {
    if (!message.starts_with(beginning)) return std::nullopt;
    message.remove_prefix(beginning.size());
    Catalogue::Slots filled;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const auto& [name, rest] = slots[i];
      const bool last = i + 1 == slots.size();
      if (last && !message.ends_with(rest)) return std::nullopt;
      const std::size_t end = last ? message.size() - rest.size() : message.find(rest, 1);
      if (end == std::string_view::npos || end == 0 || end > message.size()) return std::nullopt;
      filled.emplace(name, message.substr(0, end));
      message.remove_prefix(end + rest.size());
    }
    return message.empty() ? std::optional(std::move(filled)) : std::nullopt;
  }

  std::size_t literal_size() const {
    std::size_t size = beginning.size();
    for (const auto& [name, rest] : slots) size += rest.size();
    return size;
  }

  std::string beginning;
  std::vector<std::pair<std::string, std::string>> slots;
};

struct ErrorEntry {
  std::string id;
  Pattern pattern;
};

// Those that say most first.
const std::vector<ErrorEntry>& ErrorEntries() {
  static const std::vector<ErrorEntry> entries = [] {
    std::vector<ErrorEntry> found;
    for (const auto& [id, sentences] : Catalogue::Find("en").entries()) {
      if (id.starts_with("error.")) found.push_back({id, Pattern(sentences.front())});
    }
    std::stable_sort(found.begin(), found.end(), [](const ErrorEntry& a, const ErrorEntry& b) {
      return a.pattern.literal_size() > b.pattern.literal_size();
    });
    return found;
  }();
  return entries;
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
  throw Error(fmt::format("unknown language '{}'; there are: {}", language, Join(Languages())));
}

std::string Catalogue::Sentence(std::string_view id, const Slots& slots) const {
  const auto entry = entries_.find(id);
  if (entry == entries_.end()) throw Error(fmt::format("the catalogue has no sentence '{}'", id));
  for (const std::string& sentence : entry->second) {
    if (std::optional<std::string> filled = Fill(sentence, slots)) return std::move(*filled);
  }
  throw Error(fmt::format("the sentences '{}' need more than was given", id));
}

std::string Catalogue::Translated(std::string_view message) const {
  for (const ErrorEntry& entry : ErrorEntries()) {
    std::optional<Slots> slots = entry.pattern.Match(message);
    if (!slots) continue;
    // Slots are shorter than the message, so this ends.
    for (auto& [name, text] : *slots) text = Translated(text);
    return Sentence(entry.id, *slots);
  }
  return std::string(message);
}

std::optional<std::string> Catalogue::Filled(std::string_view sentence, const Slots& slots) { return Fill(sentence, slots); }

}  // namespace conpole

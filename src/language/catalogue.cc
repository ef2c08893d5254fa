#include "language/catalogue.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "language/catalogue_data.h"
#include "language/signs.h"
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

using Errors = std::map<std::string, std::string, std::less<>>;

template <class Value>
Value ReadAs(std::string_view json) {
  return nlohmann::json::parse(json).get<Value>();
}

const LanguageFiles* FilesOf(std::string_view language) {
  const auto* const found = std::find_if(std::begin(kLanguageFiles), std::end(kLanguageFiles),
                                         [&](const LanguageFiles& files) { return files.language == language; });
  return found == std::end(kLanguageFiles) ? nullptr : found;
}

const LanguageFiles& RequireFilesOf(std::string_view language) {
  if (const LanguageFiles* const files = FilesOf(language)) return *files;
  throw Error(Message("unknown language '{}'; there are: {}", language, Join(Catalogue::Languages())));
}

// What is said in a language.
struct Said {
  Catalogue catalogue;
  Errors errors;
};

// What is said, by language, once it was asked for or handed over. What is in it stays as it is.
class Shelf {
 public:
  static Shelf& Get() {
    static Shelf shelf;
    return shelf;
  }

  // Null if the language is not here.
  const Said* Find(std::string_view language) {
    const std::lock_guard lock(mutex_);
    if (const auto found = said_.find(language); found != said_.end()) return &found->second;
    const LanguageFiles* const files = FilesOf(language);
    if (files == nullptr || files->catalogue.empty()) return nullptr;
    Said said{Catalogue(ReadAs<Catalogue::Entries>(files->catalogue)),
              files->errors.empty() ? Errors{} : ReadAs<Errors>(files->errors)};
    return &said_.emplace(language, std::move(said)).first->second;
  }

  void Put(std::string_view language, Said said) {
    const std::lock_guard lock(mutex_);
    said_.emplace(language, std::move(said));
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Said, std::less<>> said_;
};

}  // namespace

std::vector<std::string> Catalogue::Languages() {
  std::vector<std::string> languages;
  for (const LanguageFiles& files : kLanguageFiles) languages.emplace_back(files.language);
  return languages;
}

bool Catalogue::Has(std::string_view language) { return FilesOf(language) != nullptr; }

bool Catalogue::IsHere(std::string_view language) { return Shelf::Get().Find(language) != nullptr; }

void Catalogue::HandOver(std::string_view language, std::string_view json) {
  RequireFilesOf(language);
  if (IsHere(language)) return;
  try {
    const nlohmann::json given = nlohmann::json::parse(json);
    Entries entries = given.at("catalogue").get<Entries>();
    for (const auto& [id, sentences] : Find("en").entries()) entries.try_emplace(id, sentences);
    Shelf::Get().Put(language, {Catalogue(std::move(entries)), given.at("errors").get<Errors>()});
  } catch (const nlohmann::json::exception&) {
    throw Error(Message("this is not the text of the language '{}'", language));
  }
}

const Catalogue& Catalogue::Find(std::string_view language) {
  RequireFilesOf(language);
  if (const Said* const said = Shelf::Get().Find(language)) return said->catalogue;
  throw Error(Message("the language '{}' is needed, and it is not here", language));
}

std::string Catalogue::Sentence(std::string_view id, const Slots& slots) const {
  const auto entry = entries_.find(id);
  if (entry == entries_.end()) throw Error(Message("the catalogue has no sentence '{}'", id));
  for (const std::string& sentence : entry->second) {
    if (std::optional<std::string> filled = Filled(sentence, slots)) return *filled;
  }
  throw Error(Message("the sentences '{}' need more than was given", id));
}

const std::string* Catalogue::Pattern(std::string_view id) const {
  const auto entry = entries_.find(id);
  return entry == entries_.end() || entry->second.empty() ? nullptr : &entry->second.front();
}

const Catalogue::Entries& ReadingWords(std::string_view language) {
  static const std::map<std::string_view, Catalogue::Entries> words = [] {
    std::map<std::string_view, Catalogue::Entries> read;
    for (const LanguageFiles& files : kLanguageFiles) read.emplace(files.language, ReadAs<Catalogue::Entries>(files.reading));
    return read;
  }();
  return words.at(RequireFilesOf(language).language);
}

const std::vector<std::string>& WordsOfAllLanguages(std::string_view entry) {
  static const Catalogue::Entries all = [] {
    Catalogue::Entries together;
    for (const LanguageFiles& files : kLanguageFiles) {
      for (const auto& [id, words] : ReadingWords(files.language)) {
        std::vector<std::string>& list = together[id];
        for (const std::string& word : words) {
          if (std::find(list.begin(), list.end(), word) == list.end()) list.push_back(word);
        }
      }
    }
    return together;
  }();
  const auto found = all.find(entry);
  if (found == all.end()) throw Error(Message("the catalogue has no sentence '{}'", entry));
  return found->second;
}

const Errors& ErrorSentences(std::string_view language) {
  static const Errors none;
  const Said* const said = Shelf::Get().Find(language);
  return said == nullptr ? none : said->errors;
}

std::string SayIn(std::string_view language, const Message& message) {
  if (language == "en") return message.english();
  const auto& sentences = ErrorSentences(language);
  const auto sentence = sentences.find(message.id());
  if (sentence == sentences.end()) return message.english();
  if (message.slots().empty()) return sentence->second;
  return Message::Filled(sentence->second, [&](std::size_t slot) { return SayIn(language, message.slots().at(slot)); });
}

std::optional<std::string> Catalogue::Filled(std::string_view sentence, const Slots& slots) {
  std::optional<std::string> filled = Fill(sentence, slots);
  return filled ? std::optional(WithSigns(*filled)) : filled;
}

}  // namespace conpole

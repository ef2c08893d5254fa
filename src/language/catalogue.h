// The sentences of the tutor, by language. languages.json lists the languages; docs/adding-a-language.md says which files each
// has. catalogue/LANGUAGE.json has, for each id, one or more sentences with slots like {term}; the first one whose slots can
// all be filled is used. A catalogue is read when it is first asked for, and immutable; any thread may use it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conpole/message.h"

namespace conpole {

class Catalogue {
 public:
  using Slots = std::map<std::string, std::string, std::less<>>;
  using Entries = std::map<std::string, std::vector<std::string>, std::less<>>;

  explicit Catalogue(Entries entries) : entries_(std::move(entries)) {}

  // Throws Error if there is no such language, in which case the message lists those there are, or if it is not here.
  static const Catalogue& Find(std::string_view language);
  static std::vector<std::string> Languages();
  static bool Has(std::string_view language);

  // All languages are here from the start, but for WebAssembly: there only English is. The others are handed over as the text
  // {"catalogue": ..., "errors": ...} of their files; a sentence that it lacks is said in English. Handing over what is here
  // already changes nothing. Throws Error if there is no such language, or if the text is none of a language.
  static bool IsHere(std::string_view language);
  static void HandOver(std::string_view language, std::string_view json);

  // Throws Error if there is no such entry, or if every sentence of it needs a slot that is not given.
  std::string Sentence(std::string_view id, const Slots& slots) const;

  // The first sentence of an entry, with its slots; null if there is no such entry.
  const std::string* Pattern(std::string_view id) const;

  // A sentence with its slots filled; nothing if one of them is not given.
  static std::optional<std::string> Filled(std::string_view sentence, const Slots& slots);

  const Entries& entries() const { return entries_; }

 private:
  Entries entries_;
};

// The words that are read in any language, those inside lines and those around problems, and the decimal sign:
// reading/LANGUAGE.json. Always here. Throws Error if there is no such language.
const Catalogue::Entries& ReadingWords(std::string_view language);
// An entry of them in all languages together. Throws Error if there is no such entry.
const std::vector<std::string>& WordsOfAllLanguages(std::string_view entry);

// A message in words of this language: by errors/LANGUAGE.json, and in English where that has no such sentence.
std::string SayIn(std::string_view language, const Message& message);

// What there is in that file, by the sentences in English; nothing for English, and for a language that is not here.
const std::map<std::string, std::string, std::less<>>& ErrorSentences(std::string_view language);

}  // namespace conpole

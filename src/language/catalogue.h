// The sentences of the tutor, by language. src/language/catalogue/LANGUAGE.json has, for each id, one or more sentences with
// slots like {term}; the first one whose slots can all be filled is used. A new language is a new file and its name in
// CMakeLists.txt; a test compares the languages. A catalogue is read when it is first asked for, and immutable; any
// thread may use it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/message.h"

namespace conpole {

class Catalogue {
 public:
  using Slots = std::map<std::string, std::string, std::less<>>;
  using Entries = std::map<std::string, std::vector<std::string>, std::less<>>;

  // Throws Error if there is no such language; the message lists those there are.
  static const Catalogue& Find(std::string_view language);
  static std::vector<std::string> Languages();
  static bool Has(std::string_view language);

  // Throws Error if there is no such entry, or if every sentence of it needs a slot that is not given.
  std::string Sentence(std::string_view id, const Slots& slots) const;

  // A sentence with its slots filled; nothing if one of them is not given.
  static std::optional<std::string> Filled(std::string_view sentence, const Slots& slots);

  const Entries& entries() const { return entries_; }

 private:
  explicit Catalogue(std::string_view json);

  Entries entries_;
};

// A message in words of this language: by src/language/errors/LANGUAGE.json, and in English where that has no such sentence.
std::string SayIn(std::string_view language, const Message& message);

// What there is in that file, by the sentences in English; nothing for English.
const std::map<std::string, std::string, std::less<>>& ErrorSentences(std::string_view language);

}  // namespace conpole

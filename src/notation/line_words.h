// The words inside lines of algebra ("x = 2 or x = 3", "no solution") and the decimal sign, in every language of the catalogue.
// The domain knows the English ones and the point. Any thread may call any of this.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "notation/notation.h"

namespace conpole {

// A line of algebra, or a part of one, as the domain writes it or as LaTeX of that, in the words of a language. Throws Error if
// there is no such language.
std::string LocaliseLine(std::string_view language, Script script, std::string text);

// The words of some language at the beginning of a text, and what the domain writes for them.
struct LineWords {
  std::size_t length = 0;
  std::string_view meaning;
};
std::optional<LineWords> FindLineWords(std::string_view text);

// Whether a language writes decimals with a comma. False for a language that there is not.
bool HasDecimalComma(std::string_view language);

}  // namespace conpole

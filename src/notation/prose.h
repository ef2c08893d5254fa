// The words that people write around a problem: "Solve for x: 2x + 3 = 7", "Was ist 1/2 + 1/3?", "a) 2x = 4". Any thread may
// call any of this.
#pragma once

#include <string>
#include <string_view>

namespace conpole {

// The text with blanks in place of such words at its beginning and its end, with the punctuation that belongs to them, so that
// positions stay as they are. A text without them is unchanged.
std::string WithoutProse(std::string_view text);

// Whether more than words was left out: a number, or a letter that the rest does not have.
bool LeavesOutMore(std::string_view text, std::string_view rest);

// Whether a word is one that stands around problems, in any language, whatever its case.
bool IsProse(std::string_view word);

}  // namespace conpole

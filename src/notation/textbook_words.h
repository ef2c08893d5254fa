// The text of an exercise in pieces: LaTeX and Unicode as plain signs, words of mathematics, and formulas between them.
// Pure functions: any thread may call any of this.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace conpole {

// LaTeX and Unicode as plain signs. Braces around an argument become brackets.
std::string PlainExercise(std::string_view text);

// Whether a word, in small letters, stands around exercises. What has others is a problem in words.
bool IsExerciseWord(std::string_view word);

// Words, and mathematics between them.
struct TextPiece {
  bool is_word = false;
  std::string text;     // of words in small letters
  bool begins = false;  // a sentence, perhaps: a word after its end or with a capital letter
};
std::vector<TextPiece> SplitIntoPieces(std::string text);

// Without sentences on how to answer: "Please enter ...", "(Note: ...)".
std::string WithoutRemarks(const std::string& text);

}  // namespace conpole

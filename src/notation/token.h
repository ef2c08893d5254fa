// The words of free notation: what plain text, Unicode and LaTeX have in common once their spelling is gone. Plain data; any
// thread may call any of this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace conpole {

struct Token {
  enum class Kind : std::uint8_t {
    kNumber,     // digits
    kVulgar,     // a fraction in one character: digits over under
    kLetter,     // symbol is the letter
    kOperator,   // symbol is one of + - * / = or ':' for a division sign
    kOpen,       // symbol is one of ( [ {
    kClose,      // symbol is one of ) ] }
    kSeparator,  // symbol is one of , ;
    kFraction,   // \frac, with two groups to follow
    kPower,      // ^; of a raised digit like ², digits are the exponent
    kRelation,   // <, not equal and the like
    kWord,       // sqrt, sin and the like
    kMark,       // symbol is one of # | '
    kOther,
    kEnd,
  };
  Kind kind = Kind::kOther;
  char symbol = 0;
  bool after_blank = false;
  std::size_t begin = 0;  // bytes in the text
  std::size_t end = 0;
  std::string digits;        // without a point
  std::size_t decimals = 0;  // how many of them come after the point
  std::string under;         // of kVulgar

  bool Is(Kind k, char s) const { return kind == k && symbol == s; }
};

// The last one is kEnd. Any text has tokens.
std::vector<Token> Tokenize(std::string_view text);

// A token as an error message shows it.
std::string ShownToken(const Token& token, std::string_view text);

}  // namespace conpole

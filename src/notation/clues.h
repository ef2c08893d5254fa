// What a text in free notation looks like, for guessing which domain it is a problem of. Each subject says how telling what it
// sees is (Subject::Guess). Reads the text once; one thread at a time per object.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "notation/token.h"

namespace conpole {

// How telling a clue is, from nothing to certain. The subject with the most telling one is the guess.
enum class Clue : std::uint8_t {
  kNone,
  kNothingElse,  // no more than that people write such texts
  kContents,     // it has what problems of this domain have
  kShape,        // as a whole it is built like a problem of this domain
  kSymbols,      // its symbols are those of this domain
  kRelation,     // it states something about two sides
  kOwnNotation,  // only this domain writes so
};

class Clues {
 public:
  // A text without the words around it, and with them.
  Clues(std::string_view text, std::string_view with_words) : text_(text), with_words_(with_words), tokens_(Tokenize(text)) {}

  std::string_view text() const { return text_; }
  // Whether one of the words around the text begins so, with a capital or without.
  bool Says(std::string_view beginning) const;
  const std::vector<Token>& tokens() const { return tokens_; }

  template <class Predicate>
  bool Any(const Predicate& predicate) const {
    return std::any_of(tokens_.begin(), tokens_.end(), predicate);
  }
  bool Has(Token::Kind kind) const {
    return Any([&](const Token& token) { return token.kind == kind; });
  }
  // One of these operators.
  bool HasSign(std::string_view symbols) const {
    return Any([&](const Token& token) {
      return token.kind == Token::Kind::kOperator && symbols.find(token.symbol) != std::string_view::npos;
    });
  }
  // There are letters, and all are of these.
  bool LettersAreOf(std::string_view set) const {
    return Has(Token::Kind::kLetter) && !Any([&](const Token& token) {
             return token.kind == Token::Kind::kLetter && set.find(token.symbol) == std::string_view::npos;
           });
  }
  // There are letters, and a number stands right after each: c3 b5.
  bool LettersHaveNumbers() const;
  // A mantissa and its exponent: 12e3.
  bool HasExponent() const;

 private:
  std::string_view text_;
  std::string_view with_words_;
  std::vector<Token> tokens_;
};

}  // namespace conpole

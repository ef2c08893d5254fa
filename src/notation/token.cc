#include "notation/token.h"

#include <algorithm>
#include <array>
#include <utility>

#include "util/text.h"

namespace conpole {
namespace {

using Kind = Token::Kind;

// How something else than an ASCII character is spelled, and what it is.
struct Spelling {
  std::string_view text;
  Kind kind;
  char symbol = 0;
  std::string_view digits = {};
  std::string_view under = {};
};

// A blank, and what is skipped without being one. No token has these symbols.
constexpr char kBlank = ' ';
constexpr char kNothing = '\\';

constexpr std::array kUnicode{Spelling{"−", Kind::kOperator, '-'},
                              Spelling{"–", Kind::kOperator, '-'},
                              Spelling{"—", Kind::kOperator, '-'},
                              Spelling{"‐", Kind::kOperator, '-'},
                              Spelling{"‑", Kind::kOperator, '-'},
                              Spelling{"×", Kind::kOperator, '*'},
                              Spelling{"·", Kind::kOperator, '*'},
                              Spelling{"⋅", Kind::kOperator, '*'},
                              Spelling{"∙", Kind::kOperator, '*'},
                              Spelling{"•", Kind::kOperator, '*'},
                              Spelling{"∗", Kind::kOperator, '*'},
                              Spelling{"÷", Kind::kOperator, ':'},
                              Spelling{"∶", Kind::kOperator, ':'},
                              Spelling{"∕", Kind::kOperator, '/'},
                              Spelling{"⁄", Kind::kOperator, '/'},
                              Spelling{"＋", Kind::kOperator, '+'},
                              Spelling{"＝", Kind::kOperator, '='},
                              Spelling{"（", Kind::kOpen, '('},
                              Spelling{"）", Kind::kClose, ')'},
                              Spelling{"≤", Kind::kRelation},
                              Spelling{"≥", Kind::kRelation},
                              Spelling{"≠", Kind::kRelation},
                              Spelling{"≈", Kind::kRelation},
                              Spelling{"≡", Kind::kRelation},
                              Spelling{"′", Kind::kMark, '\''},
                              Spelling{"’", Kind::kMark, '\''},
                              Spelling{"‘", Kind::kMark, '\''},
                              Spelling{"∣", Kind::kMark, '|'},
                              Spelling{"│", Kind::kMark, '|'},
                              Spelling{"√", Kind::kWord},
                              Spelling{"²", Kind::kPower, '^', "2"},
                              Spelling{"³", Kind::kPower, '^', "3"},
                              Spelling{"⁰", Kind::kPower, '^', "0"},
                              Spelling{"¹", Kind::kPower, '^', "1"},
                              Spelling{"⁴", Kind::kPower, '^', "4"},
                              Spelling{"⁵", Kind::kPower, '^', "5"},
                              Spelling{"⁶", Kind::kPower, '^', "6"},
                              Spelling{"⁷", Kind::kPower, '^', "7"},
                              Spelling{"⁸", Kind::kPower, '^', "8"},
                              Spelling{"⁹", Kind::kPower, '^', "9"},
                              Spelling{"½", Kind::kVulgar, 0, "1", "2"},
                              Spelling{"⅓", Kind::kVulgar, 0, "1", "3"},
                              Spelling{"⅔", Kind::kVulgar, 0, "2", "3"},
                              Spelling{"¼", Kind::kVulgar, 0, "1", "4"},
                              Spelling{"¾", Kind::kVulgar, 0, "3", "4"},
                              Spelling{"⅕", Kind::kVulgar, 0, "1", "5"},
                              Spelling{"⅖", Kind::kVulgar, 0, "2", "5"},
                              Spelling{"⅗", Kind::kVulgar, 0, "3", "5"},
                              Spelling{"⅘", Kind::kVulgar, 0, "4", "5"},
                              Spelling{"⅙", Kind::kVulgar, 0, "1", "6"},
                              Spelling{"⅚", Kind::kVulgar, 0, "5", "6"},
                              Spelling{"⅛", Kind::kVulgar, 0, "1", "8"},
                              Spelling{"⅜", Kind::kVulgar, 0, "3", "8"},
                              Spelling{"⅝", Kind::kVulgar, 0, "5", "8"},
                              Spelling{"⅞", Kind::kVulgar, 0, "7", "8"},
                              Spelling{"\u00a0", Kind::kOther, kBlank},
                              Spelling{"\u2002", Kind::kOther, kBlank},
                              Spelling{"\u2003", Kind::kOther, kBlank},
                              Spelling{"\u2009", Kind::kOther, kBlank},
                              Spelling{"\u200a", Kind::kOther, kBlank},
                              Spelling{"\u202f", Kind::kOther, kBlank},
                              Spelling{"\u200b", Kind::kOther, kNothing},
                              Spelling{"\u2061", Kind::kOther, kNothing},
                              Spelling{"\u2062", Kind::kOther, kNothing},
                              Spelling{"\ufeff", Kind::kOther, kNothing}};

// After the backslash.
constexpr std::array kCommands{Spelling{"frac", Kind::kFraction},
                               Spelling{"dfrac", Kind::kFraction},
                               Spelling{"tfrac", Kind::kFraction},
                               Spelling{"cdot", Kind::kOperator, '*'},
                               Spelling{"times", Kind::kOperator, '*'},
                               Spelling{"ast", Kind::kOperator, '*'},
                               Spelling{"div", Kind::kOperator, ':'},
                               Spelling{"le", Kind::kRelation},
                               Spelling{"leq", Kind::kRelation},
                               Spelling{"leqslant", Kind::kRelation},
                               Spelling{"ge", Kind::kRelation},
                               Spelling{"geq", Kind::kRelation},
                               Spelling{"geqslant", Kind::kRelation},
                               Spelling{"lt", Kind::kRelation},
                               Spelling{"gt", Kind::kRelation},
                               Spelling{"ne", Kind::kRelation},
                               Spelling{"neq", Kind::kRelation},
                               Spelling{"approx", Kind::kRelation},
                               Spelling{"lbrack", Kind::kOpen, '['},
                               Spelling{"rbrack", Kind::kClose, ']'},
                               Spelling{"prime", Kind::kMark, '\''},
                               Spelling{"mid", Kind::kMark, '|'},
                               Spelling{"vert", Kind::kMark, '|'},
                               Spelling{"lvert", Kind::kMark, '|'},
                               Spelling{"rvert", Kind::kMark, '|'},
                               Spelling{"left", Kind::kOther, kNothing},
                               Spelling{"right", Kind::kOther, kNothing},
                               Spelling{"big", Kind::kOther, kNothing},
                               Spelling{"bigl", Kind::kOther, kNothing},
                               Spelling{"bigr", Kind::kOther, kNothing},
                               Spelling{"Big", Kind::kOther, kNothing},
                               Spelling{"displaystyle", Kind::kOther, kNothing},
                               Spelling{"texttt", Kind::kOther, kNothing},
                               Spelling{"mathrm", Kind::kOther, kNothing},
                               Spelling{"quad", Kind::kOther, kBlank},
                               Spelling{"qquad", Kind::kOther, kBlank}};

constexpr std::array<std::string_view, 12> kWords{"sqrt", "arcsin", "arccos", "arctan", "sin", "cos",
                                                  "tan",  "log",    "exp",    "abs",    "ln",  "mod"};

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  std::vector<Token> Run() {
    while (at_ < text_.size()) Next();
    Add(Kind::kEnd, 0, 0);
    return std::move(tokens_);
  }

 private:
  std::string_view Rest() const { return text_.substr(at_); }
  char Peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  Token& Add(Kind kind, char symbol, std::size_t length) {
    Token& token = tokens_.emplace_back();
    token.kind = kind;
    token.symbol = symbol;
    token.after_blank = std::exchange(blank_, false);
    token.begin = at_;
    at_ += length;
    token.end = at_;
    return token;
  }

  void Add(const Spelling& spelling, std::size_t length) {
    if (spelling.kind == Kind::kOther) {
      if (spelling.symbol == kBlank) blank_ = true;
      at_ += length;
      return;
    }
    Token& token = Add(spelling.kind, spelling.symbol, length);
    token.digits = spelling.digits;
    token.under = spelling.under;
  }

  void Next() {
    const char c = Peek();
    if (IsBlank(c) || c == '\n' || c == '\r' || c == '~') {
      blank_ = true;
      ++at_;
    } else if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) {
      ReadNumber();
    } else if (IsLetter(c)) {
      ReadLetters();
    } else if (c == '\\') {
      ReadCommand();
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      ReadUnicode();
    } else {
      ReadSign(c);
    }
  }

  void ReadNumber() {
    const std::size_t begin = at_;
    std::string digits;
    std::size_t decimals = 0;
    std::size_t length = 0;
    bool point = false;
    for (;; ++length) {
      const char c = Peek(length);
      if (IsDigit(c)) {
        digits += c;
        if (point) ++decimals;
      } else if (c == '.' && !point && IsDigit(Peek(length + 1))) {
        point = true;
      } else {
        break;
      }
    }
    Token& token = Add(Kind::kNumber, 0, length);
    token.begin = begin;
    token.digits = std::move(digits);
    token.decimals = decimals;
  }

  void ReadLetters() {
    for (const std::string_view word : kWords) {
      if (Rest().starts_with(word)) {
        Add(Kind::kWord, 0, word.size());
        return;
      }
    }
    Add(Kind::kLetter, Peek(), 1);
  }

  void ReadCommand() {
    std::size_t length = 1;
    while (IsLetter(Peek(length))) ++length;
    const std::string_view name = Rest().substr(1, length - 1);
    const auto* const known =
        std::find_if(kCommands.begin(), kCommands.end(), [&](const Spelling& spelling) { return spelling.text == name; });
    if (known != kCommands.end()) {
      Add(*known, length);
    } else if (std::find(kWords.begin(), kWords.end(), name) != kWords.end()) {
      Add(Kind::kWord, 0, length);
    } else if (length > 1) {
      Add(Kind::kOther, 0, length);
    } else {
      ReadEscape(Peek(1));
    }
  }

  // A backslash and one character: a brace, a delimiter of formulas, or a blank.
  void ReadEscape(char c) {
    if (c == '{' || c == '}' || c == '#') {
      ++at_;
      ReadSign(c);
    } else if (c == '(' || c == ')' || c == '[' || c == ']') {
      at_ += 2;
    } else if (c == ',' || c == ';' || c == ':' || c == '!' || c == ' ' || c == '>') {
      blank_ = blank_ || c != '!';
      at_ += 2;
    } else {
      Add(Kind::kOther, 0, 1);
    }
  }

  void ReadUnicode() {
    const auto* const known = std::find_if(kUnicode.begin(), kUnicode.end(),
                                           [&](const Spelling& spelling) { return Rest().starts_with(spelling.text); });
    if (known != kUnicode.end()) {
      Add(*known, known->text.size());
      return;
    }
    // The italic letters of mathematical text: U+1D44E is a, U+210E is h.
    constexpr std::string_view kItalic = "\xF0\x9D\x91";
    if (Rest().starts_with("\u210e")) {
      Add(Kind::kLetter, 'h', 3);
      return;
    }
    const bool italic = Rest().starts_with(kItalic) && at_ + 3 < text_.size();
    const int letter = italic ? static_cast<unsigned char>(Peek(3)) - 0x8E : -1;
    if (letter >= 0 && letter < 26) {
      Add(Kind::kLetter, static_cast<char>('a' + letter), 4);
      return;
    }
    std::size_t length = 1;
    while (at_ + length < text_.size() && (static_cast<unsigned char>(Peek(length)) & 0xC0U) == 0x80) ++length;
    Add(Kind::kOther, 0, length);
  }

  void ReadSign(char c) {
    const auto one_of = [c](std::string_view signs) { return signs.find(c) != std::string_view::npos; };
    if (c == '$') {
      ++at_;
    } else if (Rest().starts_with("**")) {
      Add(Kind::kPower, '^', 2);
    } else if (c == '<' || c == '>' || Rest().starts_with("!=")) {
      Add(Kind::kRelation, c, Peek(1) == '=' ? 2 : 1);
    } else if (one_of("+-*/=:")) {
      Add(Kind::kOperator, c, 1);
    } else if (one_of("([{")) {
      Add(Kind::kOpen, c, 1);
    } else if (one_of(")]}")) {
      Add(Kind::kClose, c, 1);
    } else if (one_of(",;")) {
      Add(Kind::kSeparator, c, 1);
    } else if (one_of("#|'`")) {
      Add(Kind::kMark, c == '`' ? '\'' : c, 1);
    } else if (c == '^') {
      Add(Kind::kPower, c, 1);
    } else {
      Add(Kind::kOther, 0, 1);
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool blank_ = false;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> Tokenize(std::string_view text) { return Tokenizer(text).Run(); }

std::string ShownToken(const Token& token, std::string_view text) {
  if (token.kind == Kind::kEnd) return "the end";
  const std::string_view shown = text.substr(token.begin, token.end - token.begin);
  if (token.kind == Kind::kOther && shown.size() == 1) return Quoted(shown.front());
  constexpr std::size_t kMaxShown = 20;
  return "'" + std::string(shown.substr(0, kMaxShown)) + (shown.size() > kMaxShown ? "...'" : "'");
}

}  // namespace conpole

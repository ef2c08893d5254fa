#include "notation/token.h"

#include <algorithm>
#include <array>
#include <utility>

#include "util/text.h"

namespace conpole {
namespace {

using Kind = Token::Kind;

// Ways to spell one thing, with blanks between them.
struct Spellings {
  std::string_view texts;
  Kind kind;
  char symbol = 0;
};

// A blank, and what is skipped without being one. No token has these symbols.
constexpr char kBlank = ' ';
constexpr char kNothing = '\\';

constexpr std::array kUnicode{
    Spellings{"− – — ‐ ‑", Kind::kOperator, '-'},
    Spellings{"× · ⋅ ∙ • ∗", Kind::kOperator, '*'},
    Spellings{"÷ ∶", Kind::kOperator, ':'},
    Spellings{"∕ ⁄", Kind::kOperator, '/'},
    Spellings{"＋", Kind::kOperator, '+'},
    Spellings{"＝", Kind::kOperator, '='},
    Spellings{"（", Kind::kOpen, '('},
    Spellings{"）", Kind::kClose, ')'},
    Spellings{"≤ ≥ ≠ ≈ ≡", Kind::kRelation},
    Spellings{"′ ’ ‘", Kind::kMark, '\''},
    Spellings{"∣ │", Kind::kMark, '|'},
    Spellings{"√", Kind::kWord},
    Spellings{"\u00a0 \u2002 \u2003 \u2009 \u200a \u202f", Kind::kOther, kBlank},
    Spellings{"\u200b \u2061 \u2062 \ufeff", Kind::kOther, kNothing},
};

// Raised digits, and fractions, which have something below the line.
struct Numeral {
  std::string_view text;
  std::string_view digits;
  std::string_view under = {};
};
constexpr std::array kNumerals{
    Numeral{"⁰", "0"},      Numeral{"¹", "1"},      Numeral{"²", "2"},      Numeral{"³", "3"},      Numeral{"⁴", "4"},
    Numeral{"⁵", "5"},      Numeral{"⁶", "6"},      Numeral{"⁷", "7"},      Numeral{"⁸", "8"},      Numeral{"⁹", "9"},
    Numeral{"½", "1", "2"}, Numeral{"⅓", "1", "3"}, Numeral{"⅔", "2", "3"}, Numeral{"¼", "1", "4"}, Numeral{"¾", "3", "4"},
    Numeral{"⅕", "1", "5"}, Numeral{"⅖", "2", "5"}, Numeral{"⅗", "3", "5"}, Numeral{"⅘", "4", "5"}, Numeral{"⅙", "1", "6"},
    Numeral{"⅚", "5", "6"}, Numeral{"⅛", "1", "8"}, Numeral{"⅜", "3", "8"}, Numeral{"⅝", "5", "8"}, Numeral{"⅞", "7", "8"}};

// After the backslash.
constexpr std::array kCommands{
    Spellings{"frac dfrac tfrac", Kind::kFraction},
    Spellings{"cdot times ast", Kind::kOperator, '*'},
    Spellings{"div", Kind::kOperator, ':'},
    Spellings{"le leq leqslant ge geq geqslant lt gt ne neq approx", Kind::kRelation},
    Spellings{"lbrack", Kind::kOpen, '['},
    Spellings{"rbrack", Kind::kClose, ']'},
    Spellings{"prime", Kind::kMark, '\''},
    Spellings{"mid vert lvert rvert", Kind::kMark, '|'},
    Spellings{"left right big bigl bigr Big displaystyle texttt mathrm", Kind::kOther, kNothing},
    Spellings{"quad qquad", Kind::kOther, kBlank},
};

// The one of these that fits, and what it spells; null if there is none.
template <class Table, class Fits>
std::pair<const Spellings*, std::string_view> Find(const Table& table, const Fits& fits) {
  for (const Spellings& row : table) {
    for (std::string_view rest = row.texts; !rest.empty();) {
      const std::string_view text = rest.substr(0, rest.find(' '));
      if (fits(text)) return {&row, text};
      rest.remove_prefix(std::min(rest.size(), text.size() + 1));
    }
  }
  return {};
}

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

  void Add(const Spellings& what, std::size_t length) {
    if (what.kind != Kind::kOther) {
      Add(what.kind, what.symbol, length);
      return;
    }
    if (what.symbol == kBlank) blank_ = true;
    at_ += length;
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
    const Spellings* const known = Find(kCommands, [&](std::string_view text) { return text == name; }).first;
    if (known != nullptr) {
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
    const auto begins = [this](std::string_view text) { return Rest().starts_with(text); };
    if (const auto [known, text] = Find(kUnicode, begins); known != nullptr) return Add(*known, text.size());
    for (const Numeral& numeral : kNumerals) {
      if (!begins(numeral.text)) continue;
      Token& token =
          numeral.under.empty() ? Add(Kind::kPower, '^', numeral.text.size()) : Add(Kind::kVulgar, 0, numeral.text.size());
      token.digits = numeral.digits;
      token.under = numeral.under;
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

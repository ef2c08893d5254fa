#include "tutor/notation.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "tutor/cube.h"
#include "tutor/term_notation.h"
#include "tutor/token.h"
#include "util/text.h"

namespace conpole {
namespace {

using Kind = Token::Kind;

NotationResult Failed(std::size_t position, std::string message, NotationError::Kind kind = NotationError::Kind::kUnreadable) {
  NotationResult result;
  result.error = {kind, position, std::move(message)};
  return result;
}

NotationResult NotExpressible(std::size_t position, std::string message) {
  return Failed(position, std::move(message), NotationError::Kind::kNotExpressible);
}

NotationResult Expected(std::string_view what, const Token& found, std::string_view text) {
  std::string message = "expected ";
  message += what;
  return Failed(found.begin, message + ", found " + Found(found, text));
}

// A whole number that fits; nothing otherwise.
std::optional<std::size_t> SmallNumber(const Token& token) {
  if (token.kind != Kind::kNumber || token.decimals != 0) return std::nullopt;
  std::size_t value = 0;
  const char* const end = token.digits.data() + token.digits.size();
  const auto [at, failure] = std::from_chars(token.digits.data(), end, value);
  if (failure != std::errc() || at != end || value > kMaxStateBytes) return std::nullopt;
  return value;
}

std::optional<TermKind> TermKindOf(const Domain& domain) {
  const std::string& name = domain.type().name;
  if (name == "equations") return TermKind::kEquation;
  if (name == "fractions") return TermKind::kFraction;
  if (name == "multiplication") return TermKind::kMultiplication;
  return std::nullopt;
}

NotationResult ReadTermOf(const Domain& domain, TermKind kind, std::string_view text) {
  TermReading read = ReadTerm(kind, text);
  if (read.error) return {{}, {}, std::move(read.error)};
  Parsed parsed = domain.Parse(read.text);
  // What can still be wrong concerns the whole: a fraction over 0, or too much text once all parentheses are there.
  if (parsed.error) return Failed(0, std::move(parsed.error->message));
  return {std::move(parsed.state), {}, std::nullopt};
}

// sorting: [3, 1, 2] with or without brackets, or bars.

NotationResult ReadList(std::string_view text) {
  const std::vector<Token> tokens = Tokenize(text);
  std::size_t at = 0;
  const bool bracket = tokens[0].kind == Kind::kOpen;
  if (bracket) ++at;
  std::string state = "[";
  for (bool first = true; tokens[at].kind != Kind::kEnd && tokens[at].kind != Kind::kClose; first = false) {
    const Token& token = tokens[at];
    const bool separator = token.kind == Kind::kSeparator || token.Is(Kind::kMark, '|');
    if (!first && separator) ++at;
    if (!first && !separator && !token.after_blank) return Expected("',' or the end of the list", token, text);
    const Token& item = tokens[at];
    if (item.Is(Kind::kOperator, '-')) return NotExpressible(item.begin, "bars have no negative length");
    if (item.kind == Kind::kNumber && item.decimals > 0) return NotExpressible(item.begin, "bars have whole lengths");
    const std::optional<std::size_t> length = SmallNumber(item);
    if (!length && item.kind == Kind::kNumber) return NotExpressible(item.begin, "the bar is too long");
    if (!length) return Expected("a whole number", item, text);
    if (!first) state += '|';
    state.append(*length, '=');
    if (state.size() >= kMaxStateBytes) return NotExpressible(item.begin, "the bars are too long");
    ++at;
  }
  if (bracket && tokens[at].kind != Kind::kClose) return Expected("the end of the list", tokens[at], text);
  if (bracket) ++at;
  if (tokens[at].kind != Kind::kEnd) return Expected("the end", tokens[at], text);
  if (!bracket && state == "[") return Expected("a list of numbers", tokens[at], text);
  return {state + "]", {}, std::nullopt};
}

// ternary-addition: c3 b5 b3, also with + or commas between, and 2*3^3 + 1*3^5.

class TernaryReader {
 public:
  explicit TernaryReader(std::string_view text) : text_(text), tokens_(Tokenize(text)) {}

  NotationResult Read() {
    if (Now().Is(Kind::kMark, '#')) ++at_;
    const bool bracket = Now().kind == Kind::kOpen;
    if (bracket) ++at_;
    std::string state = "#(";
    for (bool first = true; Now().kind != Kind::kEnd && Now().kind != Kind::kClose; first = false) {
      const bool separator = Now().kind == Kind::kSeparator || Now().Is(Kind::kOperator, '+');
      if (!first && separator) ++at_;
      if (!first) state += ' ';
      std::optional<NotationResult> failure = ReadItem(state);
      if (failure) return std::move(*failure);
      if (state.size() >= kMaxStateBytes) return Failed(Now().begin, "the text is too long");
    }
    if (bracket && !Now().Is(Kind::kClose, ')')) return Expected("another digit or ')'", Now(), text_);
    if (bracket) ++at_;
    if (Now().kind != Kind::kEnd) return Expected("the end", Now(), text_);
    if (!bracket && state == "#(") return Expected("a digit such as c3", Now(), text_);
    return {state + ")", {}, std::nullopt};
  }

 private:
  static constexpr std::size_t kMaxPower = '~' - '0';

  const Token& Now() const { return tokens_[at_]; }
  const Token& Ahead(std::size_t count) const { return tokens_[std::min(at_ + count, tokens_.size() - 1)]; }

  std::optional<NotationResult> ReadItem(std::string& state) {
    const Token first = Now();
    char digit = 0;
    std::size_t power = 0;
    if (first.kind == Kind::kLetter) {
      if (first.symbol < 'a' || first.symbol > 'c') return Expected("a digit a, b or c", first, text_);
      digit = first.symbol;
      ++at_;
      const std::optional<std::size_t> given = Now().after_blank ? std::nullopt : SmallNumber(Now());
      if (!given) return Expected("a power right after the digit, such as c3", Now(), text_);
      power = *given;
      ++at_;
    } else if (first.kind == Kind::kNumber) {
      const bool power_alone = first.digits == "3" && Ahead(1).kind == Kind::kPower;
      const std::optional<std::size_t> value = power_alone ? 1 : SmallNumber(first);
      if (!value || *value > 2) return NotExpressible(first.begin, "a digit that is not 0, 1 or 2 cannot be expressed");
      digit = static_cast<char>('a' + *value);
      if (!power_alone) ++at_;
      if (power_alone || Now().Is(Kind::kOperator, '*')) {
        if (!power_alone) ++at_;
        if (Now().kind != Kind::kNumber || Now().digits != "3") return Expected("a power of 3", Now(), text_);
        ++at_;
        if (std::optional<NotationResult> failure = ReadPower(power)) return failure;
      }
    } else {
      return Expected("a digit such as c3, or 2*3^3", first, text_);
    }
    if (power > kMaxPower)
      return NotExpressible(first.begin, "powers above " + std::to_string(kMaxPower) + " cannot be expressed");
    state += digit;
    state += static_cast<char>('0' + power);
    return std::nullopt;
  }

  // After the 3: ^5, ^{5}, raised digits, or nothing.
  std::optional<NotationResult> ReadPower(std::size_t& power) {
    power = 1;
    if (Now().kind != Kind::kPower) return std::nullopt;
    if (!Now().digits.empty()) {
      for (power = 0; Now().kind == Kind::kPower && !Now().digits.empty(); ++at_) {
        power = std::min<std::size_t>(kMaxPower + 1, 10 * power + static_cast<std::size_t>(Now().digits[0] - '0'));
      }
      return std::nullopt;
    }
    ++at_;
    const bool brace = Now().Is(Kind::kOpen, '{');
    if (brace) ++at_;
    const std::optional<std::size_t> given = SmallNumber(Now());
    if (!given) return Expected("the power, a whole number", Now(), text_);
    power = *given;
    ++at_;
    if (!brace) return std::nullopt;
    if (!Now().Is(Kind::kClose, '}')) return Expected("'}' after the power", Now(), text_);
    ++at_;
    return std::nullopt;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

// rubiks-cube: a scramble, or the 54 facelets face by face: as letters in the order U R F D L B, each face
// row by row, or as digits in the order of the domain.

constexpr std::string_view kFaceletOrder = "URFDLB";

// The cell of a facelet. A face's cells go column by column, from the lower end up.
std::size_t CellOfFacelet(std::size_t facelet) {
  const std::size_t face = kCubeFaces.find(kFaceletOrder[facelet / 9]);
  const std::size_t row = facelet % 9 / 3;
  const std::size_t column = facelet % 3;
  return 9 * face + 3 * column + (2 - row);
}

bool IsFacelets(std::string_view letters) {
  if (letters.size() != kCubeCells) return false;
  for (std::size_t face = 0; face < kFaceletOrder.size(); ++face) {
    if (letters[9 * face + 4] != kFaceletOrder[face]) return false;
    if (std::count(letters.begin(), letters.end(), kFaceletOrder[face]) != 9) return false;
  }
  return true;
}

std::string SolvedCells() {
  std::string cells;
  for (std::size_t face = 0; face < kCubeFaces.size(); ++face) cells.append(9, static_cast<char>('0' + face));
  return cells;
}

NotationResult ReadTurns(std::string cells, std::string_view text) {
  const std::vector<Token> tokens = Tokenize(text);
  std::size_t turns = 0;
  for (std::size_t at = 0; tokens[at].kind != Kind::kEnd;) {
    const Token& token = tokens[at++];
    if (token.kind == Kind::kSeparator || token.kind == Kind::kOpen || token.kind == Kind::kClose) continue;
    const std::size_t face = token.kind == Kind::kLetter ? kCubeFaces.find(token.symbol) : std::string_view::npos;
    if (face == std::string_view::npos) {
      const bool other_turn =
          token.kind == Kind::kLetter && std::string_view("udlrbfMESxyzw").find(token.symbol) != std::string_view::npos;
      if (other_turn) {
        return NotExpressible(token.begin,
                              "turns of slices, of two layers or of the whole cube cannot be expressed, only U F B L R D");
      }
      return Expected("a turn such as R, R' or R2", token, text);
    }
    int quarters = 1;
    if (!tokens[at].after_blank && tokens[at].Is(Kind::kOperator, '-')) {
      ++at;
      if (tokens[at].kind != Kind::kNumber || tokens[at].digits != "1") return Expected("R-1", tokens[at], text);
      quarters = 3;
      ++at;
    } else {
      if (!tokens[at].after_blank && tokens[at].kind == Kind::kNumber) {
        const std::string& digits = tokens[at].digits;
        if (digits.size() != 1 || digits[0] < '1' || digits[0] > '3' || tokens[at].decimals > 0) {
          return Expected("1, 2 or 3 quarter turns", tokens[at], text);
        }
        quarters = digits[0] - '0';
        ++at;
      }
      if (!tokens[at].after_blank && tokens[at].Is(Kind::kMark, '\'')) {
        quarters = 4 - quarters;
        ++at;
      }
    }
    cells = TurnCube(cells, face, quarters);
    ++turns;
  }
  if (turns == 0) return Expected("a turn such as R, R' or R2", tokens.back(), text);
  return {CubeState(cells), {}, std::nullopt};
}

// Turns go on from `start`.
NotationResult ReadCube(const Domain& domain, std::string start, std::string_view text) {
  std::string letters;
  std::string digits;
  for (const Token& token : Tokenize(text)) {
    if (token.kind == Kind::kLetter) letters += token.symbol;
    if (token.kind == Kind::kNumber) digits += token.digits;
  }
  std::string cells(kCubeCells, '0');
  if (digits.empty() && IsFacelets(letters)) {
    for (std::size_t i = 0; i < kCubeCells; ++i) {
      cells[CellOfFacelet(i)] = static_cast<char>('0' + kCubeFaces.find(letters[i]));
    }
  } else if (letters.empty() && digits.size() == kCubeCells) {
    cells = digits;
  } else {
    return ReadTurns(std::move(start), text);
  }
  Parsed parsed = domain.Parse(CubeState(cells));
  if (parsed.error) return Failed(0, std::move(parsed.error->message));
  return {std::move(parsed.state), {}, std::nullopt};
}

NotationResult ReadFlat(const Domain& domain, std::string_view current, std::string_view text) {
  if (Parsed parsed = domain.Parse(text); !parsed.error) return {std::move(parsed.state), {}, std::nullopt};
  const std::string& name = domain.type().name;
  if (name == "sorting") {
    // Bars with blanks between; numbers have none of these signs.
    if (text.find('=') == std::string_view::npos) return ReadList(text);
    std::string bars;
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (IsBlank(text[i])) continue;
      bars += text[i];
      positions.push_back(i);
    }
    positions.push_back(text.size());
    Parsed parsed = domain.Parse(bars);
    if (parsed.error) return Failed(positions[parsed.error->position], std::move(parsed.error->message));
    return {std::move(parsed.state), {}, std::nullopt};
  }
  if (name == "ternary-addition") return TernaryReader(text).Read();
  if (name == "rubiks-cube") return ReadCube(domain, current.empty() ? SolvedCells() : CubeCells(current), text);
  const Parsed parsed = domain.Parse(text);
  return Failed(parsed.error->position, parsed.error->message);
}

std::string WriteFlat(const Domain& domain, Script script, std::string_view state) {
  const std::string& name = domain.type().name;
  std::string text;
  if (name == "sorting") {
    if (state == "[]") return "[]";
    std::size_t length = 0;
    for (const char c : state.substr(1)) {
      if (c == '=') {
        ++length;
      } else {
        text += (text.empty() ? "" : ", ") + std::to_string(std::exchange(length, 0));
      }
    }
    return "[" + text + "]";
  }
  if (name == "ternary-addition") {
    if (state == "#()") return script == Script::kLatex ? "\\#()" : "#()";
    for (std::size_t at = 2; at + 1 < state.size(); at += 3) {
      const std::string power = std::to_string(state[at + 1] - '0');
      if (script == Script::kPlain) {
        text += (text.empty() ? "" : " ") + std::string(1, state[at]) + power;
      } else {
        text += (text.empty() ? "" : " + ") + std::to_string(state[at] - 'a') + " \\cdot 3^{" + power + "}";
      }
    }
    return text;
  }
  if (name == "rubiks-cube") {
    const std::string cells = CubeCells(state);
    for (std::size_t i = 0; i < kCubeCells; ++i) {
      if (i > 0 && i % 9 == 0) text += ' ';
      text += kCubeFaces[static_cast<std::size_t>(cells[CellOfFacelet(i)] - '0')];
    }
    return script == Script::kLatex ? "\\texttt{" + text + "}" : text;
  }
  return std::string(state);
}

// What a text looks like, for the guess of its domain.
class Clues {
 public:
  explicit Clues(std::string_view text) : text_(text), tokens_(Tokenize(text)) {}

  bool Has(Kind kind) const {
    return Any([&](const Token& token) { return token.kind == kind; });
  }
  // One of these operators.
  bool HasSign(std::string_view symbols) const {
    return Any([&](const Token& token) {
      return token.kind == Kind::kOperator && symbols.find(token.symbol) != std::string_view::npos;
    });
  }

  bool IsBars() const { return !Has(Kind::kNumber) && !Has(Kind::kLetter) && tokens_.front().Is(Kind::kOpen, '['); }
  bool IsCube() const {
    const bool canonical = text_.starts_with("A") && text_.size() == 66;
    const bool digits = tokens_.size() == 2 && tokens_[0].digits.size() == kCubeCells;
    return canonical || digits || LettersAreOf("UDLRBFMESw");
  }
  bool IsTernary() const {
    if (tokens_.front().Is(Kind::kMark, '#')) return true;
    if (LettersAreOf("abc") && Has(Kind::kNumber) && !HasSign("*/:-")) return true;
    return Has(Kind::kPower) && HasNumber("3") && !HasNumber("10") && !Has(Kind::kLetter);
  }
  bool IsList() const {
    if (Has(Kind::kLetter)) return false;
    if (Has(Kind::kSeparator)) return true;
    // Numbers and nothing else, but more than one.
    const bool plain = !Has(Kind::kOperator) && !Has(Kind::kVulgar) && !Has(Kind::kFraction) && !Has(Kind::kPower);
    return plain && Has(Kind::kNumber) && tokens_.size() > 2;
  }
  // A letter that is not the sign between two factors (12 x 345) or between mantissa and exponent (12e3).
  bool HasUnknown() const {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind != Kind::kLetter) continue;
      const Kind before = i == 0 ? Kind::kEnd : tokens_[i - 1].kind;
      const Kind after = tokens_[i + 1].kind;
      const bool between =
          (before == Kind::kNumber || before == Kind::kClose) && (after == Kind::kNumber || after == Kind::kOpen);
      if (!between || std::string_view("xXeE").find(tokens_[i].symbol) == std::string_view::npos) return true;
    }
    return Has(Kind::kWord) || Any([](const Token& token) { return token.Is(Kind::kMark, '|'); });
  }
  bool HasFraction() const {
    return Has(Kind::kFraction) || Has(Kind::kVulgar) || HasSign("/:") ||
           Any([](const Token& token) { return token.decimals > 0; });
  }

 private:
  template <class Predicate>
  bool Any(const Predicate& predicate) const {
    return std::any_of(tokens_.begin(), tokens_.end(), predicate);
  }
  bool HasNumber(std::string_view digits) const {
    return Any([&](const Token& token) { return token.kind == Kind::kNumber && token.digits == digits; });
  }
  // There are letters, and all are of these.
  bool LettersAreOf(std::string_view set) const {
    return Has(Kind::kLetter) && !Any([&](const Token& token) {
             return token.kind == Kind::kLetter && set.find(token.symbol) == std::string_view::npos;
           });
  }

  std::string_view text_;
  std::vector<Token> tokens_;
};

std::string Write(const Domain& domain, Script script, std::string_view state) {
  const std::optional<TermKind> term = TermKindOf(domain);
  return term ? WriteTerm(*term, script, state) : WriteFlat(domain, script, state);
}

}  // namespace

NotationResult ReadNotation(const Domain& domain, std::string_view text) { return ReadNextLine(domain, {}, text); }

NotationResult ReadNextLine(const Domain& domain, std::string_view current, std::string_view text) {
  if (std::optional<Malformed> too_long = CheckLength(text)) return Failed(too_long->position, std::move(too_long->message));
  const std::optional<TermKind> term = TermKindOf(domain);
  NotationResult result = term ? ReadTermOf(domain, *term, text) : ReadFlat(domain, current, text);
  if (!result.error) result.reading = WriteNotation(domain, result.state);
  return result;
}

std::string WriteNotation(const Domain& domain, std::string_view state) { return Write(domain, Script::kPlain, state); }

std::string WriteLatex(const Domain& domain, std::string_view state) { return Write(domain, Script::kLatex, state); }

// In the order of the questions: each is asked only if those before it were answered with no.
std::string_view GuessDomain(std::string_view text) {
  const Clues clues(text);
  if (clues.IsBars()) return "sorting";
  if (clues.HasSign("=") || clues.Has(Token::Kind::kRelation)) return "equations";
  if (clues.IsCube()) return "rubiks-cube";
  if (clues.IsTernary()) return "ternary-addition";
  if (clues.IsList()) return "sorting";
  if (clues.HasUnknown()) return "equations";
  if (clues.HasFraction()) return "fractions";
  // Fractions can subtract whole numbers; only multiplication knows products of large ones and powers of ten.
  return clues.HasSign("*") || clues.Has(Token::Kind::kLetter) || clues.Has(Token::Kind::kPower) ? "multiplication"
                                                                                                 : "fractions";
}

}  // namespace conpole

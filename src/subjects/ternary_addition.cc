// ternary-addition: sums of digits times powers of three. An answer has the same value.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domains/puzzles/ternary_addition.h"
#include "math/expression.h"
#include "notation/reading.h"
#include "subjects/subjects.h"

namespace conpole {
namespace {

using Kind = Token::Kind;

// Canonical text is #(b3 a0 c3): digits a, b, c for 0, 1, 2, each with its power of three as a character from '0' on.
constexpr std::size_t kFirstDigit = 2;
constexpr std::size_t kDigitStride = 3;
constexpr std::string_view kNoDigits = "#()";

// c3 b5 b3, also with + or commas between, and 2*3^3 + 1*3^5.
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
      if (state.size() >= kMaxStateBytes) return Unreadable(Now().begin, "the text is too long");
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
    if (power > kMaxPower) return NotExpressible(first.begin, Message("powers above {} cannot be expressed", kMaxPower));
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

Integer TernaryValue(std::string_view state) {
  Integer value = 0;
  for (std::size_t at = kFirstDigit; at + 1 < state.size(); at += kDigitStride) {
    value += (state[at] - 'a') * pow(Integer(3), static_cast<unsigned>(state[at + 1] - '0'));
  }
  return value;
}

// A digit with its power, as canonical text has it: b3.
std::string WriteDigit(Script script, std::string_view digit) {
  const std::string power = std::to_string(digit[1] - '0');
  return script == Script::kPlain ? digit[0] + power : std::to_string(digit[0] - 'a') + " \\cdot 3^{" + power + "}";
}

class TernaryAddition final : public Subject {
 public:
  TernaryAddition() : Subject(&TernaryAdditionType()) {}

  NotationResult Read(const Domain& domain, std::string_view, std::string_view text) const override {
    if (Parsed parsed = domain.Parse(text); !parsed.error) return {std::move(parsed.state), {}, std::nullopt};
    return TernaryReader(text).Read();
  }

  std::string Write(Script script, const Line& line) const override {
    const bool plain = script == Script::kPlain;
    if (line.state == kNoDigits) return plain ? line.state : EscapeLatex(line.state);
    std::string text;
    for (std::size_t at = kFirstDigit; at + 1 < line.state.size(); at += kDigitStride) {
      if (!text.empty()) text += plain ? " " : " + ";
      text += WriteDigit(script, std::string_view(line.state).substr(at, 2));
    }
    return text;
  }

  // As LaTeX has it.
  Formula MakeFormula(const Line& line) const override {
    using Part = FormulaNode::Kind;
    const std::size_t digits = (line.state.size() - kFirstDigit) / kDigitStride;
    if (digits == 0) return TextFormula(line.state);
    FormulaBuilder formula;
    if (digits > 1) formula.Open(Part::kSum);
    for (std::size_t i = 0; i < digits; ++i) {
      const std::size_t at = kFirstDigit + kDigitStride * i;
      formula.Open(Part::kProduct, "*");
      formula.Leaf(Part::kNumber, std::to_string(line.state[at] - 'a'));
      formula.Open(Part::kPower);
      formula.Leaf(Part::kNumber, "3");
      formula.Leaf(Part::kNumber, std::to_string(line.state[at + 1] - '0'));
      formula.Close();
      formula.Close();
    }
    if (digits > 1) formula.Close();
    return formula.Take();
  }
  std::string Speak(const Line& line, std::string_view language) const override {
    if (line.state == kNoDigits) return Catalogue::Find(language).Sentence("speech.no_digits", {});
    return Subject::Speak(line, language);
  }

  Verdict Verify(const Problem& problem, const Line& answer) const override {
    return TernaryValue(problem.line.state) == TernaryValue(answer.state) ? Verdict::kRight : Verdict::kWrong;
  }

  Comparison Compare(const Problem& before, const Problem& after) const override {
    const Integer old_value = TernaryValue(before.line.state);
    const Integer new_value = TernaryValue(after.line.state);
    if (old_value == new_value) return Comparison::Same();
    return Comparison::Different("check.value");
  }

  Action ReadAction(std::string_view label) const override { return ReadLabel(label, LoneNumber::kPosition); }

  Catalogue::Slots Describe(const Action& action, const Line&, const Line& after, Script script, bool results) const override {
    // One operand: a digit, or two with a blank between.
    Catalogue::Slots slots;
    if (action.operands.empty()) return slots;
    const std::string_view digits = action.operands.front();
    const std::size_t blank = digits.find(' ');
    slots["first"] = Math(script, WriteDigit(script, digits.substr(0, blank)));
    if (blank != std::string_view::npos) slots["second"] = Math(script, WriteDigit(script, digits.substr(blank + 1)));
    if (action.axiom != "comb" || !action.position || !results) return slots;
    const std::size_t at = kFirstDigit + kDigitStride * *action.position;
    const std::string_view state = after.state;
    if (at + kDigitStride + 2 > state.size()) return slots;
    slots["result"] = Math(script, WriteDigit(script, state.substr(at, 2))) + ", " +
                      Math(script, WriteDigit(script, state.substr(at + kDigitStride, 2)));
    return slots;
  }

  Clue Guess(const Clues& clues) const override {
    const bool digits = clues.LettersAreOf("abc") && clues.LettersHaveNumbers() && !clues.HasSign("*/:-");
    return clues.tokens().front().Is(Kind::kMark, '#') || digits ? Clue::kSymbols : Clue::kNone;
  }

  std::string_view Example() const override { return "c3 b5 b3"; }
};

}  // namespace

const Subject& TernaryAdditionSubject() {
  static const TernaryAddition subject;
  return subject;
}

}  // namespace conpole

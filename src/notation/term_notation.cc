#include "notation/term_notation.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "math/expression.h"
#include "notation/token.h"
#include "util/text.h"

namespace conpole {
namespace {

using NodeKind = ExpressionNode::Kind;

constexpr std::int64_t kMaxInteger = std::numeric_limits<std::int64_t>::max();
// What the multiplication domain reads: mantissa digits and exponent together.
constexpr std::size_t kMaxDigits = 1000;

bool IsInteger(const ExpressionNode& node) { return node.kind == NodeKind::kNumber && denominator(node.number) == 1; }

// Whether over/under, written without blanks, is a number of its own instead of a division.
bool IsLowestTerms(const Exact& over, const Exact& under) { return under > 1 && gcd(numerator(over), numerator(under)) == 1; }

std::string WithoutLeadingZeros(const std::string& digits) {
  const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  return digits.substr(first);
}

// An operator-precedence reader over tokens, without recursion. Operators, signs and brackets wait until their operands are
// complete; operands go to an Expression in postfix order.
class TermReader {
 public:
  TermReader(TermKind kind, std::string_view text) : kind_(kind), text_(text), tokens_(Tokenize(text)) {}

  // On failure error() says why.
  bool Read() {
    while (Now().kind != Token::Kind::kEnd) {
      if (!(complete_ ? ReadAfterOperand() : ReadOperand())) return false;
    }
    if (!complete_) return Unexpected(kOperandExpected);
    if (!Reduce(kSum)) return false;
    if (!pending_.empty() && IsBracket(pending_.back().level)) {
      return Fail(pending_.back().position, Message("{} is never closed", Quoted(pending_.back().symbol)));
    }
    if (kind_ != TermKind::kEquation) return true;
    if (pending_.empty()) return Unexpected("'=' and the other side");
    return Reduce(kEquality);
  }

  const Expression& expression() const { return expression_; }
  std::size_t PositionOf(std::size_t node) const { return sources_[node].position; }
  // Whether the whole text stood in parentheses.
  bool InParentheses() const { return sources_.back().grouped; }
  NotationError&& error() { return std::move(error_); }

 private:
  // From loose to tight.
  enum Level : std::uint8_t { kNumerator, kDenominator, kBracket, kEquality, kSum, kProduct, kDivision, kJoined, kSign };
  static bool IsBracket(Level level) { return level <= kBracket; }

  struct Pending {
    Level level;
    char symbol;
    bool tight;  // of a division: there was no blank around it
    std::size_t position;
  };
  struct Source {
    std::size_t position = 0;
    bool literal = false;  // an integer as it was written, perhaps with a sign
    bool grouped = false;  // in parentheses
  };

  static constexpr std::string_view kOperandExpected = "a number or a term";

  const Token& Now() const { return tokens_[at_]; }
  const Token& Ahead(std::size_t count) const { return tokens_[std::min(at_ + count, tokens_.size() - 1)]; }

  bool Fail(std::size_t position, Message message, NotationError::Kind kind = NotationError::Kind::kUnreadable) {
    error_ = {kind, position, std::move(message)};
    return false;
  }
  bool NotExpressible(std::size_t position, Message message) {
    return Fail(position, std::move(message), NotationError::Kind::kNotExpressible);
  }

  std::string_view Problems() const {
    switch (kind_) {
      case TermKind::kEquation:
        return "equations";
      case TermKind::kFraction:
        return "fractions";
      case TermKind::kMultiplication:
        return "multiplication";
    }
    return {};
  }

  // The current token does not fit: names it if it is something that the domain cannot express.
  bool Unexpected(std::string_view expected) {
    const Token& token = Now();
    const std::string found = ShownToken(token, text_);
    switch (token.kind) {
      case Token::Kind::kRelation:
        return NotExpressible(token.begin,
                              Message("{} makes this an inequality; only equations with '=' can be expressed", found));
      case Token::Kind::kPower:
        return NotExpressible(token.begin, Message("a power cannot be expressed in {}", Problems()));
      case Token::Kind::kWord:
        return NotExpressible(token.begin, Message("{}: functions cannot be expressed in {}", found, Problems()));
      case Token::Kind::kMark:
        if (token.symbol == '|') return NotExpressible(token.begin, "an absolute value cannot be expressed");
        break;
      case Token::Kind::kLetter:
        if (kind_ != TermKind::kEquation) {
          return NotExpressible(token.begin, Message("{}: {} has no unknowns", found, Problems()));
        }
        break;
      case Token::Kind::kSeparator:
        return Fail(token.begin,
                    Message("expected {}, found {}; numbers are written without separators, and decimals with a point",
                            expected, found));
      default:
        break;
    }
    return Fail(token.begin, Message("expected {}, found {}", expected, found));
  }

  // Operands.

  // What was pushed last is one, of so many tokens from here on.
  bool TakeOperand(std::size_t tokens) {
    at_ += tokens;
    complete_ = true;
    return true;
  }

  bool ReadOperand() {
    const Token& token = Now();
    switch (token.kind) {
      case Token::Kind::kNumber:
        return ReadNumber();
      case Token::Kind::kVulgar:
        return ReadVulgar();
      case Token::Kind::kLetter:
        if (kind_ != TermKind::kEquation) return Unexpected(kOperandExpected);
        return ReadUnknown();
      case Token::Kind::kOperator:
        if (token.symbol != '-' && token.symbol != '+') return Unexpected(kOperandExpected);
        if (token.symbol == '-') pending_.push_back({kSign, '-', false, token.begin});
        ++at_;
        return true;
      case Token::Kind::kOpen:
        if (ReadBracketedNumber()) return true;
        pending_.push_back({kBracket, token.symbol, false, token.begin});
        ++at_;
        return true;
      case Token::Kind::kFraction:
        return ReadFraction();
      default:
        return Unexpected(kOperandExpected);
    }
  }

  bool ReadNumber() {
    const Token& token = Now();
    if (kind_ == TermKind::kMultiplication) return ReadDecimal();
    if (kind_ == TermKind::kFraction && IsMixed()) return ReadMixed();
    // Both domains count in 64 bits.
    const Integer over(WithoutLeadingZeros(token.digits));
    const Integer under = token.decimals > 18 ? Integer(0) : pow(Integer(10), static_cast<unsigned>(token.decimals));
    const bool too_large = kind_ == TermKind::kFraction && over > kMaxInteger;
    const Exact value = under == 0 ? Exact(0) : Exact(over, under);
    if (under == 0 || too_large || numerator(value) > kMaxInteger || denominator(value) > kMaxInteger) {
      return Fail(token.begin, "the number is too large");
    }
    if (kind_ == TermKind::kFraction && token.decimals > 0) {
      Push(Exact(over), token.begin, true);
      Push(Exact(under), token.begin, true);
      Divide(token.begin, false);
    } else {
      Push(value, token.begin, token.decimals == 0);
    }
    return TakeOperand(1);
  }

  // 12, 12e3 or 12 * 10^3, each a number of the multiplication domain.
  bool ReadDecimal() {
    const Token& token = Now();
    if (token.decimals > 0) return NotExpressible(token.begin, "a decimal fraction cannot be expressed in multiplication");
    std::string exponent;
    const bool letter = Ahead(1).kind == Token::Kind::kLetter && (Ahead(1).symbol == 'e' || Ahead(1).symbol == 'E');
    std::string digits = WithoutLeadingZeros(token.digits);
    const std::size_t begin = token.begin;
    if (letter && !Ahead(1).after_blank && Ahead(2).kind == Token::Kind::kNumber && !Ahead(2).after_blank &&
        Ahead(2).decimals == 0) {
      exponent = Ahead(2).digits;
      at_ += 3;
    } else if (digits == "10" && Ahead(1).kind == Token::Kind::kPower) {
      digits = "1";
      ++at_;
      if (!ReadExponent(exponent)) return false;
    } else if (Ahead(1).Is(Token::Kind::kOperator, '*') && Ahead(2).kind == Token::Kind::kNumber && Ahead(2).digits == "10" &&
               Ahead(3).kind == Token::Kind::kPower) {
      at_ += 3;
      if (!ReadExponent(exponent)) return false;
    } else {
      ++at_;
    }
    const std::string power = exponent.empty() ? "0" : WithoutLeadingZeros(exponent);
    if (power.size() > 4 || digits.size() + std::stoul(power) > kMaxDigits) return Fail(begin, "the number is too large");
    PushNumber(expression_, Exact(Integer(digits)), static_cast<std::uint32_t>(std::stoul(power)));
    sources_.push_back({begin, true, false});
    return TakeOperand(0);
  }

  // From the sign of the power on: ^3, ^{3} or raised digits.
  bool ReadExponent(std::string& exponent) {
    if (!Now().digits.empty()) {
      for (; Now().kind == Token::Kind::kPower && !Now().digits.empty(); ++at_) exponent += Now().digits;
      return true;
    }
    ++at_;
    const bool brace = Now().Is(Token::Kind::kOpen, '{');
    if (brace) ++at_;
    if (Now().kind != Token::Kind::kNumber || Now().decimals != 0) return Unexpected("the exponent, a whole number");
    exponent = Now().digits;
    ++at_;
    if (!brace) return true;
    if (!Now().Is(Token::Kind::kClose, '}')) return Unexpected("'}' after the exponent");
    ++at_;
    return true;
  }

  // 2 1/4 or 2½: a whole number, and less than one more.
  bool IsMixed() const {
    const bool denominator = at_ > 0 && tokens_[at_ - 1].Is(Token::Kind::kOperator, '/');
    if (denominator || Now().decimals != 0) return false;
    if (Ahead(1).kind == Token::Kind::kVulgar) return true;
    return Ahead(1).kind == Token::Kind::kNumber && Ahead(1).after_blank && Ahead(1).decimals == 0 &&
           Ahead(2).Is(Token::Kind::kOperator, '/') && !Ahead(2).after_blank && Ahead(3).kind == Token::Kind::kNumber &&
           !Ahead(3).after_blank && Ahead(3).decimals == 0;
  }

  bool ReadMixed() {
    const std::size_t begin = Now().begin;
    const Integer whole(WithoutLeadingZeros(Now().digits));
    const bool vulgar = Ahead(1).kind == Token::Kind::kVulgar;
    const Integer over(WithoutLeadingZeros(Ahead(1).digits));
    const Integer under(WithoutLeadingZeros(vulgar ? Ahead(1).under : Ahead(3).digits));
    if (over >= under) return Fail(Ahead(1).begin, "expected a fraction less than 1 after the whole number");
    if (whole > kMaxInteger || under > kMaxInteger) return Fail(begin, "the number is too large");
    // (whole * under + over) / under, with the sign of all in both parts.
    const bool negative = !pending_.empty() && pending_.back().level == kSign;
    if (negative) pending_.pop_back();
    Push(Exact(negative ? Integer(-whole) : whole), begin, true);
    Push(Exact(under), begin, true);
    Operate('*', begin);
    Push(Exact(over), begin, true);
    Operate(negative ? '-' : '+', begin);
    Push(Exact(under), begin, true);
    Divide(begin, false);
    return TakeOperand(vulgar ? 2 : 4);
  }

  bool ReadVulgar() {
    const Token& token = Now();
    if (kind_ == TermKind::kMultiplication)
      return NotExpressible(token.begin, "a fraction cannot be expressed in multiplication");
    Push(Exact(Integer(token.digits)), token.begin, true);
    Push(Exact(Integer(token.under)), token.begin, true);
    Divide(token.begin, true);
    return TakeOperand(1);
  }

  bool ReadUnknown() {
    const Token& token = Now();
    if (unknown_ != 0 && unknown_ != token.symbol) {
      return NotExpressible(token.begin, Message("{} is a second unknown beside {}; only one can be expressed",
                                                 Quoted(token.symbol), Quoted(unknown_)));
    }
    unknown_ = token.symbol;
    PushUnknown(expression_, token.symbol);
    sources_.push_back({token.begin, false, false});
    return TakeOperand(1);
  }

  // [p/q], a number as the equations write it, whether or not it is in lowest terms.
  bool ReadBracketedNumber() {
    if (kind_ != TermKind::kEquation || Now().symbol != '[') return false;
    const bool negative = Ahead(1).Is(Token::Kind::kOperator, '-');
    const std::size_t over = negative ? 2 : 1;
    const auto is_integer = [](const Token& token) { return token.kind == Token::Kind::kNumber && token.decimals == 0; };
    if (!is_integer(Ahead(over)) || !Ahead(over + 1).Is(Token::Kind::kOperator, '/') || !is_integer(Ahead(over + 2)) ||
        !Ahead(over + 3).Is(Token::Kind::kClose, ']')) {
      return false;
    }
    const Integer above(WithoutLeadingZeros(Ahead(over).digits));
    const Integer below(WithoutLeadingZeros(Ahead(over + 2).digits));
    if (below == 0 || above > kMaxInteger || below > kMaxInteger) return false;
    Push(Exact(negative ? Integer(-above) : above, below), Now().begin, false);
    return TakeOperand(over + 4);
  }

  // \frac{N}{D}, or \frac12 with two digits.
  bool ReadFraction() {
    const std::size_t begin = Now().begin;
    if (kind_ == TermKind::kMultiplication) return NotExpressible(begin, "a fraction cannot be expressed in multiplication");
    ++at_;
    if (Now().Is(Token::Kind::kOpen, '{')) {
      pending_.push_back({kNumerator, '{', false, begin});
      ++at_;
      return true;
    }
    if (Now().kind != Token::Kind::kNumber || Now().digits.size() != 2 || Now().decimals != 0) {
      return Unexpected("'{' and the numerator");
    }
    Push(Exact(Now().digits[0] - '0'), begin, true);
    Push(Exact(Now().digits[1] - '0'), begin, true);
    Divide(begin, true);
    return TakeOperand(1);
  }

  // After an operand: an operator, a closing bracket, or a factor without a sign before it.
  bool ReadAfterOperand() {
    const Token& token = Now();
    switch (token.kind) {
      case Token::Kind::kOperator:
        return ReadOperator();
      case Token::Kind::kClose:
        return ReadCloser();
      case Token::Kind::kLetter:
        if (kind_ == TermKind::kMultiplication && (token.symbol == 'x' || token.symbol == 'X')) {
          ++at_;
          return PushOperator(kProduct, '*', token.begin);
        }
        if (kind_ != TermKind::kEquation) return Unexpected("an operator or the end");
        return PushOperator(token.after_blank ? kProduct : kJoined, '*', token.begin);
      case Token::Kind::kNumber:
      case Token::Kind::kVulgar:
      case Token::Kind::kFraction:
        if (IsInteger(expression_.back()) && sources_.back().literal && token.kind != Token::Kind::kNumber)
          return MixedNumber();
        if (token.kind != Token::Kind::kNumber) return PushOperator(token.after_blank ? kProduct : kJoined, '*', token.begin);
        if (sources_.back().literal && Ahead(1).Is(Token::Kind::kOperator, '/')) return MixedNumber();
        return Unexpected("an operator or the end");
      case Token::Kind::kOpen:
        return PushOperator(token.after_blank ? kProduct : kJoined, '*', token.begin);
      default:
        return Unexpected("an operator or the end");
    }
  }

  bool MixedNumber() {
    return Fail(Now().begin, Message("a sum or a product? write {} or 2 * 1/4 instead of a fraction after a number",
                                     kind_ == TermKind::kEquation ? "2 + 1/4" : "2 1/4"));
  }

  bool ReadOperator() {
    const Token& token = Now();
    const bool tight = token.symbol == '/' && !token.after_blank && !Ahead(1).after_blank;
    ++at_;
    switch (token.symbol) {
      case '+':
      case '-':
        return PushOperator(kSum, token.symbol, token.begin);
      case '*':
        return PushOperator(kProduct, '*', token.begin);
      case '/':
      case ':':
        if (kind_ == TermKind::kMultiplication) {
          return NotExpressible(token.begin, "a division cannot be expressed in multiplication");
        }
        // a * b / c is the same either way, but of fractions only a * (b / c) is an operation on two of them.
        return PushOperator(kind_ == TermKind::kFraction ? kDivision : kProduct, '/', token.begin, tight);
      default:
        break;
    }
    if (kind_ != TermKind::kEquation)
      return NotExpressible(token.begin, Message("an equation cannot be expressed in {}", Problems()));
    if (!Reduce(kSum)) return false;
    if (!pending_.empty()) {
      return Fail(token.begin, pending_.back().level == kEquality ? "a second '='" : "'=' inside brackets");
    }
    return PushOperator(kEquality, '=', token.begin);
  }

  bool PushOperator(Level level, char symbol, std::size_t position, bool tight = false) {
    if (!Reduce(level)) return false;
    pending_.push_back({level, symbol, tight, position});
    complete_ = false;
    return true;
  }

  bool ReadCloser() {
    const Token token = Now();
    if (!Reduce(kSum)) return false;
    const char opener = token.symbol == ')' ? '(' : token.symbol == ']' ? '[' : '{';
    if (pending_.empty() || !IsBracket(pending_.back().level) || pending_.back().symbol != opener) {
      if (!pending_.empty() && IsBracket(pending_.back().level)) {
        return Fail(token.begin, Message("{} does not close {}", Quoted(token.symbol), Quoted(pending_.back().symbol)));
      }
      return Fail(token.begin, Message("{} closes nothing", Quoted(token.symbol)));
    }
    const Pending closed = pending_.back();
    pending_.pop_back();
    ++at_;
    if (closed.level == kNumerator) {
      if (!Now().Is(Token::Kind::kOpen, '{')) return Unexpected("'{' and the denominator");
      pending_.push_back({kDenominator, '{', false, closed.position});
      complete_ = false;
      ++at_;
    } else if (closed.level == kDenominator) {
      Divide(closed.position, true);
    } else if (opener != '{') {
      sources_.back().literal = false;
      sources_.back().grouped = true;
    }
    return true;
  }

  // Applies what waits and binds at least so tightly, up to the next bracket.
  bool Reduce(Level level) {
    while (!pending_.empty() && pending_.back().level >= level && !IsBracket(pending_.back().level)) {
      const Pending item = pending_.back();
      pending_.pop_back();
      if (item.level == kSign) {
        if (!Negate(item.position)) return false;
      } else if (item.symbol == '/') {
        Divide(item.position, item.tight);
      } else {
        Operate(item.symbol, item.position);
      }
    }
    return true;
  }

  bool Negate(std::size_t position) {
    ExpressionNode& operand = expression_.back();
    if (operand.kind == NodeKind::kNumber) {
      operand.number = -operand.number;
      return true;
    }
    if (kind_ == TermKind::kEquation) {
      PushNegation(expression_);
      sources_.push_back({position, false, false});
      return true;
    }
    // A fraction takes the sign into its numerator.
    const bool fraction = operand.kind == NodeKind::kOperation && operand.symbol == '/';
    ExpressionNode* const over = fraction ? &expression_[LeftOperand(expression_, expression_.size() - 1)] : nullptr;
    if (over == nullptr || over->kind != NodeKind::kNumber) {
      return NotExpressible(position, Message("a minus before parentheses cannot be expressed in {}", Problems()));
    }
    over->number = -over->number;
    return true;
  }

  void Push(Exact number, std::size_t position, bool literal) {
    PushNumber(expression_, std::move(number));
    sources_.push_back({position, literal, false});
  }

  void Operate(char symbol, std::size_t position) {
    PushOperation(expression_, symbol);
    sources_.push_back({position, false, false});
  }

  // A division, or in equations a number if both parts are literals in lowest terms.
  void Divide(std::size_t position, bool tight) {
    const std::size_t right = expression_.size() - 1;
    const std::size_t left = right - expression_[right].size;
    if (kind_ == TermKind::kEquation && tight && sources_[left].literal && sources_[right].literal &&
        IsLowestTerms(expression_[left].number, expression_[right].number)) {
      const Exact value = expression_[left].number / expression_[right].number;
      const std::size_t begin = sources_[left].position;
      expression_.resize(left);
      sources_.resize(left);
      Push(value, begin, false);
      return;
    }
    Operate('/', position);
  }

  TermKind kind_;
  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  bool complete_ = false;  // whether there is an operand that waits for what comes next
  char unknown_ = 0;
  std::vector<Pending> pending_;
  Expression expression_;
  std::vector<Source> sources_;  // of the nodes
  NotationError error_;
};

// Printing: a node is split into pieces of text and other nodes, which wait on a stack.
struct Piece {
  static constexpr std::size_t kText = static_cast<std::size_t>(-1);
  std::string text;
  std::size_t node = kText;
};

template <class Split>
std::string Print(std::size_t root, const Split& split) {
  std::string out;
  std::vector<Piece> waiting{{{}, root}};
  while (!waiting.empty()) {
    const Piece piece = std::move(waiting.back());
    waiting.pop_back();
    if (piece.node == Piece::kText) {
      out += piece.text;
      continue;
    }
    std::vector<Piece> parts = split(piece.node);
    waiting.insert(waiting.end(), std::make_move_iterator(parts.rbegin()), std::make_move_iterator(parts.rend()));
  }
  return out;
}

std::string CanonicalNumber(TermKind kind, const ExpressionNode& node) {
  if (kind == TermKind::kMultiplication) return numerator(node.number).str() + "e" + std::to_string(node.exponent);
  if (kind == TermKind::kFraction) return node.number.str();
  const std::string text = denominator(node.number) == 1 ? node.number.str() : "[" + node.number.str() + "]";
  return node.number < 0 ? "(" + text + ")" : text;
}

// With all parentheses, so that the domain reads exactly this. The root of fractions goes without if `bare_root`.
std::string PrintForDomain(TermKind kind, const Expression& expression, bool bare_root) {
  const std::size_t root = expression.size() - 1;
  return Print(root, [&](std::size_t i) -> std::vector<Piece> {
    const ExpressionNode& node = expression[i];
    if (node.kind == NodeKind::kNumber) return {{CanonicalNumber(kind, node)}};
    if (node.kind == NodeKind::kUnknown) return {{std::string(1, node.symbol)}};
    const std::size_t right = RightOperand(expression, i);
    if (node.kind == NodeKind::kNegation) return {{"-("}, {{}, right}, {")"}};
    const std::size_t left = LeftOperand(expression, i);
    if (kind == TermKind::kFraction && node.symbol == '/') return {{"["}, {{}, left}, {"]/["}, {{}, right}, {"]"}};
    const std::string between{' ', node.symbol, ' '};
    if (node.symbol == '=' || (bare_root && i == root)) return {{{}, left}, {between}, {{}, right}};
    return {{"("}, {{}, left}, {between}, {{}, right}, {")"}};
  });
}

bool IsFraction(const ExpressionNode& node) { return node.kind == NodeKind::kOperation && node.symbol == '/'; }

// The node of a fraction that is neither alone nor an operand of the whole; nothing if all are where they may be.
std::optional<std::size_t> MisplacedFraction(const Expression& expression) {
  const std::size_t root = expression.size() - 1;
  const bool operation = expression[root].kind == NodeKind::kOperation && !IsFraction(expression[root]);
  for (std::size_t i = 0; i < expression.size(); ++i) {
    if (!IsFraction(expression[i]) || i == root) continue;
    if (!operation || (i != RightOperand(expression, root) && i != LeftOperand(expression, root))) return i;
  }
  return std::nullopt;
}

// Writing for people: as few parentheses as the reader above needs to read the same, and a few more where people might not.
class TermWriter {
 public:
  // Whether fractions are drawn, in a formula, or written on the line.
  TermWriter(TermKind kind, bool is_drawn, const Expression& expression)
      : kind_(kind), is_drawn_(is_drawn), expression_(expression), minus_(expression.size()) {
    for (std::size_t i = 0; i < expression_.size(); ++i) minus_[i] = StartsWithMinus(i);
  }

  // Requires that it is not drawn.
  std::string Write() const {
    return Print(expression_.size() - 1, [this](std::size_t i) { return Split(i); });
  }

  // Requires that it is drawn. Brackets around the whole are the caller's.
  void Draw(FormulaBuilder& formula) const {
    std::vector<Part> waiting{{expression_.size() - 1}};
    std::vector<Part> parts;
    while (!waiting.empty()) {
      const Part part = waiting.back();
      waiting.pop_back();
      if (part.node == Part::kClose) {
        formula.Close();
        continue;
      }
      parts.clear();
      if (part.is_subtracted) formula.Open(FormulaKind::kNegation);
      if (part.in_brackets) formula.Open(FormulaKind::kBrackets);
      DrawNode(part.node, formula, parts);
      if (part.in_brackets) parts.push_back({Part::kClose});
      if (part.is_subtracted) parts.push_back({Part::kClose});
      waiting.insert(waiting.end(), parts.rbegin(), parts.rend());
    }
  }

 private:
  using FormulaKind = FormulaNode::Kind;

  // From loose to tight; an atom needs no parentheses anywhere.
  enum Level : std::uint8_t { kEquality, kSum, kProduct, kDivision, kJoined, kSign, kAtom };

  // What is still to be drawn: a node, or the end of one that was begun.
  struct Part {
    static constexpr std::size_t kClose = static_cast<std::size_t>(-1);
    std::size_t node;
    bool in_brackets = false;
    bool is_subtracted = false;
  };

  const ExpressionNode& Node(std::size_t i) const { return expression_[i]; }
  std::size_t Left(std::size_t i) const { return LeftOperand(expression_, i); }
  std::size_t Right(std::size_t i) const { return RightOperand(expression_, i); }
  bool IsNumber(std::size_t i) const { return Node(i).kind == NodeKind::kNumber; }
  bool IsSum(std::size_t i) const {
    return Node(i).kind == NodeKind::kOperation && (Node(i).symbol == '+' || Node(i).symbol == '-');
  }

  // 2x and 2(x + 1), with the sign left out
  bool IsJoined(std::size_t i) const {
    if (kind_ != TermKind::kEquation || Node(i).kind != NodeKind::kOperation || Node(i).symbol != '*') return false;
    return IsNumber(Left(i)) && (Node(Right(i)).kind == NodeKind::kUnknown || IsSum(Right(i)));
  }

  // A division that would be read as a number if it were written as a fraction.
  bool LooksLikeNumber(std::size_t i) const {
    return kind_ == TermKind::kEquation && IsInteger(Node(Left(i))) && IsInteger(Node(Right(i))) &&
           IsLowestTerms(Node(Left(i)).number, Node(Right(i)).number);
  }
  bool IsDrawnFraction(std::size_t i) const { return is_drawn_ && IsFraction(Node(i)) && !LooksLikeNumber(i); }

  Level LevelOf(std::size_t i) const {
    const ExpressionNode& node = Node(i);
    switch (node.kind) {
      case NodeKind::kUnknown:
        return kAtom;
      case NodeKind::kNegation:
        return kSign;
      case NodeKind::kNumber:
        if (!is_drawn_ && !IsInteger(node)) return kProduct;
        return node.number < 0 ? kSign : kAtom;
      case NodeKind::kOperation:
        break;
    }
    if (IsJoined(i)) return kJoined;
    if (IsDrawnFraction(i)) return kAtom;
    switch (node.symbol) {
      case '=':
        return kEquality;
      case '+':
      case '-':
        return kSum;
      case '/':
        return kind_ == TermKind::kFraction ? kDivision : kProduct;
      default:
        return kProduct;
    }
  }

  // How loose a left operand may be. A right one must be tighter than its operator, and must not start with a minus.
  static Level LeftLevel(char op) { return op == '=' ? kEquality : op == '+' || op == '-' ? kSum : kProduct; }
  Level RightLevel(char op) const {
    if (op == '=') return kEquality;
    if (op == '+' || op == '-') return kProduct;
    if (op == '/') return kAtom;
    return kind_ == TermKind::kFraction ? kDivision : kJoined;
  }

  bool LeftNeedsParentheses(std::size_t i) const {
    const bool over = kind_ == TermKind::kFraction && Node(i).symbol == '/';
    return LevelOf(Left(i)) < (over ? kSign : LeftLevel(Node(i).symbol));
  }
  bool RightNeedsParentheses(std::size_t i) const {
    const char symbol = Node(i).symbol;
    return LevelOf(Right(i)) < RightLevel(symbol) || (minus_[Right(i)] && symbol != '=');
  }

  bool StartsWithMinus(std::size_t i) const {
    const ExpressionNode& node = Node(i);
    if (node.kind == NodeKind::kNumber) return node.number < 0;
    if (node.kind == NodeKind::kNegation) return true;
    if (node.kind == NodeKind::kUnknown || IsDrawnFraction(i)) return false;
    return minus_[Left(i)] && !LeftNeedsParentheses(i);
  }

  // On the line.

  static void Append(std::vector<Piece>& pieces, std::size_t i, bool parentheses) {
    if (parentheses) pieces.push_back({"("});
    pieces.push_back({{}, i});
    if (parentheses) pieces.push_back({")"});
  }

  static std::string NumberText(const ExpressionNode& node) {
    const std::string text = node.number.str();
    return node.exponent == 0 ? text : text + "e" + std::to_string(node.exponent);
  }

  static std::string CoefficientText(const ExpressionNode& node) {
    if (IsInteger(node)) return NumberText(node);
    return (node.number < 0 ? "-(" : "(") + Exact(abs(node.number)).str() + ")";
  }

  std::vector<Piece> Split(std::size_t i) const {
    const ExpressionNode& node = Node(i);
    std::vector<Piece> pieces;
    if (node.kind == NodeKind::kNumber) {
      pieces.push_back({NumberText(node)});
    } else if (node.kind == NodeKind::kUnknown) {
      pieces.push_back({std::string(1, node.symbol)});
    } else if (node.kind == NodeKind::kNegation) {
      pieces.push_back({"-"});
      // -2x would be a number times x.
      Append(pieces, Right(i), Node(Right(i)).kind != NodeKind::kUnknown);
    } else if (IsJoined(i)) {
      pieces.push_back({CoefficientText(Node(Left(i)))});
      Append(pieces, Right(i), IsSum(Right(i)));
    } else {
      Append(pieces, Left(i), LeftNeedsParentheses(i));
      pieces.push_back({OperatorText(node.symbol)});
      Append(pieces, Right(i), RightNeedsParentheses(i));
    }
    return pieces;
  }

  std::string OperatorText(char symbol) const {
    if (symbol == '/' && kind_ == TermKind::kFraction) return "/";
    return {' ', symbol, ' '};
  }

  // As a formula.

  static void DrawNumber(const ExpressionNode& node, FormulaBuilder& formula) {
    const bool has_power = node.exponent != 0;
    if (has_power) formula.Open(FormulaKind::kProduct, "*");
    formula.Number(node.number.str());
    if (!has_power) return;
    formula.Open(FormulaKind::kPower);
    formula.Leaf(FormulaKind::kNumber, "10");
    formula.Leaf(FormulaKind::kNumber, std::to_string(node.exponent));
    formula.Close();
    formula.Close();
  }

  // Begins a node; `parts` gets what is left to draw of it.
  void DrawNode(std::size_t i, FormulaBuilder& formula, std::vector<Part>& parts) const {
    const ExpressionNode& node = Node(i);
    if (node.kind == NodeKind::kNumber) return DrawNumber(node, formula);
    if (node.kind == NodeKind::kUnknown) return formula.Leaf(FormulaKind::kUnknown, std::string(1, node.symbol));
    if (node.kind == NodeKind::kNegation) {
      formula.Open(FormulaKind::kNegation);
      parts = {{Right(i), Node(Right(i)).kind != NodeKind::kUnknown}};
    } else if (IsJoined(i)) {
      formula.Open(FormulaKind::kProduct, " ");
      parts = {{Left(i)}, {Right(i), IsSum(Right(i))}};
    } else if (IsDrawnFraction(i)) {
      formula.Open(FormulaKind::kFraction);
      parts = {{Left(i)}, {Right(i)}};
    } else if (IsSum(i) || node.symbol == '*') {
      DrawChain(i, formula, parts);
    } else {
      formula.Open(node.symbol == '=' ? FormulaKind::kEquation : FormulaKind::kDivision);
      parts = {{Left(i), LeftNeedsParentheses(i)}, {Right(i), RightNeedsParentheses(i)}};
    }
    parts.push_back({Part::kClose});
  }

  // A sum or a product, with those that it begins with as far as these need no parentheses: a + b - c.
  void DrawChain(std::size_t i, FormulaBuilder& formula, std::vector<Part>& parts) const {
    const bool is_sum = IsSum(i);
    const auto goes_on = [&](std::size_t at) {
      if (LeftNeedsParentheses(at)) return false;
      const std::size_t left = Left(at);
      return is_sum ? IsSum(left) : Node(left).kind == NodeKind::kOperation && Node(left).symbol == '*' && !IsJoined(left);
    };
    std::size_t at = i;
    while (true) {
      parts.push_back({Right(at), RightNeedsParentheses(at), Node(at).symbol == '-'});
      if (!goes_on(at)) break;
      at = Left(at);
    }
    parts.push_back({Left(at), LeftNeedsParentheses(at)});
    std::reverse(parts.begin(), parts.end());
    if (is_sum) {
      formula.Open(FormulaKind::kSum);
    } else {
      formula.Open(FormulaKind::kProduct, std::string(parts.size() - 1, '*'));
    }
  }

  TermKind kind_;
  bool is_drawn_;
  const Expression& expression_;
  std::vector<bool> minus_;  // whether a node's text starts with a minus
};

// Whether the first parenthesis closes at the very end.
bool StandsInParentheses(std::string_view state) {
  if (!state.starts_with('(')) return false;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (state[i] == '(') ++depth;
    if (state[i] == ')' && --depth == 0) return i + 1 == state.size();
  }
  return false;
}

}  // namespace

TermReading ReadTerm(TermKind kind, std::string_view text) {
  TermReader reader(kind, text);
  if (!reader.Read()) return {{}, reader.error()};
  bool bare_root = false;
  if (kind == TermKind::kFraction) {
    const Expression& expression = reader.expression();
    if (const std::optional<std::size_t> fraction = MisplacedFraction(expression)) {
      return {
          {},
          NotationError{NotationError::Kind::kNotExpressible, reader.PositionOf(*fraction),
                        "a fraction inside another operation cannot be expressed: fractions has problems of one operation on "
                        "two fractions or whole numbers"}};
    }
    // Parentheses around everything matter to the domain, unless they are around fractions, where it allows none.
    const bool of_fractions = std::any_of(expression.begin(), expression.end(), IsFraction);
    bare_root = of_fractions || !reader.InParentheses();
  }
  return {PrintForDomain(kind, reader.expression(), bare_root), std::nullopt};
}

std::string WriteExpression(TermKind kind, Script script, const Expression& expression) {
  if (script == Script::kPlain) return TermWriter(kind, /*is_drawn=*/false, expression).Write();
  FormulaBuilder formula;
  TermWriter(kind, /*is_drawn=*/true, expression).Draw(formula);
  return LatexOf(formula.Take());
}

std::string WriteState(TermKind kind, Script script, std::string_view state, const Expression& expression) {
  if (script == Script::kLatex) return LatexOf(DrawState(kind, state, expression));
  std::string text = WriteExpression(kind, script, expression);
  if (kind != TermKind::kFraction || !StandsInParentheses(state)) return text;
  return "(" + text + ")";
}

Formula DrawState(TermKind kind, std::string_view state, const Expression& expression) {
  const bool in_brackets = kind == TermKind::kFraction && StandsInParentheses(state);
  FormulaBuilder formula;
  if (in_brackets) formula.Open(FormulaNode::Kind::kBrackets);
  TermWriter(kind, /*is_drawn=*/true, expression).Draw(formula);
  if (in_brackets) formula.Close();
  return formula.Take();
}

}  // namespace conpole

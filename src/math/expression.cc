#include "math/expression.h"

#include <charconv>
#include <string>
#include <utility>

#include "util/text.h"

namespace conpole {

Expression Subexpression(const Expression& expression, std::size_t node) {
  const auto end = expression.begin() + static_cast<std::ptrdiff_t>(node) + 1;
  return {end - static_cast<std::ptrdiff_t>(expression[node].size), end};
}

std::optional<std::size_t> NodeAtPosition(const Expression& expression, std::size_t position) {
  std::vector<std::size_t> waiting{expression.size() - 1};
  while (!waiting.empty()) {
    const std::size_t node = waiting.back();
    waiting.pop_back();
    if (position == 0) return node;
    if (position >= expression[node].size) {
      position -= expression[node].size;
      continue;
    }
    --position;
    const ExpressionNode::Kind kind = expression[node].kind;
    if (kind == ExpressionNode::Kind::kOperation) {
      waiting.push_back(RightOperand(expression, node));
      waiting.push_back(LeftOperand(expression, node));
    } else if (kind == ExpressionNode::Kind::kNegation) {
      waiting.push_back(RightOperand(expression, node));
    }
  }
  return std::nullopt;
}

void PushNumber(Expression& expression, Exact number, std::uint32_t exponent) {
  ExpressionNode& node = expression.emplace_back();
  node.number = std::move(number);
  node.exponent = exponent;
}

void PushUnknown(Expression& expression, char letter) {
  ExpressionNode& node = expression.emplace_back();
  node.kind = ExpressionNode::Kind::kUnknown;
  node.symbol = letter;
}

void PushNegation(Expression& expression) {
  const std::uint32_t size = 1 + expression.back().size;
  ExpressionNode& node = expression.emplace_back();
  node.kind = ExpressionNode::Kind::kNegation;
  node.symbol = '-';
  node.size = size;
}

void PushOperation(Expression& expression, char symbol) {
  const std::uint32_t right = expression.back().size;
  const std::uint32_t left = expression[expression.size() - 1 - right].size;
  ExpressionNode& node = expression.emplace_back();
  node.kind = ExpressionNode::Kind::kOperation;
  node.symbol = symbol;
  node.size = 1 + left + right;
}

namespace {

// An operator-precedence reader. Brackets, signs and operators wait on a stack until their operands are complete.
class CanonicalReader {
 public:
  explicit CanonicalReader(std::string_view text) : text_(text) {}

  std::optional<Expression> Read() {
    bool operand_complete = false;
    while (at_ < text_.size()) {
      if (text_[at_] == ' ') {
        ++at_;
      } else if (!(operand_complete ? ReadOperator(operand_complete) : ReadOperand(operand_complete))) {
        return std::nullopt;
      }
    }
    if (!operand_complete) return std::nullopt;
    Reduce(0);
    if (!pending_.empty()) return std::nullopt;
    return std::move(expression_);
  }

 private:
  static constexpr char kSign = 'n';
  static constexpr char kLine = 'l';  // of [N]/[D], which is one operand

  static int Precedence(char op) {
    switch (op) {
      case '=':
        return 0;
      case '+':
      case '-':
        return 1;
      case '*':
      case '/':
        return 2;
      case kLine:
        return 3;
      case kSign:
        return 4;
      default:
        return -1;  // a bracket
    }
  }

  char Peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  bool ReadOperand(bool& operand_complete) {
    const char c = Peek();
    const bool negative = c == '-';
    const std::size_t start = at_;
    if (negative) ++at_;
    if (IsDigit(Peek()) || Peek() == '[') {
      if (ReadNumber(negative)) {
        operand_complete = true;
        return true;
      }
      at_ = start;
    }
    if (negative) {
      pending_ += kSign;
      at_ = start + 1;
    } else if (c == '(' || c == '[') {
      pending_ += c;
      ++at_;
    } else if (IsLetter(c)) {
      PushUnknown(expression_, c);
      operand_complete = true;
      ++at_;
    } else {
      return false;
    }
    return true;
  }

  // n, nEk, [p/q] or [-p/q], and a letter right after it as a factor. A bracket that holds no such number is left to others.
  bool ReadNumber(bool negative) {
    Exact number;
    std::uint32_t exponent = 0;
    if (Peek() == '[') {
      ++at_;
      if (Peek() == '-') {
        negative = !negative;
        ++at_;
      }
      const std::string over = ReadDigits();
      if (over.empty() || Peek() != '/') return false;
      ++at_;
      const std::string under = ReadDigits();
      if (under.empty() || Peek() != ']' || Integer(under) == 0) return false;
      ++at_;
      number = Exact(Integer(over), Integer(under));
    } else {
      number = Exact(Integer(ReadDigits()));
      if (Peek() == 'e' && IsDigit(Peek(1))) {
        ++at_;
        const auto [end, failure] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), exponent);
        if (failure != std::errc()) return false;
        at_ = static_cast<std::size_t>(end - text_.data());
      }
    }
    PushNumber(expression_, negative ? Exact(-number) : std::move(number), exponent);
    if (IsLetter(Peek())) {
      PushUnknown(expression_, Peek());
      PushOperation(expression_, '*');
      ++at_;
    }
    return true;
  }

  // Without leading zeros, which would mean octal to the constructor of Integer; at least one digit if there is any.
  std::string ReadDigits() {
    const std::size_t start = at_;
    while (IsDigit(Peek())) ++at_;
    std::string_view digits = text_.substr(start, at_ - start);
    while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
    return std::string(digits);
  }

  bool ReadOperator(bool& operand_complete) {
    const bool line = Peek() == '/' && text_[at_ - 1] == ']';
    const char c = line ? kLine : Peek();
    ++at_;
    if (c == ')' || c == ']') {
      Reduce(0);
      if (pending_.empty() || pending_.back() != (c == ')' ? '(' : '[')) return false;
      pending_.pop_back();
      return true;
    }
    if (IsLetter(c) && !line) return false;
    if (Precedence(c) < 0) return false;
    Reduce(Precedence(c));
    // An equality stands outside of all else, and once.
    if (c == '=' && (std::exchange(equality_, true) || !pending_.empty())) return false;
    pending_ += c;
    operand_complete = false;
    return true;
  }

  // Applies what waits and binds at least so tightly, up to the next bracket.
  void Reduce(int precedence) {
    while (!pending_.empty() && Precedence(pending_.back()) >= precedence) {
      const char op = pending_.back();
      pending_.pop_back();
      if (op == kSign) {
        PushNegation(expression_);
      } else {
        PushOperation(expression_, op == kLine ? '/' : op);
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string pending_;
  bool equality_ = false;
  Expression expression_;
};

}  // namespace

std::optional<Expression> ReadCanonical(std::string_view text) { return CanonicalReader(text).Read(); }

}  // namespace conpole

// Arithmetic expressions with numbers of any size: what the tutor works on where a domain's states are terms. They are read and
// walked without recursion, so nesting may be as deep as a text is long. Plain data; any thread may use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

namespace conpole {

using Integer = boost::multiprecision::cpp_int;
using Exact = boost::multiprecision::cpp_rational;

struct ExpressionNode {
  enum class Kind : std::uint8_t {
    kNumber,     // number times ten to the power of exponent
    kUnknown,    // symbol is its letter
    kNegation,   // of the node before it
    kOperation,  // symbol is one of + - * / =
  };
  Kind kind = Kind::kNumber;
  char symbol = 0;
  std::uint32_t size = 1;  // nodes of the subexpression that ends here
  Exact number;
  std::uint32_t exponent = 0;
};

// Nodes in postfix order: the root is the last one, and the right operand of node i ends at i - 1.
using Expression = std::vector<ExpressionNode>;

inline std::size_t RightOperand(const Expression&, std::size_t i) { return i - 1; }
inline std::size_t LeftOperand(const Expression& e, std::size_t i) { return i - 1 - e[i - 1].size; }

inline bool IsEquation(const Expression& e) {
  return e.back().kind == ExpressionNode::Kind::kOperation && e.back().symbol == '=';
}

// The subexpression that ends at a node, as an expression of its own.
Expression Subexpression(const Expression& expression, std::size_t node);
// The node at a position as labels count it: its index in pre-order. Nothing if there are not that many nodes.
std::optional<std::size_t> NodeAtPosition(const Expression& expression, std::size_t position);

void PushNumber(Expression& expression, Exact number, std::uint32_t exponent = 0);
void PushUnknown(Expression& expression, char letter);
// Both take what was pushed last as operands.
void PushNegation(Expression& expression);
void PushOperation(Expression& expression, char symbol);

// Reads canonical text of equations, fractions or multiplication, without their code. Nothing if it is no such text.
std::optional<Expression> ReadCanonical(std::string_view text);

}  // namespace conpole

// Expressions of school algebra as they are written: 2(x + 3) and 2x + 6 are different expressions of the same value. An
// expression is a tree; sums have no sums in them and products no products. The functions here make expressions, work out what
// they are worth, and say where they are not defined.
//
// Values: copies share nothing, any thread may use its own. Depth is bounded by kMaxDepth for everything that the parser lets
// through and every step leads to, which bounds all recursion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domains/school/algebra_polynomial.h"

namespace conpole::algebra {

inline constexpr std::size_t kMaxDepth = 40;
inline constexpr unsigned kMaxExponent = 1'000;

enum class Kind : std::uint8_t {
  kNumber,    // a whole number, not negative: value
  kDecimal,   // value / 10^exponent, with exponent > 0 and value not divisible by 10
  kMixed,     // value and children[0] / children[1], both numbers
  kUnknown,   // the one unknown of the problem
  kNegation,  // of children[0]
  kSum,       // of two children or more
  kProduct,   // of two children or more
  kQuotient,  // children[0] / children[1]
  kPower,     // children[0] ^ exponent
  kRoot,      // the root of value of degree exponent: 2 for the square root
};

struct Node {
  Kind kind = Kind::kNumber;
  unsigned exponent = 0;
  Integer value;
  std::vector<Node> children;

  bool Is(Kind wanted) const { return kind == wanted; }
  // Whether it is this whole number.
  bool IsNumber(unsigned number) const { return kind == Kind::kNumber && value == number; }

  friend bool operator==(const Node& a, const Node& b);
};

// Whether numbers that steps compute are written as fractions or, where that is exact, as decimals.
enum class NumberStyle : std::uint8_t { kFractions, kDecimals };

// Making expressions. Sums in sums and products in products are made one; a sum or product of one is that one, of none 0 or 1.
Node Unknown();
Node Number(Integer value);  // requires value >= 0
Node Decimal(Integer value, unsigned places);
Node Mixed(Integer whole, Integer above, Integer below);
Node Negation(Node child);
Node Sum(std::vector<Node> children);
Node Product(std::vector<Node> children);
Node Quotient(Node above, Node below);
Node Power(Node base, unsigned exponent);
Node Root(Integer radicand, unsigned degree = 2);
// A rational number as an answer has it: -3/4, 5, 0.25.
Node NumberNode(const Exact& value, NumberStyle style);
// (3 + sqrt(5))/2, 2cbrt(5). Requires a simplified surd.
Node SurdNode(const Surd& surd);
// With the highest power first.
Node PolynomialNode(const Polynomial& p, NumberStyle style);
// The decimal with this value, if there is one of up to 12 places.
std::optional<Node> DecimalNode(const Exact& value);

bool Contains(const Node& node, Kind kind);
inline bool HasUnknown(const Node& node) { return Contains(node, Kind::kUnknown); }
// What a minus stands before, or the expression itself.
inline const Node& WithoutSign(const Node& node) { return node.Is(Kind::kNegation) ? node.children[0] : node; }
// The terms of a side, with their signs.
inline std::vector<Node> TermsOfSide(const Node& side) { return side.Is(Kind::kSum) ? side.children : std::vector<Node>{side}; }
std::size_t DepthOf(const Node& node);
// The style that suits the numbers that are there: decimals if there are some, and no fraction.
NumberStyle StyleOf(const Node& node);
NumberStyle StyleOf(const Node& left, const Node& right);

// Why there is no normal form.
enum class NoForm : std::uint8_t { kDividesByZero, kZeroToTheZero, kTooLarge };

// What an expression is worth: a quotient of polynomials without a common factor, whose denominator has leading coefficient 1.
// Two expressions have the same normal form if and only if they are equal wherever both are defined.
struct NormalForm {
  Polynomial numerator;
  Polynomial denominator;

  bool IsNumber() const { return IsConstant(numerator) && IsConstant(denominator); }
  bool IsPolynomial() const { return IsConstant(denominator); }
  // Requires IsNumber().
  Exact Number() const { return numerator.empty() ? Exact(0) : numerator[0]; }

  friend bool operator==(const NormalForm&, const NormalForm&) = default;
};
struct FormResult {
  NormalForm form;
  std::optional<NoForm> fault;
};
// Requires an expression without roots.
FormResult FindNormalForm(const Node& node);
// The same; nothing if there is none, as of an expression with roots.
std::optional<NormalForm> FormOf(const Node& node);
// Whether both have one, and it is the same.
bool SameForm(const Node& a, const Node& b);
// The value of an expression without the unknown; nothing if it has none or is too large.
std::optional<Exact> NumberValue(const Node& node);
// The value of a number expression with roots of one whole number; nothing if there is none of this kind.
std::optional<Surd> SurdValue(const Node& node);

// Polynomials that are zero exactly where the expression divides by zero: RootFactors of every denominator with the unknown.
// Requires an expression that has a normal form.
void CollectExclusions(const Node& node, std::vector<Polynomial>& exclusions);

}  // namespace conpole::algebra

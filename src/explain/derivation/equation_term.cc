#include "explain/derivation/equation_term.h"

#include <algorithm>
#include <array>
#include <utility>

#include "domains/axioms/equations.h"

namespace conpole::axioms {
namespace {

namespace mp = boost::multiprecision;

using algebra::Kind;
using algebra::Node;

std::string OperandText(const Rational& number) {
  std::array<char, EquationNotation::kMaxNumberBytes> buffer{};
  return {buffer.data(), EquationNotation::WriteOperand(buffer.data(), number)};
}

std::string CoefficientText(const Rational& number) {
  std::array<char, EquationNotation::kMaxNumberBytes> buffer{};
  return {buffer.data(), EquationNotation::WriteCoefficient(buffer.data(), number)};
}

// One number times another, where at most one is a bracket or the unknown.
std::optional<SchoolTerm> Product(SchoolTerm a, SchoolTerm b) {
  if (a.core != SchoolTerm::Core::kNone && b.core != SchoolTerm::Core::kNone) return std::nullopt;
  if (a.core == SchoolTerm::Core::kNone) std::swap(a, b);
  a.coefficient *= b.coefficient;
  a.written = nullptr;
  return a;
}

std::optional<SchoolTerm> Quotient(SchoolTerm above, const SchoolTerm& below) {
  if (below.core != SchoolTerm::Core::kNone || below.coefficient.is_zero()) return std::nullopt;
  above.coefficient /= below.coefficient;
  above.written = nullptr;
  return above;
}

// A sum in a product: its value if it has no unknown, else a bracket.
std::optional<SchoolTerm> Bracket(std::optional<std::vector<SchoolTerm>> terms) {
  if (!terms) return std::nullopt;
  const bool number =
      std::all_of(terms->begin(), terms->end(), [](const SchoolTerm& t) { return t.core == SchoolTerm::Core::kNone; });
  SchoolTerm term;
  if (number) {
    term.coefficient = 0;
    for (const SchoolTerm& part : *terms) term.coefficient += part.coefficient;
    return term;
  }
  term.core = SchoolTerm::Core::kBracket;
  term.bracket = std::move(*terms);
  return term;
}

bool AppendTerms(const Expr& side, bool negative, std::vector<SchoolTerm>& terms);

std::optional<SchoolTerm> TermOf(const Expr& e) {
  SchoolTerm term;
  switch (e.kind) {
    case Expr::Kind::kNumber:
      term.coefficient = ExactOf(e.number);
      return term;
    case Expr::Kind::kUnknown:
      term.core = SchoolTerm::Core::kUnknown;
      return term;
    case Expr::Kind::kOperation:
      break;
  }
  if (e.IsSum()) {
    std::vector<SchoolTerm> terms;
    if (!AppendTerms(e, false, terms)) return std::nullopt;
    return Bracket(std::move(terms));
  }
  std::optional<SchoolTerm> left = TermOf(*e.left);
  std::optional<SchoolTerm> right = TermOf(*e.right);
  if (!left || !right) return std::nullopt;
  return e.op == '*' ? Product(std::move(*left), std::move(*right)) : Quotient(std::move(*left), *right);
}

bool AppendTerms(const Expr& side, bool negative, std::vector<SchoolTerm>& terms) {
  if (side.IsSum()) {
    return AppendTerms(*side.left, negative, terms) && AppendTerms(*side.right, negative != (side.op == '-'), terms);
  }
  std::optional<SchoolTerm> term = TermOf(side);
  if (!term) return false;
  if (negative) term->coefficient = -term->coefficient;
  terms.push_back(std::move(*term));
  return true;
}

std::optional<SchoolTerm> TermOf(const Node& node) {
  SchoolTerm term;
  switch (node.kind) {
    case Kind::kUnknown:
      term.core = SchoolTerm::Core::kUnknown;
      return term;
    case Kind::kNegation: {
      std::optional<SchoolTerm> inside = TermOf(node.children[0]);
      if (inside) inside->coefficient = -inside->coefficient;
      return inside;
    }
    case Kind::kSum:
      return Bracket(TermsOf(node));
    case Kind::kProduct: {
      std::optional<SchoolTerm> product = TermOf(node.children[0]);
      for (std::size_t i = 1; product && i < node.children.size(); ++i) {
        std::optional<SchoolTerm> factor = TermOf(node.children[i]);
        if (!factor) return std::nullopt;
        product = Product(std::move(*product), std::move(*factor));
      }
      return product;
    }
    case Kind::kQuotient: {
      std::optional<SchoolTerm> above = TermOf(node.children[0]);
      const std::optional<SchoolTerm> below = TermOf(node.children[1]);
      if (!above || !below) return std::nullopt;
      return Quotient(std::move(*above), *below);
    }
    default: {
      if (Contains(node, Kind::kUnknown) || Contains(node, Kind::kRoot)) return std::nullopt;
      const std::optional<Exact> value = algebra::NumberValue(node);
      if (!value) return std::nullopt;
      term.coefficient = *value;
      return term;
    }
  }
}

void LeaveOutZero(std::vector<SchoolTerm>& terms) {
  const bool zero = terms.size() == 1 && terms[0].core == SchoolTerm::Core::kNone && terms[0].coefficient.is_zero();
  if (zero) terms.clear();
}

class Translator {
 public:
  explicit Translator(bool several_unknowns) : several_unknowns_(several_unknowns) {}

  std::optional<Expr> Side(const Node& node) const {
    if (!node.Is(Kind::kSum)) return Term(node, false);
    std::optional<Expr> sum = Term(node.children[0], false);
    for (std::size_t i = 1; sum && i < node.children.size(); ++i) {
      const Node& child = node.children[i];
      const bool subtract = child.Is(Kind::kNegation) && CanBeSubtracted(child.children[0]);
      std::optional<Expr> term = subtract ? Subtracted(child.children[0]) : Term(child, false);
      if (!term) return std::nullopt;
      sum = Operation(subtract ? '-' : '+', std::move(*sum), std::move(*term));
    }
    return sum;
  }

 private:
  static constexpr unsigned kMaxPower = 6;

  static bool IsNumeral(const Node& node) { return node.Is(Kind::kNumber) || node.Is(Kind::kDecimal) || node.Is(Kind::kMixed); }
  static bool IsMultipleOfUnknown(const Node& node) {
    return node.Is(Kind::kUnknown) || (node.Is(Kind::kProduct) && node.children.size() == 2 && IsNumeral(node.children[0]) &&
                                       node.children[1].Is(Kind::kUnknown));
  }
  // What becomes a number or a multiple.
  static bool CanBeSubtracted(const Node& node) {
    return IsNumeral(node) || IsMultipleOfUnknown(node) ||
           (node.Is(Kind::kProduct) && node.children.size() == 2 && IsNumeral(node.children[0]) &&
            node.children[1].Is(Kind::kSum));
  }
  std::optional<Expr> Subtracted(const Node& node) const {
    if (node.Is(Kind::kUnknown)) return Operation('*', Number(Rational(1)), Unknown());
    if (!node.Is(Kind::kProduct)) return Term(node, false);
    std::optional<Expr> number = Term(node.children[0], false);
    std::optional<Expr> rest = node.children[1].Is(Kind::kUnknown) ? std::optional(Unknown()) : Side(node.children[1]);
    if (!number || !rest) return std::nullopt;
    return Operation('*', std::move(*number), std::move(*rest));
  }

  static std::optional<Expr> Numeral(const Node& node, bool negative) {
    const std::optional<Exact> value = algebra::NumberValue(node);
    if (!value) return std::nullopt;
    const std::optional<Rational> number = RationalOf(negative ? Exact(-*value) : *value);
    if (!number) return std::nullopt;
    return Number(*number);
  }

  static Expr MinusOneTimes(Expr e) { return Operation('*', Number(Rational(-1)), std::move(e)); }

  // The factors of a product, the sign going to the first.
  std::optional<Expr> Factors(const Node& product, bool negative) const {
    // 2x is one factor.
    const bool leading = IsNumeral(product.children[0]);
    std::optional<Expr> result;
    std::size_t at = 0;
    if (leading && product.children[1].Is(Kind::kUnknown)) {
      std::optional<Expr> number = Numeral(product.children[0], negative);
      if (!number) return std::nullopt;
      result = Operation('*', std::move(*number), Unknown());
      at = 2;
    } else if (leading) {
      result = Numeral(product.children[0], negative);
      at = 1;
    } else {
      result = Term(product.children[0], negative);
      at = 1;
    }
    for (; result && at < product.children.size(); ++at) {
      std::optional<Expr> factor = Term(product.children[at], false);
      if (!factor) return std::nullopt;
      result = Operation('*', std::move(*result), std::move(*factor));
    }
    return result;
  }

  std::optional<Expr> Term(const Node& node, bool negative) const {
    switch (node.kind) {
      case Kind::kNumber:
      case Kind::kDecimal:
      case Kind::kMixed:
        return Numeral(node, negative);
      case Kind::kUnknown:
        if (negative) return MinusOneTimes(Unknown());
        return several_unknowns_ ? Operation('*', Number(Rational(1)), Unknown()) : Unknown();
      case Kind::kNegation:
        return Term(node.children[0], !negative);
      case Kind::kSum: {
        std::optional<Expr> sum = Side(node);
        if (!sum || !negative) return sum;
        return MinusOneTimes(std::move(*sum));
      }
      case Kind::kProduct:
        return Factors(node, negative);
      case Kind::kQuotient: {
        const bool unknown_below = Contains(node.children[1], Kind::kUnknown);
        if (unknown_below && !IsMultipleOfUnknown(node.children[1])) return std::nullopt;
        std::optional<Expr> above = Term(node.children[0], negative);
        std::optional<Expr> below =
            node.children[1].Is(Kind::kUnknown) ? std::optional(Unknown()) : Term(node.children[1], false);
        if (!above || !below) return std::nullopt;
        return Operation('/', std::move(*above), std::move(*below));
      }
      case Kind::kPower: {
        if (node.exponent == 0 || node.exponent > kMaxPower || Contains(node, Kind::kUnknown)) return std::nullopt;
        std::optional<Expr> product = Term(node.children[0], false);
        for (unsigned i = 1; product && i < node.exponent; ++i) {
          std::optional<Expr> factor = Term(node.children[0], false);
          if (!factor) return std::nullopt;
          product = Operation('*', std::move(*product), std::move(*factor));
        }
        if (!product || !negative) return product;
        return MinusOneTimes(std::move(*product));
      }
      case Kind::kRoot:
        break;
    }
    return std::nullopt;
  }

  bool several_unknowns_;
};

}  // namespace

Expr Number(const Rational& value) {
  Expr e;
  e.number = value;
  return e;
}

Expr Unknown() {
  Expr e;
  e.kind = Expr::Kind::kUnknown;
  return e;
}

Expr Operation(char op, Expr left, Expr right) {
  Expr e;
  e.kind = Expr::Kind::kOperation;
  e.op = op;
  e.left = std::make_unique<Expr>(std::move(left));
  e.right = std::make_unique<Expr>(std::move(right));
  return e;
}

Expr Copy(const Expr& e) {
  if (e.kind == Expr::Kind::kOperation) return Operation(e.op, Copy(*e.left), Copy(*e.right));
  return e.IsNumber() ? Number(e.number) : Unknown();
}

bool Same(const Expr& a, const Expr& b) {
  if (a.kind != b.kind) return false;
  if (a.kind != Expr::Kind::kOperation) return !a.IsNumber() || a.number == b.number;
  return a.op == b.op && Same(*a.left, *b.left) && Same(*a.right, *b.right);
}

std::size_t CountUnknowns(const Expr& e) {
  if (e.kind == Expr::Kind::kOperation) return CountUnknowns(*e.left) + CountUnknowns(*e.right);
  return e.IsUnknown() ? 1 : 0;
}

void CollectNumbers(const Expr& e, std::vector<Rational>& numbers) {
  if (e.kind == Expr::Kind::kOperation) {
    CollectNumbers(*e.left, numbers);
    CollectNumbers(*e.right, numbers);
  } else if (e.IsNumber() && !e.IsNumber(0) && std::find(numbers.begin(), numbers.end(), e.number) == numbers.end()) {
    numbers.push_back(e.number);
  }
}

bool HasMultipleOfUnknown(const Expr& e, const Rational& number) {
  if (e.IsUnknown()) return number.Is(1);
  if (e.kind != Expr::Kind::kOperation) return false;
  if (e.IsMultiple() && e.right->IsUnknown()) return e.left->number == number;
  return HasMultipleOfUnknown(*e.left, number) || HasMultipleOfUnknown(*e.right, number);
}

void Write(const Expr& e, char unknown, std::string& out) {
  switch (e.kind) {
    case Expr::Kind::kNumber:
      out += OperandText(e.number);
      return;
    case Expr::Kind::kUnknown:
      out += unknown;
      return;
    case Expr::Kind::kOperation:
      break;
  }
  if (e.IsMultiple() && e.right->IsUnknown()) {
    out += CoefficientText(e.left->number);
    out += unknown;
    return;
  }
  out += '(';
  Write(*e.left, unknown, out);
  out += {' ', e.op, ' '};
  Write(*e.right, unknown, out);
  out += ')';
}

Linear Sum(const Linear& a, const Linear& b) { return {a.slope + b.slope, a.constant + b.constant}; }

Exact ExactOf(const Rational& number) { return {number.numerator(), number.denominator()}; }

std::optional<Rational> RationalOf(const Exact& number) {
  const auto fits = [](const algebra::Integer& integer) { return algebra::BitsOf(mp::abs(integer)) < 63; };
  const algebra::Integer above = mp::numerator(number);
  const algebra::Integer below = mp::denominator(number);
  if (!fits(above) || !fits(below)) return std::nullopt;
  return Rational::Make(static_cast<std::int64_t>(above), static_cast<std::int64_t>(below));
}

std::optional<Linear> LinearOf(const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::kNumber:
      return Linear{0, ExactOf(e.number)};
    case Expr::Kind::kUnknown:
      return Linear{1, 0};
    case Expr::Kind::kOperation:
      break;
  }
  const std::optional<Linear> left = LinearOf(*e.left);
  const std::optional<Linear> right = LinearOf(*e.right);
  if (!left || !right) return std::nullopt;
  const auto scaled = [](const Linear& linear, const Exact& by) { return Linear{linear.slope * by, linear.constant * by}; };
  switch (e.op) {
    case '+':
      return Sum(*left, *right);
    case '-':
      return Sum(*left, scaled(*right, -1));
    case '*':
      if (left->slope.is_zero()) return scaled(*right, left->constant);
      if (right->slope.is_zero()) return scaled(*left, right->constant);
      return std::nullopt;
    default:
      if (!right->slope.is_zero() || right->constant.is_zero()) return std::nullopt;
      return scaled(*left, 1 / right->constant);
  }
}

Linear SchoolTerm::CoreValue() const {
  switch (core) {
    case Core::kNone:
      return {0, 1};
    case Core::kUnknown:
      return {1, 0};
    case Core::kBracket:
      break;
  }
  Linear value{0, 0};
  for (const SchoolTerm& term : bracket) value = Sum(value, term.Value());
  return value;
}

Linear SchoolTerm::Value() const {
  const Linear value = CoreValue();
  return {value.slope * coefficient, value.constant * coefficient};
}

std::optional<std::vector<SchoolTerm>> TermsOf(const Expr& side) {
  std::vector<SchoolTerm> terms;
  if (!AppendTerms(side, false, terms)) return std::nullopt;
  LeaveOutZero(terms);
  return terms;
}

std::optional<std::vector<SchoolTerm>> TermsOf(const Node& side) {
  std::vector<SchoolTerm> terms;
  const std::size_t count = side.Is(Kind::kSum) ? side.children.size() : 1;
  for (std::size_t i = 0; i < count; ++i) {
    const Node& node = side.Is(Kind::kSum) ? side.children[i] : side;
    std::optional<SchoolTerm> term = TermOf(node);
    if (!term) return std::nullopt;
    term->written = &node;
    terms.push_back(std::move(*term));
  }
  LeaveOutZero(terms);
  return terms;
}

std::optional<Expr> Translate(const Node& side, bool several_unknowns) { return Translator(several_unknowns).Side(side); }

std::size_t CountUnknowns(const Node& node) {
  std::size_t count = node.Is(Kind::kUnknown) ? 1 : 0;
  for (const Node& child : node.children) count += CountUnknowns(child);
  return count;
}

}  // namespace conpole::axioms

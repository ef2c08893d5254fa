#include "domains/school/algebra_expression.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace conpole::algebra {
namespace {

namespace mp = boost::multiprecision;

constexpr unsigned kMaxPlaces = 12;

template <class... Children>
Node Over(Kind kind, Children&&... children) {
  Node node;
  node.kind = kind;
  node.children.reserve(sizeof...(children));
  (node.children.push_back(std::forward<Children>(children)), ...);
  return node;
}

// Children of the same kind are replaced by their children.
Node Flat(Kind kind, std::vector<Node> children) {
  Node node;
  node.kind = kind;
  if (std::none_of(children.begin(), children.end(), [&](const Node& child) { return child.kind == kind; })) {
    node.children = std::move(children);
    return node;
  }
  for (Node& child : children) {
    if (child.kind == kind) {
      std::move(child.children.begin(), child.children.end(), std::back_inserter(node.children));
    } else {
      node.children.push_back(std::move(child));
    }
  }
  return node;
}

bool IsZero(const NormalForm& form) { return form.numerator.empty(); }

// Takes the common factor out and makes the denominator's leading coefficient 1.
std::optional<NoForm> Reduce(NormalForm& form) {
  if (form.denominator.empty()) return NoForm::kDividesByZero;
  if (form.denominator.size() > 1) {
    const Polynomial common = CommonDivisor(form.numerator, form.denominator);
    if (common.size() > 1) {
      form.numerator = Divide(form.numerator, common).quotient;
      form.denominator = Divide(form.denominator, common).quotient;
    }
  }
  if (form.denominator.back() != 1) {
    const Exact factor = 1 / form.denominator.back();
    form.numerator = Scale(form.numerator, factor);
    form.denominator = Scale(form.denominator, factor);
  }
  if (!Small(form.numerator) || !Small(form.denominator)) return NoForm::kTooLarge;
  return std::nullopt;
}

NormalForm OfNumber(Exact value) { return {Constant(value), Constant(1)}; }

std::optional<NoForm> AddTo(NormalForm& sum, const NormalForm& term) {
  if (sum.denominator == term.denominator) {
    sum.numerator = Add(sum.numerator, term.numerator);
    if (sum.denominator.size() == 1) return Small(sum.numerator) ? std::nullopt : std::optional(NoForm::kTooLarge);
  } else {
    sum.numerator = Add(Multiply(sum.numerator, term.denominator), Multiply(term.numerator, sum.denominator));
    sum.denominator = Multiply(sum.denominator, term.denominator);
  }
  return Reduce(sum);
}

std::optional<NoForm> MultiplyBy(NormalForm& product, const NormalForm& factor) {
  product.numerator = Multiply(product.numerator, factor.numerator);
  product.denominator = Multiply(product.denominator, factor.denominator);
  return Reduce(product);
}

std::optional<NoForm> RaiseTo(NormalForm& base, unsigned exponent) {
  if (exponent == 0) {
    if (IsZero(base)) return NoForm::kZeroToTheZero;
    base = OfNumber(1);
    return std::nullopt;
  }
  if (IsZero(base)) return std::nullopt;
  if (std::max(Degree(base.numerator), Degree(base.denominator)) * exponent > kMaxDegree) return NoForm::kTooLarge;
  // A lower bound of the result's size keeps the work small; what is left over is found by Reduce.
  for (const Polynomial* p : {&base.numerator, &base.denominator}) {
    for (const Integer& part : {Integer(mp::numerator(p->back())), Integer(mp::denominator(p->back()))}) {
      if (part != 0 && (BitsOf(part) - 1) * exponent > kMaxBits) return NoForm::kTooLarge;
    }
  }
  if (base.IsNumber()) {
    const Exact value = base.Number();
    base =
        OfNumber(Exact(mp::pow(Integer(mp::numerator(value)), exponent), mp::pow(Integer(mp::denominator(value)), exponent)));
    return Small(base.numerator) ? std::nullopt : std::optional(NoForm::kTooLarge);
  }
  const NormalForm factor = base;
  for (unsigned i = 1; i < exponent; ++i) {
    if (std::optional<NoForm> fault = MultiplyBy(base, factor)) return fault;
  }
  return std::nullopt;
}

std::optional<NoForm> FindForm(const Node& node, NormalForm& form) {
  switch (node.kind) {
    case Kind::kNumber:
      form = OfNumber(Exact(node.value));
      return BitsOf(node.value) <= kMaxBits ? std::nullopt : std::optional(NoForm::kTooLarge);
    case Kind::kDecimal:
      form = OfNumber(Exact(node.value, mp::pow(Integer(10), node.exponent)));
      return Small(form.numerator) ? std::nullopt : std::optional(NoForm::kTooLarge);
    case Kind::kMixed:
      form = OfNumber(Exact(node.value) + Exact(node.children[0].value, node.children[1].value));
      return Small(form.numerator) ? std::nullopt : std::optional(NoForm::kTooLarge);
    case Kind::kUnknown:
      form = {{0, 1}, Constant(1)};
      return std::nullopt;
    case Kind::kNegation: {
      std::optional<NoForm> fault = FindForm(node.children[0], form);
      form.numerator = Scale(form.numerator, -1);
      return fault;
    }
    case Kind::kSum:
    case Kind::kProduct: {
      if (std::optional<NoForm> fault = FindForm(node.children[0], form)) return fault;
      NormalForm next;
      for (std::size_t i = 1; i < node.children.size(); ++i) {
        if (std::optional<NoForm> fault = FindForm(node.children[i], next)) return fault;
        if (std::optional<NoForm> fault = node.Is(Kind::kSum) ? AddTo(form, next) : MultiplyBy(form, next)) return fault;
      }
      return std::nullopt;
    }
    case Kind::kQuotient: {
      if (std::optional<NoForm> fault = FindForm(node.children[0], form)) return fault;
      NormalForm below;
      if (std::optional<NoForm> fault = FindForm(node.children[1], below)) return fault;
      std::swap(below.numerator, below.denominator);
      return MultiplyBy(form, below);
    }
    case Kind::kPower:
      if (std::optional<NoForm> fault = FindForm(node.children[0], form)) return fault;
      return RaiseTo(form, node.exponent);
    case Kind::kRoot:
      break;
  }
  return NoForm::kTooLarge;
}

}  // namespace

bool operator==(const Node& a, const Node& b) {
  return a.kind == b.kind && a.exponent == b.exponent && a.children.size() == b.children.size() && a.value == b.value &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin());
}

Node Unknown() {
  Node node;
  node.kind = Kind::kUnknown;
  return node;
}

Node Number(Integer value) {
  Node node;
  node.value = std::move(value);
  return node;
}

Node Decimal(Integer value, unsigned places) {
  for (; places > 0 && value % 10 == 0; --places) value /= 10;
  Node node = Number(std::move(value));
  if (places > 0) node.kind = Kind::kDecimal;
  node.exponent = places;
  return node;
}

Node Mixed(Integer whole, Integer above, Integer below) {
  Node node = Over(Kind::kMixed, Number(std::move(above)), Number(std::move(below)));
  node.value = std::move(whole);
  return node;
}

Node Negation(Node child) { return Over(Kind::kNegation, std::move(child)); }

Node Sum(std::vector<Node> children) {
  if (children.empty()) return Number(0);
  if (children.size() == 1) return std::move(children[0]);
  return Flat(Kind::kSum, std::move(children));
}

Node Product(std::vector<Node> children) {
  if (children.empty()) return Number(1);
  if (children.size() == 1) return std::move(children[0]);
  return Flat(Kind::kProduct, std::move(children));
}

Node Quotient(Node above, Node below) { return Over(Kind::kQuotient, std::move(above), std::move(below)); }

Node Power(Node base, unsigned exponent) {
  Node node = Over(Kind::kPower, std::move(base));
  node.exponent = exponent;
  return node;
}

Node Root(Integer radicand, unsigned degree) {
  Node node = Number(std::move(radicand));
  node.kind = Kind::kRoot;
  node.exponent = degree;
  return node;
}

std::optional<Node> DecimalNode(const Exact& value) {
  Integer below = mp::denominator(value);
  unsigned twos = 0;
  unsigned fives = 0;
  for (; below % 2 == 0 && twos <= kMaxPlaces; ++twos) below /= 2;
  for (; below % 5 == 0 && fives <= kMaxPlaces; ++fives) below /= 5;
  const unsigned places = std::max(twos, fives);
  if (below != 1 || places > kMaxPlaces) return std::nullopt;
  const Integer digits = mp::numerator(value) * mp::pow(Integer(10), places) / mp::denominator(value);
  if (digits < 0) return Negation(Decimal(-digits, places));
  return Decimal(digits, places);
}

Node NumberNode(const Exact& value, NumberStyle style) {
  Integer above = mp::numerator(value);
  const Integer below = mp::denominator(value);
  const bool negative = above < 0;
  if (style == NumberStyle::kDecimals && below != 1) {
    if (std::optional<Node> decimal = DecimalNode(value)) return std::move(*decimal);
  }
  if (negative) above = -above;
  Node node = below == 1 ? Number(std::move(above)) : Quotient(Number(std::move(above)), Number(below));
  return negative ? Negation(std::move(node)) : node;
}

Node SurdNode(const Surd& surd) {
  if (surd.factor.is_zero()) return NumberNode(surd.rational, NumberStyle::kFractions);
  const Integer below = mp::lcm(mp::denominator(surd.rational), mp::denominator(surd.factor));
  const Integer whole = mp::numerator(Exact(surd.rational * below));
  Integer factor = mp::numerator(Exact(surd.factor * below));
  const bool negative = factor < 0;
  if (negative) factor = -factor;
  std::vector<Node> factors;
  if (factor != 1) factors.push_back(Number(factor));
  factors.push_back(Root(surd.radicand, surd.degree));
  Node root = Product(std::move(factors));
  const auto over = [&](Node above) { return below == 1 ? std::move(above) : Quotient(std::move(above), Number(below)); };
  if (whole == 0) return negative ? Negation(over(std::move(root))) : over(std::move(root));
  if (negative) root = Negation(std::move(root));
  std::vector<Node> terms;
  terms.push_back(NumberNode(Exact(whole), NumberStyle::kFractions));
  terms.push_back(std::move(root));
  return over(Sum(std::move(terms)));
}

Node PolynomialNode(const Polynomial& p, NumberStyle style) {
  std::vector<Node> terms;
  for (std::size_t i = p.size(); i-- > 0;) {
    if (p[i].is_zero()) continue;
    if (i == 0) {
      terms.push_back(NumberNode(p[i], style));
      continue;
    }
    Node power = i == 1 ? Unknown() : Power(Unknown(), static_cast<unsigned>(i));
    const Exact size = p[i] < 0 ? Exact(-p[i]) : p[i];
    Node number = NumberNode(size, style);
    Node term;
    if (size == 1) {
      term = std::move(power);
    } else if (number.Is(Kind::kQuotient)) {
      Node above = number.children[0].IsNumber(1) ? std::move(power) : Product({number.children[0], std::move(power)});
      term = Quotient(std::move(above), number.children[1]);
    } else {
      term = Product({std::move(number), std::move(power)});
    }
    terms.push_back(p[i] < 0 ? Negation(std::move(term)) : std::move(term));
  }
  return Sum(std::move(terms));
}

bool Contains(const Node& node, Kind kind) {
  return node.kind == kind ||
         std::any_of(node.children.begin(), node.children.end(), [&](const Node& child) { return Contains(child, kind); });
}

std::size_t DepthOf(const Node& node) {
  std::size_t depth = 0;
  for (const Node& child : node.children) depth = std::max(depth, DepthOf(child));
  return depth + 1;
}

NumberStyle StyleOf(const Node& node) {
  return Contains(node, Kind::kDecimal) && !Contains(node, Kind::kQuotient) && !Contains(node, Kind::kMixed)
             ? NumberStyle::kDecimals
             : NumberStyle::kFractions;
}

NumberStyle StyleOf(const Node& left, const Node& right) {
  const bool decimals = Contains(left, Kind::kDecimal) || Contains(right, Kind::kDecimal);
  if (!decimals) return NumberStyle::kFractions;
  for (const Node* side : {&left, &right}) {
    if (Contains(*side, Kind::kQuotient) || Contains(*side, Kind::kMixed)) return NumberStyle::kFractions;
  }
  return NumberStyle::kDecimals;
}

FormResult FindNormalForm(const Node& node) {
  FormResult result;
  result.fault = FindForm(node, result.form);
  return result;
}

std::optional<NormalForm> FormOf(const Node& node) {
  std::optional<NormalForm> form(std::in_place);
  if (FindForm(node, *form)) form.reset();
  return form;
}

bool SameForm(const Node& a, const Node& b) {
  const std::optional<NormalForm> form = FormOf(a);
  return form && form == FormOf(b);
}

std::optional<Exact> NumberValue(const Node& node) {
  if (node.Is(Kind::kNumber)) return Exact(node.value);
  const std::optional<NormalForm> form = FormOf(node);
  return form && form->IsNumber() ? std::optional(form->Number()) : std::nullopt;
}

std::optional<Surd> SurdValue(const Node& node) {
  switch (node.kind) {
    case Kind::kRoot:
      return Simplified({0, 1, node.value, node.exponent});
    case Kind::kNegation: {
      std::optional<Surd> value = SurdValue(node.children[0]);
      if (value) value = Surd{-value->rational, -value->factor, value->radicand, value->degree};
      return value;
    }
    case Kind::kSum:
    case Kind::kProduct: {
      std::optional<Surd> total = SurdValue(node.children[0]);
      for (std::size_t i = 1; total && i < node.children.size(); ++i) {
        const std::optional<Surd> next = SurdValue(node.children[i]);
        if (!next) return std::nullopt;
        const bool two_roots = total->radicand != 0 && next->radicand != 0;
        if (two_roots && (total->radicand != next->radicand || total->degree != next->degree)) return std::nullopt;
        const Integer c = total->radicand != 0 ? total->radicand : next->radicand;
        const unsigned degree = total->radicand != 0 ? total->degree : next->degree;
        if (node.Is(Kind::kSum)) {
          total = Surd{total->rational + next->rational, total->factor + next->factor, c, degree};
        } else {
          if (two_roots && degree != 2) return std::nullopt;
          total = Surd{total->rational * next->rational + total->factor * next->factor * c,
                       total->rational * next->factor + total->factor * next->rational, c, degree};
        }
        total = Simplified(*total);
        if (!Small(total->rational) || !Small(total->factor)) return std::nullopt;
      }
      return total;
    }
    case Kind::kQuotient: {
      std::optional<Surd> above = SurdValue(node.children[0]);
      const std::optional<Surd> below = SurdValue(node.children[1]);
      if (!above || !below || !below->factor.is_zero() || below->rational.is_zero()) return std::nullopt;
      above = Surd{above->rational / below->rational, above->factor / below->rational, above->radicand, above->degree};
      if (!Small(above->rational) || !Small(above->factor)) return std::nullopt;
      return above;
    }
    default: {
      if (Contains(node, Kind::kRoot)) return std::nullopt;
      const std::optional<Exact> value = NumberValue(node);
      if (!value) return std::nullopt;
      return Surd{*value, 0, 0};
    }
  }
}

void CollectExclusions(const Node& node, std::vector<Polynomial>& exclusions) {
  for (const Node& child : node.children) CollectExclusions(child, exclusions);
  if (!node.Is(Kind::kQuotient) || !Contains(node.children[1], Kind::kUnknown)) return;
  const std::optional<NormalForm> below = FormOf(node.children[1]);
  if (!below || below->numerator.empty()) return;
  for (Polynomial& factor : RootFactors(below->numerator)) {
    if (std::find(exclusions.begin(), exclusions.end(), factor) == exclusions.end()) exclusions.push_back(std::move(factor));
  }
}

}  // namespace conpole::algebra

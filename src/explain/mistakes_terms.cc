// Errors within an expression.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "domains/school/algebra_tidy.h"
#include "explain/mistake_rules.h"

namespace conpole::mistakes {
namespace {

namespace mp = boost::multiprecision;

using algebra::Exact;
using algebra::Integer;
using algebra::Kind;
using algebra::Negation;
using algebra::Node;
using algebra::Number;
using algebra::NumberStyle;
using algebra::Power;
using algebra::Product;
using algebra::Quotient;
using algebra::Sum;

bool IsNumber(const Node& node) { return !algebra::Contains(node, Kind::kUnknown) && !algebra::Contains(node, Kind::kRoot); }
bool IsWhole(const Node& node) { return WithoutSign(node).Is(Kind::kNumber); }

Node Signed(bool negative, Node node) { return negative ? Negation(std::move(node)) : std::move(node); }

std::vector<Node> Without(const std::vector<Node>& nodes, std::size_t index) {
  std::vector<Node> rest = nodes;
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(index));
  return rest;
}

// A bracket with what it is multiplied and divided by: 2(x + 3)/5.
struct Bracket {
  std::vector<Node> factors;
  std::vector<Node> terms;
  std::optional<Node> below;

  bool HasFactor() const { return !factors.empty() || below; }
  // A term of the bracket, multiplied and divided.
  Node Piece(const Node& term) const {
    std::vector<Node> all = factors;
    all.push_back(term);
    Node piece = Product(std::move(all));
    return below ? Quotient(std::move(piece), *below) : piece;
  }
};

std::optional<Bracket> BracketOf(const Node& node) {
  if (node.Is(Kind::kSum)) return Bracket{{}, node.children, std::nullopt};
  if (node.Is(Kind::kProduct)) {
    const auto is_sum = [](const Node& child) { return child.Is(Kind::kSum); };
    const auto sum = std::find_if(node.children.begin(), node.children.end(), is_sum);
    if (sum == node.children.end() || std::any_of(sum + 1, node.children.end(), is_sum)) return std::nullopt;
    return Bracket{Without(node.children, static_cast<std::size_t>(sum - node.children.begin())), sum->children, std::nullopt};
  }
  if (node.Is(Kind::kQuotient)) {
    std::optional<Bracket> above = BracketOf(node.children[0]);
    if (!above || above->below) return std::nullopt;
    above->below = node.children[1];
    return above;
  }
  return std::nullopt;
}

class WrongTerms {
 public:
  WrongTerms(const Node& node, std::vector<WrongTerm>& wrong) : node_(node), wrong_(wrong) {}

  void List() {
    switch (node_.kind) {
      case Kind::kNegation:
        OfNegation();
        break;
      case Kind::kSum:
        OfSum();
        break;
      case Kind::kProduct:
        OfBracket();
        OfBrackets();
        OfProduct();
        break;
      case Kind::kQuotient:
        OfBracket();
        OfQuotient();
        break;
      case Kind::kPower:
        OfPower();
        break;
      case Kind::kMixed:
        OfMixed();
        break;
      default:
        break;
    }
  }

 private:
  // The error is shown at this node, or at a part of it.
  void Add(std::string_view rule, Node result) { wrong_.push_back({rule, std::move(result), {{"term", node_}}}); }
  void Add(std::string_view rule, Node result, Node shown) {
    wrong_.push_back({rule, std::move(result), {{"term", std::move(shown)}}});
  }

  // -(a + b) and -2(a + b), -(a + b)/2.
  void OfNegation() {
    const Node& inside = node_.children[0];
    if (inside.Is(Kind::kPower) && inside.exponent % 2 == 0 && IsNumber(inside)) Add("power_sign", inside);
    const std::optional<Bracket> bracket = BracketOf(inside);
    if (!bracket) return;
    const std::vector<Node>& terms = bracket->terms;
    std::vector<Node> first_sign_only{Negation(bracket->Piece(terms[0]))};
    std::vector<Node> first_only = first_sign_only;
    for (std::size_t i = 1; i < terms.size(); ++i) {
      first_sign_only.push_back(bracket->Piece(terms[i]));
      first_only.push_back(terms[i]);
    }
    Add("minus_bracket", Sum(std::move(first_sign_only)));
    // The right signs but for one that is not the first.
    for (std::size_t wrong = 1; wrong < terms.size() && terms.size() > 2; ++wrong) {
      std::vector<Node> pieces;
      for (std::size_t i = 0; i < terms.size(); ++i) pieces.push_back(Signed(i != wrong, bracket->Piece(terms[i])));
      Add("minus_bracket", Sum(std::move(pieces)));
    }
    if (!bracket->factors.empty()) Add("first_term_only", Sum(std::move(first_only)));
    if (bracket->HasFactor()) return;
    // The bracket is dropped, and its minus with it.
    Add("minus_bracket", inside);
  }

  // 2(a + b), (a + b)/2.
  void OfBracket() {
    const std::optional<Bracket> bracket = BracketOf(node_);
    if (!bracket || !bracket->HasFactor()) return;
    const std::vector<Node>& terms = bracket->terms;
    const std::string_view rule = bracket->below && bracket->factors.empty() ? "divided_one_term" : "first_term_only";
    for (std::size_t only = 0; only < terms.size(); ++only) {
      std::vector<Node> result;
      for (std::size_t i = 0; i < terms.size(); ++i) result.push_back(i == only ? bracket->Piece(terms[i]) : terms[i]);
      Add(rule, Sum(std::move(result)));
    }
    // All but one.
    for (std::size_t left_out = 1; left_out < terms.size() && terms.size() > 2; ++left_out) {
      std::vector<Node> result;
      for (std::size_t i = 0; i < terms.size(); ++i) result.push_back(i == left_out ? terms[i] : bracket->Piece(terms[i]));
      Add(rule, Sum(std::move(result)));
    }
    for (std::size_t wrong = 1; wrong < terms.size(); ++wrong) {
      std::vector<Node> result;
      for (std::size_t i = 0; i < terms.size(); ++i) result.push_back(Signed(i == wrong, bracket->Piece(terms[i])));
      Add("bracket_sign", Sum(std::move(result)));
    }
  }

  // (a + b)(c + d).
  void OfBrackets() {
    std::vector<const Node*> sums;
    std::vector<Node> others;
    for (const Node& child : node_.children) {
      if (child.Is(Kind::kSum)) {
        sums.push_back(&child);
      } else {
        others.push_back(child);
      }
    }
    if (sums.size() != 2) return;
    const std::vector<Node>& a = sums[0]->children;
    const std::vector<Node>& b = sums[1]->children;
    const auto add = [&](std::vector<Node> terms) {
      std::vector<Node> factors = others;
      factors.push_back(Sum(std::move(terms)));
      Add("brackets_product", Product(std::move(factors)));
    };
    // First with first and last with last; a bracket with the first or the last term of the other only.
    add({Product({a.front(), b.front()}), Product({a.back(), b.back()})});
    add({Product({a.front(), *sums[1]}), a.back()});
    add({a.front(), Product({a.back(), *sums[1]})});
    add({Product({*sums[0], b.front()}), b.back()});
    add({Product({a.front(), b.front()}), Product({a.front(), b.back()}), a.back()});
  }

  // Sums.

  struct Part {
    Node above;
    Node below;
  };
  // A fraction with its sign above the line; a whole number is over 1.
  static std::optional<Part> FractionOf(const Node& term) {
    const Node& size = WithoutSign(term);
    const bool negative = term.Is(Kind::kNegation);
    if (size.Is(Kind::kQuotient)) return Part{Signed(negative, size.children[0]), size.children[1]};
    if (size.Is(Kind::kNumber)) return Part{term, Number(1)};
    return std::nullopt;
  }

  void OfSum() {
    const std::vector<Node>& terms = node_.children;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      for (std::size_t j = i + 1; j < terms.size(); ++j) OfPair(i, j);
    }
    AddAllFractions();
    for (std::size_t i = 1; i < terms.size(); ++i) {
      WrongOrder(i);
      // 10 - 3 + 2 taken as 10 - (3 + 2).
      if (terms[i - 1].Is(Kind::kNegation) && i > 1 && IsNumber(terms[i]) && IsNumber(terms[i - 1])) {
        Add("order", WithSign(i), Sum({terms[i - 2], terms[i - 1], terms[i]}));
      }
    }
    // 3^2 + 4^2 taken as (3 + 4)^2.
    const auto is_power = [&](const Node& term) { return term.Is(Kind::kPower) && term.exponent == terms[0].exponent; };
    if (std::all_of(terms.begin(), terms.end(), is_power)) {
      std::vector<Node> bases;
      for (const Node& term : terms) bases.push_back(term.children[0]);
      Add("order", Power(Sum(std::move(bases)), terms[0].exponent));
    }
    for (std::size_t i = 0; i < terms.size(); ++i) {
      Add("sign", WithSign(i), terms[i]);
      Add("dropped_term", Sum(Without(terms, i)), terms[i]);
    }
  }

  // The sum with another sign at one of its terms.
  Node WithSign(std::size_t index) const {
    std::vector<Node> terms = node_.children;
    terms[index] = terms[index].Is(Kind::kNegation) ? terms[index].children[0] : Negation(terms[index]);
    return Sum(std::move(terms));
  }

  // The sum with something else in place of two of its terms.
  Node WithPair(std::size_t i, std::size_t j, Node result) const {
    std::vector<Node> terms = node_.children;
    terms[i] = std::move(result);
    return Sum(Without(terms, j));
  }

  void OfPair(std::size_t i, std::size_t j) {
    const Node& a = node_.children[i];
    const Node& b = node_.children[j];
    const Node pair = Sum({a, b});
    const auto add = [&](std::string_view rule, Node result) { Add(rule, WithPair(i, j, std::move(result)), pair); };
    const std::optional<Part> first = FractionOf(a);
    const std::optional<Part> second = FractionOf(b);
    const bool fractions = first && second && (!first->below.IsNumber(1) || !second->below.IsNumber(1));
    if (fractions) {
      const Node above = Sum({first->above, second->above});
      add("fractions_added", Quotient(above, Sum({first->below, second->below})));
      if (b.Is(Kind::kNegation)) {
        add("fractions_added", Quotient(above, Sum({first->below, Negation(second->below)})));
        add("fractions_added", Quotient(above, Sum({second->below, Negation(first->below)})));
      }
      if (first->below.IsNumber(1) || second->below.IsNumber(1)) {
        add(DividesEvenly(a) && DividesEvenly(b) ? "order" : "whole_into_numerator",
            Quotient(above, first->below.IsNumber(1) ? second->below : first->below));
      } else if (first->below != second->below) {
        add("numerators_kept", Quotient(above, Product({first->below, second->below})));
        if (first->below.Is(Kind::kNumber) && second->below.Is(Kind::kNumber)) {
          add("numerators_kept", Quotient(above, Number(mp::lcm(first->below.value, second->below.value))));
        }
      }
    }
    OfMonomials(a, b, add);
  }

  static bool DividesEvenly(const Node& term) {
    const Node& size = WithoutSign(term);
    if (!size.Is(Kind::kQuotient)) return true;
    const Node& above = size.children[0];
    const Node& below = size.children[1];
    return above.Is(Kind::kNumber) && below.Is(Kind::kNumber) && below.value != 0 && above.value % below.value == 0;
  }

  // 2x + 3 is not 5x, and 3x - x is not 3.
  template <typename AddPair>
  static void OfMonomials(const Node& a, const Node& b, const AddPair& add) {
    const std::optional<algebra::Term> first = MonomialOf(a);
    const std::optional<algebra::Term> second = MonomialOf(b);
    if (!first || !second) return;
    const unsigned p = *first->MonomialDegree();
    const unsigned q = *second->MonomialDegree();
    if (p == 0 && q == 0) return;
    const Exact sum = first->coefficient + second->coefficient;
    const auto monomial = [&](unsigned degree) {
      Node number = algebra::NumberNode(sum, NumberStyle::kFractions);
      if (degree == 0) return number;
      return Product({std::move(number), Power(algebra::Unknown(), degree)});
    };
    const unsigned highest = std::max(p, q);
    if (p != q) {
      add("unlike_terms", monomial(highest));
      if (std::min(p, q) > 0) add("unlike_terms", monomial(p + q));
      add("unlike_terms", monomial(0));
      return;
    }
    add("like_terms", monomial(p + q));
    add("like_terms", monomial(0));
    // 3x - x = 3
    if (second->coefficient == -1) add("like_terms", algebra::NumberNode(first->coefficient, NumberStyle::kFractions));
  }
  static std::optional<algebra::Term> MonomialOf(const Node& term) {
    if (algebra::Contains(term, Kind::kSum) || algebra::Contains(term, Kind::kRoot)) return std::nullopt;
    if (algebra::FindNormalForm(term).fault) return std::nullopt;
    algebra::Term monomial = algebra::TermOf(term, NumberStyle::kFractions);
    if (!monomial.MonomialDegree()) return std::nullopt;
    return monomial;
  }

  // All numerators and all denominators together.
  void AddAllFractions() {
    if (node_.children.size() < 3) return;
    std::vector<Node> above;
    std::vector<Node> below;
    for (const Node& term : node_.children) {
      std::optional<Part> part = FractionOf(term);
      if (!part) return;
      above.push_back(std::move(part->above));
      below.push_back(std::move(part->below));
    }
    Add("fractions_added", Quotient(Sum(std::move(above)), Sum(std::move(below))));
  }

  // a + b * c taken as (a + b) * c, and a * b + c as a * (b + c).
  void WrongOrder(std::size_t i) {
    const Node& a = node_.children[i - 1];
    const Node& b = node_.children[i];
    const Node pair = Sum({a, b});
    const auto add = [&](Node result) { Add("order", WithPair(i - 1, i, std::move(result)), pair); };
    const Node& product = WithoutSign(b);
    if (product.Is(Kind::kProduct) && IsNumber(a) && IsNumber(product.children[0])) {
      std::vector<Node> factors = Without(product.children, 0);
      const bool bracket = algebra::Contains(product, Kind::kSum);
      // 2 + 3x is another error.
      if (bracket || IsNumber(product)) {
        factors.insert(factors.begin(), Sum({a, Signed(b.Is(Kind::kNegation), product.children[0])}));
        add(Product(std::move(factors)));
      }
    }
    const Node& earlier = WithoutSign(a);
    if (earlier.Is(Kind::kProduct) && IsNumber(a) && IsNumber(b)) {
      std::vector<Node> factors = earlier.children;
      factors.back() = Sum({factors.back(), b});
      add(Signed(a.Is(Kind::kNegation), Product(std::move(factors))));
    }
    if (earlier.Is(Kind::kQuotient) && IsNumber(a) && IsNumber(b) && DividesEvenly(a)) {
      add(Signed(a.Is(Kind::kNegation), Quotient(earlier.children[0], Sum({earlier.children[1], b}))));
    }
  }

  // Products and quotients.

  void OfProduct() {
    const std::vector<Node>& factors = node_.children;
    const bool negative =
        std::any_of(factors.begin(), factors.end(), [](const Node& factor) { return factor.Is(Kind::kNegation); });
    if (negative && IsNumber(node_)) Add("product_sign", Negation(node_));
    // 2x^2 taken as (2x)^2, and 2 * 3^2 as 6^2.
    if (factors.back().Is(Kind::kPower)) {
      std::vector<Node> base = factors;
      base.back() = factors.back().children[0];
      Add("power_order", Power(Product(std::move(base)), factors.back().exponent));
    }
    // x * x is not 2x.
    for (std::size_t i = 1; i < factors.size(); ++i) {
      if (!factors[i].Is(Kind::kUnknown) || !factors[i - 1].Is(Kind::kUnknown)) continue;
      std::vector<Node> rest = factors;
      rest[i] = Number(2);
      Add("power_product", Product(std::move(rest)));
    }
    // 8 : 2 * 4 taken as 8 : (2 * 4).
    for (std::size_t i = 0; i + 1 < factors.size() && IsNumber(node_); ++i) {
      if (!factors[i].Is(Kind::kQuotient) || !DividesEvenly(factors[i])) continue;
      std::vector<Node> rest(factors.begin(), factors.begin() + static_cast<std::ptrdiff_t>(i));
      const std::vector<Node> later(factors.begin() + static_cast<std::ptrdiff_t>(i) + 1, factors.end());
      rest.push_back(Quotient(factors[i].children[0], Product({factors[i].children[1], Product(later)})));
      Add("order", Product(std::move(rest)));
    }
    if (factors.size() != 2) return;
    const std::optional<Part> a = FractionOf(factors[0]);
    const std::optional<Part> b = FractionOf(factors[1]);
    if (!a || !b) return;
    const bool whole_a = a->below.IsNumber(1);
    const bool whole_b = b->below.IsNumber(1);
    if (whole_a && whole_b) return;
    if (whole_a != whole_b) {
      // 3 * 2/5 is neither 6/15 nor 2/15.
      const Node& whole = whole_a ? a->above : b->above;
      const Part& part = whole_a ? *b : *a;
      Add("factor_both", Quotient(Product({whole, part.above}), Product({whole, part.below})));
      Add("factor_both", Quotient(part.above, Product({whole, part.below})));
      return;
    }
    const Node above = Product({a->above, b->above});
    if (a->below == b->below) Add("denominator_kept", Quotient(above, a->below));
    // Added instead of multiplied.
    Add("denominator_kept", Quotient(above, Sum({a->below, b->below})));
    Add("inverted", Quotient(Product({a->above, b->below}), Product({a->below, b->above})));
  }

  void OfQuotient() {
    const Node& above = node_.children[0];
    const Node& below = node_.children[1];
    if (IsNumber(node_) && (above.Is(Kind::kNegation) || below.Is(Kind::kNegation))) Add("product_sign", Negation(node_));
    if (IsWhole(above) && IsWhole(below) && !WithoutSign(above).IsNumber(0)) Add("upside_down", Quotient(below, above));
    const bool fraction_below = IsNumber(below) && algebra::Contains(below, Kind::kQuotient);
    const bool fraction_above = IsNumber(above) && algebra::Contains(above, Kind::kQuotient);
    if (fraction_below) Add("inverted", Product({above, below}));
    if ((fraction_above || fraction_below) && IsNumber(node_)) Add("inverted", Quotient(below, above));
    // 4/5 : 2 as 4/5 * 2.
    if (fraction_above && !fraction_below && IsNumber(node_)) Add("inverted", Product({above, below}));
    // Part by part, and the denominator divided only: 6/8 : 2 is neither 3/4 nor 6/4.
    if (fraction_above && above.Is(Kind::kQuotient) && IsWhole(below)) {
      Add("inverted", Quotient(Quotient(above.children[0], below), Quotient(above.children[1], below)));
    }
    CancelTerms(above, below);
  }

  // (x + 6)/6 is not x, and (x + 2)/(x + 3) is not 2/3.
  void CancelTerms(const Node& above, const Node& below) {
    const std::vector<Node> terms = TermsOfSide(above);
    const std::vector<Node> divisors = TermsOfSide(below);
    if (terms.size() < 2 && divisors.size() < 2) return;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      for (std::size_t j = 0; j < divisors.size(); ++j) {
        if (terms[i] != divisors[j]) continue;
        Node rest_below = divisors.size() == 1 ? Number(1) : Sum(Without(divisors, j));
        Node rest_above = terms.size() == 1 ? Number(1) : Sum(Without(terms, i));
        Add("cancelled_term", Quotient(std::move(rest_above), std::move(rest_below)));
      }
    }
  }

  void OfPower() {
    const Node& base = node_.children[0];
    const unsigned exponent = node_.exponent;
    if (base.Is(Kind::kSum)) {
      const std::vector<Node>& terms = base.children;
      std::vector<Node> powers;
      std::vector<Node> with_signs;
      for (const Node& term : terms) {
        powers.push_back(Power(term, exponent));
        with_signs.push_back(Signed(term.Is(Kind::kNegation), Power(WithoutSign(term), exponent)));
      }
      Add("square_of_sum", Sum(std::move(powers)));
      Add("square_of_sum", Sum(std::move(with_signs)));
      if (terms.size() == 2 && exponent == 2) {
        // The term in the middle once, or with the wrong sign.
        const Node middle = Product({terms[0], terms[1]});
        Add("square_of_sum", Sum({Power(terms[0], 2), middle, Power(terms[1], 2)}));
        Add("square_of_sum", Sum({Power(terms[0], 2), Negation(Product({Number(2), middle})), Power(terms[1], 2)}));
        Add("square_of_sum", Sum({Power(terms[0], 2), Product({Number(2), middle}), Negation(Power(terms[1], 2))}));
      }
      return;
    }
    if (base.Is(Kind::kNegation) && IsNumber(base) && exponent % 2 == 0) Add("power_sign", Negation(node_));
    if (base.Is(Kind::kProduct)) {
      // (2x)^2 is neither 2x^2 nor 4x.
      for (std::size_t i = 0; i < base.children.size(); ++i) {
        std::vector<Node> factors = base.children;
        factors[i] = Power(factors[i], exponent);
        Add("power_of_product", Product(std::move(factors)));
      }
      return;
    }
    Add("power_product", Product({base, Number(exponent)}));
  }

  void OfMixed() {
    const Node& above = node_.children[0];
    const Node& below = node_.children[1];
    const Node whole = Number(node_.value);
    Add("mixed_number", Quotient(Sum({whole, above}), below));
    Add("mixed_number", Quotient(Product({whole, above}), below));
    Add("mixed_number", Quotient(Sum({Product({whole, above}), below}), below));
    Add("mixed_number", whole);
  }

  const Node& node_;
  std::vector<WrongTerm>& wrong_;
};

}  // namespace

std::vector<Node> TermsOfSide(const Node& side) { return side.Is(Kind::kSum) ? side.children : std::vector<Node>{side}; }

const Node& WithoutSign(const Node& term) { return term.Is(Kind::kNegation) ? term.children[0] : term; }

void ListWrongTerms(const Node& node, std::vector<WrongTerm>& wrong) { WrongTerms(node, wrong).List(); }

}  // namespace conpole::mistakes

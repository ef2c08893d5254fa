// Errors in what is done to both sides of an equation.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "domains/school/algebra_tidy.h"
#include "explain/mistake_rules.h"

namespace conpole::mistakes {
namespace {

namespace mp = boost::multiprecision;

using algebra::Equation;
using algebra::Exact;
using algebra::FormResult;
using algebra::Integer;
using algebra::Kind;
using algebra::Negation;
using algebra::Node;
using algebra::Number;
using algebra::NumberStyle;
using algebra::Polynomial;
using algebra::Product;
using algebra::Quotient;
using algebra::Sum;

Node Minus(const Node& a, const Node& b) { return Sum({a, Negation(b)}); }
Node NodeOf(const Exact& number) { return algebra::NumberNode(number, NumberStyle::kFractions); }
bool HasUnknown(const Node& node) { return algebra::Contains(node, Kind::kUnknown); }

// A number times a power of the unknown.
struct Monomial {
  Exact coefficient;
  unsigned degree;
};
std::optional<Monomial> MonomialOf(const Node& side) {
  const FormResult form = algebra::FindNormalForm(side);
  if (form.fault || !form.form.IsPolynomial() || form.form.numerator.size() < 2) return std::nullopt;
  const Polynomial& p = form.form.numerator;
  if (!std::all_of(p.begin(), p.end() - 1, [](const Exact& c) { return c == 0; })) return std::nullopt;
  return Monomial{p.back(), static_cast<unsigned>(p.size() - 1)};
}

// The whole number below the line of a term, 1 if there is none; of a decimal the power of ten.
Integer Below(const Node& term) {
  const Node& size = WithoutSign(term);
  if (size.Is(Kind::kQuotient)) {
    const Node& below = size.children[1];
    return Below(size.children[0]) * (below.Is(Kind::kNumber) && below.value != 0 ? below.value : Integer(1));
  }
  if (size.Is(Kind::kDecimal)) return mp::pow(Integer(10), size.exponent);
  Integer below = 1;
  if (size.Is(Kind::kProduct)) {
    for (const Node& factor : size.children) below *= Below(factor);
  }
  return below;
}

// One side of an equation and the other.
class WrongSides {
 public:
  WrongSides(const Equation& equation, bool from_left, std::vector<WrongEquations>& wrong)
      : side_(from_left ? equation.left : equation.right),
        other_(from_left ? equation.right : equation.left),
        from_left_(from_left),
        terms_(TermsOfSide(side_)),
        other_terms_(TermsOfSide(other_)),
        wrong_(wrong) {}

  void List() {
    for (const Node& term : terms_) OfMovedTerm(term);
    MoveTwo();
    if (const std::optional<Monomial> monomial = MonomialOf(side_)) OfMonomial(*monomial);
    OfFactorOfBracket();
    OfCoefficients();
    OfDenominators();
    OfUnknownBelow();
    OfProduct();
  }

 private:
  void Add(std::string_view rule, Node side, Node other, std::vector<Named> named) {
    Equation equation = from_left_ ? Equation{std::move(side), std::move(other)} : Equation{std::move(other), std::move(side)};
    wrong_.push_back({rule, {std::move(equation)}, std::move(named)});
  }

  void OfMovedTerm(const Node& term) {
    const Node rest = Minus(side_, term);
    // Nobody takes the unknown to a side without it, unless to get rid of its minus.
    const bool natural = !HasUnknown(term) || HasUnknown(other_) || term.Is(Kind::kNegation);
    if (natural) Add("sign_moved", rest, Sum({other_, term}), {{"term", term}});
    Add(terms_.size() > 2 ? "dropped_term" : "one_side", rest, other_, {{"term", term}});
    Add("one_side", side_, Minus(other_, term), {{"term", term}});
    if (terms_.size() > 1 && natural)
      Add("subtracted_backwards", rest, Minus(term, other_), {{"term", term}, {"other", other_}});
    if (HasUnknown(term) || terms_.size() < 2) return;
    const std::optional<Exact> value = algebra::NumberValue(term);
    if (value && *value != 0) Add("divided_instead", rest, Quotient(other_, NodeOf(*value)), {{"term", term}});
  }

  // A number to the one side and the unknown to the other, both with their old signs.
  void MoveTwo() {
    if (terms_.size() < 2 || other_terms_.size() < 2) return;
    for (const Node& number : terms_) {
      if (HasUnknown(number)) continue;
      for (const Node& unknown : other_terms_) {
        if (!HasUnknown(unknown)) continue;
        Add("sign_moved", Sum({Minus(side_, number), unknown}), Sum({Minus(other_, unknown), number}), {{"term", number}});
      }
    }
  }

  // c x = other.
  void OfMonomial(const Monomial& monomial) {
    const Exact& c = monomial.coefficient;
    const Node alone = Quotient(side_, NodeOf(c));
    if (c != 1) OfFactor(c, alone);
    if (monomial.degree > 1) OfPower(monomial, alone);
  }

  // c (x + 3) = other.
  void OfFactorOfBracket() {
    const Node& size = WithoutSign(side_);
    if (!size.Is(Kind::kProduct) || HasUnknown(size.children[0]) || !algebra::Contains(size, Kind::kSum)) return;
    const std::optional<Exact> number = algebra::NumberValue(size.children[0]);
    if (!number || *number == 0) return;
    const Exact c = side_.Is(Kind::kNegation) ? Exact(-*number) : *number;
    if (c != 1) OfFactor(c, Quotient(side_, NodeOf(c)));
  }

  // Both sides are to be divided by c.
  void OfFactor(const Exact& c, const Node& alone) {
    const Node factor = NodeOf(c);
    const std::vector<Named> named{{"term", side_}, {"factor", factor}};
    const bool fraction = mp::denominator(c) != 1 && abs(mp::numerator(c)) == 1;
    if (c < 0) Add("sign", Negation(side_), other_, named);
    Add("divided_sign", alone, Negation(Quotient(other_, factor)), named);
    // With -1 it is a sign.
    if (c != -1) {
      Add("one_side_factor", alone, other_, named);
      Add("one_side_factor", side_, Quotient(other_, factor), named);
    }
    if (fraction) {
      // x/3 = 4
      const Node below = NodeOf(1 / c);
      Add("added_denominator", alone, Sum({other_, below}), named);
      Add("added_denominator", alone, Minus(other_, below), named);
    } else {
      Add("subtracted_coefficient", alone, Minus(other_, factor), named);
      Add("subtracted_coefficient", alone, Sum({other_, factor}), named);
    }
    Add("wrong_inverse", alone, Product({other_, factor}), named);
    const std::optional<Exact> value = HasUnknown(other_) ? std::nullopt : algebra::NumberValue(other_);
    if (value && *value != 0) {
      Add("divided_upside_down", alone, Quotient(factor, other_), named);
      // 2/3 x = 4 times 3 only, or divided by 2 only.
      if (!fraction && mp::denominator(c) != 1) {
        Add("wrong_inverse", alone, Product({other_, NodeOf(Exact(mp::denominator(c)))}), named);
        Add("wrong_inverse", alone, Quotient(other_, NodeOf(Exact(mp::numerator(c)))), named);
      }
    }
    SomeTermsOf(other_terms_, 1 / c, [&](Node other) { return std::pair(alone, std::move(other)); });
  }

  // x^2 = 16 is not x = 8.
  void OfPower(const Monomial& monomial, const Node& alone) {
    if (HasUnknown(other_)) return;
    const Node value = Quotient(other_, NodeOf(monomial.coefficient));
    const std::vector<Named> named{{"term", alone.Is(Kind::kQuotient) && monomial.coefficient == 1 ? side_ : alone}};
    Add("root_halved", algebra::Unknown(), Quotient(value, Number(monomial.degree)), named);
    Add("root_halved", algebra::Unknown(), value, named);
  }

  // Both sides times a number, but not all terms of this side: one is left out, or it is the only one.
  template <typename MakeSides>
  void SomeTermsOf(const std::vector<Node>& terms, const Exact& factor, const MakeSides& make) {
    if (terms.size() < 2) return;
    const bool divided = mp::denominator(factor) != 1 || factor == -1;
    const Node number = NodeOf(divided ? Exact(1 / factor) : factor);
    const std::string_view rule = divided ? "divided_some_terms" : "multiplied_some_terms";
    for (std::size_t i = 0; i < terms.size(); ++i) {
      std::vector<Node> left_out = terms;
      std::vector<Node> only = terms;
      for (std::size_t j = 0; j < terms.size(); ++j) {
        std::vector<Node>& changed = j == i ? only : left_out;
        changed[j] = Product({NodeOf(factor), terms[j]});
      }
      for (std::vector<Node>* const some : {&left_out, &only}) {
        auto [side, other] = make(Sum(std::move(*some)));
        Add(rule, std::move(side), std::move(other), {{"factor", number}, {"term", i == 0 ? terms[1] : terms[i]}});
      }
    }
  }

  // Divided by a coefficient, of several terms.
  void OfCoefficients() {
    if (terms_.size() < 2) return;
    std::vector<Exact> seen;
    for (const Node& term : terms_) {
      const std::optional<Monomial> monomial = MonomialOf(term);
      if (!monomial || monomial->coefficient == 1) continue;
      const Exact& c = monomial->coefficient;
      if (std::find(seen.begin(), seen.end(), c) != seen.end()) continue;
      seen.push_back(c);
      const Node factor = NodeOf(c);
      const Node divided = Quotient(other_, factor);
      SomeTermsOf(terms_, 1 / c, [&](Node side) { return std::pair(std::move(side), divided); });
      Add("one_side_factor", Quotient(side_, factor), other_, {{"term", side_}, {"factor", factor}});
      Add("one_side_factor", side_, divided, {{"term", side_}, {"factor", factor}});
      // The coefficient is left out in this term alone.
      if (c == -1) continue;
      Add("one_side_factor", Sum({Minus(side_, term), Quotient(term, factor)}), other_, {{"term", term}, {"factor", factor}});
    }
  }

  // Multiplied by the common denominator, or by the one of a term.
  void OfDenominators() {
    std::vector<Integer> factors;
    Integer common = 1;
    for (const std::vector<Node>* const terms : {&terms_, &other_terms_}) {
      for (const Node& term : *terms) {
        const Integer below = Below(term);
        if (below == 1) continue;
        common = mp::lcm(common, below);
        if (std::find(factors.begin(), factors.end(), below) == factors.end()) factors.push_back(below);
      }
    }
    if (common == 1 || algebra::BitsOf(common) > 64) return;
    if (std::find(factors.begin(), factors.end(), common) == factors.end()) factors.insert(factors.begin(), common);
    for (const Integer& whole : factors) {
      const Node factor = Number(whole);
      const Node multiplied = Product({factor, other_});
      Add("one_side_factor", Product({factor, side_}), other_, {{"term", side_}, {"factor", factor}});
      SomeTermsOf(terms_, Exact(whole), [&](Node side) { return std::pair(std::move(side), multiplied); });
      // Only what has a denominator.
      const auto some = [&](const std::vector<Node>& terms) {
        std::vector<Node> changed = terms;
        for (Node& term : changed) {
          if (Below(term) != 1) term = Product({factor, term});
        }
        return Sum(std::move(changed));
      };
      Add("multiplied_some_terms", some(terms_), some(other_terms_), {{"factor", factor}});
    }
    const auto without = [](const std::vector<Node>& terms) {
      std::vector<Node> changed = terms;
      for (Node& term : changed) term = Product({Number(Below(term)), term});
      return Sum(std::move(changed));
    };
    Add("denominators_dropped", without(terms_), without(other_terms_), {});
    if (terms_.size() != 1 || other_terms_.size() != 1) return;
    const Integer a = Below(side_);
    const Integer b = Below(other_);
    // Each side times its own denominator, twice.
    const auto own = [](const Node& side, const Integer& below) { return Product({Number(below), Number(below), side}); };
    if (a != b) Add("cross_multiplied", own(side_, a), own(other_, b), {});
  }

  // a/x = b, where x may be a bracket.
  void OfUnknownBelow() {
    const Node& size = WithoutSign(side_);
    if (!size.Is(Kind::kQuotient) || !HasUnknown(size.children[1])) return;
    const bool negative = side_.Is(Kind::kNegation);
    const Node above = negative ? Negation(size.children[0]) : size.children[0];
    const Node& below = size.children[1];
    const std::vector<Named> named{{"term", side_}, {"factor", below}};
    Add("one_side_factor", above, other_, named);
    if (!other_.IsNumber(0)) Add("divided_upside_down", below, Quotient(other_, above), named);
    Add("wrong_inverse", below, Product({other_, above}), named);
    Add("subtracted_coefficient", below, Minus(other_, above), named);
    if (other_.Is(Kind::kQuotient)) {
      const Node& c = other_.children[0];
      const Node& d = other_.children[1];
      Add("cross_multiplied", Product({above, c}), Product({below, d}), {});
      Add("cross_multiplied", Product({above, below}), Product({c, d}), {});
      Add("denominators_dropped", above, c, {});
    }
    // Not every term times the denominator.
    SomeTerms(below, above);
    // 1/x = 1/2 + 1/3 turned over term by term.
    std::vector<Node> turned;
    for (const Node& term : other_terms_) {
      if (HasUnknown(term) || term.IsNumber(0)) return;
      turned.push_back(Quotient(Number(1), term));
    }
    if (turned.size() > 1) Add("turned_over_terms", Quotient(below, above), Sum(std::move(turned)), {{"term", other_}});
  }
  void SomeTerms(const Node& below, const Node& above) {
    if (other_terms_.size() < 2) return;
    for (std::size_t i = 0; i < other_terms_.size(); ++i) {
      std::vector<Node> left_out = other_terms_;
      for (std::size_t j = 0; j < left_out.size(); ++j) {
        if (j != i) left_out[j] = Product({below, left_out[j]});
      }
      Add("multiplied_some_terms", above, Sum(std::move(left_out)), {{"factor", below}, {"term", other_terms_[i]}});
    }
  }

  // x(x - 3) = 4 does not split.
  void OfProduct() {
    const bool product = side_.Is(Kind::kProduct);
    if (!product || HasUnknown(other_) || other_.IsNumber(0)) return;
    WrongEquations split{"zero_product", {}, {{"term", side_}, {"value", other_}}};
    for (const Node& factor : side_.children) {
      if (HasUnknown(factor)) split.equations.push_back({factor, other_});
    }
    if (split.equations.size() > 1) wrong_.push_back(std::move(split));
  }

  const Node& side_;
  const Node& other_;
  const bool from_left_;
  const std::vector<Node> terms_;
  const std::vector<Node> other_terms_;
  std::vector<WrongEquations>& wrong_;
};

}  // namespace

void ListWrongEquations(const Equation& equation, std::vector<WrongEquations>& wrong) {
  WrongSides(equation, true, wrong).List();
  WrongSides(equation, false, wrong).List();
}

}  // namespace conpole::mistakes

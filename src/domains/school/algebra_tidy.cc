#include "domains/school/algebra_tidy.h"

#include <algorithm>
#include <utility>

namespace conpole::algebra {
namespace {

namespace mp = boost::multiprecision;

constexpr std::size_t kMaxExpandedTerms = 64;

void MultiplyFactors(std::vector<Factor>& factors, const std::vector<Factor>& more) {
  for (const Factor& factor : more) {
    const auto same = std::find_if(factors.begin(), factors.end(), [&](const Factor& f) { return f.base == factor.base; });
    if (same == factors.end()) {
      factors.push_back(factor);
    } else {
      same->exponent += factor.exponent;
    }
  }
}

void MultiplyInto(Term& product, const Term& factor) {
  product.coefficient *= factor.coefficient;
  MultiplyFactors(product.above, factor.above);
  MultiplyFactors(product.below, factor.below);
}

Exact Raised(const Exact& base, unsigned exponent) {
  return {mp::pow(Integer(mp::numerator(base)), exponent), mp::pow(Integer(mp::denominator(base)), exponent)};
}

bool SameFactors(const std::vector<Factor>& a, const std::vector<Factor>& b) {
  return a.size() == b.size() &&
         std::all_of(a.begin(), a.end(), [&](const Factor& f) { return std::find(b.begin(), b.end(), f) != b.end(); });
}

// A sum as a factor of a term: a term if it has no more than one, else a bracket.
Term BracketOf(const Node& sum, NumberStyle style) {
  std::vector<Term> terms = TermsOf(sum, style);
  if (terms.empty()) return {0, {}, {}};
  if (terms.size() == 1) return std::move(terms[0]);
  return {1, {{NodeOf(terms, style), 1}}, {}};
}

Node FactorNode(const Factor& factor) { return factor.exponent == 1 ? factor.base : Power(factor.base, factor.exponent); }

}  // namespace

std::optional<unsigned> Term::MonomialDegree() const {
  if (!below.empty() || above.size() > 1) return std::nullopt;
  if (above.empty()) return 0;
  if (!above[0].base.Is(Kind::kUnknown)) return std::nullopt;
  return above[0].exponent;
}

Term TermOf(const Node& node, NumberStyle style) {
  switch (node.kind) {
    case Kind::kUnknown:
      return {1, {{node, 1}}, {}};
    case Kind::kNegation: {
      Term term = TermOf(node.children[0], style);
      term.coefficient = -term.coefficient;
      return term;
    }
    case Kind::kSum:
      return BracketOf(node, style);
    case Kind::kProduct: {
      Term product = TermOf(node.children[0], style);
      for (std::size_t i = 1; i < node.children.size(); ++i) MultiplyInto(product, TermOf(node.children[i], style));
      return product;
    }
    case Kind::kQuotient: {
      Term term = TermOf(node.children[0], style);
      Term below = TermOf(node.children[1], style);
      below.coefficient = 1 / below.coefficient;
      std::swap(below.above, below.below);
      MultiplyInto(term, below);
      return term;
    }
    case Kind::kPower: {
      Term term = TermOf(node.children[0], style);
      term.coefficient = Raised(term.coefficient, node.exponent);
      if (node.exponent == 0) return {1, {}, {}};
      for (Factor& factor : term.above) factor.exponent *= node.exponent;
      for (Factor& factor : term.below) factor.exponent *= node.exponent;
      return term;
    }
    default:
      return {NumberValue(node).value_or(0), {}, {}};
  }
}

std::vector<Term> WrittenTerms(const Node& side, NumberStyle style) {
  if (!side.Is(Kind::kSum)) return {TermOf(side, style)};
  std::vector<Term> terms;
  terms.reserve(side.children.size());
  for (const Node& child : side.children) terms.push_back(TermOf(child, style));
  return terms;
}

std::vector<Term> TermsOf(const Node& side, NumberStyle style) { return Collected(WrittenTerms(side, style)); }

std::vector<Term> Collected(std::vector<Term> terms) {
  std::vector<Term> collected;
  collected.reserve(terms.size());
  for (Term& term : terms) {
    const auto like = std::find_if(collected.begin(), collected.end(), [&](const Term& t) {
      return SameFactors(t.above, term.above) && SameFactors(t.below, term.below);
    });
    if (like == collected.end()) {
      collected.push_back(std::move(term));
    } else {
      like->coefficient += term.coefficient;
    }
  }
  std::erase_if(collected, [](const Term& term) { return term.coefficient.is_zero(); });
  return collected;
}

Node NodeOf(const Term& term, NumberStyle style) {
  if (term.coefficient.is_zero()) return Number(0);
  const bool negative = term.coefficient < 0;
  const Exact size = negative ? Exact(-term.coefficient) : term.coefficient;
  Node number = NumberNode(size, style);
  std::vector<Node> above;
  std::vector<Node> below;
  if (number.Is(Kind::kQuotient)) {
    if (!number.children[0].IsNumber(1) || term.above.empty()) above.push_back(std::move(number.children[0]));
    below.push_back(std::move(number.children[1]));
  } else if (size != 1 || term.above.empty()) {
    above.push_back(std::move(number));
  }
  for (const Factor& factor : term.above) above.push_back(FactorNode(factor));
  for (const Factor& factor : term.below) below.push_back(FactorNode(factor));
  Node node = Product(std::move(above));
  if (!below.empty()) node = Quotient(std::move(node), Product(std::move(below)));
  // A lone bracket is a sum, which its surroundings may take in.
  return negative ? Negation(std::move(node)) : node;
}

Node NodeOf(const std::vector<Term>& terms, NumberStyle style) {
  std::vector<Node> nodes;
  nodes.reserve(terms.size());
  for (const Term& term : terms) nodes.push_back(NodeOf(term, style));
  return Sum(std::move(nodes));
}

Node Tidied(const Node& side, NumberStyle style) {
  Node tidied = NodeOf(TermsOf(side, style), style);
  // A bracket that became part of the side brings its terms, which may be like others.
  for (int pass = 0; pass < 4; ++pass) {
    Node again = NodeOf(TermsOf(tidied, style), style);
    if (again == tidied) break;
    tidied = std::move(again);
  }
  return tidied;
}

Term Multiply(const Term& a, const Term& b) {
  Term product = a;
  MultiplyInto(product, b);
  return product;
}

std::optional<std::vector<Term>> Expanded(const Node& term, NumberStyle style) {
  if (!Contains(term, Kind::kSum) || term.Is(Kind::kSum)) return std::nullopt;
  Term rest = TermOf(term, style);
  const auto is_bracket = [](const Factor& factor) { return factor.base.Is(Kind::kSum); };
  if (!rest.below.empty() || std::none_of(rest.above.begin(), rest.above.end(), is_bracket)) return std::nullopt;
  const bool fraction = style == NumberStyle::kFractions && mp::denominator(rest.coefficient) != 1;
  std::vector<Factor> factors = std::move(rest.above);
  rest.above.clear();
  std::vector<Term> terms{std::move(rest)};
  // The brackets first, so that (x + 1)(x - 2) is x^2 before it is anything else; the rest goes into every term.
  for (const Factor& factor : factors) {
    std::vector<Term> bracket = TermsOf(factor.base, style);
    for (unsigned i = 0; i < factor.exponent; ++i) {
      if (terms.size() * bracket.size() > kMaxExpandedTerms) return std::nullopt;
      std::vector<Term> product;
      product.reserve(terms.size() * bracket.size());
      for (const Term& a : terms) {
        for (const Term& b : bracket) {
          product.push_back(Multiply(a, b));
          if (!Small(product.back().coefficient)) return std::nullopt;
        }
      }
      terms = Collected(std::move(product));
    }
  }
  const auto is_whole = [](const Term& t) { return mp::denominator(t.coefficient) == 1; };
  if (fraction && !std::all_of(terms.begin(), terms.end(), is_whole)) return std::nullopt;
  return terms;
}

}  // namespace conpole::algebra

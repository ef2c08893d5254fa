#include "notation/picture.h"

#include <charconv>

namespace conpole {
namespace {

using FormulaKind = FormulaNode::Kind;

constexpr std::int64_t kLargest = 1'000'000;

std::optional<std::int64_t> WholeNumber(const FormulaNode& node) {
  if (node.kind != FormulaKind::kNumber) return std::nullopt;
  std::int64_t value = 0;
  const char* const end = node.text.data() + node.text.size();
  const auto [stop, failure] = std::from_chars(node.text.data(), end, value);
  if (failure != std::errc() || stop != end || value > kLargest) return std::nullopt;
  return value;
}

std::optional<std::int64_t> SignedNumber(const Formula& formula, std::size_t node) {
  node = WithoutBrackets(formula, node);
  if (formula[node].kind != FormulaKind::kNegation) return WholeNumber(formula[node]);
  const std::optional<std::int64_t> size = WholeNumber(formula[WithoutBrackets(formula, node + 1)]);
  return size ? std::optional(-*size) : std::nullopt;
}

// A whole number, a fraction of such or a mixed number, perhaps with a sign.
std::optional<FractionsPicture::Term> TermAt(const Formula& formula, std::size_t node) {
  node = WithoutBrackets(formula, node);
  const bool negative = formula[node].kind == FormulaKind::kNegation;
  if (negative) node = WithoutBrackets(formula, node + 1);
  const std::int64_t sign = negative ? -1 : 1;
  if (const std::optional<std::int64_t> whole = WholeNumber(formula[node])) return FractionsPicture::Term{sign * *whole, 1};
  const bool mixed = formula[node].kind == FormulaKind::kMixed;
  const std::size_t fraction = mixed ? node + 2 : node;
  if (formula[fraction].kind != FormulaKind::kFraction) return std::nullopt;
  const std::optional<std::int64_t> above = SignedNumber(formula, fraction + 1);
  const std::optional<std::int64_t> below = SignedNumber(formula, fraction + 1 + formula[fraction + 1].size);
  if (!above || !below || *below == 0) return std::nullopt;
  FractionsPicture::Term term{*below < 0 ? -*above : *above, *below < 0 ? -*below : *below};
  if (mixed) {
    const std::optional<std::int64_t> whole = WholeNumber(formula[node + 1]);
    if (!whole) return std::nullopt;
    term.numerator += *whole * term.denominator;
  }
  term.numerator *= sign;
  return term;
}

}  // namespace

std::optional<FractionsPicture> FractionsOf(const Formula& formula) {
  const std::size_t root = WithoutBrackets(formula, 0);
  const FormulaKind kind = formula[root].kind;
  const bool operation = kind == FormulaKind::kSum || kind == FormulaKind::kProduct || kind == FormulaKind::kDivision;
  FractionsPicture picture;
  for (const std::size_t child : operation ? ChildrenOf(formula, root) : std::vector{root}) {
    const bool first = picture.terms.empty();
    const bool subtracted = !first && kind == FormulaKind::kSum && formula[child].kind == FormulaKind::kNegation;
    std::optional<FractionsPicture::Term> term = TermAt(formula, subtracted ? child + 1 : child);
    if (!term) return std::nullopt;
    if (!first)
      term->sign = kind == FormulaKind::kProduct ? '*' : kind == FormulaKind::kDivision ? '/' : subtracted ? '-' : '+';
    picture.terms.push_back(*term);
  }
  return picture;
}

}  // namespace conpole

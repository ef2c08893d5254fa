#include "notation/picture.h"

#include <algorithm>

#include "util/read_number.h"

namespace conpole {
namespace {

using FormulaKind = FormulaNode::Kind;

constexpr std::int64_t kLargest = 1'000'000;
constexpr std::int64_t kMostOnPan = 24;

std::optional<std::int64_t> WholeNumber(const FormulaNode& node) {
  if (node.kind != FormulaKind::kNumber) return std::nullopt;
  const std::optional<std::int64_t> value = ReadNumber<std::int64_t>(node.text);
  return value && *value <= kLargest ? value : std::nullopt;
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

// Puts a term on a pan. The letter is that of all terms.
bool PutOn(const Formula& formula, std::size_t node, BalancePicture::Pan& pan, std::string& letter) {
  node = WithoutBrackets(formula, node);
  if (const std::optional<std::int64_t> ones = WholeNumber(formula[node])) {
    pan.ones += *ones;
    return pan.ones <= kMostOnPan;
  }
  std::int64_t count = 1;
  if (formula[node].kind == FormulaKind::kProduct) {
    const std::vector<std::size_t> factors = ChildrenOf(formula, node);
    const std::optional<std::int64_t> times = WholeNumber(formula[factors[0]]);
    if (factors.size() != 2 || !times) return false;
    count = *times;
    node = factors[1];
  }
  const FormulaNode& unknown = formula[node];
  if (unknown.kind != FormulaKind::kUnknown || unknown.text.size() != 1 || (!letter.empty() && letter != unknown.text))
    return false;
  letter = unknown.text;
  pan.unknowns += count;
  return pan.unknowns <= kMostOnPan;
}

bool FillPan(const Formula& formula, std::size_t side, BalancePicture::Pan& pan, std::string& letter) {
  const bool is_sum = formula[side].kind == FormulaKind::kSum;
  const std::vector<std::size_t> terms = is_sum ? ChildrenOf(formula, side) : std::vector{side};
  return std::all_of(terms.begin(), terms.end(), [&](std::size_t term) { return PutOn(formula, term, pan, letter); });
}

}  // namespace

std::optional<BalancePicture> BalanceOf(const Formula& formula) {
  if (formula.empty() || formula[0].kind != FormulaKind::kEquation) return std::nullopt;
  const std::vector<std::size_t> sides = ChildrenOf(formula, 0);
  BalancePicture picture;
  if (sides.size() != 2 || !FillPan(formula, sides[0], picture.left, picture.unknown) ||
      !FillPan(formula, sides[1], picture.right, picture.unknown) || picture.unknown.empty()) {
    return std::nullopt;
  }
  return picture;
}

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

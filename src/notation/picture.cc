#include "notation/picture.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

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

std::string DrawGrid(const GridPicture& picture, bool is_coloured) {
  // Of the 256 colours that terminals have: those of stickers that are named by their letter, others in the order of the list,
  // and one for all where there are too many to be told apart.
  constexpr std::string_view kNamed = "WYORBG";
  constexpr std::array<int, 6> kOfNamed = {231, 226, 208, 160, 27, 34};
  constexpr std::array<int, 12> kOthers = {75, 215, 114, 211, 228, 153, 180, 140, 79, 203, 250, 107};
  constexpr int kTile = 223;
  constexpr int kBlack = 16;
  const auto is_empty = [](const std::string& colour) { return colour.empty() || colour == "_" || colour == "."; };
  const bool are_named = std::all_of(picture.colours.begin(), picture.colours.end(), [&](const std::string& colour) {
    return is_empty(colour) || (colour.size() == 1 && kNamed.find(colour) != std::string_view::npos);
  });
  const auto paint = [&](const std::string& colour) {
    if (are_named) return kOfNamed[kNamed.find(colour)];
    const auto found = std::find(picture.colours.begin(), picture.colours.end(), colour);
    return picture.colours.size() > kOthers.size() ? kTile : kOthers[static_cast<std::size_t>(found - picture.colours.begin())];
  };
  std::string text;
  for (const std::vector<std::string>& row : picture.rows) {
    std::string line;
    for (const std::string& cell : row) {
      const std::string& shown = cell.empty() ? " " : cell;
      if (!is_coloured) {
        line += (line.empty() ? "" : " ") + shown;
      } else if (is_empty(cell)) {
        line += fmt::format(" {} ", shown);
      } else {
        line += fmt::format("\x1b[48;5;{};38;5;{}m {} \x1b[0m", paint(cell), kBlack, shown);
      }
    }
    if (const std::size_t end = line.find_last_not_of(' '); end != std::string::npos) line.resize(end + 1);
    text += line + "\n";
  }
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace conpole

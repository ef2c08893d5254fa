#include "notation/formula_changes.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace conpole {
namespace {

using FormulaKind = FormulaNode::Kind;

// Numbers that are equal for equal parts and, all but certainly, different for others. Brackets do not count.
std::vector<std::uint64_t> Fingerprints(const Formula& formula) {
  constexpr std::uint64_t kOffset = 0xCBF29CE484222325;
  constexpr std::uint64_t kPrime = 0x100000001B3;
  const auto mix = [](std::uint64_t a, std::uint64_t b) {
    std::uint64_t mixed = (a ^ (b + 0x9E3779B97F4A7C15 + (a << 6) + (a >> 2))) * 0xFF51AFD7ED558CCD;
    mixed ^= mixed >> 32;
    return mixed;
  };
  std::vector<std::uint64_t> prints(formula.size());
  for (std::size_t i = formula.size(); i-- > 0;) {
    const FormulaNode& node = formula[i];
    if (node.kind == FormulaKind::kBrackets) {
      prints[i] = prints[i + 1];
      continue;
    }
    std::uint64_t print = kOffset + static_cast<std::uint64_t>(node.kind);
    // The text of a product only says which signs are left out.
    if (node.kind != FormulaKind::kProduct) {
      for (const char c : node.text) print = (print ^ static_cast<unsigned char>(c)) * kPrime;
    }
    for (std::size_t child = i + 1; child < i + node.size; child += formula[child].size) print = mix(print, prints[child]);
    prints[i] = print;
  }
  return prints;
}

class Comparer {
 public:
  Comparer(const Formula& before, const Formula& after)
      : before_{before, Fingerprints(before), std::vector<bool>(before.size())},
        after_{after, Fingerprints(after), std::vector<bool>(after.size())} {}

  FormulaChanges Compare() {
    waiting_.emplace_back(0, 0);
    while (!waiting_.empty()) {
      const auto [a, b] = waiting_.back();
      waiting_.pop_back();
      ComparePair(a, b);
    }
    return {Tidied(std::move(before_)), Tidied(std::move(after_))};
  }

 private:
  struct Side {
    const Formula& formula;
    std::vector<std::uint64_t> prints;
    std::vector<bool> marks;

    FormulaKind KindOf(std::size_t node) const { return formula[WithoutBrackets(formula, node)].kind; }
    const std::string& TextOf(std::size_t node) const { return formula[WithoutBrackets(formula, node)].text; }
    // Of what is in the brackets, if it is of this kind, or else the node itself.
    std::vector<std::size_t> PartsAs(FormulaKind kind, std::size_t node) const {
      const std::size_t inner = WithoutBrackets(formula, node);
      return formula[inner].kind == kind ? ChildrenOf(formula, inner) : std::vector{node};
    }
    void Mark(std::span<const std::size_t> nodes) {
      for (const std::size_t node : nodes) marks[node] = true;
    }
  };
  using Nodes = std::span<const std::size_t>;

  bool AreEqual(std::size_t a, std::size_t b) const { return before_.prints[a] == after_.prints[b]; }

  void ComparePair(std::size_t a, std::size_t b) {
    if (AreEqual(a, b)) return;
    const FormulaKind kind_a = before_.KindOf(a);
    const FormulaKind kind_b = after_.KindOf(b);
    if (const std::optional<FormulaKind> kind = LooserOf(kind_a, kind_b)) {
      std::vector<std::size_t> parts_a = before_.PartsAs(*kind, a);
      std::vector<std::size_t> parts_b = after_.PartsAs(*kind, b);
      if (*kind == FormulaKind::kConditions) {
        // The lines themselves belong together, whatever their conditions are.
        waiting_.emplace_back(parts_a.front(), parts_b.front());
        parts_a.erase(parts_a.begin());
        parts_b.erase(parts_b.begin());
      }
      return CompareParts(parts_a, parts_b);
    }
    const std::vector<std::size_t> parts_a = before_.PartsAs(kind_a, a);
    const std::vector<std::size_t> parts_b = after_.PartsAs(kind_b, b);
    const bool alike = kind_a == kind_b && !parts_a.empty() && parts_a.size() == parts_b.size() &&
                       (before_.TextOf(a) == after_.TextOf(b) || kind_a == FormulaKind::kFraction);
    if (!alike) {
      before_.marks[a] = after_.marks[b] = true;
      return;
    }
    for (std::size_t i = 0; i < parts_a.size(); ++i) waiting_.emplace_back(parts_a[i], parts_b[i]);
  }

  // As which kind of many parts, which can come and go, the two are compared: that which groups less tightly. One that is of
  // another kind is then compared as if it had itself as its only part: x is the product of x, from which a factor was taken.
  static std::optional<FormulaKind> LooserOf(FormulaKind a, FormulaKind b) {
    for (const FormulaKind kind :
         {FormulaKind::kConditions, FormulaKind::kAlternatives, FormulaKind::kSum, FormulaKind::kProduct}) {
      if (a == kind || b == kind) return kind;
    }
    return std::nullopt;
  }

  // Equal parts are matched in their order, as many as possible; what lies between them differs.
  void CompareParts(const std::vector<std::size_t>& all_a, const std::vector<std::size_t>& all_b) {
    Nodes a = all_a;
    Nodes b = all_b;
    while (!a.empty() && !b.empty() && AreEqual(a.front(), b.front())) {
      a = a.subspan(1);
      b = b.subspan(1);
    }
    while (!a.empty() && !b.empty() && AreEqual(a.back(), b.back())) {
      a = a.first(a.size() - 1);
      b = b.first(b.size() - 1);
    }
    // Matching takes the product of their numbers, so of many parts none is matched.
    constexpr std::size_t kMost = 4096;
    if (a.size() * b.size() > kMost) return CompareRuns(a, b);
    const std::vector<std::size_t> longest = LongestMatches(a, b);
    const auto longest_from = [&](std::size_t i, std::size_t j) { return longest[i * (b.size() + 1) + j]; };
    std::size_t from_a = 0;
    std::size_t from_b = 0;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
      if (AreEqual(a[i], b[j])) {
        CompareRuns(a.subspan(from_a, i - from_a), b.subspan(from_b, j - from_b));
        from_a = ++i;
        from_b = ++j;
      } else if (longest_from(i + 1, j) >= longest_from(i, j + 1)) {
        ++i;
      } else {
        ++j;
      }
    }
    CompareRuns(a.subspan(from_a), b.subspan(from_b));
  }

  // The most matches of what follows each pair of places.
  std::vector<std::size_t> LongestMatches(Nodes a, Nodes b) const {
    const std::size_t columns = b.size() + 1;
    std::vector<std::size_t> longest((a.size() + 1) * columns);
    for (std::size_t i = a.size(); i-- > 0;) {
      for (std::size_t j = b.size(); j-- > 0;) {
        longest[i * columns + j] = AreEqual(a[i], b[j])
                                       ? 1 + longest[(i + 1) * columns + j + 1]
                                       : std::max(longest[(i + 1) * columns + j], longest[i * columns + j + 1]);
      }
    }
    return longest;
  }

  // Parts of which none has an equal: as many of one as of the other are compared one by one.
  void CompareRuns(Nodes a, Nodes b) {
    if (a.size() == b.size()) {
      for (std::size_t i = 0; i < a.size(); ++i) waiting_.emplace_back(a[i], b[i]);
      return;
    }
    before_.Mark(a);
    after_.Mark(b);
  }

  // With a mark in place of those on all of a node's parts. Each side of an equation stays by itself.
  static std::vector<bool> Tidied(Side side) {
    const Formula& formula = side.formula;
    for (std::size_t i = formula.size(); i-- > 0;) {
      if (formula[i].size == 1 || side.marks[i]) continue;
      const bool apart = formula[i].kind == FormulaKind::kEquation || formula[i].kind == FormulaKind::kRelation ||
                         formula[i].kind == FormulaKind::kNegation;
      if (apart) continue;
      bool all = true;
      for (std::size_t child = i + 1; child < i + formula[i].size && all; child += formula[child].size) all = side.marks[child];
      if (!all) continue;
      side.marks[i] = true;
      for (std::size_t child = i + 1; child < i + formula[i].size; child += formula[child].size) side.marks[child] = false;
    }
    return std::move(side.marks);
  }

  Side before_;
  Side after_;
  std::vector<std::pair<std::size_t, std::size_t>> waiting_;
};

}  // namespace

FormulaChanges CompareFormulas(const Formula& before, const Formula& after) { return Comparer(before, after).Compare(); }

}  // namespace conpole

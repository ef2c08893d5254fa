#include "notation/formula.h"

#include <algorithm>

#include "notation/line_words.h"

namespace conpole {

void FormulaBuilder::Number(std::string_view text) {
  using Kind = FormulaNode::Kind;
  const bool is_negative = text.starts_with('-');
  if (is_negative) {
    text.remove_prefix(1);
    Open(Kind::kNegation);
  }
  const std::size_t line = text.find('/');
  if (line == std::string_view::npos) {
    Leaf(Kind::kNumber, std::string(text));
  } else {
    Open(Kind::kFraction);
    Leaf(Kind::kNumber, std::string(text.substr(0, line)));
    Leaf(Kind::kNumber, std::string(text.substr(line + 1)));
    Close();
  }
  if (is_negative) Close();
}

Formula TextFormula(std::string text) { return {{FormulaNode::Kind::kText, std::move(text), 1}}; }

std::size_t WithoutBrackets(const Formula& formula, std::size_t node) {
  while (formula[node].kind == FormulaNode::Kind::kBrackets) ++node;
  return node;
}

std::vector<std::size_t> ChildrenOf(const Formula& formula, std::size_t node) {
  std::vector<std::size_t> children;
  const std::size_t end = node + formula[node].size;
  for (std::size_t child = node + 1; child < end; child += formula[child].size) children.push_back(child);
  return children;
}

std::string_view ListSign(const Formula& formula, std::size_t list, std::string_view language) {
  const auto begin = formula.begin() + static_cast<std::ptrdiff_t>(list);
  const auto end = begin + static_cast<std::ptrdiff_t>(formula[list].size);
  const bool has_decimals = std::any_of(begin, end, [](const FormulaNode& item) {
    return item.kind == FormulaNode::Kind::kNumber && item.text.find('.') != std::string::npos;
  });
  return has_decimals && HasDecimalComma(language) ? ";" : ",";
}

bool HasBase(const Formula& formula, std::size_t logarithm) {
  return formula[logarithm].size > 1 + formula[logarithm + 1].size;
}

const RelationSign& SignOf(char code) {
  return *std::find_if(kRelationSigns.begin(), kRelationSigns.end(),
                       [&](const RelationSign& sign) { return sign.code == code; });
}

bool IsSubtracted(const Formula& formula, const FormulaPlace& at) {
  return at.place > 0 && formula[at.node].kind == FormulaNode::Kind::kNegation &&
         formula[at.parent].kind == FormulaNode::Kind::kSum;
}

}  // namespace conpole

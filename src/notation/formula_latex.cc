#include "notation/formula.h"

#include <utility>

#include "notation/notation.h"

namespace conpole {
namespace {

using FormulaKind = FormulaNode::Kind;

class LatexWriter {
 public:
  explicit LatexWriter(const Formula& formula) : formula_(formula) {}

  std::string Write() {
    WalkFormula(
        formula_, [this](const FormulaPlace& at) { Enter(at); }, [this](const FormulaPlace& at) { Leave(at); });
    return std::move(out_);
  }

 private:
  // What stands between a child and the one before it.
  void Separate(const FormulaPlace& at) {
    const FormulaNode& parent = formula_[at.parent];
    switch (parent.kind) {
      case FormulaKind::kSum:
        out_ += IsSubtracted(formula_, at) ? " - " : " + ";
        break;
      case FormulaKind::kProduct:
        if (parent.text[at.place - 1] != ' ') out_ += " \\cdot ";
        break;
      case FormulaKind::kDivision:
        out_ += " \\div ";
        break;
      case FormulaKind::kFraction:
        out_ += parent.text.empty() ? "}{" : "/";
        break;
      case FormulaKind::kPower:
        out_ += "^{";
        break;
      case FormulaKind::kEquation:
        out_ += " = ";
        break;
      case FormulaKind::kRelation:
        out_ += SignOf(parent.text[at.place - 1]).latex;
        break;
      case FormulaKind::kAlternatives:
        out_ += parent.text.empty() ? " \\text{ or } " : " \\text{ and } ";
        break;
      case FormulaKind::kLogarithm:
        out_ += "}\\left(";
        break;
      case FormulaKind::kSeries:
        out_ += parent.text + "\\; ";
        break;
      case FormulaKind::kConditions:
        out_ += at.place == 1 ? ";\\; " : ",\\; ";
        break;
      case FormulaKind::kList:
        out_ += ", ";
        break;
      default:
        break;
    }
  }

  void Enter(const FormulaPlace& at) {
    if (at.place > 0) Separate(at);
    const FormulaNode& node = formula_[at.node];
    switch (node.kind) {
      case FormulaKind::kText:
        out_ += "\\texttt{" + EscapeLatex(node.text) + "}";
        break;
      case FormulaKind::kWords:
        out_ += "\\text{" + node.text + "}";
        break;
      case FormulaKind::kNumber:
        out_ += EscapeLatex(node.text);  // 25%
        break;
      case FormulaKind::kUnknown:
        out_ += node.text == "pi" ? "\\pi " : node.text;
        break;
      case FormulaKind::kAbsolute:
        out_ += "\\left|";
        break;
      case FormulaKind::kLogarithm:
        out_ += "\\" + node.text + (HasBase(formula_, at.node) ? "_{" : "\\left(");
        break;
      case FormulaKind::kCheck:
        out_ += "\\text{check } ";
        break;
      case FormulaKind::kNegation:
        if (!IsSubtracted(formula_, at)) out_ += '-';
        break;
      case FormulaKind::kFraction:
        if (node.text.empty()) out_ += "\\frac{";
        break;
      case FormulaKind::kRoot:
        out_ += node.text == "2" ? "\\sqrt{" : "\\sqrt[" + node.text + "]{";
        break;
      case FormulaKind::kBrackets:
        out_ += "\\left(";
        break;
      case FormulaKind::kList:
        out_ += '[';
        break;
      default:
        break;
    }
  }

  void Leave(const FormulaPlace& at) {
    const FormulaNode& node = formula_[at.node];
    switch (node.kind) {
      case FormulaKind::kFraction:
        if (node.text.empty()) out_ += '}';
        break;
      case FormulaKind::kPower:
      case FormulaKind::kRoot:
        out_ += '}';
        break;
      case FormulaKind::kAbsolute:
        out_ += "\\right|";
        break;
      case FormulaKind::kBrackets:
      case FormulaKind::kLogarithm:
        out_ += "\\right)";
        break;
      case FormulaKind::kList:
        out_ += ']';
        break;
      default:
        break;
    }
  }

  const Formula& formula_;
  std::string out_;
};

}  // namespace

std::string LatexOf(const Formula& formula) { return LatexWriter(formula).Write(); }

}  // namespace conpole

#include "tutor/formula_latex.h"

#include <utility>

#include "tutor/notation.h"

namespace conpole {
namespace {

using Kind = FormulaNode::Kind;

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
      case Kind::kSum:
        out_ += IsSubtracted(formula_, at) ? " - " : " + ";
        break;
      case Kind::kProduct:
        if (parent.text[at.place - 1] != ' ') out_ += " \\cdot ";
        break;
      case Kind::kDivision:
        out_ += " \\div ";
        break;
      case Kind::kFraction:
        out_ += parent.text.empty() ? "}{" : "/";
        break;
      case Kind::kPower:
        out_ += "^{";
        break;
      case Kind::kEquation:
        out_ += " = ";
        break;
      case Kind::kUnequal:
        out_ += " \\neq ";
        break;
      case Kind::kAlternatives:
        out_ += " \\text{ or } ";
        break;
      case Kind::kConditions:
        out_ += at.place == 1 ? ";\\; " : ",\\; ";
        break;
      case Kind::kList:
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
      case Kind::kText:
        out_ += "\\texttt{" + EscapeLatex(node.text) + "}";
        break;
      case Kind::kWords:
        out_ += "\\text{" + node.text + "}";
        break;
      case Kind::kNumber:
      case Kind::kUnknown:
        out_ += node.text;
        break;
      case Kind::kNegation:
        if (!IsSubtracted(formula_, at)) out_ += '-';
        break;
      case Kind::kFraction:
        if (node.text.empty()) out_ += "\\frac{";
        break;
      case Kind::kRoot:
        out_ += node.text == "2" ? "\\sqrt{" : "\\sqrt[" + node.text + "]{";
        break;
      case Kind::kBrackets:
        out_ += "\\left(";
        break;
      case Kind::kList:
        out_ += '[';
        break;
      default:
        break;
    }
  }

  void Leave(const FormulaPlace& at) {
    const FormulaNode& node = formula_[at.node];
    switch (node.kind) {
      case Kind::kFraction:
        if (node.text.empty()) out_ += '}';
        break;
      case Kind::kPower:
      case Kind::kRoot:
        out_ += '}';
        break;
      case Kind::kBrackets:
        out_ += "\\right)";
        break;
      case Kind::kList:
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

#include "notation/mathml.h"

#include <utility>

#include "language/catalogue.h"
#include "notation/line_words.h"

namespace conpole {
namespace {

using FormulaKind = FormulaNode::Kind;

constexpr std::string_view kMinus = "\u2212";
constexpr std::string_view kTimes = "\u22C5";
constexpr std::string_view kInvisibleTimes = "\u2062";
constexpr std::string_view kInvisiblePlus = "\u2064";
constexpr std::string_view kNoBreakSpace = "\u00A0";

// Control characters, which XML has no way to write, are shown as what stands for something that cannot be shown.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7F) {
          escaped += "\uFFFD";
        } else {
          escaped += c;
        }
    }
  }
  return escaped;
}

// Whether the children of such a node stand beside each other with signs between them, which are marked with them.
bool IsRow(FormulaKind kind) {
  switch (kind) {
    case FormulaKind::kSum:
    case FormulaKind::kProduct:
    case FormulaKind::kAlternatives:
    case FormulaKind::kConditions:
    case FormulaKind::kSeries:
      return true;
    default:
      return false;
  }
}

class MathmlWriter {
 public:
  MathmlWriter(const Formula& formula, std::string_view language, const std::vector<bool>& changed)
      : formula_(formula), language_(language), changed_(changed) {
    Catalogue::Find(language);  // throws if there is no such language
  }

  std::string Write() {
    out_ = R"(<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">)";
    WalkFormula(
        formula_, [this](const FormulaPlace& at) { Enter(at); }, [this](const FormulaPlace& at) { Leave(at); });
    return std::move(out_ += "</math>");
  }

 private:
  bool IsMarked(std::size_t node) const { return !changed_.empty() && changed_[node]; }
  bool IsInRow(const FormulaPlace& at) const { return at.parent != FormulaPlace::kNoParent && IsRow(formula_[at.parent].kind); }
  // Marked neighbours in a row are marked together.
  bool BeginsMark(const FormulaPlace& at) {
    const bool joins = IsInRow(at) && at.place > 0 && previous_is_marked_;
    return IsMarked(at.node) && !joins;
  }
  bool EndsMark(const FormulaPlace& at) const {
    const bool goes_on = IsInRow(at) && !at.is_last && IsMarked(at.node + formula_[at.node].size);
    return IsMarked(at.node) && !goes_on;
  }

  void Element(std::string_view name, std::string_view text) {
    out_ += '<';
    out_ += name;
    out_ += '>';
    out_ += text;
    out_ += "</";
    out_ += name;
    out_ += '>';
  }
  void Operator(std::string_view sign) { Element("mo", sign); }
  // A sign between two terms. It would be taken for that of the second if it began a row, so that it has to be said.
  void SignOfTerm(std::string_view sign, bool begins_row) {
    out_ += begins_row ? R"(<mo form="infix">)" : "<mo>";
    out_ += sign;
    out_ += "</mo>";
  }
  // Blanks at the ends of a text would not be shown.
  void Words(const std::string& words) {
    Element("mtext", std::string(kNoBreakSpace) + Escaped(Localised(words)) + std::string(kNoBreakSpace));
  }
  std::string Localised(const std::string& text) const { return LocaliseLine(language_, Script::kPlain, text); }

  // What stands between a child and the one before it.
  void Separate(const FormulaPlace& at, bool begins_row) {
    const FormulaNode& parent = formula_[at.parent];
    switch (parent.kind) {
      case FormulaKind::kSum:
        SignOfTerm(IsSubtracted(formula_, at) ? kMinus : "+", begins_row);
        break;
      case FormulaKind::kProduct:
        Operator(parent.text[at.place - 1] == ' ' ? kInvisibleTimes : kTimes);
        break;
      case FormulaKind::kDivision:
        Operator("÷");
        break;
      case FormulaKind::kFraction:
        if (!parent.text.empty()) Operator("/");
        break;
      case FormulaKind::kMixed:
        Operator(kInvisiblePlus);
        break;
      case FormulaKind::kEquation:
        Operator("=");
        break;
      case FormulaKind::kRelation:
        Operator(SignOf(parent.text[at.place - 1]).sign);
        break;
      case FormulaKind::kAlternatives:
        Words(parent.text.empty() ? "or" : "and");
        break;
      case FormulaKind::kLogarithm:
        out_ += "</msub>";
        Operator("(");
        break;
      case FormulaKind::kSeries:
        Operator(parent.text);
        break;
      case FormulaKind::kConditions:
        Operator(at.place == 1 ? ";" : ",");
        break;
      case FormulaKind::kList:
        Operator(list_sign_);
        break;
      default:
        break;
    }
  }

  void Enter(const FormulaPlace& at) {
    const bool begins = BeginsMark(at);
    const bool with_sign = begins && IsInRow(at);
    if (with_sign) out_ += kChanged;
    if (at.place > 0) Separate(at, with_sign);
    if (begins && !with_sign) out_ += kChanged;
    const FormulaNode& node = formula_[at.node];
    switch (node.kind) {
      case FormulaKind::kText:
        Element("mtext", Escaped(node.text));
        break;
      case FormulaKind::kWords:
        Element("mtext", Escaped(Localised(node.text)));
        break;
      case FormulaKind::kNumber:
        Element("mn", Escaped(Localised(node.text)));
        break;
      case FormulaKind::kUnknown:
        Element("mi", node.text == "pi" ? "π" : Escaped(node.text));
        break;
      case FormulaKind::kNegation:
        if (IsSubtracted(formula_, at)) break;
        out_ += "<mrow>";
        Operator(kMinus);
        break;
      case FormulaKind::kFraction:
        out_ += node.text.empty() ? "<mfrac>" : "<mrow>";
        break;
      case FormulaKind::kPower:
        out_ += "<msup>";
        break;
      case FormulaKind::kRoot:
        out_ += node.text == "2" ? "<msqrt>" : "<mroot>";
        break;
      case FormulaKind::kAbsolute:
        out_ += "<mrow>";
        Operator("|");
        break;
      case FormulaKind::kLogarithm:
        out_ += HasBase(formula_, at.node) ? "<mrow><msub>" : "<mrow>";
        Element("mi", node.text);
        if (!HasBase(formula_, at.node)) Operator("(");
        break;
      case FormulaKind::kCheck:
        out_ += "<mrow>";
        Words("check");
        break;
      case FormulaKind::kBrackets:
        out_ += "<mrow>";
        Operator("(");
        break;
      case FormulaKind::kList:
        list_sign_ = ListSign(formula_, at.node, language_);
        out_ += "<mrow>";
        Operator("[");
        break;
      case FormulaKind::kSum:
      case FormulaKind::kProduct:
      case FormulaKind::kDivision:
      case FormulaKind::kMixed:
      case FormulaKind::kEquation:
      case FormulaKind::kRelation:
      case FormulaKind::kAlternatives:
      case FormulaKind::kConditions:
      case FormulaKind::kSeries:
        out_ += "<mrow>";
        break;
    }
  }

  void Leave(const FormulaPlace& at) {
    const FormulaNode& node = formula_[at.node];
    switch (node.kind) {
      case FormulaKind::kText:
      case FormulaKind::kWords:
      case FormulaKind::kNumber:
      case FormulaKind::kUnknown:
        break;
      case FormulaKind::kNegation:
        if (!IsSubtracted(formula_, at)) out_ += "</mrow>";
        break;
      case FormulaKind::kFraction:
        out_ += node.text.empty() ? "</mfrac>" : "</mrow>";
        break;
      case FormulaKind::kPower:
        out_ += "</msup>";
        break;
      case FormulaKind::kRoot:
        if (node.text == "2") {
          out_ += "</msqrt>";
        } else {
          Element("mn", node.text);
          out_ += "</mroot>";
        }
        break;
      case FormulaKind::kAbsolute:
        Operator("|");
        out_ += "</mrow>";
        break;
      case FormulaKind::kBrackets:
      case FormulaKind::kLogarithm:
        Operator(")");
        out_ += "</mrow>";
        break;
      case FormulaKind::kList:
        Operator("]");
        out_ += "</mrow>";
        break;
      case FormulaKind::kSum:
      case FormulaKind::kProduct:
      case FormulaKind::kDivision:
      case FormulaKind::kMixed:
      case FormulaKind::kEquation:
      case FormulaKind::kRelation:
      case FormulaKind::kAlternatives:
      case FormulaKind::kConditions:
      case FormulaKind::kSeries:
      case FormulaKind::kCheck:
        out_ += "</mrow>";
        break;
    }
    if (EndsMark(at)) out_ += "</mrow>";
    // Of the sibling before the next node that is entered with a place above 0, which is always the node left last.
    previous_is_marked_ = IsMarked(at.node);
  }

  static constexpr std::string_view kChanged = R"(<mrow class="changed">)";

  const Formula& formula_;
  std::string_view language_;
  const std::vector<bool>& changed_;
  bool previous_is_marked_ = false;
  std::string_view list_sign_;  // of the list that was entered last; lists have no lists in them
  std::string out_;
};

}  // namespace

std::string MathmlOf(const Formula& formula, std::string_view language, const std::vector<bool>& changed) {
  return MathmlWriter(formula, language, changed).Write();
}

}  // namespace conpole

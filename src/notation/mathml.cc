#include "notation/mathml.h"

#include <utility>

#include <fmt/format.h>

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

  // The element that has a node's children in it; empty if there is none.
  std::string_view ElementOf(const FormulaPlace& at) const {
    const FormulaNode& node = formula_[at.node];
    switch (node.kind) {
      case FormulaKind::kText:
      case FormulaKind::kWords:
      case FormulaKind::kNumber:
      case FormulaKind::kUnknown:
        return {};
      case FormulaKind::kNegation:
        return IsSubtracted(formula_, at) ? "" : "mrow";
      case FormulaKind::kFraction:
        return node.text.empty() ? "mfrac" : "mrow";
      case FormulaKind::kPower:
        return "msup";
      case FormulaKind::kRoot:
        return node.text == "2" ? "msqrt" : "mroot";
      default:
        return "mrow";
    }
  }

  void Element(std::string_view name, std::string_view text) { out_ += fmt::format("<{0}>{1}</{0}>", name, text); }
  void Operator(std::string_view sign) { Element("mo", sign); }
  // A sign between two terms. It would be taken for that of the second if it began a row, so that it has to be said.
  void SignOfTerm(std::string_view sign, bool begins_row) {
    out_ += fmt::format("<mo{}>{}</mo>", begins_row ? R"( form="infix")" : "", sign);
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
    const std::string_view element = ElementOf(at);
    if (!element.empty()) out_ += fmt::format("<{}>", element);
    switch (node.kind) {
      case FormulaKind::kText:
        return Element("mtext", Escaped(node.text));
      case FormulaKind::kWords:
        return Element("mtext", Escaped(Localised(node.text)));
      case FormulaKind::kNumber:
        return Element("mn", Escaped(Localised(node.text)));
      case FormulaKind::kUnknown:
        return Element("mi", node.text == "pi" ? "π" : Escaped(node.text));
      case FormulaKind::kNegation:
        return element.empty() ? void() : Operator(kMinus);
      case FormulaKind::kAbsolute:
        return Operator("|");
      case FormulaKind::kLogarithm:
        if (HasBase(formula_, at.node)) out_ += "<msub>";
        Element("mi", node.text);
        return HasBase(formula_, at.node) ? void() : Operator("(");
      case FormulaKind::kCheck:
        return Words("check");
      case FormulaKind::kBrackets:
        return Operator("(");
      case FormulaKind::kList:
        list_sign_ = ListSign(formula_, at.node, language_);
        return Operator("[");
      default:
        return;
    }
  }

  void Leave(const FormulaPlace& at) {
    const FormulaNode& node = formula_[at.node];
    if (node.kind == FormulaKind::kRoot && node.text != "2") Element("mn", node.text);
    if (node.kind == FormulaKind::kAbsolute) Operator("|");
    if (node.kind == FormulaKind::kBrackets || node.kind == FormulaKind::kLogarithm) Operator(")");
    if (node.kind == FormulaKind::kList) Operator("]");
    if (const std::string_view element = ElementOf(at); !element.empty()) out_ += fmt::format("</{}>", element);
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

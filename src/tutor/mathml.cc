#include "tutor/mathml.h"

#include <algorithm>
#include <utility>

#include "tutor/catalogue.h"
#include "tutor/line_words.h"

namespace conpole {
namespace {

using Kind = FormulaNode::Kind;

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
bool IsRow(Kind kind) {
  switch (kind) {
    case Kind::kSum:
    case Kind::kProduct:
    case Kind::kAlternatives:
    case Kind::kConditions:
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
  // A sign between two terms, also where it is the first in its row.
  void Infix(std::string_view sign) {
    out_ += "<mo form=\"infix\">";
    out_ += sign;
    out_ += "</mo>";
  }
  std::string Localised(const std::string& text) const { return LocaliseLine(language_, Script::kPlain, text); }

  // What stands between a child and the one before it.
  void Separate(const FormulaPlace& at) {
    const FormulaNode& parent = formula_[at.parent];
    switch (parent.kind) {
      case Kind::kSum:
        Infix(IsSubtracted(formula_, at) ? kMinus : "+");
        break;
      case Kind::kProduct:
        Operator(parent.text[at.place - 1] == ' ' ? kInvisibleTimes : kTimes);
        break;
      case Kind::kDivision:
        Operator("÷");
        break;
      case Kind::kFraction:
        if (!parent.text.empty()) Operator("/");
        break;
      case Kind::kMixed:
        Operator(kInvisiblePlus);
        break;
      case Kind::kEquation:
        Operator("=");
        break;
      case Kind::kUnequal:
        Operator("≠");
        break;
      case Kind::kAlternatives:
        // Blanks at the ends of a text would not be shown.
        Element("mtext", std::string(kNoBreakSpace) + Escaped(Localised("or")) + std::string(kNoBreakSpace));
        break;
      case Kind::kConditions:
        Operator(at.place == 1 ? ";" : ",");
        break;
      case Kind::kList:
        Operator(ListSign(parent, at.parent));
        break;
      default:
        break;
    }
  }

  // A comma between numbers that have decimal commas would be read as one of these.
  std::string_view ListSign(const FormulaNode& list, std::size_t node) {
    if (list_ != node) {
      list_ = node;
      const auto begin = formula_.begin() + static_cast<std::ptrdiff_t>(node);
      const bool has_decimals = std::any_of(begin, begin + list.size, [](const FormulaNode& item) {
        return item.kind == Kind::kNumber && item.text.find('.') != std::string::npos;
      });
      list_sign_ = has_decimals && HasDecimalComma(language_) ? ";" : ",";
    }
    return list_sign_;
  }

  void Enter(const FormulaPlace& at) {
    const bool begins = BeginsMark(at);
    if (begins && IsInRow(at)) out_ += kChanged;
    if (at.place > 0) Separate(at);
    if (begins && !IsInRow(at)) out_ += kChanged;
    const FormulaNode& node = formula_[at.node];
    switch (node.kind) {
      case Kind::kText:
        Element("mtext", Escaped(node.text));
        break;
      case Kind::kWords:
        Element("mtext", Escaped(Localised(node.text)));
        break;
      case Kind::kNumber:
        Element("mn", Escaped(Localised(node.text)));
        break;
      case Kind::kUnknown:
        Element("mi", Escaped(node.text));
        break;
      case Kind::kNegation:
        if (IsSubtracted(formula_, at)) break;
        out_ += "<mrow>";
        Operator(kMinus);
        break;
      case Kind::kFraction:
        out_ += node.text.empty() ? "<mfrac>" : "<mrow>";
        break;
      case Kind::kPower:
        out_ += "<msup>";
        break;
      case Kind::kRoot:
        out_ += node.text == "2" ? "<msqrt>" : "<mroot>";
        break;
      case Kind::kBrackets:
        out_ += "<mrow>";
        Operator("(");
        break;
      case Kind::kList:
        out_ += "<mrow>";
        Operator("[");
        break;
      case Kind::kSum:
      case Kind::kProduct:
      case Kind::kDivision:
      case Kind::kMixed:
      case Kind::kEquation:
      case Kind::kUnequal:
      case Kind::kAlternatives:
      case Kind::kConditions:
        out_ += "<mrow>";
        break;
    }
  }

  void Leave(const FormulaPlace& at) {
    const FormulaNode& node = formula_[at.node];
    switch (node.kind) {
      case Kind::kText:
      case Kind::kWords:
      case Kind::kNumber:
      case Kind::kUnknown:
        break;
      case Kind::kNegation:
        if (!IsSubtracted(formula_, at)) out_ += "</mrow>";
        break;
      case Kind::kFraction:
        out_ += node.text.empty() ? "</mfrac>" : "</mrow>";
        break;
      case Kind::kPower:
        out_ += "</msup>";
        break;
      case Kind::kRoot:
        if (node.text == "2") {
          out_ += "</msqrt>";
        } else {
          Element("mn", node.text);
          out_ += "</mroot>";
        }
        break;
      case Kind::kBrackets:
        Operator(")");
        out_ += "</mrow>";
        break;
      case Kind::kList:
        Operator("]");
        out_ += "</mrow>";
        break;
      case Kind::kSum:
      case Kind::kProduct:
      case Kind::kDivision:
      case Kind::kMixed:
      case Kind::kEquation:
      case Kind::kUnequal:
      case Kind::kAlternatives:
      case Kind::kConditions:
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
  std::size_t list_ = FormulaPlace::kNoParent;  // whose sign is known
  std::string_view list_sign_;
  std::string out_;
};

}  // namespace

std::string MathmlOf(const Formula& formula, std::string_view language, const std::vector<bool>& changed) {
  return MathmlWriter(formula, language, changed).Write();
}

}  // namespace conpole

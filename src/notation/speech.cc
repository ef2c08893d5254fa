#include "notation/speech.h"

#include <utility>
#include <vector>

#include "language/catalogue.h"
#include "notation/line_words.h"

namespace conpole {
namespace {

using FormulaKind = FormulaNode::Kind;

class Speaker {
 public:
  Speaker(const Formula& formula, std::string_view language)
      : formula_(formula), language_(language), catalogue_(Catalogue::Find(language)), is_subtracted_(formula.size()) {}

  std::string Speak() {
    WalkFormula(
        formula_, [this](const FormulaPlace& at) { Enter(at); }, [this](const FormulaPlace& at) { Leave(at); });
    return std::move(out_);
  }

 private:
  FormulaKind KindOf(std::size_t node) const { return formula_[node].kind; }
  std::size_t SecondChild(std::size_t node) const { return node + 1 + formula_[node + 1].size; }

  bool IsAtom(std::size_t node) const { return KindOf(node) == FormulaKind::kNumber || KindOf(node) == FormulaKind::kUnknown; }
  // 3 and -3
  bool IsSignedNumber(std::size_t node) const {
    return KindOf(KindOf(node) == FormulaKind::kNegation ? node + 1 : node) == FormulaKind::kNumber;
  }
  // x and x^2
  bool IsUnknownOrItsPower(std::size_t node) const {
    return KindOf(KindOf(node) == FormulaKind::kPower ? node + 1 : node) == FormulaKind::kUnknown;
  }
  // 2x and -2x^3: a product that is said without "times"
  bool IsMonomial(std::size_t node) const {
    return KindOf(node) == FormulaKind::kProduct && formula_[node].text == " " && IsSignedNumber(node + 1) &&
           IsUnknownOrItsPower(SecondChild(node));
  }
  // What "over" takes as a whole.
  bool IsTight(std::size_t node) const {
    if (KindOf(node) == FormulaKind::kNegation) node = node + 1;
    const bool power = KindOf(node) == FormulaKind::kPower && IsAtom(node + 1);
    return IsAtom(node) || power || KindOf(node) == FormulaKind::kRoot || IsMonomial(node);
  }

  // Whether a child is said as a quantity.
  bool IsQuantity(const FormulaPlace& at) const {
    if (at.parent == FormulaPlace::kNoParent) return false;
    const std::size_t inner = WithoutBrackets(formula_, at.node);
    const bool in_brackets = inner != at.node;
    const FormulaKind kind = KindOf(inner);
    switch (KindOf(at.parent)) {
      case FormulaKind::kFraction:
        return !IsTight(inner);
      case FormulaKind::kPower:
      case FormulaKind::kLogarithm:
        return !IsAtom(inner);
      case FormulaKind::kNegation:
        if (!in_brackets) return false;
        return is_subtracted_[at.parent] ? kind == FormulaKind::kSum : !IsAtom(inner);
      case FormulaKind::kSum:
        return in_brackets && kind == FormulaKind::kSum;
      case FormulaKind::kProduct:
      case FormulaKind::kDivision:
        return in_brackets && (kind == FormulaKind::kSum || kind == FormulaKind::kProduct || kind == FormulaKind::kDivision);
      default:
        return false;
    }
  }

  void Say(std::string_view words) {
    if (!out_.empty() && !words.empty()) out_ += ' ';
    out_ += words;
  }
  void SayEntry(std::string_view id, const Catalogue::Slots& slots = {}) { Say(catalogue_.Sentence(id, slots)); }
  std::string Localised(const std::string& text) const { return LocaliseLine(language_, Script::kPlain, text); }

  void Separate(const FormulaPlace& at) {
    const FormulaNode& parent = formula_[at.parent];
    switch (parent.kind) {
      case FormulaKind::kSum:
        return SayEntry(IsSubtracted(formula_, at) ? "speech.minus" : "speech.plus");
      case FormulaKind::kProduct: {
        // Without a sign between them, what is a number and what is the unknown can be heard.
        const bool silent = parent.text[at.place - 1] == ' ' && IsSignedNumber(previous_) && IsUnknownOrItsPower(at.node);
        return silent ? void() : SayEntry("speech.times");
      }
      case FormulaKind::kDivision:
        return SayEntry("speech.divided_by");
      case FormulaKind::kFraction:
        return SayEntry("speech.over");
      case FormulaKind::kMixed:
        return SayEntry("speech.and");
      case FormulaKind::kEquation:
        return SayEntry("speech.equals");
      case FormulaKind::kRelation:
        return SayEntry(SignOf(parent.text[at.place - 1]).speech);
      case FormulaKind::kAlternatives:
        return Say(Localised(parent.text.empty() ? "or" : "and"));
      case FormulaKind::kLogarithm:
        return SayEntry("speech.of");
      case FormulaKind::kSeries:
        out_ += parent.text == ";" ? "," : parent.text;
        return;
      case FormulaKind::kConditions:
        if (at.place == 1) out_ += ',';
        return SayEntry(at.place == 1 ? "speech.where" : "speech.and");
      case FormulaKind::kList:
        out_ += list_sign_;
        return;
      default:
        return;
    }
  }

  void Enter(const FormulaPlace& at) {
    if (at.place > 0) Separate(at);
    const FormulaNode& node = formula_[at.node];
    // An exponent is said with its power.
    const bool is_exponent = at.parent != FormulaPlace::kNoParent && KindOf(at.parent) == FormulaKind::kPower && at.place == 1;
    if (is_exponent && node.kind == FormulaKind::kNumber) return SayExponent(node.text);
    if (is_exponent) SayEntry("speech.to_the_power");
    if (IsQuantity(at)) SayEntry("speech.open");
    switch (node.kind) {
      case FormulaKind::kText:
      case FormulaKind::kUnknown:
        return Say(node.text);
      case FormulaKind::kWords:
      case FormulaKind::kNumber:
        return Say(Localised(node.text));
      case FormulaKind::kNegation:
        is_subtracted_[at.node] = IsSubtracted(formula_, at);
        return is_subtracted_[at.node] ? void() : SayEntry("speech.negative");
      case FormulaKind::kRoot:
        if (node.text == "2") return SayEntry("speech.square_root");
        if (node.text == "3") return SayEntry("speech.cube_root");
        return SayEntry("speech.root", {{"degree", node.text}});
      case FormulaKind::kAbsolute:
        return SayEntry("speech.absolute");
      case FormulaKind::kLogarithm:
        return SayEntry(HasBase(formula_, at.node) ? "speech.logarithm_to_base"
                        : node.text == "ln"        ? "speech.natural_logarithm"
                                                   : "speech.logarithm");
      case FormulaKind::kCheck:
        return SayEntry("speech.check");
      case FormulaKind::kList:
        list_sign_ = ListSign(formula_, at.node, language_);
        return SayEntry(node.size == 1 ? "speech.empty_list" : "speech.list");
      default:
        return;
    }
  }

  void SayExponent(const std::string& exponent) {
    if (exponent == "2") return SayEntry("speech.squared");
    if (exponent == "3") return SayEntry("speech.cubed");
    SayEntry("speech.power", {{"exponent", exponent}});
  }

  void Leave(const FormulaPlace& at) {
    if (KindOf(at.node) == FormulaKind::kAbsolute) SayEntry("speech.absolute_end");
    if (IsQuantity(at)) SayEntry("speech.close");
    previous_ = at.node;
  }

  const Formula& formula_;
  std::string_view language_;
  const Catalogue& catalogue_;
  std::vector<bool> is_subtracted_;  // of negations
  std::string_view list_sign_;       // of the list that was entered last
  std::size_t previous_ = 0;         // the node left last: that before the next child of its parent
  std::string out_;
};

}  // namespace

std::string SpeechOf(const Formula& formula, std::string_view language) { return Speaker(formula, language).Speak(); }

}  // namespace conpole

// A line as it is drawn and spoken: a tree in which every bracket and every product without a sign has its place, so that
// LaTeX, MathML and speech are written from one thing and say the same (LatexOf, mathml.h, speech.h), and two lines can
// be compared part by part (formula_changes.h). Subjects make them (Subject::MakeFormula).
//
// A formula is a flat array and nothing here recurses, so nesting may be as deep as a text is long. Plain data; any thread may
// use its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace conpole {

struct FormulaNode {
  enum class Kind : std::uint8_t {
    kText,          // text as it is
    kWords,         // text is one of the words of lines in English (notation/line_words.h): no solution, every number
    kNumber,        // text has its digits, with a point for decimals; never negative
    kUnknown,       // text is its letter, or pi
    kNegation,      // of one child. Of a sum's children those after the first are subtracted if they are negations
    kSum,           // of two children or more
    kProduct,       // of two children or more; text has a blank for each sign between them that is left out, and else a '*'
    kDivision,      // of two children, with a sign between them
    kFraction,      // of two children, one above the other or, if text is /, on the line
    kMixed,         // a whole number and a fraction
    kPower,         // of a base and an exponent
    kRoot,          // of one child; text is the degree
    kAbsolute,      // of one child
    kLogarithm,     // of its argument, natural if text is ln and to the base 10 if it is log, or of a base and an argument
    kBrackets,      // around one child
    kEquation,      // of two sides
    kRelation,      // of two sides or more; text has the sign before each after the first, one character each (SignOf)
    kAlternatives,  // of two lines or more, of which one holds or, if text is and, all do
    kConditions,    // a line and one condition or more
    kSeries,        // of two children or more; text is the sign between them
    kCheck,         // an equation that answers must meet
    kList,          // of any number of children
  };
  Kind kind = Kind::kText;
  std::string text;
  std::uint32_t size = 1;  // nodes of the part that begins here
};

// Nodes in pre-order: the first child of node i is i + 1, and the part after the one that begins at i begins at i + size.
using Formula = std::vector<FormulaNode>;

// Makes a formula from the root on. Every Open has its Close.
class FormulaBuilder {
 public:
  void Leaf(FormulaNode::Kind kind, std::string text) { formula_.push_back({kind, std::move(text), 1}); }
  void Open(FormulaNode::Kind kind, std::string text = {}) {
    open_.push_back(formula_.size());
    formula_.push_back({kind, std::move(text), 1});
  }
  void Close() {
    FormulaNode& node = formula_[open_.back()];
    node.size = static_cast<std::uint32_t>(formula_.size() - open_.back());
    open_.pop_back();
  }
  // A whole or decimal number or a fraction of whole ones, perhaps with a minus sign: -3, 2.5, -3/4.
  void Number(std::string_view text);

  // What was made. Requires one root, closed.
  Formula Take() { return std::move(formula_); }

 private:
  Formula formula_;
  std::vector<std::size_t> open_;
};

Formula TextFormula(std::string text);

// The first node that is no bracket, from one on.
std::size_t WithoutBrackets(const Formula& formula, std::size_t node);
std::vector<std::size_t> ChildrenOf(const Formula& formula, std::size_t node);

// What stands between the items of a list. A comma between numbers with decimal commas would be read as one of these.
std::string_view ListSign(const Formula& formula, std::size_t list, std::string_view language);

// Whether a logarithm has its base as a child.
bool HasBase(const Formula& formula, std::size_t logarithm);

// The signs of relations: ≠ (!), <, >, ≤ (l), ≥ (g) and the gap between two numbers that are compared (?).
struct RelationSign {
  char code;
  std::string_view plain;
  std::string_view latex;
  std::string_view sign;
  std::string_view speech;  // its entry in the catalogue
};
inline constexpr std::array kRelationSigns{
    RelationSign{'!', "!=", " \\neq ", "≠", "speech.unequal"},  RelationSign{'<', "<", " < ", "&lt;", "speech.less"},
    RelationSign{'>', ">", " > ", "&gt;", "speech.greater"},    RelationSign{'l', "<=", " \\leq ", "≤", "speech.at_most"},
    RelationSign{'g', ">=", " \\geq ", "≥", "speech.at_least"}, RelationSign{'=', "=", " = ", "=", "speech.equals"},
    RelationSign{'?', "?", " \\;?\\; ", "?", "speech.compared"}};
// Requires a code of these.
const RelationSign& SignOf(char code);

// In LaTeX, in the words of the domain (LocaliseLine puts them into others).
std::string LatexOf(const Formula& formula);

// Where a node stands. A root has no parent.
struct FormulaPlace {
  static constexpr std::size_t kNoParent = static_cast<std::size_t>(-1);
  std::size_t node = 0;
  std::size_t parent = kNoParent;
  std::size_t place = 0;  // among the children of its parent
  bool is_last = true;    // of them
};

// Whether a node is a term that is subtracted, so that its sign is the one between it and the term before.
bool IsSubtracted(const Formula& formula, const FormulaPlace& at);

// Goes through a formula: enter(FormulaPlace) before a node's children, leave(FormulaPlace) after them.
template <class Enter, class Leave>
void WalkFormula(const Formula& formula, const Enter& enter, const Leave& leave) {
  struct Open {
    FormulaPlace at;
    std::size_t next;     // where the next child begins
    std::size_t entered;  // children so far
  };
  std::vector<Open> open;
  const auto visit = [&](const FormulaPlace& at) {
    enter(at);
    open.push_back({at, at.node + 1, 0});
  };
  visit({});
  while (!open.empty()) {
    Open& top = open.back();
    const std::size_t end = top.at.node + formula[top.at.node].size;
    if (top.next == end) {
      const FormulaPlace at = top.at;
      open.pop_back();
      leave(at);
      continue;
    }
    const std::size_t child = top.next;
    top.next += formula[child].size;
    const FormulaPlace at{child, top.at.node, top.entered++, top.next == end};
    visit(at);
  }
}

}  // namespace conpole

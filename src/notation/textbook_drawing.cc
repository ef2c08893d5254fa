#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "domains/school/textbook.h"
#include "language/signs.h"
#include "notation/textbook_notation.h"

namespace conpole {

namespace book = textbook;

std::string WriteTextbookReading(std::string_view state) {
  return std::string(state.substr(0, state.find(": ") + 2)) + WriteTextbookPlain(state);
}

std::string WriteTextbookPlain(std::string_view state) {
  const std::string_view body = state.substr(std::min(state.find(": ") + 2, state.size()));
  std::string out;
  std::vector<bool> bars;  // of open brackets, which are of an absolute value
  for (std::size_t at = 0; at < body.size();) {
    if (body.substr(at).starts_with("abs(")) {
      out += '|';
      bars.push_back(true);
      at += 4;
      continue;
    }
    const char c = body[at++];
    if (c == '(') bars.push_back(false);
    if (c == ')' && !bars.empty()) {
      out += bars.back() ? '|' : ')';
      bars.pop_back();
      continue;
    }
    out += c;
  }
  return WithSigns(out);
}

namespace {

// Draws what the canonical text of an exercise says, with the same brackets.
class ExerciseDrawer {
 public:
  Formula Draw(std::string_view body) {
    const std::size_t clause = body.find("; check ");
    if (clause == std::string_view::npos) {
      Alternatives(body);
      return formula_.Take();
    }
    formula_.Open(Part::kConditions);
    Alternatives(body.substr(0, clause));
    formula_.Open(Part::kCheck);
    Alternatives(body.substr(clause + std::string_view("; check ").size()));
    formula_.Close();
    formula_.Close();
    return formula_.Take();
  }

 private:
  using Part = FormulaNode::Kind;
  using Op = book::Op;

  template <class Each>
  void Joined(const std::vector<std::string>& parts, Part kind, std::string text, const Each& each) {
    if (parts.size() > 1) formula_.Open(kind, std::move(text));
    for (const std::string& part : parts) each(part);
    if (parts.size() > 1) formula_.Close();
  }

  void Alternatives(std::string_view body) {
    Joined(book::SplitAt(body, " or "), Part::kAlternatives, "", [this](const std::string& alternative) {
      const std::vector<std::string> parts = book::SplitAt(alternative, "; ");
      // An expression with values for its letters, or a system.
      const bool values = parts[0].find_first_of("<>=") == std::string::npos;
      Joined(parts, values ? Part::kConditions : Part::kSeries, values ? "" : ";", [this](const std::string& part) {
        Joined(book::SplitAt(part, " and "), Part::kAlternatives, "and", [this](const std::string& line) {
          Joined(book::SplitAt(line, ", "), Part::kSeries, ",", [this](const std::string& item) { Relation(item); });
        });
      });
    });
  }

  void Relation(const std::string& text) {
    std::vector<std::string> sides;
    std::string signs;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const auto* const sign = std::find_if(kRelationSigns.begin(), kRelationSigns.end(), [&](const RelationSign& known) {
        return std::string_view(text).substr(at).starts_with(fmt::format(" {} ", known.plain));
      });
      if (sign == kRelationSigns.end()) continue;
      sides.push_back(text.substr(begin, at - begin));
      signs += sign->code;
      at += sign->plain.size() + 1;
      begin = at + 1;
    }
    sides.push_back(text.substr(begin));
    if (signs == "=") {
      formula_.Open(Part::kEquation);
    } else if (!signs.empty()) {
      formula_.Open(Part::kRelation, signs);
    }
    for (const std::string& side : sides) SideOf(side);
    if (!signs.empty()) formula_.Close();
  }

  void SideOf(const std::string& text) {
    if (text == "no solution" || text == "every number" || text == "not a real number" || text == "true" || text == "false")
      return formula_.Leaf(Part::kWords, text);
    if (text.ends_with('%') && text.find_first_not_of("0123456789.%") == std::string::npos) {
      return formula_.Leaf(Part::kNumber, text);
    }
    // 2 3/8 is a mixed number.
    const std::size_t blank = text.find(' ');
    if (blank != std::string::npos && text.find_first_not_of("-0123456789 /") == std::string::npos &&
        text.rfind(' ') == blank && text.find('/') != std::string::npos) {
      const bool negative = text.starts_with('-');
      if (negative) formula_.Open(Part::kNegation);
      formula_.Open(Part::kMixed);
      formula_.Leaf(Part::kNumber, text.substr(negative ? 1 : 0, blank - (negative ? 1 : 0)));
      Sum(book::ReadTree(text.substr(blank + 1)));
      formula_.Close();
      if (negative) formula_.Close();
      return;
    }
    try {
      Sum(book::ReadTree(text));
    } catch (const book::Refusal&) {
      formula_.Leaf(Part::kText, text);
    }
  }

  void Sum(const book::Ptr& tree) {
    if (!tree->Is(Op::kSum)) return Term(tree);
    formula_.Open(Part::kSum);
    for (const book::Ptr& term : tree->args) Term(term);
    formula_.Close();
  }
  void Term(const book::Ptr& tree) {
    const bool negative = tree->Is(Op::kNegation);
    if (negative) formula_.Open(Part::kNegation);
    const book::Ptr& inside = negative ? tree->args[0] : tree;
    Bracketed(inside, inside->Is(Op::kSum) || inside->Is(Op::kNegation));
    if (negative) formula_.Close();
  }
  void Bracketed(const book::Ptr& tree, bool brackets) {
    if (!brackets) return Plain(tree);
    formula_.Open(Part::kBrackets);
    Sum(tree);
    formula_.Close();
  }
  void Function(Part kind, std::string text, std::initializer_list<book::Ptr> parts) {
    formula_.Open(kind, std::move(text));
    for (const book::Ptr& part : parts) Sum(part);
    formula_.Close();
  }

  void Plain(const book::Ptr& tree) {
    const std::vector<book::Ptr>& args = tree->args;
    switch (tree->op) {
      case Op::kNumber:
        return formula_.Leaf(Part::kNumber, book::TextOf(tree));
      case Op::kLetter:
        return formula_.Leaf(Part::kUnknown, tree->name);
      case Op::kNegation:
      case Op::kSum:
        return Sum(tree);
      case Op::kProduct: {
        std::string signs;
        for (std::size_t i = 1; i < args.size(); ++i) signs += book::NeedSign(args[i - 1], args[i]) ? '*' : ' ';
        formula_.Open(Part::kProduct, signs);
        for (const book::Ptr& factor : args) Bracketed(factor, factor->Is(Op::kSum) || factor->Is(Op::kNegation));
        return formula_.Close();
      }
      case Op::kQuotient:
        return Function(Part::kFraction, "", {args[0], args[1]});
      case Op::kPower: {
        const bool plain = args[0]->Is(Op::kNumber) || args[0]->Is(Op::kLetter) || args[0]->Is(Op::kAbs);
        formula_.Open(Part::kPower);
        Bracketed(args[0], !plain);
        Sum(args[1]);
        return formula_.Close();
      }
      case Op::kRoot:
        return Function(Part::kRoot, book::TextOf(args[1]), {args[0]});
      case Op::kAbs:
        return Function(Part::kAbsolute, "", {args[0]});
      case Op::kLog:
        if (args[1]->Is(Op::kLetter) && args[1]->name == "e") return Function(Part::kLogarithm, "ln", {args[0]});
        if (args[1]->IsNumber(10)) return Function(Part::kLogarithm, "log", {args[0]});
        return Function(Part::kLogarithm, "log", {args[1], args[0]});
    }
  }

  FormulaBuilder formula_;
};

}  // namespace

Formula DrawExercise(std::string_view state) {
  return ExerciseDrawer().Draw(state.substr(std::min(state.find(": ") + 2, state.size())));
}

}  // namespace conpole
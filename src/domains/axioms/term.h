// Terms: what equations, fractions and multiplication share. A term is read once from text into a flat array of nodes in
// pre-order, so that a position in a label ("eval 5, ...") is simply an index, and printed once into canonical text in which
// every node knows its span. Rewriting then works on text alone (see rewrite.h).
//
// A Notation says how the domain writes its numbers and what it allows:
//   using Number                                          a value type with operator==
//   static constexpr std::string_view kOperators          the binary operators
//   static constexpr bool kEquality                       the root is l = r
//   static constexpr bool kVariables                      letters, 2x for number times variable, -x
//   static constexpr bool kFractions                      [N]/[D], and a root operation without parentheses
//   static bool StartsNumber(char)                        whether a number (without its sign) can start so
//   static const char* ReadNumber(const char* at, const char* end, bool negative, Number&, TermError&)
//                                                         past the number, or nullptr and an error
//   static Number Negated(const Number&)
//   static std::size_t MaxBytes(const Number&)            room that WriteOperand and WriteCoefficient need
//   static char* WriteOperand(char*, const Number&)       the number as a term of its own
//   static char* WriteCoefficient(char*, const Number&)   the number in front of a variable (kVariables only)
//
// Reading and printing take linear time and no recursion, so nesting can be as deep as the text is long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conpole/domain.h"
#include "conpole/successors.h"
#include "conpole/text_buffer.h"
#include "util/text.h"

namespace conpole {

enum class NodeKind : std::uint8_t {
  kNumber,     // no children
  kVariable,   // no children; symbol is the letter
  kNegation,   // one child
  kOperation,  // two children; symbol is the operator
  kFraction,   // two children: numerator, denominator
  kRoot,       // two children, printed without parentheses; symbol is the operator or '='
};

// Where and why reading failed.
struct TermError {
  const char* at = nullptr;
  Message message;
};

template <class Notation>
class Term {
 public:
  using Number = typename Notation::Number;
  using Index = std::uint32_t;

  struct Node {
    Number number{};
    Index size = 1;    // nodes in the subterm, this one included
    Index parent = 0;  // 0 for the root
    Index begin = 0;   // span in text()
    Index end = 0;
    Index source = 0;  // where it stood in the text that was read
    NodeKind kind = NodeKind::kNumber;
    char symbol = 0;
  };

  // Reads a term; parentheses may be left out where the usual precedence gives the same term. On failure fills `error`, and the
  // term must not be used.
  bool Read(std::string_view text, Malformed& error);

  Index size() const { return static_cast<Index>(nodes_.size()); }
  const Node& operator[](Index i) const { return nodes_[i]; }
  Index Left(Index i) const { return i + 1; }
  Index Right(Index i) const { return i + 1 + nodes_[i + 1].size; }

  bool IsNumber(Index i) const { return nodes_[i].kind == NodeKind::kNumber; }
  bool IsVariable(Index i) const { return nodes_[i].kind == NodeKind::kVariable; }
  bool IsFraction(Index i) const { return nodes_[i].kind == NodeKind::kFraction; }
  bool IsOperation(Index i) const { return nodes_[i].kind == NodeKind::kOperation; }
  bool IsOperation(Index i, char symbol) const { return IsOperation(i) && nodes_[i].symbol == symbol; }
  // number * variable, printed without a sign between them
  bool IsMonomial(Index i) const {
    if constexpr (!Notation::kVariables) return false;
    return IsOperation(i, '*') && IsNumber(Left(i)) && IsVariable(Right(i));
  }

  // The canonical text of the whole term, in a buffer with slack.
  std::string_view text() const { return text_.view(); }
  // The characters of a subterm where it stands; a coefficient stands without the parentheses it has elsewhere.
  std::string_view Span(Index i) const { return {text_.data() + nodes_[i].begin, nodes_[i].end - nodes_[i].begin}; }

  bool Equal(Index a, Index b) const {
    if (nodes_[a].size != nodes_[b].size) return false;
    if (IsNumber(a) || IsNumber(b)) return IsNumber(a) && IsNumber(b) && nodes_[a].number == nodes_[b].number;
    return Span(a) == Span(b);
  }

  // Replaces the number at a leaf. Requires Print() before the spans or the text are used again.
  void SetNumber(Index i, const Number& number) { nodes_[i].number = number; }
  void Print();

 private:
  // The stack of the operator-precedence reader holds operators and the brackets they stand in.
  enum class Pending : std::uint8_t { kEquality, kSum, kProduct, kNegation, kParenthesis, kNumerator, kDenominator };
  struct PendingItem {
    Pending kind;
    char symbol;
    const char* at;
  };

  static Pending PrecedenceOf(char op) { return op == '*' || op == '/' ? Pending::kProduct : Pending::kSum; }
  static bool IsOperator(char c) {
    for (const char op : Notation::kOperators) {
      if (c == op) return true;
    }
    return Notation::kEquality && c == '=';
  }
  static bool IsBracket(Pending kind) { return kind >= Pending::kParenthesis; }

  bool ReadPostfix(const char* begin, const char* end, TermError& error);
  const char* ReadOperand(const char* at, const char* end, TermError& error, bool& operand_complete);
  const char* ReadCloser(const char* at, const char* end, TermError& error, bool& operand_complete);
  bool PushOperator(char op, const char* at, TermError& error);
  bool FinishPostfix(const char* end, TermError& error);
  bool CheckFractions(TermError& error) const;
  void ReduceAtLeast(Pending precedence);
  void ReduceTop();
  void PushLeaf(NodeKind kind, char symbol, const Number& number, const char* at);
  void PushParent(NodeKind kind, char symbol, int children, const char* at);
  void OrderNodes();
  // -x, but -(2x) and -(-x), which would otherwise read as something else.
  bool NegationNeedsParentheses(Index i) const { return IsMonomial(i + 1) || nodes_[i + 1].kind == NodeKind::kNegation; }
  static char* WriteBetween(char* out, const Node& parent);
  char* WriteAfter(char* out, Index parent) const;

  const char* read_begin_ = nullptr;
  std::vector<PendingItem> pending_;
  std::vector<Node> postfix_;  // here a node's `end` is its index in nodes_
  std::vector<Node> nodes_;
  TextBuffer text_;
};

// Reading: 1. operators and operands into postfix order (ReadPostfix), 2. into pre-order (OrderNodes), 3. canonical text and
// spans (Print).

template <class Notation>
bool Term<Notation>::Read(std::string_view text, Malformed& error) {
  if (std::optional<Malformed> too_long = CheckLength(text)) {
    error = std::move(*too_long);
    return false;
  }
  TermError failure;
  bool good = ReadPostfix(text.data(), text.data() + text.size(), failure);
  if (good) {
    OrderNodes();
    if constexpr (Notation::kFractions) good = CheckFractions(failure);
  }
  if (!good) {
    error = {static_cast<std::size_t>(failure.at - text.data()), std::move(failure.message)};
    return false;
  }
  Print();
  if (text_.size() <= kMaxStateBytes) return true;
  error = {text.size(), "the text is too long when it is written with all parentheses"};
  return false;
}

namespace term_internal {

inline const char* SkipBlanks(const char* at, const char* end) {
  while (at != end && IsBlank(*at)) ++at;
  return at;
}

inline std::string ShownAt(const char* at, const char* end) { return at == end ? "the end" : Quoted(*at); }

inline Message Expected(std::string_view what, const char* at, const char* end) {
  return Message("expected {}, found {}", what, ShownAt(at, end));
}

}  // namespace term_internal

template <class Notation>
bool Term<Notation>::ReadPostfix(const char* begin, const char* end, TermError& error) {
  using term_internal::Expected;
  using term_internal::SkipBlanks;
  read_begin_ = begin;
  pending_.clear();
  postfix_.clear();
  bool operand_complete = false;
  for (const char* at = SkipBlanks(begin, end); at != end; at = SkipBlanks(at, end)) {
    if (!operand_complete) {
      at = ReadOperand(at, end, error, operand_complete);
    } else if (*at == ')' || *at == ']') {
      at = ReadCloser(at, end, error, operand_complete);
    } else if (IsOperator(*at)) {
      if (!PushOperator(*at, at, error)) return false;
      operand_complete = false;
      ++at;
    } else {
      error = {at, Expected("an operator or the end", at, end)};
      return false;
    }
    if (at == nullptr) return false;
  }
  if (!operand_complete) {
    error = {end, "expected a number or a term, found the end"};
    return false;
  }
  return FinishPostfix(end, error);
}

template <class Notation>
const char* Term<Notation>::ReadOperand(const char* at, const char* end, TermError& error, bool& operand_complete) {
  const char* const start = at;
  if (*at == '(') {
    pending_.push_back({Pending::kParenthesis, '(', at});
    return at + 1;
  }
  bool negative = false;
  if (*at == '-') {
    negative = true;
    at = term_internal::SkipBlanks(at + 1, end);
  }
  if (at != end && Notation::StartsNumber(*at)) {
    Number number;
    at = Notation::ReadNumber(at, end, negative, number, error);
    if (at == nullptr) return nullptr;
    PushLeaf(NodeKind::kNumber, 0, number, start);
    if constexpr (Notation::kVariables) {
      if (at != end && IsLetter(*at)) {
        PushLeaf(NodeKind::kVariable, *at, {}, at);
        PushParent(NodeKind::kOperation, '*', 2, start);
        ++at;
      }
    }
    operand_complete = true;
    return at;
  }
  if constexpr (Notation::kVariables) {
    if (negative) {
      pending_.push_back({Pending::kNegation, '-', start});
      return at;
    }
    if (at != end && IsLetter(*at)) {
      PushLeaf(NodeKind::kVariable, *at, {}, at);
      operand_complete = true;
      return at + 1;
    }
  }
  if constexpr (Notation::kFractions) {
    if (!negative && at != end && *at == '[') {
      pending_.push_back({Pending::kNumerator, '[', at});
      return at + 1;
    }
  }
  error = {at, term_internal::Expected("a number or a term", at, end)};
  return nullptr;
}

template <class Notation>
const char* Term<Notation>::ReadCloser(const char* at, const char* end, TermError& error, bool& operand_complete) {
  ReduceAtLeast(Pending::kSum);
  const bool fits =
      !pending_.empty() && IsBracket(pending_.back().kind) && (pending_.back().kind == Pending::kParenthesis) == (*at == ')');
  if (!fits) {
    error = {at, Message("{} closes nothing", Quoted(*at))};
    return nullptr;
  }
  const PendingItem opener = pending_.back();
  pending_.pop_back();
  ++at;
  if (opener.kind == Pending::kNumerator) {
    for (const char wanted : std::string_view("/[")) {
      at = term_internal::SkipBlanks(at, end);
      if (at == end || *at != wanted) {
        error = {at, term_internal::Expected("/[ and the denominator", at, end)};
        return nullptr;
      }
      ++at;
    }
    pending_.push_back({Pending::kDenominator, '[', opener.at});
    operand_complete = false;
  } else if (opener.kind == Pending::kDenominator) {
    PushParent(NodeKind::kFraction, '/', 2, opener.at);
  }
  return at;
}

template <class Notation>
bool Term<Notation>::PushOperator(char op, const char* at, TermError& error) {
  if (op != '=') {
    const Pending precedence = PrecedenceOf(op);
    ReduceAtLeast(precedence);
    pending_.push_back({precedence, op, at});
    return true;
  }
  ReduceAtLeast(Pending::kSum);
  if (!pending_.empty()) {
    const bool second = pending_.back().kind == Pending::kEquality;
    error = {at, second ? "a second '='" : "'=' inside parentheses"};
    return false;
  }
  pending_.push_back({Pending::kEquality, op, at});
  return true;
}

template <class Notation>
bool Term<Notation>::FinishPostfix(const char* end, TermError& error) {
  const bool bare_root = !pending_.empty();
  ReduceAtLeast(Pending::kSum);
  if (!pending_.empty() && IsBracket(pending_.back().kind)) {
    error = {pending_.back().at, Message("{} is never closed", Quoted(pending_.back().symbol))};
    return false;
  }
  if constexpr (Notation::kEquality) {
    if (pending_.empty()) {
      error = {end, "expected '=' and the other side, found the end"};
      return false;
    }
    PushParent(NodeKind::kRoot, '=', 2, pending_.back().at);
    pending_.clear();
  }
  if constexpr (Notation::kFractions) {
    if (bare_root) postfix_.back().kind = NodeKind::kRoot;
  }
  return true;
}

// A fraction stands alone or directly under the root operation.
template <class Notation>
bool Term<Notation>::CheckFractions(TermError& error) const {
  for (Index i = 1; i < size(); ++i) {
    if (IsFraction(i) && nodes_[nodes_[i].parent].kind != NodeKind::kRoot) {
      error = {read_begin_ + nodes_[i].source, "a fraction inside another operation or fraction"};
      return false;
    }
  }
  return true;
}

// Reduces pending operators that bind at least as tightly, so that equal precedence groups to the left.
template <class Notation>
void Term<Notation>::ReduceAtLeast(Pending precedence) {
  while (!pending_.empty() && pending_.back().kind >= precedence && !IsBracket(pending_.back().kind)) ReduceTop();
}

template <class Notation>
void Term<Notation>::ReduceTop() {
  const PendingItem item = pending_.back();
  pending_.pop_back();
  if (item.kind != Pending::kNegation) {
    PushParent(NodeKind::kOperation, item.symbol, 2, item.at);
    return;
  }
  Node& operand = postfix_.back();
  if (operand.kind == NodeKind::kNumber) {
    operand.number = Notation::Negated(operand.number);
  } else {
    PushParent(NodeKind::kNegation, '-', 1, item.at);
  }
}

template <class Notation>
void Term<Notation>::PushLeaf(NodeKind kind, char symbol, const Number& number, const char* at) {
  Node& node = postfix_.emplace_back();
  node.number = number;
  node.source = static_cast<Index>(at - read_begin_);
  node.kind = kind;
  node.symbol = symbol;
}

template <class Notation>
void Term<Notation>::PushParent(NodeKind kind, char symbol, int children, const char* at) {
  Index size = 1 + postfix_.back().size;
  if (children == 2) size += postfix_[postfix_.size() - size].size;
  Node& node = postfix_.emplace_back();
  node.size = size;
  node.source = static_cast<Index>(at - read_begin_);
  node.kind = kind;
  node.symbol = symbol;
}

template <class Notation>
void Term<Notation>::OrderNodes() {
  nodes_.resize(postfix_.size());
  postfix_.back().end = 0;
  postfix_.back().parent = 0;
  // Parents come after their children in postfix order, so going backwards every node already knows its index.
  for (std::size_t at = postfix_.size(); at-- > 0;) {
    const Node& node = postfix_[at];
    const Index index = node.end;
    if (node.size > 1) {
      Node& last = postfix_[at - 1];
      last.end = index + node.size - last.size;
      last.parent = index;
      if (last.size + 1 < node.size) {
        Node& first = postfix_[at - 1 - last.size];
        first.end = index + 1;
        first.parent = index;
      }
    }
    nodes_[index] = node;
  }
}

// Walks the nodes in pre-order; after the last node of a subterm it climbs to the ancestors that end there.
template <class Notation>
void Term<Notation>::Print() {
  std::size_t bound = 8 * nodes_.size();
  for (const Node& node : nodes_) {
    if (node.kind == NodeKind::kNumber) bound += Notation::MaxBytes(node.number);
  }
  text_.Clear();
  char* const base = text_.Reserve(bound);
  char* out = base;
  const auto offset = [&] { return static_cast<Index>(out - base); };
  for (Index i = 0;;) {
    Node& node = nodes_[i];
    node.begin = offset();
    switch (node.kind) {
      case NodeKind::kNumber:
        out = Notation::WriteOperand(out, node.number);
        break;
      case NodeKind::kVariable:
        *out++ = node.symbol;
        break;
      case NodeKind::kNegation:
        *out++ = '-';
        if (NegationNeedsParentheses(i)) *out++ = '(';
        ++i;
        continue;
      case NodeKind::kOperation:
        if constexpr (Notation::kVariables) {
          if (IsMonomial(i)) {
            nodes_[i + 1].begin = offset();
            out = Notation::WriteCoefficient(out, nodes_[i + 1].number);
            nodes_[i + 1].end = nodes_[i + 2].begin = offset();
            *out++ = nodes_[i + 2].symbol;
            nodes_[i + 2].end = offset();
            break;
          }
        }
        *out++ = '(';
        ++i;
        continue;
      case NodeKind::kFraction:
        *out++ = '[';
        ++i;
        continue;
      case NodeKind::kRoot:
        ++i;
        continue;
    }
    node.end = offset();
    while (i != 0) {
      const Index parent = nodes_[i].parent;
      const bool more = i + nodes_[i].size < parent + nodes_[parent].size;
      if (more) {
        i += nodes_[i].size;
        out = WriteBetween(out, nodes_[parent]);
        break;
      }
      out = WriteAfter(out, parent);
      nodes_[parent].end = offset();
      i = parent;
    }
    if (i == 0) break;
  }
  text_.SetEnd(out);
}

template <class Notation>
char* Term<Notation>::WriteBetween(char* out, const Node& parent) {
  if (parent.kind == NodeKind::kFraction) return WriteText(out, "]/[");
  *out++ = ' ';
  *out++ = parent.symbol;
  *out++ = ' ';
  return out;
}

template <class Notation>
char* Term<Notation>::WriteAfter(char* out, Index parent) const {
  switch (nodes_[parent].kind) {
    case NodeKind::kFraction:
      *out++ = ']';
      break;
    case NodeKind::kOperation:
      *out++ = ')';
      break;
    case NodeKind::kNegation:
      if (NegationNeedsParentheses(parent)) *out++ = ')';
      break;
    default:
      break;
  }
  return out;
}

}  // namespace conpole

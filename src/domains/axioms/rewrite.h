// Rewriting on canonical text. A rule describes its result with pieces (Sub, Num, Op, ...) that are expanded at compile time;
// the successor is then the text before the subterm, the pieces, and the text after it. Nothing but text is written, and no
// tree is built for the result. A rewriter belongs to one thread; the term and the buffer that it is given must outlive it.
#pragma once

#include <cstddef>
#include <string_view>

#include "conpole/successors.h"
#include "domains/axioms/term.h"

namespace conpole {

// A subterm of the state.
struct Sub {
  std::uint32_t index;

  template <class T>
  bool IsNumber(const T& term) const {
    return term.IsNumber(index);
  }
  template <class T>
  bool IsVariable(const T& term) const {
    return term.IsVariable(index);
  }
  template <class N>
  char* Write(const Term<N>& term, char* out) const {
    // A coefficient stands in the text without its parentheses, so numbers are written anew.
    if (term.IsNumber(index)) return N::WriteOperand(out, term[index].number);
    const auto& node = term[index];
    return CopyBlocks(out, term.text().data() + node.begin, node.end - node.begin);
  }
  template <class N>
  char* WriteCoefficient(const Term<N>& term, char* out) const {
    return N::WriteCoefficient(out, term[index].number);
  }
};

// A number that is not in the state.
template <class Number>
struct Num {
  Number value;

  template <class T>
  static constexpr bool IsNumber(const T&) {
    return true;
  }
  template <class T>
  static constexpr bool IsVariable(const T&) {
    return false;
  }
  template <class N>
  char* Write(const Term<N>&, char* out) const {
    return N::WriteOperand(out, value);
  }
  template <class N>
  char* WriteCoefficient(const Term<N>&, char* out) const {
    return N::WriteCoefficient(out, value);
  }
};
template <class Number>
Num(Number) -> Num<Number>;

// What pieces with parts have in common: they are neither a number nor a variable.
struct Compound {
  template <class T>
  static constexpr bool IsNumber(const T&) {
    return false;
  }
  template <class T>
  static constexpr bool IsVariable(const T&) {
    return false;
  }
  template <class T>
  static char* WriteCoefficient(const T&, char* out) {
    return out;
  }
};

// left op right, as an operation inside a term or as the root.
template <class Left, class Right>
struct Binary : Compound {
  char symbol;
  bool root;
  Left left;
  Right right;

  template <class N>
  char* Write(const Term<N>& term, char* out) const {
    if constexpr (N::kVariables) {
      if (symbol == '*' && left.IsNumber(term) && right.IsVariable(term)) {
        return right.Write(term, left.WriteCoefficient(term, out));
      }
    }
    if (!root) *out++ = '(';
    out = left.Write(term, out);
    *out++ = ' ';
    *out++ = symbol;
    *out++ = ' ';
    out = right.Write(term, out);
    if (!root) *out++ = ')';
    return out;
  }
};

template <class Left, class Right>
constexpr Binary<Left, Right> Op(char symbol, Left left, Right right) {
  return {{}, symbol, false, left, right};
}
template <class Left, class Right>
constexpr Binary<Left, Right> Root(char symbol, Left left, Right right) {
  return {{}, symbol, true, left, right};
}

// [numerator]/[denominator]
template <class Numerator, class Denominator>
struct Frac : Compound {
  Numerator numerator;
  Denominator denominator;

  Frac(Numerator over, Denominator under) : numerator(over), denominator(under) {}

  template <class N>
  char* Write(const Term<N>& term, char* out) const {
    *out++ = '[';
    out = numerator.Write(term, out);
    out = WriteText(out, "]/[");
    out = denominator.Write(term, out);
    *out++ = ']';
    return out;
  }
};

// Appends the successors of one term to a buffer. A successor that would be longer than kMaxStateBytes is not offered.
template <class Notation>
class Rewriter {
 public:
  using Index = typename Term<Notation>::Index;

  // `extra_bytes` bounds what a result's new numbers can take beyond two copies of the text.
  Rewriter(const Term<Notation>& term, Labels labels, Successors& out, std::size_t extra_bytes)
      : term_(term), labels_(labels), out_(out), bound_(2 * term.text().size() + extra_bytes) {}

  // The term with the subterm at `i` replaced; labelled "NAME i, SUBTERM".
  template <class Piece>
  void Replace(std::string_view name, Index i, const Piece& piece) {
    if (Splice(i, piece) && labels_ == Labels::kOn) {
      Label(name, i, [&](char* out) { return Sub{i}.Write(term_, WriteText(out, ", ")); });
    }
  }

  // The same, labelled "NAME i" and whatever `write_rest` adds to it.
  template <class Piece, class WriteRest>
  void ReplaceLabelled(std::string_view name, Index label_position, Index i, const Piece& piece, const WriteRest& write_rest) {
    if (Splice(i, piece) && labels_ == Labels::kOn) Label(name, label_position, write_rest);
  }

  // The term replaced as a whole; `write_label` writes all of the label.
  template <class Piece, class WriteLabel>
  void ReplaceAll(const Piece& piece, const WriteLabel& write_label) {
    char* const state = out_.BeginState(bound_);
    if (Finish(state, piece.Write(term_, state)) && labels_ == Labels::kOn) out_.EndLabel(write_label(out_.BeginLabel(bound_)));
  }

 private:
  template <class Piece>
  bool Splice(Index i, const Piece& piece) {
    const auto& node = term_[i];
    if constexpr (Notation::kVariables) {
      // A new number before a variable, or a new variable after a number, also changes how their product is written.
      if (i != 0 && term_.IsOperation(node.parent, '*')) {
        const Index parent = node.parent;
        const Sub left{term_.Left(parent)};
        const Sub right{term_.Right(parent)};
        if (i == left.index && piece.IsNumber(term_) && right.IsVariable(term_)) return Write(parent, Op('*', piece, right));
        if (i == right.index && piece.IsVariable(term_) && left.IsNumber(term_)) return Write(parent, Op('*', left, piece));
      }
    }
    return Write(i, piece);
  }

  template <class Piece>
  bool Write(Index i, const Piece& piece) {
    const std::string_view text = term_.text();
    const auto& node = term_[i];
    char* const state = out_.BeginState(bound_);
    char* out = CopyBlocks(state, text.data(), node.begin);
    const bool negated = Notation::kVariables && i != 0 && term_[node.parent].kind == NodeKind::kNegation;
    if (negated) *out++ = '(';
    out = piece.Write(term_, out);
    if (negated) *out++ = ')';
    out = CopyBlocks(out, text.data() + node.end, text.size() - node.end);
    if (negated) out = Rewrite(state, out);
    return Finish(state, out);
  }

  bool Finish(const char* state, char* end) {
    if (static_cast<std::size_t>(end - state) > kMaxStateBytes) return false;
    out_.EndState(end);
    return true;
  }

  // How a negation is written depends on what is negated, and a negated number is a number. These are rare: read the text anew.
  static char* Rewrite(char* state, char* end) {
    Term<Notation> term;
    Malformed error;
    term.Read({state, static_cast<std::size_t>(end - state)}, error);
    return WriteText(state, term.text());
  }

  template <class WriteRest>
  void Label(std::string_view name, Index i, const WriteRest& write_rest) {
    char* out = out_.BeginLabel(bound_ + name.size() + kMaxIntegerBytes);
    out = WriteText(out, name);
    *out++ = ' ';
    out_.EndLabel(write_rest(WriteInteger(out, i)));
  }

  const Term<Notation>& term_;
  Labels labels_;
  Successors& out_;
  std::size_t bound_;
};

}  // namespace conpole

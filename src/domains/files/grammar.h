// Terms of a domain file: its operators, and a state read into a flat array of parts in pre-order together with its one
// canonical text, in which every part knows its span. Patterns of rules are read by the same reader.
//
// A Grammar is immutable once its file is read; any thread may use it. A TermText belongs to one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conpole/successors.h"
#include "conpole/text_buffer.h"
#include "math/rational.h"

namespace conpole::files {

// States with more parts are malformed, and successors with more are not offered: whatever walks through a term may recurse.
inline constexpr std::size_t kMaxParts = 1'000;

enum class Fix : std::uint8_t { kInfix, kPrefix, kPostfix, kFunction, kConstant };
enum class Groups : std::uint8_t { kLeft, kRight, kNeither };

struct Operator {
  std::string symbol;
  Fix fix = Fix::kInfix;
  std::uint8_t arity = 2;
  int level = 0;  // even; the higher, the tighter
  Groups groups = Groups::kNeither;
  bool is_tight = false;      // written without blanks
  bool has_brackets = false;  // of its own, always
  int outermost = -1;         // the operator that it is where the whole state is one without brackets
  // Functions with a notation of their own: what stands before, between and after the arguments.
  std::vector<std::string> literals = {};
  // Elements of lists: each argument is one character, a number counted from the first one.
  std::vector<std::pair<char, char>> fields = {};
  // What is written before, between and after the operands; filled in by the grammar.
  std::vector<std::string> pieces = {};
  std::size_t piece_bytes = 0;

  // The side that an operand is on, for brackets.
  std::size_t SideOf(std::size_t operand) const { return fix == Fix::kPrefix ? 1 : operand; }
};

// How numbers are written: -3 and [2/3]; (-3) and ([-2/3]); -3 alone; 12e3, of any size; ===.
enum class NumberNotation : std::uint8_t { kPlain, kBracketed, kWhole, kDecimal, kStrokes };

// What a word or sign means, as indices of operators; -1 for nothing.
struct SymbolUses {
  int infix = -1;
  int prefix = -1;
  int postfix = -1;
  int function = -1;
  int constant = -1;

  bool any() const { return infix >= 0 || prefix >= 0 || postfix >= 0 || function >= 0 || constant >= 0; }
};

enum class PartKind : std::uint8_t {
  kNumber,
  kLetter,    // id is the character
  kOperator,  // id is the index of the operator; also functions and constants
  kList,      // the root of a list
  // In patterns only:
  kVariable,      // id is the variable
  kComputed,      // id is the expression
  kGap,           // id is the variable of a stretch of a list, or -1 - its number
  kListFunction,  // id is the variable; number is the function
  kReplaced,      // of three: in the first, the third takes the place of the second
};

// What all parts are; a number that is written in another way elsewhere; an operator that may need brackets; one of 2x.
inline constexpr std::uint8_t kAnyPart = 1;
inline constexpr std::uint8_t kRewrittenPart = 2;
inline constexpr std::uint8_t kLoosePart = 4;
inline constexpr std::uint8_t kCoefficientPart = 8;

struct Part {
  Rational number{};
  std::uint32_t size = 1;  // parts below it, itself included
  std::uint32_t parent = 0;
  std::uint32_t begin = 0;  // of its text without brackets around it; of patterns: where it stands in the file
  std::uint32_t end = 0;
  std::int32_t id = 0;  // of decimal numbers the exponent, or -1 if the mantissa is too large for `number`
  PartKind kind = PartKind::kNumber;
  bool is_bracketed = false;         // of patterns: whether its variable stood before
  std::uint8_t oddities = kAnyPart;  // of states: why it may not be copied elsewhere as it stands
};

// How a term is written decides whether it needs brackets inside another.
struct Shape {
  int level = kAtom;
  bool has_sign = false;  // begins with a minus sign
  static constexpr int kAtom = 1 << 20;
};

class Grammar {
 public:
  Grammar();

  // All return why it is not possible, or nothing.
  std::string Add(Operator added);
  std::string AddOutermost(std::string_view symbol);
  std::string AddLetter(char letter);

  // What makes a list of its elements; unused in terms.
  struct ListNotation {
    std::string open;
    std::string separator = " ";
    std::string close;
  };
  ListNotation list;
  bool is_list = false;
  NumberNotation numbers = NumberNotation::kPlain;
  char stroke = 0;       // of kStrokes
  int element = -1;      // what all elements of lists are, if they have fields
  int coefficient = -1;  // the operator that is left out in 2x

  const std::vector<Operator>& operators() const { return operators_; }
  const Operator& op(std::int32_t id) const { return operators_.data()[id]; }
  const SymbolUses* Find(std::string_view symbol) const;
  bool IsLetter(char c) const;
  bool has_letters() const { return has_letters_; }
  // Whether elements of lists have nothing between them, so that each is a letter, a digit or a constant of one character.
  bool has_characters() const { return list.separator.empty(); }
  std::vector<std::string> Words() const;  // for suggestions

  // Functions that a state may have at a place where it has this character.
  const std::vector<std::int32_t>& NotationsAt(char c) const { return notations_[static_cast<unsigned char>(c)]; }

  // The longest known sign at this place, reserved ones included; the length is 0 if there is none. No uses: it is reserved.
  std::pair<std::size_t, const SymbolUses*> SignAt(std::string_view text, std::size_t at) const;

  Shape ShapeOf(PartKind kind, std::int32_t id, const Rational& number) const;
  Shape ShapeOfCoefficient(const Rational& number) const;
  bool NeedsBrackets(const Shape& child, PartKind kind, std::int32_t id, std::int32_t parent, std::size_t side) const;
  // Whether it depends on the operand if it needs brackets below this operator.
  bool MayNeedBrackets(std::int32_t parent) const {
    const Operator& above = op(parent);
    return above.fix != Fix::kFunction && (!above.has_brackets || loosest_level_ < above.level ||
                                           (coefficient >= 0 && op(coefficient).level + 1 < above.level));
  }
  // The same of numbers, letters and operators with brackets of their own.
  bool MayAtomsNeedBrackets(std::int32_t parent) const {
    const Operator& above = op(parent);
    return !above.has_brackets || minus_level_ < above.level || (coefficient >= 0 && op(coefficient).level + 1 < above.level);
  }
  int minus() const { return minus_; }

 private:
  // A sign, and what it means as an index of uses_; -1 if it is reserved.
  struct Sign {
    std::string text;
    int uses;
  };
  void AddSign(const std::string& text, int uses);
  static void FillPieces(Operator& op);

  std::vector<Operator> operators_;
  std::vector<SymbolUses> uses_;
  std::map<std::string, int, std::less<>> symbols_;  // indices of uses_
  std::array<std::int16_t, 256> characters_;         // the same of symbols of one character; -1 if there is none
  std::array<std::vector<Sign>, 256> signs_;         // by their first byte, the longest first
  std::array<std::vector<std::int32_t>, 256> notations_;
  std::array<bool, 128> letters_{};
  bool has_letters_ = false;
  int minus_ = -1;
  int minus_level_ = Shape::kAtom - 2;
  int loosest_level_ = Shape::kAtom;  // of the operators that have no brackets of their own
};

struct TextError {
  std::size_t position = 0;
  Message message;
};

// What a rule may have at an operand's place besides terms.
class PatternScope {
 public:
  virtual ~PatternScope() = default;
  // Reads a variable or a worked-out part that begins here. Returns past it; `at` if there is none; throws FileError.
  virtual std::size_t ReadOperand(std::string_view text, std::size_t at, Part& part) = 0;
  // Whether a statement further down declares a variable of this name, for messages.
  virtual bool IsDeclaredBelow(std::string_view name) const = 0;
};

// Reads terms into postfix order; parts come in pre-order out of Ordered().
class TermReader {
 public:
  TermReader(const Grammar& grammar, std::string_view text, PatternScope* scope)
      : grammar_(grammar), text_(text), scope_(scope) {}

  // Reads one term that begins at `at` and moves `at` past it.
  bool ReadTerm(std::size_t& at);
  // The same of a whole state or side of a rule, which may have an outermost operator.
  bool ReadWhole(std::size_t& at);
  // Puts what was read since there were `first_part` parts below one of this kind.
  void Close(PartKind kind, std::size_t first_part, std::size_t position = 0);
  void PushPart(Part part) { postfix_.push_back(part); }

  std::size_t parts() const { return postfix_.size(); }
  bool LastIs(std::int32_t op) const { return postfix_.back().kind == PartKind::kOperator && postfix_.back().id == op; }
  const TextError& error() const { return error_; }
  bool LastIsZero() const { return postfix_.back().kind == PartKind::kNumber && postfix_.back().number.Is(0); }
  // What was read, in pre-order.
  void Ordered(std::vector<Part>& parts);
  void Clear() { postfix_.clear(); }
  // Exchanges the space that parts are kept in.
  void Use(std::vector<Part>& space) {
    postfix_.swap(space);
    postfix_.clear();
  }
  // What stands at a place, for messages: a character in quotes, or the end.
  std::string Found(std::size_t at) const;

  std::size_t SkipBlanks(std::size_t at) const {
    while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\t')) ++at;
    return at;
  }

 private:
  bool ReadLevel(std::size_t& at, int level);
  bool ReadOperand(std::size_t& at, int level);
  bool ReadWordOperand(std::size_t& at);
  bool ReadArguments(std::size_t& at, std::string_view word, std::size_t count);
  bool ReadNumber(std::size_t& at, bool is_negative);
  bool ReadBracketedNumber(std::size_t& at);
  bool ReadStrokes(std::size_t& at);
  bool ReadNotation(std::size_t& at);
  bool ReadFields(std::size_t& at, std::int32_t id);
  bool ReadPrefix(std::size_t& at, int id, std::size_t begin);
  bool Fail(std::size_t at, Message message);
  void PushOperator(int id, std::size_t first_part, std::size_t position);
  std::string_view WordAt(std::size_t at) const;

  const Grammar& grammar_;
  std::string_view text_;
  PatternScope* scope_;
  std::vector<Part> postfix_;
  TextError error_;
  std::size_t number_end_ = std::string_view::npos;  // where the last bare number ended
  std::size_t depth_ = 0;
  std::size_t bare_operator_ = std::string_view::npos;  // the last one outside all brackets
};

// A number as a coefficient or an exact whole, and as an operand.
void AppendNumber(std::string& out, const Rational& number);
void AppendOperand(std::string& out, const Grammar& grammar, const Rational& number, std::int32_t exponent);
// The same where there is room for it: kNumberBytes, or as many as there are strokes. Return the end.
inline constexpr std::size_t kNumberBytes = 64;
char* WriteNumber(char* out, const Rational& number);
char* WriteOperand(char* out, const Grammar& grammar, const Rational& number, std::int32_t exponent);

// What a part is at its top, from 0 to 63: a number, a letter or an operator; some operators share one.
inline constexpr std::uint8_t kNumberTop = 63;
inline constexpr std::uint8_t kLetterTop = 62;
inline constexpr std::uint8_t kNoTop = 64;
inline std::uint8_t TopOf(PartKind kind, std::int32_t id) {
  return kind == PartKind::kNumber ? kNumberTop : kind == PartKind::kLetter ? kLetterTop : static_cast<std::uint8_t>(id % 62);
}

// A state.
class TermText {
 public:
  // Reads a state in any notation that the grammar allows. On failure fills `error`.
  bool Read(const Grammar& grammar, std::string_view text, Malformed& error);
  // Writes a state that was put together of parts, of which only kinds, ids, numbers and sizes count; no decimal numbers. False
  // if it is too large.
  bool Assemble(const Grammar& grammar, const std::vector<Part>& parts);

  const std::vector<Part>& parts() const { return parts_; }
  const Part& operator[](std::size_t i) const { return parts_[i]; }
  std::size_t size() const { return parts_.size(); }
  std::string_view text() const { return text_.view(); }
  std::string_view Span(std::size_t i) const {
    const Part& part = parts_.data()[i];
    return {text_.data() + part.begin, part.end - part.begin};
  }
  bool Equal(std::size_t a, std::size_t b) const {
    const Part& first = parts_.data()[a];
    const Part& second = parts_.data()[b];
    if (first.size != second.size || first.kind != second.kind || first.id != second.id) return false;
    if (first.size > 1 || (first.kind == PartKind::kNumber && first.id < 0)) return Span(a) == Span(b);
    return first.number == second.number;
  }
  // A part as it is written elsewhere: a coefficient stands in the text without the brackets that it has as an operand.
  void AppendPart(std::string& out, std::size_t i) const;
  // The same into a TextBuffer, which has room for it.
  char* WritePart(char* out, std::size_t i) const {
    const Part& part = parts_.data()[i];
    if (part.kind == PartKind::kNumber && grammar_->numbers == NumberNotation::kBracketed) {
      return WriteOperand(out, *grammar_, part.number, 0);
    }
    return CopyBlocks(out, text_.data() + part.begin, part.end - part.begin);
  }
  bool IsCoefficient(std::size_t i) const {  // 2x
    if (grammar_->coefficient < 0) return false;
    const Part* const part = parts_.data() + i;
    return part->kind == PartKind::kOperator && part->id == grammar_->coefficient && part[1].kind == PartKind::kNumber &&
           part[2].kind == PartKind::kLetter;
  }
  const Grammar& grammar() const { return *grammar_; }
  // Where the elements of a list are; one more than there are, the last is the end.
  const std::vector<std::uint32_t>& elements() const { return elements_; }

 private:
  bool Write();  // the text of the parts; false if it is too long
  char* Print(char* out, std::size_t i);
  char* PrintChild(char* out, std::size_t i, std::int32_t parent, std::size_t side);

  const Grammar* grammar_ = nullptr;
  std::string_view read_;  // while it is read
  std::vector<Part> parts_;
  std::vector<Part> ordered_;  // the space of the last but one
  TextBuffer text_;
  std::vector<std::uint32_t> elements_;
};

}  // namespace conpole::files

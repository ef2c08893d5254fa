// Rules of a domain file, prepared for the engine: left sides as short lists of what is wanted, conditions with their signs
// decoded, and right sides as steps that write text. What can be known of a result before a state is seen (signs, blanks,
// brackets) is text of the steps.
//
// Immutable once made; any thread may use it. The definition and the rules outlive it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/text_buffer.h"
#include "domains/files/definition.h"

namespace conpole::files {

// As CopyBlocks, where most texts are short; both sides must lie in buffers that have memory.
inline char* CopyShort(char* to, const char* from, std::size_t count) {
  std::memcpy(to, from, TextBuffer::kSlack);
  if (count > TextBuffer::kSlack) CopyBlocks(to + TextBuffer::kSlack, from + TextBuffer::kSlack, count - TextBuffer::kSlack);
  return to + count;
}

// One part of a left side.
struct Wanted {
  enum class Kind : std::uint8_t { kPart, kNumber, kVariable, kKnown, kGap, kKnownGap, kNever };
  Kind kind = Kind::kNever;
  PartKind part = PartKind::kOperator;  // kPart: with this id
  Type type = Type::kTerm;              // of a variable
  std::uint16_t size = 1;               // wanted parts below it, itself included
  std::int32_t id = 0;
  Rational number{};
};

enum class Sign : std::uint8_t { kEqual, kUnequal, kLess, kLessOrEqual, kGreater, kGreaterOrEqual, kNone };

struct Test {
  const Condition* condition = nullptr;
  Sign sign = Sign::kNone;
  bool compares_variables = false;  // for being the same
  std::vector<Wanted> like = {};    // of kLike
  std::vector<Test> any = {};       // of kAnyOf
};

// One piece of a result, and the text before it.
struct Step {
  enum class Kind : std::uint8_t {
    kText,       // nothing more
    kVariable,   // id
    kComputed,   // id: the place in `computed` of the form
    kField,      // id: the part of the right side; begin and length are the first and last character
    kFold,       // id: the part, which may be written as a number or as 2x; then the next `length` steps are left out
    kSeparator,  // unless it is the first element
    kStretch,    // id as in kGap; side 1: an element stands before
    kReversed,   // id
    kSorted,
  };
  Kind kind = Kind::kText;
  std::uint8_t side = 0;
  std::uint8_t oddities = 0;  // kVariable: parts with one of these are not simply copied here
  std::int32_t parent = -1;   // the operator above that decides on brackets; -1 if there are none
  std::int32_t id = 0;
  std::uint32_t begin = 0;
  std::uint32_t length = 0;
  std::array<char, 16> text = {};  // longer ones take several steps
  std::size_t text_length = 0;
};

struct FormProgram {
  const Form* form = nullptr;
  std::int32_t head = -1;
  // The tops that the operands of the head may have, a bit each.
  std::uint64_t first_operand = ~std::uint64_t{0};
  std::uint64_t second_operand = ~std::uint64_t{0};
  std::vector<Wanted> left = {};  // of lists without the root
  std::vector<Test> where = {};
  // Of lists: elements side by side with at most a gap before and after them, which all places are tried for one by one.
  bool is_window = false;
  std::uint32_t window = 0;        // elements
  const Wanted* before = nullptr;  // the gaps, in `left`
  const Wanted* after = nullptr;
  // The first and past the last wanted part of the elements; of terms without the head, which the index has looked at.
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  // A window whose gaps stay where they are: the steps write only what takes the place of its elements.
  bool is_splice = false;
  std::uint32_t written = 0;  // elements

  std::vector<Step> steps = {};
  std::vector<std::int32_t> variables = {};  // that are written, each as often as it is
  std::vector<std::int32_t> stretches = {};  // ids as in kGap
  struct Computed {
    std::uint32_t part = 0;
    const Expression* expression = nullptr;
  };
  std::vector<Computed> computed = {};
  std::size_t bytes = 0;  // of a result at most, besides variables, stretches and computed numbers
  std::size_t parts = 0;  // besides the same
  bool is_atom = false;   // whether the result never has brackets around it, and becomes one with nothing
  bool is_free = false;   // whether there is neither a condition nor a choice
  bool is_rebuilt =
      false;              // whether something is replaced on the right: the whole state is written anew, and there are no steps
  bool is_sized = false;  // whether no number but computed ones may be longer than kNumberBytes
  bool is_modest = false;  // whether it is within the bounds below
};

// What a form may write at most, so that it needs not be measured in small states: besides computed numbers so many copies of
// what is there, and so many bytes and parts that are new.
inline constexpr std::size_t kModestCopies = 8;
inline constexpr std::size_t kModestBytes = 2'048;
inline constexpr std::size_t kModestParts = 64;

struct RuleProgram {
  // Of variables that others have chosen, `chosen` is the one whose conditions are known to hold.
  RuleProgram(const Definition& file, const Rule& rule, std::int32_t chosen = -1);

  const Rule* rule;
  std::vector<FormProgram> forms;
  std::vector<Test> assumptions;
  // For each choice the numbers, if they are the same for all states.
  std::vector<std::vector<Rational>> fixed_choices = {};
};

struct FamilyProgram {
  FamilyProgram(const Definition& file, const Family& family);

  Family::Mode mode;
  std::vector<RuleProgram> rules;
  // Of kEach: what the variable that is chosen must be, which the rules need not test again.
  std::vector<Condition> common_conditions;
  std::vector<Test> common;
  // Its groups in the FormIndex.
  std::uint32_t first_group = 0;
  std::uint32_t last_group = 0;
};

// All forms of a file, in the order of the file, and which of them may apply to a part of a term: sets with a bit for each
// form. Forms that are tried at one place before the next one are a group.
struct FormIndex {
  FormIndex() = default;
  // Tells the families where their groups are.
  FormIndex(const Definition& file, std::vector<FamilyProgram>& families);

  struct Entry {
    const RuleProgram* rule;
    const FormProgram* form;
    std::uint32_t group;
  };
  std::vector<Entry> forms = {};
  std::vector<std::uint32_t> groups = {};    // the first form of each, and one more
  std::size_t words = 0;                     // of a set
  std::vector<std::uint64_t> by_head = {};   // a set for no operator, and for each operator
  std::vector<std::uint64_t> by_first = {};  // a set for each top of the first operand, and for none
  std::vector<std::uint64_t> by_second = {};
};

struct GoalProgram {
  GoalProgram(const Definition& file, const Goal& goal);

  const Goal* goal;
  FormProgram form;  // without a right side
};

}  // namespace conpole::files

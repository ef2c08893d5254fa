// A learner's next line, judged against the line before it: is it readable, is it true, does it follow side by side, does it
// help? The line may be in free notation and several axioms further on, so equivalence is decided by what the lines mean: equal
// solutions, equal value, the same bars, a cube that turns can reach. In a domain without a subject, only a line that is one
// step away can be told to be right. What is said about a wrong line never gives the answer away. Any thread may call this.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "notation/notation.h"
#include "subjects/subject.h"

namespace conpole {

// How far a line is from solved, in steps or in any other unit: only comparisons count. Nothing if that is not known. A search
// with a budget from each of the two lines is one; minus the value that a policy's network gives a state is another.
using Distance = std::function<std::optional<double>(const Problem& line)>;

struct StepCheck {
  enum class Kind : std::uint8_t {
    kSolved,         // correct, and the answer
    kProgress,       // correct, and closer to it
    kNotCloser,      // correct, and not closer: it repeats the line before, or as many lines are to go, or more
    kCorrect,        // correct; it is another way to write the line before, or whether it is closer is not known
    kNotEquivalent,  // it means something else, or the same by chance
    kUnreadable,
    kCannotTell,  // too large to compare, or nothing is known of what lines mean
  };
  using Side = Comparison::Side;
  enum class Help : std::uint8_t { kNotKnown, kCloser, kNoNearer, kAway };

  Kind kind = Kind::kCannotTell;
  std::string state;    // the line as canonical text; empty if it is unreadable
  std::string reading;  // the line as it was understood
  std::string message;  // a sentence for the learner
  // The step is allowed, but it changes the solutions: multiplying by the unknown can, and so does leaving out that a
  // denominator must not be zero. The message says so. `state` then has the condition, where one is all that is missing.
  bool changes_solutions = false;
  // Of an equation that is not equivalent: the side that alone is another function than before.
  Side side = Side::kNone;
  std::optional<NotationError> error;  // of kUnreadable
  std::string mistake;                 // of kNotEquivalent: the typical error that makes this line; empty if none is known
  std::string also;                    // a second one in the same line; empty if none is known
  std::string reminder;                // what to keep in mind after the mistake, in a sentence; empty if there is none
  // Three questions apart: whether the line has the same solutions or value, whether it follows from the line before, side by
  // side, and whether fewer lines are to go. Nothing if that is not known.
  std::optional<bool> is_true;
  std::optional<bool> is_step;
  Help help = Help::kNotKnown;
  // What was done to both sides, where that is known: added, subtracted, multiplied, divided or rewritten, and by what.
  std::string operation;
  std::string operand;
  std::string detour;          // of kNotCloser: why it does not help; empty if that is not known
  std::string step;            // the step as Subject::NameStep has it; empty where there is none
  bool after_mistake = false;  // it follows from the line before, which is wrong itself

  bool correct() const { return kind <= Kind::kCorrect; }
};

// Requires that `current` is canonical text. For the cube, `line` may also be turns from there. Throws Error if the language is
// not known.
StepCheck CheckStep(const Domain& domain, std::string_view current, std::string_view line, const Distance& distance = {},
                    std::string_view language = "en");

// A whole solution: every line is judged against the one before it, and an answer also against the problem. A line after a
// wrong one is right if it follows from that one, with `after_mistake`, or if it is right again. After a line that cannot be
// read, the last one before it counts. Where one of the texts holds several lines, there is a check for each of them. Requires
// that `problem` is canonical text.
std::vector<StepCheck> CheckLines(const Domain& domain, std::string_view problem, std::span<const std::string> lines,
                                  const Distance& distance = {}, std::string_view language = "en");

// Whether a text has one of the answers in it, or a number of one, that stands in neither of two lines.
bool GivesAway(std::string_view text, const std::string& answer, std::string_view current, std::string_view next);

// solved, progress, not_closer, correct, not_equivalent, unreadable or cannot_tell.
std::string_view NameOf(StepCheck::Kind kind);
// closer, no_nearer or away; empty if it is not known.
std::string_view NameOf(StepCheck::Help help);

}  // namespace conpole

// What comparing two lines gives. Plain data; any thread may use it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "language/catalogue.h"

namespace conpole {

// Whether two lines mean the same and, if that is not known to be so, the catalogue's sentence that says why.
struct Comparison {
  enum class Outcome : std::uint8_t { kSame, kDifferent, kCannotTell };
  enum class Side : std::uint8_t { kNone, kLeft, kRight };

  Outcome outcome = Outcome::kCannotTell;
  std::string sentence = "check.cannot_tell";
  Catalogue::Slots slots = {};
  // What to say instead where an axiom allows the step although it changes the meaning.
  std::string caution = "check.changes_solutions";
  // The sentence to say if the first one would give the answer away; empty if there is none.
  std::string instead = {};
  Side side = Side::kNone;  // of an equation: the side that alone is another function than before
  // The typical error that makes this line from the one before; empty if none does.
  std::string mistake = {};
  std::string also = {};             // a second one in the same line, on the other side; empty if there is none
  Catalogue::Slots also_slots = {};  // and what is said of it, by language
  Catalogue::Slots also_patterns = {};
  Catalogue::Slots reminders = {};  // by language: what to keep in mind after the mistake
  // What to say by language instead of the sentence, where the subject has words of its own.
  Catalogue::Slots own_sentences = {};
  // The same with slots that are still to be filled.
  Catalogue::Slots patterns = {};
  bool same_solutions = false;  // of a different line that has them by chance: it does not follow side by side
  bool adds_roots = false;      // whether one of the roots of this line does not solve the one before
  // The line with a condition that it needs to mean the same as the line before, canonical; empty if that is not all it lacks.
  std::string with_condition = {};

  static Comparison Same() { return {Outcome::kSame}; }
  static Comparison Different(std::string sentence, Catalogue::Slots slots = {}) {
    return {Outcome::kDifferent, std::move(sentence), std::move(slots)};
  }
};

}  // namespace conpole

// Problems as people write them, and states as people read them.
//
// Reading turns free notation (plain text, Unicode signs, LaTeX) into the canonical state of a domain without solving anything
// on the way: 2x+3 stays 2x + 3. Canonical text is always read as itself. What people write is ambiguous in three places:
//   - A product without a sign binds tighter than a division, 3/9x is 3/(9x), and a blank loosens it, 2/3 x is (2/3)x.
//   - In equations 2/3, written without blanks and in lowest terms, is the number two thirds; 2 / 3 and 6/3 are divisions.
//   - In fractions 2 1/4 is a mixed number; in equations it is refused, because it might be meant as a product.
// In algebra all of these are read as schools do: 2/3x is two thirds of x, 1/2(x + 4) half the bracket, 1 1/2 a mixed number.
// Words around a problem ("Solve for x: ...", notation/prose.h) are left out. The result shows how the text was read. No text
// takes long or nests too deeply. Any thread may call any of this.
#pragma once

#include <string>
#include <string_view>

#include "conpole/domain.h"
#include "notation/notation.h"

namespace conpole {

// The language is that of the message of an error, and decides what a comma between digits means. One that there is not is
// taken for English.
NotationResult ReadNotation(const Domain& domain, std::string_view text, std::string_view language = "en");

// ReadNotation, but also of what lines can be checked against although nobody said what is asked for: zg - 7f = nj.
NotationResult ReadToCheck(const Domain& domain, std::string_view text, std::string_view language = "en");

// ReadNotation, but for the cube a sequence of turns goes on from the state `current`, which must be canonical text, instead of
// starting from the solved cube.
NotationResult ReadNextLine(const Domain& domain, std::string_view current, std::string_view text,
                            std::string_view language = "en");

// Both require canonical text. What they write, ReadNotation reads as the same state (unless it has more than one unknown, or
// it is LaTeX of a domain without a subject).
std::string WriteNotation(const Domain& domain, std::string_view state);
std::string WriteLatex(const Domain& domain, std::string_view state);
// The name of the domain that a text seems to be a problem of. There is always a guess; reading tells whether it holds.
std::string_view GuessDomain(std::string_view text, std::string_view language = "en");

}  // namespace conpole

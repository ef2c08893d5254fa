// What is said of a step of school algebra. In its sentence beyond the operand of the step: what each of several places
// becomes, by what is multiplied instead of divided, which root and which formula. In a hint, what the step is for. And why it
// is allowed. For the subject of algebra (subjects/algebra.cc). Pure functions: any thread may call any of this.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explain/action.h"
#include "language/catalogue.h"

namespace conpole {

// Writes canonical text of a state or of a part of one for the reader.
using ShowAlgebra = std::function<std::string(const std::string&)>;

// What a step on numbers makes of its operand: 54/10 of converting 5 4/10. Nothing if the operand by itself has no such step.
std::optional<std::string> ResultOfNumberStep(std::string_view axiom, const std::string& operand);

// {all}: what a step on numbers that is done in all places makes of each, "2 * 3 = 6, 4 * 5 = 20". Nothing for other steps.
void DescribeAllPlaces(std::string_view axiom, const std::string& before, const ShowAlgebra& show, Catalogue::Slots& slots);

// {divisor} and {reciprocal} of a division by a number.
void DescribeReciprocal(const std::string& division, const ShowAlgebra& show, Catalogue::Slots& slots);

// {minus}: brackets with nothing but a minus sign before them.
void DescribeBrackets(const std::string& term, const ShowAlgebra& show, Catalogue::Slots& slots);

// Of a root that is taken of an equation: {negative} or {zero}, the right side, if its degree is even; {cube}, the equation;
// {even} or {degree} if it is neither a square nor a cube root; {root}, how a square root is simplified.
void DescribeRoot(std::string_view degree, const std::string& equation, const ShowAlgebra& show, Catalogue::Slots& slots);

// {a}, {b}, {c} and {value} of the discriminant of a x^2 + b x + c, or {discriminant} if it is negative.
void DescribeFormula(const std::string& quadratic, const ShowAlgebra& show, Catalogue::Slots& slots);

// What a hint at a step is about: the end of an id in the catalogue, "subtract.unknown" of hint.algebra.subtract.unknown. It
// depends on more than the kind of step: subtracting a term with the unknown brings its terms together, subtracting a number
// leaves them alone. Requires that the action leads from the one state to the other.
std::string AlgebraHint(const Action& action, std::string_view before, std::string_view after);

// Why a step is allowed, at a pupil's level: what is done to both sides, and what becomes of each, in at most three lines; the
// axioms are for those who ask further (derivation.h). Throws Error if the language is not known.
std::vector<std::string> AlgebraReasons(const Action& action, std::string_view before, std::string_view after,
                                        const ShowAlgebra& show, std::string_view language);

}  // namespace conpole

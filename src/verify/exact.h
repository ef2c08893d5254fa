// What terms and equations mean, exactly: their values, and the real numbers that solve them. Equations are analysed as
// rational functions of their unknown. The amount of work is bounded: what would take too long is answered with "cannot tell",
// never with a guess. Any thread may call any of this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "math/expression.h"
#include "math/polynomial.h"

namespace conpole {

// The real numbers that solve an equation in one unknown. A number for which a side divides by zero is no solution.
struct SolutionSet {
  enum class Kind : std::uint8_t {
    kNone,
    kRoots,        // at least one, and finitely many
    kEvery,        // every number but the exceptions
    kCannotTell,   // too large to analyse
    kNotAnalysed,  // not an equation, or one with more than one unknown
  };
  Kind kind = Kind::kCannotTell;
  char unknown = 0;      // its letter; 0 if there is none
  RealRoots roots;       // of kRoots
  RealRoots exceptions;  // of kEvery: where a side is not defined

  std::size_t count() const { return roots.rational.size() + roots.irrational; }
};

SolutionSet SolveExactly(const Expression& equation);
// The same for canonical text.
SolutionSet SolveExactly(std::string_view equation);
// Whether two analysed equations have the same solutions, whatever letters they use. Nothing if one of them could not be
// analysed, or if the comparison takes too long.
std::optional<bool> SameSolutions(const SolutionSet& a, const SolutionSet& b);

// The value of a term, as it stands on one side of an equation, for a value of its unknown. Nothing if it divides by zero there
// or takes too long.
std::optional<Exact> EvaluateTerm(const Expression& term, const Exact& unknown);
std::optional<Exact> EvaluateTerm(std::string_view term, const Exact& unknown);
// Whether two terms are equal wherever both are defined. Nothing if that cannot be told.
std::optional<bool> SameFunction(const Expression& a, const Expression& b);
std::optional<bool> SameFunction(std::string_view a, std::string_view b);

}  // namespace conpole

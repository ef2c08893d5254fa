// Whether an answer is right, by other means than the axioms that produced it: equations are analysed as rational functions,
// fractions, products and ternary sums by their exact value, lists by their bars, the cube by turning a body in space. The text
// is read without the domains' code. All arithmetic is exact and its amount is bounded: what would take too long is answered
// with "cannot tell", never with a guess. Any thread may call any of this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "conpole/verdict.h"
#include "tutor/polynomial.h"

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

// Requires canonical text of an equation.
SolutionSet SolveExactly(std::string_view equation);
// Whether two analysed equations have the same solutions, whatever letters they use. Nothing if one of them could not be
// analysed, or if the comparison takes too long.
std::optional<bool> SameSolutions(const SolutionSet& a, const SolutionSet& b);

// The value of a term, as it stands on one side of an equation, for a value of its unknown. Nothing if it divides by zero there
// or takes too long.
std::optional<Exact> EvaluateTerm(std::string_view term, const Exact& unknown);
// Whether two terms are equal wherever both are defined. Nothing if that cannot be told.
std::optional<bool> SameFunction(const Expression& a, const Expression& b);
std::optional<bool> SameFunction(std::string_view a, std::string_view b);

// The value of a canonical state of ternary-addition, and the lengths of the bars of one of sorting, ascending.
Integer TernaryValue(std::string_view state);
std::vector<std::size_t> SortedBars(std::string_view state);

// Whether `answer` is a solved state and the whole answer to `problem`: for an equation, its only solution. What is no solved
// state is wrong; of a problem that is no canonical text nothing can be told.
Verdict VerifyAnswer(const Domain& domain, std::string_view problem, std::string_view answer);

// The same for a solution: the states from the problem to the answer. Of the cube, every turn is made again.
Verdict VerifyPath(const Domain& domain, std::span<const std::string> path);

}  // namespace conpole

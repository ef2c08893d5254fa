// What a line of school algebra means: the value of a number expression, or the numbers that solve equations and meet their
// conditions. The canonical text is read here without the domain's code, and what it means is worked out with verify/exact.h,
// so that the two can disagree. The work is bounded as it is there. Any thread may call any of this.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "math/expression.h"
#include "verify/exact.h"

namespace conpole {

struct AlgebraMeaning {
  enum class Kind : std::uint8_t {
    kValue,      // of a number expression
    kSolutions,  // of equations of which one holds, of "no solution" and of "every number"
    kNotKnown,   // no such text, or too large
  };
  Kind kind = Kind::kNotKnown;
  Exact value;            // of kValue
  SolutionSet solutions;  // of kSolutions, without what the conditions exclude
  // An irrational number is written without its conjugate, x = sqrt(2), so that the solutions are none of a rational equation.
  // Then `solutions` has the conjugates too, and `unpaired` says which they are: the polynomial whose roots the two are, and
  // whether the greater one is written.
  bool half = false;
  std::vector<std::pair<Polynomial, bool>> unpaired;
  // Of one equation: its sides. A root in it stands as an unknown.
  std::optional<Expression> left;
  std::optional<Expression> right;
};

// A thread keeps what it read lately.
AlgebraMeaning ReadAlgebra(std::string_view state);
AlgebraMeaning ReadAlgebraAnew(std::string_view state);

// A term of algebra, as it stands in a label. Nothing if it is no such text or too large.
std::optional<Expression> ReadAlgebraTerm(std::string_view text);

// Whether every number of `part` is in `set`. Nothing if that is not known.
std::optional<bool> Includes(const SolutionSet& set, const SolutionSet& part);

// Whether two lines mean the same. Nothing if that is not known.
std::optional<bool> SameMeaning(const AlgebraMeaning& a, const AlgebraMeaning& b);

}  // namespace conpole

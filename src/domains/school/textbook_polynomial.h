// Polynomials in several variables with exact rational coefficients: division, greatest common divisors, and factors over the
// rationals. Variables are numbered; a monomial is the vector of their exponents. The work is bounded: what would take too long
// throws Refusal, and Factors may leave a large factor whole. Pure functions over values: any thread may call any of this.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "domains/school/textbook_tree.h"

namespace conpole::textbook {

using Exponents = std::vector<unsigned>;
// No coefficient is 0. All exponents have the same length, the number of variables.
using MultiPoly = std::map<Exponents, Exact>;

MultiPoly Plus(const MultiPoly& a, const MultiPoly& b, const Exact& factor = 1);
MultiPoly Times(const MultiPoly& a, const MultiPoly& b);
// The quotient if the division leaves nothing. Requires b != 0.
std::optional<MultiPoly> DivideExactly(MultiPoly a, const MultiPoly& b);
// Primitive, with a positive leading coefficient; 0 only if both are.
MultiPoly CommonDivisorOf(const MultiPoly& a, const MultiPoly& b);
// The number by which p is divided to get whole coefficients without a common factor and a positive leading one.
Exact ContentOf(const MultiPoly& p);
MultiPoly PrimitiveOf(const MultiPoly& p);

struct Factorization {
  Exact content = 1;
  std::vector<std::pair<MultiPoly, unsigned>> factors;  // primitive, of degree 1 or more, with their powers
};
// Requires p != 0.
Factorization Factors(const MultiPoly& p);

}  // namespace conpole::textbook

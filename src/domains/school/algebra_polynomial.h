// Polynomials in one unknown with exact rational coefficients, for the domain of school algebra: what an expression is worth,
// whichever way it is written. Arithmetic never overflows; Small says whether a result is still of a size that the domain works
// with. Pure functions over values: any thread may call any of this.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

namespace conpole::algebra {

using Integer = boost::multiprecision::cpp_int;
using Exact = boost::multiprecision::cpp_rational;

// Larger numbers and powers are refused, and what would lead to them is not offered.
inline constexpr std::size_t kMaxDigits = 1'000;
// Of the largest number with kMaxDigits digits. The smallest one with a digit more has as many.
inline constexpr std::size_t kMaxBits = 3'322;
inline constexpr std::size_t kMaxDegree = 12;

// Zero for 0.
std::size_t BitsOf(const Integer& number);
bool Small(const Exact& number);

// Coefficients from the constant one up. The last one is not 0; the polynomial 0 has none.
using Polynomial = std::vector<Exact>;

inline std::size_t Degree(const Polynomial& p) { return p.empty() ? 0 : p.size() - 1; }
inline bool IsConstant(const Polynomial& p) { return p.size() <= 1; }
bool Small(const Polynomial& p);

Polynomial Constant(const Exact& value);
Polynomial Add(const Polynomial& a, const Polynomial& b);
Polynomial Multiply(const Polynomial& a, const Polynomial& b);
Polynomial Scale(const Polynomial& a, const Exact& factor);
struct Division {
  Polynomial quotient;
  Polynomial remainder;
};
// Requires b != 0.
Division Divide(const Polynomial& a, const Polynomial& b);
// With leading coefficient 1; 0 only if both are 0.
Polynomial CommonDivisor(Polynomial a, Polynomial b);
Exact ValueAt(const Polynomial& p, const Exact& point);

// The rational number by which a polynomial must be divided to get whole coefficients without a common factor and a positive
// leading one. Requires p != 0.
Exact Content(const Polynomial& p);
Polynomial Primitive(const Polynomial& p);

// The distinct rational roots, ascending. Of a polynomial of degree 3 or more, roots may be missing if its first or last whole
// coefficient is so large that its divisors cannot be listed quickly. Requires p != 0.
std::vector<Exact> RationalRoots(const Polynomial& p);

// Primitive polynomials that are different, of degree 1 or more, and together have exactly the real roots of p: a linear one
// for each rational root that RationalRoots finds, ascending, and one for what is left, unless that is known to have no real
// root. Requires p != 0.
std::vector<Polynomial> RootFactors(const Polynomial& p);

// A real number a + b * c^(1/n) with a whole c >= 0.
struct Surd {
  Exact rational;
  Exact factor;
  Integer radicand;
  unsigned degree = 2;  // n

  friend bool operator==(const Surd&, const Surd&) = default;
};
// Takes powers out of the root and makes its degree as small as it can be; a rational number has factor 0 and radicand 0.
Surd Simplified(Surd surd);
// The root of this degree of a rational number; nothing if it is too large. Requires number >= 0 and degree >= 2.
std::optional<Surd> RootOf(const Exact& number, unsigned degree);
// The roots of a x^2 + b x + c, the greater first if a > 0. Nothing if there are none. Requires degree 2.
std::optional<std::vector<Surd>> QuadraticRoots(const Polynomial& p);
// The primitive polynomial of least degree that has this root. Requires a simplified surd.
Polynomial MinimalPolynomial(const Surd& surd);

// The root of this degree of a rational number, if it is rational. Requires number >= 0 and degree >= 1.
std::optional<Exact> ExactRoot(const Exact& number, unsigned degree);

}  // namespace conpole::algebra

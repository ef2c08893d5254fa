// Polynomials with integer coefficients of any size, and their real roots, exactly. Every function takes the budget of work
// that it may spend, so that no input takes long: when it is spent, OutOfWork is thrown, for the caller to turn into "cannot
// tell". Any thread may call any of this, with a budget of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "math/expression.h"

namespace conpole {

struct OutOfWork {};

// Counts products of machine words.
class Work {
 public:
  explicit Work(std::uint64_t limit) : left_(limit) {}
  // Throws OutOfWork if there is less left.
  void Spend(std::uint64_t units) {
    if (units > left_) throw OutOfWork();
    left_ -= units;
  }
  // For one operation on numbers of these sizes.
  void SpendOn(const Integer& a, const Integer& b);

 private:
  std::uint64_t left_;
};

// Coefficients from the constant one up. The last one is not 0; the polynomial 0 has none.
using Polynomial = std::vector<Integer>;

inline std::size_t Degree(const Polynomial& p) { return p.empty() ? 0 : p.size() - 1; }

Polynomial Multiply(const Polynomial& a, const Polynomial& b, Work& work);
Polynomial Add(const Polynomial& a, const Polynomial& b, Work& work);
Polynomial Subtract(const Polynomial& a, const Polynomial& b, Work& work);
// Without the common factor of its coefficients, and with a positive leading coefficient.
Polynomial Primitive(Polynomial p, Work& work);
// The greatest common divisor, primitive.
Polynomial CommonDivisor(Polynomial a, Polynomial b, Work& work);
// Requires that b is primitive and divides a.
Polynomial Divide(Polynomial a, const Polynomial& b, Work& work);
// p without its roots that are also roots of `other`. Requires p != 0 and other != 0.
Polynomial WithoutRootsOf(Polynomial p, const Polynomial& other, Work& work);

// The distinct real roots of a polynomial.
struct RealRoots {
  std::vector<Exact> rational;  // ascending
  std::size_t irrational = 0;
  Polynomial rest;  // has the irrational roots and no rational one; may have roots that are not real
};

// Requires p != 0.
RealRoots FindRealRoots(const Polynomial& p, Work& work);
// The irrational roots as multiples of a unit 1/n, rounded to the nearest one, ascending. Around each of them, half a unit to
// both sides, the polynomial changes its sign. Nothing if two roots lie in half a unit.
std::vector<Integer> RoundedRoots(const RealRoots& roots, const Integer& n, Work& work);
// Whether two polynomials have the same real roots.
bool SameRoots(const RealRoots& a, const RealRoots& b, Work& work);

}  // namespace conpole

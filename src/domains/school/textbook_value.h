// What an expression of a school book is worth, whichever way it is written: a quotient of sums of terms. A term is a rational
// number times atoms to rational powers. Atoms are letters, prime numbers (2^(1/2) is a root), i, and what cannot be taken
// apart: sums under a root, absolute values, logarithms, powers with letters above (2^x). One form for polynomials, rational
// expressions, radicals, complex numbers, exponentials and logarithms.
//
// Letters under an even root to an odd power are taken to be not negative, as they must be for the root to be a number; under
// an even power they are not, and an absolute value comes of them: sqrt(x^2) is |x|. Pure functions over values: any thread may
// call any of this. All throw Refusal for what has no value or is too large.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "domains/school/textbook_polynomial.h"
#include "domains/school/textbook_tree.h"

namespace conpole::textbook {

// Atoms by their text, with their exponents, none of them 0.
using Monomial = std::map<std::string, Exact>;
// The order in which terms are written: letters of high degree first, numbers last.
struct MonomialOrder {
  bool operator()(const Monomial& a, const Monomial& b) const;
};
using Poly = std::map<Monomial, Exact, MonomialOrder>;

struct Value {
  Poly above;
  Poly below;  // 1 unless there is an atom in it that is no number

  friend bool operator==(const Value& a, const Value& b) { return a.above == b.above && a.below == b.below; }
};

// What an atom is, by its text.
bool IsAbsAtom(const std::string& atom);
bool IsLogAtom(const std::string& atom);
bool IsPowerAtom(const std::string& atom);  // with letters above

Value ValueOf(const Ptr& tree);
Value NumberValueOf(const Exact& number);
Value Add(const Value& a, const Value& b, const Exact& factor = 1);
Value Multiply(const Value& a, const Value& b);
Value Divide(const Value& a, const Value& b);
Value Raise(const Value& base, const Exact& exponent);

bool IsZero(const Value& value);
std::optional<Exact> RationalOf(const Value& value);
// Its size, for signs and orders. Requires a real number without letters; nothing if there are letters.
std::optional<double> ApproximatelyOf(const Value& value);

// About what a tree is worth for these values of its letters; not a number where it has no real value.
double Approximate(const Ptr& tree, const std::map<std::string, double>& letters);

// As it is written in the end. Denominators with several factors are written as products.
Ptr TreeOf(const Value& value);
Ptr TreeOf(const Poly& poly);
Ptr TreeOfTerm(const Monomial& monomial, const Exact& coefficient);
// TreeOf(ValueOf(tree)).
Ptr Normal(const Ptr& tree);

// A product of powers of what cannot be factored; the tree's own normal form if nothing can be.
Ptr Factored(const Value& value);
// The greatest common factor of the terms, and what is left: 3p(p - 2q). Nothing if there is none but 1.
std::optional<std::pair<Ptr, Ptr>> CommonFactor(const Value& value);

// The coefficients of the powers of an atom, from the constant one up. Nothing if it stands below, under a root or in another
// atom, or to a power that is not whole.
std::optional<std::vector<Value>> CoefficientsOf(const Value& value, const std::string& atom);

// The prime factors, ascending. Throws Refusal if that takes too long. Requires n > 0.
std::vector<std::pair<Integer, unsigned>> PrimeFactors(Integer n);

}  // namespace conpole::textbook

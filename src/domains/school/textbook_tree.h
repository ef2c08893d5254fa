// Expressions of a school book as they are written: any number of letters, roots, powers with any exponent, absolute values and
// logarithms. Trees are immutable and shared; text is read and written here, and what is written is read back as the same tree.
//
//   2xy^2/3 - sqrt(5x)     |x - 1| is abs(x - 1)     log_2(x) is log(2, x)     root(4, x)     x^(2/3)     2^(3x - 1)
//
// A division applies to the factors without a sign before it: 2x/3 is (2x)/3, and 2/3 * x is two thirds of x. The letter i is
// the square root of -1, e the base of ln, pi a number. Pure functions over values: any thread may call any of this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

#include "conpole/message.h"

namespace conpole::textbook {

using Integer = boost::multiprecision::cpp_int;
using Exact = boost::multiprecision::cpp_rational;

// What cannot be done, and why, in words for a person. Thrown and caught within the domain and its reader.
struct Refusal {
  Message message;
  std::size_t position = 0;  // in the text that was read, of faults of reading
};

enum class Op : std::uint8_t {
  kNumber,    // a whole number or a decimal, not negative
  kLetter,    // a letter, or pi
  kNegation,  // of args[0]
  kSum,       // of two or more
  kProduct,   // of two or more
  kQuotient,  // args[0] / args[1]
  kPower,     // args[0] ^ args[1]
  kRoot,      // of args[0], of the degree args[1], a number
  kAbs,       // of args[0]
  kLog,       // of args[0], to the base args[1]
};

struct Tree;
using Ptr = std::shared_ptr<const Tree>;
struct Tree {
  Op op = Op::kNumber;
  Exact number = 0;
  unsigned places = 0;  // of a decimal, as it is written
  std::string name;
  std::vector<Ptr> args;

  bool Is(Op wanted) const { return op == wanted; }
  bool IsNumber(int value) const { return op == Op::kNumber && number == value; }
};

// Sums in sums and products in products are made one; a sum or product of one is that one, of none 0 or 1.
Ptr MakeNumber(const Exact& value);  // a negation or a quotient where it must be
Ptr MakeDecimal(const Exact& value, unsigned places);
Ptr MakeLetter(std::string name);
Ptr MakeNegation(Ptr of);  // of a negation what it is of
Ptr MakeSum(std::vector<Ptr> terms);
Ptr MakeProduct(std::vector<Ptr> factors);
Ptr MakeQuotient(Ptr above, Ptr below);
Ptr MakePower(Ptr base, Ptr exponent);
Ptr MakeRoot(Ptr of, unsigned degree);
Ptr MakeAbs(Ptr of);
Ptr MakeLog(Ptr of, Ptr base);

// Reads a whole text. Throws Refusal.
Ptr ReadTree(std::string_view text);
std::string TextOf(const Ptr& tree);
// Whether two factors need a sign between them, to be read as what they are.
bool NeedSign(const Ptr& a, const Ptr& b);

// Without i, e and pi unless asked for.
void CollectLetters(const Ptr& tree, std::set<std::string>& letters, bool constants = false);
std::set<std::string> LettersOf(const Ptr& tree);
std::set<std::string> LettersOf(const Ptr& a, const Ptr& b);
bool Has(const Ptr& tree, Op op);
bool HasLetter(const Ptr& tree, std::string_view letter);
// With a tree in place of every occurrence of a letter.
Ptr Substitute(const Ptr& tree, std::string_view letter, const Ptr& value);

}  // namespace conpole::textbook

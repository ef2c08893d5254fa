#include "domains/school/textbook_value.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "util/latest.h"
#include "util/text.h"

namespace conpole::textbook {
namespace {

namespace mp = boost::multiprecision;

constexpr std::size_t kMaxPolyTerms = 2'000;
constexpr std::size_t kMaxBits = 4'000;
constexpr unsigned kMaxWholePower = 400;

[[noreturn]] void TooLarge() { throw Refusal{"the numbers or powers in this are too large"}; }

bool IsWhole(const Exact& q) { return mp::denominator(q) == 1; }
bool IsPrimeAtom(const std::string& atom) { return IsDigit(atom[0]) && atom.find('^') == std::string::npos; }
bool IsNumberLike(const std::string& atom) {
  return IsPrimeAtom(atom) || atom == "i" || atom == "pi" || atom == "e" || LettersOf(ReadTree(atom)).empty();
}
bool IsLetterAtom(const std::string& atom) { return atom.size() == 1 && IsLetter(atom[0]); }
// Whether the first bracket closes at the end: true of abs(x - 1), not of abs(x - 1)^(2x).
bool FirstBracketEndsIt(std::string_view atom) {
  int depth = 0;
  for (std::size_t i = 0; i < atom.size(); ++i) {
    if (atom[i] == '(') ++depth;
    if (atom[i] == ')' && --depth == 0) return i + 1 == atom.size();
  }
  return false;
}
bool IsSumAtom(const std::string& atom) { return atom.front() == '(' && FirstBracketEndsIt(atom); }

Poly ConstantOf(const Exact& number) {
  Poly poly;
  if (number != 0) poly[{}] = number;
  return poly;
}
bool IsConstantPoly(const Poly& poly) { return poly.empty() || (poly.size() == 1 && poly.begin()->first.empty()); }
bool IsOne(const Poly& poly) { return poly.size() == 1 && poly.begin()->first.empty() && poly.begin()->second == 1; }

void AddTerm(Poly& poly, const Monomial& monomial, const Exact& coefficient) {
  if (coefficient == 0) return;
  Exact& target = poly[monomial];
  target += coefficient;
  if (target == 0) poly.erase(monomial);
}

Poly AddPoly(const Poly& a, const Poly& b, const Exact& factor) {
  Poly sum = a;
  for (const auto& [monomial, c] : b) AddTerm(sum, monomial, c * factor);
  return sum;
}

Poly MultiplyPoly(const Poly& a, const Poly& b);

Exact WholePower(const Exact& base, const Integer& exponent) {
  if (base == 1 || exponent == 0) return 1;
  const Integer size = mp::abs(exponent);
  const Integer above = mp::abs(mp::numerator(base));
  const std::size_t bits = std::max(above == 0 ? 0 : mp::msb(above), mp::msb(Integer(mp::denominator(base)))) + 1;
  if (size > kMaxBits || bits * static_cast<unsigned>(size) > kMaxBits * 4) TooLarge();
  const auto n = static_cast<unsigned>(size);
  const Exact power(mp::pow(Integer(mp::numerator(base)), n), mp::pow(Integer(mp::denominator(base)), n));
  if (exponent > 0) return power;
  if (power == 0) throw Refusal{"this divides by zero"};
  return 1 / power;
}

Integer FloorOf(const Exact& q) {
  Integer floor = mp::numerator(q) / mp::denominator(q);
  if (q < 0 && !IsWhole(q)) --floor;
  return floor;
}

// A term with its atoms in their ranges: whole powers of primes are numbers, i^2 is -1, and a sum to a whole power is
// multiplied out.
Poly TidyTerm(Monomial monomial, Exact coefficient) {
  std::vector<std::pair<Poly, unsigned>> sums;
  for (auto at = monomial.begin(); at != monomial.end();) {
    const std::string& atom = at->first;
    Exact& exponent = at->second;
    if (IsPrimeAtom(atom)) {
      const Integer whole = FloorOf(exponent);
      coefficient *= WholePower(Exact(Integer(atom)), whole);
      exponent -= whole;
    } else if (atom == "i") {
      if (!IsWhole(exponent)) throw Refusal{"roots of complex numbers are not worked out here"};
      const Integer turns = ((mp::numerator(exponent) % 4) + 4) % 4;
      if (turns >= 2) coefficient = -coefficient;
      exponent = Exact(Integer(turns % 2));
    } else if (IsSumAtom(atom) && IsWhole(exponent) && exponent > 0) {
      if (exponent > kMaxWholePower) TooLarge();
      sums.emplace_back(ValueOf(ReadTree(atom)).above, static_cast<unsigned>(mp::numerator(exponent)));
      exponent = 0;
    } else if (IsAbsAtom(atom) && IsWhole(exponent) && mp::numerator(exponent) % 2 == 0) {
      // |a|^2 is a^2.
      const Value inside = ValueOf(ReadTree(atom)->args[0]);
      if (exponent > 0 && IsOne(inside.below)) {
        sums.emplace_back(inside.above, static_cast<unsigned>(mp::numerator(exponent)));
        exponent = 0;
      }
    }
    at = exponent == 0 ? monomial.erase(at) : std::next(at);
  }
  Poly result;
  AddTerm(result, monomial, coefficient);
  for (const auto& [sum, power] : sums) {
    for (unsigned i = 0; i < power; ++i) result = MultiplyPoly(result, sum);
  }
  return result;
}

Poly MultiplyPoly(const Poly& a, const Poly& b) {
  if (a.size() * b.size() > kMaxPolyTerms * 4) TooLarge();
  Poly product;
  for (const auto& [left, c] : a) {
    for (const auto& [right, d] : b) {
      Monomial monomial = left;
      bool special = false;
      for (const auto& [atom, exponent] : right) {
        Exact& target = monomial[atom];
        target += exponent;
        if (target == 0) monomial.erase(atom);
      }
      for (const auto& [atom, exponent] : monomial) special = special || !IsLetterAtom(atom) || atom == "i";
      if (!special) {
        AddTerm(product, monomial, c * d);
        continue;
      }
      for (const auto& [tidy, factor] : TidyTerm(std::move(monomial), c * d)) AddTerm(product, tidy, factor);
    }
  }
  if (product.size() > kMaxPolyTerms) TooLarge();
  for (const auto& [monomial, c] : product) {
    if (mp::msb(Integer(mp::denominator(c))) > kMaxBits * 4 || mp::msb(Integer(mp::abs(mp::numerator(c)))) > kMaxBits * 4) {
      TooLarge();
    }
  }
  return product;
}

// The atoms of some polynomials, and these as polynomials with whole exponents. Atoms are ordered as they are written.
class Indexed {
 public:
  explicit Indexed(const std::vector<const Poly*>& polys) {
    std::map<std::string, Integer> degrees;
    for (const Poly* poly : polys) {
      for (const auto& [monomial, c] : *poly) {
        for (const auto& [atom, exponent] : monomial) {
          Integer& below = degrees.emplace(atom, 1).first->second;
          below = mp::lcm(below, mp::denominator(exponent));
        }
      }
    }
    // Letters first: the order of the leading terms.
    for (const bool letters : {true, false}) {
      for (const auto& [atom, below] : degrees) {
        if ((IsLetterAtom(atom) && atom != "i" && atom != "e") == letters) atoms_.emplace_back(atom, below);
      }
    }
  }
  // Requires exponents that are not negative.
  MultiPoly To(const Poly& poly) const {
    MultiPoly result;
    for (const auto& [monomial, c] : poly) {
      Exponents exponents;
      for (const auto& [atom, below] : atoms_) {
        const auto found = monomial.find(atom);
        const Integer whole = found == monomial.end() ? Integer(0) : mp::numerator(Exact(found->second * below));
        if (whole > 10'000) TooLarge();
        exponents.push_back(static_cast<unsigned>(whole));
      }
      result[exponents] = c;
    }
    return result;
  }
  Poly From(const MultiPoly& poly) const {
    Poly result;
    for (const auto& [exponents, c] : poly) {
      Monomial monomial;
      for (std::size_t i = 0; i < atoms_.size(); ++i) {
        if (exponents[i] > 0) monomial[atoms_[i].first] = Exact(Integer(exponents[i]), atoms_[i].second);
      }
      for (const auto& [tidy, factor] : TidyTerm(std::move(monomial), c)) AddTerm(result, tidy, factor);
    }
    return result;
  }

 private:
  std::vector<std::pair<std::string, Integer>> atoms_;
};

// The least exponents of all atoms in all terms, where missing atoms count as 0.
Monomial LeastExponents(const std::vector<const Poly*>& polys) {
  std::map<std::string, Exact> least;
  std::set<std::string> atoms;
  for (const Poly* poly : polys) {
    for (const auto& [monomial, c] : *poly) {
      for (const auto& [atom, exponent] : monomial) atoms.insert(atom);
    }
  }
  for (const std::string& atom : atoms) {
    std::optional<Exact> minimum;
    for (const Poly* poly : polys) {
      for (const auto& [monomial, c] : *poly) {
        const auto found = monomial.find(atom);
        const Exact exponent = found == monomial.end() ? Exact(0) : found->second;
        if (!minimum || exponent < *minimum) minimum = exponent;
      }
    }
    if (*minimum != 0) least[atom] = *minimum;
  }
  return least;
}

Poly DivideByMonomial(const Poly& poly, const Monomial& divisor) {
  Poly result;
  for (const auto& [monomial, c] : poly) {
    Monomial rest = monomial;
    for (const auto& [atom, exponent] : divisor) {
      Exact& target = rest[atom];
      target -= exponent;
      if (target == 0) rest.erase(atom);
    }
    for (const auto& [tidy, factor] : TidyTerm(std::move(rest), c)) AddTerm(result, tidy, factor);
  }
  return result;
}

// Whether a half power of an atom stands in it, which a product with the conjugate takes away.
std::optional<std::string> SquareRootIn(const Poly& poly) {
  for (const auto& [monomial, c] : poly) {
    for (const auto& [atom, exponent] : monomial) {
      if (atom == "i" || mp::denominator(exponent) == 2) return atom;
    }
  }
  return std::nullopt;
}

// The conjugate: with the other sign of what has an odd half power of the atom.
Poly Conjugate(const Poly& poly, const std::string& atom) {
  Poly result;
  for (const auto& [monomial, c] : poly) {
    const auto found = monomial.find(atom);
    const bool odd = found != monomial.end() && (atom == "i" || mp::denominator(found->second) == 2);
    result[monomial] = odd ? Exact(-c) : c;
  }
  return result;
}

bool HasFraction(const Poly& poly) {
  for (const auto& [monomial, c] : poly) {
    for (const auto& [atom, exponent] : monomial) {
      if (!IsWhole(exponent)) return true;
    }
  }
  return false;
}

Value Reduced(Value value) {
  if (value.below.empty()) throw Refusal{"this divides by zero"};
  if (value.above.empty()) return {{}, ConstantOf(1)};
  if (IsOne(value.below)) {
    const Monomial least = LeastExponents({&value.above});
    const bool negative = std::any_of(least.begin(), least.end(), [](const auto& item) { return item.second < 0; });
    if (!negative) return value;
  }
  // No roots below.
  constexpr int kMaxRoots = 6;
  for (int i = 0; i < kMaxRoots && value.below.size() > 1; ++i) {
    const std::optional<std::string> atom = SquareRootIn(value.below);
    if (!atom) break;
    const Poly conjugate = Conjugate(value.below, *atom);
    value.above = MultiplyPoly(value.above, conjugate);
    value.below = MultiplyPoly(value.below, conjugate);
    if (value.below.empty()) throw Refusal{"this divides by zero"};
  }
  // No atom to a negative power, and none in all terms of both.
  const auto take_common = [&] {
    Monomial common = LeastExponents({&value.above, &value.below});
    value.above = DivideByMonomial(value.above, common);
    value.below = DivideByMonomial(value.below, common);
  };
  take_common();
  if (value.below.size() == 1) {
    Monomial divisor;
    for (const auto& [atom, exponent] : value.below.begin()->first) {
      // Dividing by a negative power multiplies by what makes the exponent whole.
      if (atom == "i") divisor[atom] = -1;
      if (!IsWhole(exponent)) divisor[atom] = exponent - Exact(FloorOf(exponent) + 1);
    }
    if (!divisor.empty()) {
      value.above = DivideByMonomial(value.above, divisor);
      value.below = DivideByMonomial(value.below, divisor);
      // A root that the numerator has too is left as it is now.
      Monomial whole;
      for (const auto& [atom, exponent] : LeastExponents({&value.above, &value.below})) {
        if (const Integer floor = FloorOf(exponent); floor > 0) whole[atom] = Exact(floor);
      }
      if (!whole.empty()) {
        value.above = DivideByMonomial(value.above, whole);
        value.below = DivideByMonomial(value.below, whole);
      }
    }
  } else {
    const Indexed indexed({&value.above, &value.below});
    const MultiPoly above = indexed.To(value.above);
    const MultiPoly below = indexed.To(value.below);
    const MultiPoly common = CommonDivisorOf(above, below);
    if (common.size() > 1) {
      value.above = indexed.From(*DivideExactly(above, common));
      value.below = indexed.From(*DivideExactly(below, common));
      take_common();
    }
  }
  // Below the line whole numbers without a common factor, with a positive leading term, and 1 if it is a number.
  Exact content = 1;
  if (value.below.size() == 1) {
    content = value.below.begin()->second;
  } else {
    const Indexed indexed({&value.below});
    content = ContentOf(indexed.To(value.below));
    const Poly& below = value.below;
    if ((below.begin()->second / content) < 0) content = -content;
  }
  for (auto& [monomial, c] : value.below) c /= content;
  for (auto& [monomial, c] : value.above) c /= content;
  return value;
}

// A letter under an even root to an odd power is not negative, so that it is its own absolute value.
void DropAbs(Value& value) {
  std::set<std::string> absolutes;
  std::set<std::string> not_negative;
  for (const Poly* poly : {&value.above, &value.below}) {
    for (const auto& [monomial, c] : *poly) {
      for (const auto& [atom, exponent] : monomial) {
        if (IsAbsAtom(atom)) absolutes.insert(atom);
        if (IsLetterAtom(atom) && mp::denominator(exponent) % 2 == 0) not_negative.insert("abs(" + atom + ")");
      }
    }
  }
  for (const std::string& atom : absolutes) {
    if (!not_negative.contains(atom)) continue;
    const std::string letter = atom.substr(4, 1);
    for (Poly* poly : {&value.above, &value.below}) {
      Poly next;
      for (const auto& [monomial, c] : *poly) {
        Monomial with = monomial;
        if (const auto found = with.find(atom); found != with.end()) {
          const Exact exponent = found->second;
          with.erase(found);
          Exact& target = with[letter];
          target += exponent;
          if (target == 0) with.erase(letter);
        }
        AddTerm(next, with, c);
      }
      *poly = std::move(next);
    }
  }
  if (!absolutes.empty()) {
    const Monomial common = LeastExponents({&value.above, &value.below});
    value.above = DivideByMonomial(value.above, common);
    value.below = DivideByMonomial(value.below, common);
  }
}

Value OfPoly(Poly poly) { return Reduced({std::move(poly), ConstantOf(1)}); }
Value OfAtom(const std::string& atom) { return {Poly{{Monomial{{atom, 1}}, Exact(1)}}, ConstantOf(1)}; }

// A positive number to a rational power, as primes.
Poly NumberPower(const Exact& base, const Exact& exponent) {
  Monomial monomial;
  for (const bool above : {true, false}) {
    const Integer part = above ? mp::numerator(base) : mp::denominator(base);
    if (part == 1) continue;
    for (const auto& [prime, power] : PrimeFactors(part)) {
      monomial[prime.str()] = exponent * power * (above ? 1 : -1);
    }
  }
  return TidyTerm(std::move(monomial), 1);
}

// A base that is not negative where the root is a number, to a power whose denominator may be even.
void RaiseFactor(const Poly& base, const Exact& exponent_of_base, const Exact& exponent, Value& result) {
  const Exact total = exponent_of_base * exponent;
  const bool even_root = mp::denominator(exponent) % 2 == 0;
  const bool even_power = mp::numerator(exponent_of_base) % 2 == 0;
  const bool keeps_sign = !even_root || !even_power || mp::numerator(total) % 2 == 0;
  const bool is_atom = base.size() == 1 && base.begin()->first.size() == 1 && base.begin()->second == 1 &&
                       base.begin()->first.begin()->second == 1;
  std::string atom = is_atom ? base.begin()->first.begin()->first : std::string();
  if (keeps_sign ? !is_atom : !IsAbsAtom(atom)) atom = (keeps_sign ? "(" : "abs(") + TextOf(TreeOf(base)) + ")";
  result = Multiply(result, OfPoly(TidyTerm({{atom, total}}, 1)));
}

Value RaisePoly(const Poly& poly, const Exact& exponent) {
  const bool even_root = mp::denominator(exponent) % 2 == 0;
  Exact content = poly.begin()->second;
  if (poly.size() > 1) {
    const Indexed indexed({&poly});
    content = ContentOf(indexed.To(poly));
    content = mp::abs(content);
  }
  Value result = NumberValueOf(1);
  Poly rest = poly;
  bool negative_inside = false;
  if (content < 0) {
    const bool is_number = poly.size() == 1 && poly.begin()->first.empty();
    content = -content;
    if (!even_root) {
      if (mp::numerator(exponent) % 2 != 0) result = NumberValueOf(-1);
    } else if (is_number) {
      if (mp::denominator(exponent) != 2) throw Refusal{"an even root of a negative number is not a real number"};
      if (mp::numerator(exponent) != 1 && mp::numerator(exponent) != -1) {
        throw Refusal{"an even root of a negative number is not a real number"};
      }
      result = OfPoly(TidyTerm({{"i", Exact(mp::numerator(exponent))}}, 1));
    } else {
      negative_inside = true;
    }
  }
  result = Multiply(result, OfPoly(NumberPower(content, exponent)));
  for (auto& [monomial, c] : rest) c = mp::abs(c / content) * ((c < 0) != (poly.size() == 1) ? -1 : 1);
  if (poly.size() == 1) rest.begin()->second = negative_inside ? -1 : 1;
  if (rest.size() == 1) {
    if (negative_inside) {
      RaiseFactor(rest, 1, exponent, result);
      return result;
    }
    for (const auto& [atom, power] : rest.begin()->first) {
      if (IsPrimeAtom(atom) || IsSumAtom(atom)) {
        result = Multiply(result, OfPoly(TidyTerm({{atom, power * exponent}}, 1)));
        continue;
      }
      if (atom == "i") throw Refusal{"roots of complex numbers are not worked out here"};
      RaiseFactor(OfAtom(atom).above, power, exponent, result);
    }
    return result;
  }
  if (HasFraction(rest)) {
    RaiseFactor(rest, 1, exponent, result);
    return result;
  }
  const Monomial least = LeastExponents({&rest});
  const bool negative = std::any_of(least.begin(), least.end(), [](const auto& item) { return item.second < 0; });
  if (negative) throw Refusal{"this root is not worked out here"};
  const Indexed indexed({&rest});
  const Factorization factors = Factors(indexed.To(rest));
  // What is left to the first power stays together under one root.
  std::map<unsigned, Poly> together;
  for (const auto& [factor, power] : factors.factors) {
    const Poly base = indexed.From(factor);
    const Exact total = exponent * power;
    if (IsWhole(total) || power % 2 == 0 || base.size() == 1) {
      RaiseFactor(base, power, exponent, result);
    } else {
      Poly& product = together.emplace(power, ConstantOf(1)).first->second;
      product = MultiplyPoly(product, base);
    }
  }
  if (factors.content < 0) {
    if (together.empty()) {
      if (even_root) throw Refusal{"an even root of a negative number is not a real number"};
      result = Multiply(result, NumberValueOf(-1));
    } else {
      for (auto& [monomial, c] : together.begin()->second) c = -c;
    }
  }
  for (const auto& [power, base] : together) RaiseFactor(base, power, exponent, result);
  return result;
}

// A base to a sum with letters: 2^(3x - 1) is (2^x)^3 / 2.
Value RaiseToLetters(const Ptr& base, const Value& exponent) {
  if (!IsOne(exponent.below)) return OfAtom(TextOf(MakePower(TreeOf(ValueOf(base)), TreeOf(exponent))));
  const Value base_value = ValueOf(base);
  Value result = NumberValueOf(1);
  const std::optional<Exact> number = RationalOf(base_value);
  if (number && *number <= 0) throw Refusal{"the base of such a power must be positive"};
  for (const auto& [monomial, c] : exponent.above) {
    if (monomial.empty()) {
      result = Multiply(result, Raise(base_value, c));
      continue;
    }
    // b^(log_b(a)) is a.
    if (monomial.size() == 1 && monomial.begin()->second == 1) {
      const std::string& text = monomial.begin()->first;
      if (IsLogAtom(text)) {
        const Ptr log = ReadTree(text);
        if (ValueOf(log->args[1]) == base_value) {
          result = Multiply(result, Raise(ValueOf(log->args[0]), c));
          continue;
        }
      }
    }
    const Ptr exponent_tree = TreeOfTerm(monomial, 1);
    const auto times = [&](const Ptr& prime, const Exact& power) {
      const Monomial atom{{TextOf(MakePower(prime, exponent_tree)), power}};
      result = Multiply(result, OfPoly(Poly{{atom, Exact(1)}}));
    };
    if (!number) {
      times(TreeOf(base_value), c);
      continue;
    }
    for (const bool above : {true, false}) {
      const Integer part = above ? mp::numerator(*number) : mp::denominator(*number);
      if (part == 1) continue;
      for (const auto& [prime, power] : PrimeFactors(part)) {
        times(MakeNumber(Exact(prime)), c * power * (above ? 1 : -1));
      }
    }
  }
  return result;
}

Value AbsOf(const Value& value) {
  if (const std::optional<double> size = ApproximatelyOf(value)) return *size < 0 ? Multiply(NumberValueOf(-1), value) : value;
  // Of a complex number a + bi it is the root of a^2 + b^2.
  Value real{{}, ConstantOf(1)};
  Value imaginary = real;
  for (const auto& [monomial, c] : value.above) {
    Monomial rest = monomial;
    (rest.erase("i") == 0 ? real : imaginary).above[rest] = c;
  }
  if (!IsZero(imaginary) && IsOne(value.below) && ApproximatelyOf(real) && ApproximatelyOf(imaginary)) {
    return Raise(Add(Multiply(real, real), Multiply(imaginary, imaginary)), Exact(1, 2));
  }
  Value result = NumberValueOf(1);
  for (const bool above : {true, false}) {
    const Poly& part = above ? value.above : value.below;
    if (IsOne(part)) continue;
    Value size = NumberValueOf(1);
    if (part.size() == 1) {
      size = NumberValueOf(mp::abs(part.begin()->second));
      for (const auto& [atom, exponent] : part.begin()->first) {
        const bool positive = IsNumberLike(atom) || IsAbsAtom(atom) || mp::denominator(exponent) % 2 == 0 ||
                              (IsWhole(exponent) && mp::numerator(exponent) % 2 == 0) || IsPowerAtom(atom);
        const std::string sized = positive ? atom : "abs(" + (IsSumAtom(atom) ? TextOf(ReadTree(atom)) : atom) + ")";
        size = Multiply(size, OfPoly(TidyTerm({{sized, exponent}}, 1)));
      }
    } else {
      const Indexed indexed({&part});
      const Monomial least = LeastExponents({&part});
      Exact content = mp::abs(ContentOf(HasFraction(part) ? MultiPoly() : indexed.To(part)));
      if (content == 0) content = 1;
      if (part.begin()->second < 0) content = -content;
      Poly rest = part;
      for (auto& [monomial, c] : rest) c /= content;
      size = OfAtom("abs(" + TextOf(TreeOf(rest)) + ")");
      size.above.begin()->second = mp::abs(content);
    }
    result = above ? Multiply(result, size) : Divide(result, size);
  }
  return result;
}

// The power of the base that the argument is, if that is a rational number.
std::optional<Exact> ExactLogarithm(const Value& base, const Value& argument) {
  if (!IsOne(base.below) || base.above.size() != 1 || argument.above.size() != 1 || argument.below.size() != 1) {
    return std::nullopt;
  }
  const auto powers = [](const Monomial& monomial, const Exact& coefficient, int sign, Monomial& out) {
    for (const auto& [atom, exponent] : monomial) out[atom] += exponent * sign;
    for (const bool above : {true, false}) {
      const Integer part = above ? mp::numerator(coefficient) : mp::denominator(coefficient);
      if (part <= 1) continue;
      for (const auto& [prime, power] : PrimeFactors(part)) out[prime.str()] += Exact(Integer(power)) * (above ? sign : -sign);
    }
  };
  if (base.above.begin()->second <= 0 || argument.above.begin()->second <= 0 || argument.below.begin()->second <= 0) {
    return std::nullopt;
  }
  Monomial b;
  Monomial a;
  powers(base.above.begin()->first, base.above.begin()->second, 1, b);
  powers(argument.above.begin()->first, argument.above.begin()->second, 1, a);
  powers(argument.below.begin()->first, argument.below.begin()->second, -1, a);
  std::erase_if(a, [](const auto& item) { return item.second == 0; });
  if (b.empty()) return std::nullopt;
  if (a.empty()) return Exact(0);
  if (a.size() != b.size()) return std::nullopt;
  const Exact ratio = a.begin()->second / b.begin()->second;
  for (const auto& [atom, exponent] : b) {
    const auto found = a.find(atom);
    if (found == a.end() || found->second != exponent * ratio) return std::nullopt;
  }
  return ratio;
}

Value LogOf(const Ptr& tree) {
  const Value argument = ValueOf(tree->args[0]);
  const Value base = ValueOf(tree->args[1]);
  if (const std::optional<double> size = ApproximatelyOf(argument); size && *size <= 0) {
    throw Refusal{"a logarithm of zero or of a negative number is not a real number"};
  }
  if (const std::optional<double> size = ApproximatelyOf(base); size && (*size <= 0 || *size == 1)) {
    throw Refusal{"the base of a logarithm is positive and not 1"};
  }
  if (const std::optional<Exact> exact = ExactLogarithm(base, argument)) return NumberValueOf(*exact);
  return OfAtom(TextOf(MakeLog(TreeOf(argument), TreeOf(base))));
}

double SizeOfAtom(const std::string& atom) {
  if (IsPrimeAtom(atom)) return Integer(atom).convert_to<double>();
  return Approximate(ReadTree(atom), {});
}

// The factors of a polynomial as trees with their powers, and the number before them.
struct FactoredPoly {
  Exact content = 1;
  std::vector<std::pair<Poly, Exact>> factors;
};

FactoredPoly FactorPoly(const Poly& poly) {
  FactoredPoly result;
  const Monomial least = LeastExponents({&poly});
  Poly rest = DivideByMonomial(poly, least);
  for (const auto& [atom, exponent] : least) {
    result.factors.emplace_back(OfAtom(atom).above, exponent);
  }
  const Indexed indexed({&rest});
  const Factorization factors = Factors(indexed.To(rest));
  result.content = factors.content;
  for (const auto& [factor, power] : factors.factors) {
    Poly base = indexed.From(factor);
    if (base.begin()->second < 0) {
      for (auto& [monomial, c] : base) c = -c;
      if (power % 2 == 1) result.content = -result.content;
    }
    result.factors.emplace_back(std::move(base), Exact(Integer(power)));
  }
  std::stable_sort(result.factors.begin(), result.factors.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.size() > 1, a.first.size()) < std::pair(b.first.size() > 1, b.first.size());
  });
  return result;
}

Ptr PowerTree(const Ptr& base, const Exact& exponent) {
  if (exponent == 1) return base;
  return MakePower(base, MakeNumber(exponent));
}

Ptr FactoredTree(const Poly& poly) {
  if (poly.size() < 2) return TreeOf(poly);
  const FactoredPoly factored = FactorPoly(poly);
  if (factored.factors.size() == 1 && factored.factors[0].second == 1 && mp::abs(factored.content) == 1) return TreeOf(poly);
  std::vector<Ptr> above;
  const Integer number = mp::abs(mp::numerator(factored.content));
  if (number != 1) above.push_back(MakeNumber(Exact(number)));
  for (const auto& [base, exponent] : factored.factors) above.push_back(PowerTree(TreeOf(base), exponent));
  Ptr tree = MakeProduct(std::move(above));
  if (mp::denominator(factored.content) != 1) {
    tree = MakeQuotient(std::move(tree), MakeNumber(Exact(mp::denominator(factored.content))));
  }
  return factored.content < 0 ? MakeNegation(std::move(tree)) : tree;
}

}  // namespace

bool MonomialOrder::operator()(const Monomial& a, const Monomial& b) const {
  const auto split = [](const Monomial& m, std::vector<std::pair<std::string, Exact>>& letters, Monomial& rest) {
    Exact degree = 0;
    for (const auto& [atom, exponent] : m) {
      if (IsLetterAtom(atom) && atom != "i" && atom != "e") {
        letters.emplace_back(atom, exponent);
        degree += exponent;
      } else {
        rest.emplace(atom, exponent);
      }
    }
    return degree;
  };
  std::vector<std::pair<std::string, Exact>> letters_a;
  std::vector<std::pair<std::string, Exact>> letters_b;
  Monomial rest_a;
  Monomial rest_b;
  const Exact degree_a = split(a, letters_a, rest_a);
  const Exact degree_b = split(b, letters_b, rest_b);
  if (degree_a != degree_b) return degree_a > degree_b;
  for (std::size_t i = 0; i < std::min(letters_a.size(), letters_b.size()); ++i) {
    if (letters_a[i].first != letters_b[i].first) return letters_a[i].first < letters_b[i].first;
    if (letters_a[i].second != letters_b[i].second) return letters_a[i].second > letters_b[i].second;
  }
  if (letters_a.size() != letters_b.size()) return letters_a.size() > letters_b.size();
  return rest_a < rest_b;
}

bool IsAbsAtom(const std::string& atom) { return atom.starts_with("abs(") && FirstBracketEndsIt(atom); }
bool IsLogAtom(const std::string& atom) {
  return (atom.starts_with("log(") || atom.starts_with("ln(")) && FirstBracketEndsIt(atom);
}
bool IsPowerAtom(const std::string& atom) { return atom.find('^') != std::string::npos && ReadTree(atom)->Is(Op::kPower); }

Value NumberValueOf(const Exact& number) { return {ConstantOf(number), ConstantOf(1)}; }

Value Add(const Value& a, const Value& b, const Exact& factor) {
  if (a.below == b.below) return Reduced({AddPoly(a.above, b.above, factor), a.below});
  return Reduced(
      {AddPoly(MultiplyPoly(a.above, b.below), MultiplyPoly(b.above, a.below), factor), MultiplyPoly(a.below, b.below)});
}

Value Multiply(const Value& a, const Value& b) {
  return Reduced({MultiplyPoly(a.above, b.above), MultiplyPoly(a.below, b.below)});
}

Value Divide(const Value& a, const Value& b) {
  if (IsZero(b)) throw Refusal{"this divides by zero"};
  return Reduced({MultiplyPoly(a.above, b.below), MultiplyPoly(a.below, b.above)});
}

Value Raise(const Value& base, const Exact& exponent) {
  if (exponent == 0) {
    if (IsZero(base)) throw Refusal{"zero to the power of zero means nothing"};
    return NumberValueOf(1);
  }
  if (exponent < 0) return Divide(NumberValueOf(1), Raise(base, -exponent));
  if (IsZero(base)) return base;
  if (!IsWhole(exponent)) {
    if (mp::numerator(exponent) > kMaxWholePower || mp::denominator(exponent) > kMaxWholePower) TooLarge();
    Value result = RaisePoly(base.above, exponent);
    return IsOne(base.below) ? result : Divide(result, RaisePoly(base.below, exponent));
  }
  if (base.above.size() == 1 && base.below.size() == 1) {
    Value result;
    for (const bool above : {true, false}) {
      const auto& [monomial, c] = above ? *base.above.begin() : *base.below.begin();
      Monomial raised = monomial;
      for (auto& [atom, power] : raised) power *= exponent;
      (above ? result.above : result.below) = TidyTerm(std::move(raised), WholePower(c, mp::numerator(exponent)));
    }
    return Reduced(std::move(result));
  }
  if (exponent > kMaxWholePower) TooLarge();
  const auto times = static_cast<unsigned>(mp::numerator(exponent));
  if (times > 40) TooLarge();
  Value result = base;
  for (unsigned i = 1; i < times; ++i) result = Multiply(result, base);
  return result;
}

bool IsZero(const Value& value) { return value.above.empty(); }

std::optional<Exact> RationalOf(const Value& value) {
  if (!IsConstantPoly(value.above) || !IsOne(value.below)) return std::nullopt;
  return value.above.empty() ? Exact(0) : value.above.begin()->second;
}

std::optional<double> ApproximatelyOf(const Value& value) {
  double parts[2] = {0, 0};
  for (const bool above : {true, false}) {
    double sum = 0;
    for (const auto& [monomial, c] : above ? value.above : value.below) {
      double term = c.convert_to<double>();
      for (const auto& [atom, exponent] : monomial) {
        if (atom == "i" || (IsLetterAtom(atom) && atom != "e")) return std::nullopt;
        term *= std::pow(SizeOfAtom(atom), exponent.convert_to<double>());
      }
      sum += term;
    }
    parts[above ? 0 : 1] = sum;
  }
  const double size = parts[0] / parts[1];
  if (std::isnan(size)) return std::nullopt;
  return size;
}

double Approximate(const Ptr& tree, const std::map<std::string, double>& letters) {
  const auto of = [&](std::size_t i) { return Approximate(tree->args[i], letters); };
  switch (tree->op) {
    case Op::kNumber:
      return tree->number.convert_to<double>();
    case Op::kLetter: {
      if (const auto known = letters.find(tree->name); known != letters.end()) return known->second;
      constexpr double kE = 2.718281828459045;
      constexpr double kPi = 3.141592653589793;
      return tree->name == "e" ? kE : tree->name == "pi" ? kPi : std::nan("");
    }
    case Op::kNegation:
      return -of(0);
    case Op::kSum: {
      double sum = 0;
      for (std::size_t i = 0; i < tree->args.size(); ++i) sum += of(i);
      return sum;
    }
    case Op::kProduct: {
      double product = 1;
      for (std::size_t i = 0; i < tree->args.size(); ++i) product *= of(i);
      return product;
    }
    case Op::kQuotient:
      return of(1) == 0 ? std::nan("") : of(0) / of(1);
    case Op::kRoot:
    case Op::kPower: {
      const double base = of(0);
      if (base >= 0) return std::pow(base, tree->Is(Op::kRoot) ? 1 / of(1) : of(1));
      // Odd roots of negative numbers.
      const std::optional<Exact> given = RationalOf(ValueOf(tree->args[1]));
      if (!given) return std::nan("");
      const Exact exponent = tree->Is(Op::kRoot) ? Exact(1 / *given) : *given;
      if (mp::denominator(exponent) % 2 == 0) return std::nan("");
      const double size = std::pow(-base, exponent.convert_to<double>());
      return mp::numerator(exponent) % 2 == 0 ? size : -size;
    }
    case Op::kAbs:
      return std::abs(of(0));
    case Op::kLog:
      return of(0) > 0 && of(1) > 0 ? std::log(of(0)) / std::log(of(1)) : std::nan("");
  }
  return std::nan("");
}

Ptr TreeOfTerm(const Monomial& monomial, const Exact& coefficient) {
  std::vector<Ptr> factors;
  const Integer number = mp::abs(mp::numerator(coefficient));
  // Whole powers first; fractions with the same denominator under one root.
  std::map<Integer, std::vector<Ptr>> roots;
  std::vector<Ptr> others;
  // Powers with letters above, by their base: x^a and x^2 are x^(a + 2).
  std::map<std::string, Value> exponents;
  for (const auto& [atom, exponent] : monomial) {
    if (!IsPowerAtom(atom)) continue;
    const Ptr power = ReadTree(atom);
    Value& total = exponents.emplace(TextOf(power->args[0]), NumberValueOf(0)).first->second;
    total = Add(total, ValueOf(power->args[1]), exponent);
  }
  for (auto& [base, exponent] : exponents) {
    if (const auto plain = monomial.find(base); plain != monomial.end()) exponent = Add(exponent, NumberValueOf(plain->second));
    factors.push_back(MakePower(ReadTree(base), TreeOf(exponent)));
  }
  for (const auto& [atom, exponent] : monomial) {
    Ptr base = ReadTree(atom);
    if (exponents.contains(atom) || (base->Is(Op::kPower) && exponents.contains(TextOf(base->args[0])))) continue;
    if (IsSumAtom(atom) && mp::numerator(exponent) > mp::denominator(exponent) && !IsWhole(exponent)) {
      factors.push_back(MakePower(base, MakeNumber(exponent)));
      continue;
    }
    const Integer whole = exponent < 0 ? Integer(0) : FloorOf(exponent);
    const Exact fraction = exponent - whole;
    if (IsWhole(exponent)) {
      if (base->Is(Op::kLog) || atom == "i") {
        others.push_back(PowerTree(base, exponent));
      } else {
        factors.push_back(PowerTree(base, exponent));
      }
      continue;
    }
    if (whole > 0) factors.push_back(PowerTree(base, Exact(whole)));
    if (fraction < 0) {
      factors.push_back(MakePower(base, MakeNumber(fraction)));
      continue;
    }
    roots[mp::denominator(fraction)].push_back(PowerTree(base, Exact(mp::numerator(fraction))));
  }
  if (number != 1 || (factors.empty() && roots.empty() && others.empty()))
    factors.insert(factors.begin(), MakeNumber(Exact(number)));
  for (auto& [degree, parts] : roots) {
    // Primes under one root are one number.
    Exact product = 1;
    std::vector<Ptr> letters;
    for (const Ptr& part : parts) {
      if (part->Is(Op::kNumber)) {
        product *= part->number;
      } else if (part->Is(Op::kPower) && part->args[0]->Is(Op::kNumber)) {
        product *= WholePower(part->args[0]->number, mp::numerator(part->args[1]->number));
      } else {
        letters.push_back(part);
      }
    }
    if (product != 1) letters.insert(letters.begin(), MakeNumber(product));
    factors.push_back(MakeRoot(MakeProduct(std::move(letters)), static_cast<unsigned>(degree)));
  }
  factors.insert(factors.end(), others.begin(), others.end());
  Ptr tree = MakeProduct(std::move(factors));
  if (mp::denominator(coefficient) != 1) {
    tree = MakeQuotient(std::move(tree), MakeNumber(Exact(mp::denominator(coefficient))));
  }
  return coefficient < 0 ? MakeNegation(std::move(tree)) : tree;
}

Ptr TreeOf(const Poly& poly) {
  std::vector<Ptr> terms;
  for (const auto& [monomial, c] : poly) terms.push_back(TreeOfTerm(monomial, c));
  return MakeSum(std::move(terms));
}

Ptr TreeOf(const Value& value) {
  if (IsOne(value.below)) {
    // A sum of roots over one number: (3 + sqrt(5))/2.
    const bool roots = value.above.size() > 1 && std::all_of(value.above.begin(), value.above.end(), [](const auto& term) {
                         return std::all_of(term.first.begin(), term.first.end(),
                                            [](const auto& atom) { return IsPrimeAtom(atom.first) || atom.first == "i"; });
                       });
    if (!roots) return TreeOf(value.above);
    Integer below = 1;
    for (const auto& [monomial, c] : value.above) below = mp::lcm(below, mp::denominator(c));
    if (below == 1) return TreeOf(value.above);
    Poly scaled = value.above;
    for (auto& [monomial, c] : scaled) c *= below;
    return MakeQuotient(TreeOf(scaled), MakeNumber(Exact(below)));
  }
  // Whole coefficients above and below.
  Integer below_number = 1;
  for (const auto& [monomial, c] : value.above) below_number = mp::lcm(below_number, mp::denominator(c));
  Poly above = value.above;
  for (auto& [monomial, c] : above) c *= below_number;
  Poly below = value.below;
  Ptr divisor = FactoredTree(below);
  if (below_number != 1) divisor = MakeProduct({MakeNumber(Exact(below_number)), divisor});
  const bool negative = above.begin()->second < 0;
  const bool all_negative = std::all_of(above.begin(), above.end(), [](const auto& term) { return term.second < 0; });
  if (negative && all_negative) {
    for (auto& [monomial, c] : above) c = -c;
    return MakeNegation(MakeQuotient(TreeOf(above), divisor));
  }
  return MakeQuotient(TreeOf(above), divisor);
}

Ptr Normal(const Ptr& tree) {
  if (tree->Is(Op::kLetter)) return tree;
  // A line asks for the same parts again and again.
  constexpr std::size_t kKept = 64;
  thread_local const auto latest = std::make_unique<Latest<Ptr, kKept>>();
  return latest->Of(TextOf(tree), [&](std::string_view) {
    Value value = ValueOf(tree);
    DropAbs(value);
    return TreeOf(value);
  });
}

Value ValueOf(const Ptr& tree) {
  // Atoms are read again inside, so that the depth of the tree alone bounds nothing.
  constexpr int kMaxNesting = 400;
  thread_local int nesting = 0;
  struct Nested {
    Nested() { ++nesting; }
    ~Nested() { --nesting; }
  } const nested;
  if (nesting > kMaxNesting) TooLarge();
  switch (tree->op) {
    case Op::kNumber:
      return NumberValueOf(tree->number);
    case Op::kLetter:
      return OfAtom(tree->name);
    case Op::kNegation:
      return Multiply(NumberValueOf(-1), ValueOf(tree->args[0]));
    case Op::kSum: {
      Value sum = ValueOf(tree->args[0]);
      for (std::size_t i = 1; i < tree->args.size(); ++i) sum = Add(sum, ValueOf(tree->args[i]));
      return sum;
    }
    case Op::kProduct: {
      Value product = ValueOf(tree->args[0]);
      for (std::size_t i = 1; i < tree->args.size(); ++i) product = Multiply(product, ValueOf(tree->args[i]));
      return product;
    }
    case Op::kQuotient:
      return Divide(ValueOf(tree->args[0]), ValueOf(tree->args[1]));
    case Op::kPower: {
      const Value exponent = ValueOf(tree->args[1]);
      if (const std::optional<Exact> number = RationalOf(exponent)) return Raise(ValueOf(tree->args[0]), *number);
      return RaiseToLetters(tree->args[0], exponent);
    }
    case Op::kRoot:
      return Raise(ValueOf(tree->args[0]), 1 / tree->args[1]->number);
    case Op::kAbs:
      return AbsOf(ValueOf(tree->args[0]));
    case Op::kLog:
      return LogOf(tree);
  }
  return {};
}

Ptr Factored(const Value& value) {
  if (IsZero(value)) return MakeNumber(0);
  if (IsOne(value.below)) return FactoredTree(value.above);
  Ptr above = FactoredTree(value.above);
  Ptr below = FactoredTree(value.below);
  if (above->Is(Op::kQuotient)) {
    below = MakeProduct({above->args[1], below});
    above = above->args[0];
  }
  return MakeQuotient(std::move(above), std::move(below));
}

std::optional<std::pair<Ptr, Ptr>> CommonFactor(const Value& value) {
  if (!IsOne(value.below) || value.above.size() < 2) return std::nullopt;
  const Monomial least = LeastExponents({&value.above});
  if (std::any_of(least.begin(), least.end(), [](const auto& item) { return item.second < 0; })) return std::nullopt;
  Poly rest = DivideByMonomial(value.above, least);
  const Indexed indexed({&rest});
  Exact content = ContentOf(indexed.To(rest));
  if ((rest.begin()->second / content) < 0) content = -content;
  if (least.empty() && (content == 1 || content == -1)) return std::nullopt;
  for (auto& [monomial, c] : rest) c /= content;
  return std::pair(TreeOfTerm(least, content), TreeOf(rest));
}

std::optional<std::vector<Value>> CoefficientsOf(const Value& value, const std::string& atom) {
  constexpr unsigned kMaxPower = 30;
  const auto free_of = [&](const std::string& other) { return other == atom || !HasLetter(ReadTree(other), atom); };
  for (const Poly* poly : {&value.above, &value.below}) {
    for (const auto& [monomial, c] : *poly) {
      for (const auto& [other, exponent] : monomial) {
        if (!free_of(other)) return std::nullopt;
        if (other == atom && (poly == &value.below || !IsWhole(exponent) || exponent < 0 || exponent > kMaxPower)) {
          return std::nullopt;
        }
      }
    }
  }
  std::vector<Poly> parts(1);
  for (const auto& [monomial, c] : value.above) {
    Monomial rest = monomial;
    const auto found = rest.find(atom);
    const std::size_t power = found == rest.end() ? 0 : static_cast<std::size_t>(mp::numerator(found->second));
    if (found != rest.end()) rest.erase(found);
    if (power >= parts.size()) parts.resize(power + 1);
    AddTerm(parts[power], rest, c);
  }
  std::vector<Value> coefficients;
  for (Poly& part : parts) coefficients.push_back(Reduced({std::move(part), value.below}));
  return coefficients;
}

std::vector<std::pair<Integer, unsigned>> PrimeFactors(Integer n) {
  constexpr unsigned kMaxDivisor = 1'000'000;
  std::vector<std::pair<Integer, unsigned>> factors;
  for (unsigned divisor = 2; divisor < kMaxDivisor && Integer(divisor) * divisor <= n; divisor += divisor == 2 ? 1 : 2) {
    unsigned power = 0;
    for (; n % divisor == 0; n /= divisor) ++power;
    if (power > 0) factors.emplace_back(divisor, power);
  }
  if (n > Integer(kMaxDivisor) * kMaxDivisor) throw Refusal{"a number in this is too large to be taken apart into primes"};
  if (n > 1) factors.emplace_back(n, 1);
  return factors;
}

}  // namespace conpole::textbook

#include "domains/school/textbook_polynomial.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace conpole::textbook {
namespace {

namespace mp = boost::multiprecision;

constexpr std::size_t kMaxTerms = 4'000;
constexpr unsigned kMaxDegree = 60;  // of what is factored, with one variable in place of all
constexpr std::size_t kMaxModularFactors = 14;

std::size_t VariablesOf(const MultiPoly& p) { return p.empty() ? 0 : p.begin()->first.size(); }
bool IsConstant(const MultiPoly& p) {
  return p.empty() || (p.size() == 1 && std::all_of(p.begin()->first.begin(), p.begin()->first.end(),
                                                    [](unsigned exponent) { return exponent == 0; }));
}
MultiPoly ConstantPoly(const Exact& value, std::size_t variables) {
  MultiPoly p;
  if (value != 0) p[Exponents(variables, 0)] = value;
  return p;
}
unsigned DegreeIn(const MultiPoly& p, std::size_t variable) {
  unsigned degree = 0;
  for (const auto& [exponents, c] : p) degree = std::max(degree, exponents[variable]);
  return degree;
}

// The coefficients of the powers of a variable, from the constant one up.
std::vector<MultiPoly> CoefficientsIn(const MultiPoly& p, std::size_t variable) {
  std::vector<MultiPoly> coefficients(DegreeIn(p, variable) + 1);
  for (const auto& [exponents, c] : p) {
    Exponents rest = exponents;
    rest[variable] = 0;
    coefficients[exponents[variable]][rest] = c;
  }
  return coefficients;
}

MultiPoly TimesPower(const MultiPoly& p, std::size_t variable, unsigned power) {
  MultiPoly result;
  for (const auto& [exponents, c] : p) {
    Exponents moved = exponents;
    moved[variable] += power;
    result[moved] = c;
  }
  return result;
}

std::size_t MainVariable(const MultiPoly& a, const MultiPoly& b) {
  const std::size_t count = std::max(VariablesOf(a), VariablesOf(b));
  for (std::size_t v = 0; v < count; ++v) {
    if (DegreeIn(a, v) > 0 || DegreeIn(b, v) > 0) return v;
  }
  return count;
}

MultiPoly ContentIn(const MultiPoly& p, std::size_t variable) {
  MultiPoly content;
  for (const MultiPoly& c : CoefficientsIn(p, variable)) {
    if (c.empty()) continue;
    content = content.empty() ? PrimitiveOf(c) : CommonDivisorOf(content, c);
    if (IsConstant(content)) break;
  }
  return content;
}

// The remainder of lc(b)^k a by b in a variable.
MultiPoly PseudoRemainder(MultiPoly a, const MultiPoly& b, std::size_t variable) {
  const unsigned degree = DegreeIn(b, variable);
  const MultiPoly leading = CoefficientsIn(b, variable).back();
  while (!a.empty() && DegreeIn(a, variable) >= degree) {
    const unsigned shift = DegreeIn(a, variable) - degree;
    const MultiPoly top = CoefficientsIn(a, variable).back();
    a = Plus(Times(a, leading), Times(TimesPower(b, variable, shift), top), -1);
    if (!a.empty()) a = PrimitiveOf(a);
    if (a.size() > kMaxTerms) throw Refusal{"this is too large"};
  }
  return a;
}

// Polynomials over a field of a prime number of elements, for factors of whole ones. Coefficients from the constant one up.
using Residue = std::uint64_t;
using ModPoly = std::vector<Residue>;
constexpr Residue kPrime = (1ULL << 61) - 1;
// Products of two residues have 122 bits.
__extension__ using Wide = unsigned __int128;

Residue MulMod(Residue a, Residue b) { return static_cast<Residue>(static_cast<Wide>(a) * b % kPrime); }
Residue PowMod(Residue base, Residue exponent) {
  Residue result = 1;
  for (; exponent > 0; exponent >>= 1U, base = MulMod(base, base)) {
    if ((exponent & 1U) != 0) result = MulMod(result, base);
  }
  return result;
}
Residue InverseMod(Residue a) { return PowMod(a, kPrime - 2); }
void TrimMod(ModPoly& p) {
  while (!p.empty() && p.back() == 0) p.pop_back();
}
ModPoly RemainderMod(ModPoly a, const ModPoly& b, ModPoly* quotient = nullptr) {
  const Residue inverse = b.back() == 1 ? 1 : InverseMod(b.back());
  if (quotient != nullptr) quotient->assign(a.size() >= b.size() ? a.size() - b.size() + 1 : 0, 0);
  while (a.size() >= b.size()) {
    const Residue factor = MulMod(a.back(), inverse);
    const std::size_t shift = a.size() - b.size();
    if (quotient != nullptr) (*quotient)[shift] = factor;
    for (std::size_t i = 0; i < b.size(); ++i) {
      const Residue product = MulMod(factor, b[i]);
      Residue& target = a[i + shift];
      target = target >= product ? target - product : target + kPrime - product;
    }
    TrimMod(a);
    if (a.empty()) break;
  }
  return a;
}
ModPoly TimesMod(const ModPoly& a, const ModPoly& b) {
  if (a.empty() || b.empty()) return {};
  ModPoly product(a.size() + b.size() - 1, 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) product[i + j] = (product[i + j] + MulMod(a[i], b[j])) % kPrime;
  }
  TrimMod(product);
  return product;
}
ModPoly MonicMod(ModPoly p) {
  const Residue inverse = InverseMod(p.back());
  for (Residue& c : p) c = MulMod(c, inverse);
  return p;
}
ModPoly DivisorMod(ModPoly a, ModPoly b) {
  while (!b.empty()) {
    ModPoly rest = RemainderMod(std::move(a), b);
    a = std::move(b);
    b = std::move(rest);
  }
  return a.empty() ? a : MonicMod(std::move(a));
}
ModPoly PowerMod(const ModPoly& base, Wide exponent, const ModPoly& modulus) {
  ModPoly result{1};
  ModPoly square = RemainderMod(base, modulus);
  for (; exponent > 0; exponent >>= 1U) {
    if ((exponent & 1U) != 0) result = RemainderMod(TimesMod(result, square), modulus);
    square = RemainderMod(TimesMod(square, square), modulus);
  }
  return result;
}

// Splits a product of different factors of the same degree.
void SplitEqualDegree(const ModPoly& p, std::size_t degree, std::vector<ModPoly>& factors) {
  if (p.size() - 1 == degree) {
    factors.push_back(p);
    return;
  }
  // (p^d - 1) / 2 as the product of p^((d - 1) ...) would need large exponents: a trace of Frobenius images stands in for it.
  for (Residue seed = 1;; ++seed) {
    ModPoly trial{seed * 7919 % kPrime, seed % 3 + 1};
    for (std::size_t i = 2; i <= degree; ++i) trial.push_back((seed * 104729 * i + i) % kPrime);
    ModPoly norm = RemainderMod(trial, p);
    ModPoly image = norm;
    for (std::size_t i = 1; i < degree; ++i) {
      image = PowerMod(image, kPrime, p);
      norm = RemainderMod(TimesMod(norm, image), p);
    }
    ModPoly half = PowerMod(norm, (kPrime - 1) / 2, p);
    if (half.empty()) half.push_back(0);
    half[0] = (half[0] + kPrime - 1) % kPrime;
    TrimMod(half);
    if (half.empty()) continue;
    const ModPoly divisor = DivisorMod(p, half);
    if (divisor.size() < 2 || divisor.size() == p.size()) continue;
    ModPoly other;
    RemainderMod(p, divisor, &other);
    SplitEqualDegree(divisor, degree, factors);
    SplitEqualDegree(MonicMod(std::move(other)), degree, factors);
    return;
  }
}

std::vector<ModPoly> FactorMod(ModPoly p) {
  std::vector<ModPoly> factors;
  ModPoly frobenius{0, 1};
  for (std::size_t degree = 1; p.size() - 1 >= 2 * degree; ++degree) {
    frobenius = PowerMod(frobenius, kPrime, p);
    ModPoly difference = frobenius;
    difference.resize(std::max<std::size_t>(difference.size(), 2), 0);
    difference[1] = (difference[1] + kPrime - 1) % kPrime;
    TrimMod(difference);
    const ModPoly part = difference.empty() ? p : DivisorMod(p, difference);
    if (part.size() > 1) {
      SplitEqualDegree(part, degree, factors);
      ModPoly rest;
      RemainderMod(p, part, &rest);
      p = MonicMod(std::move(rest));
      if (p.size() > 1) frobenius = RemainderMod(frobenius, p);
    }
    if (p.size() < 2) break;
  }
  if (p.size() > 1) factors.push_back(p);
  return factors;
}

// Maps every variable to a power of the first, so that monomials of these degrees stay different.
struct OneVariable {
  std::vector<unsigned> radix;

  explicit OneVariable(const MultiPoly& p) {
    unsigned product = 1;
    for (std::size_t v = 0; v < VariablesOf(p); ++v) {
      radix.push_back(product);
      const unsigned degree = DegreeIn(p, v) + 1;
      if (product > kMaxDegree * 4 || degree > kMaxDegree) throw Refusal{"this is too large"};
      product *= degree;
    }
    total = product;
  }
  unsigned To(const Exponents& exponents) const {
    unsigned power = 0;
    for (std::size_t v = 0; v < radix.size(); ++v) power += exponents[v] * radix[v];
    return power;
  }
  Exponents From(unsigned power) const {
    Exponents exponents(radix.size(), 0);
    for (std::size_t v = radix.size(); v-- > 0;) {
      exponents[v] = power / radix[v];
      power %= radix[v];
    }
    return exponents;
  }
  unsigned total = 1;
};

// The factors of a primitive polynomial without repeated factors.
void FactorSquareFree(MultiPoly p, std::vector<MultiPoly>& factors) {
  const OneVariable map(p);
  const auto give_up = [&] { factors.push_back(p); };
  std::vector<Integer> whole;
  for (const auto& [exponents, c] : p) {
    const unsigned power = map.To(exponents);
    if (power >= whole.size()) whole.resize(power + 1, 0);
    whole[power] = mp::numerator(c);
  }
  const std::size_t degree = whole.size() - 1;
  if (degree <= 1) return give_up();
  Integer bound = 1;
  for (const Integer& c : whole) bound += mp::abs(c);
  bound *= mp::abs(whole.back()) * 2;
  bound <<= degree;
  if (bound >= kPrime || degree > kMaxDegree) return give_up();
  ModPoly residues;
  for (const Integer& c : whole) residues.push_back(static_cast<Residue>((c % kPrime + kPrime) % kPrime));
  // The powers of one variable may repeat factors that the polynomial itself does not repeat.
  ModPoly derivative;
  for (std::size_t i = 1; i < residues.size(); ++i) derivative.push_back(MulMod(residues[i], i));
  TrimMod(derivative);
  if (derivative.empty() || DivisorMod(residues, derivative).size() > 1) return give_up();
  std::vector<ModPoly> parts = FactorMod(MonicMod(residues));
  if (parts.size() > kMaxModularFactors) return give_up();
  Integer leading = whole.back();
  for (std::size_t size = 1; 2 * size <= parts.size();) {
    std::vector<bool> chosen(parts.size(), false);
    std::fill_n(chosen.begin(), size, true);
    bool found = false;
    do {
      ModPoly product{static_cast<Residue>((leading % kPrime + kPrime) % kPrime)};
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (chosen[i]) product = TimesMod(product, parts[i]);
      }
      MultiPoly candidate;
      for (std::size_t power = 0; power < product.size(); ++power) {
        if (product[power] == 0) continue;
        const Integer value = product[power] > kPrime / 2 ? Integer(product[power]) - kPrime : Integer(product[power]);
        candidate[map.From(static_cast<unsigned>(power))] = Exact(value);
      }
      candidate = PrimitiveOf(candidate);
      const std::optional<MultiPoly> rest = DivideExactly(p, candidate);
      if (!rest || IsConstant(candidate)) continue;
      factors.push_back(candidate);
      p = PrimitiveOf(*rest);
      leading = 1;
      unsigned top = 0;
      for (const auto& [exponents, c] : p) {
        if (map.To(exponents) < top) continue;
        top = map.To(exponents);
        leading = mp::numerator(c);
      }
      std::vector<ModPoly> left;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!chosen[i]) left.push_back(parts[i]);
      }
      parts = std::move(left);
      found = true;
      break;
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
    if (!found) ++size;
  }
  if (!IsConstant(p)) factors.push_back(p);
}

void AddFactor(const MultiPoly& factor, unsigned power, Factorization& result) {
  for (auto& [known, times] : result.factors) {
    if (known != factor) continue;
    times += power;
    return;
  }
  result.factors.emplace_back(factor, power);
}

MultiPoly Derivative(const MultiPoly& p, std::size_t variable) {
  MultiPoly result;
  for (const auto& [exponents, c] : p) {
    if (exponents[variable] == 0) continue;
    Exponents lower = exponents;
    --lower[variable];
    result[lower] = c * exponents[variable];
  }
  return result;
}

// With one variable fewer, if all terms have the same degree: its exponent follows from the others.
std::optional<std::size_t> VariableOfHomogeneous(const MultiPoly& p) {
  std::optional<unsigned> total;
  std::size_t last = VariablesOf(p);
  std::size_t used = 0;
  for (std::size_t v = 0; v < VariablesOf(p); ++v) {
    if (DegreeIn(p, v) == 0) continue;
    last = v;
    ++used;
  }
  if (used < 2) return std::nullopt;
  for (const auto& [exponents, c] : p) {
    const unsigned degree = std::accumulate(exponents.begin(), exponents.end(), 0U);
    if (total && *total != degree) return std::nullopt;
    total = degree;
  }
  return last;
}

void FactorPrimitive(const MultiPoly& p, unsigned power, Factorization& result) {
  if (IsConstant(p)) return;
  const std::size_t count = VariablesOf(p);
  for (std::size_t v = 0; v < count; ++v) {
    if (DegreeIn(p, v) == 0) continue;
    const MultiPoly content = ContentIn(p, v);
    if (!IsConstant(content)) {
      FactorPrimitive(content, power, result);
      FactorPrimitive(PrimitiveOf(*DivideExactly(p, content)), power, result);
      return;
    }
    const MultiPoly repeated = CommonDivisorOf(p, Derivative(p, v));
    if (!IsConstant(repeated)) {
      FactorPrimitive(repeated, power, result);
      FactorPrimitive(PrimitiveOf(*DivideExactly(p, repeated)), power, result);
      return;
    }
  }
  std::vector<MultiPoly> factors;
  if (const std::optional<std::size_t> variable = VariableOfHomogeneous(p)) {
    MultiPoly smaller;
    for (const auto& [exponents, c] : p) {
      Exponents without = exponents;
      without[*variable] = 0;
      smaller[without] = c;
    }
    FactorSquareFree(PrimitiveOf(smaller), factors);
    for (MultiPoly& factor : factors) {
      unsigned degree = 0;
      for (const auto& [exponents, c] : factor) {
        degree = std::max(degree, std::accumulate(exponents.begin(), exponents.end(), 0U));
      }
      MultiPoly whole;
      for (const auto& [exponents, c] : factor) {
        Exponents with = exponents;
        with[*variable] = degree - std::accumulate(exponents.begin(), exponents.end(), 0U);
        whole[with] = c;
      }
      factor = PrimitiveOf(whole);
    }
  } else {
    FactorSquareFree(p, factors);
  }
  for (const MultiPoly& factor : factors) AddFactor(factor, power, result);
}

}  // namespace

MultiPoly Plus(const MultiPoly& a, const MultiPoly& b, const Exact& factor) {
  MultiPoly sum = a;
  for (const auto& [exponents, c] : b) {
    Exact& target = sum[exponents];
    target += c * factor;
    if (target == 0) sum.erase(exponents);
  }
  return sum;
}

MultiPoly Times(const MultiPoly& a, const MultiPoly& b) {
  if (a.size() * b.size() > kMaxTerms * 10) throw Refusal{"this is too large"};
  MultiPoly product;
  for (const auto& [left, c] : a) {
    for (const auto& [right, d] : b) {
      Exponents exponents = left;
      for (std::size_t v = 0; v < exponents.size(); ++v) exponents[v] += right[v];
      Exact& target = product[exponents];
      target += c * d;
      if (target == 0) product.erase(exponents);
    }
  }
  return product;
}

std::optional<MultiPoly> DivideExactly(MultiPoly a, const MultiPoly& b) {
  const auto& [top, leading] = *b.rbegin();
  MultiPoly quotient;
  while (!a.empty()) {
    const auto& [exponents, c] = *a.rbegin();
    Exponents factor = exponents;
    for (std::size_t v = 0; v < factor.size(); ++v) {
      if (factor[v] < top[v]) return std::nullopt;
      factor[v] -= top[v];
    }
    const Exact ratio = c / leading;
    quotient[factor] = ratio;
    MultiPoly term;
    term[factor] = ratio;
    a = Plus(a, Times(term, b), -1);
    if (quotient.size() > kMaxTerms) return std::nullopt;
  }
  return quotient;
}

Exact ContentOf(const MultiPoly& p) {
  Integer above = 0;
  Integer below = 1;
  for (const auto& [exponents, c] : p) {
    above = mp::gcd(above, Integer(mp::abs(mp::numerator(c))));
    below = mp::lcm(below, mp::denominator(c));
  }
  if (above == 0) return 1;
  return p.rbegin()->second < 0 ? Exact(-above, below) : Exact(above, below);
}

MultiPoly PrimitiveOf(const MultiPoly& p) {
  const Exact content = ContentOf(p);
  if (content == 1) return p;
  MultiPoly primitive = p;
  for (auto& [exponents, c] : primitive) c /= content;
  return primitive;
}

MultiPoly CommonDivisorOf(const MultiPoly& a, const MultiPoly& b) {
  if (a.empty()) return PrimitiveOf(b);
  if (b.empty()) return PrimitiveOf(a);
  if (IsConstant(a) || IsConstant(b)) return ConstantPoly(1, VariablesOf(a));
  const std::size_t variable = MainVariable(a, b);
  MultiPoly content_a = ContentIn(a, variable);
  MultiPoly content_b = ContentIn(b, variable);
  MultiPoly p = PrimitiveOf(*DivideExactly(a, content_a));
  MultiPoly q = PrimitiveOf(*DivideExactly(b, content_b));
  const MultiPoly content = CommonDivisorOf(content_a, content_b);
  if (DegreeIn(p, variable) < DegreeIn(q, variable)) std::swap(p, q);
  while (!q.empty() && DegreeIn(q, variable) > 0) {
    MultiPoly rest = PseudoRemainder(p, q, variable);
    p = std::move(q);
    q = rest.empty() ? rest : PrimitiveOf(*DivideExactly(rest, ContentIn(rest, variable)));
  }
  if (!q.empty()) p = ConstantPoly(1, VariablesOf(a));
  return PrimitiveOf(Times(content, p));
}

Factorization Factors(const MultiPoly& p) {
  Factorization result;
  result.content = ContentOf(p);
  MultiPoly rest = PrimitiveOf(p);
  // Powers of the variables themselves.
  for (std::size_t v = 0; v < VariablesOf(p); ++v) {
    unsigned least = DegreeIn(rest, v);
    for (const auto& [exponents, c] : rest) least = std::min(least, exponents[v]);
    if (least == 0) continue;
    MultiPoly smaller;
    for (const auto& [exponents, c] : rest) {
      Exponents lower = exponents;
      lower[v] -= least;
      smaller[lower] = c;
    }
    rest = std::move(smaller);
    MultiPoly variable;
    Exponents one(VariablesOf(p), 0);
    one[v] = 1;
    variable[one] = 1;
    AddFactor(variable, least, result);
  }
  FactorPrimitive(rest, 1, result);
  return result;
}

}  // namespace conpole::textbook

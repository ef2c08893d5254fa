#include "domains/school/algebra_polynomial.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace conpole::algebra {
namespace {

namespace mp = boost::multiprecision;

// Divisors of larger numbers are not listed.
constexpr std::uint64_t kMaxDivided = 1'000'000;
constexpr std::uint64_t kMaxRootFactor = 1'000;

void Trim(Polynomial& p) {
  while (!p.empty() && p.back().is_zero()) p.pop_back();
}

std::vector<Integer> Divisors(const Integer& number) {
  std::vector<Integer> divisors;
  const auto n = static_cast<std::uint64_t>(number);
  for (std::uint64_t d = 1; d * d <= n; ++d) {
    if (n % d != 0) continue;
    divisors.emplace_back(d);
    if (d * d != n) divisors.emplace_back(n / d);
  }
  return divisors;
}

Polynomial Derivative(const Polynomial& p) {
  Polynomial result;
  for (std::size_t i = 1; i < p.size(); ++i) result.push_back(p[i] * static_cast<std::int64_t>(i));
  return result;
}

// Takes the linear factor of a root out as often as it is there. Requires that it is a root.
void TakeOut(Polynomial& p, const Exact& root) {
  while (p.size() > 1 && ValueAt(p, root).is_zero()) p = Divide(p, Polynomial{-root, 1}).quotient;
}

std::optional<Integer> ExactRoot(const Integer& number, unsigned degree) {
  if (degree == 1 || number <= 1) return number;
  if (degree == 2) {
    Integer rest;
    const Integer root = mp::sqrt(number, rest);
    if (rest != 0) return std::nullopt;
    return root;
  }
  // The root lies in [2^k, 2^(k+1)).
  const auto k = static_cast<unsigned>((BitsOf(number) - 1) / degree);
  Integer low = Integer(1) << k;
  Integer high = low << 1;
  while (high - low > 1) {
    const Integer middle = (low + high) >> 1;
    (mp::pow(middle, degree) <= number ? low : high) = middle;
  }
  if (mp::pow(low, degree) != number) return std::nullopt;
  return low;
}

}  // namespace

std::size_t BitsOf(const Integer& number) {
  return number.is_zero() ? 0 : static_cast<std::size_t>(mp::msb(number < 0 ? Integer(-number) : number)) + 1;
}

bool Small(const Exact& number) {
  return BitsOf(mp::numerator(number)) <= kMaxBits && BitsOf(mp::denominator(number)) <= kMaxBits;
}

bool Small(const Polynomial& p) {
  return Degree(p) <= kMaxDegree && std::all_of(p.begin(), p.end(), [](const Exact& c) { return Small(c); });
}

Polynomial Constant(const Exact& value) {
  if (value.is_zero()) return {};
  return {value};
}

Polynomial Add(const Polynomial& a, const Polynomial& b) {
  Polynomial sum = a.size() >= b.size() ? a : b;
  const Polynomial& shorter = a.size() >= b.size() ? b : a;
  for (std::size_t i = 0; i < shorter.size(); ++i) sum[i] += shorter[i];
  Trim(sum);
  return sum;
}

Polynomial Multiply(const Polynomial& a, const Polynomial& b) {
  if (a.empty() || b.empty()) return {};
  if (b.size() == 1) return Scale(a, b[0]);
  if (a.size() == 1) return Scale(b, a[0]);
  Polynomial product(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].is_zero()) continue;
    for (std::size_t j = 0; j < b.size(); ++j) product[i + j] += a[i] * b[j];
  }
  return product;
}

Polynomial Scale(const Polynomial& a, const Exact& factor) {
  if (factor.is_zero()) return {};
  if (factor == 1) return a;
  Polynomial product = a;
  for (Exact& coefficient : product) coefficient *= factor;
  return product;
}

Division Divide(const Polynomial& a, const Polynomial& b) {
  Division result{{}, a};
  if (a.size() < b.size()) return result;
  result.quotient.resize(a.size() - b.size() + 1);
  while (result.remainder.size() >= b.size()) {
    const std::size_t shift = result.remainder.size() - b.size();
    const Exact factor = result.remainder.back() / b.back();
    result.quotient[shift] = factor;
    for (std::size_t i = 0; i < b.size(); ++i) result.remainder[i + shift] -= factor * b[i];
    Trim(result.remainder);
  }
  return result;
}

Polynomial CommonDivisor(Polynomial a, Polynomial b) {
  if (a.size() < b.size()) std::swap(a, b);
  while (!b.empty()) {
    if (b.size() == 1) return Constant(1);
    Polynomial remainder = Divide(a, b).remainder;
    a = std::move(b);
    // Whole coefficients without a common factor stay smaller.
    b = remainder.empty() ? std::move(remainder) : Primitive(remainder);
  }
  if (a.empty()) return a;
  return Scale(a, 1 / a.back());
}

Exact ValueAt(const Polynomial& p, const Exact& point) {
  Exact value = 0;
  for (std::size_t i = p.size(); i-- > 0;) {
    value *= point;
    value += p[i];
  }
  return value;
}

Exact Content(const Polynomial& p) {
  Integer above = 0;
  Integer below = 1;
  for (const Exact& coefficient : p) {
    above = mp::gcd(above, mp::numerator(coefficient));
    below = mp::lcm(below, mp::denominator(coefficient));
  }
  const Exact content(above, below);
  return p.back() < 0 ? Exact(-content) : content;
}

Polynomial Primitive(const Polynomial& p) { return Scale(p, 1 / Content(p)); }

std::vector<Exact> RationalRoots(const Polynomial& p) {
  std::vector<Exact> roots;
  Polynomial rest = p;
  if (rest.front().is_zero()) {
    roots.emplace_back(0);
    TakeOut(rest, 0);
  }
  if (rest.size() > 3) {
    const Polynomial whole = Primitive(rest);
    const Integer last = mp::abs(mp::numerator(whole.front()));
    const Integer first = mp::numerator(whole.back());
    if (last <= kMaxDivided && first <= kMaxDivided) {
      const std::vector<Integer> below = Divisors(first);
      for (const Integer& above : Divisors(last)) {
        for (const Integer& divisor : below) {
          if (mp::gcd(above, divisor) != 1) continue;
          for (const Exact& candidate : {Exact(above, divisor), Exact(-above, divisor)}) {
            if (!ValueAt(rest, candidate).is_zero()) continue;
            roots.push_back(candidate);
            TakeOut(rest, candidate);
          }
        }
      }
    }
  }
  if (rest.size() == 2) roots.emplace_back(-rest[0] / rest[1]);
  if (rest.size() == 3) {
    const Exact discriminant = rest[1] * rest[1] - 4 * rest[0] * rest[2];
    if (discriminant >= 0) {
      if (const std::optional<Exact> root = ExactRoot(discriminant, 2)) {
        roots.emplace_back((-rest[1] - *root) / (2 * rest[2]));
        roots.emplace_back((-rest[1] + *root) / (2 * rest[2]));
      }
    }
  }
  std::sort(roots.begin(), roots.end());
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  return roots;
}

std::vector<Polynomial> RootFactors(const Polynomial& p) {
  std::vector<Polynomial> factors;
  Polynomial rest = p;
  for (const Exact& root : RationalRoots(p)) {
    factors.push_back(Primitive({-root, 1}));
    TakeOut(rest, root);
  }
  if (rest.size() < 3) return factors;
  rest = Divide(rest, CommonDivisor(rest, Derivative(rest))).quotient;
  if (rest.size() == 3 && rest[1] * rest[1] < 4 * rest[0] * rest[2]) return factors;
  factors.push_back(Primitive(rest));
  return factors;
}

Surd Simplified(Surd surd) {
  Integer& c = surd.radicand;
  if (surd.factor.is_zero() || c.is_zero()) return {surd.rational, 0, 0};
  for (std::uint64_t d = 2; d <= kMaxRootFactor; ++d) {
    const Integer power = mp::pow(Integer(d), surd.degree);
    if (power > c) break;
    while (c % power == 0) {
      c /= power;
      surd.factor *= d;
    }
  }
  // The fourth root of 9 is the square root of 3.
  for (unsigned divisor = surd.degree; divisor > 1; --divisor) {
    if (surd.degree % divisor != 0) continue;
    if (std::optional<Integer> root = ExactRoot(c, divisor)) {
      c = std::move(*root);
      surd.degree /= divisor;
    }
  }
  if (surd.degree > 1) return surd;
  return {surd.rational + surd.factor * c, 0, 0};
}

std::optional<Surd> RootOf(const Exact& number, unsigned degree) {
  // The root of p/q is the root of p q^(n - 1), over q.
  const Integer above = mp::numerator(number);
  const Integer below = mp::denominator(number);
  if (BitsOf(above) + BitsOf(below) * (degree - 1) > kMaxBits) return std::nullopt;
  return Simplified({0, Exact(1, below), above * mp::pow(below, degree - 1), degree});
}

std::optional<std::vector<Surd>> QuadraticRoots(const Polynomial& p) {
  const Exact discriminant = p[1] * p[1] - 4 * p[0] * p[2];
  if (discriminant < 0) return std::nullopt;
  const Exact middle = -p[1] / (2 * p[2]);
  if (discriminant.is_zero()) return std::vector<Surd>{{middle, 0, 0}};
  // sqrt(n / d) = sqrt(n d) / d
  const Exact factor = 1 / (2 * p[2] * mp::denominator(discriminant));
  const Integer radicand = mp::numerator(discriminant) * mp::denominator(discriminant);
  return std::vector<Surd>{Simplified({middle, factor, radicand}), Simplified({middle, -factor, radicand})};
}

Polynomial MinimalPolynomial(const Surd& surd) {
  if (surd.factor.is_zero()) return Primitive({-surd.rational, 1});
  // (x - a)^n - b^n c
  Polynomial power = Constant(1);
  Exact product = surd.radicand;
  for (unsigned i = 0; i < surd.degree; ++i) {
    power = Multiply(power, {-surd.rational, 1});
    product *= surd.factor;
  }
  power[0] -= product;
  return Primitive(power);
}

std::optional<Exact> ExactRoot(const Exact& number, unsigned degree) {
  const std::optional<Integer> above = ExactRoot(Integer(mp::numerator(number)), degree);
  const std::optional<Integer> below = ExactRoot(Integer(mp::denominator(number)), degree);
  if (!above || !below) return std::nullopt;
  return Exact(*above, *below);
}

}  // namespace conpole::algebra

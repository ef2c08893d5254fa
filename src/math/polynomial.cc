#include "math/polynomial.h"

#include <algorithm>
#include <utility>

namespace conpole {
namespace {

std::uint64_t Words(const Integer& n) { return n.backend().size(); }

void Trim(Polynomial& p) {
  while (!p.empty() && p.back() == 0) p.pop_back();
}

// The greatest common divisor of the coefficients, positive; 0 for the polynomial 0.
Integer Content(const Polynomial& p, Work& work) {
  Integer content = 0;
  for (const Integer& coefficient : p) {
    work.SpendOn(content, coefficient);
    content = gcd(content, coefficient);
    if (content == 1) break;
  }
  return content;
}

void DivideByContent(Polynomial& p, Work& work) {
  const Integer content = Content(p, work);
  if (content <= 1) return;
  for (Integer& coefficient : p) {
    work.SpendOn(content, coefficient);
    coefficient /= content;
  }
}

// A positive multiple of the remainder of a divided by b. Requires b != 0.
Polynomial Remainder(Polynomial a, const Polynomial& b, Work& work) {
  const Integer scale = abs(b.back());
  while (a.size() >= b.size()) {
    const std::size_t shift = a.size() - b.size();
    const Integer factor = b.back() < 0 ? Integer(-a.back()) : a.back();
    for (std::size_t i = 0; i < a.size(); ++i) {
      work.SpendOn(a[i], scale);
      a[i] *= scale;
      if (i < shift) continue;
      work.SpendOn(b[i - shift], factor);
      a[i] -= b[i - shift] * factor;
    }
    Trim(a);
    DivideByContent(a, work);
  }
  return a;
}

Polynomial Derivative(const Polynomial& p) {
  Polynomial derivative;
  for (std::size_t i = 1; i < p.size(); ++i) derivative.emplace_back(p[i] * i);
  return derivative;
}

Integer ValueAt(const Polynomial& p, const Integer& x, Work& work) {
  Integer value = 0;
  for (std::size_t i = p.size(); i-- > 0;) {
    work.SpendOn(value, x);
    value = value * x + p[i];
  }
  return value;
}

// Sturm's chain of a polynomial without multiple roots: the number of sign changes along it at a, less that at b, is the number
// of real roots in (a, b].
class SturmChain {
 public:
  SturmChain(const Polynomial& p, Work& work) : work_(work) {
    chain_.push_back(p);
    Polynomial next = Derivative(p);
    while (!next.empty()) {
      chain_.push_back(std::move(next));
      next = Remainder(chain_[chain_.size() - 2], chain_.back(), work);
      for (Integer& coefficient : next) coefficient = -coefficient;
    }
  }

  std::size_t RealRoots() const {
    std::vector<int> low;
    std::vector<int> high;
    for (const Polynomial& p : chain_) {
      high.push_back(p.back().sign());
      low.push_back(Degree(p) % 2 == 0 ? high.back() : -high.back());
    }
    return Changes(low) - Changes(high);
  }

  std::size_t ChangesAt(const Integer& x) const {
    std::vector<int> signs;
    for (const Polynomial& p : chain_) signs.push_back(ValueAt(p, x, work_).sign());
    return Changes(signs);
  }

 private:
  static std::size_t Changes(const std::vector<int>& signs) {
    std::size_t changes = 0;
    int last = 0;
    for (const int sign : signs) {
      if (sign == 0) continue;
      if (last != 0 && sign != last) ++changes;
      last = sign;
    }
    return changes;
  }

  std::vector<Polynomial> chain_;
  Work& work_;
};

// The integers, ascending, with a root of a polynomial without multiple roots between the one before, exclusive, and them:
// intervals with roots are halved until they hold one integer.
std::vector<Integer> IntegersAbove(const Polynomial& p, Work& work) {
  const SturmChain chain(p, work);
  Integer largest = 1;
  for (const Integer& coefficient : p) largest = std::max(largest, Integer(abs(coefficient)));
  const Integer bound = largest + 2;  // Cauchy's, made larger
  struct Interval {
    Integer low;  // exclusive
    Integer high;
    std::size_t low_changes;
    std::size_t high_changes;
  };
  std::vector<Integer> roots;
  std::vector<Interval> open{{-bound, bound, chain.ChangesAt(-bound), chain.ChangesAt(bound)}};
  while (!open.empty()) {
    Interval interval = std::move(open.back());
    open.pop_back();
    if (interval.low_changes == interval.high_changes) continue;
    if (interval.high - interval.low == 1) {
      roots.push_back(std::move(interval.high));
      continue;
    }
    // Both ends may be negative, and shifting rounds down where dividing would not.
    const Integer middle = interval.low + ((interval.high - interval.low) >> 1);
    const std::size_t changes = chain.ChangesAt(middle);
    open.push_back({middle, std::move(interval.high), changes, interval.high_changes});
    open.push_back({std::move(interval.low), middle, interval.low_changes, changes});
  }
  return roots;
}

}  // namespace

void Work::SpendOn(const Integer& a, const Integer& b) { Spend(4 + Words(a) * Words(b)); }

Polynomial Multiply(const Polynomial& a, const Polynomial& b, Work& work) {
  if (a.empty() || b.empty()) return {};
  Polynomial product(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < b.size(); ++k) {
      work.SpendOn(a[i], b[k]);
      product[i + k] += a[i] * b[k];
    }
  }
  return product;
}

Polynomial Add(const Polynomial& a, const Polynomial& b, Work& work) {
  Polynomial sum = a;
  sum.resize(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < b.size(); ++i) {
    work.Spend(4 + Words(b[i]));
    sum[i] += b[i];
  }
  Trim(sum);
  return sum;
}

Polynomial Subtract(const Polynomial& a, const Polynomial& b, Work& work) {
  Polynomial negative = b;
  for (Integer& coefficient : negative) coefficient = -coefficient;
  return Add(a, negative, work);
}

Polynomial Primitive(Polynomial p, Work& work) {
  DivideByContent(p, work);
  if (!p.empty() && p.back() < 0) {
    for (Integer& coefficient : p) coefficient = -coefficient;
  }
  return p;
}

Polynomial CommonDivisor(Polynomial a, Polynomial b, Work& work) {
  while (!b.empty()) {
    Polynomial rest = Remainder(std::move(a), b, work);
    a = std::move(b);
    b = std::move(rest);
  }
  return Primitive(std::move(a), work);
}

Polynomial Divide(Polynomial a, const Polynomial& b, Work& work) {
  if (a.size() < b.size()) return {};
  Polynomial quotient(a.size() - b.size() + 1);
  for (std::size_t shift = quotient.size(); shift-- > 0;) {
    Integer& factor = quotient[shift];
    factor = a[shift + b.size() - 1] / b.back();
    for (std::size_t i = 0; i < b.size(); ++i) {
      work.SpendOn(b[i], factor);
      a[shift + i] -= b[i] * factor;
    }
  }
  return quotient;
}

Polynomial WithoutRootsOf(Polynomial p, const Polynomial& other, Work& work) {
  p = Primitive(std::move(p), work);
  while (true) {
    const Polynomial common = CommonDivisor(p, other, work);
    if (Degree(common) == 0) return p;
    p = Divide(std::move(p), common, work);
  }
}

RealRoots FindRealRoots(const Polynomial& p, Work& work) {
  RealRoots roots;
  Polynomial simple = Primitive(p, work);
  simple = Divide(simple, CommonDivisor(simple, Derivative(simple), work), work);
  if (Degree(simple) > 1) {
    // A rational root of `simple` has a denominator that divides the leading coefficient a, so that a times it is an integer:
    // the roots of y^n + ... with y = a x.
    const Integer leading = simple.back();
    Polynomial scaled = simple;
    Integer power = 1;
    for (std::size_t i = scaled.size() - 1; i-- > 0; power *= leading) {
      work.SpendOn(scaled[i], power);
      scaled[i] *= power;
    }
    scaled.back() = 1;
    for (const Integer& root : IntegersAbove(scaled, work)) {
      if (ValueAt(scaled, root, work) != 0) continue;
      roots.rational.emplace_back(root, leading);
      const Exact& value = roots.rational.back();
      simple = Divide(std::move(simple), {-numerator(value), denominator(value)}, work);
    }
  } else if (Degree(simple) == 1) {
    roots.rational.emplace_back(-simple[0], simple[1]);
    simple = {1};
  }
  if (Degree(simple) > 1) roots.irrational = SturmChain(simple, work).RealRoots();
  roots.rest = std::move(simple);
  return roots;
}

std::vector<Integer> RoundedRoots(const RealRoots& roots, const Integer& n, Work& work) {
  // The polynomial with the roots 2nx.
  Polynomial scaled = roots.rest;
  Integer power = 1;
  for (std::size_t i = scaled.size(); i-- > 0; power *= 2 * n) {
    work.SpendOn(scaled[i], power);
    scaled[i] *= power;
  }
  std::vector<Integer> rounded = IntegersAbove(scaled, work);
  if (rounded.size() != roots.irrational) return {};
  for (Integer& root : rounded) root >>= 1;
  return rounded;
}

bool SameRoots(const RealRoots& a, const RealRoots& b, Work& work) {
  if (a.rational != b.rational || a.irrational != b.irrational) return false;
  return a.irrational == 0 || FindRealRoots(CommonDivisor(a.rest, b.rest, work), work).irrational == a.irrational;
}

}  // namespace conpole

#include "tests/algebra_judge.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

namespace conpole {
namespace {

using Exact = boost::multiprecision::cpp_rational;
using boost::multiprecision::cpp_int;

// From the constant coefficient up, without zeros at the end.
using Poly = std::vector<Exact>;

Poly Trimmed(Poly p) {
  while (!p.empty() && p.back() == 0) p.pop_back();
  return p;
}

Poly Plus(const Poly& a, const Poly& b, const Exact& times = 1) {
  Poly sum(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < a.size(); ++i) sum[i] += a[i];
  for (std::size_t i = 0; i < b.size(); ++i) sum[i] += times * b[i];
  return Trimmed(std::move(sum));
}

Poly Times(const Poly& a, const Poly& b) {
  Poly product(a.size() + b.size() + 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) product[i + j] += a[i] * b[j];
  }
  return Trimmed(std::move(product));
}

// Returns the quotient and leaves the remainder.
Poly DivideOut(Poly& a, const Poly& b) {
  Poly quotient(a.size() + 1);
  while (a.size() >= b.size()) {
    const std::size_t shift = a.size() - b.size();
    const Exact factor = a.back() / b.back();
    quotient[shift] = factor;
    for (std::size_t i = 0; i < b.size(); ++i) a[i + shift] -= factor * b[i];
    a = Trimmed(std::move(a));
  }
  return Trimmed(std::move(quotient));
}

Poly Monic(Poly p) {
  const Exact leading = p.back();
  for (Exact& c : p) c /= leading;
  return p;
}

Poly Gcd(Poly a, Poly b) {
  while (!b.empty()) {
    DivideOut(a, b);
    std::swap(a, b);
    if (!b.empty()) b = Monic(std::move(b));
  }
  return Monic(std::move(a));
}

Poly Quotient(Poly a, const Poly& b) { return DivideOut(a, b); }

Poly Derivative(const Poly& p) {
  Poly result;
  for (std::size_t i = 1; i < p.size(); ++i) result.push_back(p[i] * i);
  return result;
}

// How many different real roots a polynomial has, by Sturm's theorem.
int RealRootCount(const Poly& p) {
  if (p.size() <= 1) return 0;
  std::vector<Poly> chain{p, Derivative(p)};
  while (chain.back().size() > 1) {
    Poly next = chain[chain.size() - 2];
    DivideOut(next, chain.back());
    if (next.empty()) break;
    for (Exact& c : next) c = -c;
    const Exact size = abs(next.back());
    for (Exact& c : next) c /= size;
    chain.push_back(std::move(next));
  }
  const auto changes = [&](bool at_minus_infinity) {
    int count = 0;
    int last = 0;
    for (const Poly& q : chain) {
      int sign = q.back() > 0 ? 1 : -1;
      if (at_minus_infinity && q.size() % 2 == 0) sign = -sign;
      if (last != 0 && sign != last) ++count;
      last = sign;
    }
    return count;
  };
  return changes(true) - changes(false);
}

bool SameRealRoots(const Poly& a, const Poly& b) {
  const Poly common = Gcd(a, b);
  // What one has beyond the common part may be a root of the common part again.
  const auto beyond = [&](const Poly& p) {
    Poly rest = p;
    for (Poly shared = Gcd(rest, common); shared.size() > 1; shared = Gcd(rest, common)) rest = Quotient(rest, shared);
    return RealRootCount(rest);
  };
  return beyond(a) == 0 && beyond(b) == 0;
}

struct Ratio {
  Poly above;
  Poly below{1};
};

bool Same(const Ratio& a, const Ratio& b) { return Times(a.above, b.below) == Times(b.above, a.below); }
Ratio Combine(char op, const Ratio& a, const Ratio& b) {
  switch (op) {
    case '+':
      return {Plus(Times(a.above, b.below), Times(b.above, a.below)), Times(a.below, b.below)};
    case '-':
      return {Plus(Times(a.above, b.below), Times(b.above, a.below), -1), Times(a.below, b.below)};
    case '*':
      return {Times(a.above, b.above), Times(a.below, b.below)};
    default:
      return {Times(a.above, b.below), Times(a.below, b.above)};
  }
}

// One side of an equation, or a number. A letter is the unknown; where there is a root of a number, that takes the unknown's
// place.
class SideReader {
 public:
  explicit SideReader(std::string_view text) : text_(text) {}

  Ratio Read() {
    Ratio value = Sum();
    if (at_ != text_.size()) Fail();
    return value;
  }
  const std::vector<Poly>& divided_by() const { return divided_by_; }
  const cpp_int& radicand() const { return radicand_; }
  unsigned degree() const { return degree_; }

 private:
  [[noreturn]] void Fail() const { throw std::runtime_error("the judge cannot read '" + std::string(text_) + "'"); }
  char Peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool Eat(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }

  Ratio Sum() {
    Ratio total;
    char op = Eat('-') ? '-' : '+';
    for (;;) {
      total = Combine(op, total, Term());
      if (Eat('+')) {
        op = '+';
      } else if (Eat('-')) {
        op = '-';
      } else {
        return total;
      }
    }
  }

  // From left to right: dividing by one factor at a time comes to the same, whatever binds tighter.
  Ratio Term() {
    Ratio total = Factor();
    for (;;) {
      const char c = Peek();
      if (Eat('*')) {
        total = Combine('*', total, Factor());
      } else if (Eat('/')) {
        const Ratio below = Factor();
        if (below.above.empty()) throw std::runtime_error("a division by zero");
        divided_by_.push_back(below.above);
        total = Combine('/', total, below);
      } else if (c == '(' || std::isalpha(static_cast<unsigned char>(c)) != 0) {
        total = Combine('*', total, Factor());
      } else {
        return total;
      }
    }
  }

  Ratio Factor() {
    Ratio base = Atom();
    if (!Eat('^')) return base;
    Ratio power{{1}, {1}};
    for (cpp_int i = Digits(); i > 0; --i) power = Combine('*', power, base);
    return power;
  }

  Ratio Atom() {
    if (Eat('(')) {
      Ratio inside = Sum();
      if (!Eat(')')) Fail();
      return inside;
    }
    for (const auto& [name, degree] : {std::pair{"sqrt(", 2U}, {"cbrt(", 3U}, {"root(", 0U}}) {
      if (!text_.substr(at_).starts_with(name)) continue;
      at_ += 5;
      degree_ = degree;
      if (degree == 0) {
        degree_ = static_cast<unsigned>(Digits());
        if (!Eat(',')) Fail();
      }
      radicand_ = Digits();
      if (!Eat(')')) Fail();
      return {{0, 1}, {1}};
    }
    if (std::isalpha(static_cast<unsigned char>(Peek())) != 0) {
      ++at_;
      return {{0, 1}, {1}};
    }
    Exact value = Digits();
    if (at_ < text_.size() && text_[at_] == '.') {
      const std::size_t start = ++at_;
      const cpp_int places = Digits();
      value += Exact(places, pow(cpp_int(10), static_cast<unsigned>(at_ - start)));
    } else if (std::isdigit(static_cast<unsigned char>(Peek())) != 0) {
      const cpp_int above = Digits();
      if (!Eat('/')) Fail();
      value += Exact(above, Digits());
    }
    return {Trimmed({value}), {1}};
  }

  cpp_int Digits() {
    Peek();
    const std::size_t start = at_;
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    if (at_ == start) Fail();
    std::string digits(text_.substr(start, at_ - start));
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));  // no octal numbers
    return cpp_int(digits);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Poly> divided_by_;
  cpp_int radicand_;
  unsigned degree_ = 0;  // of the root of it
};

std::vector<std::string_view> SplitAt(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + separator.size());
  }
}

struct Solutions {
  std::optional<Exact> value;  // of a number expression, which has nothing else
  bool every = false;          // every number that is not excluded
  Poly zero{1};                // its real roots are the solutions, unless excluded
  Poly excluded{1};
};

Solutions SolutionsOf(std::string_view state) {
  Solutions result;
  if (state == "no solution") return result;
  const std::vector<std::string_view> parts = SplitAt(state, "; ");
  for (std::size_t i = 1; i < parts.size(); ++i) {
    for (const std::string_view condition : SplitAt(parts[i], ", ")) {
      const std::vector<std::string_view> sides = SplitAt(condition, " != ");
      const Ratio difference = Combine('-', SideReader(sides.at(0)).Read(), SideReader(sides.at(1)).Read());
      result.excluded = Times(result.excluded, difference.above);
    }
  }
  if (parts[0] == "every number") {
    result.every = true;
    return result;
  }
  if (parts[0].find('=') == std::string_view::npos) {
    const Ratio value = SideReader(state).Read();
    if (value.above.size() > 1 || value.below.size() != 1) throw std::runtime_error("no number");
    result.value = value.above.empty() ? Exact(0) : Exact(value.above[0] / value.below[0]);
    return result;
  }
  const std::vector<std::string_view> equations = SplitAt(parts[0], " or ");
  std::map<Poly, Exact> half;  // polynomials of even degree of which one root was an answer, and the factor of its root
  for (const std::string_view equation : equations) {
    const std::vector<std::string_view> sides = SplitAt(equation, " = ");
    SideReader left(sides.at(0));
    SideReader right(sides.at(1));
    const Ratio left_value = left.Read();
    Ratio right_value = right.Read();
    if (right.radicand() != 0) {
      // x = p(s) with s^n = c is x = a + b s, and a root of (x - a)^n - b^n c. Real ones are a + b s and, if n is even, a - b
      // s.
      if (left_value.above != Poly{0, 1}) throw std::runtime_error("a root that is not in an answer");
      Poly p = right_value.above;
      Poly power(right.degree() + 1);
      power.front() = -Exact(right.radicand());
      power.back() = 1;
      DivideOut(p, power);
      if (p.size() > 2) throw std::runtime_error("a power of a root in an answer");
      p.resize(2);
      const Exact a = p[0] / right_value.below.at(0);
      const Exact b = p[1] / right_value.below.at(0);
      Poly least{1};
      Exact constant = Exact(right.radicand());
      for (unsigned i = 0; i < right.degree(); ++i) {
        least = Times(least, Poly{-a, 1});
        constant *= b;
      }
      least = Plus(least, Poly{constant}, -1);
      if (right.degree() % 2 == 1) {
        result.zero = Times(result.zero, least);
        continue;
      }
      const auto other = half.find(least);
      if (other == half.end()) {
        half.emplace(least, b);
        continue;
      }
      if (other->second != -b) throw std::runtime_error("one root twice");
      half.erase(other);
      result.zero = Times(result.zero, least);
      continue;
    }
    for (const SideReader* side : {&left, &right}) {
      for (const Poly& below : side->divided_by()) {
        if (below.size() > 1 && equations.size() > 1) throw std::runtime_error("a condition that is not for all");
        result.excluded = Times(result.excluded, below);
      }
    }
    const Ratio difference = Combine('-', left_value, right_value);
    if (difference.above.empty()) result.every = true;
    result.zero = Times(result.zero, difference.above);
  }
  if (!half.empty()) throw std::runtime_error("a root without its conjugate");
  return result;
}

// Without excluded roots.
Poly Allowed(const Solutions& solutions) {
  Poly p = solutions.zero;
  for (Poly shared = Gcd(p, solutions.excluded); shared.size() > 1; shared = Gcd(p, solutions.excluded))
    p = Quotient(p, shared);
  return p;
}

bool SameSolutions(const Solutions& a, const Solutions& b) {
  if (a.value || b.value) return a.value == b.value;
  if (a.every != b.every) return false;
  return a.every ? SameRealRoots(a.excluded, b.excluded) : SameRealRoots(Allowed(a), Allowed(b));
}

// What a label says of the two sides of the equation that is worked on.
std::optional<std::string> JudgeLabel(std::string_view state, std::string_view label, std::string_view next) {
  const std::size_t blank = label.find(' ');
  const std::string_view name = label.substr(0, blank);
  const std::string_view operand = blank == std::string_view::npos ? std::string_view() : label.substr(blank + 1);
  static const std::map<std::string_view, char> operations{{"add", '+'},    {"subtract", '-'}, {"multiply", '*'},
                                                           {"divide", '/'}, {"collect", ' '},  {"expand", ' '},
                                                           {"factor", ' '}, {"swap", '='}};
  const auto operation = operations.find(name);
  if (operation == operations.end()) return std::nullopt;
  const std::vector<std::string_view> before = SplitAt(SplitAt(state, "; ")[0], " or ");
  const std::vector<std::string_view> after = SplitAt(SplitAt(next, "; ")[0], " or ");
  if (before.size() != after.size()) return "another number of equations";
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] == after[i]) continue;
    std::vector<std::string_view> old_sides = SplitAt(before[i], " = ");
    const std::vector<std::string_view> new_sides = SplitAt(after[i], " = ");
    if (operation->second == '=') {
      if (old_sides[0] != new_sides[1] || old_sides[1] != new_sides[0]) return "the sides are not exchanged";
      continue;
    }
    for (std::size_t side = 0; side < 2; ++side) {
      Ratio expected = SideReader(old_sides[side]).Read();
      if (operation->second != ' ') expected = Combine(operation->second, expected, SideReader(operand).Read());
      if (!Same(expected, SideReader(new_sides[side]).Read())) return "a side is not what the label says";
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> JudgeAlgebraStep(std::string_view state, std::string_view label, std::string_view next) {
  try {
    if (!SameSolutions(SolutionsOf(state), SolutionsOf(next))) return "other solutions";
    return JudgeLabel(state, label, next);
  } catch (const std::exception& error) {
    return error.what();
  }
}

bool SameAlgebra(std::string_view a, std::string_view b) { return SameSolutions(SolutionsOf(a), SolutionsOf(b)); }

}  // namespace conpole

#include "verify/exercise_meaning.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "math/expression.h"
#include "util/text.h"

namespace conpole {
namespace exercise {
namespace {

using Real = long double;
using Complex = std::complex<Real>;

struct Unreadable {};  // thrown and caught within this file
struct NoValue {};

constexpr int kMaxWork = 60;  // of nested brackets

struct Term {
  enum class Kind : std::uint8_t { kNumber, kLetter, kPlus, kMinus, kTimes, kOver, kPower, kRoot, kAbs, kLog };
  Kind kind = Kind::kNumber;
  Exact number = 0;
  Real size = 0;  // of the number
  std::string letter;
  std::vector<std::shared_ptr<const Term>> parts;
  // Of powers and roots, the exponent as a fraction, if it is one; 0/0 otherwise.
  long above = 0;
  long below = 0;
};
using TermPtr = std::shared_ptr<const Term>;

TermPtr Node(Term::Kind kind, std::vector<TermPtr> parts);
TermPtr Constant(const Exact& value) {
  auto term = std::make_shared<Term>();
  term->number = value;
  term->size = value.convert_to<Real>();
  return term;
}
TermPtr LetterTerm(std::string letter) {
  auto term = std::make_shared<Term>();
  term->kind = Term::Kind::kLetter;
  term->letter = std::move(letter);
  return term;
}

// Canonical text only: sums with blanks around their signs, products without a sign or with one.
class TermReader {
 public:
  explicit TermReader(std::string_view text) : text_(text) {}
  TermPtr ReadAll() {
    TermPtr term = Sum();
    Skip();
    if (at_ != text_.size()) throw Unreadable();
    return term;
  }

 private:
  void Skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  char Peek() {
    Skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool Eat(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }
  bool EatName(std::string_view name) {
    Skip();
    if (!text_.substr(at_).starts_with(name)) return false;
    at_ += name.size();
    return true;
  }

  TermPtr Sum() {
    if (++depth_ > kMaxWork) throw Unreadable();
    TermPtr sum = Eat('-') ? Node(Term::Kind::kMinus, {Constant(0), Product()}) : Product();
    for (;;) {
      if (Eat('+')) {
        sum = Node(Term::Kind::kPlus, {sum, Product()});
      } else if (Eat('-')) {
        sum = Node(Term::Kind::kMinus, {sum, Product()});
      } else {
        --depth_;
        return sum;
      }
    }
  }
  TermPtr Product() {
    TermPtr product = Chunk();
    while (Eat('*')) product = Node(Term::Kind::kTimes, {product, Chunk()});
    return product;
  }
  TermPtr Chunk() {
    TermPtr chunk = Factor();
    for (;;) {
      const char c = Peek();
      if (Eat('/')) {
        chunk = Node(Term::Kind::kOver, {chunk, Factor()});
      } else if (IsLetter(c) || c == '(') {
        chunk = Node(Term::Kind::kTimes, {chunk, Factor()});
      } else {
        return chunk;
      }
    }
  }
  TermPtr Factor() {
    TermPtr base = Atom();
    if (Eat('%')) base = Node(Term::Kind::kOver, {base, Constant(100)});
    if (!Eat('^')) return base;
    return Node(Term::Kind::kPower, {base, Atom()});
  }
  TermPtr Argument(char closer) {
    TermPtr inside = Sum();
    if (!Eat(closer)) throw Unreadable();
    return inside;
  }
  TermPtr Atom() {
    if (Eat('(')) return Argument(')');
    if (IsDigit(Peek())) return Number();
    if (EatName("sqrt(")) return Node(Term::Kind::kRoot, {Argument(')'), Constant(2)});
    if (EatName("cbrt(")) return Node(Term::Kind::kRoot, {Argument(')'), Constant(3)});
    if (EatName("root(")) {
      TermPtr degree = Argument(',');
      return Node(Term::Kind::kRoot, {Argument(')'), degree});
    }
    if (EatName("abs(")) return Node(Term::Kind::kAbs, {Argument(')')});
    if (EatName("ln(")) return Node(Term::Kind::kLog, {Argument(')'), LetterTerm("e")});
    if (EatName("log(")) {
      TermPtr first = Sum();
      if (Eat(')')) return Node(Term::Kind::kLog, {first, Constant(10)});
      if (!Eat(',')) throw Unreadable();
      return Node(Term::Kind::kLog, {Argument(')'), first});
    }
    if (EatName("pi")) return LetterTerm("pi");
    if (!IsLetter(Peek())) throw Unreadable();
    return LetterTerm(std::string(1, text_[at_++]));
  }
  TermPtr Number() {
    Integer value = 0;
    Integer below = 1;
    bool point = false;
    for (; at_ < text_.size() && (IsDigit(text_[at_]) || (text_[at_] == '.' && !point)); ++at_) {
      if (text_[at_] == '.') {
        point = true;
        continue;
      }
      value = value * 10 + (text_[at_] - '0');
      if (point) below *= 10;
    }
    return Constant(Exact(value, below));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

using Exacts = std::map<std::string, Exact>;
using Reals = std::map<std::string, Real>;

// Exactly, if there is nothing irrational in it.
Exact ExactValue(const Term& term, const Exacts& letters) {
  const auto part = [&](std::size_t i) { return ExactValue(*term.parts[i], letters); };
  switch (term.kind) {
    case Term::Kind::kNumber:
      return term.number;
    case Term::Kind::kLetter: {
      const auto known = letters.find(term.letter);
      if (known == letters.end()) throw NoValue();
      return known->second;
    }
    case Term::Kind::kPlus:
      return part(0) + part(1);
    case Term::Kind::kMinus:
      return part(0) - part(1);
    case Term::Kind::kTimes:
      return part(0) * part(1);
    case Term::Kind::kOver: {
      const Exact below = part(1);
      if (below == 0) throw NoValue();
      return part(0) / below;
    }
    case Term::Kind::kPower: {
      constexpr int kMaxPower = 500;
      Exact exponent = part(1);
      if (denominator(exponent) != 1 || abs(numerator(exponent)) > kMaxPower) throw NoValue();
      Exact base = part(0);
      const bool negative = exponent < 0;
      if (negative && base == 0) throw NoValue();
      if (base == 0 && exponent == 0) throw NoValue();
      const auto times = static_cast<unsigned>(abs(numerator(exponent)));
      Exact power(pow(Integer(numerator(base)), times), pow(Integer(denominator(base)), times));
      return negative ? Exact(1 / power) : power;
    }
    case Term::Kind::kAbs:
      return abs(part(0));
    case Term::Kind::kRoot:
    case Term::Kind::kLog:
      break;
  }
  throw NoValue();
}

TermPtr Node(Term::Kind kind, std::vector<TermPtr> parts) {
  auto term = std::make_shared<Term>();
  term->kind = kind;
  term->parts = std::move(parts);
  if (kind != Term::Kind::kPower && kind != Term::Kind::kRoot) return term;
  try {
    Exact exponent = ExactValue(*term->parts[1], {});
    if (kind == Term::Kind::kRoot) {
      if (exponent == 0) throw NoValue();
      exponent = 1 / exponent;
    }
    constexpr long kMost = 1'000'000;
    if (abs(numerator(exponent)) <= kMost && denominator(exponent) <= kMost) {
      term->above = static_cast<long>(numerator(exponent));
      term->below = static_cast<long>(denominator(exponent));
    }
  } catch (const NoValue&) {
    // It has letters or something irrational in it.
  }
  return term;
}

bool IsReal(const Complex& z) { return std::abs(z.imag()) <= 1e-15L * std::max<Real>(1, std::abs(z.real())); }

// Says whether there is a value, since most points of a scan have none and throwing takes time.
Complex ValueAt(const Term& term, const Reals& letters, bool& defined);

Complex Undefined(bool& defined) {
  defined = false;
  return std::nanl("");
}

// Odd roots of negative numbers are negative; a square root of one is imaginary.
Complex PowerOf(const Term& term, const Reals& letters, bool& defined) {
  const Complex base = ValueAt(*term.parts[0], letters, defined);
  constexpr long kMaxPower = 2'000;
  if (term.below == 1 && std::abs(term.above) <= kMaxPower) {
    if (base == Complex(0) && term.above <= 0) return Undefined(defined);
    Complex power(1);
    Complex square = base;
    for (long times = std::abs(term.above); times > 0; times /= 2, square *= square) {
      if (times % 2 != 0) power *= square;
    }
    return term.above < 0 ? Complex(1) / power : power;
  }
  if (!IsReal(base)) return Undefined(defined);
  const Real size = base.real();
  if (size < 0) {
    if (term.below == 0) return Undefined(defined);
    if (term.below % 2 != 0) {
      const Real power = std::pow(-size, Real(term.above) / Real(term.below));
      return term.above % 2 == 0 ? power : -power;
    }
    // With values for letters, roots are of real numbers.
    if (term.above == 1 && term.below == 2 && letters.empty()) return Complex(0, std::sqrt(-size));
    return Undefined(defined);
  }
  if (term.above == 1 && term.below == 2) return std::sqrt(size);
  const Complex exponent =
      term.below != 0 ? Complex(Real(term.above) / Real(term.below)) : ValueAt(*term.parts[1], letters, defined);
  if (!IsReal(exponent) || (size == 0 && exponent.real() <= 0)) return Undefined(defined);
  return std::pow(size, exponent.real());
}

Complex ValueAt(const Term& term, const Reals& letters, bool& defined) {
  const auto part = [&](std::size_t i) { return ValueAt(*term.parts[i], letters, defined); };
  switch (term.kind) {
    case Term::Kind::kNumber:
      return term.size;
    case Term::Kind::kLetter: {
      if (const auto known = letters.find(term.letter); known != letters.end()) return known->second;
      if (term.letter == "i") return {0, 1};
      if (term.letter == "e") return std::exp(Real(1));
      if (term.letter == "pi") return std::acos(Real(-1));
      return Undefined(defined);
    }
    case Term::Kind::kPlus:
      return part(0) + part(1);
    case Term::Kind::kMinus:
      return part(0) - part(1);
    case Term::Kind::kTimes:
      return part(0) * part(1);
    case Term::Kind::kOver: {
      const Complex below = part(1);
      if (std::abs(below) < 1e-14L) return Undefined(defined);
      return part(0) / below;
    }
    case Term::Kind::kPower:
    case Term::Kind::kRoot:
      return PowerOf(term, letters, defined);
    case Term::Kind::kAbs: {
      const Complex inside = part(0);
      // Of numbers; letters are real.
      if (!IsReal(inside) && !letters.empty()) return Undefined(defined);
      return std::abs(inside);
    }
    case Term::Kind::kLog: {
      const Complex inside = part(0);
      const Complex base = part(1);
      if (!IsReal(inside) || !IsReal(base) || inside.real() <= 0 || base.real() <= 0 || base.real() == 1)
        return Undefined(defined);
      return std::log(inside.real()) / std::log(base.real());
    }
  }
  return Undefined(defined);
}

Complex Evaluate(const Term& term, const Reals& letters) {
  bool defined = true;
  const Complex value = ValueAt(term, letters, defined);
  if (!defined) throw NoValue();
  return value;
}

void Letters(const Term& term, std::set<std::string>& letters) {
  if (term.kind == Term::Kind::kLetter && term.letter != "pi" && term.letter != "e" && term.letter != "i") {
    letters.insert(term.letter);
  }
  for (const TermPtr& part : term.parts) Letters(*part, letters);
}

bool Close(const Complex& a, const Complex& b, Real tolerance = 1e-11L) {
  return std::abs(a - b) <= tolerance * std::max<Real>({1, std::abs(a), std::abs(b)});
}

std::vector<std::string> Split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')') --depth;
    if (depth > 0 || !text.substr(at).starts_with(separator)) continue;
    parts.emplace_back(text.substr(begin, at - begin));
    begin = at + separator.size();
    at = begin - 1;
  }
  parts.emplace_back(text.substr(begin));
  return parts;
}

struct Task {
  std::string name;
  std::vector<std::string> letters;
  std::string body;
  bool is_complex = false;  // whether its solutions may be complex
};

Task ReadTask(std::string_view text) {
  const std::size_t colon = text.find(": ");
  if (colon == std::string_view::npos) throw Unreadable();
  Task task;
  std::string_view head = text.substr(0, colon);
  task.is_complex = head.ends_with(" by complex");
  head = head.substr(0, head.find(" by "));  // how does not matter otherwise
  task.name = head.substr(0, head.find(' '));
  if (head.find(' ') != std::string_view::npos) task.letters = Split(head.substr(head.find(' ') + 1), ", ");
  task.body = text.substr(colon + 2);
  return task;
}

TermPtr Read(std::string_view text) { return TermReader(text).ReadAll(); }

// Points to compare expressions at, positive ones first.
std::vector<Exacts> PointsFor(const std::set<std::string>& letters) {
  std::vector<Exacts> points;
  int step = 0;
  for (const int sign : {1, 1, 1, -1, -1, 0, 1, 1, 1, 1, 1, 1}) {
    Exacts point;
    int at = 0;
    for (const std::string& letter : letters) {
      const int above = 3 + (7 * at + 5 * step + step * step * 3) % 29;
      const int below = 2 + (3 * at + step) % 5;
      const int turned = sign == 0 ? (at % 2 == 0 ? 1 : -1) : sign;
      point[letter] = Exact(turned * (above * below + 1 + at), below);
      ++at;
    }
    points.push_back(std::move(point));
    ++step;
  }
  return points;
}

Reals ToReals(const Exacts& exacts) {
  Reals reals;
  for (const auto& [letter, value] : exacts) reals[letter] = value.convert_to<Real>();
  return reals;
}

enum class Outcome : std::uint8_t { kSame, kDifferent, kUndefined };

Outcome CompareAt(const Term& before, const Term& after, const Exacts& point) {
  try {
    return ExactValue(before, point) == ExactValue(after, point) ? Outcome::kSame : Outcome::kDifferent;
  } catch (const NoValue&) {
  }
  const Reals reals = ToReals(point);
  Complex value;
  try {
    value = Evaluate(before, reals);
  } catch (const NoValue&) {
    return Outcome::kUndefined;
  }
  if (!std::isfinite(std::abs(value))) return Outcome::kUndefined;
  try {
    return Close(value, Evaluate(after, reals)) ? Outcome::kSame : Outcome::kDifferent;
  } catch (const NoValue&) {
    // Letters below roots and in logarithms are positive.
    const bool positive = std::all_of(point.begin(), point.end(), [](const auto& item) { return item.second > 0; });
    return positive ? Outcome::kDifferent : Outcome::kUndefined;
  }
}

// Whether a letter that is negative here makes what stands below an even root positive together with another one: it is taken
// to be positive, as it stands there to an odd power.
bool IsAgainstRoots(const Term& term, const Exacts& point) {
  for (const TermPtr& part : term.parts) {
    if (IsAgainstRoots(*part, point)) return true;
  }
  if (term.kind != Term::Kind::kRoot && term.kind != Term::Kind::kPower) return false;
  if (term.below == 0 || term.below % 2 != 0) return false;
  try {
    const Exact here = ExactValue(*term.parts[0], point);
    return std::any_of(point.begin(), point.end(), [&](const auto& item) {
      if (item.second > 0) return false;
      Exacts turned = point;
      turned[item.first] = -item.second;
      return ExactValue(*term.parts[0], turned) * here < 0;
    });
  } catch (const NoValue&) {
    return false;
  }
}

std::optional<bool> SameExpression(const Term& before, const Term& after) {
  std::set<std::string> letters;
  Letters(before, letters);
  Letters(after, letters);
  int same = 0;
  for (const Exacts& point : PointsFor(letters)) {
    const bool positive = std::all_of(point.begin(), point.end(), [](const auto& item) { return item.second > 0; });
    if (!positive && IsAgainstRoots(before, point)) continue;
    const Outcome outcome = CompareAt(before, after, point);
    if (outcome == Outcome::kSame) ++same;
    if (outcome != Outcome::kDifferent) continue;
    // Of negative letters a root may be imaginary where it is said to be none.
    if (positive || IsReal(Evaluate(before, ToReals(point)))) return false;
  }
  constexpr int kEnough = 2;
  if (same >= kEnough) return true;
  return std::nullopt;
}

// The value of "EXPRESSION; x = 1, y = 2" as an expression.
TermPtr WithValues(const TermPtr& term, const std::map<std::string, TermPtr>& values) {
  if (term->kind == Term::Kind::kLetter) {
    const auto found = values.find(term->letter);
    return found == values.end() ? term : found->second;
  }
  if (term->parts.empty()) return term;
  std::vector<TermPtr> parts;
  for (const TermPtr& part : term->parts) parts.push_back(WithValues(part, values));
  return Node(term->kind, std::move(parts));
}

TermPtr ReadEvaluation(const std::string& body) {
  const std::vector<std::string> parts = Split(body, "; ");
  if (parts.size() != 2) throw Unreadable();
  std::map<std::string, TermPtr> values;
  for (const std::string& setting : Split(parts[1], ", ")) {
    const std::vector<std::string> sides = Split(setting, " = ");
    if (sides.size() != 2) throw Unreadable();
    values[sides[0]] = Read(sides[1]);
  }
  return WithValues(Read(parts[0]), values);
}

struct Sides {
  TermPtr left;
  std::string sign;
  TermPtr right;

  bool Holds(const Reals& at, Real tolerance = 1e-9L) const {
    bool defined = true;
    const Complex l = ValueAt(*left, at, defined);
    const Complex r = ValueAt(*right, at, defined);
    if (!defined || !IsReal(l) || !IsReal(r)) return false;
    const bool equal = Close(l, r, tolerance);
    if (sign == "=") return equal;
    if (equal) return sign.size() == 2;
    return sign[0] == '<' ? l.real() < r.real() : l.real() > r.real();
  }
  // Whether a side is too large for a number or, far out, too small.
  bool Overflows(const Reals& at, bool far) const {
    constexpr Real kTiny = 1e-2000L;
    const auto overflows = [&](const TermPtr& side) {
      const Real size = std::abs(Evaluate(*side, at));
      return !std::isfinite(size) || (far && size < kTiny && side->kind != Term::Kind::kNumber);
    };
    try {
      return overflows(left) || overflows(right);
    } catch (const NoValue&) {
      return false;
    }
  }
  // Left less right; not a number where that is not defined.
  Real Difference(const Reals& at) const {
    bool defined = true;
    const Complex l = ValueAt(*left, at, defined);
    const Complex r = defined ? ValueAt(*right, at, defined) : l;
    return defined && IsReal(l) && IsReal(r) ? l.real() - r.real() : std::nanl("");
  }
};

// a < b <= c is two.
std::vector<Sides> ReadSides(std::string_view text) {
  std::vector<std::string> pieces;
  std::vector<std::string> signs;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '<' && text[at] != '>' && text[at] != '=') continue;
    const bool two = at + 1 < text.size() && text[at + 1] == '=';
    pieces.emplace_back(text.substr(begin, at - begin));
    signs.emplace_back(text.substr(at, two ? 2 : 1));
    begin = at + (two ? 2 : 1);
    at = begin - 1;
  }
  pieces.emplace_back(text.substr(begin));
  if (signs.empty()) throw Unreadable();
  std::vector<Sides> sides;
  for (std::size_t i = 0; i < signs.size(); ++i) sides.push_back({Read(pieces[i]), signs[i], Read(pieces[i + 1])});
  return sides;
}

// A line of "solve": lists of which one holds, and what must hold besides.
struct Statement {
  bool every = false;
  std::vector<std::vector<Sides>> lists;
  std::vector<Sides> checks;

  bool Holds(const Reals& at, Real tolerance = 1e-9L) const {
    if (every) return true;
    const auto all = [&](const std::vector<Sides>& list) {
      return std::all_of(list.begin(), list.end(), [&](const Sides& sides) { return sides.Holds(at, tolerance); });
    };
    return all(checks) && std::any_of(lists.begin(), lists.end(), all);
  }
};

Statement ReadStatement(const std::string& body) {
  Statement statement;
  const std::size_t clause = body.find("; check ");
  if (clause != std::string::npos) statement.checks = ReadSides(std::string_view(body).substr(clause + 8));
  const std::string lines = body.substr(0, clause);
  if (lines == "no solution") return statement;
  if (lines == "every number") {
    statement.every = true;
    return statement;
  }
  for (const std::string& alternative : Split(lines, " or ")) {
    std::vector<Sides> list;
    for (const std::string& part : Split(alternative, "; ")) {
      for (const std::string& piece : Split(part, " and ")) {
        for (Sides& sides : ReadSides(piece)) list.push_back(std::move(sides));
      }
    }
    statement.lists.push_back(std::move(list));
  }
  return statement;
}

// Those of the lists, then what must hold besides.
std::vector<Sides> AllSides(const Statement& statement) {
  std::vector<Sides> all;
  for (const auto& list : statement.lists) all.insert(all.end(), list.begin(), list.end());
  all.insert(all.end(), statement.checks.begin(), statement.checks.end());
  return all;
}

void Letters(const Statement& statement, std::set<std::string>& letters) {
  for (const Sides& sides : AllSides(statement)) {
    Letters(*sides.left, letters);
    Letters(*sides.right, letters);
  }
}

// Where to look: densely near zero, and out to a million.
const std::vector<Real>& Grid() {
  static const std::vector<Real> grid = [] {
    std::vector<Real> points;
    constexpr int kSteps = 420;
    for (int i = -kSteps; i <= kSteps; ++i) points.push_back(std::sinh(Real(i) / 30) * 0.83L + 0.00137L);
    return points;
  }();
  return grid;
}

// The roots of a difference that a scan finds.
std::vector<Real> Scan(const Sides& sides, const std::string& letter, Reals at) {
  std::vector<Real> roots;
  const auto f = [&](Real x) {
    at[letter] = x;
    return sides.Difference(at);
  };
  const auto add = [&](Real x) {
    at[letter] = x;
    // Powers such as e^x are nowhere zero, however small they become.
    constexpr Real kFar = 100;
    constexpr Real kTiny = 1e-100L;
    if (std::abs(x) > kFar && std::abs(Evaluate(*sides.left, at)) < kTiny && std::abs(Evaluate(*sides.right, at)) < kTiny)
      return;
    if (sides.Holds(at, 1e-10L)) roots.push_back(x);
  };
  const std::vector<Real>& grid = Grid();
  Real before = std::nanl("");
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const Real now = f(grid[i]);
    if (!std::isnan(now) && !std::isnan(before) && (now < 0) != (before < 0)) {
      Real low = grid[i - 1];
      Real high = grid[i];
      const bool sign = before < 0;
      for (int step = 0; step < 80; ++step) {
        const Real middle = (low + high) / 2;
        const Real value = f(middle);
        if (std::isnan(value)) break;
        ((value < 0) == sign ? low : high) = middle;
      }
      add((low + high) / 2);
    }
    before = now;
  }
  return roots;
}

// Whether letters are given by values in which none of them stands.
bool IsExplicit(const std::vector<Sides>& list) {
  std::set<std::string> given;
  std::set<std::string> used;
  for (const Sides& sides : list) {
    if (sides.sign != "=" || sides.left->kind != Term::Kind::kLetter) return false;
    if (!given.insert(sides.left->letter).second) return false;
    Letters(*sides.right, used);
  }
  return std::none_of(given.begin(), given.end(), [&](const std::string& letter) { return used.contains(letter); });
}

// Equations in one letter, with values for all others.
std::optional<bool> SameRoots(const Statement& before, const Statement& after, const std::string& letter, const Reals& others) {
  Reals at = others;
  const auto roots_of = [&](const Statement& statement, std::vector<Real>& roots) {
    for (const auto& list : statement.lists) {
      if (list.size() != 1 || list[0].sign != "=") return false;
      const Sides& sides = list[0];
      if (IsExplicit(list) && sides.left->letter == letter) {
        try {
          at.erase(letter);
          const Complex root = Evaluate(*sides.right, at);
          if (!IsReal(root)) return false;
          roots.push_back(root.real());
          continue;
        } catch (const NoValue&) {
          // The letter stands on both sides.
        }
      }
      for (const Real root : Scan(sides, letter, others)) roots.push_back(root);
    }
    return true;
  };
  if (before.every || after.every) {
    for (const Real x : {1.37L, 0.61L, 2.9L, -1.3L}) {
      at[letter] = x;
      if (before.Holds(at) != after.Holds(at)) return false;
    }
    return true;
  }
  std::vector<Real> first;
  std::vector<Real> second;
  if (!roots_of(before, first) || !roots_of(after, second)) return std::nullopt;
  const auto inside = [&](const std::vector<Real>& roots, const Statement& from, const Statement& other) {
    return std::all_of(roots.begin(), roots.end(), [&](Real root) {
      at[letter] = root;
      return !from.Holds(at, 1e-8L) || other.Holds(at, 1e-7L);
    });
  };
  return inside(first, before, after) && inside(second, after, before);
}

std::optional<bool> SameRanges(const Statement& before, const Statement& after, const std::string& letter) {
  Reals at;
  constexpr Real kTight = 1e-15L;
  constexpr Real kFar = 2'000;
  for (const Real x : Grid()) {
    if (std::abs(x) > kFar) continue;
    at[letter] = x;
    if (before.Holds(at, kTight) != after.Holds(at, kTight)) return false;
  }
  // At the bounds, and close to them.
  for (const Statement* statement : {&before, &after}) {
    for (const auto& list : statement->lists) {
      for (const Sides& sides : list) {
        for (const TermPtr& side : {sides.left, sides.right}) {
          std::set<std::string> inside;
          Letters(*side, inside);
          if (!inside.empty()) continue;
          try {
            const Complex bound = Evaluate(*side, {});
            if (!IsReal(bound)) return std::nullopt;
            for (const Real shift : {0.0L, 1e-4L, -1e-4L}) {
              at[letter] = bound.real() + shift;
              if (before.Holds(at, kTight) != after.Holds(at, kTight)) return false;
            }
          } catch (const NoValue&) {
            return std::nullopt;
          }
        }
      }
    }
  }
  return true;
}

// Systems: every list of explicit values is put into the other line, and Newton's method from many points looks for more.
class SystemJudge {
 public:
  SystemJudge(const Statement& before, const Statement& after, std::vector<std::string> letters)
      : before_(before), after_(after), letters_(std::move(letters)) {}

  std::optional<bool> Same() const {
    const std::optional<bool> linear = SameRank();
    if (linear && !*linear) return false;
    const bool final_line = std::all_of(after_.lists.begin(), after_.lists.end(), IsExplicit);
    if (!linear && final_line && before_.lists.size() == 1 && before_.lists[0].size() == letters_.size()) {
      for (const std::vector<Real>& point : Search(before_.lists[0])) {
        // Newton's method stops early at a double root. That answers hold is looked at more closely below.
        if (!after_.Holds(Named(point), 1e-4L)) return false;
      }
    }
    for (const auto& list : after_.lists) {
      if (!IsExplicit(list)) continue;
      // Letters that are free get any values.
      for (const Real seed : {0.7L, -1.9L}) {
        Reals at;
        Real value = seed;
        for (const std::string& letter : letters_) at[letter] = value += 1.3L;
        for (const Sides& sides : list) {
          try {
            const Complex z = Evaluate(*sides.right, at);
            if (!IsReal(z)) return false;
            at[sides.left->letter] = z.real();
          } catch (const NoValue&) {
            return false;
          }
        }
        if (!before_.Holds(at, 1e-8L)) return false;
      }
    }
    if (linear) return true;
    if (after_.lists.empty() && before_.lists.size() == 1 && before_.lists[0].size() != letters_.size()) return std::nullopt;
    return true;
  }

  // Only what is found out: linear systems by their rank, others by all of their points.
  std::optional<bool> SameStrictly() const {
    if (before_.every || after_.every) return std::nullopt;
    if (const std::optional<bool> linear = SameRank()) return linear;
    const auto first = PointsOf(before_);
    const auto second = PointsOf(after_);
    if (!first || !second || first->size() + second->size() == 0) return std::nullopt;
    const auto inside = [&](const std::vector<std::vector<Real>>& points, const Statement& other) {
      // Newton's method stops early at a double root.
      return std::all_of(points.begin(), points.end(), [&](const auto& point) { return other.Holds(Named(point), 1e-4L); });
    };
    return inside(*first, after_) && inside(*second, before_);
  }

 private:
  // The points that a statement holds at; nothing if they cannot be found.
  std::optional<std::vector<std::vector<Real>>> PointsOf(const Statement& statement) const {
    std::vector<std::vector<Real>> points;
    for (const std::vector<Sides>& list : statement.lists) {
      if (list.size() != letters_.size()) return std::nullopt;
      if (!IsExplicit(list)) {
        if (letters_.size() != 2) return std::nullopt;
        for (std::vector<Real>& point : Search(list)) points.push_back(std::move(point));
        continue;
      }
      Reals at;
      for (const Sides& sides : list) {
        const Complex value = Evaluate(*sides.right, {});
        if (!IsReal(value)) return std::nullopt;
        at[sides.left->letter] = value.real();
      }
      std::vector<Real> point;
      for (const std::string& letter : letters_) {
        if (!at.contains(letter)) return std::nullopt;
        point.push_back(at[letter]);
      }
      points.push_back(std::move(point));
    }
    return points;
  }

  Reals Named(const std::vector<Real>& point) const {
    Reals at;
    for (std::size_t i = 0; i < letters_.size(); ++i) at[letters_[i]] = point[i];
    return at;
  }

  // The matrix of a linear list with its right side; nothing if it is not linear.
  std::optional<std::vector<std::vector<Real>>> MatrixOf(const std::vector<Sides>& list) const {
    const std::size_t n = letters_.size();
    std::vector<std::vector<Real>> rows;
    for (const Sides& sides : list) {
      std::vector<Real> row;
      std::vector<Real> point(n, 0);
      const Real constant = sides.Difference(Named(point));
      for (std::size_t i = 0; i < n; ++i) {
        point[i] = 1;
        row.push_back(sides.Difference(Named(point)) - constant);
        point[i] = 0;
      }
      row.push_back(constant);
      for (const Real scale : {2.5L, -3.75L}) {
        Real sum = constant;
        for (std::size_t i = 0; i < n; ++i) {
          point[i] = scale * Real(i + 1);
          sum += row[i] * point[i];
        }
        const Real value = sides.Difference(Named(point));
        if (std::isnan(value) || std::abs(value - sum) > 1e-9L * std::max<Real>(1, std::abs(sum))) return std::nullopt;
      }
      rows.push_back(std::move(row));
    }
    return rows;
  }

  struct Rank {
    std::size_t rank = 0;
    bool contradicts = false;
  };
  Rank RankOf(std::vector<std::vector<Real>> rows) const {
    Rank result;
    constexpr Real kZero = 1e-10L;
    for (std::size_t column = 0; column < letters_.size(); ++column) {
      std::size_t pivot = result.rank;
      for (std::size_t i = result.rank; i < rows.size(); ++i) {
        if (std::abs(rows[i][column]) > std::abs(rows[pivot][column])) pivot = i;
      }
      if (result.rank >= rows.size() || std::abs(rows[pivot][column]) < kZero) continue;
      std::swap(rows[pivot], rows[result.rank]);
      for (std::size_t i = result.rank + 1; i < rows.size(); ++i) {
        const Real factor = rows[i][column] / rows[result.rank][column];
        for (std::size_t k = column; k < rows[i].size(); ++k) rows[i][k] -= factor * rows[result.rank][k];
      }
      ++result.rank;
    }
    for (std::size_t i = result.rank; i < rows.size(); ++i) result.contradicts |= std::abs(rows[i].back()) > kZero;
    return result;
  }

  std::optional<bool> SameRank() const {
    if (before_.lists.size() != 1 || after_.lists.size() > 1) return std::nullopt;
    const auto first = MatrixOf(before_.lists[0]);
    if (!first) return std::nullopt;
    const Rank a = RankOf(*first);
    if (after_.lists.empty()) return a.contradicts;
    const auto second = MatrixOf(after_.lists[0]);
    if (!second) return std::nullopt;
    const Rank b = RankOf(*second);
    if (a.contradicts != b.contradicts) return false;
    if (a.contradicts) return true;
    // Together they say no more than each alone.
    std::vector<std::vector<Real>> both = *first;
    both.insert(both.end(), second->begin(), second->end());
    const Rank together = RankOf(both);
    return a.rank == b.rank && together.rank == a.rank && !together.contradicts;
  }

  std::vector<std::vector<Real>> Search(const std::vector<Sides>& list) const {
    const std::size_t n = letters_.size();
    std::vector<std::vector<Real>> found;
    if (n != 2) return found;
    for (int i = -4; i <= 4; ++i) {
      for (int j = -4; j <= 4; ++j) {
        std::vector<Real> point{Real(i) * 1.91L + 0.13L, Real(j) * 1.87L - 0.21L};
        for (int step = 0; step < 25; ++step) {
          const Real f = list[0].Difference(Named(point));
          const Real g = list[1].Difference(Named(point));
          constexpr Real kThere = 1e-15L;
          if (std::abs(f) < kThere && std::abs(g) < kThere) break;
          constexpr Real kStep = 1e-7L;
          const auto moved = [&](std::size_t which, std::size_t direction) {
            std::vector<Real> there = point;
            there[direction] += kStep;
            return (list[which].Difference(Named(there)) - (which == 0 ? f : g)) / kStep;
          };
          const Real fx = moved(0, 0);
          const Real fy = moved(0, 1);
          const Real gx = moved(1, 0);
          const Real gy = moved(1, 1);
          const Real determinant = fx * gy - fy * gx;
          if (std::isnan(determinant) || std::abs(determinant) < 1e-12L) break;
          point[0] -= (f * gy - g * fy) / determinant;
          point[1] -= (fx * g - gx * f) / determinant;
        }
        const Reals at = Named(point);
        if (list[0].Holds(at, 1e-12L) && list[1].Holds(at, 1e-12L)) found.push_back(point);
      }
    }
    return found;
  }

  const Statement& before_;
  const Statement& after_;
  std::vector<std::string> letters_;
};

// The complex numbers that solve a statement: those that it gives, and of a quadratic equation its roots; nothing for others.
std::optional<std::vector<Complex>> ComplexRoots(const Statement& statement, const std::string& letter) {
  std::vector<Complex> roots;
  for (const std::vector<Sides>& list : statement.lists) {
    if (list.size() != 1 || list[0].sign != "=") return std::nullopt;
    const Sides& sides = list[0];
    if (IsExplicit(list) && sides.left->letter == letter) {
      roots.push_back(Evaluate(*sides.right, {}));
      continue;
    }
    const auto at = [&](Real x) { return sides.Difference({{letter, x}}); };
    const Real c = at(0);
    const Real a = (at(1) + at(-1)) / 2 - c;
    const Real b = (at(1) - at(-1)) / 2;
    for (const Real x : {2.5L, -3.75L}) {
      if (!Close(at(x), (a * x + b) * x + c)) return std::nullopt;
    }
    if (a == 0) return std::nullopt;
    const Complex root = std::sqrt(Complex(b * b - 4 * a * c));
    roots.push_back((-b + root) / (2 * a));
    roots.push_back((-b - root) / (2 * a));
  }
  return roots;
}

std::optional<bool> SameComplexRoots(const Statement& before, const Statement& after, const std::string& letter) {
  const auto first = ComplexRoots(before, letter);
  const auto second = ComplexRoots(after, letter);
  if (!first || !second) return std::nullopt;
  const auto inside = [](const std::vector<Complex>& some, const std::vector<Complex>& others) {
    return std::all_of(some.begin(), some.end(), [&](const Complex& root) {
      return std::any_of(others.begin(), others.end(), [&](const Complex& other) { return Close(root, other, 1e-8L); });
    });
  };
  return inside(*first, *second) && inside(*second, *first);
}

std::optional<bool> SameSolving(const Task& before, const Task& after) {
  const Statement first = ReadStatement(before.body);
  const Statement second = ReadStatement(after.body);
  if (before.is_complex) return SameComplexRoots(first, second, before.letters.front());
  const auto has_order = [](const Task& task) { return task.body.find_first_of("<>") != std::string::npos; };
  if (has_order(before)) return SameRanges(first, second, before.letters.front());
  if (before.letters.size() > 1) return SystemJudge(first, second, before.letters).Same();
  const std::string& letter = before.letters.front();
  std::set<std::string> others;
  Letters(first, others);
  Letters(second, others);
  others.erase(letter);
  std::optional<bool> same;
  for (const Real seed : {1.7L, 2.9L}) {
    Reals values;
    Real value = seed;
    for (const std::string& other : others) values[other] = value += 0.83L;
    same = SameRoots(first, second, letter, values);
    if (!same || !*same) return same;
    if (others.empty()) break;
  }
  return same;
}

// --- Lines that anybody may have written: what is not found out is not taken for granted. -----------------------------------

// Where a relation in one letter may begin or end to hold: where its sides are equal, and where they begin to be defined.
std::vector<Real> Breakpoints(const Sides& sides, const std::string& letter, Reals at) {
  const auto f = [&](Real x) {
    at[letter] = x;
    return sides.Difference(at);
  };
  std::vector<Real> points;
  // Between two points of which one has a property and the other has not.
  const auto bisect = [&](Real low, Real high, const auto& has) {
    const bool lower = has(f(low));
    for (int step = 0; step < 90; ++step) {
      const Real middle = (low + high) / 2;
      (has(f(middle)) == lower ? low : high) = middle;
    }
    points.push_back(low);
    points.push_back(high);
  };
  const auto is_number = [](Real value) { return std::isfinite(value); };
  const auto negative = [](Real value) { return value < 0; };
  const std::vector<Real>& grid = Grid();
  std::vector<Real> values;
  for (const Real x : grid) values.push_back(f(x));
  for (std::size_t i = 1; i < grid.size(); ++i) {
    if (is_number(values[i]) != is_number(values[i - 1])) {
      bisect(grid[i - 1], grid[i], is_number);
    } else if (is_number(values[i]) && negative(values[i]) != negative(values[i - 1])) {
      bisect(grid[i - 1], grid[i], negative);
    } else if (i + 1 < grid.size() && std::abs(values[i]) < std::abs(values[i - 1]) &&
               std::abs(values[i]) < std::abs(values[i + 1]) && negative(values[i]) == negative(values[i + 1])) {
      // The sides come close to each other: they may touch here, or be equal twice.
      Real low = grid[i - 1];
      Real high = grid[i + 1];
      const Real sign = negative(values[i]) ? -1 : 1;
      for (int step = 0; step < 120; ++step) {
        const Real third = (high - low) / 3;
        (sign * f(low + third) <= sign * f(high - third) ? high : low) =
            sign * f(low + third) <= sign * f(high - third) ? high - third : low + third;
      }
      const Real lowest = (low + high) / 2;
      points.push_back(lowest);
      const Real value = f(lowest);
      if (is_number(value) && negative(value) != negative(values[i])) {
        bisect(grid[i - 1], lowest, negative);
        bisect(lowest, grid[i + 1], negative);
      }
    }
  }
  // The values themselves, if a side is one: they may lie far out.
  for (const TermPtr& side : {sides.left, sides.right}) {
    std::set<std::string> inside;
    Letters(*side, inside);
    if (inside.contains(letter)) continue;
    try {
      const Complex value = Evaluate(*side, at);
      if (IsReal(value)) points.push_back(value.real());
    } catch (const NoValue&) {
      // It has none.
    }
  }
  return points;
}

// Whether a statement holds at a point that may be just beside the one that is meant. Sides are equal there if their difference
// is far smaller than near by, or as small as rounding makes it; where it is far greater, something is divided by zero.
bool HoldsNear(const Statement& statement, const std::string& letter, const Reals& at) {
  if (statement.every) return true;
  const auto holds = [&](const Sides& sides) {
    const Real here = sides.Difference(at);
    if (std::isnan(here)) return false;
    const Real x = at.at(letter);
    const Real step = 1e-3L * std::max<Real>(1, std::abs(x));
    Real near_by = 0;
    for (const Real shift : {-step, step}) {
      Reals there = at;
      there[letter] = x + shift;
      const Real value = std::abs(sides.Difference(there));
      if (std::isfinite(value)) near_by = std::max(near_by, value);
    }
    constexpr Real kFarGreater = 1e6L;
    constexpr Real kFarSmaller = 1e-5L;
    constexpr Real kRounding = 1e-13L;
    if (near_by > 0 && std::abs(here) > kFarGreater * near_by) return false;
    const Real size = std::max(std::abs(Evaluate(*sides.left, at)), std::abs(Evaluate(*sides.right, at)));
    const bool equal = std::abs(here) <= kFarSmaller * near_by || std::abs(here) <= kRounding * size;
    if (sides.sign == "=") return equal;
    if (equal) return sides.sign.size() == 2;
    return sides.sign[0] == '<' ? here < 0 : here > 0;
  };
  const auto all = [&](const std::vector<Sides>& list) { return std::all_of(list.begin(), list.end(), holds); };
  return all(statement.checks) && std::any_of(statement.lists.begin(), statement.lists.end(), all);
}

bool IsSingle(const Statement& statement) { return statement.lists.size() == 1 && statement.lists[0].size() == 1; }

// Whether the difference of the sides of one relation is a multiple of that of the other, by a number other than zero.
bool AreProportional(const Statement& before, const Statement& after) {
  if (!IsSingle(before) || !IsSingle(after)) return false;
  std::set<std::string> letters;
  Letters(before, letters);
  Letters(after, letters);
  std::optional<Real> ratio;
  int seen = 0;
  for (const Exacts& point : PointsFor(letters)) {
    const Real a = before.lists[0][0].Difference(ToReals(point));
    const Real b = after.lists[0][0].Difference(ToReals(point));
    if (std::isnan(a) != std::isnan(b)) return false;
    if (std::isnan(a) || std::abs(a) < 1e-9L) continue;
    if (b == 0 || (ratio && !Close(*ratio, b / a, 1e-12L))) return false;
    ratio = b / a;
    ++seen;
  }
  constexpr int kEnough = 3;
  return seen >= kEnough;
}

// Whether two statements hold for the same values of a letter, with values for all others. Nothing if both hold nowhere and
// neither says so: nobody knows then whether a solution was overlooked.
std::optional<bool> HoldTogether(const Statement& before, const Statement& after, const std::string& letter,
                                 const Reals& others) {
  std::vector<Real> points;
  for (const Statement* const statement : {&before, &after}) {
    for (const Sides& sides : AllSides(*statement)) {
      for (const Real point : Breakpoints(sides, letter, others)) points.push_back(point);
    }
  }
  std::sort(points.begin(), points.end());
  const std::size_t breaks = points.size();
  for (std::size_t i = 0; i + 1 < breaks; ++i) {
    if (points[i + 1] - points[i] > 1e-6L * std::max<Real>(1, std::abs(points[i]))) {
      points.push_back((points[i] + points[i + 1]) / 2);
    }
  }
  constexpr std::size_t kSparse = 7;
  for (std::size_t i = 0; i < Grid().size(); i += kSparse) points.push_back(Grid()[i]);
  std::vector<Sides> all = AllSides(before);
  const std::vector<Sides> more = AllSides(after);
  all.insert(all.end(), more.begin(), more.end());
  Reals at = others;
  bool somewhere = false;
  for (const Real point : points) {
    at[letter] = point;
    constexpr Real kFar = 100;
    const bool far = std::abs(point) > kFar;
    if (std::any_of(all.begin(), all.end(), [&](const Sides& sides) { return sides.Overflows(at, far); })) continue;
    const bool here = HoldsNear(before, letter, at);
    if (here != HoldsNear(after, letter, at)) return false;
    somewhere = somewhere || here;
  }
  const auto denies = [](const Statement& statement) { return statement.lists.empty() && !statement.every; };
  if (somewhere || denies(before) || denies(after) || AreProportional(before, after)) return true;
  return std::nullopt;
}

std::optional<bool> HoldTogether(const Statement& before, const Statement& after, const std::string& letter) {
  std::set<std::string> others;
  Letters(before, others);
  Letters(after, others);
  others.erase(letter);
  for (const Real seed : {1.7L, 2.9L, 0.3L}) {
    Reals values;
    Real value = seed;
    for (const std::string& other : others) values[other] = value += 0.83L;
    const std::optional<bool> same = HoldTogether(before, after, letter, values);
    if (!same.value_or(false)) return same;
    if (others.empty()) break;
  }
  return true;
}

std::optional<bool> JudgeSolving(const Task& before, const Task& after) {
  const Statement first = ReadStatement(before.body);
  const Statement second = ReadStatement(after.body);
  if (before.is_complex) return SameComplexRoots(first, second, before.letters.front());
  if (before.letters.size() > 1) {
    if (first.lists.size() == 1 && first.lists[0].size() == 1 && IsSingle(second)) {
      // A relation between letters, of which none is asked for: it is the same whichever is.
      std::set<std::string> letters;
      Letters(first, letters);
      Letters(second, letters);
      if (AreProportional(first, second)) return true;
      for (const std::string& letter : letters) {
        const std::optional<bool> same = HoldTogether(first, second, letter);
        if (!same.value_or(false)) return same;
      }
      return true;
    }
    return SystemJudge(first, second, before.letters).SameStrictly();
  }
  // What is still to be checked must not hide that lines differ.
  const auto checked = [](const Task& task) {
    return task.body.substr(std::min(task.body.find("; check "), task.body.size()));
  };
  if (!first.checks.empty() && checked(before) == checked(after)) {
    Statement bare_first = first;
    Statement bare_second = second;
    bare_first.checks.clear();
    bare_second.checks.clear();
    const std::optional<bool> same = HoldTogether(bare_first, bare_second, before.letters.front());
    if (same.value_or(false)) return same;
  }
  return HoldTogether(first, second, before.letters.front());
}

// Whether an expression is the square of something at every point that is looked at.
bool IsSquare(const Term& term) {
  std::set<std::string> letters;
  Letters(term, letters);
  const auto is_square = [](const Integer& n) { return n >= 0 && pow(Integer(sqrt(n)), 2) == n; };
  for (const Exacts& point : PointsFor(letters)) {
    const Exact value = ExactValue(term, point);
    if (!is_square(numerator(value)) || !is_square(denominator(value))) return false;
  }
  return true;
}

// Decimals with so many places may be those of an irrational number, which they are close to.
bool HasLongDecimal(std::string_view text) {
  constexpr std::size_t kLong = 7;
  for (std::size_t at = text.find('.'); at != std::string_view::npos; at = text.find('.', at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() && IsDigit(text[end])) ++end;
    if (end - at > kLong) return true;
  }
  return false;
}

Exact ExactOf(std::string_view text) { return ExactValue(*Read(text), {}); }

// Common factors and multiples of polynomials, at large numbers: what is left over is then small and differs, unless a factor
// with letters is missing.
std::optional<bool> SameCommon(const Task& before, const Task& after, const std::set<std::string>& letters) {
  constexpr int kPrimes[] = {1'000'003, 1'000'033, 1'000'037, 1'000'039, 1'000'081, 1'000'099,
                             1'000'117, 1'000'121, 1'000'133, 1'000'151, 1'000'159, 1'000'171};
  constexpr std::size_t kPoints = 6;
  constexpr int kSmall = 50'000;
  if (letters.size() > std::size(kPrimes) - kPoints) return std::nullopt;
  Integer always = 0;
  for (std::size_t point = 0; point < kPoints; ++point) {
    Exacts at;
    for (const std::string& letter : letters) {
      // Not all odd, and without a common factor.
      at[letter] = at.empty() ? kPrimes[point] + static_cast<int>(point) : kPrimes[std::size(kPrimes) - at.size()];
    }
    const Exact result = ExactValue(*Read(after.body), at);
    Integer rest = 0;
    for (const std::string& part : Split(before.body, ", ")) {
      const Exact value = ExactValue(*Read(part), at);
      const Exact ratio = before.name == "gcf" ? Exact(value / result) : Exact(result / value);
      if (denominator(ratio) != 1) return false;
      rest = gcd(rest, numerator(ratio));
    }
    if (rest > kSmall) return false;
    always = gcd(always, rest);
  }
  return always == 1;
}

// "-2 3/8": a whole number and a fraction of less than 1 that is reduced.
std::optional<bool> SameMixed(const Task& before, const Task& after) {
  const bool negative = after.body.starts_with('-');
  const std::vector<std::string> parts = Split(after.body.substr(negative ? 1 : 0), " ");
  if (parts.size() != 2) return std::nullopt;
  const Exact whole = ExactOf(parts[0]);
  const Exact fraction = ExactOf(parts[1]);
  if (denominator(whole) != 1 || whole < 1 || fraction <= 0 || fraction >= 1) return false;
  if (parts[1] != numerator(fraction).str() + "/" + denominator(fraction).str()) return false;
  return ExactOf(before.body) == (negative ? Exact(-whole - fraction) : Exact(whole + fraction));
}

// Relations of numbers, worked out or judged to be true or false.
std::optional<bool> SameTest(const Task& before, const Task& after) {
  const std::vector<std::string> parts = Split(before.body, "; ");
  std::vector<Sides> relations;
  for (const std::string& part : parts) {
    const std::vector<Sides> read = ReadSides(part);
    if (read.size() != 1) return std::nullopt;
    relations.push_back(read.front());
  }
  if (after.name == "result") {
    if (after.body != "true" && after.body != "false") return std::nullopt;
    const bool all = std::all_of(relations.begin(), relations.end(), [](const Sides& part) { return part.Holds({}, 1e-15L); });
    return all == (after.body == "true");
  }
  const std::vector<std::string> others = Split(after.body, "; ");
  if (after.name != "test" || others.size() != parts.size()) return std::nullopt;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::vector<Sides> read = ReadSides(others[i]);
    if (read.size() != 1 || read.front().sign != relations[i].sign) return std::nullopt;
    const std::optional<bool> left = SameExpression(*relations[i].left, *read.front().left);
    const std::optional<bool> right = SameExpression(*relations[i].right, *read.front().right);
    if (!left || !right) return std::nullopt;
    if (!*left || !*right) return false;
  }
  return true;
}

std::optional<bool> SameNumbers(const Task& before, const Task& after) {
  if (after.name != "result") return std::nullopt;
  if (before.name == "round") {
    const Exact unit = ExactOf(before.letters.front());
    const Exact rounded = ExactOf(after.body);
    if (unit <= 0 || denominator(Exact(rounded / unit)) != 1) return false;
    try {
      return 2 * abs(Exact(rounded - ExactOf(before.body))) <= unit;
    } catch (const NoValue&) {
    }
    const Complex value = Evaluate(*Read(before.body), {});
    if (!IsReal(value)) return std::nullopt;
    return 2 * std::abs(value.real() - rounded.convert_to<Real>()) <= unit.convert_to<Real>();
  }
  if (before.name == "place") {
    constexpr const char* kNames[] = {
        "ones",     "tens",         "hundreds",         "thousands", "ten thousands", "hundred thousands",
        "millions", "ten millions", "hundred millions", "billions",  "ten billions",  "hundred billions",
        "trillions"};
    Integer rest = numerator(ExactOf(before.body));
    const Integer digit = numerator(ExactOf(before.letters.front()));
    bool right = false;
    for (const char* const name : kNames) {
      if (rest > 0 && rest % 10 == digit && right) return false;
      right = right || (rest > 0 && rest % 10 == digit && after.body == name);
      rest /= 10;
    }
    return right;
  }
  if (before.name == "gcf" || before.name == "lcm") {
    std::set<std::string> letters;
    for (const std::string& part : Split(before.body, ", ")) Letters(*Read(part), letters);
    if (!letters.empty()) return SameCommon(before, after, letters);
    const Integer result = numerator(ExactOf(after.body));
    if (result < 1) return false;
    std::vector<Integer> numbers;
    for (const std::string& part : Split(before.body, ", ")) numbers.push_back(numerator(ExactOf(part)));
    Integer rest = 0;
    for (const Integer& number : numbers) {
      const Integer ratio = before.name == "gcf" ? Integer(number / result) : Integer(result / number);
      if ((before.name == "gcf" ? Integer(number % result) : Integer(result % number)) != 0) return false;
      rest = gcd(rest, ratio);
    }
    return rest == 1;
  }
  if (before.name == "primes") {
    Integer product = 1;
    for (const std::string& part : Split(after.body, " * ")) {
      const std::vector<std::string> pieces = Split(part, "^");
      const Integer base = numerator(ExactOf(pieces[0]));
      for (Integer divisor = 2; divisor * divisor <= base; ++divisor) {
        if (base % divisor == 0) return false;
      }
      product *= numerator(ExactOf(part));
    }
    return product == numerator(ExactOf(before.body));
  }
  if (before.name == "mixed") return SameMixed(before, after);
  if (before.name == "compare") {
    const std::vector<std::string> sides = Split(before.body, " ? ");
    const std::vector<Sides> result = ReadSides(after.body);
    if (sides.size() != 2 || result.size() != 1) return std::nullopt;
    return result[0].Holds({}, 1e-15L) && SameExpression(*Read(sides[0]), *result[0].left).value_or(false) &&
           SameExpression(*Read(sides[1]), *result[0].right).value_or(false);
  }
  if (before.name == "logarithmic" || before.name == "exponential") {
    const Task& powers = before.name == "logarithmic" ? before : after;
    const Task& logs = before.name == "logarithmic" ? after : before;
    const std::vector<Sides> p = ReadSides(powers.body);
    const std::vector<Sides> l = ReadSides(logs.body);
    if (p.size() != 1 || l.size() != 1) return std::nullopt;
    const bool power_left = p[0].left->kind == Term::Kind::kPower;
    const bool log_left = l[0].left->kind == Term::Kind::kLog;
    const TermPtr& power = power_left ? p[0].left : p[0].right;
    const TermPtr& log = log_left ? l[0].left : l[0].right;
    if (power->kind != Term::Kind::kPower || log->kind != Term::Kind::kLog) return std::nullopt;
    const auto same = [](const TermPtr& a, const TermPtr& b) { return SameExpression(*a, *b).value_or(false); };
    return same(power->parts[0], log->parts[1]) && same(power_left ? p[0].right : p[0].left, log->parts[0]) &&
           same(power->parts[1], log_left ? l[0].right : l[0].left);
  }
  return SameExpression(*Read(before.body), *Read(after.body));
}

// What is added to complete a square has no letter in it.
std::optional<bool> SameSquare(const Term& before, const Term& after) {
  std::set<std::string> letters;
  Letters(before, letters);
  std::optional<Exact> added;
  for (const Exacts& point : PointsFor(letters)) {
    const Exact difference = ExactValue(after, point) - ExactValue(before, point);
    if (added && *added != difference) return false;
    added = difference;
  }
  return true;
}

}  // namespace
}  // namespace exercise

std::optional<bool> SameExercise(std::string_view before_text, std::string_view after_text) {
  using namespace exercise;
  try {
    const Task before = ReadTask(before_text);
    const Task after = ReadTask(after_text);
    if (before.name == "solve") return after.name == "solve" ? SameSolving(before, after) : std::nullopt;
    if (before.name == "evaluate") return SameExpression(*ReadEvaluation(before.body), *Read(after.body));
    if (before.name == "test") return SameTest(before, after);
    if (before.name == "square") return SameSquare(*Read(before.body), *Read(after.body));
    if (before.name == "conjugate" && after.name == "simplify") {
      const TermPtr minus_i = Node(Term::Kind::kMinus, {Constant(0), LetterTerm("i")});
      return SameExpression(*WithValues(Read(before.body), {{"i", minus_i}}), *Read(after.body));
    }
    if (after.name == "result" && before.name != "result") return SameNumbers(before, after);
    return SameExpression(*Read(before.body), *Read(after.body));
  } catch (const Unreadable&) {
    return std::nullopt;
  } catch (const NoValue&) {
    return std::nullopt;
  }
}

std::optional<bool> JudgeExerciseLine(std::string_view before_text, std::string_view after_text) {
  using namespace exercise;
  try {
    const Task before = ReadTask(before_text);
    const Task after = ReadTask(after_text);
    if (before.name == "solve") return after.name == "solve" ? JudgeSolving(before, after) : std::nullopt;
    if (before.name == "square") {
      const TermPtr first = Read(before.body);
      const TermPtr second = Read(after.body);
      const std::optional<bool> same = SameExpression(*first, *second);
      return same && !*same ? SameSquare(*first, *second).value_or(false) && IsSquare(*second) : same;
    }
    const std::optional<bool> same = SameExercise(before_text, after_text);
    return same.value_or(false) && HasLongDecimal(after.body) ? std::nullopt : same;
  } catch (const Unreadable&) {
    return std::nullopt;
  } catch (const NoValue&) {
    return std::nullopt;
  }
}

}  // namespace conpole

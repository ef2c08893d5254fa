// Equations in one letter that are more than polynomials, and formulas: absolute values, roots, powers, exponentials,
// logarithms, other letters. A line is one equation or several of which one holds; what a step may let in is checked at the
// end.
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "domains/school/textbook.h"
#include "domains/school/textbook_value.h"
#include "util/text.h"

namespace conpole::textbook {
namespace {

namespace mp = boost::multiprecision;

constexpr std::string_view kNone = "no solution";
constexpr std::string_view kEvery = "every number";

Ptr Zero() { return MakeNumber(0); }

bool HoldsLetter(const std::string& atom, const std::string& letter) { return HasLetter(ReadTree(atom), letter); }

// Atoms of a value with the letter in them, with all their exponents.
std::map<std::string, std::set<Exact>> AtomsWith(const Value& value, const std::string& letter) {
  std::map<std::string, std::set<Exact>> atoms;
  for (const Poly* poly : {&value.above, &value.below}) {
    for (const auto& [monomial, c] : *poly) {
      for (const auto& [atom, exponent] : monomial) {
        if (HoldsLetter(atom, letter)) atoms[atom].insert(exponent);
      }
    }
  }
  return atoms;
}

Value WholeOf(Poly poly) { return {std::move(poly), NumberValueOf(1).above}; }

// A polynomial in an atom to a power as coefficients of the powers of that.
std::optional<std::vector<Value>> CoefficientsInPower(const Poly& poly, const std::string& atom, const Exact& unit,
                                                      const std::string& letter) {
  constexpr unsigned kMaxPower = 12;
  std::vector<Poly> parts(1);
  for (const auto& [monomial, c] : poly) {
    Monomial rest = monomial;
    std::size_t power = 0;
    if (const auto found = rest.find(atom); found != rest.end()) {
      const Exact times = found->second / unit;
      if (mp::denominator(times) != 1 || times < 0 || times > kMaxPower) return std::nullopt;
      power = static_cast<std::size_t>(mp::numerator(times));
      rest.erase(found);
    }
    for (const auto& [other, exponent] : rest) {
      if (HoldsLetter(other, letter)) return std::nullopt;
    }
    if (power >= parts.size()) parts.resize(power + 1);
    parts[power][rest] = c;
  }
  std::vector<Value> result;
  for (Poly& part : parts) result.push_back(WholeOf(std::move(part)));
  return result;
}

double SizeOf(const Ptr& tree) { return Approximate(tree, {}); }

void SortRoots(std::vector<Ptr>& roots) {
  std::stable_sort(roots.begin(), roots.end(), [](const Ptr& a, const Ptr& b) { return SizeOf(a) < SizeOf(b); });
}

// The real roots of a polynomial with these coefficients, from the constant one up; nothing if they cannot be written.
std::optional<std::vector<Ptr>> RootsOfPolynomial(std::vector<Value> c, bool has_letters) {
  while (!c.empty() && IsZero(c.back())) c.pop_back();
  if (c.empty()) return std::nullopt;
  if (c.size() == 1) return std::vector<Ptr>{};
  if (c.size() == 2) return std::vector<Ptr>{TreeOf(Divide(Multiply(NumberValueOf(-1), c[0]), c[1]))};
  const std::size_t degree = c.size() - 1;
  const bool pure = std::all_of(c.begin() + 1, c.end() - 1, [](const Value& value) { return IsZero(value); });
  if (pure) {
    const Value power = Divide(Multiply(NumberValueOf(-1), c[0]), c.back());
    if (IsZero(power)) return std::vector<Ptr>{Zero()};
    const std::optional<double> size = ApproximatelyOf(power);
    if (!size && !has_letters) return std::nullopt;
    const bool negative = size && *size < 0;
    if (negative && degree % 2 == 0) return std::vector<Ptr>{};
    const Value root = Raise(negative ? Multiply(NumberValueOf(-1), power) : power, Exact(1, Integer(degree)));
    if (degree % 2 == 1) return std::vector<Ptr>{TreeOf(negative ? Multiply(NumberValueOf(-1), root) : root)};
    return std::vector<Ptr>{TreeOf(Multiply(NumberValueOf(-1), root)), TreeOf(root)};
  }
  if (degree == 2) {
    const Value discriminant = Add(Multiply(c[1], c[1]), Multiply(c[0], c[2]), -4);
    const std::optional<double> size = ApproximatelyOf(discriminant);
    if (!size && !has_letters) return std::nullopt;
    if (size && *size < 0) return std::vector<Ptr>{};
    const Value below = Multiply(NumberValueOf(2), c[2]);
    const Value minus_b = Multiply(NumberValueOf(-1), c[1]);
    if (IsZero(discriminant)) return std::vector<Ptr>{TreeOf(Divide(minus_b, below))};
    const Value root = Raise(discriminant, Exact(1, 2));
    return std::vector<Ptr>{TreeOf(Divide(Add(minus_b, root, -1), below)), TreeOf(Divide(Add(minus_b, root), below))};
  }
  return std::nullopt;
}

bool IsAnswerTo(const Relation& relation, const std::string& letter) {
  return relation.sign == "=" && relation.left->Is(Op::kLetter) && relation.left->name == letter &&
         !HasLetter(relation.right, letter) && TextOf(Normal(relation.right)) == TextOf(relation.right);
}

std::string Equation(const Ptr& left, const Ptr& right) { return TextOf(Relation{left, "=", right}); }

// "x = 2 or x = 3".
std::string Cases(const Ptr& left, const std::vector<Ptr>& rights) {
  return rights.empty() ? std::string(kNone) : Join(rights, " or ", [&](const Ptr& right) { return Equation(left, right); });
}

std::string AnswersText(const std::string& letter, std::vector<Ptr> roots) {
  std::set<std::string> seen;
  std::erase_if(roots, [&](const Ptr& root) { return !seen.insert(TextOf(root)).second; });
  return Cases(MakeLetter(letter), roots);
}

// Primes whose exponents are in proportion are one base: 2^x * 5^x is 10^x, and 2^(2x) * 3^x is 12^x.
void MergeBases(std::map<std::string, Value>& exponents) {
  if (exponents.size() < 2) return;
  const Value first = exponents.begin()->second;
  if (IsZero(first)) return;
  std::vector<Exact> ratios;
  Integer below = 1;
  for (const auto& [base, exponent] : exponents) {
    const std::optional<Exact> ratio = RationalOf(Divide(exponent, first));
    if (!ReadTree(base)->Is(Op::kNumber) || !ratio || *ratio <= 0) return;
    ratios.push_back(*ratio);
    below = mp::lcm(below, mp::denominator(*ratio));
  }
  Integer common = 0;
  for (const Exact& ratio : ratios) common = mp::gcd(common, mp::numerator(Exact(ratio * below)));
  Value product = NumberValueOf(1);
  constexpr int kMostOf = 10;
  for (std::size_t i = 0; const auto& [base, exponent] : exponents) {
    const Exact power = ratios[i++] * below / common;
    if (power > kMostOf) return;
    product = Multiply(product, Raise(ValueOf(ReadTree(base)), power));
  }
  exponents = {{TextOf(TreeOf(product)), Multiply(first, NumberValueOf(Exact(common, below)))}};
}

// One equation, and the line that follows from it. `check` is set if the step may let in what is no solution.
class EquationStep {
 public:
  EquationStep(Relation equation, std::string letter, std::string method)
      : equation_(std::move(equation)),
        letter_(std::move(letter)),
        method_(std::move(method)),
        value_(Add(ValueOf(equation_.left), ValueOf(equation_.right), -1)),
        other_letters_(HasOtherLetters()) {}

  bool check = false;

  Line Next() {
    if (IsZero(value_)) return {"compare", std::string(kEvery)};
    const auto atoms = AtomsWith(value_, letter_);
    if (atoms.empty()) {
      if (other_letters_) throw Refusal{fmt::format("{} does not stand in this", letter_)};
      return {"compare", std::string(kNone)};
    }
    for (const auto& [atom, exponents] : atoms) {
      if (IsAbsAtom(atom)) return Absolute(atom);
    }
    for (const auto& [atom, exponents] : atoms) {
      if (!IsLogAtom(atom)) continue;
      if (const auto line = PolynomialIn(atoms, false)) return *line;
      return Logarithms();
    }
    for (const auto& [atom, exponents] : atoms) {
      if (IsPowerAtom(atom)) return Exponentials(atoms);
    }
    for (const auto& [atom, exponents] : atoms) {
      if (std::any_of(exponents.begin(), exponents.end(), [](const Exact& q) { return mp::denominator(q) != 1; })) {
        return Root(atoms);
      }
    }
    return Rational();
  }

 private:
  bool HasOtherLetters() const {
    std::set<std::string> letters = LettersOf(equation_.left);
    CollectLetters(equation_.right, letters);
    letters.erase(letter_);
    return !letters.empty();
  }
  Line To(std::string_view label, const Ptr& left, const Ptr& right) const {
    return {std::string(label), Equation(left, right)};
  }
  bool IsNow(const Ptr& left, const Ptr& right) const {
    return TextOf(left) == TextOf(equation_.left) && TextOf(right) == TextOf(equation_.right);
  }

  Line Absolute(const std::string& atom) {
    const std::optional<std::vector<Value>> c = LinearIn(atom, 1);
    if (!c) throw Refusal{"this equation with absolute values is not solved here"};
    const Ptr inside = ReadTree(atom)->args[0];
    const Ptr right = TreeOf(Divide(Multiply(NumberValueOf(-1), (*c)[0]), (*c)[1]));
    const Ptr left = ReadTree(atom);
    if (!IsNow(left, right)) return To("isolate", left, right);
    const double size = SizeOf(right);
    if (size < 0) return {"never-negative", std::string(kNone)};
    if (right->IsNumber(0)) return To("cases", inside, right);
    if (HasLetter(right, letter_)) check = true;
    return {"cases", Equation(inside, right) + " or " + Equation(inside, Normal(MakeNegation(right)))};
  }

  // The value as c1 * atom^unit + c0, where c0 may hold the letter.
  std::optional<std::vector<Value>> LinearIn(const std::string& atom, const Exact& unit) {
    Poly without;
    Poly with;
    for (const auto& [monomial, coefficient] : value_.above) {
      const auto found = monomial.find(atom);
      if (found == monomial.end()) {
        without[monomial] = coefficient;
        continue;
      }
      if (found->second != unit) return std::nullopt;
      Monomial rest = monomial;
      rest.erase(atom);
      for (const auto& [other, exponent] : rest) {
        if (HoldsLetter(other, letter_)) return std::nullopt;
      }
      with[rest] = coefficient;
    }
    if (with.empty()) return std::nullopt;
    return std::vector<Value>{WholeOf(without), WholeOf(with)};
  }

  Line Root(const std::map<std::string, std::set<Exact>>& atoms) {
    // One atom with fractions of one power only: a polynomial in that.
    if (atoms.size() == 1 && atoms.begin()->second.size() > 1) {
      Integer below = 1;
      for (const Exact& exponent : atoms.begin()->second) below = mp::lcm(below, mp::denominator(exponent));
      const Exact unit(1, below);
      if (const auto c = CoefficientsInPower(value_.above, atoms.begin()->first, unit, letter_)) {
        if (const auto roots = RootsOfPolynomial(*c, other_letters_)) return PowerCases(atoms.begin()->first, unit, *roots);
      }
    }
    for (const auto& [atom, exponents] : atoms) {
      for (const Exact& exponent : exponents) {
        if (mp::denominator(exponent) == 1) continue;
        const auto c = LinearIn(atom, exponent);
        if (!c) continue;
        const Ptr left = TreeOf(Poly{{Monomial{{atom, exponent}}, Exact(1)}});
        const Ptr right = TreeOf(Divide(Multiply(NumberValueOf(-1), (*c)[0]), (*c)[1]));
        // It stands alone already, whichever way the root is written.
        const bool alone = TextOf(Normal(equation_.left)) == TextOf(left) && TextOf(equation_.right) == TextOf(right);
        if (!alone) {
          check = true;
          return To("isolate", left, right);
        }
        const bool even = mp::denominator(exponent) % 2 == 0;
        if (even && SizeOf(right) < 0) return {"never-negative", std::string(kNone)};
        check = true;
        const Ptr base = ReadTree(atom);
        const Integer above = mp::numerator(exponent);
        const Exact degree(mp::denominator(exponent));
        const Ptr raised = above == 1 ? base : MakePower(base, MakeNumber(Exact(above)));
        return To("raise " + mp::denominator(exponent).str(), raised, Normal(MakePower(right, MakeNumber(degree))));
      }
    }
    throw Refusal{"this equation with roots is not solved here"};
  }

  Line PowerCases(const std::string& atom, const Exact& unit, const std::vector<Ptr>& roots) {
    const Ptr left = TreeOf(Poly{{Monomial{{atom, unit}}, Exact(1)}});
    check = true;
    return {"as-quadratic", Cases(left, roots)};
  }

  Line Logarithms() {
    // All logarithms have one base; the sum of them is a number without the letter.
    Ptr base;
    Value left = NumberValueOf(1);
    Value right = NumberValueOf(1);
    Poly rest;
    for (const auto& [monomial, c] : value_.above) {
      const std::string& atom = monomial.empty() ? std::string() : monomial.begin()->first;
      const bool log = monomial.size() == 1 && IsLogAtom(atom) && monomial.begin()->second == 1;
      if (!log) {
        rest[monomial] = c;
        continue;
      }
      const Ptr tree = ReadTree(atom);
      if (base && TextOf(base) != TextOf(tree->args[1])) throw Refusal{"the logarithms in this have different bases"};
      base = tree->args[1];
      Value& side = c > 0 ? left : right;
      side = Multiply(side, Raise(ValueOf(tree->args[0]), mp::abs(c)));
    }
    if (value_.below != NumberValueOf(1).above || !base) throw Refusal{"this equation with logarithms is not solved here"};
    const Value constant = Multiply(NumberValueOf(-1), WholeOf(rest));
    if (!AtomsWith(constant, letter_).empty()) throw Refusal{"this equation with logarithms is not solved here"};
    check = true;
    const Ptr l = TreeOf(left);
    const Ptr r = TreeOf(right);
    if (HasLetter(base, letter_)) {
      // log_a(49) = 2 is a^2 = 49.
      if (!right.above.empty() && TextOf(r) == "1") return To("as-exponential", MakePower(base, TreeOf(constant)), l);
      throw Refusal{"this equation with logarithms is not solved here"};
    }
    if (IsZero(constant)) {
      const Ptr left_log = MakeLog(l, base);
      const Ptr right_log = r->IsNumber(1) ? Zero() : MakeLog(r, base);
      if (!r->IsNumber(1) && !IsNow(left_log, right_log)) return To("condense-logs", left_log, right_log);
      return To("equal-logs", l, r);
    }
    const Ptr left_log = r->IsNumber(1) ? MakeLog(l, base) : Normal(MakeLog(TreeOf(Divide(left, right)), base));
    if (!IsNow(left_log, TreeOf(constant))) return To("condense-logs", left_log, TreeOf(constant));
    return To("as-exponential", left_log->args[0], Normal(MakePower(base, TreeOf(constant))));
  }

  // A polynomial in one atom that holds the letter: t^2 - 3t + 2 = 0 with t = e^x, which is positive, or with t = ln(x).
  std::optional<Line> PolynomialIn(const std::map<std::string, std::set<Exact>>& atoms, bool positive) {
    if (atoms.size() != 1 || value_.below != NumberValueOf(1).above) return std::nullopt;
    const std::string& atom = atoms.begin()->first;
    Integer below = 1;
    for (const Exact& exponent : atoms.begin()->second) below = mp::lcm(below, mp::denominator(exponent));
    const auto c = CoefficientsInPower(value_.above, atom, Exact(1, below), letter_);
    const bool solved_by_logarithms = positive && value_.above.size() == 2;
    if (!c || c->size() <= 2 || solved_by_logarithms) return std::nullopt;
    const auto roots = RootsOfPolynomial(*c, other_letters_);
    if (!roots) return std::nullopt;
    check = !positive && !roots->empty();  // the cases may need it later, and it is of this equation
    std::vector<Ptr> possible = *roots;
    if (positive) std::erase_if(possible, [](const Ptr& root) { return SizeOf(root) <= 0; });
    return Line{"as-quadratic", Cases(TreeOf(Poly{{Monomial{{atom, Exact(1, below)}}, Exact(1)}}), possible)};
  }

  Line Exponentials(const std::map<std::string, std::set<Exact>>& atoms) {
    if (const auto line = PolynomialIn(atoms, true)) return *line;
    if (value_.above.size() != 2) throw Refusal{"this equation with powers is not solved here"};
    // One term on each side: the exponents of each prime, and of what is none.
    const auto& [first, a] = *value_.above.begin();
    const auto& [second, b] = *std::next(value_.above.begin());
    const Exact ratio = -b / a;
    if (ratio <= 0) return {"never-negative", std::string(kNone)};
    Monomial quotient = first;
    for (const auto& [atom, exponent] : second) quotient[atom] -= exponent;
    std::map<std::string, Value> exponents;  // of the bases, on the left
    Value rest = NumberValueOf(ratio);
    for (const auto& [atom, exponent] : quotient) {
      if (exponent == 0) continue;
      if (!HoldsLetter(atom, letter_)) {
        rest = Divide(rest, Raise(ValueOf(ReadTree(atom)), exponent));
        continue;
      }
      const Ptr power = ReadTree(atom);
      if (!power->Is(Op::kPower) || HasLetter(power->args[0], letter_)) {
        throw Refusal{"this equation with powers is not solved here"};
      }
      Value& total = exponents.emplace(TextOf(power->args[0]), NumberValueOf(0)).first->second;
      total = Add(total, ValueOf(power->args[1]), exponent);
    }
    // With the letter's factor positive where that is easy: 3^x = 89, and not 3^(-x) = 1/89.
    const auto first_sign = [&] {
      const auto c = CoefficientsOf(exponents.begin()->second, letter_);
      const std::optional<Exact> factor = c && c->size() > 1 ? RationalOf(c->back()) : std::nullopt;
      return factor && *factor < 0 ? -1 : 1;
    };
    if (!exponents.empty() && first_sign() < 0) {
      for (auto& [base, exponent] : exponents) exponent = Multiply(NumberValueOf(-1), exponent);
      rest = Divide(NumberValueOf(1), rest);
    }
    MergeBases(exponents);
    // Product of base^exponent = rest. With one base: the exponent is a logarithm, often a number.
    if (exponents.size() == 1) {
      const Ptr base = ReadTree(exponents.begin()->first);
      if (base->Is(Op::kLetter)) {
        // The base of a power is positive.
        std::string text = TextOf(TreeOf(rest));
        const std::string absolute = "abs(" + base->name + ")";
        for (std::size_t at = text.find(absolute); at != std::string::npos; at = text.find(absolute)) text.erase(at, 3);
        rest = ValueOf(ReadTree(text));
      }
      const Ptr exponent = TreeOf(exponents.begin()->second);
      const Ptr log = Normal(MakeLog(TreeOf(rest), base));
      return To(Has(log, Op::kLog) ? "take-logs" : "equal-bases", exponent, log);
    }
    std::vector<Ptr> terms;
    for (const auto& [base, exponent] : exponents) {
      terms.push_back(MakeProduct({TreeOf(exponent), MakeLog(ReadTree(base), MakeLetter("e"))}));
    }
    return To("take-logs", Normal(MakeSum(std::move(terms))), Normal(MakeLog(TreeOf(rest), MakeLetter("e"))));
  }

  // Polynomials, and quotients of them.
  Line Rational() {
    const bool below = std::any_of(value_.below.begin(), value_.below.end(), [&](const auto& term) {
      return std::any_of(term.first.begin(), term.first.end(),
                         [&](const auto& atom) { return HoldsLetter(atom.first, letter_); });
    });
    if (below) {
      check = true;
      return To("clear-denominators", TreeOf(value_.above), Zero());
    }
    const Value whole = WholeOf(value_.above);
    const std::optional<std::vector<Value>> c = CoefficientsOf(whole, letter_);
    if (!c) throw Refusal{"this equation is not solved here"};
    if (const auto line = NextLineOfQuadratic(equation_, letter_, method_)) return *line;
    const Ptr letter = MakeLetter(letter_);
    if (c->size() == 2) {
      // Fractions are got rid of by Value already; the letter alone with its factor, then without.
      Value factor = (*c)[1];
      Value rest = Multiply(NumberValueOf(-1), (*c)[0]);
      if (const std::optional<Exact> number = RationalOf(factor); number && *number < 0) {
        factor = NumberValueOf(-*number);
        rest = Multiply(NumberValueOf(-1), rest);
      }
      const Ptr right = TreeOf(Divide(rest, factor));
      const Ptr left = TreeOf(Multiply(factor, ValueOf(letter)));
      const Ptr moved = TreeOf(rest);
      const bool moved_already = TextOf(Normal(equation_.left)) == TextOf(left) && TextOf(equation_.right) == TextOf(moved);
      if (TextOf(left) == letter_) return To("isolate", letter, right);
      if (moved_already) return To("divide-by", letter, right);
      const Ptr shown = factor.above.size() > 1 ? MakeProduct({letter, TreeOf(factor)}) : left;
      if (IsNow(shown, moved)) return To("divide-by", letter, right);
      return To("isolate", shown, moved);
    }
    // A product that is zero.
    const Ptr standard = TreeOf(Multiply(whole, NumberValueOf(StandardFactor(*c))));
    const bool right_is_zero = equation_.right->IsNumber(0);
    const bool pure =
        method_ != "factoring" && std::all_of(c->begin() + 1, c->end() - 1, [](const Value& value) { return IsZero(value); });
    if (!pure) {
      const Ptr product = Factored(whole);
      const auto factors = FactorsWithLetter(product);
      if (factors.size() > 1 || (factors.size() == 1 && product->Is(Op::kPower))) {
        if (right_is_zero && TextOf(equation_.left) == TextOf(product)) return Split(factors);
        const auto written = FactorsWithLetter(equation_.left);
        if (right_is_zero && equation_.left->Is(Op::kProduct) && written.size() > 1) return Split(written);
        if (!right_is_zero) return To("to-one-side", standard, Zero());
        return To("factorise", product, Zero());
      }
    }
    if (!pure && !right_is_zero) return To("to-one-side", standard, Zero());
    if (method_ == "factoring") throw Refusal{"this has no factors with rational numbers; solve it in another way"};
    if (const auto roots = RootsOfPolynomial(*c, other_letters_)) {
      std::vector<Ptr> sorted = *roots;
      SortRoots(sorted);
      return {pure ? "root-of-both " + std::to_string(c->size() - 1) : "quadratic-formula", AnswersText(letter_, sorted)};
    }
    // A quadratic in a power.
    const std::size_t degree = c->size() - 1;
    if (degree % 2 == 0) {
      bool only_even = true;
      std::vector<Value> halves;
      for (std::size_t i = 0; i <= degree; ++i) {
        if (i % (degree / 2) == 0) {
          halves.push_back((*c)[i]);
        } else {
          only_even = only_even && IsZero((*c)[i]);
        }
      }
      if (const auto squares = only_even ? RootsOfPolynomial(halves, other_letters_) : std::nullopt) {
        return {"as-quadratic", Cases(MakePower(letter, MakeNumber(Exact(Integer(degree / 2)))), *squares)};
      }
    }
    throw Refusal{"the roots of this equation cannot be written exactly"};
  }

  // What makes the coefficients whole and the first one positive.
  static Exact StandardFactor(const std::vector<Value>& coefficients) {
    Integer below = 1;
    for (const Value& coefficient : coefficients) {
      for (const auto& [monomial, c] : coefficient.above) below = mp::lcm(below, mp::denominator(c));
    }
    const bool negative = coefficients.back().above.begin()->second < 0;
    return Exact(negative ? Integer(-below) : below);
  }

  std::vector<Ptr> FactorsWithLetter(const Ptr& product) const {
    std::vector<Ptr> factors;
    const Ptr& size = product->Is(Op::kNegation) ? product->args[0] : product;
    const Ptr& above = size->Is(Op::kQuotient) ? size->args[0] : size;
    for (const Ptr& factor : above->Is(Op::kProduct) ? above->args : std::vector<Ptr>{above}) {
      const Ptr& base = factor->Is(Op::kPower) ? factor->args[0] : factor;
      if (HasLetter(base, letter_)) factors.push_back(base);
    }
    return factors;
  }
  static Line Split(const std::vector<Ptr>& factors) {
    return {"zero-product", Join(factors, " or ", [](const Ptr& factor) { return Equation(factor, Zero()); })};
  }

  Relation equation_;
  std::string letter_;
  std::string method_;
  Value value_;
  bool other_letters_;
};

// Whether a number solves an equation, as far as doubles tell; verify/ looks closer.
bool Solves(const Relation& equation, const std::string& letter, const Ptr& root) {
  const std::map<std::string, double> at{{letter, SizeOf(root)}};
  const double left = Approximate(equation.left, at);
  const double right = Approximate(equation.right, at);
  if (std::isnan(left) || std::isnan(right)) return false;
  constexpr double kClose = 1e-9;
  return std::abs(left - right) <= kClose * std::max({1.0, std::abs(left), std::abs(right)});
}

}  // namespace

std::optional<std::vector<Ptr>> RootsOf(const Ptr& left, const Ptr& right, const std::string& letter) {
  std::vector<Ptr> found;
  const Value value = Add(ValueOf(left), ValueOf(right), -1);
  // Factor by factor.
  Value rest = {value.above, NumberValueOf(1).above};
  const Ptr product = Factored(rest);
  std::vector<Ptr> factors;
  const Ptr& size = product->Is(Op::kNegation) ? product->args[0] : product;
  const Ptr& above = size->Is(Op::kQuotient) ? size->args[0] : size;
  for (const Ptr& factor : above->Is(Op::kProduct) ? above->args : std::vector<Ptr>{above}) {
    const Ptr& base = factor->Is(Op::kPower) && factor->args[1]->Is(Op::kNumber) ? factor->args[0] : factor;
    if (!HasLetter(base, letter)) continue;
    const auto c = CoefficientsOf(ValueOf(base), letter);
    if (!c) return std::nullopt;
    std::set<std::string> letters = LettersOf(base);
    letters.erase(letter);
    auto roots = RootsOfPolynomial(*c, !letters.empty());
    if (!roots && c->size() == 5 && IsZero((*c)[1]) && IsZero((*c)[3])) {
      const auto squares = RootsOfPolynomial({(*c)[0], (*c)[2], (*c)[4]}, false);
      if (squares) {
        roots.emplace();
        for (const Ptr& square : *squares) {
          if (SizeOf(square) < 0) continue;
          const Ptr root = Normal(MakeRoot(square, 2));
          roots->push_back(root);
          roots->push_back(Normal(MakeNegation(root)));
        }
      }
    }
    if (!roots) return std::nullopt;
    found.insert(found.end(), roots->begin(), roots->end());
  }
  SortRoots(found);
  return found;
}

std::optional<Line> NextLineOfSolving(const Exercise& exercise) {
  const std::string& letter = exercise.letters.front();
  if (exercise.body == kNone || exercise.body == kEvery) return std::nullopt;
  const std::size_t clause = exercise.body.find("; check ");
  const std::string equations = exercise.body.substr(0, clause);
  std::string check = clause == std::string::npos ? std::string() : exercise.body.substr(clause);
  std::vector<Relation> relations;
  for (const std::string& part : SplitAt(equations, " or ")) {
    if (part != kNone) relations.push_back(ReadRelation(part));
  }
  for (std::size_t i = 0; i < relations.size(); ++i) {
    if (IsAnswerTo(relations[i], letter)) continue;
    EquationStep step(relations[i], letter, exercise.method);
    Line line = step.Next();
    if (step.check && check.empty() && relations.size() > 1) throw Refusal{"this equation is not solved here"};
    if (step.check && check.empty()) check = "; check " + TextOf(relations[i]);
    if (line.body == kEvery && (relations.size() > 1 || !check.empty())) {
      throw Refusal{"this equation is not solved here"};
    }
    std::string body;
    std::vector<std::string> parts;
    for (std::size_t j = 0; j < relations.size(); ++j) {
      std::string part = j == i ? line.body : TextOf(relations[j]);
      // What is done to one case is done to all at once.
      if (j > i && !step.check && !IsAnswerTo(relations[j], letter)) {
        EquationStep other(relations[j], letter, exercise.method);
        const Line same = other.Next();
        if (same.label == line.label && !other.check && same.body != kEvery) part = same.body;
      }
      if (part != kNone) parts.push_back(std::move(part));
    }
    // Answers of several equations may be the same.
    std::set<std::string> seen;
    for (const std::string& part : parts) {
      for (const std::string& single : SplitAt(part, " or ")) {
        if (!seen.insert(single).second) continue;
        if (!body.empty()) body += " or ";
        body += single;
      }
    }
    if (body.empty()) {
      body = kNone;
      check.clear();
    }
    return Line{line.label, body + check};
  }
  if (check.empty()) return std::nullopt;
  const Relation original = ReadRelation(check.substr(std::string_view("; check ").size()));
  std::set<std::string> others = LettersOf(original.left);
  CollectLetters(original.right, others);
  others.erase(letter);
  std::vector<Ptr> roots;
  for (const Relation& relation : relations) {
    // With other letters nothing can be left out.
    if (!others.empty() || Solves(original, letter, relation.right)) roots.push_back(relation.right);
  }
  SortRoots(roots);
  return Line{roots.size() == relations.size() ? "check-all" : "check-roots", AnswersText(letter, roots)};
}

}  // namespace conpole::textbook

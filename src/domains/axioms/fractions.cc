#include "domains/axioms/fractions.h"

#include <array>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

#include "domains/axioms/integer_text.h"
#include "domains/axioms/rewrite.h"
#include "domains/axioms/term_domain.h"
#include "math/divisors.h"
#include "util/random.h"

namespace conpole {
namespace {

constexpr std::array<std::int64_t, 4> kPrimes{2, 3, 5, 7};

// Integers n and -n, never INT64_MIN.
struct FractionNotation {
  using Number = std::int64_t;
  static constexpr std::string_view kOperators = "+-*";
  static constexpr bool kEquality = false;
  static constexpr bool kVariables = false;
  static constexpr bool kFractions = true;

  static bool StartsNumber(char c) { return IsDigit(c); }
  static const char* ReadNumber(const char* at, const char* end, bool negative, Number& number, TermError& error) {
    at = ReadInteger(at, end, number, error);
    if (at != nullptr && negative) number = -number;
    return at;
  }
  static Number Negated(Number number) { return -number; }
  static std::size_t MaxBytes(Number) { return kMaxIntegerBytes; }
  static char* WriteOperand(char* out, Number number) { return WriteInteger(out, number); }
};

using FractionTerm = Term<FractionNotation>;
using Index = FractionTerm::Index;

// a op b; nothing if it does not fit.
std::optional<std::int64_t> Compute(char op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  const bool overflow = op == '+'   ? __builtin_add_overflow(a, b, &result)
                        : op == '-' ? __builtin_sub_overflow(a, b, &result)
                                    : __builtin_mul_overflow(a, b, &result);
  if (overflow || result == INT64_MIN) return std::nullopt;
  return result;
}

// The axioms, one function per family, in the order in which the families are listed.
class FractionRules {
 public:
  FractionRules(const FractionTerm& term, Labels labels, Successors& out)
      : term_(term), rewrite_(term, labels, out, kNewBytes) {}

  void Append() {
    for (const auto family : {&FractionRules::Factorize, &FractionRules::Evaluate, &FractionRules::Cancel,
                              &FractionRules::Scale, &FractionRules::Simplify}) {
      for (Index i = 0; i < term_.size(); ++i) (this->*family)(i);
    }
    if (term_[0].kind == NodeKind::kRoot) {
      MakeFractions();
      Combine();
    }
  }

 private:
  using Number = Num<std::int64_t>;
  // Punctuation and up to four new numbers.
  static constexpr std::size_t kNewBytes = 48 + 4 * kMaxIntegerBytes;

  std::int64_t Value(Index i) const { return term_[i].number; }

  static auto WriteNothing() {
    return [](char* out) { return out; };
  }
  static auto WriteNumber(std::int64_t number) {
    return [number](char* out) { return WriteInteger(WriteText(out, ", "), number); };
  }

  void Factorize(Index i) {
    if (!term_.IsNumber(i)) return;
    const std::int64_t n = Value(i);
    thread_local std::vector<std::uint64_t> divisors;
    divisors.clear();
    AppendSmallDivisors(static_cast<std::uint64_t>(std::abs(n)), divisors);
    for (const std::uint64_t divisor : divisors) {
      const auto k = static_cast<std::int64_t>(divisor);
      rewrite_.ReplaceLabelled("factorize", i, i, Op('*', Number{k}, Number{n / k}), [&](char* out) {
        out = WriteText(WriteNumber(n)(out), ", ");
        return WriteInteger(WriteText(WriteInteger(out, k), "*"), n / k);
      });
    }
  }

  void Evaluate(Index i) {
    if (!term_.IsOperation(i) || !term_.IsNumber(term_.Left(i)) || !term_.IsNumber(term_.Right(i))) return;
    const char op = term_[i].symbol;
    const std::int64_t a = Value(term_.Left(i));
    const std::int64_t b = Value(term_.Right(i));
    const std::optional<std::int64_t> value = Compute(op, a, b);
    if (!value) return;
    rewrite_.ReplaceLabelled("eval", i, i, Number{*value}, [&](char* out) {
      out = WriteNumber(a)(out);
      *out++ = ' ';
      *out++ = op;
      *out++ = ' ';
      return WriteInteger(out, b);
    });
  }

  // Every way to cancel one factor that is written out above and below the line. Equal factors on one side count once.
  void Cancel(Index i) {
    if (!term_.IsFraction(i)) return;
    const Index over = term_.Left(i);
    const Index under = term_.Right(i);
    const auto same = [&](Index a, Index b) { return term_.IsNumber(a) && Value(a) != 0 && term_.Equal(a, b); };
    const auto cancel = [&](Index factor, const auto& piece) {
      rewrite_.ReplaceLabelled("cancel", i, i, piece, WriteNumber(Value(factor)));
    };
    const bool over_product = term_.IsOperation(over, '*');
    const bool under_product = term_.IsOperation(under, '*');
    const Index a = over_product ? term_.Left(over) : over;
    const Index b = over_product ? term_.Right(over) : over;
    const Index c = under_product ? term_.Left(under) : under;
    const Index d = under_product ? term_.Right(under) : under;
    const bool over_differs = over_product && !term_.Equal(a, b);
    const bool under_differs = under_product && !term_.Equal(c, d);
    if (over_product && under_product) {
      if (same(a, c)) cancel(a, Frac(Sub{b}, Sub{d}));
      if (under_differs && same(a, d)) cancel(a, Frac(Sub{b}, Sub{c}));
      if (over_differs && same(b, c)) cancel(b, Frac(Sub{a}, Sub{d}));
      if (over_differs && under_differs && same(b, d)) cancel(b, Frac(Sub{a}, Sub{c}));
    }
    if (over_product) {
      if (same(a, under)) cancel(a, Sub{b});
      if (over_differs && same(b, under)) cancel(b, Sub{a});
    }
    if (under_product) {
      if (same(over, c)) cancel(over, Frac(Number{1}, Sub{d}));
      if (under_differs && same(over, d)) cancel(over, Frac(Number{1}, Sub{c}));
    }
    if (same(over, under) && Value(over) > 1) cancel(over, Number{1});
  }

  void Scale(Index i) {
    if (!term_.IsFraction(i)) return;
    for (const std::int64_t p : kPrimes) {
      rewrite_.ReplaceLabelled(
          "scale", i, i, Frac(Op('*', Number{p}, Sub{term_.Left(i)}), Op('*', Number{p}, Sub{term_.Right(i)})), WriteNumber(p));
    }
  }

  void Simplify(Index i) {
    if (!term_.IsFraction(i) || !term_.IsNumber(term_.Right(i)) || Value(term_.Right(i)) != 1) return;
    rewrite_.ReplaceLabelled("simpl1", i, i, Sub{term_.Left(i)}, WriteNothing());
  }

  void MakeFractions() {
    for (const Index i : {term_.Left(0), term_.Right(0)}) {
      if (!term_.IsNumber(i)) continue;
      rewrite_.ReplaceLabelled("mfrac", i, i, Frac(Sub{i}, Number{1}), WriteNumber(Value(i)));
    }
  }

  void Combine() {
    const Index left = term_.Left(0);
    const Index right = term_.Right(0);
    if (!term_.IsFraction(left) || !term_.IsFraction(right)) return;
    const Sub a{term_.Left(left)};
    const Sub b{term_.Right(left)};
    const Sub c{term_.Left(right)};
    const Sub d{term_.Right(right)};
    if (term_[0].symbol == '*') {
      rewrite_.ReplaceLabelled("mul", 0, 0, Frac(Op('*', a, c), Op('*', b, d)), WriteNothing());
    } else if (term_.Equal(b.index, d.index)) {
      rewrite_.ReplaceLabelled("combine", 0, 0, Frac(Op(term_[0].symbol, a, c), b), WriteNothing());
    }
  }

  const FractionTerm& term_;
  Rewriter<FractionNotation> rewrite_;
};

// The exact value of a subterm without fractions.
boost::multiprecision::cpp_int ExactValue(const FractionTerm& term, Index root) {
  std::vector<boost::multiprecision::cpp_int> stack;
  // Pre-order read backwards is a postfix order in which the right operand comes first.
  for (Index i = root + term[root].size; i-- > root;) {
    if (term.IsNumber(i)) {
      stack.emplace_back(term[i].number);
      continue;
    }
    const boost::multiprecision::cpp_int left = std::move(stack.back());
    stack.pop_back();
    boost::multiprecision::cpp_int& right = stack.back();
    const char op = term[i].symbol;
    if (op == '+') {
      right = left + right;
    } else if (op == '-') {
      right = left - right;
    } else {
      right = left * right;
    }
  }
  return stack.back();
}

class Fractions final : public TermDomain<FractionNotation> {
 public:
  explicit Fractions(const Parameters& parameters)
      : TermDomain(FractionsType(), parameters),
        max_factors_(parameters.Integer("max_factors")),
        max_nodes_(static_cast<std::size_t>(parameters.Integer("max_nodes"))) {}

  std::string Generate(std::uint64_t seed) const override {
    Random random(seed);
    if (random.Int32(0, 4) == 0) return RandomTerm(random);
    const char op = "+-*"[random.Int32(0, 3)];
    std::string problem = RandomTerm(random);
    problem += {' ', op, ' '};
    return problem + RandomTerm(random);
  }

  bool Solved(std::string_view state) const override {
    const auto integer = [](std::string_view text) -> std::optional<std::int64_t> {
      std::int64_t value = 0;
      const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
      return value;
    };
    if (state.empty() || state.back() != ']' || state.front() != '[') return integer(state).has_value();
    const std::size_t line = state.find("]/[");
    const auto over = integer(state.substr(1, line - 1));
    const auto under = integer(state.substr(line + 3, state.size() - line - 4));
    return over && under && *under > 1 && std::gcd(*over, *under) == 1;
  }

 protected:
  bool WithinCap(const FractionTerm& term) const override { return term.size() <= max_nodes_; }

  void AppendSuccessors(const FractionTerm& term, Labels labels, Successors& out) const override {
    FractionRules(term, labels, out).Append();
  }

  bool Meaningful(const FractionTerm& term, Malformed& error) const override {
    for (Index i = 0; i < term.size(); ++i) {
      if (!term.IsFraction(i) || ExactValue(term, term.Right(i)) != 0) continue;
      error = {term[i].source, "a fraction over 0"};
      return false;
    }
    return true;
  }

 private:
  std::string RandomTerm(Random& random) const {
    if (random.Int32(0, 2) != 0) return std::to_string(RandomNumber(random));
    const std::string over = std::to_string(RandomNumber(random));
    return "[" + over + "]/[" + std::to_string(RandomNumber(random)) + "]";
  }

  std::int64_t RandomNumber(Random& random) const {
    std::int64_t number = 1;
    for (std::int64_t left = random.Int64(0, max_factors_ + 1); left > 0; --left) {
      number *= kPrimes[static_cast<std::size_t>(random.Int64(0, std::ssize(kPrimes)))];
    }
    return number;
  }

  std::int64_t max_factors_;
  std::size_t max_nodes_;
};

}  // namespace

const DomainType& FractionsType() {
  static const DomainType type{
      "fractions",
      "operations on fractions, brought to lowest terms",
      {{"max_factors", "numbers are products of 0 to max_factors of 2, 3, 5 and 7", "3", {{0, 20}}},
       {"max_nodes", "states of more nodes have no successors", "15", {{1, 1'000'000}}}},
      {{"factorize", "a number is written as a product"},
       {"eval", "an operation on two numbers is its result"},
       {"cancel", "a factor above and below the line is left out"},
       {"scale", "numerator and denominator are multiplied by 2, 3, 5 or 7"},
       {"simpl1", "a fraction over 1 is its numerator"},
       {"mfrac", "a number is a fraction over 1"},
       {"mul", "fractions are multiplied: numerators and denominators"},
       {"combine", "fractions with the same denominator are added or subtracted"}},
      [](const Parameters& parameters) -> std::unique_ptr<Domain> { return std::make_unique<Fractions>(parameters); }};
  return type;
}

}  // namespace conpole

#include "domains/axioms/multiplication.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "domains/axioms/decimal.h"
#include "domains/axioms/rewrite.h"
#include "domains/axioms/term_domain.h"
#include "util/random.h"

namespace conpole {
namespace {

// MANTISSAeEXPONENT
struct DecimalNotation {
  using Number = Decimal;
  static constexpr std::string_view kOperators = "+*-";
  static constexpr bool kEquality = false;
  static constexpr bool kVariables = false;
  static constexpr bool kFractions = false;

  static bool StartsNumber(char c) { return IsDigit(c); }
  static const char* ReadNumber(const char* at, const char* end, bool negative, Decimal& number, TermError& error) {
    return Decimal::Read(at, end, negative, number, error);
  }
  static Decimal Negated(const Decimal& number) { return number.Negated(); }
  static std::size_t MaxBytes(const Decimal& number) { return number.MaxBytes(); }
  static char* WriteOperand(char* out, const Decimal& number) { return number.Write(out); }
};

using DecimalTerm = Term<DecimalNotation>;

// The axioms, one function per family, in the order in which the families are listed.
class MultiplicationRules {
 public:
  using Index = DecimalTerm::Index;

  MultiplicationRules(const DecimalTerm& term, Labels labels, Successors& out)
      : term_(term), rewrite_(term, labels, out, kNewBytes) {}

  void Append() {
    for (const auto family : {&MultiplicationRules::Commute, &MultiplicationRules::Distribute, &MultiplicationRules::Evaluate,
                              &MultiplicationRules::Split, &MultiplicationRules::Trivial}) {
      for (Index i = 0; i < term_.size(); ++i) (this->*family)(i);
    }
  }

 private:
  using Number = Num<Decimal>;
  // Punctuation and one new number of the largest size.
  static constexpr std::size_t kNewBytes = 64 + Decimal::kMaxDigits;

  bool Is(char op, Index i) const { return term_.IsOperation(i, op); }

  void Commute(Index i) {
    if (Is('+', i) || Is('*', i)) rewrite_.Replace("comm", i, Op(term_[i].symbol, Sub{term_.Right(i)}, Sub{term_.Left(i)}));
  }

  void Distribute(Index i) {
    if (!Is('*', i) || !Is('+', term_.Right(i))) return;
    const Sub a{term_.Left(i)};
    const Sub b{term_.Left(term_.Right(i))};
    const Sub c{term_.Right(term_.Right(i))};
    rewrite_.Replace("dist", i, Op('+', Op('*', a, b), Op('*', a, c)));
  }

  void Evaluate(Index i) {
    if (!term_.IsOperation(i) || !term_.IsNumber(term_.Left(i)) || !term_.IsNumber(term_.Right(i))) return;
    const Decimal& a = term_[term_.Left(i)].number;
    const Decimal& b = term_[term_.Right(i)].number;
    if (Is('*', i) && (a.IsOneDigit() || b.IsOneDigit())) {
      if (const auto product = Decimal::Multiply(a, b, scratch_)) rewrite_.Replace("sdmul", i, Number{*product});
    } else if (Is('+', i)) {
      if (const auto sum = Decimal::Add(a, b, scratch_)) rewrite_.Replace("add", i, Number{*sum});
    }
  }

  void Split(Index i) {
    if (!term_.IsNumber(i)) return;
    if (const auto parts = term_[i].number.Split())
      rewrite_.Replace("split", i, Op('+', Number{parts->tens}, Number{parts->ones}));
  }

  void Trivial(Index i) {
    if (!term_.IsOperation(i) || !term_.IsNumber(term_.Right(i))) return;
    const Decimal& right = term_[term_.Right(i)].number;
    if (Is('*', i) && right.IsZero()) {
      rewrite_.Replace("mul0", i, Number{Decimal()});
    } else if (Is('*', i) && right.IsOne()) {
      rewrite_.Replace("mul1", i, Sub{term_.Left(i)});
    } else if (Is('+', i) && right.IsZero()) {
      rewrite_.Replace("add0", i, Sub{term_.Left(i)});
    }
  }

  const DecimalTerm& term_;
  Rewriter<DecimalNotation> rewrite_;
  std::string scratch_;
};

class Multiplication final : public TermDomain<DecimalNotation> {
 public:
  explicit Multiplication(const Parameters& parameters)
      : TermDomain(MultiplicationType(), parameters),
        min_mantissa_(parameters.Integer("min_mantissa")),
        max_mantissa_(parameters.Integer("max_mantissa")),
        max_exponent_(static_cast<std::int8_t>(parameters.Integer("max_exponent"))),
        max_nodes_(static_cast<std::size_t>(parameters.Integer("max_nodes"))) {
    parameters.RequireOrdered("min_mantissa", "max_mantissa");
  }

  std::string Generate(std::uint64_t seed) const override {
    static constexpr std::array<std::string_view, 6> kShapes{
        "(N * N)", "((N * N) + N)", "((N * N) + (N * N))", "((N + N) * (N + N))", "((N * N) * N)", "(((N * N) * N) * N)"};
    Random random(seed);
    std::string problem;
    for (const char c : kShapes[static_cast<std::size_t>(random.Int64(0, std::ssize(kShapes)))]) {
      if (c != 'N') {
        problem += c;
        continue;
      }
      problem += std::to_string(random.Int64(min_mantissa_, max_mantissa_ + 1));
      problem += 'e';
      problem += std::to_string(random.Int8(1, static_cast<std::int8_t>(max_exponent_ + 1)));
    }
    return problem;
  }

  bool Solved(std::string_view state) const override { return state.front() != '('; }

 protected:
  bool WithinCap(const DecimalTerm& term) const override { return max_nodes_ == 0 || term.size() <= max_nodes_; }

  void AppendSuccessors(const DecimalTerm& term, Labels labels, Successors& out) const override {
    MultiplicationRules(term, labels, out).Append();
  }

 private:
  std::int64_t min_mantissa_;
  std::int64_t max_mantissa_;
  std::int8_t max_exponent_;
  std::size_t max_nodes_;
};

}  // namespace

const DomainType& MultiplicationType() {
  static const DomainType type{
      "multiplication",
      "products and sums of multi-digit numbers, worked out digit by digit",
      {{"min_mantissa", "mantissas are at least this", "1", {{1, 1'000'000'000'000}}},
       {"max_mantissa", "and at most this", "999", {{1, 1'000'000'000'000}}},
       {"max_exponent", "exponents are 1 to max_exponent", "4", {{1, 100}}},
       {"max_nodes", "states of more nodes have no successors; 0 for no limit", "0", {{0, 1'000'000}}}},
      {{"comm", "A + B is B + A, and A * B is B * A"},
       {"dist", "A * (B + C) is (A * B) + (A * C)"},
       {"sdmul", "a number is multiplied by a single digit"},
       {"add", "two numbers are added"},
       {"split", "a number is the sum of its tens and its ones"},
       {"mul0", "a product with 0 is 0"},
       {"mul1", "multiplying by 1 changes nothing"},
       {"add0", "adding 0 changes nothing"}},
      [](const Parameters& parameters) -> std::unique_ptr<Domain> { return std::make_unique<Multiplication>(parameters); }};
  return type;
}

}  // namespace conpole

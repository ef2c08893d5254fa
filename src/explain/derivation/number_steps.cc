#include "explain/derivation/number_steps.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conpole/domain.h"
#include "domains/school/algebra_actions.h"
#include "explain/derivation/proof.h"

namespace conpole::axioms {
namespace {

namespace mp = boost::multiprecision;

using algebra::Integer;
using algebra::Kind;
using algebra::Node;

const Domain& FractionsDomain() {
  static const std::unique_ptr<Domain> domain = MakeDomain("fractions");
  return *domain;
}

const Domain& MultiplicationDomain() {
  static const std::unique_ptr<Domain> domain = MakeDomain("multiplication");
  return *domain;
}

// A whole number with signs or without.
std::optional<Integer> WholeOf(const Node& node) {
  if (node.Is(Kind::kNumber)) return node.value;
  if (!node.Is(Kind::kNegation)) return std::nullopt;
  std::optional<Integer> inside = WholeOf(node.children[0]);
  if (inside) *inside = -*inside;
  return inside;
}

// A fraction of whole numbers, or a whole number, as `fractions` writes it.
struct Fraction {
  Integer above;
  Integer below = 1;
  bool whole = true;

  std::string Text() const { return whole ? above.str() : fmt::format("[{}]/[{}]", above.str(), below.str()); }
  Fraction Negative() const { return {Integer(-above), below, whole}; }
};
std::optional<Fraction> FractionOf(const Node& node) {
  if (const std::optional<Integer> whole = WholeOf(node)) return Fraction{*whole, 1, true};
  if (node.Is(Kind::kNegation)) {
    const std::optional<Fraction> inside = FractionOf(node.children[0]);
    if (!inside) return std::nullopt;
    return inside->Negative();
  }
  if (!node.Is(Kind::kQuotient)) return std::nullopt;
  const std::optional<Integer> above = WholeOf(node.children[0]);
  const std::optional<Integer> below = WholeOf(node.children[1]);
  if (!above || !below || *below <= 0) return std::nullopt;
  return Fraction{*above, *below, false};
}

std::optional<std::vector<Fraction>> FractionsOf(const std::vector<Node>& nodes) {
  std::vector<Fraction> fractions;
  for (const Node& node : nodes) {
    std::optional<Fraction> fraction = FractionOf(node);
    if (!fraction) return std::nullopt;
    fractions.push_back(std::move(*fraction));
  }
  return fractions;
}

// A decimal is a fraction over a power of ten.
std::optional<std::vector<Fraction>> DecimalsOf(const std::vector<Node>& nodes) {
  std::vector<Fraction> fractions;
  for (const Node& node : nodes) {
    const bool negative = node.Is(Kind::kNegation);
    const Node& size = negative ? node.children[0] : node;
    std::optional<Fraction> fraction = FractionOf(size);
    if (size.Is(Kind::kDecimal)) fraction = Fraction{size.value, mp::pow(Integer(10), size.exponent), false};
    if (!fraction) return std::nullopt;
    fractions.push_back(negative ? fraction->Negative() : *fraction);
  }
  return fractions;
}

std::optional<std::vector<Integer>> WholesOf(const std::vector<Node>& nodes) {
  std::vector<Integer> numbers;
  for (const Node& node : nodes) {
    std::optional<Integer> number = WholeOf(node);
    if (!number) return std::nullopt;
    numbers.push_back(std::move(*number));
  }
  return numbers;
}

// Steps in `fractions`. Its states have at most two fractions, so an operation on more is done two at a time.
class FractionSteps {
 public:
  FractionSteps() : proof_(FractionsDomain(), {}) {}

  // Whether a state had all that was worked on.
  bool whole() const { return whole_; }
  std::vector<Derivation::Line> TakeLines() { return proof_.TakeLines(); }

  void Reduce(const Node& node) {
    const std::optional<Fraction> fraction = FractionOf(node);
    if (!fraction) throw NoProof();
    Reduce(fraction->above, fraction->below);
  }

  void Multiply(const std::vector<Fraction>& factors) {
    whole_ = factors.size() == 2;
    Fraction product = factors[0];
    for (std::size_t i = 1; i < factors.size(); ++i) {
      Start(product, '*', factors[i]);
      MakeFraction(left_);
      MakeFraction(right_);
      const Fraction a = left_;
      const Fraction b = right_;
      Go("mul", fmt::format("[({} * {})]/[({} * {})]", a.above.str(), b.above.str(), a.below.str(), b.below.str()));
      product = {a.above * b.above, a.below * b.below, false};
      Go("eval", fmt::format("[{}]/[({} * {})]", product.above.str(), a.below.str(), b.below.str()));
      Go("eval", product.Text());
    }
    if (product.above == 0 || mp::gcd(product.above, product.below) == 1) return;
    whole_ = whole_ && product.above > 0;
    Reduce(mp::abs(product.above), product.below);
  }

  void Add(const std::vector<Fraction>& terms) {
    whole_ = terms.size() == 2;
    Fraction sum = terms[0];
    for (std::size_t i = 1; i < terms.size(); ++i) {
      StartSum(sum, terms[i]);
      const Integer common = mp::lcm(left_.below, right_.below);
      ScaleTo(left_, common);
      ScaleTo(right_, common);
      sum = AddUp();
    }
  }

  // Brings every term to the common denominator.
  void MakeCommon(const std::vector<Fraction>& terms) {
    whole_ = terms.size() == 2;
    Integer common = 1;
    for (const Fraction& term : terms) common = mp::lcm(common, term.below);
    Fraction first = terms[0];
    for (std::size_t i = 1; i < terms.size(); ++i) {
      const auto there = [&](const Fraction& term) { return !term.whole && term.below == common; };
      if (there(first) && there(terms[i])) continue;
      StartSum(first, terms[i]);
      ScaleTo(left_, common);
      ScaleTo(right_, common);
      first = left_;
    }
  }

  // 1 1/2
  void ConvertMixed(const Node& mixed) {
    const std::optional<Integer> above = WholeOf(mixed.children[0]);
    const std::optional<Integer> below = WholeOf(mixed.children[1]);
    if (!above || !below) throw NoProof();
    StartSum({mixed.value, 1, true}, {*above, *below, false});
    ScaleTo(left_, *below);
    AddUp();
  }

  // 0.25, that is 25/100
  void ConvertDecimal(const Node& decimal) {
    whole_ = false;
    constexpr unsigned kMostPlaces = 15;
    if (decimal.exponent > kMostPlaces) throw NoProof();
    const Integer below = mp::pow(Integer(10), decimal.exponent);
    if (mp::gcd(decimal.value, below) != 1) Reduce(decimal.value, below);
  }

  // The state has fractions where the line has decimals.
  void AddDecimals(const std::vector<Fraction>& terms) {
    Add(terms);
    whole_ = false;
  }
  void MultiplyDecimals(const std::vector<Fraction>& factors) {
    Multiply(factors);
    whole_ = false;
  }

  void AddWholes(const std::vector<Integer>& numbers) {
    Integer sum = numbers[0];
    for (std::size_t i = 1; i < numbers.size(); ++i) {
      const auto text = [&](const Integer& so_far, std::size_t next) {
        std::string state = so_far.str();
        for (; next < numbers.size(); ++next) {
          const bool minus = numbers[next] < 0;
          state = fmt::format("({} {} {})", state, minus ? '-' : '+', Integer(mp::abs(numbers[next])).str());
        }
        return state;
      };
      if (i == 1) proof_.StartAnew(text(sum, 1));
      sum += numbers[i];
      Go("eval", text(sum, i + 1));
    }
  }

 private:
  void Go(std::string_view axiom, const std::string& next) { proof_.Go(axiom, next); }

  std::string Text() const { return fmt::format("{} {} {}", left_.Text(), op_, right_.Text()); }

  void Start(const Fraction& left, char op, const Fraction& right) {
    left_ = left;
    op_ = op;
    right_ = right;
    proof_.StartAnew(Text());
  }
  void StartSum(const Fraction& left, const Fraction& right) {
    if (right.above < 0) {
      Start(left, '-', right.Negative());
    } else {
      Start(left, '+', right);
    }
  }

  void MakeFraction(Fraction& term) {
    if (!term.whole) return;
    term.whole = false;
    Go("mfrac", Text());
  }

  void ScaleTo(Fraction& term, const Integer& below) {
    MakeFraction(term);
    Integer factor = below / term.below;
    static constexpr std::array<int, 4> kPrimes{7, 5, 3, 2};
    for (const int p : kPrimes) {
      while (factor % p == 0) {
        factor /= p;
        const auto go = [&](std::string_view axiom, const std::string& scaled) {
          const bool left = &term == &left_;
          Go(axiom, fmt::format("{} {} {}", left ? scaled : left_.Text(), op_, left ? right_.Text() : scaled));
        };
        const std::string above = term.above.str();
        const std::string old_below = term.below.str();
        go("scale", fmt::format("[({} * {})]/[({} * {})]", p, above, p, old_below));
        term.above *= p;
        go("eval", fmt::format("[{}]/[({} * {})]", term.above.str(), p, old_below));
        term.below *= p;
        go("eval", term.Text());
      }
    }
    // No axiom scales by larger primes.
    if (factor != 1) throw NoProof();
  }

  // Of two fractions over one denominator.
  Fraction AddUp() {
    Fraction sum{op_ == '-' ? Integer(left_.above - right_.above) : Integer(left_.above + right_.above), left_.below, false};
    Go("combine", fmt::format("[({} {} {})]/[{}]", left_.above.str(), op_, right_.above.str(), left_.below.str()));
    Go("eval", sum.Text());
    return sum;
  }

  void Reduce(const Integer& above, const Integer& below) {
    proof_.StartAnew(Fraction{above, below, false}.Text());
    if (below == 1) return Go("simpl1", above.str());
    if (above <= 0) throw NoProof();
    const Integer common = mp::gcd(above, below);
    const Integer new_above = above / common;
    const Integer new_below = below / common;
    // A number as the common factor times the rest, the smaller one first, as the domain writes it.
    const auto product = [&](const Integer& number, const Integer& rest) {
      if (rest == 1) return number.str();
      const Integer smaller = std::min(common, rest);
      return fmt::format("({} * {})", smaller.str(), Integer(number / smaller).str());
    };
    const std::string above_text = product(above, new_above);
    Go("factorize", fmt::format("[{}]/[{}]", above_text, below.str()));
    Go("factorize", fmt::format("[{}]/[{}]", above_text, product(below, new_below)));
    Go("cancel", Fraction{new_above, new_below, new_below == 1}.Text());
  }

  Proof proof_;
  bool whole_ = true;
  Fraction left_;
  Fraction right_;
  char op_ = '+';
};

// Steps in `multiplication`: a factor is split into its digits.
class MultiplicationSteps {
 public:
  MultiplicationSteps() : proof_(MultiplicationDomain(), {}) {}

  static bool whole() { return true; }
  std::vector<Derivation::Line> TakeLines() { return proof_.TakeLines(); }

  void Multiply(const std::vector<Integer>& factors) {
    // Every number of a state is looked at for every axiom, so that long ones take long.
    constexpr std::size_t kMostDigits = 60;
    if (factors.size() > kMostFactors) throw NoProof();
    const auto rest = [&](std::size_t from) {
      std::string text;
      for (std::size_t i = from; i < factors.size(); ++i) text += fmt::format(" * {})", Text(factors[i], 0));
      return text;
    };
    Integer product = factors[0];
    for (std::size_t i = 1; i < factors.size(); ++i) {
      if (DigitsOf(product) > kMostDigits || DigitsOf(factors[i]) > kMostDigits) throw NoProof();
      const std::string before(factors.size() - 1 - i, '(');
      if (i == 1) proof_.StartAnew(before + '(' + Text(product, 0) + rest(1));
      MultiplyPair(before, product, factors[i], rest(i + 1));
      product *= factors[i];
    }
  }

  void Add(const std::vector<Integer>& terms) {
    const auto text = [&](const Integer& so_far, std::size_t next) {
      std::string state = Text(so_far, 0);
      for (; next < terms.size(); ++next) state = fmt::format("({} + {})", state, Text(terms[next], 0));
      return state;
    };
    proof_.StartAnew(text(terms[0], 1));
    Integer sum = terms[0];
    for (std::size_t i = 1; i < terms.size(); ++i) {
      sum += terms[i];
      proof_.Go("add", text(sum, i + 1));
    }
  }

 private:
  static constexpr std::size_t kMostFactors = 8;

  static std::string Text(const Integer& mantissa, std::size_t exponent) {
    return fmt::format("{}e{}", mantissa.str(), exponent);
  }
  static std::size_t DigitsOf(const Integer& number) { return Integer(mp::abs(number)).str().size(); }
  static bool IsOneDigit(const Integer& number) { return mp::abs(number) < 10; }

  // (a * b) in its surroundings.
  void MultiplyPair(const std::string& before, Integer a, Integer b, const std::string& after) {
    if (DigitsOf(a) < DigitsOf(b) && !IsOneDigit(a)) {
      std::swap(a, b);
      proof_.Go("comm", fmt::format("{}({} * {}){}", before, Text(a, 0), Text(b, 0), after));
    }
    if (IsOneDigit(a) || IsOneDigit(b)) return proof_.Go("sdmul", before + Text(a * b, 0) + after);
    // a(q * 10 + r) = (aq) * 10 + ar for the last digit r, and so on with q; then the products are added up.
    std::string open = before;
    std::string close = after;
    std::vector<std::pair<Integer, std::size_t>> products;
    std::size_t exponent = 0;
    while (!IsOneDigit(b)) {
      const Integer tens = b / 10;
      const Integer ones = b % 10;
      const std::string factor = Text(a, 0);
      proof_.Go("split",
                fmt::format("{}({} * ({} + {})){}", open, factor, Text(tens, exponent + 1), Text(ones, exponent), close));
      const std::string first = fmt::format("({} * {})", factor, Text(tens, exponent + 1));
      proof_.Go("dist", fmt::format("{}({} + ({} * {})){}", open, first, factor, Text(ones, exponent), close));
      proof_.Go("sdmul", fmt::format("{}({} + {}){}", open, first, Text(a * ones, exponent), close));
      products.emplace_back(a * ones, exponent);
      open += '(';
      close = fmt::format(" + {}){}", Text(products.back().first, exponent), close);
      b = tens;
      ++exponent;
    }
    proof_.Go("sdmul", open + Text(a * b, exponent) + close);
    Integer sum = a * b * mp::pow(Integer(10), static_cast<unsigned>(exponent));
    while (!products.empty()) {
      const auto& [product, place] = products.back();
      sum += product * mp::pow(Integer(10), static_cast<unsigned>(place));
      open.pop_back();
      close.erase(0, fmt::format(" + {})", Text(product, place)).size());
      proof_.Go("add", fmt::format("{}{}{}", open, Text(sum, 0), close));
      products.pop_back();
    }
  }

  Proof proof_;
};

bool FitInto64Bits(const std::vector<Integer>& numbers) {
  Integer total = 0;
  for (const Integer& number : numbers) total += mp::abs(number);
  return algebra::BitsOf(total) < 63;
}

class NumberSteps {
 public:
  // Throws NoProof, also where parts are of different domains.
  void Open(std::string_view action, const Node& node) {
    if (action == "evaluate") return Evaluate(node);
    if (action == "convert" && node.Is(Kind::kMixed)) {
      return InFractions([&](FractionSteps& steps) { steps.ConvertMixed(node); });
    }
    if (action == "convert" && node.Is(Kind::kDecimal)) {
      return InFractions([&](FractionSteps& steps) { steps.ConvertDecimal(node); });
    }
    if (action == "reduce") return InFractions([&](FractionSteps& steps) { steps.Reduce(node); });
    const std::optional<std::vector<Fraction>> fractions = FractionsOf(node.children);
    const bool several = fractions && fractions->size() > 1;
    if (several && action == "product" && node.Is(Kind::kProduct)) {
      InFractions([&](FractionSteps& steps) { steps.Multiply(*fractions); });
    } else if (several && action == "sum" && node.Is(Kind::kSum)) {
      InFractions([&](FractionSteps& steps) { steps.Add(*fractions); });
    } else if (several && action == "common" && node.Is(Kind::kSum)) {
      InFractions([&](FractionSteps& steps) { steps.MakeCommon(*fractions); });
    } else {
      throw NoProof();
    }
  }

  Derivation Take() {
    if (domain_ == nullptr) return {};
    Derivation derivation;
    derivation.domain = domain_->Spec();
    derivation.lines = std::move(lines_);
    derivation.complete = whole_;
    return derivation;
  }

 private:
  template <class Steps>
  void Keep(const Domain& domain, Steps& steps) {
    if (domain_ != nullptr && domain_ != &domain) throw NoProof();
    domain_ = &domain;
    whole_ = steps.whole();
    for (Derivation::Line& line : steps.TakeLines()) lines_.push_back(std::move(line));
  }
  template <class Do>
  void InFractions(const Do& go) {
    FractionSteps steps;
    go(steps);
    Keep(FractionsDomain(), steps);
  }
  template <class Do>
  void InMultiplication(const Do& go) {
    MultiplicationSteps steps;
    go(steps);
    Keep(MultiplicationDomain(), steps);
  }

  void Evaluate(const Node& node) {
    constexpr unsigned kMostFactors = 8;
    std::optional<std::vector<Integer>> numbers;
    bool product = true;
    if (node.Is(Kind::kPower)) {
      if (node.exponent < 2 || node.exponent > kMostFactors) throw NoProof();
      const std::vector<Node> factors(node.exponent, node.children[0]);
      numbers = WholesOf(factors);
      const std::optional<std::vector<Fraction>> fractions = FractionsOf(factors);
      if (!numbers && fractions) return InFractions([&](FractionSteps& steps) { steps.Multiply(*fractions); });
    } else if (node.Is(Kind::kProduct) || node.Is(Kind::kSum)) {
      product = node.Is(Kind::kProduct);
      numbers = WholesOf(node.children);
      const std::optional<std::vector<Fraction>> decimals = DecimalsOf(node.children);
      if (!numbers && decimals) {
        return InFractions(
            [&](FractionSteps& steps) { product ? steps.MultiplyDecimals(*decimals) : steps.AddDecimals(*decimals); });
      }
    }
    if (!numbers) throw NoProof();
    if (product) {
      InMultiplication([&](MultiplicationSteps& steps) { steps.Multiply(*numbers); });
    } else if (FitInto64Bits(*numbers)) {
      InFractions([&](FractionSteps& steps) { steps.AddWholes(*numbers); });
    } else {
      InMultiplication([&](MultiplicationSteps& steps) { steps.Add(*numbers); });
    }
  }

  const Domain* domain_ = nullptr;
  std::vector<Derivation::Line> lines_;
  bool whole_ = true;  // of the last part
};

}  // namespace

Derivation OpenNumberStep(const algebra::State& before, std::string_view action, std::string_view operand) {
  constexpr std::string_view kAll = "all";
  std::vector<std::string> operands;
  if (operand == kAll) {
    for (const algebra::Step& step : algebra::ListSteps(before)) {
      if (algebra::NameOf(step.action) == action && step.operand != kAll) operands.push_back(step.operand);
    }
  } else {
    operands.emplace_back(operand);
  }
  NumberSteps steps;
  bool all_of_it = false;
  for (const std::string& text : operands) {
    const algebra::ReadResult read = algebra::Read(text);
    const Node* const number = read.OnlyExpression();
    if (number == nullptr) return {};
    steps.Open(action, *number);
    all_of_it = *number == before.expression;
  }
  Derivation derivation = steps.Take();
  derivation.complete = derivation.complete && all_of_it;
  return derivation;
}

}  // namespace conpole::axioms

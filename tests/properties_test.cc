// Properties that hold for all values of a kind, tried on random ones. The seed is fixed, so that every run is the same; the
// environment variable RC_PARAMS (for example seed=7 max_success=100000) overrides that.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <boost/multiprecision/cpp_int.hpp>

// RapidCheck's header for GoogleTest needs GoogleTest's before it.
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "conpole/domain.h"
#include "domains/school/algebra_heuristic.h"
#include "math/rational.h"
#include "notation/token.h"
#include "subjects/free_notation.h"
#include "tests/check_text.h"
#include "util/text.h"

namespace conpole {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

// RapidCheck reads its settings when the first property runs; before main there is one thread only.
// NOLINTNEXTLINE(concurrency-mt-unsafe)
const int kSettings = setenv("RC_PARAMS", "seed=20211 max_success=2000", 0);

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

// Integers of every magnitude up to the limits of 64 bits.
rc::Gen<std::int64_t> AnyInteger() {
  const auto bits_and_shift = rc::gen::pair(rc::gen::arbitrary<std::uint64_t>(), rc::gen::inRange(1, 64));
  // At the nominal size from the start: small sizes would mean small ranges.
  return rc::gen::resize(rc::kNominalSize, rc::gen::map(bits_and_shift, [](const std::pair<std::uint64_t, int>& drawn) {
                           const auto magnitude = static_cast<std::int64_t>(drawn.first >> drawn.second);
                           return drawn.first % 2 == 0 ? magnitude : -magnitude;
                         }));
}

std::int64_t AnyNonZero() {
  return *rc::gen::suchThat(AnyInteger(), [](std::int64_t n) { return n != 0; });
}

bool Fits(const cpp_rational& value) { return abs(numerator(value)) <= kMax && denominator(value) <= kMax; }

void RequireEqual(const std::optional<Rational>& ours, const cpp_rational& exact) {
  RC_ASSERT(ours.has_value() == Fits(exact));
  if (!ours) return;
  RC_ASSERT(ours->numerator() == numerator(exact));
  RC_ASSERT(ours->denominator() == denominator(exact));
}

RC_GTEST_PROP(RationalProperties, MakeIsTheReducedFractionWheneverItFits, ()) {
  // Products reach the full range that Make allows; common factors make reduction matter.
  const std::int64_t common = AnyNonZero();
  const std::int64_t a = *AnyInteger();
  const std::int64_t b = AnyNonZero();
  const std::int64_t other = *rc::gen::element(common, b, a, std::int64_t{1}, AnyNonZero());
  RequireEqual(Rational::Make(Int128{a} * other, Int128{b} * common), cpp_rational(cpp_int(a) * other, cpp_int(b) * common));
}

RC_GTEST_PROP(RationalProperties, ArithmeticIsExactOrHasNoResult, ()) {
  const std::optional<Rational> a = Rational::Make(*AnyInteger(), AnyNonZero());
  const std::optional<Rational> b = Rational::Make(*AnyInteger(), AnyNonZero());
  const cpp_rational x(a->numerator(), a->denominator());
  const cpp_rational y(b->numerator(), b->denominator());
  RequireEqual(Rational::Apply('+', *a, *b), x + y);
  RequireEqual(Rational::Apply('-', *a, *b), x - y);
  RequireEqual(Rational::Apply('*', *a, *b), x * y);
  if (y == 0) {
    RC_ASSERT(!Rational::Apply('/', *a, *b));
  } else {
    RequireEqual(Rational::Apply('/', *a, *b), x / y);
  }
}

// Random terms of equations, grown from a list of choices so that failures shrink to short lists. Every term gives two texts:
// the canonical one, and one as a person might write it, with parentheses and blanks added and left out at will.
class TermWriter {
 public:
  explicit TermWriter(std::vector<std::uint8_t> choices) : choices_(std::move(choices)) {}

  struct Written {
    std::string canonical;
    std::string casual;
    int precedence = 2;  // of `casual`: 0 for a sum, 1 for a product, 2 for what needs no parentheses
    enum class Kind { kNumber, kNegativeNumber, kVariable, kMonomial, kNegation, kOperation } kind = Kind::kOperation;
    std::string coefficient;  // of a number: as it stands before a variable
  };

  Written Equation() {
    const Written left = Term(5);
    const Written right = Term(5);
    return {left.canonical + " = " + right.canonical, left.casual + Blanks() + "=" + Blanks() + right.casual, 2, {}, {}};
  }

 private:
  using Kind = Written::Kind;

  std::size_t Choose(std::size_t count) { return at_ < choices_.size() ? choices_[at_++] % count : 0; }
  std::string Blanks() { return std::string(Choose(3), " \t"[Choose(2)]); }

  Written Term(int depth) {
    switch (depth == 0 ? Choose(3) : Choose(8)) {
      case 0:
        return Variable();
      case 1:
        return Number();
      case 2:
        return Multiply(Number(), Variable());
      case 3:
        return Negate(Term(depth - 1));
      default:
        return Operation(depth);
    }
  }

  Written Variable() {
    const std::string letter(1, "xyzA"[Choose(4)]);
    return Around({letter, letter, 2, Kind::kVariable, {}});
  }

  Written Number() {
    const std::size_t over = Choose(100);
    const std::size_t under = 1 + Choose(6);
    const std::size_t factor = 1 + Choose(3);
    const bool negative = over != 0 && Choose(2) == 0;
    const cpp_rational value(over, under);
    const std::string sign = negative ? "-" : "";
    const std::string plain = value.str();
    const bool integer = denominator(value) == 1;
    Written number;
    number.coefficient = integer ? sign + plain : "[" + sign + plain + "]";
    number.canonical = negative ? "(" + number.coefficient + ")" : number.coefficient;
    number.kind = negative ? Kind::kNegativeNumber : Kind::kNumber;
    const std::string unreduced = std::to_string(over * factor) + "/" + std::to_string(under * factor) + "]";
    const bool sign_outside = Choose(2) == 0;
    number.casual = integer && Choose(2) == 0 ? sign + plain : sign_outside ? sign + "[" + unreduced : "[" + sign + unreduced;
    return Around(number);
  }

  // Parentheses that are not needed.
  Written Around(Written written) {
    for (std::size_t pairs = Choose(4) == 0 ? Choose(3) : 0; pairs > 0; --pairs) {
      written.casual = "(" + Blanks() + written.casual + Blanks() + ")";
      written.precedence = 2;
    }
    return written;
  }

  std::string Operand(const Written& written, int precedence) {
    return written.precedence >= precedence ? written.casual : "(" + written.casual + ")";
  }

  Written Multiply(const Written& left, const Written& right) {
    const bool joined = left.casual.front() != '(' && right.casual.size() == 1 && Choose(2) == 0;
    Written product;
    product.canonical = left.coefficient + right.canonical;
    product.casual = joined ? left.casual + right.casual : left.casual + Blanks() + "*" + Blanks() + right.casual;
    product.precedence = joined ? 2 : 1;
    product.kind = Kind::kMonomial;
    return Around(product);
  }

  Written Negate(const Written& operand) {
    // A minus before a number is the number's sign.
    if (operand.kind == Kind::kNumber || operand.kind == Kind::kNegativeNumber) return operand;
    const bool bare = operand.precedence == 2 && operand.casual.front() != '[' && !IsDigit(operand.casual.front());
    const bool parentheses = operand.kind == Kind::kMonomial || operand.kind == Kind::kNegation;
    Written negation;
    negation.canonical = parentheses ? "-(" + operand.canonical + ")" : "-" + operand.canonical;
    negation.casual = bare ? "-" + Blanks() + operand.casual : "-" + Blanks() + "(" + operand.casual + ")";
    negation.kind = Kind::kNegation;
    return Around(negation);
  }

  Written Operation(int depth) {
    const char op = "+-*/"[Choose(4)];
    const Written left = Term(depth - 1);
    const Written right = Term(depth - 1);
    const bool number = left.kind == Kind::kNumber || left.kind == Kind::kNegativeNumber;
    if (op == '*' && number && right.kind == Kind::kVariable) return Multiply(left, right);
    const int precedence = op == '*' || op == '/' ? 1 : 0;
    Written operation;
    operation.canonical = "(" + left.canonical + " " + op + " " + right.canonical + ")";
    operation.casual = Operand(left, precedence) + Blanks() + op + Blanks() + Operand(right, precedence + 1);
    operation.precedence = precedence;
    return Around(operation);
  }

  std::vector<std::uint8_t> choices_;
  std::size_t at_ = 0;
};

RC_GTEST_PROP(TermProperties, CasualAndCanonicalTextReadTheSame, ()) {
  static const std::unique_ptr<Domain> domain = MakeDomain("equations");
  // A list longer than usual, because most terms take dozens of choices.
  const auto choices = *rc::gen::resize(5 * rc::kNominalSize, rc::gen::arbitrary<std::vector<std::uint8_t>>());
  const TermWriter::Written equation = TermWriter(choices).Equation();
  RC_LOG() << equation.casual << '\n' << equation.canonical << '\n';
  const Parsed casual = domain->Parse(equation.casual);
  RC_ASSERT(!casual.error);
  RC_ASSERT(casual.state == equation.canonical);
  RC_ASSERT(domain->Parse(equation.canonical).state == equation.canonical);
}

// a_n x^n + ... + a_0 as algebra writes it.
std::string PolynomialText(const std::vector<int>& coefficients) {
  std::string text;
  for (std::size_t power = coefficients.size(); power-- > 0;) {
    const int coefficient = coefficients[power];
    if (coefficient == 0) continue;
    if (text.empty()) {
      text += coefficient < 0 ? "-" : "";
    } else {
      text += coefficient < 0 ? " - " : " + ";
    }
    const int size = std::abs(coefficient);
    if (size != 1 || power == 0) text += std::to_string(size);
    if (power > 0) text += power == 1 ? "x" : "x^" + std::to_string(power);
  }
  return text.empty() ? "0" : text;
}

RC_GTEST_PROP(AlgebraHeuristicProperties, PowersThatCancelTakeOneLineMore, ()) {
  const auto lines = [](const std::string& state) { return static_cast<int>(algebra::StepsToGo(state)); };
  const auto linear = rc::gen::container<std::vector<int>>(2, rc::gen::inRange(-3, 4));
  std::vector<int> left = *linear;
  std::vector<int> right = *linear;
  RC_PRE(left != right);
  const int before = lines(PolynomialText(left) + " = " + PolynomialText(right));
  const std::size_t power = *rc::gen::inRange<std::size_t>(2, 7);
  const int coefficient = *rc::gen::inRange(1, 4);
  for (std::vector<int>* const side : {&left, &right}) {
    side->resize(power + 1);
    side->back() = coefficient;
  }
  const std::string equation = PolynomialText(left) + " = " + PolynomialText(right);
  RC_LOG() << equation << '\n';
  RC_ASSERT(lines(equation) == before + 1);
}

RC_GTEST_PROP(AlgebraHeuristicProperties, EveryPolynomialEquationAndWhatFollowsHasADistance, ()) {
  static const std::unique_ptr<Domain> domain = MakeDomain("algebra");
  const auto side = rc::gen::container<std::vector<int>>(4, rc::gen::inRange(-1, 3));
  const std::string equation = PolynomialText(*side) + " = " + PolynomialText(*side);
  RC_LOG() << equation << '\n';
  Successors successors;
  const Status status = domain->Expand(domain->Parse(equation).state, Labels::kOff, successors);
  RC_ASSERT((status == Status::kSolved) == (algebra::StepsToGo(equation) == 0));
  for (std::size_t i = 0; i < successors.size(); ++i) {
    const float steps = algebra::StepsToGo(successors.state(i));
    RC_ASSERT(std::isfinite(steps) && steps >= 0);
  }
}

// Texts as people write them: a problem of some domain, with other pieces before and after it.
std::string AnyNotation() {
  static const std::vector<std::string> problems{"2x + 3 = 7", "10-3",    "5 = 2x",   "1/2 + 1/3", "12 * 34", "[3, 1, 2]",
                                                 "R U R' U2",  "c3 + b5", "12e3 * 4", "x^2 = 9",   "54, 36",  "x = 2",
                                                 "2)",         "[==|=]",  "2x &= 4",  "½",         "x²",      "-3"};
  static const std::vector<std::string> pieces{"2x + 3 = 7",
                                               "10-3",
                                               "12",
                                               "3",
                                               "17",
                                               "x",
                                               "y",
                                               "R",
                                               "U'",
                                               "c3",
                                               "=",
                                               "+",
                                               "-",
                                               "*",
                                               "/",
                                               ":",
                                               "^2",
                                               "²",
                                               "**",
                                               "(",
                                               ")",
                                               "(x - 1)",
                                               "|",
                                               "|3|",
                                               "|x|",
                                               "| -3",
                                               "|:2",
                                               "½",
                                               "0.5",
                                               "2,5",
                                               "1 1/2",
                                               "solve ",
                                               "Solve for x: ",
                                               "find y ",
                                               "bitte ",
                                               "sort ",
                                               " or ",
                                               " mit ",
                                               "!=",
                                               "; x != 1",
                                               "≤",
                                               "√",
                                               "sqrt(4)",
                                               "\\frac{1}{2}",
                                               "\\frac12",
                                               "\\left(",
                                               "\\right)",
                                               "\\cdot",
                                               "$",
                                               "&",
                                               "\\\\",
                                               "%",
                                               "\\%",
                                               "[",
                                               "]",
                                               "{",
                                               "}",
                                               ",",
                                               ";",
                                               "a) ",
                                               "5) ",
                                               ".",
                                               "?",
                                               "'",
                                               "\u200b",
                                               "\u00a0",
                                               "−",
                                               "·",
                                               "\\begin{align}",
                                               "\\begin{2}",
                                               "\\text{or}",
                                               "10^3",
                                               "±",
                                               "_1",
                                               "\\mid",
                                               "∣",
                                               "\\lvert",
                                               "no solution",
                                               "every number",
                                               " equals ",
                                               " plus ",
                                               " by ",
                                               " geteilt ",
                                               " durch ",
                                               "#",
                                               "e",
                                               "≈",
                                               "α",
                                               "\\alpha",
                                               "!",
                                               "\n",
                                               "~",
                                               ""};
  std::string text = *rc::gen::elementOf(problems);
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
    const std::string piece = *rc::gen::elementOf(pieces);
    const std::string blank = *rc::gen::arbitrary<bool>() ? " " : "";
    text = *rc::gen::inRange(0, 4) == 0 ? piece + blank + text : text + blank + piece;
  }
  return text;
}

// What stands in place of a token, so that a text that is read as before was not read there. Nothing for what may be left out:
// punctuation, and what only separates or groups.
std::optional<std::string> Exchanged(const Token& token, std::string_view shown) {
  switch (token.kind) {
    case Token::Kind::kNumber:
      return std::string(shown) + "7";
    case Token::Kind::kLetter:
      return shown == "q" ? "Q" : "q";
    case Token::Kind::kOperator:
      return std::string(1, token.symbol == '+' ? '-' : token.symbol == '*' ? '/' : token.symbol == '=' ? '+' : '*');
    case Token::Kind::kVulgar:
      return shown == "½" ? "¾" : "½";
    case Token::Kind::kPower:
      return shown == "²" ? "³" : "+";
    case Token::Kind::kRelation:
    case Token::Kind::kWord:
    case Token::Kind::kFraction:
      return "+";
    case Token::Kind::kMark:
      return token.symbol == '|' ? std::optional<std::string>("") : std::nullopt;
    case Token::Kind::kOther:
      return std::string_view(".?!&\\\"").find(shown) == std::string_view::npos ? std::optional<std::string>("") : std::nullopt;
    case Token::Kind::kOpen:
    case Token::Kind::kClose:
    case Token::Kind::kSeparator:
    case Token::Kind::kEnd:
      break;
  }
  return std::nullopt;
}

RC_GTEST_PROP(ReadingProperties, NoNumberLetterOrSignIsLeftOutWithoutBeingSaid, ()) {
  static const std::vector<std::unique_ptr<Domain>> domains = [] {
    std::vector<std::unique_ptr<Domain>> made;
    for (const DomainType* type : DomainTypes()) made.push_back(MakeDomain(type->name));
    return made;
  }();
  const std::string text = AnyNotation();
  const std::string_view language = *rc::gen::element("en", "de", "es", "fr");
  for (const std::unique_ptr<Domain>& domain : domains) {
    const NotationResult read = ReadNotation(*domain, text, language);
    if (read.error || read.ambiguous) continue;
    // A bar separates numbers of a list as a blank does.
    const bool bars_count = domain->type().name != "sorting";
    const std::vector<Token> tokens = Tokenize(text);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const Token& token = tokens[i];
      // A word may be left out.
      const auto is_letter = [&](std::size_t at) { return at < tokens.size() && tokens[at].kind == Token::Kind::kLetter; };
      if (is_letter(i) && ((is_letter(i - 1) && !token.after_blank) || (is_letter(i + 1) && !tokens[i + 1].after_blank)))
        continue;
      const std::string_view shown = std::string_view(text).substr(token.begin, token.end - token.begin);
      const std::optional<std::string> other = Exchanged(token, shown);
      if (!other || (token.kind == Token::Kind::kMark && !bars_count)) continue;
      std::string changed = text;
      changed.replace(token.begin, token.end - token.begin, *other);
      RC_LOG() << domain->type().name << ": " << text << " and " << changed << " are read as " << read.state << '\n';
      const NotationResult read_again = ReadNotation(*domain, changed, language);
      RC_ASSERT(read_again.error || read_again.ambiguous || read_again.state != read.state);
    }
  }
}

// Decimals by way of the domain that uses them.
std::string AnyDigits() {
  const auto digits = *rc::gen::container<std::string>(rc::gen::inRange('0', static_cast<char>('9' + 1)));
  return std::string(1, *rc::gen::inRange('1', static_cast<char>('9' + 1))) + digits;
}

struct AnyDecimal {
  std::string mantissa = (*rc::gen::arbitrary<bool>() ? "-" : "") + AnyDigits();
  unsigned exponent = *rc::gen::inRange(0U, 40U);

  std::string Text() const { return mantissa + "e" + std::to_string(exponent); }
  cpp_int Value() const { return cpp_int(mantissa) * pow(cpp_int(10), exponent); }
};

RC_GTEST_PROP(DecimalProperties, SumsAndProductsAreExact, ()) {
  static const std::unique_ptr<Domain> domain = MakeDomain("multiplication");
  const AnyDecimal a;
  const AnyDecimal b;
  const std::string sum = "(" + a.Text() + " + " + b.Text() + ")";
  RC_ASSERT(Next(*domain, sum, "add 0, " + sum) == cpp_int(a.Value() + b.Value()).str() + "e0");
  AnyDecimal digit;
  digit.mantissa = std::to_string(*rc::gen::inRange(-9, 10));
  const std::string product = "(" + a.Text() + " * " + digit.Text() + ")";
  RC_ASSERT(Next(*domain, product, "sdmul 0, " + product) ==
            cpp_int(cpp_int(a.mantissa) * cpp_int(digit.mantissa)).str() + "e" + std::to_string(a.exponent + digit.exponent));
}

RC_GTEST_PROP(DecimalProperties, SplittingTakesTheLastDigitOff, ()) {
  static const std::unique_ptr<Domain> domain = MakeDomain("multiplication");
  const AnyDecimal a;
  const cpp_int mantissa(a.mantissa);
  const std::string parts = "(" + cpp_int(mantissa / 10).str() + "e" + std::to_string(a.exponent + 1) + " + " +
                            cpp_int(mantissa % 10).str() + "e" + std::to_string(a.exponent) + ")";
  RC_ASSERT(Next(*domain, "(" + a.Text() + " * 10e0)", "split 1, " + a.Text()) == "(" + parts + " * 10e0)");
}

// Lists and ternary sums against implementations that do the obvious.

std::string SortingText(const std::vector<std::size_t>& bars) {
  std::string text = "[";
  for (std::size_t i = 0; i < bars.size(); ++i) text += (i == 0 ? "" : "|") + std::string(bars[i], '=');
  return text + "]";
}

RC_GTEST_PROP(SortingProperties, SuccessorsAreThoseOfANaiveList, ()) {
  static const std::unique_ptr<Domain> domain = MakeDomain("sorting");
  const auto bars = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, 60)));
  Expansion expected{Status::kSolved, {}};
  if (!std::is_sorted(bars.begin(), bars.end())) {
    expected.status = Status::kOpen;
    for (std::size_t i = 0; i + 1 < bars.size(); ++i) {
      std::vector<std::size_t> swapped = bars;
      std::swap(swapped[i], swapped[i + 1]);
      expected.actions.emplace_back("swap " + std::to_string(i), SortingText(swapped));
    }
    expected.actions.emplace_back("reverse", SortingText({bars.rbegin(), bars.rend()}));
  }
  // A list of one bar of length 0 is written like the empty list; both are solved.
  RC_ASSERT(ExpandCopy(*domain, SortingText(bars)) == expected);
}

using TernaryDigits = std::vector<std::pair<int, int>>;  // digit, power

std::string ItemText(const std::pair<int, int>& item) {
  return {static_cast<char>('a' + item.first), static_cast<char>('0' + item.second)};
}

std::string TernaryText(const TernaryDigits& digits) {
  std::string text = "#(";
  for (std::size_t i = 0; i < digits.size(); ++i) text += (i == 0 ? "" : " ") + ItemText(digits[i]);
  return text + ")";
}

RC_GTEST_PROP(TernaryAdditionProperties, SuccessorsAreThoseOfANaiveSum, ()) {
  static const std::unique_ptr<Domain> domain = MakeDomain("ternary-addition");
  const auto digits = *rc::gen::container<TernaryDigits>(rc::gen::pair(rc::gen::inRange(0, 3), rc::gen::inRange(0, 5)));
  bool solved = true;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (digits[i].first == 0 || (i > 0 && digits[i].second <= digits[i - 1].second)) solved = false;
  }
  Expansion expected{solved ? Status::kSolved : Status::kOpen, {}};
  for (std::size_t i = 0; i < digits.size() && !solved; ++i) {
    const std::string place = " " + std::to_string(i) + ", " + ItemText(digits[i]);
    if (digits[i].first == 0) {
      TernaryDigits rest = digits;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      expected.actions.emplace_back("del" + place, TernaryText(rest));
    }
    if (i + 1 == digits.size()) continue;
    const std::string pair = place + " " + ItemText(digits[i + 1]);
    TernaryDigits swapped = digits;
    std::swap(swapped[i], swapped[i + 1]);
    expected.actions.emplace_back("swap" + pair, TernaryText(swapped));
    if (digits[i].second != digits[i + 1].second) continue;
    const int sum = digits[i].first + digits[i + 1].first;
    TernaryDigits combined = digits;
    combined[i] = {sum % 3, digits[i].second};
    combined[i + 1] = {sum / 3, digits[i].second + 1};
    expected.actions.emplace_back("comb" + pair, TernaryText(combined));
  }
  RC_ASSERT(ExpandCopy(*domain, TernaryText(digits)) == expected);
}

// Any colouring with nine cells of each colour will do: turns move cells whatever their colours are.
std::string AnyCube() {
  std::string colours;
  for (char c = '0'; c < '6'; ++c) colours.append(9, c);
  std::string state;
  for (std::size_t left = colours.size(), face = 0; face < 6; ++face) {
    state += static_cast<char>('A' + face);
    for (int cell = 0; cell < 9; ++cell, --left) {
      const std::size_t drawn = *rc::gen::inRange<std::size_t>(0, left);
      state += colours[drawn];
      std::swap(colours[drawn], colours[left - 1]);
    }
    state += static_cast<char>('a' + face);
  }
  return state;
}

std::string Turned(const std::string& state, const std::string& label) {
  static const std::unique_ptr<Domain> domain = MakeDomain("rubiks-cube");
  const std::optional<std::string> next = Next(*domain, state, label);
  RC_ASSERT(next.has_value());
  return *next;
}

RC_GTEST_PROP(RubiksCubeProperties, TurnsAndTheirInversesUndoEachOther, ()) {
  const std::string state = AnyCube();
  for (const char face : std::string_view("UFBLRD")) {
    const std::string clockwise = std::string(1, face) + "1";
    const std::string back = std::string(1, face) + "-1";
    RC_ASSERT(Turned(Turned(state, clockwise), back) == state);
    RC_ASSERT(Turned(Turned(state, back), clockwise) == state);
    std::string four = state;
    for (int quarter = 0; quarter < 4; ++quarter) four = Turned(four, clockwise);
    RC_ASSERT(four == state);
  }
}

RC_GTEST_PROP(RubiksCubeProperties, OppositeFacesDoNotMeet, ()) {
  const std::string state = AnyCube();
  for (const auto& [one, other] : {std::pair("U1", "D-1"), std::pair("L1", "R1"), std::pair("F-1", "B1")}) {
    RC_ASSERT(Turned(Turned(state, one), other) == Turned(Turned(state, other), one));
  }
}

}  // namespace
}  // namespace conpole

// Questions about numbers: rounding, common factors and multiples, primes, which is greater, and other ways to write them.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "domains/school/textbook.h"
#include "domains/school/textbook_value.h"
#include "util/text.h"

namespace conpole::textbook {
namespace {

namespace mp = boost::multiprecision;

constexpr std::string_view kResult = "result";

Exact NumberIn(std::string_view text) {
  const std::optional<Exact> number = RationalOf(ValueOf(ReadTree(text)));
  if (!number) throw Refusal{"this is asked of a number"};
  return *number;
}

Integer WholeIn(std::string_view text) {
  const Exact number = NumberIn(text);
  if (mp::denominator(number) != 1 || number < 1) throw Refusal{"this is asked of whole numbers from 1 on"};
  return mp::numerator(number);
}

// As a decimal that ends, with at most kMaxPlaces places.
std::string DecimalText(const Exact& number) {
  constexpr unsigned kMaxPlaces = 60;
  Exact scaled = number;
  unsigned places = 0;
  for (; mp::denominator(scaled) != 1; ++places) {
    if (places == kMaxPlaces) throw Refusal{"this number has no decimal that ends"};
    scaled *= 10;
  }
  return TextOf(MakeDecimal(number, places));
}

// A decimal between 1 and 10 times a power of 10.
std::string ScientificText(const Exact& number) {
  if (number == 0) throw Refusal{"zero has no scientific notation"};
  Exact size = mp::abs(number);
  int power = 0;
  for (; size >= 10; ++power) size /= 10;
  for (; size < 1; --power) size *= 10;
  const std::string mantissa = DecimalText(number < 0 ? Exact(-size) : size);
  return power < 0 ? fmt::format("{} * 10^({})", mantissa, power) : fmt::format("{} * 10^{}", mantissa, power);
}

// A number as a whole number and a fraction, as 2 3/8; nothing if it is whole or less than 1.
std::optional<std::string> MixedText(const Exact& number) {
  const Integer below = mp::denominator(number);
  const Integer above = mp::abs(mp::numerator(number));
  if (below == 1 || above < below) return std::nullopt;
  return fmt::format("{}{} {}/{}", number < 0 ? "-" : "", Integer(above / below).str(), Integer(above % below).str(),
                     below.str());
}

Exact RoundedTo(const Exact& number, const Exact& unit) {
  if (unit <= 0) throw Refusal{"it does not say to which place to round"};
  const Exact ratio = mp::abs(number) / unit + Exact(1, 2);
  const Integer whole = mp::numerator(ratio) / mp::denominator(ratio);
  const Exact size = Exact(whole) * unit;
  return number < 0 ? Exact(-size) : size;
}

// A number that may have roots or logarithms in it, rounded. Doubles are enough unless it lies halfway between two results.
Exact Rounded(const Value& value, const Exact& unit) {
  if (const std::optional<Exact> number = RationalOf(value)) return RoundedTo(*number, unit);
  const std::optional<double> size = ApproximatelyOf(value);
  constexpr double kMost = 1e12;
  if (!size || !std::isfinite(*size)) throw Refusal{"only numbers are rounded"};
  const double ratio = std::abs(*size) / unit.convert_to<double>();
  const double beyond = ratio - std::floor(ratio);
  if (ratio > kMost || std::abs(beyond - 0.5) < 1e-3 * std::min(1.0, ratio)) {
    if (ratio > kMost || std::abs(beyond - 0.5) < 1e-12 * ratio + 1e-9) throw Refusal{"this cannot be rounded reliably"};
  }
  return RoundedTo(Exact(*size), unit);
}

// The greatest common factor of polynomials with whole coefficients, or their least common multiple.
Ptr CommonOf(const std::vector<std::string>& parts, bool multiple) {
  Integer number = 0;
  Value total;
  bool first = true;
  for (const std::string& part : parts) {
    const Value value = ValueOf(ReadTree(part));
    Integer content = 0;
    for (const auto& [monomial, c] : value.above) {
      if (mp::denominator(c) != 1) throw Refusal{"this is asked of whole numbers and letters"};
      content = mp::gcd(content, mp::numerator(c));
      for (const auto& [atom, exponent] : monomial) {
        if (atom.size() != 1 || atom == "i" || mp::denominator(exponent) != 1 || exponent < 0) {
          throw Refusal{"this is asked of whole numbers and letters"};
        }
      }
    }
    if (content == 0 || value.below != NumberValueOf(1).above) throw Refusal{"this is asked of whole numbers and letters"};
    const Value primitive = Multiply(value, NumberValueOf(Exact(value.above.begin()->second < 0 ? -1 : 1, content)));
    if (first) {
      number = content;
      total = primitive;
      first = false;
      continue;
    }
    number = multiple ? Integer(mp::lcm(number, content)) : Integer(mp::gcd(number, content));
    const Value ratio = Divide(total, primitive);
    // What is not common to both goes, or comes in.
    total = multiple ? Multiply(total, {ratio.below, NumberValueOf(1).above})
                     : Divide(total, {ratio.above, NumberValueOf(1).above});
    Integer below = 0;
    for (const auto& [monomial, c] : total.above)
      below = below == 0 ? mp::denominator(c) : Integer(mp::lcm(below, mp::denominator(c)));
    total = Multiply(total, NumberValueOf(Exact(below)));
    Integer common = 0;
    for (const auto& [monomial, c] : total.above) common = mp::gcd(common, mp::numerator(c));
    total = Multiply(total, NumberValueOf(Exact(total.above.begin()->second < 0 ? -1 : 1, common)));
  }
  return Factored(Multiply(total, NumberValueOf(Exact(number))));
}

// "thousands" of the one place where a digit stands.
std::string PlaceOf(const std::string& digit, const std::string& number) {
  constexpr std::string_view kPlaces[] = {
      "ones",     "tens",         "hundreds",         "thousands", "ten thousands", "hundred thousands",
      "millions", "ten millions", "hundred millions", "billions",  "ten billions",  "hundred billions",
      "trillions"};
  const std::size_t at = number.find(digit);
  const bool digits = number.find_first_not_of("0123456789") == std::string::npos;
  if (digit.size() != 1 || !digits || at == std::string::npos || number.find(digit, at + 1) != std::string::npos) {
    throw Refusal{"a place is named for a digit that stands once in a whole number"};
  }
  const std::size_t place = number.size() - 1 - at;
  if (place >= std::size(kPlaces)) throw Refusal{"this number is too large"};
  return std::string(kPlaces[place]);
}

std::string PrimesText(const Integer& number) {
  const std::string text = Join(PrimeFactors(number), " * ", [](const auto& factor) {
    return factor.second > 1 ? fmt::format("{}^{}", factor.first.str(), factor.second) : factor.first.str();
  });
  return text.empty() ? "1" : text;
}

std::string Compared(const std::string& body) {
  const std::vector<std::string> sides = SplitAt(body, " ? ");
  if (sides.size() != 2) throw Refusal{"two numbers are compared"};
  const Value difference = Add(ValueOf(ReadTree(sides[0])), ValueOf(ReadTree(sides[1])), -1);
  const std::optional<double> size = ApproximatelyOf(difference);
  if (!size) throw Refusal{"only numbers are compared"};
  const char* const sign = IsZero(difference) ? "=" : *size < 0 ? "<" : ">";
  return fmt::format("{} {} {}", sides[0], sign, sides[1]);
}

bool IsTrue(const Relation& relation) {
  const Value difference = Add(ValueOf(relation.left), ValueOf(relation.right), -1);
  const std::optional<double> size = ApproximatelyOf(difference);
  if (!size) throw Refusal{"only numbers are compared"};
  if (IsZero(difference)) return relation.sign.find('=') != std::string::npos;
  return relation.sign != "=" && (*size < 0) == (relation.sign[0] == '<');
}

// Both sides worked out, and then whether all of it is true.
Line TestLine(const std::string& body) {
  std::string worked_out;
  bool all = true;
  for (const std::string& part : SplitAt(body, "; ")) {
    const Relation relation = ReadRelation(part);
    all = IsTrue(relation) && all;
    const Relation simple{Normal(relation.left), relation.sign, Normal(relation.right)};
    worked_out += (worked_out.empty() ? "" : "; ") + TextOf(simple);
  }
  if (worked_out != body) return {"compute", worked_out};
  return {"test", all ? "true" : "false", std::string(kResult)};
}

std::string AsLogarithm(const Relation& relation) {
  for (const bool left : {true, false}) {
    const Ptr& power = left ? relation.left : relation.right;
    const Ptr& value = left ? relation.right : relation.left;
    if (!power->Is(Op::kPower)) continue;
    return TextOf(Relation{MakeLog(value, power->args[0]), "=", power->args[1]});
  }
  throw Refusal{"the logarithmic form is asked of a power that equals something"};
}

std::string AsPower(const Relation& relation) {
  for (const bool left : {true, false}) {
    const Ptr& log = left ? relation.left : relation.right;
    const Ptr& value = left ? relation.right : relation.left;
    if (!log->Is(Op::kLog)) continue;
    return TextOf(Relation{MakePower(log->args[1], value), "=", log->args[0]});
  }
  throw Refusal{"the exponential form is asked of a logarithm that equals something"};
}

}  // namespace

std::optional<Line> NextLineOfNumbers(const Exercise& exercise) {
  const std::string& task = exercise.task;
  const std::string& body = exercise.body;
  if (task == kResult) return std::nullopt;
  const auto result = [&](std::string label, std::string text) {
    return Line{std::move(label), std::move(text), std::string(kResult)};
  };
  if (task == "round") {
    const Exact unit = NumberIn(exercise.letters.front());
    return result("round " + exercise.letters.front(), DecimalText(Rounded(ValueOf(ReadTree(body)), unit)));
  }
  if (task == "place") return result("place-value", PlaceOf(exercise.letters.front(), body));
  if (task == "gcf" || task == "lcm") {
    const std::vector<std::string> parts = SplitAt(body, ", ");
    const bool letters =
        std::any_of(parts.begin(), parts.end(), [](const std::string& part) { return !LettersOf(ReadTree(part)).empty(); });
    if (letters) {
      return result(task == "gcf" ? "greatest-factor" : "least-multiple", TextOf(CommonOf(parts, task == "lcm")));
    }
    Integer total = 0;
    for (const std::string& part : parts) {
      const Integer number = WholeIn(part);
      total = total == 0 ? number : task == "gcf" ? Integer(mp::gcd(total, number)) : Integer(mp::lcm(total, number));
    }
    return result(task == "gcf" ? "greatest-factor" : "least-multiple", total.str());
  }
  if (task == "primes") return result("primes", PrimesText(WholeIn(body)));
  if (task == "compare") return result("compare-numbers", Compared(body));
  if (task == "scientific") return result("move-point", ScientificText(NumberIn(body)));
  if (task == "standard" || task == "decimal") return result("as-decimal", DecimalText(NumberIn(body)));
  if (task == "percent") return result("as-percent", DecimalText(NumberIn(body) * 100) + "%");
  if (task == "fraction") return result("as-fraction", TextOf(MakeNumber(NumberIn(body))));
  if (task == "test") return TestLine(body);
  if (task == "mixed") {
    const Ptr tree = ReadTree(body);
    auto step = tree->Is(Op::kNumber) ? std::nullopt : SimplifyStep(tree);
    if (step) return Line{std::move(step->first), TextOf(step->second)};
    std::optional<std::string> text = MixedText(NumberIn(body));
    return text ? std::optional(result("as-mixed", *std::move(text))) : std::nullopt;
  }
  if (task == "logarithmic") return result("as-logarithm", AsLogarithm(ReadRelation(body)));
  if (task == "exponential") return result("as-exponential", AsPower(ReadRelation(body)));
  throw Refusal{fmt::format("'{}' is no task", task)};
}

}  // namespace conpole::textbook

// Questions about numbers: rounding, common factors and multiples, primes, which is greater, and other ways to write them.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "domains/school/textbook.h"
#include "domains/school/textbook_value.h"

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

Exact RoundedTo(const Exact& number, const Exact& unit) {
  const Exact ratio = mp::abs(number) / unit + Exact(1, 2);
  const Integer whole = mp::numerator(ratio) / mp::denominator(ratio);
  const Exact size = Exact(whole) * unit;
  return number < 0 ? Exact(-size) : size;
}

std::string PrimesText(const Integer& number) {
  std::string text;
  for (const auto& [prime, power] : PrimeFactors(number)) {
    if (!text.empty()) text += " * ";
    text += prime.str();
    if (power > 1) text += fmt::format("^{}", power);
  }
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
    return result("round " + exercise.letters.front(), DecimalText(RoundedTo(NumberIn(body), unit)));
  }
  if (task == "gcf" || task == "lcm") {
    Integer total = 0;
    for (const std::string& part : SplitAt(body, ", ")) {
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
  if (task == "logarithmic") return result("as-logarithm", AsLogarithm(ReadRelation(body)));
  if (task == "exponential") return result("as-exponential", AsPower(ReadRelation(body)));
  throw Refusal{fmt::format("'{}' is no task", task)};
}

}  // namespace conpole::textbook

// Exact rational numbers in 64 bits. Arithmetic that would leave 64 bits (or divide by zero) has no result instead of a wrong
// one. Values; any thread may use them.
#pragma once

#include <cstdint>
#include <optional>

#include "util/int128.h"

namespace conpole {

// Always in lowest terms with a positive denominator; the numerator is never INT64_MIN, so that negation always works.
class Rational {
 public:
  constexpr Rational() = default;
  // Requires integer != INT64_MIN.
  constexpr explicit Rational(std::int64_t integer) : numerator_(integer) {}

  // numerator / denominator in lowest terms; nothing if the denominator is 0 or the result does not fit. Requires both to be
  // below 2^127 in magnitude.
  static std::optional<Rational> Make(Int128 numerator, Int128 denominator);

  constexpr std::int64_t numerator() const { return numerator_; }
  constexpr std::int64_t denominator() const { return denominator_; }
  constexpr bool IsInteger() const { return denominator_ == 1; }
  constexpr bool Is(std::int64_t integer) const { return numerator_ == integer && denominator_ == 1; }

  constexpr Rational operator-() const { return Rational(-numerator_, denominator_); }
  friend constexpr bool operator==(const Rational&, const Rational&) = default;

  // a op b with op one of + - * /.
  static std::optional<Rational> Apply(char op, const Rational& a, const Rational& b);

 private:
  constexpr Rational(std::int64_t numerator, std::int64_t denominator) : numerator_(numerator), denominator_(denominator) {}

  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 1;
};

}  // namespace conpole

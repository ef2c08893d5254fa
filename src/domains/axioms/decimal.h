// Exact decimal numbers: an integer mantissa of any size times a power of ten, as the multiplication domain writes them (12e3).
// Values; any thread may use them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/multiprecision/cpp_int.hpp>

#include "domains/axioms/term.h"

namespace conpole {

// A mantissa that does not fit into 64 bits stays as text that the Decimal does not own: the text it was read from, or the
// scratch string that arithmetic was given. Either must outlive it.
class Decimal {
 public:
  // Mantissa digits and exponent together. Larger numbers cannot be read, and no arithmetic results in one.
  static constexpr std::size_t kMaxDigits = 1000;

  Decimal() = default;  // 0e0
  // Requires mantissa != INT64_MIN, and not too many digits.
  Decimal(std::int64_t mantissa, std::int32_t exponent) : mantissa_(mantissa), exponent_(exponent) {}

  static const char* Read(const char* at, const char* end, bool negative, Decimal& number, TermError& error);

  bool IsNegative() const { return mantissa_ < 0; }
  bool IsZero() const { return mantissa_ == 0; }
  bool IsOne() const { return mantissa_ == 1 && exponent_ == 0 && digits_.empty(); }
  bool IsOneDigit() const { return mantissa_ > -10 && mantissa_ < 10 && digits_.empty(); }
  Decimal Negated() const;

  std::size_t MaxBytes() const { return digits_.size() + 2 * kMaxIntegerBytes; }
  char* Write(char* out) const;

  // Nothing if the result has too many digits. A product keeps its exponent; a sum has exponent 0.
  static std::optional<Decimal> Multiply(const Decimal& a, const Decimal& b, std::string& scratch);
  static std::optional<Decimal> Add(const Decimal& a, const Decimal& b, std::string& scratch);

  struct Parts;
  // All digits but the last, and the last; both with the sign of the number. Nothing if the exponent would become too large.
  std::optional<Parts> Split() const;

 private:
  using Integer = boost::multiprecision::cpp_int;

  Integer Mantissa() const;
  static std::optional<Decimal> FromInteger(const Integer& mantissa, std::int64_t exponent, std::string& scratch);
  // Digits without sign and without leading zeros; nothing if there are too many.
  static std::optional<Decimal> FromDigits(std::string_view digits, bool negative, std::int64_t exponent);

  std::int64_t mantissa_ = 0;  // where digits_ is not empty, only its sign counts
  std::string_view digits_;    // of a mantissa that does not fit
  std::int32_t exponent_ = 0;
};

struct Decimal::Parts {
  Decimal tens;
  Decimal ones;
};

}  // namespace conpole

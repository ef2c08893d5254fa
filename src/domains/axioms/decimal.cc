#include "domains/axioms/decimal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "util/text.h"

namespace conpole {
namespace {

std::string_view WithoutLeadingZeros(std::string_view digits) {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

constexpr auto kPowersOfTen = [] {
  std::array<std::int64_t, 19> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = 10 * powers[i - 1];
  return powers;
}();

// mantissa * 10^exponent, if it fits.
bool FitsScaled(std::int64_t mantissa, std::int32_t exponent, std::int64_t& value) {
  if (mantissa == 0) {
    value = 0;
    return true;
  }
  return static_cast<std::size_t>(exponent) < kPowersOfTen.size() &&
         !__builtin_mul_overflow(mantissa, kPowersOfTen[static_cast<std::size_t>(exponent)], &value);
}

}  // namespace

const char* Decimal::Read(const char* at, const char* end, bool negative, Decimal& number, TermError& error) {
  const char* const start = at;
  while (at != end && IsDigit(*at)) ++at;
  const std::string_view digits = WithoutLeadingZeros({start, static_cast<std::size_t>(at - start)});
  if (at == end || *at != 'e') {
    error = {at, term_internal::Expected("'e' and the exponent", at, end)};
    return nullptr;
  }
  ++at;
  if (at == end || !IsDigit(*at)) {
    error = {at, term_internal::Expected("the exponent", at, end)};
    return nullptr;
  }
  std::int64_t exponent = 0;
  const auto [past, failure] = std::from_chars(at, end, exponent);
  const std::optional<Decimal> value = failure == std::errc() ? FromDigits(digits, negative, exponent) : std::nullopt;
  if (!value) {
    error = {start, "numbers of more than 1000 digits are not supported"};
    return nullptr;
  }
  number = *value;
  return past;
}

std::optional<Decimal> Decimal::FromDigits(std::string_view digits, bool negative, std::int64_t exponent) {
  constexpr auto kLimit = static_cast<std::int64_t>(kMaxDigits);
  if (exponent > kLimit || std::ssize(digits) + exponent > kLimit) return std::nullopt;
  Decimal number;
  number.exponent_ = static_cast<std::int32_t>(exponent);
  if (std::from_chars(digits.data(), digits.data() + digits.size(), number.mantissa_).ec == std::errc::result_out_of_range) {
    number.mantissa_ = 1;
    number.digits_ = digits;
  }
  if (negative) number.mantissa_ = -number.mantissa_;
  return number;
}

Decimal Decimal::Negated() const {
  Decimal negated = *this;
  negated.mantissa_ = -mantissa_;
  return negated;
}

char* Decimal::Write(char* out) const {
  if (digits_.empty()) {
    out = WriteInteger(out, mantissa_);
  } else {
    if (IsNegative()) *out++ = '-';
    out = WriteText(out, digits_);
  }
  *out++ = 'e';
  return WriteInteger(out, exponent_);
}

Decimal::Integer Decimal::Mantissa() const {
  if (digits_.empty()) return mantissa_;
  const Integer magnitude{std::string(digits_)};
  return IsNegative() ? Integer(-magnitude) : magnitude;
}

std::optional<Decimal> Decimal::FromInteger(const Integer& mantissa, std::int64_t exponent, std::string& scratch) {
  scratch = Integer(boost::multiprecision::abs(mantissa)).str();
  return FromDigits(WithoutLeadingZeros(scratch), mantissa < 0, exponent);
}

std::optional<Decimal> Decimal::Multiply(const Decimal& a, const Decimal& b, std::string& scratch) {
  const std::int64_t exponent = std::int64_t{a.exponent_} + b.exponent_;
  std::int64_t product = 0;
  if (a.digits_.empty() && b.digits_.empty() && exponent + 19 <= static_cast<std::int64_t>(kMaxDigits) &&
      !__builtin_mul_overflow(a.mantissa_, b.mantissa_, &product) && product != INT64_MIN) {
    Decimal result;
    result.mantissa_ = product;
    result.exponent_ = static_cast<std::int32_t>(exponent);
    return result;
  }
  return FromInteger(a.Mantissa() * b.Mantissa(), exponent, scratch);
}

std::optional<Decimal> Decimal::Add(const Decimal& a, const Decimal& b, std::string& scratch) {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t sum = 0;
  if (a.digits_.empty() && b.digits_.empty() && FitsScaled(a.mantissa_, a.exponent_, x) &&
      FitsScaled(b.mantissa_, b.exponent_, y) && !__builtin_add_overflow(x, y, &sum) && sum != INT64_MIN) {
    Decimal result;
    result.mantissa_ = sum;
    return result;
  }
  const auto value = [](const Decimal& number) -> Integer {
    return number.Mantissa() * boost::multiprecision::pow(Integer(10), static_cast<unsigned>(number.exponent_));
  };
  return FromInteger(value(a) + value(b), 0, scratch);
}

std::optional<Decimal::Parts> Decimal::Split() const {
  if (digits_.empty()) {
    Parts parts{*this, *this};
    parts.tens.mantissa_ /= 10;
    parts.ones.mantissa_ %= 10;
    ++parts.tens.exponent_;
    if (parts.tens.exponent_ > static_cast<std::int32_t>(kMaxDigits)) return std::nullopt;
    return parts;
  }
  const auto tens = FromDigits(digits_.substr(0, digits_.size() - 1), IsNegative(), std::int64_t{exponent_} + 1);
  const auto ones = FromDigits(digits_.substr(digits_.size() - 1), IsNegative(), exponent_);
  if (!tens || !ones) return std::nullopt;
  return Parts{*tens, *ones};
}

}  // namespace conpole

#include "domains/axioms/decimal.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <boost/multiprecision/cpp_int.hpp>

namespace conpole {
namespace {

using boost::multiprecision::cpp_int;

// Requires that `text` is a decimal; it must outlive the result.
Decimal Read(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  Decimal number;
  TermError error;
  EXPECT_EQ(Decimal::Read(text.data(), text.data() + text.size(), negative, number, error), text.data() + text.size())
      << text << ": " << error.message;
  return number;
}

std::string Written(const Decimal& number) {
  std::vector<char> room(number.MaxBytes());
  return {room.data(), number.Write(room.data())};
}

std::string Written(const std::optional<Decimal>& number) { return number ? Written(*number) : "nothing"; }

cpp_int ValueOf(std::string_view text) {
  const std::size_t e = text.find('e');
  return cpp_int(std::string(text.substr(0, e))) *
         pow(cpp_int(10), static_cast<unsigned>(std::stoul(std::string(text.substr(e + 1)))));
}

const std::vector<std::string>& Samples() {
  static const std::vector<std::string> samples{"0e0",
                                                "0e7",
                                                "1e0",
                                                "-1e0",
                                                "9e3",
                                                "-9e3",
                                                "10e0",
                                                "-123e4",
                                                "999999999e9",
                                                "9223372036854775807e0",
                                                "-9223372036854775807e0",
                                                "9223372036854775808e0",
                                                "-9223372036854775808e0",
                                                "1e18",
                                                "1e19",
                                                "-92233720368547758070e2",
                                                "123456789012345678901234567890e0",
                                                "-123456789012345678901234567890e60",
                                                "3037000500e0",
                                                "-4611686018427387904e0",
                                                "2e0",
                                                "1e400"};
  return samples;
}

TEST(DecimalTest, WritesWhatItReads) {
  for (const std::string& text : Samples()) EXPECT_EQ(Written(Read(text)), text);
}

TEST(DecimalTest, LeadingZerosAndTheSignOfZeroGo) {
  EXPECT_EQ(Written(Read("007e01")), "7e1");
  EXPECT_EQ(Written(Read("-0e0")), "0e0");
  EXPECT_EQ(Written(Read("-000e5")), "0e5");
  EXPECT_EQ(Written(Read("000000000000000000000000000000012e000")), "12e0");
  EXPECT_EQ(Written(Read("-00123456789012345678901e0")), "-123456789012345678901e0");
}

TEST(DecimalTest, Predicates) {
  EXPECT_TRUE(Read("0e9").IsZero());
  EXPECT_TRUE(Read("1e0").IsOne());
  EXPECT_FALSE(Read("1e1").IsOne());
  EXPECT_FALSE(Read("-1e0").IsOne());
  EXPECT_TRUE(Read("-9e5").IsOneDigit());
  EXPECT_FALSE(Read("10e0").IsOneDigit());
  // A mantissa beyond 64 bits is none of these.
  EXPECT_FALSE(Read("10000000000000000000000e0").IsOne());
  EXPECT_FALSE(Read("10000000000000000000000e0").IsOneDigit());
  EXPECT_FALSE(Read("10000000000000000000000e0").IsZero());
  EXPECT_TRUE(Read("-10000000000000000000000e0").IsNegative());
}

TEST(DecimalTest, NegatedTurnsTheSign) {
  for (const std::string& text : Samples()) {
    EXPECT_EQ(ValueOf(Written(Read(text).Negated())), -ValueOf(text)) << text;
  }
}

TEST(DecimalTest, ProductsAreExactAndKeepTheExponent) {
  for (const std::string& a : Samples()) {
    for (const std::string& b : Samples()) {
      std::string scratch;
      const std::string product = Written(Decimal::Multiply(Read(a), Read(b), scratch));
      EXPECT_EQ(ValueOf(product), ValueOf(a) * ValueOf(b)) << a << " * " << b;
      EXPECT_EQ(std::stoi(product.substr(product.find('e') + 1)),
                std::stoi(a.substr(a.find('e') + 1)) + std::stoi(b.substr(b.find('e') + 1)));
    }
  }
}

TEST(DecimalTest, SumsAreExactWithExponentZero) {
  for (const std::string& a : Samples()) {
    for (const std::string& b : Samples()) {
      std::string scratch;
      const std::string sum = Written(Decimal::Add(Read(a), Read(b), scratch));
      EXPECT_EQ(sum, (ValueOf(a) + ValueOf(b)).str() + "e0") << a << " + " << b;
    }
  }
}

TEST(DecimalTest, SplitTruncatesTowardsZero) {
  const auto split = [](std::string_view text) {
    const Decimal number = Read(text);
    const auto parts = number.Split();
    return parts ? Written(parts->tens) + " " + Written(parts->ones) : "nothing";
  };
  EXPECT_EQ(split("123e4"), "12e5 3e4");
  EXPECT_EQ(split("-123e4"), "-12e5 -3e4");
  EXPECT_EQ(split("7e0"), "0e1 7e0");
  EXPECT_EQ(split("0e0"), "0e1 0e0");
  EXPECT_EQ(split("9223372036854775808e0"), "922337203685477580e1 8e0");
  EXPECT_EQ(split("-123456789012345678901234567890e60"), "-12345678901234567890123456789e61 0e60");
  for (const std::string& text : Samples()) {
    const Decimal number = Read(text);
    const auto parts = number.Split();
    ASSERT_TRUE(parts);
    EXPECT_EQ(ValueOf(Written(parts->tens)) + ValueOf(Written(parts->ones)), ValueOf(text)) << text;
  }
}

TEST(DecimalTest, NumbersOfTooManyDigitsAreNotRead) {
  const std::string largest(Decimal::kMaxDigits, '9');
  EXPECT_EQ(Written(Read(largest + "e0")), largest + "e0");
  EXPECT_EQ(Written(Read("9e999")), "9e999");
  EXPECT_EQ(Written(Read("0e1000")), "0e1000");
  for (const std::string& text :
       {largest + "0e0", largest + "e1", std::string("1e1000"), std::string("0e1001"), std::string("1e99999999999999999999")}) {
    Decimal number;
    TermError error;
    EXPECT_EQ(Decimal::Read(text.data(), text.data() + text.size(), false, number, error), nullptr) << text;
    EXPECT_EQ(error.at, text.data());
    EXPECT_NE(error.message.english().find("1000 digits"), std::string::npos);
  }
}

TEST(DecimalTest, ResultsOfTooManyDigitsAreNotGiven) {
  std::string scratch;
  const std::string largest = std::string(Decimal::kMaxDigits, '9') + "e0";
  EXPECT_FALSE(Decimal::Add(Read(largest), Read("1e0"), scratch));
  EXPECT_FALSE(Decimal::Multiply(Read(largest), Read("2e0"), scratch));
  EXPECT_FALSE(Decimal::Multiply(Read("5e500"), Read("5e500"), scratch));
  EXPECT_FALSE(Decimal::Multiply(Read("0e600"), Read("0e600"), scratch));
  EXPECT_FALSE(Read("0e1000").Split());
  EXPECT_EQ(Written(Decimal::Multiply(Read("2e500"), Read("3e499"), scratch)), "6e999");
  EXPECT_EQ(Written(Decimal::Add(Read(largest), Read("-1e0"), scratch)).size(), largest.size());
}

TEST(DecimalTest, MissingPartsAreReportedWhereTheyShouldBe) {
  struct Case {
    std::string_view text;
    std::ptrdiff_t position;
    std::string_view message;
  };
  for (const Case& bad :
       {Case{"12", 2, "expected 'e' and the exponent, found the end"},
        Case{"12x3", 2, "expected 'e' and the exponent, found 'x'"}, Case{"12e", 3, "expected the exponent, found the end"},
        Case{"12e-3", 3, "expected the exponent, found '-'"}}) {
    Decimal number;
    TermError error;
    EXPECT_EQ(Decimal::Read(bad.text.data(), bad.text.data() + bad.text.size(), false, number, error), nullptr) << bad.text;
    EXPECT_EQ(error.at - bad.text.data(), bad.position) << bad.text;
    EXPECT_EQ(error.message, bad.message) << bad.text;
  }
}

}  // namespace
}  // namespace conpole

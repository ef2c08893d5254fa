#include "notation/algebra_notation.h"

#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "notation/notation.h"
#include "subjects/free_notation.h"
#include "tests/repetitions.h"
#include "util/random.h"

namespace conpole {
namespace {

TEST(AlgebraNotationTest, ReadsWhatPeopleWrite) {
  const std::unique_ptr<Domain> domain = MakeDomain("algebra");
  using Pair = std::pair<std::string_view, std::string_view>;
  for (const auto& [text, state] : {Pair{"2x+3=7", "2x + 3 = 7"},
                                    Pair{"2/3x = 4", "2/3 * x = 4"},
                                    Pair{"1/2(x+4)=3", "1/2 * (x + 4) = 3"},
                                    Pair{"1 1/2 x = 3", "1 1/2 * x = 3"},
                                    Pair{"20% x = 5", "20/100 * x = 5"},
                                    Pair{"20\\% x = 5", "20/100 * x = 5"},
                                    Pair{"0,5x = 3", "0.5x = 3"},
                                    Pair{".5x = 3", "0.5x = 3"},
                                    Pair{"6 ÷ 2", "6/2"},
                                    Pair{"8:4", "8/4"},
                                    Pair{"x² = 9", "x^2 = 9"},
                                    Pair{"x^{2} = 9", "x^2 = 9"},
                                    Pair{"2¹⁰", "2^10"},
                                    Pair{"12 x 34", "12 * 34"},
                                    Pair{"3 · 4", "3 * 4"},
                                    Pair{"3 \\cdot 4", "3 * 4"},
                                    Pair{"2x + 3 = 7.", "2x + 3 = 7"},
                                    Pair{"3 + 4 =", "3 + 4"},
                                    Pair{"2x + 3 &= 7", "2x + 3 = 7"},
                                    Pair{"2x + 3 &= 7 \\\\", "2x + 3 = 7"},
                                    Pair{"\\begin{equation}2x+3=7\\end{equation}", "2x + 3 = 7"},
                                    Pair{"$2x = 4$", "2x = 4"},
                                    Pair{"½y = −3", "1/2 * y = -3"},
                                    Pair{"3½", "3 1/2"},
                                    Pair{"3\\frac{1}{2} + 1", "3 1/2 + 1"},
                                    Pair{"3\\frac12 + 1", "3 1/2 + 1"},
                                    Pair{"\\frac{2x-1}{3}-\\frac{x}{2}=1", "(2x - 1)/3 - x/2 = 1"},
                                    Pair{"\\frac{1}{1+\\frac{1}{x^{2}}} = 2", "1/(1 + 1/x^2) = 2"},
                                    Pair{"\\left(x+1\\right)^2 = 4", "(x + 1)^2 = 4"},
                                    Pair{"[x+1]*{2} = 4", "(x + 1) * 2 = 4"},
                                    Pair{"x = 2 or x = 3", "x = 2 or x = 3"},
                                    Pair{"x = 2 oder x = 3", "x = 2 or x = 3"},
                                    Pair{"x = 2 ∨ x = 3", "x = 2 or x = 3"},
                                    Pair{"x = √5 \\text{ or } x = -\\sqrt{5}", "x = sqrt(5) or x = -sqrt(5)"},
                                    Pair{"x = 1 + 2\\sqrt[3]{5}", "x = 1 + 2cbrt(5)"},
                                    Pair{"2x = 4; x ≠ 1", "2x = 4; x != 1"},
                                    Pair{"2\\lambda = 4", "2l = 4"},
                                    Pair{"2α = 4", "2a = 4"},
                                    Pair{"3 plus 4 times 2", "3 + 4 * 2"},
                                    Pair{"20% of 50", "20/100 * 50"},
                                    Pair{"1/2 von 80", "1/2 * 80"},
                                    Pair{"8 geteilt durch 2", "8/2"},
                                    Pair{"8 divided by 2", "8/2"},
                                    Pair{"2x plus 3 equals 7", "2x + 3 = 7"},
                                    Pair{"2x + 3 ist 7", "2x + 3 = 7"},
                                    Pair{"keine Lösung", "no solution"},
                                    Pair{"jede Zahl; x ≠ 1", "every number; x != 1"},
                                    Pair{"no solution", "no solution"}}) {
    const NotationResult read = ReadNotation(*domain, text);
    EXPECT_FALSE(read.error) << text << ": " << read.error->message;
    EXPECT_EQ(read.state, state) << text;
    EXPECT_EQ(read.reading, state) << text;
  }
}

TEST(AlgebraNotationTest, SaysWhatCannotBeReadAndWhere) {
  const std::unique_ptr<Domain> domain = MakeDomain("algebra");
  const auto error = [&](std::string_view text) {
    const NotationResult read = ReadNotation(*domain, text);
    EXPECT_TRUE(read.error) << text;
    return read.error.value_or(NotationError{});
  };
  EXPECT_EQ(error("2x < y").kind, NotationError::Kind::kNotExpressible);
  EXPECT_EQ(error("2x < y").position, 3U);
  EXPECT_EQ(error("sin(x) = 1").message, "'sin': functions cannot be expressed in algebra");
  EXPECT_EQ(error("2x = |y|").message, "an absolute value cannot be expressed");
  EXPECT_EQ(error("x = 3|").message, "a bar of an absolute value has no other that belongs to it");
  EXPECT_EQ(error("1,000x = 2").message, "a comma before three digits may mean thousands; write 1000, or 1.000");
  EXPECT_EQ(error("♥ x = 2").position, 0U);
  EXPECT_EQ(error("½x + = 3").position, 6U);    // a half has two bytes
  EXPECT_EQ(error("4 75% of 1").position, 2U);  // no mixed number
  EXPECT_EQ(ReadNotation(*MakeDomain("equations"), "\\frac{1}2 = x").error.value().message,
            "expected '{' and the denominator, found '2'");
  EXPECT_EQ(error("\\frac{1}{2 = x").kind, NotationError::Kind::kUnreadable);
  EXPECT_EQ(error("").kind, NotationError::Kind::kUnreadable);
  EXPECT_EQ(error(".").kind, NotationError::Kind::kUnreadable);
  EXPECT_EQ(error("\\text{x").kind, NotationError::Kind::kUnreadable);
}

TEST(AlgebraNotationTest, AnyTextIsReadOrRefused) {
  const std::unique_ptr<Domain> domain = MakeDomain("algebra");
  constexpr std::string_view kPieces[] = {
      "x",  "y", "2", "10",      "0.5", "1,5",      "+",       "-",       "*",        "/", ":", "(",   ")",  "{",
      "}",  "^", "²", "=",       "!=",  "≠",        "½",       "%",       ";",        ",", ".", " ",   "or", "&",
      "\\", "α", "√", "\\frac{", "}{",  "\\frac12", "\\text{", "\\sqrt{", "\\begin{", "|", "é", "\xff"};
  Random random(9);
  std::size_t states = 0;
  for (int i = 0; i < Repetitions(50'000, 5'000); ++i) {
    std::string text;
    for (int piece = random.Int32(0, 9); piece >= 0; --piece) text += kPieces[random.Int64(0, std::ssize(kPieces))];
    const NotationResult read = ReadNotation(*domain, text);
    if (read.error) {
      ASSERT_LE(read.error->position, text.size()) << text;
      ASSERT_FALSE(read.error->message.empty()) << text;
      continue;
    }
    ++states;
    ASSERT_EQ(ReadNotation(*domain, read.state).state, read.state) << text;
    // An exercise is set in LaTeX without what to do.
    if (read.state.find(": ") != std::string::npos) continue;
    ASSERT_EQ(ReadNotation(*domain, WriteLatex(*domain, read.state)).state, read.state) << text;
  }
  EXPECT_GT(states, Repetitions(500U, 50U));
}

// Both scripts, for problems and what steps make of them.
TEST(AlgebraNotationTest, WhatIsWrittenIsReadAsTheSameState) {
  const std::unique_ptr<Domain> domain = MakeDomain("algebra");
  Random random(5);
  for (std::uint64_t seed = 0; seed < Repetitions(1'000U, 100U); ++seed) {
    std::string state = domain->Generate(seed);
    for (int step = 0; step < 8; ++step) {
      const NotationResult plain = ReadNotation(*domain, WriteNotation(*domain, state));
      ASSERT_EQ(plain.state, state) << WriteNotation(*domain, state);
      const NotationResult latex = ReadNotation(*domain, WriteLatex(*domain, state));
      ASSERT_EQ(latex.state, state) << WriteLatex(*domain, state) << (latex.error ? latex.error->message : "");
      Successors next;
      if (domain->Expand(state, Labels::kOff, next) != Status::kOpen) break;
      state = next.state(static_cast<std::size_t>(random.Int64(0, static_cast<std::int64_t>(next.size()))));
    }
  }
}

}  // namespace
}  // namespace conpole

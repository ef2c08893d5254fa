#include "domains/axioms/term.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "domains/axioms/equations.h"

namespace conpole {
namespace {

using EquationTerm = Term<EquationNotation>;

std::string Canonical(std::string_view domain, std::string_view text) {
  const Parsed parsed = MakeDomain(domain)->Parse(text);
  return parsed.error ? "position " + std::to_string(parsed.error->position) + ": " + parsed.error->message.english()
                      : parsed.state;
}

struct Reading {
  std::string_view text;
  std::string_view result;
};

std::string Repeated(std::size_t count, std::string_view text) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

TEST(TermTest, ParenthesesCanBeLeftOut) {
  for (const Reading& reading : std::vector<Reading>{
           {"1-2-3 = x", "((1 - 2) - 3) = x"},
           {"8/4/2 = x", "((8 / 4) / 2) = x"},
           {"1-2+3 = x", "((1 - 2) + 3) = x"},
           {"8/4*2 = x", "((8 / 4) * 2) = x"},
           {"1+2*3 = x", "(1 + (2 * 3)) = x"},
           {"1*2+3*4 = x", "((1 * 2) + (3 * 4)) = x"},
           {"2*x+3=4*x-5/x", "(2x + 3) = (4x - (5 / x))"},
           {"1-(2-3) = x", "(1 - (2 - 3)) = x"},
           {"(1-2)-3 = x", "((1 - 2) - 3) = x"},
           {"((x)) = (((3)))", "x = 3"},
           {"  x\t=\t3  ", "x = 3"},
       }) {
    EXPECT_EQ(Canonical("equations", reading.text), reading.result) << reading.text;
  }
}

TEST(TermTest, SignsBindTighterThanOperators) {
  for (const Reading& reading : std::vector<Reading>{
           {"-3 = x", "(-3) = x"},
           {"- 3 = x", "(-3) = x"},
           {"-(3) = x", "(-3) = x"},
           {"-0 = x", "0 = x"},
           {"-x*y = 1", "(-x * y) = 1"},
           {"-x-x = 1", "(-x - x) = 1"},
           {"5--x = 1", "(5 - -x) = 1"},
           {"5 - -3 = x", "(5 - (-3)) = x"},
           {"--x = 1", "-(-x) = 1"},
           {"-(2x) = 1", "-(2x) = 1"},
           {"-2x = 1", "-2x = 1"},
           {"-2*x = 1", "-2x = 1"},
           {"-(x+1) = 1", "-(x + 1) = 1"},
       }) {
    EXPECT_EQ(Canonical("equations", reading.text), reading.result) << reading.text;
  }
}

TEST(TermTest, RationalsAreReducedAndCoefficientsJoined) {
  for (const Reading& reading : std::vector<Reading>{
           {"[2/4] = x", "[1/2] = x"},
           {"[4/2] = x", "2 = x"},
           {"[-1/2] = x", "([-1/2]) = x"},
           {"-[1/2] = x", "([-1/2]) = x"},
           {"-[-1/2] = x", "[1/2] = x"},
           {"[0/5] = x", "0 = x"},
           {"[-1/2]x = 1", "[-1/2]x = 1"},
           {"[1/2] * x = 1", "[1/2]x = 1"},
           {"(x * 2) = 1", "(x * 2) = 1"},
           {"x*2*x = 1", "((x * 2) * x) = 1"},
           {"2*3*x = 1", "((2 * 3) * x) = 1"},
           {"6/2x = 1", "(6 / 2x) = 1"},
           {"[9223372036854775807/9223372036854775807] = x", "1 = x"},
       }) {
    EXPECT_EQ(Canonical("equations", reading.text), reading.result) << reading.text;
  }
}

TEST(TermTest, FractionsStandAtTheRoot) {
  for (const Reading& reading : std::vector<Reading>{
           {"1+2", "1 + 2"},
           {"(1+2)", "(1 + 2)"},
           {"1-2-3", "(1 - 2) - 3"},
           {"[1]/[2]+3", "[1]/[2] + 3"},
           {"[ 1 * 2 ] / [ 3 ]", "[(1 * 2)]/[3]"},
           {"([1]/[2])", "[1]/[2]"},
           {"-7", "-7"},
           {"[-1]/[-2]", "[-1]/[-2]"},
       }) {
    EXPECT_EQ(Canonical("fractions", reading.text), reading.result) << reading.text;
  }
}

TEST(TermTest, EveryErrorInAnEquationHasItsPlace) {
  for (const Reading& reading : std::vector<Reading>{
           {"", "position 0: expected a number or a term, found the end"},
           {"   ", "position 3: expected a number or a term, found the end"},
           {"x", "position 1: expected '=' and the other side, found the end"},
           {"x =", "position 3: expected a number or a term, found the end"},
           {"= 3", "position 0: expected a number or a term, found '='"},
           {"x = 3 = 4", "position 6: a second '='"},
           {"(x = 3)", "position 3: '=' inside parentheses"},
           {"x) = 3", "position 1: ')' closes nothing"},
           {"x = 3]", "position 5: ']' closes nothing"},
           {"x = ((3)", "position 4: '(' is never closed"},
           {"x = ()", "position 5: expected a number or a term, found ')'"},
           {"x = 2 3", "position 6: expected an operator or the end, found '3'"},
           {"x = 2 y", "position 6: expected an operator or the end, found 'y'"},
           {"x = xy", "position 5: expected an operator or the end, found 'y'"},
           {"x = 3 +", "position 7: expected a number or a term, found the end"},
           {"x = -", "position 5: expected a number or a term, found the end"},
           {"x = * 3", "position 4: expected a number or a term, found '*'"},
           {"x = 3\n", "position 5: expected an operator or the end, found byte 0x0a"},
           {"x = \xff", "position 4: expected a number or a term, found byte 0xff"},
           {"x = 9223372036854775808", "position 4: the number does not fit into 64 bits"},
           {"x = -9223372036854775808", "position 5: the number does not fit into 64 bits"},
           {"x = [1/9223372036854775808]", "position 7: the number does not fit into 64 bits"},
           {"x = [1/0]", "position 4: a fraction with denominator 0"},
           {"x = [", "position 5: expected a digit, found the end"},
           {"x = [y/2]", "position 5: expected a digit, found 'y'"},
           {"x = [1]", "position 6: expected '/' in the fraction, found ']'"},
           {"x = [1/-2]", "position 7: expected a digit, found '-'"},
           {"x = [1/2", "position 8: expected ']' after the fraction, found the end"},
       }) {
    EXPECT_EQ(Canonical("equations", reading.text), reading.result) << reading.text;
  }
}

TEST(TermTest, EveryErrorInAFractionHasItsPlace) {
  for (const Reading& reading : std::vector<Reading>{
           {"x", "position 0: expected a number or a term, found 'x'"},
           {"1 = 1", "position 2: expected an operator or the end, found '='"},
           {"1 / 2", "position 2: expected an operator or the end, found '/'"},
           {"[1]", "position 3: expected /[ and the denominator, found the end"},
           {"[1]/2", "position 4: expected /[ and the denominator, found '2'"},
           {"[1", "position 0: '[' is never closed"},
           {"3 + [1]/[2", "position 4: '[' is never closed"},
           {"[1)/[2]", "position 2: ')' closes nothing"},
           {"(1]", "position 2: ']' closes nothing"},
           {"-[1]/[2]", "position 1: expected a number or a term, found '['"},
           {"-(1)", "position 1: expected a number or a term, found '('"},
           {"[[1]/[2]]/[3]", "position 1: a fraction inside another operation or fraction"},
           {"1 + (2 * [1]/[2])", "position 9: a fraction inside another operation or fraction"},
           {"1 + 2 + [1]/[2] + 3", "position 8: a fraction inside another operation or fraction"},
       }) {
    EXPECT_EQ(Canonical("fractions", reading.text), reading.result) << reading.text;
  }
}

TEST(TermTest, TextOverTheLimitIsRefused) {
  const std::string blanks(kMaxStateBytes - 5, ' ');
  EXPECT_EQ(Canonical("equations", "x = 3" + blanks), "x = 3");
  EXPECT_EQ(Canonical("equations", "x = 3 " + blanks), "position 16384: the text is longer than 16384 bytes");
  EXPECT_EQ(Canonical("equations", "x = 1" + Repeated(4000, "+1")),
            "position 8005: the text is too long when it is written with all parentheses");
}

TEST(TermTest, NodesAreInPreOrderAndKnowTheirSpans) {
  EquationTerm term;
  Malformed error;
  ASSERT_TRUE(term.Read("-2*x - (-3)*(y/[2/4]) = -x", error));
  ASSERT_EQ(term.text(), "(-2x - ((-3) * (y / [1/2]))) = -x");
  const std::vector<std::string_view> spans{term.text(), "(-2x - ((-3) * (y / [1/2])))",
                                            "-2x",       "-2",
                                            "x",         "((-3) * (y / [1/2]))",
                                            "(-3)",      "(y / [1/2])",
                                            "y",         "[1/2]",
                                            "-x",        "x"};
  ASSERT_EQ(term.size(), spans.size());
  for (EquationTerm::Index i = 0; i < term.size(); ++i) EXPECT_EQ(term.Span(i), spans[i]) << i;
  const std::vector<EquationTerm::Index> parents{0, 0, 1, 2, 2, 1, 5, 5, 7, 7, 0, 10};
  const std::vector<EquationTerm::Index> sizes{12, 9, 3, 1, 1, 5, 1, 3, 1, 1, 2, 1};
  for (EquationTerm::Index i = 0; i < term.size(); ++i) {
    EXPECT_EQ(term[i].parent, parents[i]) << i;
    EXPECT_EQ(term[i].size, sizes[i]) << i;
  }
  EXPECT_EQ(term.Left(1), 2U);
  EXPECT_EQ(term.Right(1), 5U);
  EXPECT_TRUE(term.IsMonomial(2));
  EXPECT_FALSE(term.IsMonomial(5));
}

TEST(TermTest, EqualComparesTermsWhereverTheyStand) {
  EquationTerm term;
  Malformed error;
  // The coefficient -2 is written without parentheses, the number (-2) with them.
  ASSERT_TRUE(term.Read("(-2x + (x * (-2))) = (-2x + (-2))", error));
  ASSERT_EQ(term.Span(3), "-2");
  ASSERT_EQ(term.Span(7), "(-2)");
  EXPECT_TRUE(term.Equal(3, 7));
  EXPECT_TRUE(term.Equal(2, 9));   // -2x on both sides
  EXPECT_FALSE(term.Equal(2, 5));  // -2x is not x * (-2)
  EXPECT_FALSE(term.Equal(3, 4));  // a number is not a variable
  EXPECT_TRUE(term.Equal(4, 6));
}

TEST(TermTest, ATermCanBeReadAgainAfterAnError) {
  EquationTerm term;
  Malformed error;
  EXPECT_FALSE(term.Read("((((x", error));
  ASSERT_TRUE(term.Read("x = 3", error));
  EXPECT_EQ(term.text(), "x = 3");
  EXPECT_EQ(term.size(), 3U);
}

TEST(TermTest, SetNumberAndPrintWriteTheNewNumber) {
  EquationTerm term;
  Malformed error;
  ASSERT_TRUE(term.Read("(1x + 1) = 1", error));
  term.SetNumber(3, Rational(-7));
  term.SetNumber(5, Rational(-8));
  term.SetNumber(6, Rational(90));
  term.Print();
  EXPECT_EQ(term.text(), "(-7x + (-8)) = 90");
  EXPECT_EQ(term.Span(3), "-7");
}

// Nesting as deep as the text is long: a recursive reader would overflow the stack, and a backtracking one would not end.
class NestingTest : public testing::TestWithParam<std::size_t> {};

TEST_P(NestingTest, RedundantParenthesesGo) {
  const std::size_t depth = GetParam();
  EXPECT_EQ(Canonical("equations", Repeated(depth, "(") + "x" + Repeated(depth, ")") + " = 1"), "x = 1");
  EXPECT_EQ(Canonical("fractions", Repeated(depth, "(") + "7" + Repeated(depth, ")")), "7");
  EXPECT_EQ(Canonical("multiplication", Repeated(depth, "(") + "7e0" + Repeated(depth, ")")), "7e0");
}

TEST_P(NestingTest, OperationsNestToTheRightAndToTheLeft) {
  const std::size_t depth = GetParam();
  const std::string right = Repeated(depth, "(1 + ") + "x" + Repeated(depth, ")") + " = 1";
  EXPECT_TRUE(Canonical("equations", right) == right);
  const std::string left = "1 = " + Repeated(depth, "(") + "x" + Repeated(depth, " / 2)");
  EXPECT_TRUE(Canonical("equations", left) == left);
  EXPECT_TRUE(Canonical("equations", "1 = x" + Repeated(depth, "/2")) == left);
  const std::string numbers = Repeated(depth, "(1 - ") + "2" + Repeated(depth, ")");
  EXPECT_TRUE(Canonical("fractions", numbers) == numbers);
  const std::string decimals = Repeated(depth, "(1e0*") + "2e0" + Repeated(depth, ")");
  EXPECT_TRUE(Canonical("multiplication", decimals) == Repeated(depth, "(1e0 * ") + "2e0" + Repeated(depth, ")"));
}

TEST_P(NestingTest, NegationsNest) {
  const std::size_t depth = GetParam();
  const std::string negations = Repeated(depth, "-(") + "2x" + Repeated(depth, ")") + " = 1";
  EXPECT_TRUE(Canonical("equations", negations) == negations);
  EXPECT_TRUE(Canonical("equations", Repeated(depth + 1, "-") + "x = 1") ==
              Repeated(depth, "-(") + "-x" + Repeated(depth, ")") + " = 1");
}

TEST_P(NestingTest, UnclosedParenthesesAreFoundAtTheLastOne) {
  const std::size_t depth = GetParam();
  EXPECT_EQ(Canonical("equations", "x = " + Repeated(depth, "(") + "1"),
            "position " + std::to_string(depth + 3) + ": '(' is never closed");
}

TEST_P(NestingTest, AStateOverTheCapIsADeadEnd) {
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  Successors out;
  const std::size_t depth = GetParam();
  EXPECT_EQ(domain->Expand(Repeated(depth, "(1 + ") + "x" + Repeated(depth, ")") + " = 1", Labels::kOn, out), Status::kDeadEnd);
  EXPECT_EQ(domain->Expand(Repeated(depth, "(") + "x" + Repeated(depth, ")") + " = 1 + 2", Labels::kOn, out), Status::kOpen);
}

INSTANTIATE_TEST_SUITE_P(Depth, NestingTest, testing::Values(20, 2'000), testing::PrintToStringParamName());

}  // namespace
}  // namespace conpole

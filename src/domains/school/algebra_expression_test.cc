#include "domains/school/algebra_expression.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "domains/school/algebra_text.h"

namespace conpole::algebra {
namespace {

// The left side of an equation.
Node Side(std::string_view text) {
  ReadResult result = Read(std::string(text) + " = 0");
  EXPECT_FALSE(result.error) << text << ": " << result.error->message;
  return result.state.equations.at(0).left;
}

TEST(AlgebraExpressionTest, EqualValuesHaveTheSameNormalForm) {
  const auto form = [](std::string_view text) { return FindNormalForm(Side(text)).form; };
  EXPECT_EQ(form("2(x + 3)"), form("2x + 6"));
  EXPECT_EQ(form("(x^2 - 1)/(x - 1)"), form("x + 1"));
  EXPECT_EQ(form("1/x + 1/(x + 1)"), form("(2x + 1)/(x(x + 1))"));
  EXPECT_EQ(form("1/(1 + 1/x)"), form("x/(x + 1)"));
  EXPECT_EQ(form("0.5x + 1 1/2"), form("x/2 + 3/2"));
  EXPECT_NE(form("x + 1"), form("x - 1"));
  EXPECT_TRUE(form("x - x + 2").IsNumber());
  EXPECT_EQ(form("x - x + 2").Number(), 2);
}

TEST(AlgebraExpressionTest, WhatHasNoNormalForm) {
  EXPECT_EQ(FindNormalForm(Quotient(Number(1), Sum({Unknown(), Negation(Unknown())}))).fault, NoForm::kDividesByZero);
  EXPECT_EQ(FindNormalForm(Power(Number(0), 0)).fault, NoForm::kZeroToTheZero);
  EXPECT_EQ(FindNormalForm(Power(Unknown(), 13)).fault, NoForm::kTooLarge);
  EXPECT_EQ(FindNormalForm(Power(Power(Number(2), 1000), 1000)).fault, NoForm::kTooLarge);
  EXPECT_FALSE(FindNormalForm(Power(Number(2), 1000)).fault);
}

TEST(AlgebraExpressionTest, SumsAndProductsAreFlat) {
  EXPECT_EQ(Sum({Number(1), Sum({Number(2), Number(3)})}).children.size(), 3U);
  EXPECT_EQ(Product({Product({Number(1), Number(2)}), Unknown()}).children.size(), 3U);
  EXPECT_EQ(Sum({}), Number(0));
  EXPECT_EQ(Product({}), Number(1));
  EXPECT_EQ(Sum({Unknown()}), Unknown());
}

TEST(AlgebraExpressionTest, NumbersAreWrittenInTheStyleAskedFor) {
  const auto text = [](const Exact& value, NumberStyle style) { return TextOf(NumberNode(value, style), 'x'); };
  EXPECT_EQ(text(Exact(-3, 4), NumberStyle::kFractions), "-3/4");
  EXPECT_EQ(text(Exact(-3, 4), NumberStyle::kDecimals), "-0.75");
  EXPECT_EQ(text(Exact(1, 3), NumberStyle::kDecimals), "1/3");
  EXPECT_EQ(text(Exact(-5), NumberStyle::kDecimals), "-5");
  EXPECT_EQ(text(Exact(1, Integer("10000000000000")), NumberStyle::kDecimals), "1/10000000000000");
  EXPECT_EQ(TextOf(PolynomialNode({Exact(-1, 2), 0, Exact(3, 4), -1}, NumberStyle::kFractions), 'x'), "-x^3 + 3x^2/4 - 1/2");
  EXPECT_EQ(TextOf(PolynomialNode({}, NumberStyle::kFractions), 'x'), "0");
}

TEST(AlgebraExpressionTest, SurdsAreReadBack) {
  for (const std::string text :
       {"(3 + sqrt(5))/2", "(-3 - 2sqrt(5))/4", "sqrt(2)", "-sqrt(2)/3", "1 + sqrt(2)", "2sqrt(3)/5"}) {
    const Node node = Read("x = " + text).state.equations.at(0).right;
    EXPECT_EQ(TextOf(node, 'x'), text);
    EXPECT_EQ(SurdNode(*SurdValue(node)), node) << text;
  }
}

TEST(AlgebraExpressionTest, ExclusionsAreWhereDenominatorsAreZero) {
  std::vector<Polynomial> exclusions;
  CollectExclusions(Side("1/(x^2 - 1) + 2/(3x - 3) + x/5 + 1/(x^2 + 1)"), exclusions);
  EXPECT_EQ(exclusions, (std::vector<Polynomial>{{1, 1}, {-1, 1}}));
  exclusions.clear();
  CollectExclusions(Side("1/(1 + 1/x)"), exclusions);
  EXPECT_EQ(exclusions, (std::vector<Polynomial>{{0, 1}, {1, 1}}));
}

}  // namespace
}  // namespace conpole::algebra

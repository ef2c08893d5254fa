#include "notation/graph.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "notation/algebra_notation.h"
#include "notation/balance.h"
#include "notation/picture.h"

namespace conpole {
namespace {

bool Has(const std::optional<std::string>& svg, const std::string& text) { return svg && svg->find(text) != std::string::npos; }

TEST(GraphTest, BothSidesMeetAtTheAnswer) {
  const auto line = DrawSolution("2x + 3 = 7", "x = 2");
  EXPECT_TRUE(Has(line, "<title id=\"title\">2x + 3 = 7</title>")) << *line;
  EXPECT_TRUE(Has(line, "<desc id=\"description\">y = 2x + 3; y = 7; x = 2, y = 7</desc>")) << *line;
  // The solution is in the middle of what is seen, so the point is too.
  EXPECT_TRUE(Has(line, "<circle cx=\"240.0\"")) << *line;
  const auto parabola = DrawSolution("x^2 = 2x + 3", "x = -1 or x = 3");
  EXPECT_TRUE(Has(parabola, "; x = -1, y = 1; x = 3, y = 9</desc>")) << *parabola;
  const auto fraction = DrawSolution("2x = 7", "x = 7/2");
  EXPECT_TRUE(Has(fraction, "; x = 7/2, y = 7</desc>"));
}

TEST(GraphTest, IrrationalSolutionsAreFoundWhereTheCurvesCross) {
  const auto svg = DrawSolution("x^2 = 2", "x = sqrt(2) or x = -sqrt(2)");
  EXPECT_TRUE(Has(svg, "; x ≈ -1.41, y = 2; x ≈ 1.41, y = 2</desc>")) << *svg;
}

TEST(GraphTest, APoleIsNoLine) {
  const auto svg = DrawSolution("1/x = 2", "x = 1/2");
  ASSERT_TRUE(svg);
  // The curve is drawn in two parts.
  const std::size_t path = svg->find("<path d=\"");
  const std::string left = svg->substr(path, svg->find('"', path + 9) - path);
  EXPECT_GE(std::count(left.begin(), left.end(), 'M'), 2) << left;
}

TEST(GraphTest, InequalitiesAreOnALine) {
  const auto below = DrawSolution("solve x: 2x + 3 < 7", "solve x: x < 2");
  EXPECT_TRUE(Has(below, "<title id=\"title\">2x + 3 &lt; 7</title>")) << *below;
  EXPECT_TRUE(Has(below, "<desc id=\"description\">x &lt; 2</desc>"));
  EXPECT_TRUE(Has(below, "r=\"6\" fill=\"white\""));
  const auto between = DrawSolution("solve x: x^2 - 5x + 6 <= 0", "solve x: 2 <= x <= 3");
  EXPECT_TRUE(Has(between, "r=\"6\" fill=\"#1f5fa8\""));
  EXPECT_FALSE(Has(between, "r=\"6\" fill=\"white\""));
  const auto outside = DrawSolution("solve x: x^2 > 1/4", "solve x: x < -1/2 or x > 1/2");
  EXPECT_TRUE(Has(outside, "x &lt; -1/2 or x &gt; 1/2"));
}

TEST(GraphTest, NothingToSeeIsNoPicture) {
  EXPECT_FALSE(DrawSolution("x = x + 1", "no solution"));
  EXPECT_FALSE(DrawSolution("x + 1 = 1 + x", "every number"));
  EXPECT_FALSE(DrawSolution("1/2 + 1/3", "5/6"));
  EXPECT_FALSE(DrawSolution("nonsense", "nonsense"));
  EXPECT_FALSE(DrawSolution("solve x: x < y", "solve x: x < y"));
}

std::size_t Count(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::vector<DrawnLine> Lines(const std::vector<std::string>& texts) {
  std::vector<DrawnLine> lines;
  for (const std::string& text : texts) lines.push_back({text, DrawAlgebra(text)});
  return lines;
}

TEST(BalanceTest, WhatLiesOnThePansIsCounted) {
  const auto balance = BalanceOf(DrawAlgebra("2x + 3 = x + 7"));
  ASSERT_TRUE(balance);
  EXPECT_EQ(balance->unknown, "x");
  EXPECT_EQ(balance->left.unknowns, 2);
  EXPECT_EQ(balance->left.ones, 3);
  EXPECT_EQ(balance->right.unknowns, 1);
  EXPECT_EQ(balance->right.ones, 7);
  EXPECT_TRUE(BalanceOf(DrawAlgebra("0 = 3y")));
  for (const char* const other : {"2x - 3 = 7", "x^2 = 4", "x/2 = 3", "2(x + 1) = 4", "2x + 3y = 7", "3 = 3", "x = 25",
                                  "25x = 1", "x < 3", "x = -2", "2x + 3", "2.5x = 5"}) {
    EXPECT_FALSE(BalanceOf(DrawAlgebra(other))) << other;
  }
}

TEST(BalanceTest, ABalanceForEveryLine) {
  const auto svg = DrawBalances(Lines({"2x + 3 = 7", "2x + 3 - 3 = 7 - 3", "2x = 4", "x = 2"}));
  ASSERT_TRUE(svg);
  EXPECT_TRUE(Has(svg, "<desc id=\"description\">2x + 3 = 7; 2x = 4; x = 2</desc>")) << *svg;
  // Boxes of the unknown and ones, of three lines; the first rectangle is the paper.
  EXPECT_EQ(Count(*svg, "<rect"), 1U + 2 + 2 + 1);
  EXPECT_EQ(Count(*svg, "<circle"), 3U + 7 + 4 + 2);
  EXPECT_FALSE(DrawBalances(Lines({"2x - 3 = 7", "2x = 10"})));
  EXPECT_FALSE(DrawBalances({}));
}

TEST(FractionBarsTest, EveryTermHasItsParts) {
  const auto svg = DrawFractionBars(Lines({"1/2 + 1/3", "5/6"}));
  ASSERT_TRUE(svg);
  EXPECT_TRUE(Has(svg, "<desc id=\"description\">1/2 + 1/3; 5/6</desc>")) << *svg;
  EXPECT_EQ(Count(*svg, "<line"), 1U + 2 + 5);
  // Half of the first, all but a sixth of the last.
  EXPECT_TRUE(Has(svg, "width=\"50.00\"")) << *svg;
  EXPECT_TRUE(Has(svg, "width=\"83.33\"")) << *svg;
  EXPECT_EQ(Count(*DrawFractionBars(Lines({"7/3"})), "fill=\"none\""), 3U);
  EXPECT_FALSE(DrawFractionBars(Lines({"1/2 + 99/2"})));
  EXPECT_FALSE(DrawFractionBars(Lines({"1/49"})));
}

}  // namespace
}  // namespace conpole

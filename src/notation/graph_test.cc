#include "notation/graph.h"

#include <algorithm>
#include <optional>
#include <string>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace conpole

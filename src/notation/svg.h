// Parts of pictures as SVG (graph.h, balance.h). Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace conpole {

// The beginning of a picture, on white. Title and description are what those hear who do not see it.
std::string BeginSvg(std::string_view title, std::string_view description, double width, double height);
std::string SvgLine(double x1, double y1, double x2, double y2, std::string_view style);
// Formulas as people write them, with a white border, so that they can be read on lines.
std::string SvgLabel(double x, double y, std::string_view text, std::string_view anchor = "middle");

}  // namespace conpole

// Learning curves as gnuplot draws them. All functions may be called by any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace conpole::cli {

struct Point {
  double x;
  double y;  // NaN is a gap
};
using Curve = std::vector<Point>;

struct LabelledCurve {
  std::string label;
  Curve points;
};

struct Size {
  int width = 960;
  int height = 600;
};

struct Chart {
  enum class Format : std::uint8_t { kPng, kSvg };

  Format format = Format::kSvg;
  Size size;
  std::string title;                    // empty for none
  std::string metric = "eval_success";  // what y is, by its name in metrics.jsonl; shares are drawn in percent
  bool is_by_steps = true;              // x is environment steps; seconds otherwise
};

// The picture. There must be a curve, and a point in each. Throws Error if gnuplot is not installed or fails.
std::string DrawCurves(const Chart& chart, const std::vector<LabelledCurve>& curves);

}  // namespace conpole::cli

#include "notation/graph.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "notation/svg.h"
#include "verify/algebra_meaning.h"
#include "verify/exact.h"

namespace conpole {
namespace {

constexpr double kWidth = 480;
constexpr double kHeight = 320;
constexpr double kMargin = 40;
constexpr int kSamples = 240;
constexpr double kAround = 4;         // what is shown beside the outermost solutions
constexpr std::size_t kMaxEnds = 12;  // of intervals

struct Meeting {
  double x;
  double y;
  std::string label;  // x = 2
};

// What is seen, in numbers.
struct Window {
  double x_low, x_high, y_low, y_high;
  double X(double x) const { return kMargin + (x - x_low) / (x_high - x_low) * (kWidth - 2 * kMargin); }
  double Y(double y) const { return kHeight - kMargin - (y - y_low) / (y_high - y_low) * (kHeight - 2 * kMargin); }
};

// 1, 2 or 5 times a power of ten, so that there are about ten of them.
double TickStep(double range) {
  const double power = std::pow(10.0, std::floor(std::log10(range / 10)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (range / (factor * power) <= 12) return factor * power;
  }
  return 10 * power;
}

std::string Shortened(double value) { return fmt::format("{:.4g}", value == 0 ? 0.0 : value); }

std::string TextOfNumber(const Exact& number) {
  return fmt::format("{}", number.str());  // 7/2
}

// A side at all samples; nothing where it is not defined.
using Curve = std::vector<std::optional<double>>;

Exact SampleAt(const Exact& low, const Exact& high, int i) { return low + (high - low) * i / kSamples; }

Curve CurveOf(const Expression& side, const Exact& low, const Exact& high) {
  Curve curve;
  for (int i = 0; i <= kSamples; ++i) {
    const std::optional<Exact> value = EvaluateTerm(side, SampleAt(low, high, i));
    curve.push_back(value ? std::optional(value->convert_to<double>()) : std::nullopt);
  }
  return curve;
}

// Where the curves cross between samples, for solutions that are no fractions.
std::vector<Meeting> CrossingsOf(const Curve& left, const Curve& right, double low, double high, char unknown) {
  std::vector<Meeting> found;
  for (std::size_t i = 1; i < left.size(); ++i) {
    if (!left[i - 1] || !right[i - 1] || !left[i] || !right[i]) continue;
    const double before = *left[i - 1] - *right[i - 1];
    const double after = *left[i] - *right[i];
    const bool is_pole = std::abs(*left[i] - *left[i - 1]) + std::abs(*right[i] - *right[i - 1]) > 1e3 * (high - low);
    if (before * after >= 0 || is_pole) continue;
    const double share = before / (before - after);
    const double x = low + (high - low) * (static_cast<double>(i) - 1 + share) / kSamples;
    found.push_back({x, *right[i - 1] + share * (*right[i] - *right[i - 1]), fmt::format("{} ≈ {:.2f}", unknown, x)});
  }
  return found;
}

std::string PathOf(const Curve& curve, const Window& window, std::string_view style) {
  std::string path;
  bool is_drawing = false;
  const double most = 20 * (window.y_high - window.y_low);
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const bool is_seen = curve[i] && std::abs(*curve[i] - window.y_low) < most;
    const bool jumps = is_seen && is_drawing && std::abs(*curve[i] - *curve[i - 1]) > 2 * (window.y_high - window.y_low);
    if (is_seen) {
      const double x = window.x_low + (window.x_high - window.x_low) * static_cast<double>(i) / kSamples;
      path += fmt::format("{}{:.1f} {:.1f}", is_drawing && !jumps ? "L" : "M", window.X(x), window.Y(*curve[i]));
    }
    is_drawing = is_seen;
  }
  return fmt::format("<path d=\"{}\" fill=\"none\" {} clip-path=\"url(#inside)\"/>\n", path, style);
}

std::string AxesOf(const Window& window) {
  constexpr std::string_view kAxis = "stroke=\"#888\"";
  constexpr std::string_view kGrid = "stroke=\"#ddd\"";
  std::string svg;
  const double zero_x = window.X(std::clamp(0.0, window.x_low, window.x_high));
  const double zero_y = window.Y(std::clamp(0.0, window.y_low, window.y_high));
  const double step_x = TickStep(window.x_high - window.x_low);
  const double step_y = TickStep(window.y_high - window.y_low);
  for (double i = std::ceil(window.x_low / step_x); i * step_x <= window.x_high; ++i) {
    const double x = window.X(i * step_x);
    svg += SvgLine(x, kMargin, x, kHeight - kMargin, kGrid) + SvgLabel(x, kHeight - 8, Shortened(i * step_x));
  }
  for (double i = std::ceil(window.y_low / step_y); i * step_y <= window.y_high; ++i) {
    const double y = window.Y(i * step_y);
    svg += SvgLine(kMargin, y, kWidth - kMargin, y, kGrid) + SvgLabel(kMargin - 4, y + 4, Shortened(i * step_y), "end");
  }
  return svg + SvgLine(zero_x, kMargin, zero_x, kHeight - kMargin, kAxis) +
         SvgLine(kMargin, zero_y, kWidth - kMargin, zero_y, kAxis);
}

std::optional<std::string> DrawCurves(std::string_view problem) {
  const AlgebraMeaning meaning = ReadAlgebra(problem);
  const SolutionSet& solutions = meaning.solutions;
  if (meaning.kind != AlgebraMeaning::Kind::kSolutions || !meaning.left || !meaning.right || meaning.half) return std::nullopt;
  if (solutions.kind != SolutionSet::Kind::kRoots || solutions.unknown == 0) return std::nullopt;
  // Around the solutions that are fractions, or where most others of school books are.
  Exact low = -5;
  Exact high = 5;
  if (!solutions.roots.rational.empty()) {
    const Exact spread = (solutions.roots.rational.back() - solutions.roots.rational.front()) / 2;
    const Exact beside = std::max<Exact>(kAround, spread);
    low = solutions.roots.rational.front() - beside;
    high = solutions.roots.rational.back() + beside;
  }
  const Curve left = CurveOf(*meaning.left, low, high);
  const Curve right = CurveOf(*meaning.right, low, high);
  Window window{low.convert_to<double>(), high.convert_to<double>(), 0, 0};
  std::vector<Meeting> meetings;
  for (const Exact& root : solutions.roots.rational) {
    const std::optional<Exact> value = EvaluateTerm(*meaning.right, root);
    if (!value) return std::nullopt;
    meetings.push_back({root.convert_to<double>(), value->convert_to<double>(),
                        fmt::format("{} = {}", solutions.unknown, TextOfNumber(root))});
  }
  if (solutions.roots.irrational > 0) {
    for (Meeting& crossing : CrossingsOf(left, right, window.x_low, window.x_high, solutions.unknown)) {
      const bool is_known = std::any_of(meetings.begin(), meetings.end(), [&](const Meeting& one) {
        return std::abs(one.x - crossing.x) < (window.x_high - window.x_low) / kSamples;
      });
      if (!is_known) meetings.push_back(std::move(crossing));
    }
  }
  if (meetings.empty()) return std::nullopt;
  // Most of the curves, and all places where they meet.
  std::vector<double> heights;
  for (const Curve* const curve : {&left, &right}) {
    for (const std::optional<double>& y : *curve) {
      if (y) heights.push_back(*y);
    }
  }
  std::sort(heights.begin(), heights.end());
  window.y_low = heights[heights.size() / 10];
  window.y_high = heights[heights.size() - 1 - heights.size() / 10];
  for (const Meeting& one : meetings) {
    window.y_low = std::min(window.y_low, one.y);
    window.y_high = std::max(window.y_high, one.y);
  }
  const double pad = std::max(1.0, (window.y_high - window.y_low) / 8);
  window.y_low -= pad;
  window.y_high += pad;

  const std::size_t equals = problem.find('=');
  std::string_view left_text = problem.substr(0, equals);
  std::string_view right_text = problem.substr(equals + 1);
  while (left_text.ends_with(' ')) left_text.remove_suffix(1);
  while (right_text.starts_with(' ')) right_text.remove_prefix(1);
  std::string description = fmt::format("y = {}; y = {}", left_text, right_text);
  for (const Meeting& one : meetings) description += fmt::format("; {}, y = {}", one.label, Shortened(one.y));
  std::string svg = BeginSvg(problem, description, kWidth, kHeight);
  svg += fmt::format("<clipPath id=\"inside\"><rect x=\"{0}\" y=\"{0}\" width=\"{1}\" height=\"{2}\"/></clipPath>\n", kMargin,
                     kWidth - 2 * kMargin, kHeight - 2 * kMargin);
  svg += AxesOf(window);
  // Told apart without colours, too.
  svg += PathOf(left, window, "stroke=\"#1f5fa8\" stroke-width=\"2.5\"");
  svg += PathOf(right, window, "stroke=\"#b3510d\" stroke-width=\"2.5\" stroke-dasharray=\"8 4\"");
  for (const Meeting& one : meetings) {
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"black\"/>\n", window.X(one.x), window.Y(one.y));
    svg += SvgLabel(window.X(one.x) + 8, window.Y(one.y) - 8, one.label, "start");
  }
  svg += SvgLabel(kMargin, 14, fmt::format("y = {} (—)   y = {} (- -)", left_text, right_text), "start");
  return svg + "</svg>\n";
}

struct Interval {
  std::optional<double> low = {};
  std::optional<double> high = {};
  bool has_low = false;  // the end itself belongs to it
  bool has_high = false;
};

// 2, -1/2, 0.5. Not by std::from_chars, which not every library has for such numbers.
std::optional<double> NumberOf(std::string_view text) {
  const auto read = [](std::string_view part) -> std::optional<double> {
    const std::string copy(part);
    char* end = nullptr;
    const double value = std::strtod(copy.c_str(), &end);
    return !copy.empty() && end == copy.c_str() + copy.size() && std::isfinite(value) ? std::optional(value) : std::nullopt;
  };
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return read(text);
  const std::optional<double> above = read(text.substr(0, slash));
  const std::optional<double> below = read(text.substr(slash + 1));
  return above && below && *below != 0 ? std::optional(*above / *below) : std::nullopt;
}

// x < 2, 2 <= x < 3.
std::optional<Interval> IntervalOf(std::string_view text, std::string_view unknown) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  Interval interval;
  const auto bound = [&](std::string_view relation, std::string_view number, bool is_before) {
    const std::optional<double> value = NumberOf(number);
    if (!value || (relation[0] != '<' && relation[0] != '>') || relation.size() > 2) return false;
    const bool is_low = (relation[0] == '<') == is_before;
    (is_low ? interval.low : interval.high) = value;
    (is_low ? interval.has_low : interval.has_high) = relation.size() == 2;
    return true;
  };
  if (words.size() == 3 && words[0] == unknown && bound(words[1], words[2], false)) return interval;
  if (words.size() == 5 && words[2] == unknown && bound(words[1], words[0], true) && bound(words[3], words[4], false))
    return interval;
  return std::nullopt;
}

std::optional<std::string> DrawNumberLine(std::string_view problem, std::string_view answer) {
  constexpr std::string_view kSolve = "solve ";
  if (!answer.starts_with(kSolve) || answer.size() < 10 || answer[7] != ':') return std::nullopt;
  const std::string_view unknown = answer.substr(kSolve.size(), 1);
  const std::string_view whole = answer.substr(9);
  std::vector<Interval> intervals;
  for (std::size_t at = 0; at <= whole.size();) {
    const std::size_t end = std::min(whole.find(" or ", at), whole.size());
    const std::optional<Interval> interval = IntervalOf(whole.substr(at, end - at), unknown);
    if (!interval) return std::nullopt;
    intervals.push_back(*interval);
    at = end + 4;
  }
  std::vector<double> ends;
  for (const Interval& one : intervals) {
    if (one.low) ends.push_back(*one.low);
    if (one.high) ends.push_back(*one.high);
  }
  if (ends.empty() || ends.size() > kMaxEnds) return std::nullopt;
  const auto [least, greatest] = std::minmax_element(ends.begin(), ends.end());
  const double beside = std::max(kAround, *greatest - *least);
  const Window window{*least - beside, *greatest + beside, 0, 1};
  constexpr double kLineHeight = 100;
  const double y = kLineHeight / 2;
  std::string svg = BeginSvg(problem.starts_with(kSolve) ? problem.substr(9) : problem, whole, kWidth, kLineHeight);
  svg += SvgLine(kMargin, y, kWidth - kMargin, y, "stroke=\"#888\"");
  const double step = TickStep(window.x_high - window.x_low);
  for (double i = std::ceil(window.x_low / step); i * step <= window.x_high; ++i) {
    svg += SvgLine(window.X(i * step), y - 5, window.X(i * step), y + 5, "stroke=\"#888\"");
    svg += SvgLabel(window.X(i * step), y + 22, Shortened(i * step));
  }
  for (const Interval& one : intervals) {
    const double from = window.X(one.low.value_or(window.x_low));
    const double to = window.X(one.high.value_or(window.x_high));
    svg += SvgLine(from, y, to, y, "stroke=\"#1f5fa8\" stroke-width=\"5\"");
    const auto end = [&](const std::optional<double>& place, bool belongs) {
      if (!place) return;
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\" fill=\"{}\" stroke=\"#1f5fa8\" stroke-width=\"2\"/>\n",
                         window.X(*place), y, belongs ? "#1f5fa8" : "white");
    };
    end(one.low, one.has_low);
    end(one.high, one.has_high);
  }
  svg += SvgLabel(kWidth / 2, y - 24, whole);
  return svg + "</svg>\n";
}

}  // namespace

std::optional<std::string> DrawSolution(std::string_view problem, std::string_view answer) {
  if (std::optional<std::string> line = DrawNumberLine(problem, answer)) return line;
  return DrawCurves(problem);
}

}  // namespace conpole

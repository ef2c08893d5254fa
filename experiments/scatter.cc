#include "experiments/scatter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "cli/output.h"

namespace conpole::cli {
namespace {

constexpr double kWidth = 960;
constexpr double kHeight = 620;
// The frame that the points lie in.
constexpr double kLeft = 50;
constexpr double kTop = 56;
constexpr double kRight = 650;
constexpr double kBottom = 570;
constexpr double kLegendX = 668;
constexpr double kLegendStep = 24;

constexpr double kLargest = 12;  // radius
constexpr double kSmallest = 3;
constexpr double kMiddle = 6;  // of points where sizes mean nothing

// The colours of Okabe and Ito, which the colour-blind can tell apart too; their yellow is too pale on white.
constexpr std::array<std::string_view, 7> kColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#444444"};

// Text inside XML.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : Printable(text)) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '"')
      escaped += "&quot;";
    else
      escaped += c;
  }
  return escaped;
}

// A corner of a shape that is drawn with straight lines, for radius 1.
struct Corner {
  double x;
  double y;
};
using Shape = std::vector<Corner>;

// The first shape is a circle, which has no corners. All have about the area of the circle.
const std::array<Shape, 7>& Shapes() {
  static const std::array<Shape, 7> shapes{Shape{},
                                           Shape{{-0.89, -0.89}, {0.89, -0.89}, {0.89, 0.89}, {-0.89, 0.89}},
                                           Shape{{0, -1.4}, {1.25, 0.8}, {-1.25, 0.8}},
                                           Shape{{0, -1.3}, {1.2, 0}, {0, 1.3}, {-1.2, 0}},
                                           Shape{{0, 1.4}, {1.25, -0.8}, {-1.25, -0.8}},
                                           Shape{{-0.4, -1.2},
                                                 {0.4, -1.2},
                                                 {0.4, -0.4},
                                                 {1.2, -0.4},
                                                 {1.2, 0.4},
                                                 {0.4, 0.4},
                                                 {0.4, 1.2},
                                                 {-0.4, 1.2},
                                                 {-0.4, 0.4},
                                                 {-1.2, 0.4},
                                                 {-1.2, -0.4},
                                                 {-0.4, -0.4}},
                                           Shape{{0, -1.15}, {1.1, -0.36}, {0.68, 0.93}, {-0.68, 0.93}, {-1.1, -0.36}}};
  return shapes;
}

// A mark of a group at a place. Colours and shapes go round together, so that only the fiftieth group looks like the first.
std::string Mark(double x, double y, double radius, std::size_t group, bool is_hollow, const std::string& note) {
  const std::string_view colour = kColours[group % kColours.size()];
  const Shape& shape = Shapes()[(group + group / kColours.size()) % Shapes().size()];
  const std::string style = is_hollow
                                ? fmt::format(R"(fill="none" stroke="{}" stroke-width="1.5")", colour)
                                : fmt::format(R"(fill="{}" fill-opacity="0.7" stroke="#ffffff" stroke-width="0.7")", colour);
  const std::string inside = note.empty() ? "" : fmt::format("<title>{}</title>", Escaped(note));
  if (shape.empty()) {
    return fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="{:.1f}" {}>{}</circle>)", x, y, radius, style, inside) + "\n";
  }
  std::string corners;
  for (const Corner& corner : shape) corners += fmt::format("{:.1f},{:.1f} ", x + radius * corner.x, y + radius * corner.y);
  corners.pop_back();
  return fmt::format(R"(<polygon points="{}" {}>{}</polygon>)", corners, style, inside) + "\n";
}

std::string Text(double x, double y, std::string_view text, std::string_view more = {}) {
  return fmt::format(R"(<text x="{:.1f}" y="{:.1f}"{}{}>{}</text>)", x, y, more.empty() ? "" : " ", more, Escaped(text)) + "\n";
}

std::string Shortened(const std::string& text) {
  constexpr std::size_t kMost = 34;
  if (text.size() <= kMost) return text;
  std::size_t end = kMost - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // inside a UTF-8 sequence
  return text.substr(0, end) + "...";
}

class ScatterPicture {
 public:
  explicit ScatterPicture(const Scatter& scatter) : scatter_(scatter) {
    if (scatter.points.empty()) return;
    const auto range = [&](double ScatterPoint::*coordinate) {
      const auto [low, high] = std::minmax_element(scatter.points.begin(), scatter.points.end(),
                                                   [&](const auto& a, const auto& b) { return a.*coordinate < b.*coordinate; });
      return std::array<double, 2>{(*low).*coordinate, (*high).*coordinate};
    };
    const auto [left, right] = range(&ScatterPoint::x);
    const auto [bottom, top] = range(&ScatterPoint::y);
    constexpr double kRoom = 2 * kLargest;  // between the outermost points and the frame
    const double across = std::max(right - left, 1e-9);
    const double up = std::max(top - bottom, 1e-9);
    scale_ = std::min((kRight - kLeft - 2 * kRoom) / across, (kBottom - kTop - 2 * kRoom) / up);
    middle_x_ = (left + right) / 2;
    middle_y_ = (bottom + top) / 2;
    for (const ScatterPoint& point : scatter.points) greatest_ = std::max(greatest_, point.size.value_or(0));
  }

  std::string Draw() const {
    std::string svg = fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0:.0f} {1:.0f}" width="{0:.0f}" height="{1:.0f}" role="img")"
        R"( aria-labelledby="map-title map-description" font-family="DejaVu Sans, Verdana, sans-serif" font-size="13" fill="#222222">)",
        kWidth, kHeight);
    svg += fmt::format("\n<title id=\"map-title\">{}</title>\n<desc id=\"map-description\">{}</desc>\n",
                       Escaped(scatter_.title), Escaped(scatter_.description));
    svg += R"(<rect width="100%" height="100%" fill="#ffffff"/>)"
           "\n";
    svg += Text(kLeft, 34, scatter_.title, R"(font-size="18")");
    svg += fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" fill="none" stroke="#999999"/>)", kLeft, kTop,
                       kRight - kLeft, kBottom - kTop) +
           "\n";
    svg += Text((kLeft + kRight) / 2, kBottom + 30, scatter_.x_name, R"(text-anchor="middle")");
    const double middle = (kTop + kBottom) / 2;
    svg += Text(kLeft - 18, middle, scatter_.y_name,
                fmt::format(R"|(text-anchor="middle" transform="rotate(-90 {:.1f} {:.1f})")|", kLeft - 18, middle));
    svg += "<g>\n" + Points() + "</g>\n";
    svg += Legend();
    return svg + "</svg>\n";
  }

 private:
  double Radius(const std::optional<std::size_t>& size) const {
    if (scatter_.size_name.empty()) return kMiddle;
    if (!size || greatest_ == 0) return kSmallest;
    return std::max(kSmallest, kLargest * std::sqrt(static_cast<double>(*size) / static_cast<double>(greatest_)));
  }

  // Large ones first, so that they hide none.
  std::string Points() const {
    std::vector<const ScatterPoint*> order;
    for (const ScatterPoint& point : scatter_.points) order.push_back(&point);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return Radius(a->size) > Radius(b->size); });
    std::string marks;
    for (const ScatterPoint* const point : order) {
      const double x = (kLeft + kRight) / 2 + scale_ * (point->x - middle_x_);
      const double y = (kTop + kBottom) / 2 - scale_ * (point->y - middle_y_);
      const bool is_hollow = !scatter_.size_name.empty() && !point->size;
      marks += Mark(x, y, Radius(point->size), point->group, is_hollow, point->note);
    }
    return marks;
  }

  std::string Legend() const {
    std::string legend;
    double y = kTop + 12;
    if (scatter_.groups.size() > 1) {
      if (!scatter_.groups_name.empty()) {
        legend += Text(kLegendX, y, scatter_.groups_name, R"(font-weight="bold")");
        y += kLegendStep;
      }
      for (std::size_t group = 0; group < scatter_.groups.size(); ++group) {
        legend += Mark(kLegendX + 8, y - 4, kMiddle, group, false, "");
        legend += Text(kLegendX + 24, y, Shortened(scatter_.groups[group]));
        y += kLegendStep;
      }
      y += kLegendStep / 2;
    }
    if (scatter_.size_name.empty()) return legend;
    legend += Text(kLegendX, y, scatter_.size_name, R"(font-weight="bold")");
    std::set<std::size_t> sizes;
    for (const std::size_t part : {1U, 2U, 4U}) sizes.insert(std::max<std::size_t>(1, greatest_ / (4 / part)));
    for (const std::size_t size : sizes) {
      y += kLegendStep;
      legend += fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="{:.1f}" fill="#888888" fill-opacity="0.7"/>)", kLegendX + 8,
                            y - 4, Radius(size)) +
                "\n";
      legend += Text(kLegendX + 24, y, fmt::format("{}", size));
    }
    const bool any_without = std::any_of(scatter_.points.begin(), scatter_.points.end(), [](const auto& p) { return !p.size; });
    if (!any_without) return legend;
    y += kLegendStep;
    legend += fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="{:.1f}" fill="none" stroke="#888888" stroke-width="1.5"/>)",
                          kLegendX + 8, y - 4, kSmallest) +
              "\n";
    return legend + Text(kLegendX + 24, y, "not solved");
  }

  const Scatter& scatter_;
  double scale_ = 1;
  double middle_x_ = 0;
  double middle_y_ = 0;
  std::size_t greatest_ = 0;
};

}  // namespace

std::string DrawScatter(const Scatter& scatter) { return ScatterPicture(scatter).Draw(); }

}  // namespace conpole::cli

#include "notation/balance.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "notation/picture.h"
#include "notation/svg.h"

namespace conpole {
namespace {

constexpr double kPictureWidth = 480;
constexpr double kPanWidth = 180;
constexpr double kItem = 24;  // the side of what lies on a pan
constexpr std::int64_t kItemsInRow = 7;
constexpr double kBarWidth = 100;
constexpr double kBarHeight = 24;
constexpr std::int64_t kBarsInRow = 3;
constexpr std::int64_t kMostWholes = 6;
constexpr std::int64_t kMostParts = 48;
constexpr double kGap = 12;
constexpr std::string_view kInk = "stroke=\"#333\" stroke-width=\"2\"";

std::int64_t RowsOf(std::int64_t count, std::int64_t in_row) { return (count + in_row - 1) / in_row; }

std::int64_t ItemsOn(const BalancePicture::Pan& pan) { return pan.unknowns + pan.ones; }

// What lies on a pan, from its middle upwards: boxes with the letter, then ones.
std::string PanText(const BalancePicture::Pan& pan, const std::string& letter, double middle, double bottom) {
  std::string svg = SvgLine(middle - kPanWidth / 2, bottom, middle + kPanWidth / 2, bottom, kInk);
  for (std::int64_t i = 0; i < ItemsOn(pan); ++i) {
    const std::int64_t in_row = std::min(kItemsInRow, ItemsOn(pan) - i / kItemsInRow * kItemsInRow);
    const double x = middle + (static_cast<double>(i % kItemsInRow) - static_cast<double>(in_row - 1) / 2) * kItem;
    const double y = bottom - (static_cast<double>(i / kItemsInRow) + 0.5) * kItem;
    const bool is_unknown = i < pan.unknowns;
    svg += is_unknown
               ? fmt::format(
                     "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"20\" height=\"20\" rx=\"3\" fill=\"#dbe7f6\" "
                     "stroke=\"#1f5fa8\"/>\n",
                     x - 10, y - 10)
               : fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"10\" fill=\"#f6e3d3\" stroke=\"#b3510d\"/>\n", x, y);
    svg +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x, y + 4, is_unknown ? letter : "1");
  }
  return svg;
}

// Rows of pictures below each other, each with its line above it.
class Rows {
 public:
  void Add(const std::string& text, double height, const std::string& svg) {
    body_ += SvgLabel(kPictureWidth / 2, height_ + 18, text) +
             fmt::format("<g transform=\"translate(0 {:.1f})\">\n{}</g>\n", height_ + 28, svg);
    height_ += height + 28 + kGap;
    description_ += (description_.empty() ? "" : "; ") + text;
    if (title_.empty()) title_ = text;
  }
  std::string Take() const { return BeginSvg(title_, description_, kPictureWidth, height_) + body_ + "</svg>\n"; }

 private:
  std::string title_, description_, body_;
  double height_ = kGap;
};

// Wholes as bars, each divided into its parts; nothing if there are too many.
std::optional<std::string> BarsOf(const FractionsPicture::Term& term, double& height) {
  const std::int64_t above = std::max(term.numerator, -term.numerator);
  const std::int64_t wholes = std::max<std::int64_t>(1, RowsOf(above, term.denominator));
  if (wholes > kMostWholes || term.denominator > kMostParts) return std::nullopt;
  std::string svg;
  for (std::int64_t whole = 0; whole < wholes; ++whole) {
    const double x = 110 + static_cast<double>(whole % kBarsInRow) * (kBarWidth + kGap);
    const double y = height + static_cast<double>(whole / kBarsInRow) * (kBarHeight + kGap / 2);
    const std::int64_t filled = std::clamp<std::int64_t>(above - whole * term.denominator, 0, term.denominator);
    const double part = kBarWidth / static_cast<double>(term.denominator);
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{}\" fill=\"{}\"/>\n", x, y,
                       static_cast<double>(filled) * part, kBarHeight, term.numerator < 0 ? "#e2b48f" : "#8fb4e2");
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" fill=\"none\" {}/>\n", x, y, kBarWidth,
                       kBarHeight, kInk);
    for (std::int64_t line = 1; line < term.denominator; ++line) {
      svg += SvgLine(x + static_cast<double>(line) * part, y, x + static_cast<double>(line) * part, y + kBarHeight,
                     "stroke=\"#333\"");
    }
  }
  const std::string name =
      term.denominator == 1 ? fmt::to_string(term.numerator) : fmt::format("{}/{}", term.numerator, term.denominator);
  const std::string sign = term.sign == 0     ? ""
                           : term.sign == '*' ? "· "
                           : term.sign == '/' ? ": "
                                              : fmt::format("{} ", term.sign);
  svg += SvgLabel(98, height + kBarHeight - 7, sign + name, "end");
  height += static_cast<double>(RowsOf(wholes, kBarsInRow)) * (kBarHeight + kGap / 2);
  return svg;
}

}  // namespace

std::optional<std::string> DrawBalances(const std::vector<DrawnLine>& lines) {
  Rows rows;
  for (const DrawnLine& line : lines) {
    const std::optional<BalancePicture> balance = BalanceOf(line.formula);
    if (!balance && &line == &lines.front()) return std::nullopt;
    if (!balance) continue;
    const std::int64_t most = std::max({std::int64_t{1}, ItemsOn(balance->left), ItemsOn(balance->right)});
    const double bottom = static_cast<double>(RowsOf(most, kItemsInRow)) * kItem + 4;
    const double left = kPictureWidth / 4;
    const double right = kPictureWidth - left;
    std::string svg =
        PanText(balance->left, balance->unknown, left, bottom) + PanText(balance->right, balance->unknown, right, bottom);
    // Both pans hang at the same height: that is what the equation says.
    svg += SvgLine(left, bottom, left, bottom + 16, kInk) + SvgLine(right, bottom, right, bottom + 16, kInk);
    svg += SvgLine(left, bottom + 16, right, bottom + 16, kInk);
    svg += fmt::format("<path d=\"M{0:.1f} {1:.1f} l14 24 h-28 z\" fill=\"#333\"/>\n", kPictureWidth / 2, bottom + 16);
    rows.Add(line.text, bottom + 42, svg);
  }
  return lines.empty() ? std::nullopt : std::optional(rows.Take());
}

std::optional<std::string> DrawFractionBars(const std::vector<DrawnLine>& lines) {
  Rows rows;
  for (const DrawnLine& line : lines) {
    const std::optional<FractionsPicture> picture = FractionsOf(line.formula);
    std::string svg;
    double height = 0;
    bool fits = picture.has_value();
    for (std::size_t i = 0; fits && i < picture->terms.size(); ++i) {
      const std::optional<std::string> bars = BarsOf(picture->terms[i], height);
      fits = bars.has_value();
      if (bars) svg += *bars;
    }
    if (!fits && &line == &lines.front()) return std::nullopt;
    if (fits) rows.Add(line.text, height, svg);
  }
  return lines.empty() ? std::nullopt : std::optional(rows.Take());
}

}  // namespace conpole

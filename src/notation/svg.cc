#include "notation/svg.h"

#include <utility>

#include <fmt/format.h>

#include "util/text.h"

namespace conpole {
namespace {

std::string EscapedForSvg(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return escaped;
}

// As people write it, where a font has the letters.
std::string ShownInPicture(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
      {"<=", "≤"}, {">=", "≥"}, {"^2", "²"}, {"^3", "³"}, {" * ", " · "}};
  std::string shown(text);
  for (const auto& [plain, sign] : kSigns) shown = Replaced(std::move(shown), plain, sign);
  return shown;
}

}  // namespace

std::string BeginSvg(std::string_view title, std::string_view description, double width, double height) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
      "aria-labelledby=\"title description\" font-family=\"sans-serif\" font-size=\"14\">\n<title id=\"title\">{2}</title>\n"
      "<desc id=\"description\">{3}</desc>\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      width, height, EscapedForSvg(title), EscapedForSvg(description));
}

std::string SvgLine(double x1, double y1, double x2, double y2, std::string_view style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1, x2, y2, style);
}

std::string SvgLabel(double x, double y, std::string_view text, std::string_view anchor) {
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" stroke=\"white\" stroke-width=\"3\" "
      "paint-order=\"stroke\">{}</text>\n",
      x, y, anchor, EscapedForSvg(ShownInPicture(text)));
}

}  // namespace conpole

#include "notation/notation.h"

namespace conpole {

std::string EscapeLatex(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '\\':
        escaped += "\\textbackslash{}";
        break;
      case '^':
        escaped += "\\textasciicircum{}";
        break;
      case '~':
        escaped += "\\textasciitilde{}";
        break;
      default:
        if (std::string_view("{}_&%$#").find(c) != std::string_view::npos) escaped += '\\';
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace conpole

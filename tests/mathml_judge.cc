#include "tests/mathml_judge.h"

#include <array>
#include <utility>
#include <vector>

namespace conpole {
namespace {

struct Element {
  std::string name;
  std::vector<std::string> parts;  // in LaTeX
};

struct Spelling {
  std::string_view sign;
  std::string_view latex;
};

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string Joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

// Text between tags: no sign of markup but for the references that are used.
std::optional<std::string> Unescaped(std::string_view text) {
  constexpr std::array kReferences{Spelling{"&lt;", "<"}, Spelling{"&gt;", ">"}, Spelling{"&quot;", "\""},
                                   Spelling{"&amp;", "&"}};
  std::string plain;
  while (!text.empty()) {
    if (text.front() == '>' ||
        (static_cast<unsigned char>(text.front()) < 0x20 && text.front() != '\n' && text.front() != '\t')) {
      return std::nullopt;
    }
    if (text.front() != '&') {
      plain += text.front();
      text.remove_prefix(1);
      continue;
    }
    bool known = false;
    for (const Spelling& reference : kReferences) {
      if (!text.starts_with(reference.sign)) continue;
      plain += reference.latex;
      text.remove_prefix(reference.sign.size());
      known = true;
      break;
    }
    if (!known) return std::nullopt;
  }
  return plain;
}

std::optional<std::string> SignInLatex(std::string_view sign) {
  constexpr std::array kSigns{Spelling{"+", " + "},     Spelling{"−", " - "},      Spelling{"⋅", " \\cdot "},
                              Spelling{"\u2062", ""},   Spelling{"\u2064", ""},    Spelling{"÷", " \\div "},
                              Spelling{"/", "/"},       Spelling{"=", " = "},      Spelling{"≠", " \\neq "},
                              Spelling{"(", "\\left("}, Spelling{")", "\\right)"}, Spelling{";", "; "},
                              Spelling{",", ", "},      Spelling{"[", "["},        Spelling{"]", "]"},
                              Spelling{"<", " < "},     Spelling{">", " > "},      Spelling{"≤", " \\leq "},
                              Spelling{"≥", " \\geq "}, Spelling{"?", " ? "},      Spelling{"|", "|"}};
  for (const Spelling& known : kSigns) {
    if (known.sign == sign) return std::string(known.latex);
  }
  return std::nullopt;
}

bool IsLeaf(std::string_view name) { return name == "mn" || name == "mi" || name == "mo" || name == "mtext"; }

// What a complete element is in LaTeX.
std::optional<std::string> InLatex(const Element& element) {
  const std::string& name = element.name;
  const std::vector<std::string>& parts = element.parts;
  if (IsLeaf(name)) {
    if (parts.size() != 1 || parts[0].empty()) return std::nullopt;
    if (name == "mo") return SignInLatex(parts[0]);
    return name == "mtext" ? Replaced(parts[0], "\u00A0", " ") : parts[0];
  }
  const bool pair = name == "mfrac" || name == "msup" || name == "msub" || name == "mroot";
  const bool one = name == "math" || name == "msqrt";
  if ((pair && parts.size() != 2) || (one && parts.size() != 1) || parts.empty()) return std::nullopt;
  if (name == "mfrac") return "\\frac{" + parts[0] + "}{" + parts[1] + "}";
  if (name == "msup") return parts[0] + "^{" + parts[1] + "}";
  if (name == "msub") return parts[0] + "_{" + parts[1] + "}";
  if (name == "mroot") return "\\sqrt[" + parts[1] + "]{" + parts[0] + "}";
  if (name == "msqrt") return "\\sqrt{" + parts[0] + "}";
  if (name == "math" || name == "mrow") return Joined(parts);
  return std::nullopt;
}

// The name of a tag whose attributes are those that are used.
std::optional<std::string> NameOfTag(std::string_view tag) {
  if (tag == R"(math xmlns="http://www.w3.org/1998/Math/MathML" display="block")") return "math";
  if (tag == R"(mrow class="changed")") return "mrow";
  if (tag == R"(mo form="infix")") return "mo";
  for (const char c : tag) {
    if (c < 'a' || c > 'z') return std::nullopt;
  }
  return std::string(tag);
}

}  // namespace

std::optional<std::string> LatexFromMathml(std::string_view mathml) {
  std::vector<Element> open;
  std::optional<std::string> result;
  while (!mathml.empty()) {
    if (result) return std::nullopt;  // something after the end
    if (mathml.front() != '<') {
      const std::string_view text = mathml.substr(0, mathml.find('<'));
      if (open.empty() || !IsLeaf(open.back().name)) return std::nullopt;
      std::optional<std::string> plain = Unescaped(text);
      if (!plain) return std::nullopt;
      open.back().parts.push_back(std::move(*plain));
      mathml.remove_prefix(text.size());
      continue;
    }
    const std::size_t end = mathml.find('>');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view tag = mathml.substr(1, end - 1);
    mathml.remove_prefix(end + 1);
    if (!tag.starts_with('/')) {
      std::optional<std::string> name = NameOfTag(tag);
      if (!name || open.empty() != (*name == "math") || (!open.empty() && IsLeaf(open.back().name))) return std::nullopt;
      open.push_back({std::move(*name), {}});
      continue;
    }
    if (open.empty() || open.back().name != tag.substr(1)) return std::nullopt;
    std::optional<std::string> latex = InLatex(open.back());
    if (!latex) return std::nullopt;
    open.pop_back();
    if (open.empty()) {
      result = std::move(latex);
    } else {
      open.back().parts.push_back(std::move(*latex));
    }
  }
  return result;
}

}  // namespace conpole

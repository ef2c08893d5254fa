// The shapes that problems of the equations domain are drawn from. In a shape every number is a placeholder for a random
// one. Any thread may call these.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace conpole {

struct EquationTemplate {
  std::string equation;  // canonical text
  bool literal = false;  // taken as it stands, numbers included
};

// A few hundred shapes of linear equations; equation_templates.cc says how they are composed.
std::vector<EquationTemplate> BuiltInTemplates();

// One shape per line; a line that starts with ! is literal, empty lines are skipped. Throws Error, naming the line and the
// position, if one is not an equation, and if there is none at all. `source` is what error messages call the text.
std::vector<EquationTemplate> ParseTemplates(std::string_view text, std::string_view source);

// The same for a regular file of at most kMaxTemplateFileBytes.
inline constexpr std::size_t kMaxTemplateFileBytes = std::size_t{16} << 20;
std::vector<EquationTemplate> ReadTemplateFile(const std::string& path);

}  // namespace conpole

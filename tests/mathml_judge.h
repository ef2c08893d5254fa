// An independent reader of the MathML that the tutor writes. Any thread may call this.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace conpole {

// The LaTeX that draws the same, from which the tutor reads the line; nothing if the text is not one well-formed <math>
// element, or has an element or an attribute that the tutor does not use, or one with the wrong number of parts.
std::optional<std::string> LatexFromMathml(std::string_view mathml);

}  // namespace conpole

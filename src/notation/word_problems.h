// Problems in words whose words say exactly what to compute: "The sum of two numbers is fifteen. One number is three less than
// the other.", simple interest, a rectangle with its area. A story is read only if each of its numbers has its place in an
// equation or a formula, if there are as many equations as unknowns, and if it is clear what is asked for. Pure functions: any
// thread may call any of this.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace conpole {

// The exercise that a story means, as "solve x, y: x + y = 15; x = y - 3"; nothing if it is not surely understood.
std::optional<std::string> ReadWordProblem(std::string_view text);

}  // namespace conpole

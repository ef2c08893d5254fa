// Mathematics in sentences and lines for people has the signs that people write: √5, x ≠ 3 and 2 · 3, for sqrt(5), x != 3 and 2
// * 3. What programs read stays in ASCII. A pure function: any thread may call it.
#pragma once

#include <string>
#include <string_view>

namespace conpole {

// The root of one whole number needs no brackets then.
std::string WithSigns(std::string_view text);

}  // namespace conpole

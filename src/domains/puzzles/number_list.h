// The states of sorting that are written in numbers, since one of them is negative, has decimals or is too large for a bar:
// [3|-1|2.5]. A number has no zeros that are not needed. Any thread may call these.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "util/text.h"

namespace conpole {

// Whether a text is a list of numbers, if it is a state at all.
inline bool HasNumbers(std::string_view state) { return state.size() > 1 && (IsDigit(state[1]) || state[1] == '-'); }
// What Domain asks of a state, for these.
std::optional<Malformed> CheckNumbers(std::string_view state);
Status ExpandNumbers(std::string_view state, Labels labels, Successors& out);
bool AreNumbersInOrder(std::string_view state);
// For swapping items i and i + 1.
void AppendSwapLabel(std::size_t i, Successors& out);
// The list of bars that these numbers are; nothing if one cannot be a bar, or if they are too long together.
std::optional<std::string> BarsOf(const std::vector<std::string>& numbers);

}  // namespace conpole

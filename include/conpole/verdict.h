// Whether an answer is right. What cannot be told is neither right nor wrong, and is counted on its own.
#pragma once

#include <cstdint>

namespace conpole {

enum class Verdict : std::uint8_t { kRight, kWrong, kCannotTell };

}  // namespace conpole

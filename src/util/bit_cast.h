// std::bit_cast, which the standard library of Emscripten 3.1 lacks.
#pragma once

namespace conpole {

template <class To, class From>
[[gnu::always_inline]] constexpr To BitCast(const From& from) {
  return __builtin_bit_cast(To, from);
}

}  // namespace conpole

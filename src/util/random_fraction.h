// Random fractions. Pure functions of the generator's state.
#pragma once

#include "util/random.h"

namespace conpole {

// Uniform in [0, 1).
inline double RandomFraction(Random& random) { return static_cast<double>(random.Next64() >> 11) * 0x1p-53; }

}  // namespace conpole

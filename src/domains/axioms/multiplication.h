// multiplication: sums and products of multi-digit numbers, worked out by splitting numbers into digits.
#pragma once

#include "conpole/domain.h"

namespace conpole {

const DomainType& MultiplicationType();

}  // namespace conpole

// rubiks-cube: the 3x3x3 cube by quarter turns of its six faces.
#pragma once

#include "conpole/domain.h"

namespace conpole {

const DomainType& RubiksCubeType();

}  // namespace conpole

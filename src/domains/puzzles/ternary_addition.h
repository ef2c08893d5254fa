// ternary-addition: a sum of digits times powers of three, brought into the order of its powers with no power twice and no
// zero.
#pragma once

#include "conpole/domain.h"

namespace conpole {

const DomainType& TernaryAdditionType();

}  // namespace conpole

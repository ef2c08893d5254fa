// sorting: a list of bars to be sorted by length, by swapping neighbours or reversing the whole list.
#pragma once

#include "conpole/domain.h"

namespace conpole {

const DomainType& SortingType();

}  // namespace conpole

// sorting: a list of bars or numbers to be sorted, by swapping neighbours or reversing the whole list.
#pragma once

#include "conpole/domain.h"

namespace conpole {

const DomainType& SortingType();

}  // namespace conpole

// algebra: equations in one unknown and number expressions, solved in steps of the size that a person writes as one line. What
// states look like stands in algebra_text.h, what the steps are in algebra_actions.h, the problems in algebra_problems.h.
// Numbers have any size up to a limit, so listing successors allocates memory, unlike in the other domains.
#pragma once

#include "conpole/domain.h"

namespace conpole {

const DomainType& AlgebraType();

}  // namespace conpole

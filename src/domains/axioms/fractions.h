// fractions: one operation on two fractions or numbers, brought to a number or a fraction in lowest terms.
#pragma once

#include "conpole/domain.h"

namespace conpole {

const DomainType& FractionsType();

}  // namespace conpole

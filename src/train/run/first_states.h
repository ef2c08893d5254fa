// What a run can see of a domain's texts before it begins: the states of its first problems, and a few steps from them. The
// same for the same domain and problems, on every rank.
#pragma once

#include <string>

#include "conpole/domain.h"
#include "util/seed_range.h"

namespace conpole {

// Whether no two states that a run is likely to meet first look alike without their spaces, and some have any.
bool MeansTheSameWithoutSpaces(const Domain& domain, const SeedRange& problems);

// The signs outside printable ASCII that states have, as Architecture::alphabet (nn/alphabet.h): those that are met first, and
// of a domain file all that it can write.
std::string AlphabetOf(const Domain& domain, const SeedRange& problems);

}  // namespace conpole

// What a run can see of a domain's texts before it begins: the states of its first problems, and a few steps from them. The
// same for the same domain and problems, on every rank.
#pragma once

#include <string>
#include <vector>

#include "conpole/domain.h"
#include "util/seed_range.h"

namespace conpole {

using Domains = std::vector<const Domain*>;

// Whether no two states of a domain that a run is likely to meet first look alike without their spaces, and some have any.
bool MeansTheSameWithoutSpaces(const Domains& domains, const SeedRange& problems);

// The signs outside printable ASCII that states have, as Architecture::alphabet (nn/alphabet.h): those that are met first, and
// of a domain file all that it can write.
std::string AlphabetOf(const Domains& domains, const SeedRange& problems);

}  // namespace conpole

// Problems made easier, knowing nothing but how to read them: parts of a text are left out, and what is left is a problem if
// the domain says so. A function of its arguments; any thread may call it.
#pragma once

#include <cstddef>
#include <string>

#include "conpole/domain.h"
#include "util/random.h"

namespace conpole {

// A problem of at most `size` characters, or as short as could be found within some tries, made of `problem`: what stands in
// brackets gives way to a part of it, such as (2 * (x + 3)) to (x + 3), words inside brackets are left out, and numbers lose
// digits. A problem with letters keeps some, since an
// equation without its unknown is none, and it is not solved. `problem` itself if it is short enough.
std::string SimplifiedProblem(const Domain& domain, const std::string& problem, std::size_t size, Random& random);

}  // namespace conpole

// The places of a domain file's states, for larger steps: the positions that labels have as paths. One thread at a time uses
// an object; it keeps the file.
#pragma once

#include <memory>

#include "domains/axioms/places.h"
#include "domains/files/domain_file.h"

namespace conpole {

// Null if labels have no positions: for layouts.
std::unique_ptr<Places> MakeFilePlaces(std::shared_ptr<const DomainFile> file);

}  // namespace conpole

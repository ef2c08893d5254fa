// Reading unsigned decimal integers, with the error that terms report. Any thread may call this.
#pragma once

#include <cstdint>

#include "domains/axioms/term.h"

namespace conpole {

// Reads digits from `at`, of which there must be at least one. Returns the address past them, or nullptr and an error if there
// is none or the value does not fit into 64 bits with its sign.
const char* ReadInteger(const char* at, const char* end, std::int64_t& value, TermError& error);

}  // namespace conpole

// Ctrl-C and SIGTERM as a flag that long work looks at, so that it can stop cleanly and say what was done.
#pragma once

#include <atomic>

namespace conpole {

// From the first call on, SIGINT and SIGTERM set the flag instead of ending the program; a second signal ends it at once.
const std::atomic<bool>& InterruptFlag();

}  // namespace conpole

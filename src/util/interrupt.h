// Ctrl-C and SIGTERM as a flag that long work looks at, so that it can stop cleanly and say what was done.
#pragma once

#include <atomic>

namespace conpole {

// How long the program may take to stop. Some senders signal twice at once (a process and its group), so only a signal that
// comes later than this ends the program on the spot.
inline constexpr int kSecondsToStop = 1;

// From the first call on, SIGINT and SIGTERM set the flag instead of ending the program.
const std::atomic<bool>& InterruptFlag();

}  // namespace conpole

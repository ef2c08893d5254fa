// The signals that ask a program to end (Ctrl-C, SIGTERM, and SIGHUP of a terminal that is closed) as a flag that long work
// looks at, so that it can stop cleanly and say what was done. Any thread may look at the flag.
#pragma once

#include <atomic>

namespace conpole {

// How long the program may take to stop. Some senders signal twice at once (a process and its group), so only a signal that
// comes later than this ends the program on the spot.
inline constexpr int kSecondsToStop = 1;

// From the first call on, SIGINT, SIGTERM and SIGHUP set the flag instead of ending the program. A SIGHUP that was ignored
// before, as nohup has it, stays ignored.
const std::atomic<bool>& InterruptFlag();

}  // namespace conpole

// The other processes that a command works with, as torchrun, Slurm or a script started them (train/ranks/rank_place.h). For
// the main thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "train/ranks/ranks.h"

namespace conpole::cli {

// The device that stands for any GPU as the one of this process's own; others stay as they are. After RequireTorch.
std::string OwnDevice(const std::string& device);

// Calls `work` with the ranks that there are, after meeting the others, and returns what it returns; a process on its own has
// just itself. If something goes wrong on one of several ranks, this tells the others, says it on standard error, and ends the
// process with the status of bad input.
int WithRanks(const std::function<int(Ranks& ranks)>& work);

// Of things that ranks take in turn, those of this rank: their numbers.
std::vector<std::size_t> OwnShare(const Ranks& ranks, std::size_t count);

}  // namespace conpole::cli

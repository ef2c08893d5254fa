// Ranks (train/ranks/ranks.h) in processes of their own, connected by LibTorch's c10d: Gloo between processors, and NCCL for
// gradients on GPUs where this build has it and every rank has a GPU of its own.
//
// Each rank says through the store, about ten times per RankPlace::silence_seconds, that it is alive, and watches the next one;
// one that falls silent, and one that failed, is named to all. A process whose rank waits for a lost one ends within seconds
// after that. Threads: see train/ranks/ranks.h.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "train/ranks/rank_place.h"
#include "train/ranks/ranks.h"

namespace conpole {

struct ProcessGroupOptions {
  // Called by a thread of the group when a rank is lost and this one waits for it in vain, so that the process is to end. It
  // does not return.
  std::function<void(const std::string& message)> lost;
};

// Meets the other ranks. Throws Error if they do not come, which says who is missing, or if this build has no Gloo. The group
// must not be destroyed after something went wrong: the process is to end.
std::unique_ptr<Ranks> JoinProcessGroup(const RankPlace& place, const ProcessGroupOptions& options);

// "cuda" as the GPU of this process's own: ranks of a machine take its GPUs in turn. Other devices stay as they are.
std::string DeviceOfRank(const std::string& device, const RankPlace& place);

// Of this build.
std::string LibTorchVersion();

// Whether this build can connect processes, and by what: "gloo, nccl", for example; empty if it cannot.
std::string ProcessGroupBackends();

}  // namespace conpole

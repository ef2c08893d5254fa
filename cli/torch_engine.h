// What needs LibTorch. Loading it takes longer than most commands, so the program conpole does without: when a command turns
// out to need it, conpole-torch, the same program linked with LibTorch, takes over with the same arguments.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "conpole/fixed_layout.h"
#include "conpole/packed_policy.h"
#include "conpole/scorer.h"
#include "nn/model.h"
#include "train/loop/learner.h"
#include "train/loop/packed_learner.h"
#include "train/ranks/rank_place.h"
#include "train/ranks/ranks.h"

namespace conpole::cli {

// To be called before all else, with the arguments of main.
void RememberArguments(char** arguments);

// Returns in conpole-torch. In conpole it does not: conpole-torch begins anew. Throws Error if it was not built.
void RequireTorch();

// All are there only after RequireTorch. They throw Error if the device is not there.
std::unique_ptr<Scorer> MakeTorchScorer(const Model& model, const std::string& device);
std::unique_ptr<PackedPolicy> MakeTorchPackedPolicy(const Model& model, const FixedLayout& layout, const std::string& device);
std::unique_ptr<Learner> MakeLearner(const Model& model, const LearnerOptions& options, const std::string& device);
std::unique_ptr<PackedLearner> MakePackedLearner(const Architecture& architecture, const FixedLayout& layout,
                                                 const PackedLearnerOptions& options, const std::string& device);
// Meets the other ranks: torch/process_group.h. `lost` ends the process.
std::unique_ptr<Ranks> JoinRanks(const RankPlace& place, std::function<void(const std::string& message)> lost);
// "cuda" as the GPU of this process's own.
std::string DeviceOfRank(const std::string& device, const RankPlace& place);
// cuda if there is a GPU that LibTorch can use, else cpu.
std::string BestDevice();
// LibTorch's version; empty without it.
std::string TorchVersion();

}  // namespace conpole::cli

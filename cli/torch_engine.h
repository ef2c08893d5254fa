// What needs LibTorch. Loading it takes longer than most commands, so the program conpole does without: when a command turns
// out to need it, conpole-torch, the same program linked with LibTorch, takes over with the same arguments.
#pragma once

#include <memory>
#include <string>

#include "conpole/fixed_layout.h"
#include "conpole/packed_policy.h"
#include "conpole/scorer.h"
#include "nn/model.h"
#include "train/learner.h"
#include "train/packed_learner.h"

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

}  // namespace conpole::cli

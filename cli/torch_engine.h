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

// All of these throw Error if the device is not there.
class TorchEngine {
 public:
  virtual ~TorchEngine() = default;

  virtual std::unique_ptr<Scorer> MakeScorer(const Model& model, const std::string& device) const = 0;
  virtual std::unique_ptr<PackedPolicy> MakePackedPolicy(const Model& model, const FixedLayout& layout,
                                                         const std::string& device) const = 0;
  virtual std::unique_ptr<Learner> MakeLearner(const Model& model, const LearnerOptions& options,
                                               const std::string& device) const = 0;
  virtual std::unique_ptr<PackedLearner> MakePackedLearner(const Architecture& architecture, const FixedLayout& layout,
                                                           const PackedLearnerOptions& options,
                                                           const std::string& device) const = 0;
  // Meets the other ranks: torch/process_group.h. `lost` ends the process.
  virtual std::unique_ptr<Ranks> JoinRanks(const RankPlace& place,
                                           std::function<void(const std::string& message)> lost) const = 0;
  // "cuda" as the GPU of this process's own.
  virtual std::string DeviceOfRank(const std::string& device, const RankPlace& place) const = 0;
  // LibTorch's version.
  virtual std::string Version() const = 0;
};

// The device that training is on unless it is told: a GPU if there is one and conpole-torch is there for it, else cpu.
std::string BestDevice();

// Returns in conpole-torch. In conpole it does not: conpole-torch begins anew. Throws Error if it was not built.
const TorchEngine& RequireTorch();

}  // namespace conpole::cli

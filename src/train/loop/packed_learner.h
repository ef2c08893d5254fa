// The seam between training over packed states (conpole/fixed_layout.h) and the network that learns: what train/loop/learner.h
// is for agents that search texts. The network gives every action of a state a log-preference and learns, by cross-entropy, to
// prefer one of them: InfoNCE over the successors of a state. Which one that is comes from reversed walks
// (train/loop/walk_trainer.h), where it undoes the last step, or from searches (train/loop/packed_search_trainer.h), where it
// leads to a solution. With the head "actions+value" it also learns from walks how far a state is: the root of the length of
// the walk, or, where walks say so (WalkBatch::looks_ahead), of one more than the number of moves of its best successor by a
// slow copy of the network. A learner is used by one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/fixed_layout.h"
#include "conpole/packed_policy.h"
#include "nn/model.h"
#include "train/loop/walks.h"

namespace conpole {

// States, one after the other, and for each the action to be preferred.
struct PackedExamples {
  std::vector<std::uint8_t> states;
  std::vector<std::uint8_t> actions;
};

struct PackedLearnerOptions {
  std::uint64_t seed = 1;  // of the first weights
  double weight_decay = 1e-4;
  double clip = 1;        // of the gradient's norm
  double average = 1e-3;  // the part of the way that the averaged weights go towards the weights after each gradient step
  double smoothing = 0;   // the part of the target that is spread evenly over all actions
  // How much the lengths of walks count beside their steps, for networks that say how far states are.
  double value_weight = 0.1;
  std::size_t threads = 0;
};

// Every method throws Diverged (train/loop/learner.h) once it notices; Weights and Save always do.
class PackedLearner {
 public:
  virtual ~PackedLearner() = default;

  // Begins with the weights of a model of its architecture instead of random ones. Only before the first gradient step.
  virtual void Begin(const Tensors& weights) = 0;
  // Takes one gradient step on the part of the walks' states that they say, or on all examples, of which there is at least one.
  virtual void Learn(const WalkBatch& walks, double learning_rate) = 0;
  virtual void Learn(const PackedExamples& examples, double learning_rate) = 0;
  // The mean loss of the gradient steps since the last call; not a number if there were none. Waits for the device.
  virtual double TakeLoss() = 0;

  // What was learned so far: the averaged weights, as a model has them.
  virtual Tensors Weights() const = 0;
  // The policy that these are, on the learner's device.
  virtual std::unique_ptr<PackedPolicy> Policy() const = 0;
  // Everything to go on from later: plain numbers. Restore throws Error if the bytes are not such a state.
  virtual std::string Save() const = 0;
  virtual void Restore(std::string_view bytes) = 0;
};

// How a run gets its learner; `device` is cpu, cuda or cuda:N. Throws Error if the device is not there.
using PackedLearnerFactory =
    std::function<std::unique_ptr<PackedLearner>(const Architecture& architecture, const FixedLayout& layout,
                                                 const PackedLearnerOptions& options, const std::string& device)>;

}  // namespace conpole

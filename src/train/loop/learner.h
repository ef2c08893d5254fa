// The seam between training and the network that learns: the only part of training that needs LibTorch is behind it. A learner
// is used by one thread at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "conpole/error.h"
#include "conpole/scorer.h"
#include "nn/model.h"
#include "train/loop/training_batch.h"

namespace conpole {

class Ranks;

// What the targets of a batch mean, and how far the scores are from them. With x the score of a pair and t its target:
enum class Loss : std::uint8_t {
  kContrastive,  // t is how much the pair is to be preferred to the others of its example; InfoNCE if one t is 1, the others 0
  kBinary,       // t in [0, 1] is what sigmoid(x) should be: cross-entropy, for odds, and for values of a discounted reward
  kSquared,      // t is what x should be: half the square of the difference
};

// A slow copy of the network, for targets that do not run after themselves. It begins as a copy of the first weights.
struct TargetNetwork {
  std::size_t every = 0;  // gradient steps after which it takes over the weights; 0 for never
  double average = 0;     // the part of the way that it goes towards the weights after each gradient step

  bool is_used() const { return every != 0 || average != 0; }
};

struct LearnerOptions {
  Loss loss = Loss::kContrastive;
  TargetNetwork target = {};
  double weight_decay = 0.01;
  double clip = 1;          // of the gradient's norm
  std::size_t threads = 0;  // on the CPU; 0 for one per core
  // Those that take every gradient step together, each with a part of its examples; null for a learner on its own. It must
  // outlive the learner.
  Ranks* ranks = nullptr;
};

// A loss, a weight or a score is not finite any more. What was learned is of no use from then on.
class Diverged : public Error {
 public:
  using Error::Error;
};

// Every method throws Diverged once it notices; Weights and Save always do.
class Learner {
 public:
  virtual ~Learner() = default;

  // Scores with the weights as of the last Refresh: search must not see a policy that changes under it. Once `stop` is set, if
  // it is given, it may return early, and the scores mean nothing.
  virtual void Score(const ScoreBatch& batch, std::span<float> scores, const std::atomic<bool>* stop) = 0;
  // The same with the slow copy. Only if there is one.
  virtual void ScoreBySlowCopy(const ScoreBatch& batch, std::span<float> scores, const std::atomic<bool>* stop) = 0;
  // Takes one gradient step. Where there are other ranks, all take it together, and one may have no examples.
  virtual void Learn(const TrainingBatch& batch, double learning_rate) = 0;
  // The same. While it waits for other ranks it may call `meanwhile`, which may score, again and again as long as that returns
  // true.
  virtual void LearnMeanwhile(const TrainingBatch& batch, double learning_rate, const std::function<bool()>& /*meanwhile*/) {
    Learn(batch, learning_rate);
  }
  // Lets search use what was learned.
  virtual void Refresh() = 0;
  // The mean loss of the gradient steps since the last call; not a number if there were none.
  virtual double TakeLoss() = 0;

  // How many characters of what it learned from its network does not know.
  virtual std::uint64_t unknown_characters() const { return 0; }

  // What was learned so far: the policy's weights. Empty if the network is of no kind that models can have.
  virtual Tensors Weights() const = 0;
  // Of this, what scores depend on: the same bytes for the same weights.
  virtual std::string SaveForScoring() const { return Save(); }
  // Weights and the state of the optimiser, to go on from later: plain numbers. Restore throws Error if the bytes are not such
  // a state.
  virtual std::string Save() const = 0;
  virtual void Restore(std::string_view bytes) = 0;
};

// How a run gets its learner, which begins with the weights of `model`; `device` is cpu, cuda or cuda:N. Throws Error if the
// device is not there.
using LearnerFactory =
    std::function<std::unique_ptr<Learner>(const Model& model, const LearnerOptions& options, const std::string& device)>;

}  // namespace conpole

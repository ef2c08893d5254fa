// The training loop. Two groups of problems take turns, so that the network scores one while the processor works on the other:
//   1. wait for the scores of the group whose turn it is,
//   2. let its searches go on (Select, Expand), keep what the solved ones teach, start new problems,
//   3. give its candidates to the network to score,
//   4. give the network the gradient steps that are due, and refresh the policy that search uses,
//   5. evaluate, report and write a checkpoint when it is time.
// What the network does, and in which order, depends on nothing but the options: on a CPU, with one thread, two runs are equal.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "conpole/search.h"
#include "search/lockstep.h"
#include "train/agent.h"
#include "train/checkpoint.h"
#include "train/curriculum.h"
#include "train/device_queue.h"
#include "train/learner.h"
#include "train/options.h"
#include "train/replay.h"
#include "util/thread_pool.h"

namespace conpole {

// How greedy rollouts did on a range of seeds.
struct Evaluation {
  double success = 0;   // share of problems that were solved
  double verified = 0;  // share whose answer is right, too
};

// Where the time of a run went, in seconds. The first three are the processor's, the next two the network's, which works at the
// same time; idle is what the network waited.
struct TimeSpent {
  double expand = 0;
  double select = 0;
  double prepare = 0;  // collecting candidates and gradient steps
  double encode = 0;
  double learn = 0;
  double evaluate = 0;
  double idle = 0;
};

struct TrainStatus {
  std::uint64_t steps = 0;  // environment steps: states whose successors were listed
  std::uint64_t problems = 0;
  std::uint64_t solved = 0;
  std::uint64_t gradient_steps = 0;
  std::uint64_t strings_scored = 0;
  std::uint64_t strings_learned = 0;
  double seconds = 0;      // of all parts of the run
  double solved_rate = 0;  // of the latest problems
  std::size_t depth_limit = 0;
  double solution_length = 0;  // of the latest solutions, on average
  std::size_t easiest_of = 0;
  std::size_t replay_examples = 0;
  double loss = 0;  // since the last evaluation
  double learning_rate = 0;
  Evaluation evaluation;  // the last
  Evaluation validation;
  std::uint64_t best_steps = 0;
  double best_validation = -1;
  TimeSpent time;
};

struct TrainCallbacks {
  // What happens: now and then, and after every evaluation.
  std::function<void(const TrainStatus&)> show = [](const TrainStatus&) {};
  std::function<void(const TrainStatus&)> evaluated = [](const TrainStatus&) {};
  // The policy that did best on the validation seeds so far.
  std::function<void(const TrainStatus&, const Tensors&)> improved = [](const TrainStatus&, const Tensors&) {};
  // Whether an answer is right, for the share that is verified.
  std::function<bool(const std::string& problem, const std::string& answer)> verify = [](const auto&, const auto&) {
    return true;
  };
};

class Trainer {
 public:
  // Everything given by reference must outlive the trainer. Throws Error if an option makes no sense.
  Trainer(const Domain& domain, const Agent& agent, Learner& learner, const TrainOptions& options, TrainCallbacks callbacks);

  // Goes on from a checkpoint. Throws Error if it is not one of such a run.
  void Restore(const std::map<std::string, std::string>& sections);

  // Trains until all steps are done, `stop` is set or the minutes are over, and writes checkpoints. Returns whether all steps
  // are done.
  bool Run(const std::atomic<bool>& stop, const CheckpointFolder& checkpoints);

  const TrainStatus& status() const { return status_; }

 private:
  using Clock = std::chrono::steady_clock;

  struct Group {
    LockstepGroup searches;
    std::future<void> scored;
    std::future<void> learned;
  };

  void TakeTurn(Group& group);
  void Keep(const GuidedSearch& search);
  void PostScores(Group& group);
  void PostGradientSteps(Group& group);
  TrainingBatch MakeBatch(std::uint64_t gradient_step) const;
  double LearningRate() const;
  void Evaluate();
  void WriteCheckpoint(const CheckpointFolder& checkpoints);
  void UpdateStatus();
  // Has the network's thread do something, and counts the time.
  std::future<void> PostTimed(double TimeSpent::*counter, std::function<void()> work);
  bool IsBootstrapping() const { return status_.solved < options_.bootstrap; }

  const Domain& domain_;
  const Agent& agent_;
  Learner& learner_;
  TrainOptions options_;
  TrainCallbacks callbacks_;
  ThreadPool pool_;
  Curriculum curriculum_;
  ReplayBuffer replay_;
  std::unique_ptr<Scorer> random_scorer_;
  TrainStatus status_;
  double gradient_steps_due_ = 0;
  std::uint64_t next_evaluation_ = 0;
  const std::atomic<bool>* stop_ = nullptr;
  double earlier_seconds_ = 0;  // of the parts of the run before this one
  Clock::time_point began_;
  std::mutex network_mutex_;
  TimeSpent network_time_;                // guarded by network_mutex_
  Clock::time_point network_free_since_;  // guarded by network_mutex_
  std::array<Group, 2> groups_;
  DeviceQueue network_;  // last: its thread uses the others
};

}  // namespace conpole

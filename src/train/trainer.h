// The training loop. Two groups of problems take turns, so that the network scores one while the processor works on the other:
//   1. wait for the scores of the group whose turn it is,
//   2. let its searches go on (Select, Expand), keep what those that have ended teach, start new problems,
//   3. give its candidates to the network to score,
//   4. give the network the gradient steps that are due, each after its targets are made; then search may use what was learned,
//   5. evaluate, report and write a checkpoint when it is time.
// Agents that learn in the end take all their gradient steps then, and are evaluated once.
// What the network does, and in which order, depends on nothing but the options: on a CPU, with one thread, two runs are equal.
// One thread calls all methods of a trainer; it has a thread of its own for the network, and others for searches.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "conpole/search.h"
#include "conpole/verdict.h"
#include "search/lockstep.h"
#include "train/agent.h"
#include "train/checkpoint.h"
#include "train/curriculum.h"
#include "train/device_queue.h"
#include "train/learner.h"
#include "train/options.h"
#include "train/replay.h"
#include "train/training_loop.h"
#include "util/thread_pool.h"

namespace conpole {

// How greedy rollouts did on a range of seeds, as shares of its problems.
struct Evaluation {
  double success = 0;  // solved
  double right = 0;    // solved, and the answer is known to be right
  double wrong = 0;    // solved, and the answer is known to be wrong

  // What a policy is judged by: what it solved, less what is known to be wrong.
  double good() const { return success - wrong; }
  // `right`, or not a number if nothing could be told about any answer.
  double verified() const;
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
  std::int64_t level = 0;            // of the domain's parameter that grows; 0 if none does
  std::size_t size_limit = 0;        // characters that problems are simplified to; 0 if they are not
  std::size_t failures_waiting = 0;  // problems that are to be tried again
  std::uint64_t solved_later = 0;    // problems that were solved when they were tried again
  std::size_t replay_examples = 0;
  double loss = std::numeric_limits<double>::quiet_NaN();  // between the last two evaluations
  double learning_rate = 0;
  std::optional<Evaluation> evaluation;  // the last
  std::optional<Evaluation> validation;
  std::uint64_t evaluated_steps = 0;  // where that was
  std::uint64_t best_steps = 0;
  std::optional<double> best_validation;  // Evaluation::good() of the best policy
  TimeSpent time;
};

struct TrainCallbacks {
  // About once a second, and after every evaluation.
  std::function<void(const TrainStatus&)> show = [](const TrainStatus&) {};
  std::function<void(const TrainStatus&)> evaluated = [](const TrainStatus&) {};
  // The policy that did best on the validation seeds so far.
  std::function<void(const TrainStatus&, const Tensors&)> improved = [](const TrainStatus&, const Tensors&) {};
  // Whether an answer is right. Without a verifier nothing can be told.
  std::function<Verdict(const std::string& problem, const std::string& answer)> verify = [](const auto&, const auto&) {
    return Verdict::kCannotTell;
  };
  // Further sections of every checkpoint.
  std::vector<CheckpointSection> sections;
};

class Trainer final : public TrainingLoop {
 public:
  // Everything given by reference must outlive the trainer. The options are in their ranges (CheckSettings).
  Trainer(const Domain& domain, const Agent& agent, Learner& learner, const TrainOptions& options, TrainCallbacks callbacks);

  void Restore(const std::map<std::string, std::string>& sections) override;

  bool Run(const std::atomic<bool>& stop, const CheckpointFolder& checkpoints) override;

  void WriteCheckpoint(const CheckpointFolder& checkpoints) override;

  const TrainStatus& status() const override { return status_; }
  Tensors Weights() override { return learner_.Weights(); }

 private:
  using Clock = std::chrono::steady_clock;

  struct Group {
    LockstepGroup searches;
    std::map<std::size_t, Curriculum::Task> tasks;  // of the searches, by their tags
    std::future<void> scored;
    std::future<void> learned;
  };

  void TakeTurn(Group& group);
  // Goes on until no search is left, so that a checkpoint has all that there is to know.
  void FinishSearches();
  // Whether a run that is killed and resumed equals one that never was.
  bool resumes_exactly() const { return options_.checkpoint_minutes == 0; }
  void TakeLesson(const Curriculum::Task& task, const GuidedSearch& search);
  void PostScores(Group& group);
  void PostGradientSteps(Group& group);
  TrainingBatch MakeBatch(std::uint64_t gradient_step) const;
  // Has the network take gradient steps on `count` new batches, so many on each.
  std::future<void> PostBatches(std::size_t count, std::size_t per_batch);
  void TakeGradientSteps(std::vector<TrainingBatch>& batches, std::size_t per_batch, double rate);
  // Some of the gradient steps of agents that learn once all environment steps are done.
  void LearnAtEnd();
  bool HasToLearnAtEnd() const { return agent_.gradient_steps_at_end() != 0 && IsBootstrapping() && replay_.size() != 0; }
  void TakeBackGradientStepsLeftOut();
  // Whether all targets are there; not if training is to stop.
  bool SetTargets(TrainingBatch& batch);
  double LearningRate() const;
  // Whether it came to its end; not if training is to stop.
  bool Evaluate();
  std::optional<std::vector<SearchResult>> SolveGreedily(const std::vector<std::string>& problems);
  void UpdateStatus();
  // Has the network's thread do something, and adds the time to a counter.
  std::future<void> PostTimed(double TimeSpent::*counter, std::function<void()> work);
  // Whether the network does not count yet.
  bool IsBootstrapping() const;
  // Whether searches are not guided by the network: it does not count yet, or it led to nothing.
  bool SearchesByChance() const { return IsBootstrapping() || status_.solved < by_chance_until_; }

  const Domain& domain_;
  const Agent& agent_;
  Learner& learner_;
  TrainOptions options_;
  TrainCallbacks callbacks_;
  ThreadPool pool_;
  Curriculum curriculum_;
  ReplayBuffer replay_;
  std::unique_ptr<Scorer> chance_scorer_;
  TrainStatus status_;
  // A policy that solves nothing earns no gradient steps, and would stay as it is. So when nothing is solved for long, searches
  // go by chance until this many problems are solved.
  std::uint64_t by_chance_until_ = 0;
  double gradient_steps_due_ = 0;
  std::size_t begun_ = 0;  // searches; says the tag of the next
  std::uint64_t next_evaluation_ = 0;
  const std::atomic<bool>* stop_ = nullptr;
  bool is_finishing_ = false;                               // no new problems are begun
  std::atomic<std::uint64_t> gradient_steps_left_out_ = 0;  // since training is to stop
  double earlier_seconds_ = 0;                              // of the parts of the run before this one
  Clock::time_point began_;
  std::mutex network_mutex_;
  TimeSpent network_time_;                // guarded by network_mutex_
  Clock::time_point network_free_since_;  // guarded by network_mutex_
  std::vector<Group> groups_;             // two, while it runs
  DeviceQueue network_;                   // last: its thread uses the others
};

}  // namespace conpole

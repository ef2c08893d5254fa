// What a training run (train/run/run.h) needs of a loop that learns, and what all loops have in common: how far they are, when
// and how they are evaluated and which policy was the best, and what a checkpoint has of that. There is the loop of agents that
// search texts (train/loop/trainer.h), of one domain or several, and those over packed states (train/loop/packed_trainer.h).
// One thread calls all methods.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <ratio>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "conpole/verdict.h"
#include "domains/axioms/abstractions.h"
#include "nn/model.h"
#include "train/loop/curriculum.h"
#include "train/loop/schedule.h"
#include "train/ranks/ranks.h"
#include "train/run/checkpoint.h"
#include "train/run/options.h"
#include "util/random.h"
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

// How a run does in one of its domains.
struct DomainStatus {
  std::string name;         // of the domain
  std::uint64_t steps = 0;  // environment steps: states whose successors were listed
  std::uint64_t problems = 0;
  std::uint64_t solved = 0;
  double solved_rate = 0;  // of the latest problems
  std::size_t depth_limit = 0;
  double solution_length = 0;  // of the latest solutions, on average
  std::size_t easiest_of = 0;
  std::int64_t level = 0;                // of the domain's parameter that grows; 0 if none does
  std::size_t size_limit = 0;            // characters that problems are simplified to; 0 if they are not
  std::size_t abstracted = 0;            // how often abstractions were looked for
  std::optional<Evaluation> evaluation;  // the last
  std::optional<Evaluation> validation;
  // The same by axioms alone, where some of the problems are searched so.
  std::optional<Evaluation> axioms_evaluation;
  std::optional<Evaluation> axioms_validation;
  std::optional<double> best_validation;  // what the best policy was worth

  // What the last policy was worth: Evaluation::good(); with the axioms' validation, the mean.
  double worth() const { return axioms_validation ? (validation->good() + axioms_validation->good()) / 2 : validation->good(); }
};

// Of several domains it has sums of what is counted, the means of shares and lengths, and the largest of limits.
struct TrainStatus : DomainStatus {
  std::uint64_t gradient_steps = 0;
  std::uint64_t strings_scored = 0;
  std::uint64_t strings_learned = 0;
  double seconds = 0;  // of all parts of the run
  double seconds_left = std::numeric_limits<double>::quiet_NaN();
  std::size_t replay_examples = 0;
  double loss = std::numeric_limits<double>::quiet_NaN();  // between the last two evaluations
  double learning_rate = 0;
  std::uint64_t evaluated_steps = 0;  // where the last evaluation was
  std::uint64_t best_steps = 0;
  TimeSpent time;                     // of this rank
  std::vector<DomainStatus> domains;  // in their order; loops over packed states have evaluations of theirs and no more
  // Of runs on several ranks.
  std::vector<double> seconds_waited;  // by rank: the slowest one waits least
  std::uint64_t weights_differed = 0;  // evaluations at which ranks had other weights than the first one, and took its
};

// A problem that was tried lately.
struct TriedProblem {
  std::string domain;  // its name
  std::string problem;
  std::vector<std::string> solution;  // its states; empty if none was found
};

struct TrainCallbacks {
  // About once a second, and after every evaluation.
  std::function<void(const TrainStatus&)> show = [](const TrainStatus&) {};
  std::function<void(const TrainStatus&)> evaluated = [](const TrainStatus&) {};
  // Something that whoever watches should know.
  std::function<void(const std::string& message)> say = [](const std::string&) {};
  // Called for some of the problems that were tried; null if nobody wants to know.
  std::function<void(const TriedProblem&)> tried;
  // The policy that did best on the validation seeds so far.
  std::function<void(const TrainStatus&, const Tensors&)> improved = [](const TrainStatus&, const Tensors&) {};
  // The domains without any abstractions, which must outlive the trainer. Needed where some of the problems are searched so.
  std::vector<const Domain*> axioms;
  // Whether an answer is right. Without a verifier nothing can be told.
  std::function<Verdict(const Domain& domain, const std::string& problem, const std::string& answer)> verify =
      [](const auto&...) { return Verdict::kCannotTell; };
  // The domain of this number with these as actions. It replaces the one that the trainer was given, and stays until the next
  // is asked for. Needed where options say when to look for abstractions.
  std::function<const Domain&(std::size_t domain, const AbstractionSet& abstractions)> take_abstractions;
  // Further sections of every checkpoint.
  std::vector<CheckpointSection> sections;
};

class TrainingLoop {
 public:
  virtual ~TrainingLoop() = default;

  // Goes on from a checkpoint. Throws Error if it is not one of such a run.
  void Restore(const std::map<std::string, std::string>& sections);

  // Trains until the run is over (schedule.h) or `stop` is set, and writes checkpoints, the last one at the end unless all was
  // done before, or checkpoints are for evaluations only. Returns whether all is done and evaluated. Throws Diverged, and
  // leaves the last checkpoint as it is, when what was learned is not finite any more.
  virtual bool Run(const std::atomic<bool>& stop, const CheckpointFolder& checkpoints) = 0;

  virtual void WriteCheckpoint(const CheckpointFolder& checkpoints) = 0;

  const TrainStatus& status() const { return status_; }
  // What was learned so far.
  virtual Tensors Weights() = 0;

 protected:
  using Clock = std::chrono::steady_clock;

  // Everything given by reference, and the domains, must outlive the loop.
  TrainingLoop(std::vector<const Domain*> domains, const TrainOptions& options, TrainCallbacks callbacks, Ranks& ranks);

  // Begins a part of the run. `stop` interrupts this process.
  void Begin(const std::atomic<bool>& stop);
  static double MinutesSince(Clock::time_point begin) {
    return std::chrono::duration<double, std::ratio<60>>(Clock::now() - begin).count();
  }
  // The part of the run that is done, from 0 to 1.
  virtual double PartDone() const { return schedule_.PartDone(status_.steps, status_.seconds); }
  // The learning rate now: half a cosine over the run, after a warm-up.
  double LearningRate() const;
  // The most steps of a greedy solution, where nearly all solutions have up to this many.
  std::size_t EvaluationSteps(double usual_length) const;

  // Brings what is known elsewhere into the status: here the time, and what is shown of the curricula of the domains.
  virtual void UpdateStatus();
  void ShowCurricula(std::span<const Curriculum* const> curricula);
  // Does something together with the other ranks.
  virtual void DoTogether(const std::function<void()>& work) { work(); }

  bool IsEvaluationDue() const { return status_.steps >= next_evaluation_; }
  void PlanNextEvaluation();
  // Lets this policy try the seeds of evaluation and validation, of which ranks take some each, and keeps in the status how it
  // did. A solution has at most as many steps as `max_steps` says for its domain. False if one of them was interrupted; then
  // nothing is kept.
  bool TryPolicy(Scorer& scorer, std::span<const std::size_t> max_steps);
  // Says how it did, and whether it is the best so far. Of equally good policies the one that has learned longer is.
  void ReportEvaluation();
  // Does something if the run stands still, given what its policy is worth.
  void LookAtProgress(double validation);
  // How hard the problems have become; any number that grows.
  virtual std::uint64_t Level() const { return 0; }
  // The run stands still. What is done about it, in words.
  virtual std::string LeavePlateau() { return "there is nothing to be done about it"; }

  // Writes what all loops know, `more` of the trainer's state, what was learned and sections of this rank's own.
  void WriteSections(const CheckpointFolder& checkpoints, const nlohmann::json& more, const std::string& learned,
                     const std::vector<CheckpointSection>& own);
  // Takes it again. Throws std::out_of_range if a section is missing.
  virtual void RestoreMore(const nlohmann::json& state, const std::map<std::string, std::string>& sections) = 0;

  std::vector<const Domain*> domains_;
  TrainOptions options_;
  TrainCallbacks callbacks_;
  Ranks& ranks_;
  ThreadPool pool_;
  TrainStatus status_;
  Schedule schedule_;
  const std::atomic<bool>* interrupted_ = nullptr;  // null until it begins
  Clock::time_point began_;

 private:
  std::optional<std::vector<Evaluation>> EvaluateIn(const Domain& domain, Scorer& scorer, std::size_t max_steps);

  std::uint64_t next_evaluation_ = 0;
  double earlier_seconds_ = 0;  // of the parts of the run before this one
};

// What belongs to the domain of this number is called so in checkpoints; to the first one, what it was always called.
std::string Numbered(const std::string& name, std::size_t domain);

// Streams of random numbers, each a function of the run's seed and a counter, so that there is no state to be saved.
enum class RandomStream : std::uint64_t {
  kLesson = 1,
  kBatch = 2,
  kSearch = 3,
  kRank = 5,
  kExample = 6,
  kBatchOrder = 7,
};
std::uint64_t SeedOf(std::uint64_t seed, RandomStream stream, std::uint64_t counter);
inline Random RandomOf(std::uint64_t seed, RandomStream stream, std::uint64_t counter) {
  return Random(SeedOf(seed, stream, counter));
}

// Throws Diverged unless all are finite: others cannot be compared, so that no search may see them.
void CheckScores(std::span<const float> scores);

}  // namespace conpole

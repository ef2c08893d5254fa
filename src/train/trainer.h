// The training loop. Two groups of problems take turns, so that the network scores one while the processor works on the other:
//   1. wait for the scores of the group whose turn it is,
//   2. let its searches go on (Select, Expand), keep what those that have ended teach, start new problems,
//   3. give its candidates to the network to score,
//   4. give the network the gradient steps that are due, each after its targets are made; then search may use what was learned,
//   5. evaluate, report and write a checkpoint when it is time.
// When it is time for abstractions, all searches are ended, what recurs in the latest solutions becomes actions of the domain,
// and the loop goes on with that.
// Agents that learn in the end take all their gradient steps then, and are evaluated once.
// What the network does, and in which order, depends on nothing but the options: on a CPU, with one thread, two runs are equal.
//
// Several ranks (train/ranks.h) share a run: all search problems of their own and take every gradient step together, or the
// last ones, the actors, only search and send what they learn from to the others. What is counted is agreed on: each rank
// reports after its turn, through the network's thread, and what all reported counts when it is that group's turn again. So all
// know the same at the same point of the loop, and do the same. Ranks that search and learn take the gradient steps of a turn
// (4) together with the next one's scores (3), which are of the policy before: they score while they wait. One thread calls all
// methods of a trainer; it has a thread of its own for the network, and others for searches.
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
#include <ratio>
#include <span>
#include <string>
#include <string_view>
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
#include "train/latest_solutions.h"
#include "train/learner.h"
#include "train/options.h"
#include "train/ranks.h"
#include "train/replay.h"
#include "train/training_loop.h"
#include "train/turn_report.h"
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
  std::size_t abstracted = 0;        // how often abstractions were looked for
  std::size_t replay_examples = 0;
  double loss = std::numeric_limits<double>::quiet_NaN();  // between the last two evaluations
  double learning_rate = 0;
  std::optional<Evaluation> evaluation;  // the last
  std::optional<Evaluation> validation;
  // The same by axioms alone, where some of the problems are searched so.
  std::optional<Evaluation> axioms_evaluation;
  std::optional<Evaluation> axioms_validation;
  std::uint64_t evaluated_steps = 0;  // where that was
  std::uint64_t best_steps = 0;
  std::optional<double> best_validation;  // Evaluation::good() of the best policy; with the axioms' validation, the mean
  TimeSpent time;                         // of this rank
  // Of runs on several ranks.
  std::vector<double> seconds_waited;  // by rank: the slowest one waits least
  double weights_age = 0;              // in gradient steps, of the weights that actors searched with, on average
  std::uint64_t weights_age_max = 0;
  std::uint64_t weights_differed = 0;  // evaluations at which ranks had other weights than the first one, and took its
};

struct TrainCallbacks {
  // About once a second, and after every evaluation.
  std::function<void(const TrainStatus&)> show = [](const TrainStatus&) {};
  std::function<void(const TrainStatus&)> evaluated = [](const TrainStatus&) {};
  // The policy that did best on the validation seeds so far.
  std::function<void(const TrainStatus&, const Tensors&)> improved = [](const TrainStatus&, const Tensors&) {};
  // The domain without any abstractions, which must outlive the trainer. Needed where some of the problems are searched so.
  const Domain* axioms = nullptr;
  // Whether an answer is right. Without a verifier nothing can be told.
  std::function<Verdict(const std::string& problem, const std::string& answer)> verify = [](const auto&, const auto&) {
    return Verdict::kCannotTell;
  };
  // Sequences of axioms that recur in solutions of the domain as it is now, as text; empty if none is worth it. Needed, as the
  // next, where options say when to look for them.
  std::function<std::string(const Domain& domain, std::span<const LatestSolutions::Path> solutions)> find_abstractions;
  // The domain that has these as actions. It replaces the one that the trainer was given, and stays until the next is asked
  // for.
  std::function<const Domain&(const std::string& abstractions)> take_abstractions;
  // Further sections of every checkpoint.
  std::vector<CheckpointSection> sections;
};

class Trainer final : public TrainingLoop {
 public:
  // Everything given by reference must outlive the trainer. The options are in their ranges (CheckSettings), and the same on
  // all ranks, of which there are more than actors. Those that learn do so with learners that take gradient steps together.
  Trainer(const Domain& domain, const Agent& agent, Learner& learner, const TrainOptions& options, TrainCallbacks callbacks,
          Ranks& ranks = SingleRank());

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
    // Of several ranks:
    std::future<void> reported;              // has begun, or with actors is done
    std::function<std::string()> exchanged;  // waits for the reports of all ranks
    std::vector<TurnReport> reports;
    std::vector<std::string> lessons;  // that came with them
    std::uint64_t searches_left = 0;   // of all ranks
  };

  // Gradient steps that were decided on.
  struct Learning {
    std::shared_ptr<std::vector<TrainingBatch>> batches;
    std::size_t per_batch = 1;  // steps on each
    double rate = 0;
  };
  // Candidates that are scored piece by piece between other things.
  class PieceworkScores;

  ReplayBuffer EmptyReplay() const;
  void MakeGroups();
  void TakeTurn(Group& group);
  // Goes on until no search is left, so that a checkpoint has all that there is to know.
  void FinishSearches();
  // Whether a run that is killed and resumed equals one that never was.
  bool resumes_exactly() const { return options_.checkpoint_minutes == 0; }
  const Domain& DomainOf(const Curriculum::Task& task) const { return task.axioms_alone ? *callbacks_.axioms : *domain_; }
  void TakeLesson(const Curriculum::Task& task, const GuidedSearch& search);
  void Count(const TurnReport::Outcome& outcome);
  // Of several ranks: tells the others about this turn, and counts what all said about the one before.
  void PostReport(Group& group);
  void TakeReports(Group& group);
  void ReadReports(Group& group);
  // Gives actors the weights as they are now.
  void PostWeights();
  // What is under way in the network's thread, and what all ranks reported.
  void Drain();
  // Does something together with the other ranks, after all that the network's thread has to do.
  void DoTogether(const std::function<void()>& work);
  bool AreSearchesLeft() const;
  bool AreAbstractionsDue() const;
  // Looks for what recurs in solutions, and goes on with that as actions.
  void TakeAbstractions();
  void AgreeOnWhatIsDue();
  void HoldTheSameWeights();
  bool IsTimeOver() const;
  bool WantsCheckpoint() const;
  static double MinutesSince(Clock::time_point begin) {
    return std::chrono::duration<double, std::ratio<60>>(Clock::now() - begin).count();
  }
  // Whether gradient steps that were given to the network's thread are to be left out.
  bool learning_stop() const { return ranks_.is_alone() && *stop_; }
  void RestoreOwn(const std::map<std::string, std::string>& sections);
  void RestoreSolutions(const std::map<std::string, std::string>& sections);
  void Deal(std::span<const std::string_view> parts);
  void PostScores(Group& group);
  void PostGradientSteps(Group& group);
  // The experiences of so many batches that come next, those of the first one first.
  std::vector<std::size_t> DrawExperiences(std::size_t batches, std::size_t per_batch) const;
  TrainingBatch MakeBatch(std::span<const std::size_t> experiences, Random random) const;
  // Gradient steps on `count` new batches, so many on each, and the network's thread with them.
  Learning MakeLearning(std::size_t count, std::size_t per_batch);
  std::future<void> PostLearning(const Learning& learning);
  // Ranks that search and learn take the gradient steps of one turn while they score the next one's candidates: while one waits
  // for the others' gradients, it scores. This is for when there are no such candidates.
  void PostWaitingLearning();
  bool LearnsWhileScoring() const { return !ranks_.is_alone() && options_.actors == 0; }
  void TakeGradientSteps(const Learning& learning, PieceworkScores* scores);
  // Some of the gradient steps of agents that learn once all environment steps are done.
  void LearnAtEnd();
  bool HasToLearnAtEnd() const { return agent_.gradient_steps_at_end() != 0 && IsBootstrapping() && HasExperiences(); }
  bool HasExperiences() const { return ranks_.is_alone() ? replay_.size() != 0 : experiences_ != 0; }
  void TakeBackGradientStepsLeftOut();
  // Whether all targets are there; not if training is to stop.
  bool SetTargets(TrainingBatch& batch);
  double LearningRate() const;
  // Whether it came to its end; not if training is to stop.
  bool Evaluate();
  std::optional<std::vector<SearchResult>> SolveGreedily(const Domain& domain, const std::vector<std::string>& problems);
  // Greedy rollouts on each range of seeds. Nothing if training is to stop.
  std::optional<std::vector<Evaluation>> EvaluateIn(const Domain& domain, std::span<const SeedRange> ranges);
  void UpdateStatus();
  // Has the network's thread do something, and adds the time to a counter.
  std::future<void> PostTimed(double TimeSpent::*counter, std::function<void()> work);
  // Whether the network does not count yet.
  bool IsBootstrapping() const;
  // Whether searches are not guided by the network: it does not count yet, or it led to nothing.
  bool SearchesByChance() const { return IsBootstrapping() || status_.solved < by_chance_until_; }

  const Domain* domain_;
  const Agent& agent_;
  Learner& learner_;
  TrainOptions options_;
  TrainCallbacks callbacks_;
  Ranks& ranks_;
  std::size_t learners_;     // ranks that learn: the first ones
  bool searches_;            // this rank does
  bool learns_;              // likewise
  std::size_t group_size_;   // searches of a group on this rank
  std::size_t report_size_;  // bytes
  std::size_t batch_;        // examples of this rank in a gradient step
  std::uint64_t own_seed_;   // of this rank's random numbers
  ThreadPool pool_;
  Curriculum curriculum_;
  ReplayBuffer replay_;
  LatestSolutions solutions_;  // of this rank, while abstractions are still to be found
  std::unique_ptr<Scorer> chance_scorer_;
  TrainStatus status_;
  std::uint64_t lessons_ = 0;      // searches of this rank that have ended
  std::uint64_t turns_ = 0;        // of this process
  std::uint64_t experiences_ = 0;  // of all ranks
  TurnReport report_;              // of this turn so far
  ReplayBuffer outbox_;            // what an actor has to send
  std::future<void> weights_posted_;
  std::uint64_t weights_given_ = 0;  // to actors: those after so many gradient steps
  std::uint64_t ages_ = 0;           // how often the age was looked at since the last evaluation
  double sum_of_ages_ = 0;
  // A policy that solves nothing earns no gradient steps, and would stay as it is. So when nothing is solved for long, searches
  // go by chance until this many problems are solved.
  std::uint64_t by_chance_until_ = 0;
  double gradient_steps_due_ = 0;
  std::optional<Learning> waiting_learning_;  // counted, and not given to the network's thread yet
  std::future<void> waited_learning_;         // what of it was
  std::size_t begun_ = 0;                     // searches; says the tag of the next
  std::uint64_t next_evaluation_ = 0;
  const std::atomic<bool>* stop_ = nullptr;         // of several ranks: what all agreed on
  const std::atomic<bool>* interrupted_ = nullptr;  // this process
  std::atomic<bool> agreed_stop_ = false;
  std::atomic<bool> never_ = false;
  bool time_is_over_ = false;
  bool checkpoint_is_due_ = false;
  bool checkpoint_was_asked_for_ = false;
  Clock::time_point last_checkpoint_;
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

// The training loop. Two groups of problems take turns, so that the network scores one while the processor works on the other:
//   1. wait for the scores of the group whose turn it is,
//   2. let its searches go on (Select, Expand), keep what those that have ended teach, start new problems,
//   3. give its candidates to the network to score,
//   4. give the network the gradient steps that are due, each after its targets are made; then search may use what was learned,
//   5. evaluate, report and write a checkpoint when it is time.
// Of several domains, which one network learns, each has two groups, a curriculum and a memory of its own, and as large a part
// of every gradient step as the others. When it is time for abstractions, all searches are ended, what recurs in the latest
// solutions becomes actions of the domain, and the loop goes on with that. Agents that learn in the end take all their gradient
// steps then, and are evaluated once. What the network does, and in which order, depends on nothing but the options: on a CPU,
// with one thread, two runs are equal.
//
// Several ranks (train/ranks/ranks.h) share a run: all search problems of their own and take every gradient step together. What
// is counted is agreed on: each rank reports after its turn, through the network's thread, and what all reported counts when it
// is that group's turn again. So all know the same at the same point of the loop, and do the same. Ranks take the gradient
// steps of a turn (4) together with the next one's scores (3), which are of the policy before: they score while they wait. One
// thread calls all methods of a trainer; it has a thread of its own for the network, and others for searches.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "search/lockstep.h"
#include "train/agents/agent.h"
#include "train/loop/curriculum.h"
#include "train/loop/device_queue.h"
#include "train/loop/learner.h"
#include "train/loop/replay.h"
#include "train/loop/training_loop.h"
#include "train/ranks/ranks.h"
#include "train/ranks/turn_report.h"
#include "util/random.h"

namespace conpole {

class Trainer final : public TrainingLoop {
 public:
  // Everything given by reference, and the domains, must outlive the trainer. The options are in their ranges (CheckSettings),
  // and the same on all ranks, whose learners take gradient steps together.
  Trainer(const std::vector<const Domain*>& domains, const Agent& agent, Learner& learner, const TrainOptions& options,
          TrainCallbacks callbacks, Ranks& ranks = SingleRank());

  bool Run(const std::atomic<bool>& stop, const CheckpointFolder& checkpoints) override;

  void WriteCheckpoint(const CheckpointFolder& checkpoints) override;

  Tensors Weights() override;

 private:
  using SolutionPath = std::vector<std::string>;  // the states, from the problem to the answer

  // What this rank does of the run.
  struct Share {
    Share(const TrainOptions& options, std::size_t domains, const Ranks& ranks);

    std::size_t group_size;   // searches of a group
    std::size_t report_size;  // bytes
    std::size_t batch;        // examples in a gradient step
    std::uint64_t seed;       // of its random numbers
  };

  // What all ranks agreed on, and what the first one wants them to.
  struct Agreed {
    std::atomic<bool> stop = false;
    bool time_is_over = false;
    bool checkpoint_is_due = false;
    bool checkpoint_was_asked_for = false;
  };

  // What there is once for each domain.
  struct Course {
    Course(const TrainOptions& options, const Ranks& ranks);

    Curriculum curriculum;
    ReplayBuffer replay;
    std::deque<SolutionPath> solutions;  // the latest of this rank, the oldest first, where abstractions are looked for
    std::uint64_t experiences = 0;       // of all ranks
    // A policy that solves nothing earns no gradient steps, and would stay as it is. So when nothing is solved for long,
    // searches go by chance until this many problems are solved.
    std::uint64_t by_chance_until = 0;
  };

  struct Group {
    std::size_t course;  // whose problems these are
    LockstepGroup searches;
    std::map<std::size_t, Curriculum::Task> tasks;  // of the searches, by their tags
    std::future<void> scored;
    std::future<void> learned;
    // Of several ranks:
    std::future<void> reported;              // has begun
    std::function<std::string()> exchanged;  // waits for the reports of all ranks
    std::uint64_t searches_left = 0;         // of all ranks
  };

  // Gradient steps that were decided on.
  struct Learning {
    std::shared_ptr<std::vector<TrainingBatch>> batches;
    std::size_t per_batch = 1;  // steps on each
    double rate = 0;
  };
  // Candidates that are scored piece by piece between other things.
  class PieceworkScores;

  static ReplayBuffer EmptyReplay(const TrainOptions& options, const Ranks& ranks);
  void MakeGroups();
  void TakeTurn(Group& group);
  // Goes on until no search is left, so that a checkpoint has all that there is to know.
  void FinishSearches();
  // Whether a run that is killed and resumed equals one that never was.
  bool resumes_exactly() const { return options_.checkpoint_minutes == 0; }
  const Domain& DomainOf(const Group& group, const Curriculum::Task& task) const {
    return *(task.axioms_alone ? callbacks_.axioms : domains_)[group.course];
  }
  void TakeLesson(const Group& group, const Curriculum::Task& task, const GuidedSearch& search);
  void CountSteps(const Group& group, std::uint64_t steps, double earned);
  void Count(const Group& group, const TurnReport::Outcome& outcome);
  // Of several ranks: tells the others about this turn, and counts what all said about the one before.
  void PostReport(Group& group);
  void TakeReports(Group& group);
  // What is under way in the network's thread, and what all ranks reported.
  void Drain();
  // After all that the network's thread has to do.
  void DoTogether(const std::function<void()>& work) override;
  bool AreSearchesLeft() const;
  bool LooksForAbstractions() const { return !options_.abstract_at.empty(); }
  bool AreAbstractionsDue(std::size_t course) const;
  // Looks for what recurs in solutions, and goes on with that as actions.
  void TakeAbstractions(std::size_t course);
  void AgreeOnWhatIsDue();
  void HoldTheSameWeights();
  bool WantsCheckpoint() const;
  // Whether gradient steps that were given to the network's thread are to be left out.
  bool learning_stop() const { return ranks_.is_alone() && *stop_; }
  void RestoreMore(const nlohmann::json& state, const std::map<std::string, std::string>& sections) override;
  void RestoreOwn(std::size_t index, const std::map<std::string, std::string>& sections);
  void KeepSolution(Course& course, const SolutionPath& path) const;
  void RestoreSolutions(std::size_t course, const std::map<std::string, std::string>& sections);
  void Deal(std::span<const std::string_view> parts, ReplayBuffer& replay) const;
  void PostScores(Group& group);
  void PostGradientSteps(Group& group);
  struct Drawn {
    const ReplayBuffer* replay;
    std::size_t index;
  };
  // The experiences of the next `batches` batches, those of the first one first.
  std::vector<Drawn> DrawExperiences(std::size_t batches, std::size_t per_batch) const;
  TrainingBatch MakeBatch(std::span<const Drawn> experiences, Random random) const;
  // Gradient steps on `count` new batches, `per_batch` on each, and the network's thread with them.
  Learning MakeLearning(std::size_t count, std::size_t per_batch);
  std::future<void> PostLearning(const Learning& learning);
  // Of several ranks: each takes the gradient steps of one turn while it scores the next one's candidates: while one waits
  // for the others' gradients, it scores. This is for when there are no such candidates.
  void PostWaitingLearning();
  void TakeGradientSteps(const Learning& learning, PieceworkScores* scores);
  // Some of the gradient steps of agents that learn once all environment steps are done.
  void LearnAtEnd();
  bool HasToLearnAtEnd() const { return agent_.gradient_steps_at_end() != 0 && IsBootstrapping() && Experiences() != 0; }
  std::uint64_t Experiences() const;
  void TakeBackGradientStepsLeftOut();
  // Whether all targets are there; not if training is to stop.
  bool SetTargets(TrainingBatch& batch);
  // Whether it came to its end; not if training is to stop.
  bool Evaluate();
  void UpdateStatus() override;
  double PartDone() const override;
  bool IsTimeOver() const { return options_.seconds != 0 && status_.seconds >= options_.seconds; }
  std::uint64_t Level() const override;
  std::string LeavePlateau() override;
  // Whether the network does not count yet: in a domain, or in any.
  bool IsBootstrapping(std::size_t course) const;
  bool IsBootstrapping() const;
  // Whether searches are not guided by the network: it does not count yet, or it led to nothing.
  bool SearchesByChance(std::size_t course) const {
    return IsBootstrapping(course) || status_.domains[course].solved < courses_[course].by_chance_until;
  }

  const Agent& agent_;
  Learner& learner_;
  const Share share_;
  std::vector<Course> courses_;  // as many as there are domains
  std::unique_ptr<Scorer> chance_scorer_;
  std::uint64_t lessons_ = 0;  // searches of this rank that have ended
  TurnReport report_;          // of this turn so far
  double gradient_steps_due_ = 0;
  std::optional<Learning> waiting_learning_;  // counted, and not given to the network's thread yet
  std::future<void> waited_learning_;         // what of it was
  std::size_t begun_ = 0;                     // searches; says the tag of the next
  const std::atomic<bool>* stop_ = nullptr;   // of several ranks: what all agreed on
  Agreed agreed_;
  Clock::time_point last_checkpoint_;
  bool is_finishing_ = false;                               // no new problems are begun
  std::atomic<std::uint64_t> gradient_steps_left_out_ = 0;  // since training is to stop
  std::vector<Group> groups_;                               // two for each domain, while it runs
  DeviceQueue network_;                                     // last: its thread uses the others
};

}  // namespace conpole

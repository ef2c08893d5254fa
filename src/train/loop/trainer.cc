#include "train/loop/trainer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "domains/axioms/abstraction_mining.h"
#include "search/scorers.h"
#include "util/checksum.h"
#include "util/hash.h"
#include "util/random.h"
#include "util/stopwatch.h"

namespace conpole {
namespace {

constexpr std::size_t kGroups = 2;

// Problems that are evaluated at the same time. More would only take more memory.
constexpr std::size_t kEvaluatedAtOnce = 4096;

// In one turn; the rest waits for the next ones, so that search and an interruption do not wait for long.
constexpr std::size_t kMaxGradientSteps = 32;

// Scored by a thread while gradients of other ranks are waited for, before it looks whether they are there: a fraction of a
// millisecond's work for a small network, and as many texts as one pass takes.
constexpr std::size_t kPairsAtATime = 32;

// Sequences are looked for in this many solutions, and not before that many problems are solved.
constexpr std::size_t kSolutionsKept = 1000;
constexpr std::uint64_t kSolutionsNeeded = 200;
// Nor if so much of the validation problems is solved.
constexpr double kNearlySolved = 0.97;
constexpr std::size_t kActionsMade = 16;

constexpr std::uint64_t kTriedShownEvery = 16;

// The learner as evaluation sees it.
class LearnerScorer final : public Scorer {
 public:
  LearnerScorer(Learner& learner, ScoreMeaning meaning, DeviceQueue& network, const std::atomic<bool>& stop)
      : learner_(learner), meaning_(meaning), network_(network), stop_(stop) {}

  ScoreMeaning meaning() const override { return meaning_; }
  std::size_t ProblemsInFlight() const override { return kEvaluatedAtOnce; }
  void Score(const ScoreBatch& batch, std::span<float> scores) override {
    network_.Do([&] { learner_.Score(batch, scores, &stop_); });
    if (stop_) {
      std::fill(scores.begin(), scores.end(), 0.0F);  // they mean nothing, and the search is over
    } else {
      CheckScores(scores);
    }
  }

 private:
  Learner& learner_;
  ScoreMeaning meaning_;
  DeviceQueue& network_;
  const std::atomic<bool>& stop_;
};

}  // namespace

class Trainer::PieceworkScores {
 public:
  PieceworkScores(Learner& learner, const ScoreBatch& batch, std::span<float> scores, const std::atomic<bool>* stop)
      : learner_(learner), batch_(batch), scores_(scores), stop_(stop) {}

  // Returns whether there are more.
  bool ScoreSome(std::size_t pairs) {
    const std::size_t count = std::min(pairs, batch_.pairs.size() - scored_);
    if (count != 0) {
      const ScopeTimer timer(seconds_);
      learner_.Score({batch_.texts, batch_.hashes, batch_.pairs.subspan(scored_, count)}, scores_.subspan(scored_, count),
                     stop_);
      scored_ += count;
    }
    return scored_ < batch_.pairs.size();
  }
  void ScoreRest() { ScoreSome(batch_.pairs.size()); }

  double seconds() const { return seconds_; }

 private:
  Learner& learner_;
  ScoreBatch batch_;
  std::span<float> scores_;
  const std::atomic<bool>* stop_;
  std::size_t scored_ = 0;  // pairs
  double seconds_ = 0;
};

Trainer::Share::Share(const TrainOptions& options, std::size_t domains, const Ranks& ranks)
    : group_size(std::max<std::size_t>(1, options.in_flight / (kGroups * domains * ranks.size()))),
      report_size(TurnReport::BytesFor(group_size)),
      batch(ranks.ShareOf(options.batch)),
      seed(ranks.is_first() ? options.seed : SeedOf(options.seed, RandomStream::kRank, ranks.rank())) {}

Trainer::Course::Course(const TrainOptions& options, const Ranks& ranks)
    : curriculum(options), replay(EmptyReplay(options, ranks)) {
  curriculum.TakeShare(ranks.rank(), ranks.size());
}

Trainer::Trainer(const std::vector<const Domain*>& domains, const Agent& agent, Learner& learner, const TrainOptions& options,
                 TrainCallbacks callbacks, Ranks& ranks)
    : TrainingLoop(domains, options, std::move(callbacks), ranks),
      agent_(agent),
      learner_(learner),
      share_(options, domains.size(), ranks),
      chance_scorer_(MakeRandomScorer(share_.seed)) {
  for (std::size_t i = 0; i < domains.size(); ++i) courses_.emplace_back(options, ranks);
}

ReplayBuffer Trainer::EmptyReplay(const TrainOptions& options, const Ranks& ranks) {
  return ReplayBuffer((options.replay + ranks.size() - 1) / ranks.size());
}

bool Trainer::Run(const std::atomic<bool>& stop, const CheckpointFolder& checkpoints) {
  Begin(stop);
  stop_ = ranks_.is_alone() ? &stop : &agreed_.stop;
  agreed_.stop = false;
  agreed_.time_is_over = IsTimeOver();  // by what the checkpoint says, which is the same for all
  agreed_.checkpoint_is_due = agreed_.checkpoint_was_asked_for = false;
  DoTogether([&] {
    for (Course& course : courses_) {
      const std::uint64_t experiences = course.replay.size();
      course.experiences = ranks_.SumCounts({&experiences, 1}).front();
    }
  });
  const auto is_over = [this] {
    return PartDone() >= 1 && !HasToLearnAtEnd() && (IsBootstrapping() || status_.evaluated_steps == status_.steps);
  };
  if (is_over() && status_.evaluation) return true;
  network_.BeginWaiting();
  MakeGroups();
  last_checkpoint_ = began_;
  Clock::time_point last_shown = began_;
  const auto report = [&] {
    if (Clock::now() - last_shown > std::chrono::seconds(1)) {
      last_shown = Clock::now();
      callbacks_.show(status_);
    }
    if (ranks_.is_alone() ? WantsCheckpoint() : agreed_.checkpoint_is_due) {
      WriteCheckpoint(checkpoints);
      last_checkpoint_ = Clock::now();
      agreed_.checkpoint_is_due = agreed_.checkpoint_was_asked_for = false;
    }
  };
  while (PartDone() < 1 && !*stop_) {
    for (Group& group : groups_) TakeTurn(group);
    UpdateStatus();
    for (std::size_t course = 0; course < courses_.size() && !*stop_; ++course) {
      if (!AreAbstractionsDue(course)) continue;
      FinishSearches();
      if (!*stop_) TakeAbstractions(course);
    }
    if (*stop_) break;
    if (IsEvaluationDue()) {
      if (resumes_exactly()) FinishSearches();
      // What other ranks reported at last counts, too: this evaluation is the last one.
      if (!ranks_.is_alone() && PartDone() >= 1) Drain();
      if (*stop_ || !Evaluate()) break;
      if (resumes_exactly()) WriteCheckpoint(checkpoints);
    }
    report();
  }
  Drain();
  for (Group& group : groups_) {
    // What the unfinished searches have done so far is done again after resuming.
    group.searches.RemoveAll([](std::size_t, const GuidedSearch&) {});
    group.tasks.clear();
  }
  TakeBackGradientStepsLeftOut();
  while (PartDone() >= 1 && HasToLearnAtEnd() && !*stop_) {
    LearnAtEnd();
    AgreeOnWhatIsDue();
    UpdateStatus();
    report();
  }
  if (PartDone() >= 1 && !*stop_ && !HasToLearnAtEnd() && !is_over()) Evaluate();
  // What is written now would be the state of a run that threw searches away, which one that was not stopped never does.
  if (is_over() || !resumes_exactly()) WriteCheckpoint(checkpoints);
  return is_over();
}

void Trainer::MakeGroups() {
  groups_.clear();
  for (std::size_t i = 0; i < kGroups * courses_.size(); ++i) {
    const std::size_t course = i % courses_.size();
    groups_.push_back({course, LockstepGroup(*domains_[course], pool_, stop_), {}, {}, {}, {}, {}, 0});
  }
}

bool Trainer::WantsCheckpoint() const {
  return !resumes_exactly() && MinutesSince(last_checkpoint_) > options_.checkpoint_minutes;
}

void Trainer::TakeTurn(Group& group) {
  // 1. Wait.
  if (group.scored.valid()) group.scored.get();
  TakeReports(group);
  if (*stop_) return;
  // 2. Go on.
  {
    const ScopeTimer timer(status_.time.select);
    group.searches.Select();
  }
  {
    const ScopeTimer timer(status_.time.expand);
    group.searches.Expand();
  }
  // What was stopped in the middle is done again after resuming.
  if (*stop_) return;
  const ScopeTimer timer(status_.time.prepare);
  group.searches.RemoveFinished([&](std::size_t tag, const GuidedSearch& search) {
    TakeLesson(group, group.tasks.at(tag), search);
    group.tasks.erase(tag);
  });
  Curriculum& curriculum = courses_[group.course].curriculum;
  while (!is_finishing_ && group.searches.size() < share_.group_size) {
    const std::size_t tag = begun_++;
    Curriculum::Task next = curriculum.NextTask(*domains_[group.course], agent_.takes_solved_problems());
    const Curriculum::Task& task = group.tasks.emplace(tag, std::move(next)).first->second;
    const SearchTerms terms{curriculum.depth_limit(), SeedOf(options_.seed, RandomStream::kSearch, curriculum.drawn()),
                            static_cast<double>(std::size_t{1} << schedule_.remedies())};
    const Domain& domain = DomainOf(group, task);
    group.searches.Start(tag, agent_.MakeSearch(domain, task.problem, terms, group.searches.TakeMemory()), domain);
  }
  // 3. and 4. Give the network work.
  const bool has_candidates = group.searches.Collect(/*distinct_texts=*/true);
  if (!has_candidates && ranks_.is_alone()) return;
  if (has_candidates) PostScores(group);
  PostWaitingLearning();
  PostGradientSteps(group);
  PostReport(group);
}

void Trainer::FinishSearches() {
  is_finishing_ = true;
  // What other ranks have left is known one turn later.
  for (Group& group : groups_) group.searches_left = std::numeric_limits<std::uint64_t>::max();
  while (AreSearchesLeft() && !*stop_) {
    for (Group& group : groups_) TakeTurn(group);
  }
  is_finishing_ = false;
  Drain();
  UpdateStatus();
}

bool Trainer::AreSearchesLeft() const {
  return std::any_of(groups_.begin(), groups_.end(), [this](const Group& group) {
    return ranks_.is_alone() ? group.searches.size() != 0 : group.searches_left != 0;
  });
}

bool Trainer::AreAbstractionsDue(std::size_t course) const {
  const DomainStatus& status = status_.domains[course];
  if (!LooksForAbstractions() || status.solved < kSolutionsNeeded) return false;
  const auto times = std::ranges::count_if(options_.abstract_at, [&](std::uint64_t steps) { return status.steps >= steps; });
  const bool is_time = status.abstracted < static_cast<std::size_t>(times) + schedule_.remedies();
  // What is nearly solved needs no larger steps, and would have to learn them.
  return is_time && status.best_validation.value_or(0) < kNearlySolved;
}

void Trainer::TakeAbstractions(std::size_t course) {
  const Domain& domain = *domains_[course];
  std::vector<SolutionPath> solutions(courses_[course].solutions.begin(), courses_[course].solutions.end());
  std::erase_if(solutions, [&](const SolutionPath& path) {
    return callbacks_.verify(domain, path.front(), path.back()) == Verdict::kWrong;
  });
  AbstractionSet found;
  DoTogether([&] {
    if (!ranks_.is_alone()) {
      const std::vector<std::string> of_ranks = ranks_.GatherTexts(nlohmann::json(solutions).dump());
      solutions.clear();
      for (const std::string& text : of_ranks) {
        for (const nlohmann::json& path : nlohmann::json::parse(text)) solutions.push_back(path);
      }
    }
    if (ranks_.is_first()) found = MineAbstractionsOfPaths(domain, solutions, {.most = kActionsMade}).set;
    if (ranks_.is_alone()) return;
    std::string text = found.abstractions.empty() ? "" : FormatAbstractions(found);
    ranks_.Broadcast(text, 0);
    if (!text.empty()) found = ParseAbstractions(text);
  });
  ++status_.abstracted;
  ++status_.domains[course].abstracted;
  if (found.abstractions.empty()) return;
  domains_[course] = &callbacks_.take_abstractions(course, found);
  // What was learned before stays in the network; examples of smaller steps would keep it from taking the larger ones.
  courses_[course].replay = EmptyReplay(options_, ranks_);
  courses_[course].experiences = 0;
  MakeGroups();
}

void Trainer::Drain() {
  PostWaitingLearning();
  if (waited_learning_.valid()) waited_learning_.get();
  for (Group& group : groups_) {
    if (group.scored.valid()) group.scored.get();
    if (group.learned.valid()) group.learned.get();
    TakeReports(group);
  }
}

void Trainer::DoTogether(const std::function<void()>& work) {
  if (ranks_.is_alone()) return work();
  network_.Do(work);
}

void Trainer::TakeLesson(const Group& group, const Curriculum::Task& task, const GuidedSearch& search) {
  Course& course = courses_[group.course];
  const SearchResult& result = search.result();
  Random random = RandomOf(share_.seed, RandomStream::kLesson, lessons_++);
  if (result.solved() && LooksForAbstractions()) KeepSolution(course, result.path);
  if (callbacks_.tried && lessons_ % kTriedShownEvery == 0)
    callbacks_.tried({status_.domains[group.course].name, task.problem, result.path});
  const double earned = agent_.Teach(DomainOf(group, task), search, random, course.replay);
  const std::uint64_t steps = agent_.StepsOf(search);
  const TurnReport::Outcome outcome{result.solved(), result.steps(), task.origin};
  if (ranks_.is_alone()) {
    CountSteps(group, steps, earned);
    Count(group, outcome);
  } else {
    report_.steps += steps;
    report_.gradient_steps += earned;
    report_.outcomes.push_back(outcome);
  }
}

void Trainer::CountSteps(const Group& group, std::uint64_t steps, double earned) {
  status_.steps += steps;
  status_.domains[group.course].steps += steps;
  gradient_steps_due_ += earned;
}

void Trainer::Count(const Group& group, const TurnReport::Outcome& outcome) {
  Course& course = courses_[group.course];
  for (DomainStatus* const status : {static_cast<DomainStatus*>(&status_), &status_.domains[group.course]}) {
    ++status->problems;
    if (outcome.solved) ++status->solved;
  }
  course.curriculum.Report(outcome.origin, outcome.solved, outcome.length);
  if (course.curriculum.none_solved_lately()) {
    course.by_chance_until = status_.domains[group.course].solved + agent_.solved_by_chance();
  }
}

void Trainer::PostReport(Group& group) {
  if (ranks_.is_alone()) return;
  report_.experiences = courses_[group.course].replay.size();
  report_.searches_left = group.searches.size();
  report_.seconds_waited = ranks_.SecondsWaited();
  report_.stops = *interrupted_;
  report_.time_is_over = IsTimeOver();
  report_.wants_checkpoint = ranks_.is_first() && !agreed_.checkpoint_was_asked_for && WantsCheckpoint();
  agreed_.checkpoint_was_asked_for |= report_.wants_checkpoint;
  std::string mine(share_.report_size, '\0');
  report_.Write(mine);
  report_ = {};
  group.reported = network_.Post([this, &group, mine = std::move(mine)] { group.exchanged = ranks_.BeginGather(mine); });
}

void Trainer::TakeReports(Group& group) {
  if (!group.reported.valid()) return;
  group.reported.get();
  const std::string all = group.exchanged();
  group.searches_left = 0;
  courses_[group.course].experiences = 0;
  status_.seconds_waited.clear();
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    const TurnReport report = TurnReport::Read(std::span(all).subspan(i * share_.report_size, share_.report_size));
    CountSteps(group, report.steps, report.gradient_steps);
    status_.strings_scored += report.strings_scored;
    status_.strings_learned += report.strings_learned;
    group.searches_left += report.searches_left;
    courses_[group.course].experiences += report.experiences;
    status_.seconds_waited.push_back(report.seconds_waited);
    for (const TurnReport::Outcome& outcome : report.outcomes) Count(group, outcome);
    if (report.stops) agreed_.stop = true;
    if (i != 0) continue;
    agreed_.time_is_over |= report.time_is_over;
    agreed_.checkpoint_is_due |= report.wants_checkpoint;
  }
}

// The same where there are no turns to report.
void Trainer::AgreeOnWhatIsDue() {
  if (ranks_.is_alone()) return;
  const bool wants_checkpoint = ranks_.is_first() && WantsCheckpoint();
  const std::uint64_t mine[] = {*interrupted_ ? 1U : 0U, ranks_.is_first() && IsTimeOver() ? 1U : 0U,
                                wants_checkpoint ? 1U : 0U};
  DoTogether([&] {
    const std::vector<std::uint64_t> all = ranks_.SumCounts(mine);
    if (all[0] != 0) agreed_.stop = true;
    agreed_.time_is_over |= all[1] != 0;
    agreed_.checkpoint_is_due |= all[2] != 0;
  });
}

void Trainer::PostScores(Group& group) {
  const ScoreBatch batch = group.searches.batch();
  const std::span<float> scores = group.searches.scores();
  if (batch.pairs.empty()) return;
  if (SearchesByChance(group.course)) return chance_scorer_->Score(batch, scores);
  std::uint64_t& counted = ranks_.is_alone() ? status_.strings_scored : report_.strings_scored;
  counted += batch.texts.size();
  const auto finish = [this, scores] {
    if (!*stop_) CheckScores(scores);
  };
  if (!waiting_learning_) {
    group.scored = network_.Post(&DeviceQueue::Seconds::encode, [this, batch, scores, finish] {
      learner_.Score(batch, scores, stop_);
      finish();
    });
    return;
  }
  group.scored =
      network_.Post(&DeviceQueue::Seconds::learn, [this, batch, scores, finish, learning = std::move(*waiting_learning_)] {
        PieceworkScores pieces(learner_, batch, scores, stop_);
        TakeGradientSteps(learning, &pieces);
        finish();
        network_.Count({.encode = pieces.seconds(), .learn = -pieces.seconds()});
      });
  waiting_learning_.reset();
}

void Trainer::PostGradientSteps(Group& group) {
  // Those of the turn before last are done by now, or soon; what went wrong in them is thrown here.
  if (group.learned.valid()) group.learned.get();
  if (IsBootstrapping() || gradient_steps_due_ < 1 || Experiences() == 0) return;
  const std::size_t per_batch = agent_.gradient_steps_per_batch();
  const std::size_t due = static_cast<std::size_t>(gradient_steps_due_) / per_batch;
  const std::size_t batches = std::min(due, std::max<std::size_t>(1, kMaxGradientSteps / per_batch));
  if (batches == 0) return;
  gradient_steps_due_ -= static_cast<double>(batches * per_batch);
  Learning learning = MakeLearning(batches, per_batch);
  if (!ranks_.is_alone()) {
    waiting_learning_ = std::move(learning);
  } else {
    group.learned = PostLearning(learning);
  }
}

Trainer::Learning Trainer::MakeLearning(std::size_t count, std::size_t per_batch) {
  auto batches = std::make_shared<std::vector<TrainingBatch>>(count);
  const std::vector<Drawn> experiences = DrawExperiences(count, per_batch);
  pool_.For(count, [&](std::size_t i) {
    (*batches)[i] = MakeBatch(std::span(experiences).subspan(i * experiences.size() / count, experiences.size() / count),
                              RandomOf(share_.seed, RandomStream::kExample, status_.gradient_steps + i * per_batch));
  });
  status_.learning_rate = LearningRate();
  status_.gradient_steps += count * per_batch;
  std::uint64_t& learned = ranks_.is_alone() ? status_.strings_learned : report_.strings_learned;
  for (const TrainingBatch& batch : *batches) learned += per_batch * batch.texts().size();
  return {std::move(batches), per_batch, status_.learning_rate};
}

std::future<void> Trainer::PostLearning(const Learning& learning) {
  return network_.Post(&DeviceQueue::Seconds::learn, [this, learning] { TakeGradientSteps(learning, nullptr); });
}

void Trainer::PostWaitingLearning() {
  if (!waiting_learning_) return;
  if (waited_learning_.valid()) waited_learning_.get();
  waited_learning_ = PostLearning(*std::exchange(waiting_learning_, std::nullopt));
}

// With `scores`, those are there before the policy changes: which of them when depends on the other ranks, and what they are
// does not.
void Trainer::TakeGradientSteps(const Learning& learning, PieceworkScores* scores) {
  const std::size_t piece = kPairsAtATime * pool_.size();
  for (TrainingBatch& batch : *learning.batches) {
    for (std::size_t i = 0; i < learning.per_batch; ++i) {
      // Gradient steps may be slow, and whoever interrupts should not wait; but what several ranks have begun, all finish.
      if (learning_stop() || !SetTargets(batch)) {
        ++gradient_steps_left_out_;
      } else if (scores != nullptr) {
        learner_.LearnMeanwhile(batch, learning.rate, [&] { return scores->ScoreSome(piece); });
      } else {
        learner_.Learn(batch, learning.rate);
      }
    }
  }
  if (scores != nullptr) scores->ScoreRest();
  if (!learning_stop()) learner_.Refresh();
}

void Trainer::LearnAtEnd() {
  const std::uint64_t left = agent_.gradient_steps_at_end() - status_.gradient_steps;
  PostLearning(MakeLearning(std::min<std::uint64_t>(left, kMaxGradientSteps), 1)).get();
  TakeBackGradientStepsLeftOut();
}

void Trainer::TakeBackGradientStepsLeftOut() {
  const std::uint64_t left_out = gradient_steps_left_out_.exchange(0);
  status_.gradient_steps -= left_out;
  gradient_steps_due_ += static_cast<double>(left_out);
}

bool Trainer::IsBootstrapping(std::size_t course) const {
  if (agent_.gradient_steps_at_end() != 0) return status_.gradient_steps < agent_.gradient_steps_at_end();
  return status_.domains[course].solved < agent_.solved_by_chance();
}

bool Trainer::IsBootstrapping() const {
  std::size_t course = 0;
  while (course < courses_.size() && IsBootstrapping(course)) ++course;
  return course == courses_.size();
}

std::uint64_t Trainer::Experiences() const {
  std::uint64_t all = 0;
  for (const Course& course : courses_) all += ranks_.is_alone() ? course.replay.size() : course.experiences;
  return all;
}

bool Trainer::SetTargets(TrainingBatch& batch) {
  const TextPairs& lookahead = batch.lookahead();
  if (lookahead.pairs().empty()) return true;
  std::vector<std::uint64_t> hashes(lookahead.texts().size());
  for (std::size_t i = 0; i < hashes.size(); ++i) hashes[i] = HashText(lookahead.texts()[i]);
  std::vector<float> scores(lookahead.pairs().size());
  learner_.ScoreBySlowCopy({lookahead.texts(), hashes, lookahead.pairs()}, scores, ranks_.is_alone() ? stop_ : nullptr);
  if (learning_stop()) return false;
  CheckScores(scores);
  agent_.SetTargets(scores, batch);
  return true;
}

std::vector<Trainer::Drawn> Trainer::DrawExperiences(std::size_t batches, std::size_t per_batch) const {
  std::vector<const ReplayBuffer*> replays;
  for (const Course& course : courses_) {
    if (course.replay.size() != 0) replays.push_back(&course.replay);
  }
  if (replays.empty()) return {};
  // Where a batch has not room for all, they take turns.
  const std::size_t turn = (status_.gradient_steps + ranks_.rank()) % replays.size();
  std::rotate(replays.begin(), replays.begin() + static_cast<std::ptrdiff_t>(turn), replays.end());
  std::vector<std::size_t> order(batches);
  std::iota(order.begin(), order.end(), std::size_t{0});
  // In an order that has nothing to do with length, and is the same on all ranks.
  RandomOf(options_.seed, RandomStream::kBatchOrder, status_.gradient_steps).Shuffle(std::span(order));
  std::vector<Drawn> drawn(batches * share_.batch);
  std::size_t begin = 0;  // of a domain's part of a batch
  for (std::size_t r = 0; r < replays.size(); ++r) {
    const ReplayBuffer& replay = *replays[r];
    const std::size_t count = share_.batch * (r + 1) / replays.size() - begin;
    std::vector<std::pair<std::size_t, std::size_t>> by_length;
    for (std::size_t i = 0; i < batches; ++i) {
      Random random = RandomOf(share_.seed, RandomStream::kBatch, status_.gradient_steps + i * per_batch);
      for (std::size_t k = 0; k < count; ++k) {
        const std::size_t index = random.Uint64(0, replay.size());
        by_length.emplace_back(replay.LongestText(index), index);
      }
    }
    // Examples of similar length learn together, so that none waits for a long text.
    if (batches > 1) std::sort(by_length.begin(), by_length.end());
    for (std::size_t i = 0; i < batches; ++i) {
      for (std::size_t k = 0; k < count; ++k) {
        drawn[i * share_.batch + begin + k] = {&replay, by_length[order[i] * count + k].second};
      }
    }
    begin += count;
  }
  return drawn;
}

TrainingBatch Trainer::MakeBatch(std::span<const Drawn> experiences, Random random) const {
  TrainingBatch batch;
  Experience experience;
  for (const auto& [replay, index] : experiences) {
    replay->Read(index, experience);
    agent_.AddExample(experience, random, batch);
  }
  batch.Seal();
  return batch;
}

bool Trainer::Evaluate() {
  if (IsBootstrapping()) {
    PlanNextEvaluation();
    LookAtProgress(0);
    return true;
  }
  PostWaitingLearning();
  LearnerScorer scorer(learner_, agent_.meaning(), network_, *interrupted_);
  std::vector<std::size_t> max_steps;
  for (const Course& course : courses_) max_steps.push_back(EvaluationSteps(course.curriculum.long_length()));
  if (!TryPolicy(scorer, max_steps)) {
    agreed_.stop = true;
    return false;
  }
  network_.Do([this] { status_.loss = learner_.TakeLoss(); });
  HoldTheSameWeights();
  ReportEvaluation();
  return true;
}

// On processors of different kinds the same sums may be rounded differently, and what differs a little differs more later.
void Trainer::HoldTheSameWeights() {
  if (ranks_.is_alone()) return;
  DoTogether([this] {
    const std::string weights = learner_.SaveForScoring();
    Checksum checksum;
    checksum.Add(std::as_bytes(std::span(weights)));
    const std::vector<std::string> all = ranks_.GatherTexts(fmt::format("{:016x}", checksum.value()));
    if (std::ranges::count(all, all.front()) == std::ssize(all)) return;
    ++status_.weights_differed;
    std::string state;
    if (ranks_.is_first()) state = learner_.Save();
    ranks_.Broadcast(state, 0);
    if (!ranks_.is_first()) learner_.Restore(state);
  });
}

std::uint64_t Trainer::Level() const {
  std::uint64_t level = 0;
  for (std::size_t i = 0; i < courses_.size(); ++i) {
    level += courses_[i].curriculum.size_limit();
    level += IsBootstrapping(i) ? status_.domains[i].solved : agent_.solved_by_chance();
  }
  return level;
}

std::string Trainer::LeavePlateau() {
  std::string text =
      fmt::format("beams are {} wide from now on",
                  SearchTerms{0, 0, static_cast<double>(std::size_t{1} << schedule_.remedies())}.WidthOf(options_.beam));
  for (std::size_t i = 0; i < courses_.size(); ++i) {
    if (status_.domains[i].best_validation.value_or(0) >= kNearlySolved) continue;
    Curriculum& curriculum = courses_[i].curriculum;
    curriculum.StepBack();
    std::string own;
    if (curriculum.size_limit() != 0) own += fmt::format(", problems are cut down to {} characters", curriculum.size_limit());
    if (AreAbstractionsDue(i)) own += ", and larger steps are looked for in the latest solutions";
    text += courses_.size() == 1 || own.empty() ? own : fmt::format("; of {}{}", status_.domains[i].name, own);
  }
  return text;
}

double Trainer::PartDone() const {
  // Clocks differ; what follows them would, too.
  if (ranks_.is_alone()) return TrainingLoop::PartDone();
  return agreed_.time_is_over ? 1 : schedule_.PartDone(status_.steps, 0);
}

void Trainer::UpdateStatus() {
  TrainingLoop::UpdateStatus();
  std::vector<const Curriculum*> curricula;
  for (const Course& course : courses_) curricula.push_back(&course.curriculum);
  ShowCurricula(curricula);
  status_.replay_examples = Experiences();
  const DeviceQueue::Seconds network = network_.seconds();
  status_.time.encode = network.encode;
  status_.time.learn = network.learn;
  status_.time.idle = network.idle;
}

Tensors Trainer::Weights() {
  Tensors weights;
  network_.Do([&] { weights = learner_.Weights(); });
  return weights;
}

void Trainer::WriteCheckpoint(const CheckpointFolder& checkpoints) {
  PostWaitingLearning();
  UpdateStatus();
  std::string learned;
  if (ranks_.is_first()) network_.Do([&] { learned = learner_.Save(); });
  nlohmann::json state{{"gradient_steps_due", gradient_steps_due_}};
  nlohmann::json of_rank{{"lessons", lessons_}};
  std::vector<CheckpointSection> own;
  for (std::size_t i = 0; i < courses_.size(); ++i) {
    const Course& course = courses_[i];
    state[Numbered("by_chance_until", i)] = course.by_chance_until;
    state[Numbered("curriculum", i)] = of_rank[Numbered("curriculum", i)] = course.curriculum.Save();
    own.push_back({Numbered("replay", i), [&](const WriteBytes& write) { course.replay.Save(write); }});
    if (!LooksForAbstractions()) continue;
    own.push_back({Numbered("solutions", i), [&](const WriteBytes& write) { write(nlohmann::json(course.solutions).dump()); }});
  }
  if (!ranks_.is_alone()) own.push_back({"rank", [&](const WriteBytes& write) { write(of_rank.dump()); }});
  WriteSections(checkpoints, state, learned, own);
}

void Trainer::RestoreOwn(std::size_t index, const std::map<std::string, std::string>& sections) {
  Course& course = courses_[index];
  const std::string replay = Numbered("replay", index);
  const std::string curriculum = Numbered("curriculum", index);
  const auto rank = sections.find("rank");
  if (rank != sections.end()) {  // as many ranks as before
    const nlohmann::json state = nlohmann::json::parse(rank->second);
    course.curriculum.Restore(state.at(curriculum));  // what this rank drew and began is its own
    lessons_ = state.at("lessons");
    course.replay.Restore(sections.at(replay));
    return;
  }
  lessons_ = std::max(lessons_, status_.problems);
  if (ranks_.is_alone() && sections.contains(replay)) return course.replay.Restore(sections.at(replay));
  // What other ranks had is dealt out. Whatever they drew is behind all of them.
  std::vector<std::string_view> parts;
  std::uint64_t drawn = course.curriculum.drawn();
  if (sections.contains(replay)) parts.push_back(sections.at(replay));
  for (std::size_t i = 0; sections.contains(fmt::format("rank.{}", i)); ++i) {
    const nlohmann::json state = nlohmann::json::parse(sections.at(fmt::format("rank.{}", i)));
    drawn = std::max(drawn, state.at(curriculum).at("drawn").get<std::uint64_t>());
    lessons_ = std::max(lessons_, state.at("lessons").get<std::uint64_t>());
    parts.push_back(sections.at(fmt::format("{}.{}", replay, i)));
  }
  if (parts.empty()) throw std::out_of_range("replay");
  course.curriculum.DrawFrom(drawn + ranks_.rank());
  Deal(parts, course.replay);
}

void Trainer::KeepSolution(Course& course, const SolutionPath& path) const {
  course.solutions.push_back(path);
  if (course.solutions.size() > std::max<std::size_t>(1, kSolutionsKept / ranks_.size())) course.solutions.pop_front();
}

void Trainer::RestoreSolutions(std::size_t course, const std::map<std::string, std::string>& sections) {
  const auto restore = [&](const std::string& text) {
    for (const nlohmann::json& path : nlohmann::json::parse(text)) KeepSolution(courses_[course], path.get<SolutionPath>());
  };
  const std::string name = Numbered("solutions", course);
  const auto own = sections.find(name);
  if (own != sections.end()) return restore(own->second);
  // Those of other numbers of ranks are dealt out.
  for (std::size_t i = ranks_.rank(); sections.contains(fmt::format("{}.{}", name, i)); i += ranks_.size()) {
    restore(sections.at(fmt::format("{}.{}", name, i)));
  }
}

// Every ranks_.size()-th experience is this rank's, beginning with the oldest.
void Trainer::Deal(std::span<const std::string_view> parts, ReplayBuffer& replay) const {
  std::vector<ReplayBuffer> kept;
  std::size_t longest = 0;
  for (const std::string_view part : parts) {
    kept.emplace_back(std::numeric_limits<std::uint32_t>::max()).Restore(part);
    longest = std::max(longest, kept.back().size());
  }
  std::size_t number = 0;
  Experience experience;
  for (std::size_t age = longest; age > 0; --age) {
    for (const ReplayBuffer& part : kept) {
      if (age > part.size() || number++ % ranks_.size() != ranks_.rank()) continue;
      // The oldest of a buffer that is full stands where the next would have come.
      const std::uint64_t first = part.added() > part.size() ? part.added() % part.size() : 0;
      part.Read((first + part.size() - age) % part.size(), experience);
      replay.Add(experience);
    }
  }
}

void Trainer::RestoreMore(const nlohmann::json& state, const std::map<std::string, std::string>& sections) {
  gradient_steps_due_ = state.at("gradient_steps_due");
  network_.Count({status_.time.encode, status_.time.learn, status_.time.idle});
  for (std::size_t i = 0; i < courses_.size(); ++i) {
    courses_[i].by_chance_until = state.at(Numbered("by_chance_until", i));
    courses_[i].curriculum.Restore(state.at(Numbered("curriculum", i)));
    RestoreOwn(i, sections);
    RestoreSolutions(i, sections);
  }
  network_.Do([&] { learner_.Restore(sections.at("learner")); });
}

}  // namespace conpole

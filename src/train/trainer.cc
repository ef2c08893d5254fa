#include "train/trainer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "search/run_search.h"
#include "train/evaluation_json.h"
#include "train/exploration.h"
#include "train/rank_checkpoints.h"
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

// Sequences are looked for in so many solutions, and not before so many problems are solved.
constexpr std::size_t kSolutionsKept = 1000;
constexpr std::uint64_t kSolutionsNeeded = 200;

// Streams of random numbers, each a function of the run's seed and a counter, so that there is no state to be saved.
enum : std::uint64_t {
  kLessonStream = 1,
  kBatchStream = 2,
  kSearchStream = 3,
  kNoiseStream = 4,
  kRankStream = 5,
  kExampleStream = 6,
  kBatchOrderStream = 7
};

// Ranks that search, of all ranks.
std::size_t Searchers(const TrainOptions& options, const Ranks& ranks) {
  return options.actors == 0 ? ranks.size() : options.actors;
}

// Ranks that learn: the first ones.
std::size_t Learners(const TrainOptions& options, const Ranks& ranks) {
  if (options.actors >= ranks.size()) {
    throw Error(fmt::format("of {} ranks {} cannot be actors: one at least has to learn", ranks.size(), options.actors));
  }
  return ranks.size() - options.actors;
}

Random RandomOf(std::uint64_t seed, std::uint64_t stream, std::uint64_t counter) {
  return Random(MixHash(MixHash(seed, stream), counter));
}

// Scores that are not finite cannot be compared, so that no search may see them.
void CheckScores(std::span<const float> scores) {
  if (std::all_of(scores.begin(), scores.end(), [](float score) { return std::isfinite(score); })) return;
  throw Diverged("training has diverged: a score is not finite any more");
}

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

double Evaluation::verified() const {
  return success > 0 && right + wrong == 0 ? std::numeric_limits<double>::quiet_NaN() : right;
}

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

Trainer::Trainer(const Domain& domain, const Agent& agent, Learner& learner, const TrainOptions& options,
                 TrainCallbacks callbacks, Ranks& ranks)
    : domain_(&domain),
      agent_(agent),
      learner_(learner),
      options_(options),
      callbacks_(std::move(callbacks)),
      ranks_(ranks),
      learners_(Learners(options, ranks)),
      searches_(options.actors == 0 || ranks.rank() >= learners_),
      learns_(ranks.rank() < learners_),
      group_size_(std::max<std::size_t>(1, options.in_flight / (kGroups * Searchers(options, ranks)))),
      report_size_(TurnReport::BytesFor(group_size_)),
      batch_(options.batch / learners_ + (ranks.rank() < options.batch % learners_ ? 1 : 0)),
      own_seed_(ranks.is_first() ? options.seed : MixHash(MixHash(options.seed, kRankStream), ranks.rank())),
      pool_(options.threads),
      curriculum_(options),
      replay_(EmptyReplay()),
      solutions_(std::max<std::size_t>(1, kSolutionsKept / Searchers(options, ranks))),
      chance_scorer_(MakeChanceScorer(options.chance, own_seed_)),
      outbox_(options.replay, options.replay_keeps) {
  if (searches_) curriculum_.TakeShare(ranks.rank() - (options.actors == 0 ? 0 : learners_), Searchers(options, ranks));
}

ReplayBuffer Trainer::EmptyReplay() const {
  return ReplayBuffer((options_.replay + learners_ - 1) / learners_, options_.replay_keeps);
}

bool Trainer::Run(const std::atomic<bool>& stop, const CheckpointFolder& checkpoints) {
  interrupted_ = &stop;
  stop_ = ranks_.is_alone() ? &stop : &agreed_stop_;
  agreed_stop_ = false;
  time_is_over_ = false;
  checkpoint_is_due_ = checkpoint_was_asked_for_ = false;
  began_ = Clock::now();
  const std::uint64_t experiences = replay_.size();
  DoTogether([&] { experiences_ = ranks_.SumCounts({&experiences, 1}).front(); });
  const auto is_over = [this] {
    return status_.steps >= options_.steps && !HasToLearnAtEnd() &&
           (IsBootstrapping() || status_.evaluated_steps == status_.steps);
  };
  if (is_over() && status_.evaluation) return true;
  network_free_since_ = began_;
  MakeGroups();
  last_checkpoint_ = began_;
  Clock::time_point last_shown = began_;
  const auto goes_on = [&] { return !*stop_ && !(ranks_.is_alone() ? IsTimeOver() : time_is_over_); };
  const auto report = [&] {
    if (Clock::now() - last_shown > std::chrono::seconds(1)) {
      last_shown = Clock::now();
      callbacks_.show(status_);
    }
    if (ranks_.is_alone() ? WantsCheckpoint() : checkpoint_is_due_) {
      WriteCheckpoint(checkpoints);
      last_checkpoint_ = Clock::now();
      checkpoint_is_due_ = checkpoint_was_asked_for_ = false;
    }
  };
  while (status_.steps < options_.steps && goes_on()) {
    for (Group& group : groups_) TakeTurn(group);
    UpdateStatus();
    if (AreAbstractionsDue()) {
      FinishSearches();
      if (*stop_) break;
      TakeAbstractions();
    }
    if (status_.steps >= next_evaluation_) {
      if (resumes_exactly()) FinishSearches();
      // What other ranks reported at last counts, too: this evaluation is the last one.
      if (!ranks_.is_alone() && status_.steps >= options_.steps) Drain();
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
  while (status_.steps >= options_.steps && HasToLearnAtEnd() && goes_on()) {
    LearnAtEnd();
    AgreeOnWhatIsDue();
    UpdateStatus();
    report();
  }
  if (status_.steps >= options_.steps && !HasToLearnAtEnd() && !is_over()) Evaluate();
  // What is written now would be the state of a run that threw searches away, which one that was not stopped never does.
  if (is_over() || !resumes_exactly()) WriteCheckpoint(checkpoints);
  return is_over();
}

void Trainer::MakeGroups() {
  groups_.clear();
  for (std::size_t i = 0; i < kGroups; ++i)
    groups_.push_back({LockstepGroup(*domain_, pool_, stop_), {}, {}, {}, {}, {}, {}, {}, 0});
}

bool Trainer::IsTimeOver() const { return options_.minutes != 0 && MinutesSince(began_) >= options_.minutes; }

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
    TakeLesson(group.tasks.at(tag), search);
    group.tasks.erase(tag);
  });
  while (searches_ && !is_finishing_ && group.searches.size() < group_size_) {
    const std::size_t tag = begun_++;
    const Curriculum::Task& task =
        group.tasks.emplace(tag, curriculum_.NextTask(*domain_, agent_.takes_solved_problems())).first->second;
    const SearchTerms terms{curriculum_.depth_limit(), MixHash(MixHash(options_.seed, kSearchStream), curriculum_.drawn()),
                            curriculum_.EffortOf(task)};
    const Domain& domain = DomainOf(task);
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

bool Trainer::AreAbstractionsDue() const {
  return status_.abstracted < options_.abstract_at.size() && status_.steps >= options_.abstract_at[status_.abstracted] &&
         status_.solved >= kSolutionsNeeded;
}

void Trainer::TakeAbstractions() {
  std::vector<LatestSolutions::Path> solutions = solutions_.paths();
  std::erase_if(solutions, [this](const LatestSolutions::Path& path) {
    return callbacks_.verify(path.front(), path.back()) == Verdict::kWrong;
  });
  std::string abstractions;
  DoTogether([&] {
    const std::vector<std::string> of_ranks = ranks_.GatherTexts(nlohmann::json(solutions).dump());
    if (ranks_.is_first()) {
      solutions.clear();
      for (const std::string& text : of_ranks) {
        for (const nlohmann::json& path : nlohmann::json::parse(text)) solutions.push_back(path);
      }
      abstractions = callbacks_.find_abstractions(*domain_, solutions);
    }
    ranks_.Broadcast(abstractions, 0);
  });
  ++status_.abstracted;
  if (abstractions.empty()) return;
  domain_ = &callbacks_.take_abstractions(abstractions);
  // What was learned before stays in the network; examples of smaller steps would keep it from taking the larger ones.
  replay_ = EmptyReplay();
  experiences_ = 0;
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
  if (weights_posted_.valid()) weights_posted_.get();
}

void Trainer::DoTogether(const std::function<void()>& work) {
  if (ranks_.is_alone()) return work();
  network_.Do(work);
}

void Trainer::TakeLesson(const Curriculum::Task& task, const GuidedSearch& search) {
  const SearchResult& result = search.result();
  Random random = RandomOf(own_seed_, kLessonStream, lessons_++);
  if (result.solved() && status_.abstracted < options_.abstract_at.size()) solutions_.Add(result.path);
  const double earned = agent_.Teach(DomainOf(task), search, random, learns_ ? replay_ : outbox_);
  const std::uint64_t steps = agent_.StepsOf(search) + task.listed;
  curriculum_.Keep(task, result, steps);
  const TurnReport::Outcome outcome{result.solved(), result.steps(), task.origin};
  if (ranks_.is_alone()) {
    status_.steps += steps;
    gradient_steps_due_ += earned;
    Count(outcome);
  } else {
    report_.steps += steps;
    report_.gradient_steps += earned;
    report_.outcomes.push_back(outcome);
  }
}

void Trainer::Count(const TurnReport::Outcome& outcome) {
  ++status_.problems;
  curriculum_.Report(outcome.origin, outcome.solved, outcome.length);
  if (outcome.solved) ++status_.solved;
  if (curriculum_.none_solved_lately()) by_chance_until_ = status_.solved + agent_.solved_by_chance();
}

void Trainer::PostReport(Group& group) {
  if (ranks_.is_alone()) return;
  report_.experiences = replay_.size();
  report_.searches_left = group.searches.size();
  report_.seconds_waited = ranks_.SecondsWaited();
  report_.stops = *interrupted_;
  report_.time_is_over = IsTimeOver();
  report_.wants_checkpoint = ranks_.is_first() && !checkpoint_was_asked_for_ && WantsCheckpoint();
  checkpoint_was_asked_for_ |= report_.wants_checkpoint;
  std::string outgoing;
  if (outbox_.size() != 0) {
    outbox_.Save([&](std::string_view piece) { outgoing += piece; });
    outbox_ = ReplayBuffer(options_.replay);
  }
  report_.experience_bytes = outgoing.size();
  std::string mine(report_size_, '\0');
  report_.Write(mine);
  report_ = {};
  group.reported = network_.Post([this, &group, mine = std::move(mine), outgoing = std::move(outgoing), turn = turns_++] {
    group.exchanged = ranks_.BeginGather(mine);
    if (options_.actors == 0) return;
    ReadReports(group);
    // Those that learn take what an actor sends in turn, so that all have as much.
    for (std::size_t actor = learners_; actor < ranks_.size(); ++actor) {
      const std::uint64_t bytes = group.reports[actor].experience_bytes;
      const std::size_t learner = (turn + actor) % learners_;
      if (bytes == 0) continue;
      if (ranks_.rank() == actor) ranks_.Send(outgoing, learner);
      if (ranks_.rank() == learner) ranks_.Receive(group.lessons.emplace_back(bytes, '\0'), actor);
    }
  });
}

void Trainer::ReadReports(Group& group) {
  const std::string all = group.exchanged();
  group.reports.clear();
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    group.reports.push_back(TurnReport::Read(std::span(all).subspan(i * report_size_, report_size_)));
  }
}

void Trainer::TakeReports(Group& group) {
  if (!group.reported.valid()) return;
  group.reported.get();
  if (options_.actors == 0) ReadReports(group);
  group.searches_left = 0;
  experiences_ = 0;
  status_.seconds_waited.clear();
  for (const TurnReport& report : group.reports) {
    status_.steps += report.steps;
    status_.strings_scored += report.strings_scored;
    status_.strings_learned += report.strings_learned;
    gradient_steps_due_ += report.gradient_steps;
    group.searches_left += report.searches_left;
    experiences_ += report.experiences;
    status_.seconds_waited.push_back(report.seconds_waited);
    for (const TurnReport::Outcome& outcome : report.outcomes) Count(outcome);
    if (report.stops) agreed_stop_ = true;
  }
  time_is_over_ |= group.reports.front().time_is_over;
  checkpoint_is_due_ |= group.reports.front().wants_checkpoint;
  for (const std::string& lesson : std::exchange(group.lessons, {})) {
    ReplayBuffer sent(options_.replay);
    sent.Restore(lesson);
    Experience experience;
    for (std::size_t i = 0; i < sent.size(); ++i) {
      sent.Read(i, experience);
      replay_.Add(experience);
    }
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
    if (all[0] != 0) agreed_stop_ = true;
    time_is_over_ |= all[1] != 0;
    checkpoint_is_due_ |= all[2] != 0;
  });
}

void Trainer::PostWeights() {
  if (weights_posted_.valid()) weights_posted_.get();
  weights_given_ = status_.gradient_steps;
  weights_posted_ = network_.Post([this] {
    std::string weights;
    if (ranks_.is_first()) weights = learner_.SaveForScoring();
    ranks_.Broadcast(weights, 0);
    if (learns_) return;
    learner_.RestoreForScoring(weights);
    learner_.Refresh();
  });
}

void Trainer::PostScores(Group& group) {
  const ScoreBatch batch = group.searches.batch();
  const std::span<float> scores = group.searches.scores();
  if (batch.pairs.empty()) return;
  if (SearchesByChance()) return chance_scorer_->Score(batch, scores);
  std::uint64_t& counted = ranks_.is_alone() ? status_.strings_scored : report_.strings_scored;
  counted += batch.texts.size();
  const std::uint64_t noise_seed = MixHash(MixHash(own_seed_, kNoiseStream), status_.strings_scored + report_.strings_scored);
  const auto finish = [this, batch, scores, noise_seed] {
    if (*stop_) return;
    CheckScores(scores);
    if (options_.beam_noise > 0) AddGumbelNoise(batch, options_.beam_noise, noise_seed, scores);
  };
  if (!waiting_learning_) {
    group.scored = PostTimed(&TimeSpent::encode, [this, batch, scores, finish] {
      learner_.Score(batch, scores, stop_);
      finish();
    });
    return;
  }
  group.scored = PostTimed(&TimeSpent::learn, [this, batch, scores, finish, learning = std::move(*waiting_learning_)] {
    PieceworkScores pieces(learner_, batch, scores, stop_);
    TakeGradientSteps(learning, &pieces);
    finish();
    const std::lock_guard lock(network_mutex_);
    network_time_.encode += pieces.seconds();
    network_time_.learn -= pieces.seconds();
  });
  waiting_learning_.reset();
}

void Trainer::PostGradientSteps(Group& group) {
  // Those of the turn before last are done by now, or soon; what went wrong in them is thrown here.
  if (group.learned.valid()) group.learned.get();
  if (options_.actors != 0 && !SearchesByChance()) {
    const std::uint64_t age = status_.gradient_steps - weights_given_;
    ++ages_;
    sum_of_ages_ += static_cast<double>(age);
    status_.weights_age_max = std::max(status_.weights_age_max, age);
  }
  if (IsBootstrapping() || gradient_steps_due_ < 1 || !HasExperiences()) return;
  const std::size_t per_batch = agent_.gradient_steps_per_batch();
  const std::size_t due = static_cast<std::size_t>(gradient_steps_due_) / per_batch;
  std::size_t batches = std::min(due, std::max<std::size_t>(1, kMaxGradientSteps / per_batch));
  if (options_.actors != 0) batches = std::min(batches, std::max<std::size_t>(1, options_.weights_age / per_batch));
  if (batches == 0) return;
  // Before the steps that would make what the actors have too old: none of them is taken while they still search with that.
  if (options_.actors != 0 && status_.gradient_steps + batches * per_batch - weights_given_ > options_.weights_age)
    PostWeights();
  gradient_steps_due_ -= static_cast<double>(batches * per_batch);
  Learning learning = MakeLearning(batches, per_batch);
  if (LearnsWhileScoring()) {
    waiting_learning_ = std::move(learning);
  } else {
    group.learned = PostLearning(learning);
  }
}

Trainer::Learning Trainer::MakeLearning(std::size_t count, std::size_t per_batch) {
  auto batches = std::make_shared<std::vector<TrainingBatch>>(count);
  if (learns_) {
    const std::vector<std::size_t> experiences = DrawExperiences(count, per_batch);
    pool_.For(count, [&](std::size_t i) {
      (*batches)[i] = MakeBatch(std::span(experiences).subspan(i * experiences.size() / count, experiences.size() / count),
                                RandomOf(own_seed_, kExampleStream, status_.gradient_steps + i * per_batch));
    });
  }
  status_.learning_rate = LearningRate();
  status_.gradient_steps += count * per_batch;
  std::uint64_t& learned = ranks_.is_alone() ? status_.strings_learned : report_.strings_learned;
  for (const TrainingBatch& batch : *batches) learned += per_batch * batch.texts().size();
  return {std::move(batches), per_batch, status_.learning_rate};
}

std::future<void> Trainer::PostLearning(const Learning& learning) {
  if (!learns_) return {};
  return PostTimed(&TimeSpent::learn, [this, learning] { TakeGradientSteps(learning, nullptr); });
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
  std::future<void> learned = PostLearning(MakeLearning(std::min<std::uint64_t>(left, kMaxGradientSteps), 1));
  if (learned.valid()) learned.get();
  TakeBackGradientStepsLeftOut();
}

void Trainer::TakeBackGradientStepsLeftOut() {
  const std::uint64_t left_out = gradient_steps_left_out_.exchange(0);
  status_.gradient_steps -= left_out;
  gradient_steps_due_ += static_cast<double>(left_out);
}

bool Trainer::IsBootstrapping() const {
  if (agent_.gradient_steps_at_end() != 0) return status_.gradient_steps < agent_.gradient_steps_at_end();
  return status_.solved < agent_.solved_by_chance();
}

bool Trainer::SetTargets(TrainingBatch& batch) {
  const TextPairs& lookahead = batch.lookahead();
  if (lookahead.pairs().empty()) return true;
  std::vector<std::uint64_t> hashes(lookahead.texts().size());
  for (std::size_t i = 0; i < hashes.size(); ++i) hashes[i] = HashText(lookahead.texts()[i]);
  std::vector<float> scores(lookahead.pairs().size());
  learner_.ScoreBySlowCopy({lookahead.texts(), hashes, lookahead.pairs()}, scores, ranks_.is_alone() ? stop_ : &never_);
  if (learning_stop()) return false;
  CheckScores(scores);
  agent_.SetTargets(scores, batch);
  return true;
}

std::vector<std::size_t> Trainer::DrawExperiences(std::size_t batches, std::size_t per_batch) const {
  std::vector<std::size_t> drawn;
  if (replay_.size() == 0) return drawn;
  for (std::size_t i = 0; i < batches; ++i) {
    Random random = RandomOf(own_seed_, kBatchStream, status_.gradient_steps + i * per_batch);
    for (std::size_t k = 0; k < batch_; ++k) drawn.push_back(random.Uint64(0, replay_.size()));
  }
  if (options_.batch_by == BatchBy::kChance || batches == 1) return drawn;
  std::vector<std::pair<std::size_t, std::size_t>> by_length;
  for (const std::size_t index : drawn) by_length.emplace_back(replay_.LongestText(index), index);
  std::sort(by_length.begin(), by_length.end());
  // In an order that has nothing to do with length, and is the same on all ranks.
  std::vector<std::size_t> order(batches);
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomOf(options_.seed, kBatchOrderStream, status_.gradient_steps).Shuffle(std::span(order));
  for (std::size_t i = 0; i < batches; ++i) {
    for (std::size_t k = 0; k < batch_; ++k) drawn[i * batch_ + k] = by_length[order[i] * batch_ + k].second;
  }
  return drawn;
}

TrainingBatch Trainer::MakeBatch(std::span<const std::size_t> experiences, Random random) const {
  TrainingBatch batch;
  Experience experience;
  for (const std::size_t index : experiences) {
    replay_.Read(index, experience);
    agent_.AddExample(experience, random, batch);
  }
  batch.Seal();
  return batch;
}

// Rises during the warm-up, then falls along half a cosine.
double ScheduledRate(double part_done, double last, std::uint64_t gradient_steps, std::uint64_t warmup) {
  const double warm = std::min(1.0, static_cast<double>(gradient_steps + 1) / (static_cast<double>(warmup) + 1));
  const double cosine = (1 + std::cos(std::numbers::pi * part_done)) / 2;
  return warm * (last + (1 - last) * cosine);
}

double Trainer::LearningRate() const {
  const double done = std::min(1.0, static_cast<double>(status_.steps) / static_cast<double>(options_.steps));
  return options_.learning_rate * ScheduledRate(done, options_.final_learning_rate, status_.gradient_steps, options_.warmup);
}

bool Trainer::Evaluate() {
  const auto plan_next = [this] {
    while (next_evaluation_ <= status_.steps) next_evaluation_ += options_.eval_every;
  };
  if (IsBootstrapping()) {
    plan_next();
    return true;
  }
  PostWaitingLearning();
  if (options_.actors != 0 && weights_given_ != status_.gradient_steps) PostWeights();
  const SeedRange ranges[] = {options_.eval_seeds, options_.validation_seeds};
  std::optional<std::vector<Evaluation>> found;
  std::optional<std::vector<Evaluation>> by_axioms;
  {
    const ScopeTimer timer(status_.time.evaluate);
    found = EvaluateIn(*domain_, ranges);
    if (found && options_.axioms_share > 0) by_axioms = EvaluateIn(*callbacks_.axioms, ranges);
  }
  if (!found || (options_.axioms_share > 0 && !by_axioms)) return false;
  plan_next();
  network_.Do([this] { status_.loss = learner_.TakeLoss(); });
  HoldTheSameWeights();
  if (ages_ != 0) status_.weights_age = std::exchange(sum_of_ages_, 0.0) / static_cast<double>(std::exchange(ages_, 0));
  status_.evaluation = found->at(0);
  status_.validation = found->at(1);
  double good = status_.validation->good();
  if (by_axioms) {
    status_.axioms_evaluation = by_axioms->at(0);
    status_.axioms_validation = by_axioms->at(1);
    good = (good + status_.axioms_validation->good()) / 2;
  }
  status_.evaluated_steps = status_.steps;
  UpdateStatus();
  // Of equally good policies the one that has learned longer is taken.
  if (!status_.best_validation || good >= *status_.best_validation) {
    status_.best_validation = good;
    status_.best_steps = status_.steps;
    if (ranks_.is_first()) {
      Tensors weights;
      network_.Do([&] { weights = learner_.Weights(); });
      callbacks_.improved(status_, weights);
    }
  }
  callbacks_.evaluated(status_);
  return true;
}

std::optional<std::vector<Evaluation>> Trainer::EvaluateIn(const Domain& domain, std::span<const SeedRange> ranges) {
  // Ranks take problems in turn.
  std::vector<std::string> problems;
  std::vector<std::size_t> range_of_problem;
  std::uint64_t number = 0;
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    for (std::uint64_t seed = ranges[r].first; seed < ranges[r].end && !*interrupted_; ++seed) {
      if (number++ % ranks_.size() != ranks_.rank()) continue;
      problems.push_back(domain.Generate(seed));
      range_of_problem.push_back(r);
    }
  }
  const std::optional<std::vector<SearchResult>> results = SolveGreedily(domain, problems);
  // Solved, right and wrong of each range, and how many ranks were interrupted.
  std::vector<std::uint64_t> counts(3 * ranges.size() + 1, 0);
  for (std::size_t i = 0; results && i < results->size() && !*interrupted_; ++i) {
    if (!(*results)[i].solved()) continue;
    std::uint64_t* const of_range = counts.data() + 3 * range_of_problem[i];
    ++of_range[0];
    const Verdict verdict = callbacks_.verify(problems[i], (*results)[i].path.back());
    if (verdict == Verdict::kRight) ++of_range[1];
    if (verdict == Verdict::kWrong) ++of_range[2];
  }
  if (!results || *interrupted_) counts.back() = 1;
  DoTogether([&] { counts = ranks_.SumCounts(counts); });
  if (counts.back() != 0) {
    agreed_stop_ = true;
    return {};
  }
  std::vector<Evaluation> evaluations;
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    const double share = 1 / static_cast<double>(std::max<std::uint64_t>(1, ranges[r].size()));
    const std::uint64_t* const of_range = counts.data() + 3 * r;
    evaluations.push_back({static_cast<double>(of_range[0]) * share, static_cast<double>(of_range[1]) * share,
                           static_cast<double>(of_range[2]) * share});
  }
  return evaluations;
}

// On processors of different kinds the same sums may be rounded differently, and what differs a little differs more later.
void Trainer::HoldTheSameWeights() {
  if (ranks_.is_alone()) return;
  DoTogether([this] {
    std::string mine;
    if (learns_) {
      const std::string weights = learner_.SaveForScoring();
      Checksum checksum;
      checksum.Add(std::as_bytes(std::span(weights)));
      mine = fmt::format("{:016x}", checksum.value());
    }
    const std::vector<std::string> all = ranks_.GatherTexts(mine);
    if (std::all_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(learners_),
                    [&](const std::string& other) { return other == all.front(); })) {
      return;
    }
    ++status_.weights_differed;
    std::string state;
    if (ranks_.is_first()) state = learner_.Save();
    ranks_.Broadcast(state, 0);
    if (!ranks_.is_first() && learns_) learner_.Restore(state);
  });
}

// Nothing if training is to stop.
std::optional<std::vector<SearchResult>> Trainer::SolveGreedily(const Domain& domain,
                                                                const std::vector<std::string>& problems) {
  if (*interrupted_) return {};
  SearchOptions search;
  search.kind = SearchKind::kGreedy;
  search.greedy.max_steps = options_.eval_max_steps;
  search.stop = interrupted_;
  LearnerScorer scorer(learner_, agent_.meaning(), network_, *interrupted_);
  std::vector<SearchResult> results = RunSearch(domain, scorer, problems, search, pool_);
  if (*interrupted_) return {};
  return results;
}

void Trainer::UpdateStatus() {
  const double seconds = stop_ == nullptr ? 0 : std::chrono::duration<double>(Clock::now() - began_).count();
  status_.seconds = earlier_seconds_ + seconds;
  status_.solved_rate = curriculum_.solved_rate();
  status_.depth_limit = curriculum_.depth_limit();
  status_.solution_length = curriculum_.mean_length();
  status_.easiest_of = curriculum_.easiest_of();
  status_.level = curriculum_.level();
  status_.size_limit = curriculum_.size_limit();
  status_.failures_waiting = curriculum_.failed().waiting();
  status_.solved_later = curriculum_.failed().solved_later();
  status_.replay_examples = ranks_.is_alone() ? replay_.size() : experiences_;
  const std::lock_guard lock(network_mutex_);
  status_.time.encode = network_time_.encode;
  status_.time.learn = network_time_.learn;
  status_.time.idle = network_time_.idle;
}

std::future<void> Trainer::PostTimed(double TimeSpent::*counter, std::function<void()> work) {
  return network_.Post([this, counter, work = std::move(work)] {
    const Clock::time_point begin = Clock::now();
    work();
    const Clock::time_point end = Clock::now();
    const std::lock_guard lock(network_mutex_);
    network_time_.idle += std::max(0.0, std::chrono::duration<double>(begin - network_free_since_).count());
    network_time_.*counter += std::chrono::duration<double>(end - begin).count();
    network_free_since_ = end;
  });
}

namespace {

nlohmann::json ToJson(const std::optional<double>& number) { return number ? nlohmann::json(*number) : nlohmann::json(); }

}  // namespace

void Trainer::WriteCheckpoint(const CheckpointFolder& checkpoints) {
  PostWaitingLearning();
  UpdateStatus();
  std::string learned;
  if (ranks_.is_first()) network_.Do([&] { learned = learner_.Save(); });
  const nlohmann::json state{{"steps", status_.steps},
                             {"problems", status_.problems},
                             {"solved", status_.solved},
                             {"by_chance_until", by_chance_until_},
                             {"gradient_steps", status_.gradient_steps},
                             {"gradient_steps_due", gradient_steps_due_},
                             {"strings_scored", status_.strings_scored},
                             {"strings_learned", status_.strings_learned},
                             {"next_evaluation", next_evaluation_},
                             {"seconds", status_.seconds},
                             {"best_steps", status_.best_steps},
                             {"best_validation", ToJson(status_.best_validation)},
                             {"evaluation", ToJson(status_.evaluation)},
                             {"validation", ToJson(status_.validation)},
                             {"axioms_evaluation", ToJson(status_.axioms_evaluation)},
                             {"axioms_validation", ToJson(status_.axioms_validation)},
                             {"evaluated_steps", status_.evaluated_steps},
                             {"time",
                              {status_.time.expand, status_.time.select, status_.time.prepare, status_.time.encode,
                               status_.time.learn, status_.time.evaluate, status_.time.idle}},
                             {"abstracted", status_.abstracted},
                             {"curriculum", curriculum_.Save()}};
  std::vector<CheckpointSection> sections = callbacks_.sections;
  sections.push_back({"trainer", [&](const WriteBytes& write) { write(state.dump()); }});
  sections.push_back({"learner", [&](const WriteBytes& write) { write(learned); }});
  std::vector<CheckpointSection> own{{"replay", [&](const WriteBytes& write) { replay_.Save(write); }}};
  if (status_.abstracted < options_.abstract_at.size()) {
    own.push_back({"solutions", [&](const WriteBytes& write) { write(solutions_.Save().dump()); }});
  }
  if (!ranks_.is_alone()) {
    const std::string of_rank = nlohmann::json{{"drawn", curriculum_.drawn()}, {"lessons", lessons_}}.dump();
    own.push_back({"rank", [of_rank](const WriteBytes& write) { write(of_rank); }});
  }
  DoTogether([&] { WriteRankCheckpoint(checkpoints, ranks_, status_.steps, sections, own); });
}

void Trainer::RestoreOwn(const std::map<std::string, std::string>& sections) {
  const auto rank = sections.find("rank");
  if (rank != sections.end()) {  // as many ranks as before
    const nlohmann::json state = nlohmann::json::parse(rank->second);
    curriculum_.DrawFrom(state.at("drawn"));
    lessons_ = state.at("lessons");
    replay_.Restore(sections.at("replay"));
    return;
  }
  lessons_ = status_.problems;
  if (ranks_.is_alone() && sections.contains("replay")) return replay_.Restore(sections.at("replay"));
  // What other ranks had is dealt out. Whatever they drew is behind all of them.
  std::vector<std::string_view> parts;
  std::uint64_t drawn = curriculum_.drawn();
  if (sections.contains("replay")) parts.push_back(sections.at("replay"));
  for (std::size_t i = 0; sections.contains(fmt::format("rank.{}", i)); ++i) {
    const nlohmann::json state = nlohmann::json::parse(sections.at(fmt::format("rank.{}", i)));
    drawn = std::max(drawn, state.at("drawn").get<std::uint64_t>());
    lessons_ = std::max(lessons_, state.at("lessons").get<std::uint64_t>());
    parts.push_back(sections.at(fmt::format("replay.{}", i)));
  }
  if (parts.empty()) throw std::out_of_range("replay");
  const std::size_t searcher = options_.actors == 0 ? ranks_.rank() : ranks_.rank() - (searches_ ? learners_ : 0);
  curriculum_.DrawFrom(drawn + searcher);
  if (learns_) Deal(parts);
}

void Trainer::RestoreSolutions(const std::map<std::string, std::string>& sections) {
  const auto own = sections.find("solutions");
  if (own != sections.end()) return solutions_.Restore(nlohmann::json::parse(own->second));
  // Those of other numbers of ranks are dealt out.
  for (std::size_t i = ranks_.rank(); sections.contains(fmt::format("solutions.{}", i)); i += ranks_.size()) {
    solutions_.Restore(nlohmann::json::parse(sections.at(fmt::format("solutions.{}", i))));
  }
}

// Every learners_-th experience is this rank's, beginning with the oldest.
void Trainer::Deal(std::span<const std::string_view> parts) {
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
      if (age > part.size() || number++ % learners_ != ranks_.rank()) continue;
      // The oldest of a buffer that is full stands where the next would have come.
      const std::uint64_t first = part.added() > part.size() ? part.added() % part.size() : 0;
      part.Read((first + part.size() - age) % part.size(), experience);
      replay_.Add(experience);
    }
  }
}

void Trainer::Restore(const std::map<std::string, std::string>& sections) {
  try {
    const nlohmann::json state = nlohmann::json::parse(sections.at("trainer"));
    status_.steps = state.at("steps");
    status_.problems = state.at("problems");
    status_.solved = state.at("solved");
    by_chance_until_ = state.value("by_chance_until", std::uint64_t{0});  // older checkpoints do not have it
    status_.gradient_steps = state.at("gradient_steps");
    gradient_steps_due_ = state.at("gradient_steps_due");
    status_.strings_scored = state.at("strings_scored");
    status_.strings_learned = state.at("strings_learned");
    next_evaluation_ = state.at("next_evaluation");
    earlier_seconds_ = state.at("seconds");
    status_.best_steps = state.at("best_steps");
    const nlohmann::json& best = state.at("best_validation");
    if (!best.is_null()) status_.best_validation = best.get<double>();
    status_.evaluation = EvaluationOf(state.at("evaluation"));
    status_.validation = EvaluationOf(state.at("validation"));
    // Older checkpoints do not have them.
    status_.axioms_evaluation = EvaluationOf(state.value("axioms_evaluation", nlohmann::json()));
    status_.axioms_validation = EvaluationOf(state.value("axioms_validation", nlohmann::json()));
    status_.evaluated_steps = state.at("evaluated_steps");
    const nlohmann::json& time = state.at("time");
    status_.time = {time.at(0), time.at(1), time.at(2), time.at(3), time.at(4), time.at(5), time.at(6)};
    network_time_ = status_.time;
    status_.abstracted = state.value("abstracted", std::size_t{0});  // older checkpoints do not have it
    curriculum_.Restore(state.at("curriculum"));
    RestoreOwn(sections);
    RestoreSolutions(sections);
    weights_given_ = status_.gradient_steps;
    network_.Do([&] { learner_.Restore(sections.at("learner")); });
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("the checkpoint is damaged: {}", error.what()));
  } catch (const std::out_of_range&) {
    throw Error("the checkpoint lacks a section");
  }
}

}  // namespace conpole

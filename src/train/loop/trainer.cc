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

Trainer::Share::Share(const TrainOptions& options, const Ranks& ranks)
    : group_size(std::max<std::size_t>(1, options.in_flight / (kGroups * ranks.size()))),
      report_size(TurnReport::BytesFor(group_size)),
      batch(ranks.ShareOf(options.batch)),
      seed(ranks.is_first() ? options.seed : SeedOf(options.seed, RandomStream::kRank, ranks.rank())) {}

Trainer::Trainer(const Domain& domain, const Agent& agent, Learner& learner, const TrainOptions& options,
                 TrainCallbacks callbacks, Ranks& ranks)
    : TrainingLoop(domain, options, std::move(callbacks), ranks),
      agent_(agent),
      learner_(learner),
      share_(options, ranks),
      curriculum_(options),
      replay_(EmptyReplay()),
      chance_scorer_(MakeRandomScorer(share_.seed)) {
  curriculum_.TakeShare(ranks.rank(), ranks.size());
}

ReplayBuffer Trainer::EmptyReplay() const { return ReplayBuffer((options_.replay + ranks_.size() - 1) / ranks_.size()); }

bool Trainer::Run(const std::atomic<bool>& stop, const CheckpointFolder& checkpoints) {
  Begin(stop);
  stop_ = ranks_.is_alone() ? &stop : &agreed_.stop;
  agreed_.stop = false;
  agreed_.time_is_over = IsTimeOver();  // by what the checkpoint says, which is the same for all
  agreed_.checkpoint_is_due = agreed_.checkpoint_was_asked_for = false;
  const std::uint64_t experiences = replay_.size();
  DoTogether([&] { experiences_ = ranks_.SumCounts({&experiences, 1}).front(); });
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
    if (AreAbstractionsDue()) {
      FinishSearches();
      if (*stop_) break;
      TakeAbstractions();
    }
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
  for (std::size_t i = 0; i < kGroups; ++i) groups_.push_back({LockstepGroup(*domain_, pool_, stop_), {}, {}, {}, {}, {}, 0});
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
    TakeLesson(group.tasks.at(tag), search);
    group.tasks.erase(tag);
  });
  while (!is_finishing_ && group.searches.size() < share_.group_size) {
    const std::size_t tag = begun_++;
    const Curriculum::Task& task =
        group.tasks.emplace(tag, curriculum_.NextTask(*domain_, agent_.takes_solved_problems())).first->second;
    const SearchTerms terms{curriculum_.depth_limit(), SeedOf(options_.seed, RandomStream::kSearch, curriculum_.drawn()),
                            static_cast<double>(std::size_t{1} << schedule_.remedies())};
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
  if (!LooksForAbstractions() || status_.solved < kSolutionsNeeded) return false;
  const auto times = std::ranges::count_if(options_.abstract_at, [&](std::uint64_t steps) { return status_.steps >= steps; });
  const bool is_time = status_.abstracted < static_cast<std::size_t>(times) + schedule_.remedies();
  // What is nearly solved needs no larger steps, and would have to learn them.
  return is_time && status_.best_validation.value_or(0) < kNearlySolved;
}

void Trainer::TakeAbstractions() {
  std::vector<SolutionPath> solutions(solutions_.begin(), solutions_.end());
  std::erase_if(solutions,
                [this](const SolutionPath& path) { return callbacks_.verify(path.front(), path.back()) == Verdict::kWrong; });
  AbstractionSet found;
  DoTogether([&] {
    if (!ranks_.is_alone()) {
      const std::vector<std::string> of_ranks = ranks_.GatherTexts(nlohmann::json(solutions).dump());
      solutions.clear();
      for (const std::string& text : of_ranks) {
        for (const nlohmann::json& path : nlohmann::json::parse(text)) solutions.push_back(path);
      }
    }
    if (ranks_.is_first()) found = MineAbstractionsOfPaths(*domain_, solutions, {.most = kActionsMade}).set;
    if (ranks_.is_alone()) return;
    std::string text = found.abstractions.empty() ? "" : FormatAbstractions(found);
    ranks_.Broadcast(text, 0);
    if (!text.empty()) found = ParseAbstractions(text);
  });
  ++status_.abstracted;
  if (found.abstractions.empty()) return;
  domain_ = &callbacks_.take_abstractions(found);
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
}

void Trainer::DoTogether(const std::function<void()>& work) {
  if (ranks_.is_alone()) return work();
  network_.Do(work);
}

void Trainer::TakeLesson(const Curriculum::Task& task, const GuidedSearch& search) {
  const SearchResult& result = search.result();
  Random random = RandomOf(share_.seed, RandomStream::kLesson, lessons_++);
  if (result.solved() && LooksForAbstractions()) KeepSolution(result.path);
  if (callbacks_.tried && lessons_ % kTriedShownEvery == 0) callbacks_.tried({task.problem, result.path});
  const double earned = agent_.Teach(DomainOf(task), search, random, replay_);
  const std::uint64_t steps = agent_.StepsOf(search);
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
  experiences_ = 0;
  status_.seconds_waited.clear();
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    const TurnReport report = TurnReport::Read(std::span(all).subspan(i * share_.report_size, share_.report_size));
    status_.steps += report.steps;
    status_.strings_scored += report.strings_scored;
    status_.strings_learned += report.strings_learned;
    gradient_steps_due_ += report.gradient_steps;
    group.searches_left += report.searches_left;
    experiences_ += report.experiences;
    status_.seconds_waited.push_back(report.seconds_waited);
    for (const TurnReport::Outcome& outcome : report.outcomes) Count(outcome);
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
  if (SearchesByChance()) return chance_scorer_->Score(batch, scores);
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
  if (IsBootstrapping() || gradient_steps_due_ < 1 || !HasExperiences()) return;
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
  const std::vector<std::size_t> experiences = DrawExperiences(count, per_batch);
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
  learner_.ScoreBySlowCopy({lookahead.texts(), hashes, lookahead.pairs()}, scores, ranks_.is_alone() ? stop_ : nullptr);
  if (learning_stop()) return false;
  CheckScores(scores);
  agent_.SetTargets(scores, batch);
  return true;
}

std::vector<std::size_t> Trainer::DrawExperiences(std::size_t batches, std::size_t per_batch) const {
  std::vector<std::size_t> drawn;
  if (replay_.size() == 0) return drawn;
  for (std::size_t i = 0; i < batches; ++i) {
    Random random = RandomOf(share_.seed, RandomStream::kBatch, status_.gradient_steps + i * per_batch);
    for (std::size_t k = 0; k < share_.batch; ++k) drawn.push_back(random.Uint64(0, replay_.size()));
  }
  if (batches == 1) return drawn;
  // Examples of similar length learn together, so that none waits for a long text.
  std::vector<std::pair<std::size_t, std::size_t>> by_length;
  for (const std::size_t index : drawn) by_length.emplace_back(replay_.LongestText(index), index);
  std::sort(by_length.begin(), by_length.end());
  // In an order that has nothing to do with length, and is the same on all ranks.
  std::vector<std::size_t> order(batches);
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomOf(options_.seed, RandomStream::kBatchOrder, status_.gradient_steps).Shuffle(std::span(order));
  for (std::size_t i = 0; i < batches; ++i) {
    for (std::size_t k = 0; k < share_.batch; ++k) drawn[i * share_.batch + k] = by_length[order[i] * share_.batch + k].second;
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

bool Trainer::Evaluate() {
  if (IsBootstrapping()) {
    PlanNextEvaluation();
    LookAtProgress(0);
    return true;
  }
  PostWaitingLearning();
  LearnerScorer scorer(learner_, agent_.meaning(), network_, *interrupted_);
  if (!TryPolicy(scorer, EvaluationSteps(curriculum_.long_length()))) {
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
  return curriculum_.size_limit() + (IsBootstrapping() ? status_.solved : agent_.solved_by_chance());
}

std::string Trainer::LeavePlateau() {
  curriculum_.StepBack();
  std::string text =
      fmt::format("beams are {} wide from now on",
                  SearchTerms{0, 0, static_cast<double>(std::size_t{1} << schedule_.remedies())}.WidthOf(options_.beam));
  if (curriculum_.size_limit() != 0) text += fmt::format(", problems are cut down to {} characters", curriculum_.size_limit());
  if (AreAbstractionsDue()) text += ", and larger steps are looked for in the latest solutions";
  return text;
}

double Trainer::PartDone() const {
  // Clocks differ; what follows them would, too.
  if (ranks_.is_alone()) return TrainingLoop::PartDone();
  return agreed_.time_is_over ? 1 : schedule_.PartDone(status_.steps, 0);
}

void Trainer::UpdateStatus() {
  TrainingLoop::UpdateStatus();
  ShowCurriculum(curriculum_);
  status_.replay_examples = ranks_.is_alone() ? replay_.size() : experiences_;
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
  const nlohmann::json state{
      {"by_chance_until", by_chance_until_}, {"gradient_steps_due", gradient_steps_due_}, {"curriculum", curriculum_.Save()}};
  std::vector<CheckpointSection> own{{"replay", [&](const WriteBytes& write) { replay_.Save(write); }}};
  if (LooksForAbstractions()) {
    own.push_back({"solutions", [&](const WriteBytes& write) { write(nlohmann::json(solutions_).dump()); }});
  }
  if (!ranks_.is_alone()) {
    const std::string of_rank = nlohmann::json{{"curriculum", curriculum_.Save()}, {"lessons", lessons_}}.dump();
    own.push_back({"rank", [of_rank](const WriteBytes& write) { write(of_rank); }});
  }
  WriteSections(checkpoints, state, learned, own);
}

void Trainer::RestoreOwn(const std::map<std::string, std::string>& sections) {
  const auto rank = sections.find("rank");
  if (rank != sections.end()) {  // as many ranks as before
    const nlohmann::json state = nlohmann::json::parse(rank->second);
    curriculum_.Restore(state.at("curriculum"));  // what this rank drew and began is its own
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
    drawn = std::max(drawn, state.at("curriculum").at("drawn").get<std::uint64_t>());
    lessons_ = std::max(lessons_, state.at("lessons").get<std::uint64_t>());
    parts.push_back(sections.at(fmt::format("replay.{}", i)));
  }
  if (parts.empty()) throw std::out_of_range("replay");
  curriculum_.DrawFrom(drawn + ranks_.rank());
  Deal(parts);
}

void Trainer::KeepSolution(const SolutionPath& path) {
  solutions_.push_back(path);
  if (solutions_.size() > std::max<std::size_t>(1, kSolutionsKept / ranks_.size())) solutions_.pop_front();
}

void Trainer::RestoreSolutions(const std::map<std::string, std::string>& sections) {
  const auto restore = [this](const std::string& text) {
    for (const nlohmann::json& path : nlohmann::json::parse(text)) KeepSolution(path.get<SolutionPath>());
  };
  const auto own = sections.find("solutions");
  if (own != sections.end()) return restore(own->second);
  // Those of other numbers of ranks are dealt out.
  for (std::size_t i = ranks_.rank(); sections.contains(fmt::format("solutions.{}", i)); i += ranks_.size()) {
    restore(sections.at(fmt::format("solutions.{}", i)));
  }
}

// Every ranks_.size()-th experience is this rank's, beginning with the oldest.
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
      if (age > part.size() || number++ % ranks_.size() != ranks_.rank()) continue;
      // The oldest of a buffer that is full stands where the next would have come.
      const std::uint64_t first = part.added() > part.size() ? part.added() % part.size() : 0;
      part.Read((first + part.size() - age) % part.size(), experience);
      replay_.Add(experience);
    }
  }
}

void Trainer::RestoreMore(const nlohmann::json& state, const std::map<std::string, std::string>& sections) {
  by_chance_until_ = state.at("by_chance_until");
  gradient_steps_due_ = state.at("gradient_steps_due");
  network_.Count({status_.time.encode, status_.time.learn, status_.time.idle});
  curriculum_.Restore(state.at("curriculum"));
  RestoreOwn(sections);
  RestoreSolutions(sections);
  network_.Do([&] { learner_.Restore(sections.at("learner")); });
}

}  // namespace conpole

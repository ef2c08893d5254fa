#include "train/trainer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "search/run_search.h"
#include "search/scorers.h"
#include "train/evaluation_json.h"
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

// Streams of random numbers, each a function of the run's seed and a counter, so that there is no state to be saved.
enum : std::uint64_t { kLessonStream = 1, kBatchStream = 2, kSearchStream = 3 };

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

Trainer::Trainer(const Domain& domain, const Agent& agent, Learner& learner, const TrainOptions& options,
                 TrainCallbacks callbacks)
    : domain_(domain),
      agent_(agent),
      learner_(learner),
      options_(options),
      callbacks_(std::move(callbacks)),
      pool_(options.threads),
      curriculum_(options),
      replay_(options.replay, options.replay_keeps),
      random_scorer_(MakeRandomScorer(options.seed)) {}

bool Trainer::Run(const std::atomic<bool>& stop, const CheckpointFolder& checkpoints) {
  stop_ = &stop;
  began_ = Clock::now();
  const auto is_over = [this] {
    return status_.steps >= options_.steps && !HasToLearnAtEnd() &&
           (IsBootstrapping() || status_.evaluated_steps == status_.steps);
  };
  if (is_over() && status_.evaluation) return true;
  network_free_since_ = began_;
  groups_.clear();
  for (std::size_t i = 0; i < kGroups; ++i) groups_.push_back({LockstepGroup(domain_, pool_, stop_), {}, {}});
  const auto minutes_since = [](Clock::time_point begin) {
    return std::chrono::duration<double, std::ratio<60>>(Clock::now() - begin).count();
  };
  Clock::time_point last_checkpoint = began_;
  Clock::time_point last_shown = began_;
  const auto goes_on = [&] { return !stop && (options_.minutes == 0 || minutes_since(began_) < options_.minutes); };
  const auto report = [&] {
    if (Clock::now() - last_shown > std::chrono::seconds(1)) {
      last_shown = Clock::now();
      callbacks_.show(status_);
    }
    if (!resumes_exactly() && minutes_since(last_checkpoint) > options_.checkpoint_minutes) {
      WriteCheckpoint(checkpoints);
      last_checkpoint = Clock::now();
    }
  };
  while (status_.steps < options_.steps && goes_on()) {
    for (Group& group : groups_) TakeTurn(group);
    UpdateStatus();
    if (status_.steps >= next_evaluation_) {
      if (resumes_exactly()) FinishSearches();
      if (stop || !Evaluate()) break;
      if (resumes_exactly()) WriteCheckpoint(checkpoints);
    }
    report();
  }
  for (Group& group : groups_) {
    if (group.scored.valid()) group.scored.get();
    if (group.learned.valid()) group.learned.get();
    // What the unfinished searches have done so far is done again after resuming.
    group.searches.RemoveAll([](std::size_t, const GuidedSearch&) {});
  }
  TakeBackGradientStepsLeftOut();
  while (status_.steps >= options_.steps && HasToLearnAtEnd() && goes_on()) {
    LearnAtEnd();
    UpdateStatus();
    report();
  }
  if (status_.steps >= options_.steps && !HasToLearnAtEnd() && !is_over()) Evaluate();
  // What is written now would be the state of a run that threw searches away, which one that was not stopped never does.
  if (is_over() || !resumes_exactly()) WriteCheckpoint(checkpoints);
  return is_over();
}

void Trainer::TakeTurn(Group& group) {
  // 1. Wait.
  if (group.scored.valid()) group.scored.get();
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
  group.searches.RemoveFinished([this](std::size_t, const GuidedSearch& search) { TakeLesson(search); });
  while (!is_finishing_ && group.searches.size() < std::max<std::size_t>(1, options_.in_flight / kGroups)) {
    const std::string problem = curriculum_.NextProblem(domain_, agent_.takes_solved_problems());
    const SearchTerms terms{curriculum_.depth_limit(), MixHash(MixHash(options_.seed, kSearchStream), curriculum_.drawn())};
    group.searches.Start(0, agent_.MakeSearch(domain_, problem, terms, group.searches.TakeMemory()));
  }
  // 3. and 4. Give the network work.
  if (!group.searches.Collect(/*distinct_texts=*/true)) return;
  PostScores(group);
  PostGradientSteps(group);
}

void Trainer::FinishSearches() {
  is_finishing_ = true;
  const auto are_some_left = [this] {
    return std::any_of(groups_.begin(), groups_.end(), [](const Group& group) { return group.searches.size() != 0; });
  };
  while (are_some_left() && !*stop_) {
    for (Group& group : groups_) TakeTurn(group);
  }
  is_finishing_ = false;
  for (Group& group : groups_) {
    if (group.scored.valid()) group.scored.get();
    if (group.learned.valid()) group.learned.get();
  }
  UpdateStatus();
}

void Trainer::TakeLesson(const GuidedSearch& search) {
  const SearchResult& result = search.result();
  Random random = RandomOf(options_.seed, kLessonStream, status_.problems);
  ++status_.problems;
  status_.steps += agent_.StepsOf(search);
  curriculum_.Report(result.solved(), result.steps());
  if (result.solved()) ++status_.solved;
  if (curriculum_.none_solved_lately()) by_chance_until_ = status_.solved + agent_.solved_by_chance();
  gradient_steps_due_ += agent_.Teach(domain_, search, random, replay_);
}

void Trainer::PostScores(Group& group) {
  const ScoreBatch batch = group.searches.batch();
  const std::span<float> scores = group.searches.scores();
  if (batch.pairs.empty()) return;
  if (SearchesByChance()) return random_scorer_->Score(batch, scores);
  status_.strings_scored += batch.texts.size();
  group.scored = PostTimed(&TimeSpent::encode, [this, batch, scores] {
    learner_.Score(batch, scores, stop_);
    if (!*stop_) CheckScores(scores);
  });
}

void Trainer::PostGradientSteps(Group& group) {
  // Those of the turn before last are done by now, or soon; what went wrong in them is thrown here.
  if (group.learned.valid()) group.learned.get();
  if (IsBootstrapping() || gradient_steps_due_ < 1 || replay_.size() == 0) return;
  const std::size_t per_batch = agent_.gradient_steps_per_batch();
  const std::size_t due = static_cast<std::size_t>(gradient_steps_due_) / per_batch;
  const std::size_t batches = std::min(due, std::max<std::size_t>(1, kMaxGradientSteps / per_batch));
  if (batches == 0) return;
  gradient_steps_due_ -= static_cast<double>(batches * per_batch);
  group.learned = PostBatches(batches, per_batch);
}

std::future<void> Trainer::PostBatches(std::size_t count, std::size_t per_batch) {
  auto batches = std::make_shared<std::vector<TrainingBatch>>(count);
  pool_.For(count, [&](std::size_t i) { (*batches)[i] = MakeBatch(status_.gradient_steps + i * per_batch); });
  status_.learning_rate = LearningRate();
  status_.gradient_steps += count * per_batch;
  for (const TrainingBatch& batch : *batches) status_.strings_learned += per_batch * batch.texts().size();
  return PostTimed(&TimeSpent::learn,
                   [this, batches, per_batch, rate = status_.learning_rate] { TakeGradientSteps(*batches, per_batch, rate); });
}

void Trainer::TakeGradientSteps(std::vector<TrainingBatch>& batches, std::size_t per_batch, double rate) {
  for (TrainingBatch& batch : batches) {
    for (std::size_t i = 0; i < per_batch; ++i) {
      // Gradient steps may be slow, and whoever interrupts should not wait.
      if (*stop_ || !SetTargets(batch)) {
        ++gradient_steps_left_out_;
      } else {
        learner_.Learn(batch, rate);
      }
    }
  }
  if (!*stop_) learner_.Refresh();
}

void Trainer::LearnAtEnd() {
  const std::uint64_t left = agent_.gradient_steps_at_end() - status_.gradient_steps;
  PostBatches(std::min<std::uint64_t>(left, kMaxGradientSteps), 1).get();
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
  learner_.ScoreBySlowCopy({lookahead.texts(), hashes, lookahead.pairs()}, scores, stop_);
  if (*stop_) return false;
  CheckScores(scores);
  agent_.SetTargets(scores, batch);
  return true;
}

TrainingBatch Trainer::MakeBatch(std::uint64_t gradient_step) const {
  TrainingBatch batch;
  Random random = RandomOf(options_.seed, kBatchStream, gradient_step);
  Experience experience;
  for (std::size_t i = 0; i < options_.batch; ++i) {
    replay_.Read(random.Uint64(0, replay_.size()), experience);
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
  const SeedRange ranges[] = {options_.eval_seeds, options_.validation_seeds};
  Evaluation evaluations[std::size(ranges)];
  {
    const ScopeTimer timer(status_.time.evaluate);
    std::vector<std::string> problems;
    for (const SeedRange& range : ranges) {
      for (std::uint64_t seed = range.first; seed < range.end && !*stop_; ++seed) problems.push_back(domain_.Generate(seed));
    }
    const std::optional<std::vector<SearchResult>> results = SolveGreedily(problems);
    if (!results) return false;
    std::size_t index = 0;
    for (std::size_t r = 0; r < std::size(ranges); ++r) {
      const double share = 1 / static_cast<double>(std::max<std::uint64_t>(1, ranges[r].size()));
      std::uint64_t solved = 0;
      std::uint64_t right = 0;
      std::uint64_t wrong = 0;
      for (std::uint64_t i = 0; i < ranges[r].size(); ++i, ++index) {
        if (*stop_) return false;
        if (!(*results)[index].solved()) continue;
        ++solved;
        const Verdict verdict = callbacks_.verify(problems[index], (*results)[index].path.back());
        if (verdict == Verdict::kRight) ++right;
        if (verdict == Verdict::kWrong) ++wrong;
      }
      evaluations[r] = {static_cast<double>(solved) * share, static_cast<double>(right) * share,
                        static_cast<double>(wrong) * share};
    }
  }
  plan_next();
  network_.Do([this] { status_.loss = learner_.TakeLoss(); });
  status_.evaluation = evaluations[0];
  status_.validation = evaluations[1];
  status_.evaluated_steps = status_.steps;
  UpdateStatus();
  // Of equally good policies the one that has learned longer is taken.
  if (!status_.best_validation || status_.validation->good() >= *status_.best_validation) {
    status_.best_validation = status_.validation->good();
    status_.best_steps = status_.steps;
    Tensors weights;
    network_.Do([&] { weights = learner_.Weights(); });
    callbacks_.improved(status_, weights);
  }
  callbacks_.evaluated(status_);
  return true;
}

// Nothing if training is to stop.
std::optional<std::vector<SearchResult>> Trainer::SolveGreedily(const std::vector<std::string>& problems) {
  if (*stop_) return {};
  SearchOptions search;
  search.kind = SearchKind::kGreedy;
  search.greedy.max_steps = options_.eval_max_steps;
  search.stop = stop_;
  LearnerScorer scorer(learner_, agent_.meaning(), network_, *stop_);
  std::vector<SearchResult> results = RunSearch(domain_, scorer, problems, search, pool_);
  if (*stop_) return {};
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
  status_.replay_examples = replay_.size();
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
  UpdateStatus();
  std::string learned;
  network_.Do([&] { learned = learner_.Save(); });
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
                             {"evaluated_steps", status_.evaluated_steps},
                             {"time",
                              {status_.time.expand, status_.time.select, status_.time.prepare, status_.time.encode,
                               status_.time.learn, status_.time.evaluate, status_.time.idle}},
                             {"curriculum", curriculum_.Save()}};
  std::vector<CheckpointSection> sections = callbacks_.sections;
  sections.push_back({"trainer", [&](const WriteBytes& write) { write(state.dump()); }});
  sections.push_back({"learner", [&](const WriteBytes& write) { write(learned); }});
  sections.push_back({"replay", [&](const WriteBytes& write) { replay_.Save(write); }});
  checkpoints.Write(status_.steps, sections);
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
    status_.evaluated_steps = state.at("evaluated_steps");
    const nlohmann::json& time = state.at("time");
    status_.time = {time.at(0), time.at(1), time.at(2), time.at(3), time.at(4), time.at(5), time.at(6)};
    network_time_ = status_.time;
    curriculum_.Restore(state.at("curriculum"));
    replay_.Restore(sections.at("replay"));
    network_.Do([&] { learner_.Restore(sections.at("learner")); });
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("the checkpoint is damaged: {}", error.what()));
  } catch (const std::out_of_range&) {
    throw Error("the checkpoint lacks a section");
  }
}

}  // namespace conpole

#include "train/loop/packed_search_trainer.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include <nlohmann/json.hpp>

#include "search/packed_scorer.h"
#include "util/random.h"
#include "util/stopwatch.h"

namespace conpole {
namespace {

// Making a policy of what was learned takes as long as some gradient steps.
constexpr std::uint64_t kGradientStepsPerPolicy = 64;

// In one turn; the rest waits for the next ones, so that search and an interruption do not wait for long.
constexpr std::size_t kMaxStepsOfATurn = 64;

constexpr std::size_t kExamplesPerTask = 1024;

// Problems grow by the parameter that bounds them, such as max_moves, if the domain has one.
TrainOptions WithGrowth(const Domain& domain, TrainOptions options) {
  for (const Parameter& parameter : domain.type().parameters) {
    if (parameter.name.starts_with("max_")) options.grow = parameter.name;
  }
  return options;
}

}  // namespace

PackedSearchTrainer::PackedSearchTrainer(const Domain& domain, PackedLearner& learner, const TrainOptions& options,
                                         TrainCallbacks callbacks)
    : PackedTrainer(domain, learner, options, std::move(callbacks)),
      hash_(layout_),
      curriculum_(WithGrowth(domain, options)),
      replay_(layout_.cells, options.replay) {}

void PackedSearchTrainer::TakeTurn() {
  StartProblems();
  AskPolicy();
  if (*interrupted_) return;
  StepSearches();
  TakeLessons();
  Learn();
  RenewPolicy();
  ++turns_;
}

void PackedSearchTrainer::StartProblems() {
  const ScopeTimer timer(status_.time.prepare);
  while (searches_.size() < options_.in_flight) {
    const std::vector<std::uint8_t> problem = PackState(layout_, curriculum_.NextProblem(*domains_.front()));
    searches_.emplace_back(layout_, hash_, problem,
                           NarrowBeam::Options{options_.beam, curriculum_.depth_limit(), options_.beam_value});
  }
  // Near the end of the budget only as many go on as there are steps for; the last may take a little more.
  const std::uint64_t left = options_.steps == 0 ? std::numeric_limits<std::uint64_t>::max()
                                                 : options_.steps - std::min(options_.steps, status_.steps);
  std::uint64_t needed = 0;
  std::size_t count = 0;
  while (count < searches_.size() && needed < left) needed += searches_[count++].frontier_size();
  if (count > 1 && needed > left) --count;
  searches_.erase(searches_.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, count)), searches_.end());
}

void PackedSearchTrainer::AskPolicy() {
  const ScopeTimer timer(status_.time.encode);
  places_.assign(1, 0);
  states_.clear();
  for (const NarrowBeam& search : searches_) {
    const std::span<const std::uint8_t> frontier = search.Frontier();
    states_.insert(states_.end(), frontier.begin(), frontier.end());
    places_.push_back(places_.back() + search.frontier_size());
  }
  preferences_.resize(places_.back() * layout_.actions());
  if (SearchesByChance()) {
    Random random = RandomOf(options_.seed, RandomStream::kSearch, turns_);
    for (float& preference : preferences_) preference = static_cast<float>(random.Next32()) * 0x1p-32F;
    return;
  }
  ScoreInPieces(*policy_, layout_, states_, preferences_, nullptr, interrupted_);
  status_.strings_scored += places_.back();
  if (!*interrupted_) CheckScores(preferences_);
}

void PackedSearchTrainer::StepSearches() {
  const ScopeTimer timer(status_.time.expand);
  pool_.For(searches_.size(), [&](std::size_t i) {
    const std::size_t begin = places_[i] * layout_.actions();
    searches_[i].Step(std::span<const float>(preferences_).subspan(begin, places_[i + 1] * layout_.actions() - begin));
  });
  status_.steps += places_.back();
  examples_due_ += options_.reuse * static_cast<double>(places_.back());
}

void PackedSearchTrainer::TakeLessons() {
  const ScopeTimer timer(status_.time.prepare);
  std::vector<std::size_t> solved;
  for (std::size_t i = 0; i < searches_.size(); ++i) {
    if (searches_[i].is_over() && searches_[i].is_solved()) solved.push_back(i);
  }
  struct Lesson {
    std::vector<NarrowBeam::KnownWay> ways;
    std::size_t length = 0;  // of the solution
  };
  std::vector<Lesson> lessons(searches_.size());
  pool_.For(solved.size(), [&](std::size_t i) {
    const NarrowBeam& search = searches_[solved[i]];
    Lesson& lesson = lessons[solved[i]];
    lesson.ways = search.KnownWays();
    lesson.length = search.Solution(lesson.ways).size();
  });
  for (std::size_t i = 0; i < searches_.size(); ++i) {
    const NarrowBeam& search = searches_[i];
    if (!search.is_over()) continue;
    for (const NarrowBeam::KnownWay& way : lessons[i].ways) replay_.Add(search.State(way.state), way.action);
    ++status_.problems;
    if (search.is_solved()) ++status_.solved;
    curriculum_.Report(search.is_solved(), lessons[i].length);
    // What solves nothing teaches nothing, and a policy that is taught nothing stays as it is.
    if (curriculum_.none_solved_lately()) by_chance_until_ = status_.solved + options_.bootstrap;
  }
  std::erase_if(searches_, [](const NarrowBeam& search) { return search.is_over(); });
}

void PackedSearchTrainer::Learn() {
  if (IsBootstrapping() || replay_.size() == 0) {
    examples_due_ = 0;
    return;
  }
  status_.learning_rate = LearningRate();
  const auto of_a_step = static_cast<double>(options_.batch);
  for (std::size_t i = 0; i < kMaxStepsOfATurn && examples_due_ >= of_a_step && !*interrupted_; ++i) {
    examples_due_ -= of_a_step;
    PackedExamples batch;
    {
      const ScopeTimer timer(status_.time.prepare);
      batch = MakeBatch();
    }
    const ScopeTimer timer(status_.time.learn);
    learner_.Learn(batch, status_.learning_rate);
    ++status_.gradient_steps;
    status_.strings_learned += batch.actions.size();
  }
}

PackedExamples PackedSearchTrainer::MakeBatch() {
  PackedExamples batch;
  std::vector<std::size_t> drawn(options_.batch);
  Random random = RandomOf(options_.seed, RandomStream::kBatch, status_.gradient_steps);
  for (std::size_t& index : drawn) index = random.Uint64(0, replay_.size());
  batch.states.resize(options_.batch * layout_.cells);
  batch.actions.resize(options_.batch);
  pool_.For((options_.batch + kExamplesPerTask - 1) / kExamplesPerTask, [&](std::size_t task) {
    const std::size_t end = std::min(options_.batch, (task + 1) * kExamplesPerTask);
    for (std::size_t i = task * kExamplesPerTask; i < end; ++i) {
      std::ranges::copy(replay_.State(drawn[i]), batch.states.begin() + static_cast<std::ptrdiff_t>(i * layout_.cells));
      batch.actions[i] = replay_.Action(drawn[i]);
    }
  });
  return batch;
}

void PackedSearchTrainer::RenewPolicy() {
  if (status_.gradient_steps == 0 || (policy_ && status_.gradient_steps < policy_gradient_steps_ + kGradientStepsPerPolicy))
    return;
  const ScopeTimer timer(status_.time.learn);
  policy_ = learner_.Policy();
  policy_gradient_steps_ = status_.gradient_steps;
}

void PackedSearchTrainer::UpdateStatus() {
  PackedTrainer::UpdateStatus();
  const Curriculum* const curriculum = &curriculum_;
  ShowCurricula({&curriculum, 1});
  status_.replay_examples = replay_.size();
}

// Searches that have not ended are begun anew after resuming.
std::vector<CheckpointSection> PackedSearchTrainer::SaveMore() const {
  const nlohmann::json state{{"curriculum", curriculum_.Save()},
                             {"turns", turns_},
                             {"examples_due", examples_due_},
                             {"by_chance_until", by_chance_until_}};
  return {{"searches", [text = state.dump()](const WriteBytes& write) { write(text); }},
          {"examples", [this](const WriteBytes& write) { replay_.Save(write); }}};
}

void PackedSearchTrainer::RestoreMore(const nlohmann::json& of_loop, const std::map<std::string, std::string>& sections) {
  const nlohmann::json state = nlohmann::json::parse(sections.at("searches"));
  curriculum_.Restore(state.at("curriculum"));
  turns_ = state.at("turns");
  examples_due_ = state.at("examples_due");
  by_chance_until_ = state.at("by_chance_until");
  replay_.Restore(sections.at("examples"), layout_.actions());
  PackedTrainer::RestoreMore(of_loop, sections);
}

}  // namespace conpole

#include "train/agents/value_iteration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "search/sampling_rollout.h"
#include "train/agents/start_lookahead.h"

namespace conpole {
namespace {

// What a successor that is looked ahead to is known to be.
constexpr float kSolved = 1;

// A value head scores the candidate of a pair and nothing else, so a state is paired with itself.
constexpr ScoreBatch::Pair kTheState{0, 0};

class StartsOnlyAgent final : public AgentWith<StartLookahead> {
 public:
  StartsOnlyAgent(TrainOptions options, ValueRule rule, StartsOnly published)
      : options_(std::move(options)), rule_(std::move(rule)), published_(published) {}

  Head head() const override { return Head::kValue; }
  ScoreMeaning meaning() const override { return rule_.meaning; }
  Loss loss() const override { return rule_.loss; }
  std::size_t solved_by_chance() const override { return 0; }
  bool takes_solved_problems() const override { return published_.are_solved_ones_learned; }
  std::size_t gradient_steps_per_batch() const override { return 64; }

  std::unique_ptr<StartLookahead> Begin(const Domain& domain, const std::string& problem, const SearchTerms& /*terms*/,
                                        StateTable memory) const override {
    return std::make_unique<StartLookahead>(domain, problem, std::move(memory));
  }
  double TeachFrom(const Domain& /*domain*/, const StartLookahead& search, Random& /*random*/,
                   ReplayBuffer& replay) const override {
    const bool is_solved_problem = search.solved_state() == 0;
    if (search.successors().empty() && !is_solved_problem) return 0;
    float target = rule_.solved;
    if (!is_solved_problem) {
      float best = -std::numeric_limits<float>::infinity();
      for (const StartLookahead::Successor& successor : search.successors()) {
        best = std::max(best, rule_.worth(successor.score, successor.is_solved));
      }
      target = rule_.backup(best);
    }
    replay.Add({.texts = {search.states()[0].text()}, .pairs = {kTheState}, .targets = {target}, .learned = 1});
    return options_.gradient_steps;
  }
  std::uint64_t StepsOf(const GuidedSearch& search) const override { return 1 + search.result().edges; }
  void AddExample(const Experience& experience, Random& /*random*/, TrainingBatch& batch) const override {
    AddPairsWithLookahead(experience, batch);
  }

 private:
  TrainOptions options_;
  ValueRule rule_;
  StartsOnly published_;
};

class WalkingAgent final : public AgentWith<SamplingRollout> {
 public:
  WalkingAgent(TrainOptions options, ValueRule rule) : options_(std::move(options)), rule_(std::move(rule)) {}

  Head head() const override { return Head::kValue; }
  ScoreMeaning meaning() const override { return rule_.meaning; }
  Loss loss() const override { return rule_.loss; }
  TargetNetwork target_network() const override { return {.every = options_.target_every}; }
  std::size_t solved_by_chance() const override { return 0; }

  std::unique_ptr<SamplingRollout> Begin(const Domain& domain, const std::string& problem, const SearchTerms& terms,
                                         StateTable memory) const override {
    const SamplingOptions sampling{.max_steps = terms.max_steps,
                                   .temperature = options_.temperature,
                                   .epsilon = options_.epsilon,
                                   .scores_are_odds = rule_.meaning == ScoreMeaning::kLogOdds};
    return std::make_unique<SamplingRollout>(domain, problem, sampling, terms.seed, std::move(memory));
  }

  double TeachFrom(const Domain& domain, const SamplingRollout& search, Random& /*random*/,
                   ReplayBuffer& replay) const override {
    for (std::size_t i = 0; i < search.listed(); ++i) replay.Add(ExampleOf(domain, search, i));
    if (search.solved_state() != StateTable::kNone) {
      const std::string_view solved = search.states()[search.solved_state()].text();
      replay.Add({.texts = {solved}, .pairs = {kTheState}, .targets = {rule_.solved}, .learned = 1});
    }
    return options_.gradient_steps;
  }

  void AddExample(const Experience& experience, Random& /*random*/, TrainingBatch& batch) const override {
    AddPairsWithLookahead(experience, batch);
  }

  void SetTargets(std::span<const float> lookahead_scores, TrainingBatch& batch) const override {
    std::size_t begin = 0;
    for (std::size_t example = 0; example < batch.examples(); ++example) {
      const std::size_t end = batch.lookahead_ends()[example];
      float best = -std::numeric_limits<float>::infinity();
      for (std::size_t i = begin; i < end; ++i) {
        best = std::max(best, rule_.worth(lookahead_scores[i], !std::isnan(batch.lookahead_values()[i])));
      }
      if (begin < end) batch.mutable_targets()[example] = rule_.backup(best);
      begin = end;
    }
  }

 private:
  // A state of the walk, with all its successors to look ahead to.
  Experience ExampleOf(const Domain& domain, const SamplingRollout& search, std::size_t index) const {
    std::span<const StateTable::Id> successors = search.SuccessorsOf(index);
    successors = successors.first(std::min(successors.size(), ReplayBuffer::kMaxTexts - 1));
    Experience example{.texts = {search.states()[search.walk()[index]].text()},
                       .pairs = {kTheState},
                       .targets = {successors.empty() ? rule_.dead_end : kAskTheNetwork},
                       .learned = 1};
    // A walk ends where a solved state is listed.
    const bool may_be_solved = search.result().solved() && index + 1 == search.listed();
    for (const StateTable::Id id : successors) {
      const std::string_view text = search.states()[id].text();
      example.pairs.push_back({0, static_cast<std::uint32_t>(example.texts.size())});
      example.targets.push_back(may_be_solved && domain.Solved(text) ? kSolved : kAskTheNetwork);
      example.texts.push_back(text);
    }
    return example;
  }

  TrainOptions options_;
  ValueRule rule_;
};

}  // namespace

void AddPairsWithLookahead(const Experience& experience, TrainingBatch& batch) {
  for (std::size_t i = 0; i < experience.pairs.size(); ++i) {
    const std::string_view parent = experience.texts[experience.pairs[i].parent];
    const std::string_view candidate = experience.texts[experience.pairs[i].candidate];
    if (i < experience.learned) {
      batch.AddPair(parent, candidate, experience.targets[i]);
    } else {
      batch.AddLookahead(parent, candidate, experience.targets[i]);
    }
  }
  batch.EndExample();
}

std::unique_ptr<Agent> MakeStartsOnlyAgent(const TrainOptions& options, ValueRule rule, StartsOnly published) {
  return std::make_unique<StartsOnlyAgent>(options, std::move(rule), published);
}

std::unique_ptr<Agent> MakeWalkingAgent(const TrainOptions& options, ValueRule rule) {
  return std::make_unique<WalkingAgent>(options, std::move(rule));
}

}  // namespace conpole

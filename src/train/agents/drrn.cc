// DRRN (He and others: Deep Reinforcement Learning with a Natural Language Action Space, ACL 2016): Q-learning over the texts
// of states and actions, where an action is the state that it leads to. Solving a problem is worth 1, and each step is
// discounted:
//   Q(s, c) = 1                                                       where c is solved,
//   Q(s, c) = discount * max over the successors c' of c of Q(c, c')  elsewhere; 0 where there are none.
// Q is the sigmoid of a bilinear score. The agent walks, drawing steps by Q; every step of a walk is an experience, whether the
// walk got anywhere or not, together with the successors of the state that it led to, so that their Q is asked for anew, from a
// slow copy of the network, whenever the step is learned.
//
// As published, the agent never walks: the list of actions is not renewed after a step, so that all steps of an episode are
// drawn, at temperature 1, from the successors of the problem, until a solved one is drawn. The discount is 1, there is no slow
// copy (one that is renewed after every gradient step is none), and a successor that is solved is worth no more than the
// network says until it is drawn.
#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "search/sampling_rollout.h"
#include "train/agents/agents.h"
#include "train/agents/value_iteration.h"

namespace conpole {
namespace {

float Sigmoid(float score) { return 1 / (1 + std::exp(-score)); }

void SetTargetsToTheBest(double discount, std::span<const float> lookahead_scores, TrainingBatch& batch) {
  std::size_t begin = 0;
  for (std::size_t example = 0; example < batch.examples(); ++example) {
    const std::size_t end = batch.lookahead_ends()[example];
    float best = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const float known = batch.lookahead_values()[i];
      best = std::max(best, std::isnan(known) ? Sigmoid(lookahead_scores[i]) : known);
    }
    if (begin < end) batch.mutable_targets()[example] = static_cast<float>(discount) * best;
    begin = end;
  }
}

// The successors of the second text of an experience, and what is known of them. A dead end is worth nothing.
template <class IsSolved>
void AddLookahead(const StateTable& states, std::span<const StateTable::Id> successors, const IsSolved& is_solved,
                  Experience& experience) {
  successors = successors.first(std::min(successors.size(), ReplayBuffer::kMaxTexts - 2));
  experience.targets = {successors.empty() ? 0 : kAskTheNetwork};
  for (const StateTable::Id id : successors) {
    const std::string_view text = states[id].text();
    experience.pairs.push_back({1, static_cast<std::uint32_t>(experience.texts.size())});
    experience.targets.push_back(is_solved(text) ? 1 : kAskTheNetwork);
    experience.texts.push_back(text);
  }
}

// What both variants have in common, whose searches differ.
template <class Search>
class QLearner : public AgentWith<Search> {
 public:
  explicit QLearner(TrainOptions options) : options_(std::move(options)) {}

  Head head() const override { return Head::kBilinear; }
  ScoreMeaning meaning() const override { return ScoreMeaning::kLogOdds; }
  Loss loss() const override { return Loss::kBinary; }
  TargetNetwork target_network() const override { return {.every = options_.target_every}; }
  std::size_t solved_by_chance() const override { return 0; }

  std::unique_ptr<Search> Begin(const Domain& domain, const std::string& problem, const SearchTerms& terms,
                                StateTable memory) const override {
    const SamplingOptions sampling{.max_steps = terms.max_steps,
                                   .temperature = options_.temperature,
                                   .epsilon = options_.epsilon,
                                   .scores_are_odds = true};
    return std::make_unique<Search>(domain, problem, sampling, terms.seed, std::move(memory));
  }

  void AddExample(const Experience& experience, Random& /*random*/, TrainingBatch& batch) const override {
    AddPairsWithLookahead(experience, batch);
  }
  void SetTargets(std::span<const float> lookahead_scores, TrainingBatch& batch) const override {
    SetTargetsToTheBest(options_.discount, lookahead_scores, batch);
  }

 protected:
  TrainOptions options_;
};

class Drrn final : public QLearner<SamplingRollout> {
 public:
  using QLearner::QLearner;

  double TeachFrom(const Domain& domain, const SamplingRollout& search, Random& /*random*/,
                   ReplayBuffer& replay) const override {
    const StateTable& states = search.states();
    Experience experience;
    for (std::size_t step = 0; step + 1 < search.walk().size(); ++step) {
      const StateTable::Id next = search.walk()[step + 1];
      const bool is_solved = next == search.solved_state();
      // What lies behind the last state of a walk that ran out of steps is not known.
      if (!is_solved && step + 1 >= search.listed()) break;
      experience = {
          .texts = {states[search.walk()[step]].text(), states[next].text()}, .pairs = {{0, 1}}, .targets = {}, .learned = 1};
      if (is_solved) {
        experience.targets = {1};
      } else {
        // A walk ends where a solved state is listed.
        const bool may_be_solved = search.result().solved() && step + 2 == search.listed();
        AddLookahead(
            states, search.SuccessorsOf(step + 1), [&](std::string_view text) { return may_be_solved && domain.Solved(text); },
            experience);
      }
      replay.Add(experience);
    }
    return options_.gradient_steps;
  }
};

// An episode as it was published: it draws from the successors of the problem again and again, then lists the successors of
// what it drew, which its targets look ahead to.
class Draws final : public GuidedSearch {
 public:
  // Requires max_steps >= 1.
  Draws(const Domain& domain, const std::string& problem, const SamplingOptions& sampling, std::uint64_t seed,
        StateTable memory)
      : GuidedSearch(domain, problem, std::move(memory)), sampling_(sampling), random_(seed) {}

  void Expand(const Domain& domain, Successors& buffer) override {
    BeginCandidates();
    if (draws_.empty()) {
      ExpandState(domain, 0, buffer, [](Id, bool) {});
      if (candidates() == 0) FinishUnsolved(SearchOutcome::kExhausted);
      return;
    }
    for (const Id drawn : distinct_) {
      if (ShouldStop()) return;
      ExpandState(domain, drawn, buffer, [&](Id id, bool /*fresh*/) {
        if (id != drawn) successors_.push_back(id);
      });
      successor_ends_.push_back(successors_.size());
    }
    if (solved_ != StateTable::kNone) {
      FinishSolved(solved_);
    } else {
      FinishUnsolved(SearchOutcome::kOutOfBudget);
    }
  }

  void Select(const Domain& domain, std::span<const float> scores) override {
    std::vector<double> weights;
    while (draws_.size() < sampling_.max_steps && solved_ == StateTable::kNone) {
      const Id drawn = first_candidate() + static_cast<Id>(DrawByScore(scores, sampling_, random_, weights));
      draws_.push_back(drawn);
      if (domain.Solved(states()[drawn].text())) {
        solved_ = drawn;
      } else if (std::find(distinct_.begin(), distinct_.end(), drawn) == distinct_.end()) {
        distinct_.push_back(drawn);
      }
    }
  }

  // What was drawn, in its order.
  const std::vector<Id>& draws() const { return draws_; }
  // The successors of something that was drawn and is not solved, without itself.
  std::span<const Id> SuccessorsOf(Id drawn) const {
    const auto index = static_cast<std::size_t>(std::find(distinct_.begin(), distinct_.end(), drawn) - distinct_.begin());
    const std::size_t begin = index == 0 ? 0 : successor_ends_[index - 1];
    return std::span(successors_).subspan(begin, successor_ends_[index] - begin);
  }

 private:
  SamplingOptions sampling_;
  Random random_;
  std::vector<Id> draws_;
  std::vector<Id> distinct_;  // of those, without the solved one
  Id solved_ = StateTable::kNone;
  std::vector<Id> successors_;
  std::vector<std::size_t> successor_ends_;  // as distinct_
};

class PublishedDrrn final : public QLearner<Draws> {
 public:
  using QLearner::QLearner;

  double TeachFrom(const Domain& /*domain*/, const Draws& search, Random& /*random*/, ReplayBuffer& replay) const override {
    const StateTable& states = search.states();
    for (const StateTable::Id drawn : search.draws()) {
      Experience experience{.texts = {states[0].text(), states[drawn].text()}, .pairs = {{0, 1}}, .targets = {1}, .learned = 1};
      if (drawn != search.solved_state()) {
        AddLookahead(
            states, search.SuccessorsOf(drawn), [](std::string_view) { return false; }, experience);
      }
      replay.Add(experience);
    }
    return options_.gradient_steps;
  }

  // Every draw was a step of the environment.
  std::uint64_t StepsOf(const GuidedSearch& search) const override {
    return 1 + static_cast<const Draws&>(search).draws().size();
  }
};

}  // namespace

std::unique_ptr<Agent> MakeDrrn(const TrainOptions& options) {
  if (options.variant == Variant::kAsPublished) return std::make_unique<PublishedDrrn>(options);
  return std::make_unique<Drrn>(options);
}

void AdaptToDrrn(TrainOptions& options) {
  if (options.variant == Variant::kRepaired) return;
  options.temperature = 1;
  options.discount = 1;
  options.target_every = 1;
  options.batch = 64;
  options.easiest_of = 1;
  options.depth_start = 30;
  options.gradient_steps = 0.0625;  // one per 16 problems
  options.eval_max_steps = 29;
}

}  // namespace conpole

// DRRN (He and others: Deep Reinforcement Learning with a Natural Language Action Space, ACL 2016): Q-learning over the texts
// of states and actions, where an action is the state that it leads to. Solving a problem is worth 1, and each step is
// discounted:
//   Q(s, c) = 1                                                       where c is solved,
//   Q(s, c) = discount * max over the successors c' of c of Q(c, c')  elsewhere; 0 where there are none.
// Q is the sigmoid of a bilinear score. The agent walks, drawing steps by Q; every step of a walk is an experience, whether the
// walk got anywhere or not, together with the successors of the state that it led to, so that their Q is asked for anew, from a
// slow copy of the network, whenever the step is learned.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "search/sampling_rollout.h"
#include "train/agents/agents.h"

namespace conpole {
namespace {

constexpr float kAskTheNetwork = std::numeric_limits<float>::quiet_NaN();

float Sigmoid(float score) { return 1 / (1 + std::exp(-score)); }

class Drrn final : public AgentWith<SamplingRollout> {
 public:
  explicit Drrn(const TrainOptions& options) : options_(options) {}

  Head head() const override { return Head::kBilinear; }
  ScoreMeaning meaning() const override { return ScoreMeaning::kLogOdds; }
  Loss loss() const override { return Loss::kBinary; }
  TargetNetwork target_network() const override { return {.every = options_.target_every}; }
  std::size_t solved_by_chance() const override { return 0; }

  std::unique_ptr<SamplingRollout> Begin(const Domain& domain, const std::string& problem, const SearchTerms& terms,
                                         StateTable memory) const override {
    const SamplingOptions sampling{.max_steps = terms.max_steps,
                                   .temperature = options_.temperature,
                                   .epsilon = options_.epsilon,
                                   .scores_are_odds = true};
    return std::make_unique<SamplingRollout>(domain, problem, sampling, terms.seed, std::move(memory));
  }

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
        AddLookahead(domain, search, step + 1, experience);
      }
      replay.Add(experience);
    }
    return options_.gradient_steps;
  }

  void AddExample(const Experience& experience, Random& /*random*/, TrainingBatch& batch) const override {
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

  void SetTargets(std::span<const float> lookahead_scores, TrainingBatch& batch) const override {
    std::size_t begin = 0;
    for (std::size_t example = 0; example < batch.examples(); ++example) {
      const std::size_t end = batch.lookahead_ends()[example];
      float best = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const float known = batch.lookahead_values()[i];
        best = std::max(best, std::isnan(known) ? Sigmoid(lookahead_scores[i]) : known);
      }
      if (begin < end) batch.mutable_targets()[example] = static_cast<float>(options_.discount) * best;
      begin = end;
    }
  }

 private:
  // The successors of a state of the walk, and what is known of them. A dead end is worth nothing.
  static void AddLookahead(const Domain& domain, const SamplingRollout& search, std::size_t step, Experience& experience) {
    std::span<const StateTable::Id> successors = search.SuccessorsOf(step);
    successors = successors.first(std::min(successors.size(), ReplayBuffer::kMaxTexts - 2));
    experience.targets = {successors.empty() ? 0 : kAskTheNetwork};
    // A walk ends where a solved state is listed.
    const bool may_be_solved = search.result().solved() && step + 1 == search.listed();
    for (const StateTable::Id id : successors) {
      const std::string_view text = search.states()[id].text();
      experience.pairs.push_back({1, static_cast<std::uint32_t>(experience.texts.size())});
      experience.targets.push_back(may_be_solved && domain.Solved(text) ? 1 : kAskTheNetwork);
      experience.texts.push_back(text);
    }
  }

  TrainOptions options_;
};

}  // namespace

std::unique_ptr<Agent> MakeDrrn(const TrainOptions& options) { return std::make_unique<Drrn>(options); }

}  // namespace conpole

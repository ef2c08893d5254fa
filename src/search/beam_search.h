// Beam search, as ConPoLe learns from it. From a beam of at most K states, step t lists all successors; those never met before
// in this search are the candidates of step t, and the K of them with the highest value become the next beam. With score(s, c)
// the scorer's answer for candidate c of parent s, the value of c is one of
//   sum of scores        v(c) = v(s) + score(s, c)
//   last score           v(c) = score(s, c)
//   log-probability      v(c) = v(s) + score(s, c) - log sum over candidates c' of s of exp score(s, c')
// The last score can be any score. The others add scores along a path, which makes sense for log-preferences only.
// Equal values keep the order of arrival. Limits: steps. Every candidate of every step stays in the table, with its parent:
// training takes its positives and negatives from there. One thread at a time uses a search. Reference: Poesia, Dong, Goodman:
// Contrastive Reinforcement Learning of Symbolic Reasoning Domains, NeurIPS 2021, Algorithm 1.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "conpole/domain.h"
#include "conpole/run_search.h"
#include "conpole/scorer.h"
#include "search/lockstep.h"

namespace conpole {

// What to keep the best by, given what the scores mean: the value asked for, or else the sum of log-preferences and the last of
// other scores. Throws Error, which says what can be used instead, if these scores cannot be added.
BeamValue BeamValueFor(const BeamOptions& options, ScoreMeaning meaning);

class BeamSearch final : public GuidedSearch {
 public:
  // Requires width >= 1. A value that is not given is the sum of scores.
  BeamSearch(const Domain& domain, const std::string& problem, const BeamOptions& options, StateTable memory = {});

  Questions Ahead() override { return {beam_, options_.take_solved_candidates}; }
  void Expand(const Domain& domain, Successors& buffer) override;
  void Select(const Domain& domain, std::span<const float> scores) override;

  // From now on the search remembers the scores and the choices of every step, to be looked at when it has ended. To be called
  // before the first Expand.
  void KeepTrace() { keeps_trace_ = true; }
  struct Trace {
    std::vector<float> scores;      // of the candidates of all steps but a last one that was not scored, in their order
    std::vector<Id> chosen;         // the beam after each of these steps, the best first
    std::vector<std::size_t> ends;  // per step: one past its last in `chosen`
  };
  const Trace& trace() const { return trace_; }

  // From now on `choose` says which states are expanded next, in place of the best candidates: any that were met. It is asked
  // after each step with the trace so far, and ends the search by none. To be called before the first Expand.
  using Choose = std::function<std::vector<Id>(const BeamSearch&)>;
  void GoOnAs(Choose choose);

 private:
  void ComputeValues(std::span<const float> scores);
  // Brings the best `count` candidates to the front of order_, in order. False if it was stopped.
  bool OrderBest(std::size_t count);
  void SelectChosen();

  BeamOptions options_;
  BeamValue value_;
  std::vector<Id> beam_;
  std::vector<float> beam_values_;  // as beam_
  std::vector<Id> rank_ends_;       // one past the candidates of each state of the beam, as beam_
  std::vector<float> values_;       // per candidate
  std::vector<std::uint32_t> order_;
  bool keeps_trace_ = false;
  Trace trace_;
  Choose choose_;  // null for the best
};

}  // namespace conpole

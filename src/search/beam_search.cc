#include "search/beam_search.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "search/log_sum_exp.h"

namespace conpole {

BeamSearch::BeamSearch(const Domain& domain, const std::string& problem, const BeamOptions& options, StateTable memory)
    : GuidedSearch(domain, problem, std::move(memory)), options_(options), beam_{0}, beam_values_{0} {
  if (!finished() && options.max_steps == 0) FinishUnsolved(SearchOutcome::kOutOfBudget);
}

void BeamSearch::Expand(const Domain& domain, Successors& buffer) {
  BeginCandidates();
  step_begins_.push_back(first_candidate());
  rank_ends_.clear();
  Id solved = StateTable::kNone;
  // The whole beam is expanded even after a solution: training needs all candidates of the step.
  for (const Id parent : beam_) {
    ExpandState(domain, parent, buffer, [&](Id id, bool fresh) {
      if (!fresh || !options_.take_solved_candidates || solved != StateTable::kNone) return;
      if (domain.Solved(states()[id].text())) solved = id;
    });
    rank_ends_.push_back(states().size());
  }
  if (solved != StateTable::kNone) {
    FinishSolved(solved);
  } else if (candidates() == 0) {
    FinishUnsolved(SearchOutcome::kExhausted);
  }
}

void BeamSearch::Select(const Domain& domain, std::span<const float> scores) {
  ComputeValues(scores);
  order_.resize(scores.size());
  std::iota(order_.begin(), order_.end(), 0U);
  const std::size_t kept = std::min(options_.width, order_.size());
  const auto better = [&](std::uint32_t a, std::uint32_t b) {
    return values_[a] != values_[b] ? values_[a] > values_[b] : a < b;
  };
  std::partial_sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(kept), order_.end(), better);
  beam_.clear();
  beam_values_.clear();
  for (std::size_t k = 0; k < kept; ++k) {
    const Id id = first_candidate() + order_[k];
    if (!options_.take_solved_candidates && domain.Solved(states()[id].text())) return FinishSolved(id);
    beam_.push_back(id);
    beam_values_.push_back(values_[order_[k]]);
  }
  if (step_begins_.size() == options_.max_steps) FinishUnsolved(SearchOutcome::kOutOfBudget);
}

void BeamSearch::ComputeValues(std::span<const float> scores) {
  values_.assign(scores.begin(), scores.end());
  if (options_.value == BeamValue::kLastScore) return;
  std::size_t begin = 0;
  for (std::size_t rank = 0; rank < rank_ends_.size(); ++rank) {
    const std::size_t end = rank_ends_[rank] - first_candidate();
    float base = beam_values_[rank];
    if (options_.value == BeamValue::kLogProbability) base -= LogSumExp(scores.subspan(begin, end - begin));
    for (; begin < end; ++begin) values_[begin] += base;
  }
}

}  // namespace conpole

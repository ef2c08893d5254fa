#include "search/beam_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace conpole {

BeamSearch::BeamSearch(const Domain& domain, const std::string& problem, const BeamOptions& options)
    : GuidedSearch(domain, problem), options_(options), beam_{0}, beam_values_{0} {
  if (!finished() && options.max_steps == 0) FinishUnsolved(SearchOutcome::kOutOfBudget);
}

void BeamSearch::Expand(const Domain& domain, Successors& buffer) {
  BeginCandidates();
  step_begins_.push_back(first_candidate());
  parent_rank_.clear();
  Id solved = StateTable::kNone;
  // The whole beam is expanded even after a solution: training needs all candidates of the step.
  for (std::uint32_t rank = 0; rank < beam_.size(); ++rank) {
    ExpandState(domain, beam_[rank], buffer, [&](Id id, bool fresh) {
      if (!fresh) return;
      parent_rank_.push_back(rank);
      if (options_.take_solved_candidates && solved == StateTable::kNone && domain.Solved(states()[id].text())) solved = id;
    });
  }
  if (solved != StateTable::kNone) {
    FinishSolved(solved);
  } else if (candidates() == 0) {
    FinishUnsolved(SearchOutcome::kExhausted);
  }
}

void BeamSearch::Select(const Domain& domain, std::span<const float> scores) {
  ComputeValues(scores);
  std::vector<std::uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0U);
  const std::size_t kept = std::min(options_.width, order.size());
  const auto better = [&](std::uint32_t a, std::uint32_t b) {
    return values_[a] != values_[b] ? values_[a] > values_[b] : a < b;
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(), better);
  beam_.clear();
  beam_values_.clear();
  for (std::size_t k = 0; k < kept; ++k) {
    const Id id = first_candidate() + order[k];
    if (!options_.take_solved_candidates && domain.Solved(states()[id].text())) return FinishSolved(id);
    beam_.push_back(id);
    beam_values_.push_back(values_[order[k]]);
  }
  if (step_begins_.size() == options_.max_steps) FinishUnsolved(SearchOutcome::kOutOfBudget);
}

void BeamSearch::ComputeValues(std::span<const float> scores) {
  values_.assign(scores.begin(), scores.end());
  if (options_.value == BeamValue::kLastScore) return;
  for (std::size_t begin = 0; begin < scores.size();) {
    // The candidates of one parent stand together.
    std::size_t end = begin;
    while (end < scores.size() && parent_rank_[end] == parent_rank_[begin]) ++end;
    float base = beam_values_[parent_rank_[begin]];
    if (options_.value == BeamValue::kLogProbability) {
      const float highest = *std::max_element(scores.begin() + static_cast<std::ptrdiff_t>(begin),
                                              scores.begin() + static_cast<std::ptrdiff_t>(end));
      float sum = 0;
      for (std::size_t i = begin; i < end; ++i) sum += std::exp(scores[i] - highest);
      base -= highest + std::log(sum);
    }
    for (; begin < end; ++begin) values_[begin] += base;
  }
}

}  // namespace conpole

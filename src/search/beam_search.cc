#include "search/beam_search.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "search/beam_step.h"

namespace conpole {

BeamValue BeamValueFor(const BeamOptions& options, ScoreMeaning meaning) {
  const bool can_be_added = meaning == ScoreMeaning::kLogPreference;
  if (!options.value) return can_be_added ? BeamValue::kSumOfScores : BeamValue::kLastScore;
  if (*options.value == BeamValue::kDistance || *options.value == BeamValue::kBoth)
    throw Error("the beam values distance and both need a network over states of a fixed layout that says how far these are");
  if (!can_be_added && *options.value != BeamValue::kLastScore) {
    throw Error(fmt::format(
        "the beam values sum and log-probability need scores that are log-preferences, and these are of the kind {}; use "
        "the beam value last",
        ScoreMeaningName(meaning)));
  }
  return *options.value;
}

BeamSearch::BeamSearch(const Domain& domain, const std::string& problem, const BeamOptions& options, StateTable memory)
    : GuidedSearch(domain, problem, std::move(memory)),
      options_(options),
      value_(options.value.value_or(BeamValue::kSumOfScores)),
      beam_{0},
      beam_values_{0} {
  if (!finished() && options.max_steps == 0) FinishUnsolved(SearchOutcome::kOutOfBudget);
}

void BeamSearch::Expand(const Domain& domain, Successors& buffer) {
  BeginCandidates();
  rank_ends_.clear();
  Id solved = StateTable::kNone;
  // The whole beam is expanded even after a solution: training needs all candidates of the step.
  for (const Id parent : beam_) {
    if (ShouldStop()) return;
    ExpandState(domain, parent, buffer, [&](Id id, bool fresh) {
      if (!fresh || !options_.take_solved_candidates || solved != StateTable::kNone) return;
      if (domain.Solved(states()[id].text())) solved = id;
    });
    rank_ends_.push_back(states().size());
  }
  if (solved != StateTable::kNone) {
    FinishSolved(solved);
  } else if (candidates() == 0 && !choose_) {
    FinishUnsolved(SearchOutcome::kExhausted);
  }
}

void BeamSearch::Select(const Domain& domain, std::span<const float> scores) {
  if (keeps_trace_) trace_.scores.insert(trace_.scores.end(), scores.begin(), scores.end());
  if (choose_) return SelectChosen();
  ComputeValues(scores);
  order_.resize(scores.size());
  std::iota(order_.begin(), order_.end(), 0U);
  const std::size_t kept = std::min(options_.width, order_.size());
  if (!OrderBest(kept)) return;
  if (keeps_trace_) {
    for (std::size_t k = 0; k < kept; ++k) trace_.chosen.push_back(first_candidate() + order_[k]);
    trace_.ends.push_back(trace_.chosen.size());
  }
  beam_.clear();
  beam_values_.clear();
  for (std::size_t k = 0; k < kept; ++k) {
    if (ShouldStop()) return;
    const Id id = first_candidate() + order_[k];
    if (!options_.take_solved_candidates && domain.Solved(states()[id].text())) return FinishSolved(id);
    beam_.push_back(id);
    beam_values_.push_back(values_[order_[k]]);
  }
  if (round_begins().size() == options_.max_steps) FinishUnsolved(SearchOutcome::kOutOfBudget);
}

void BeamSearch::GoOnAs(Choose choose) {
  choose_ = std::move(choose);
  KeepTrace();
}

void BeamSearch::SelectChosen() {
  beam_ = choose_(*this);
  trace_.chosen.insert(trace_.chosen.end(), beam_.begin(), beam_.end());
  trace_.ends.push_back(trace_.chosen.size());
  if (beam_.empty()) {
    FinishUnsolved(SearchOutcome::kExhausted);
  } else if (round_begins().size() == options_.max_steps) {
    FinishUnsolved(SearchOutcome::kOutOfBudget);
  }
}

bool BeamSearch::OrderBest(std::size_t count) {
  const auto better = [&](std::uint32_t a, std::uint32_t b) {
    return values_[a] != values_[b] ? values_[a] > values_[b] : a < b;
  };
  const auto last = order_.begin() + static_cast<std::ptrdiff_t>(count);
  constexpr std::size_t kQuick = 1 << 16;
  if (order_.size() <= kQuick) {
    std::partial_sort(order_.begin(), last, order_.end(), better);
    return true;
  }
  // Millions take seconds, and the only way out of an algorithm of the library is an exception.
  struct Stopped {};
  std::uint32_t until_look = kQuick;
  const auto better_or_stopped = [&](std::uint32_t a, std::uint32_t b) {
    if (--until_look == 0) {
      until_look = kQuick;
      if (ShouldStop()) throw Stopped();
    }
    return better(a, b);
  };
  try {
    if (last != order_.end()) std::nth_element(order_.begin(), last, order_.end(), better_or_stopped);
    std::sort(order_.begin(), last, better_or_stopped);
  } catch (const Stopped&) {
    return false;
  }
  return true;
}

void BeamSearch::ComputeValues(std::span<const float> scores) {
  values_.assign(scores.begin(), scores.end());
  std::size_t begin = 0;
  for (std::size_t rank = 0; rank < rank_ends_.size(); ++rank) {
    const std::size_t end = rank_ends_[rank] - first_candidate();
    AddPathValue(value_, beam_values_[rank], std::span(values_).subspan(begin, end - begin));
    begin = end;
  }
}

}  // namespace conpole

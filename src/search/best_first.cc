#include "search/best_first.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "search/log_sum_exp.h"

namespace conpole {
namespace {

// For a heap with the lowest f on top; equal ones in the order of arrival.
constexpr auto kLater = [](const auto& a, const auto& b) { return a.f != b.f ? a.f > b.f : a.id > b.id; };

}  // namespace

BestFirstSearch::BestFirstSearch(const Domain& domain, const std::string& problem, ScoreMeaning meaning,
                                 const BestFirstTerms& terms, StateTable memory)
    : GuidedSearch(domain, problem, std::move(memory)), terms_(terms), meaning_(meaning), costs_{{0, 0, false}} {
  if (terms.is_levin && meaning != ScoreMeaning::kLogPreference) {
    throw Error(fmt::format(
        "levin goes by the probabilities of paths: it can use log-preferences, and these scores are of the kind {}; "
        "use beam or greedy, or another scorer",
        ScoreMeaningName(meaning)));
  }
  if (meaning != ScoreMeaning::kLogPreference && meaning != ScoreMeaning::kMinusStepsToGo) {
    throw Error(fmt::format(
        "bwas adds scores to steps: it can use log-preferences and steps to go, and these scores are of the kind {}; use "
        "beam or greedy, or another scorer",
        ScoreMeaningName(meaning)));
  }
  Push(0);
  if (!finished() && terms.max_expanded == 0) FinishUnsolved(SearchOutcome::kOutOfBudget);
}

GuidedSearch::Questions BestFirstSearch::Ahead() {
  if (next_.empty()) next_ = Pop();
  return {next_, true};
}

void BestFirstSearch::Expand(const Domain& domain, Successors& buffer) {
  BeginCandidates();
  Ahead();
  for (const Id parent : std::exchange(next_, {})) {
    if (ShouldStop()) return;
    const std::uint32_t steps = costs_[parent].steps + 1;
    ExpandState(domain, parent, buffer, [&](Id id, bool fresh) {
      if (fresh) {
        costs_.push_back({steps, 0, domain.Solved(states()[id].text())});
        ConsiderSolved(id);
      } else if (meaning_ == ScoreMeaning::kMinusStepsToGo && steps < costs_[id].steps) {
        ReachAgain(id, parent);
      }
    });
  }
  // All of a round is listed first, as in a beam: training needs its candidates.
  if (terms_.is_levin && best_solved_ != StateTable::kNone) FinishSolved(best_solved_);
}

void BestFirstSearch::Select(const Domain&, std::span<const float> scores) {
  if (meaning_ == ScoreMeaning::kLogPreference) {
    AddLogProbabilities(scores);
  } else {
    for (std::size_t i = 0; i < scores.size(); ++i) costs_[first_candidate() + i].to_go = -scores[i];
  }
  for (Id id = first_candidate(); id < states().size(); ++id) {
    if (ShouldStop()) return;
    if (!costs_[id].solved) Push(id);
  }
  const bool out_of_budget = result().expanded >= terms_.max_expanded;
  if (best_solved_ != StateTable::kNone && (out_of_budget || Suffices())) {
    FinishSolved(best_solved_);
  } else if (open_.empty()) {
    FinishUnsolved(SearchOutcome::kExhausted);
  } else if (out_of_budget) {
    FinishUnsolved(SearchOutcome::kOutOfBudget);
  }
}

void BestFirstSearch::Push(Id id) {
  open_.push_back({terms_.ValueOf(costs_[id].steps, costs_[id].to_go), id, costs_[id].steps});
  std::push_heap(open_.begin(), open_.end(), kLater);
}

std::vector<BestFirstSearch::Id> BestFirstSearch::Pop() {
  std::vector<Id> popped;
  const std::uint64_t wanted = std::min<std::uint64_t>(terms_.batch, terms_.max_expanded - result().expanded);
  while (popped.size() < wanted && !open_.empty() && !ShouldStop()) {
    std::pop_heap(open_.begin(), open_.end(), kLater);
    const Open best = open_.back();
    open_.pop_back();
    if (best.steps == costs_[best.id].steps) popped.push_back(best.id);
  }
  return popped;
}

void BestFirstSearch::ReachAgain(Id id, Id parent) {
  costs_[id].steps = costs_[parent].steps + 1;
  SetParent(id, parent);
  ConsiderSolved(id);
  // A candidate of this round is opened with the others, once it has its score.
  if (!costs_[id].solved && id < first_candidate()) Push(id);
}

void BestFirstSearch::ConsiderSolved(Id id) {
  if (costs_[id].solved && (best_solved_ == StateTable::kNone || costs_[id].steps < costs_[best_solved_].steps))
    best_solved_ = id;
}

void BestFirstSearch::AddLogProbabilities(std::span<const float> scores) {
  const auto parent_of = [&](std::size_t i) { return states()[first_candidate() + static_cast<Id>(i)].parent; };
  for (std::size_t begin = 0; begin < scores.size();) {
    std::size_t end = begin;
    while (end < scores.size() && parent_of(end) == parent_of(begin)) ++end;
    const double base = costs_[parent_of(begin)].to_go + LogSumExp(scores.subspan(begin, end - begin));
    for (; begin < end; ++begin) costs_[first_candidate() + begin].to_go = base - scores[begin];
  }
}

bool BestFirstSearch::Suffices() const { return open_.empty() || terms_.Suffices(costs_[best_solved_].steps, open_.front().f); }

}  // namespace conpole

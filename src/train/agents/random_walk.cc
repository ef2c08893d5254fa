#include "train/agents/random_walk.h"

#include <utility>

namespace conpole {

RandomWalk::RandomWalk(const Domain& domain, const std::string& problem, std::size_t max_steps, std::uint64_t seed,
                       StateTable memory)
    : GuidedSearch(domain, problem, std::move(memory)), max_steps_(max_steps), random_(seed), walk_{0} {}

void RandomWalk::Expand(const Domain& domain, Successors& buffer) {
  while (walk_.size() <= max_steps_) {
    if (ShouldStop()) return;
    const std::size_t first = successors_.size();
    ExpandState(domain, walk_.back(), buffer, [&](Id id, bool /*fresh*/) { successors_.push_back(id); });
    successor_ends_.push_back(successors_.size());
    BeginCandidates();  // what was listed needs no scores
    if (successors_.size() == first) return FinishUnsolved(SearchOutcome::kExhausted);
    walk_.push_back(successors_[random_.Uint64(first, successors_.size())]);
    if (domain.Solved(states()[walk_.back()].text())) return FinishSolved(walk_.back());
  }
  FinishUnsolved(SearchOutcome::kOutOfBudget);
}

std::span<const RandomWalk::Id> RandomWalk::SuccessorsOf(std::size_t index) const {
  const std::size_t begin = index == 0 ? 0 : successor_ends_[index - 1];
  return std::span(successors_).subspan(begin, successor_ends_[index] - begin);
}

}  // namespace conpole

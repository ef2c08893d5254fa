#include "python/src/ahead_domain.h"

#include <algorithm>

namespace conpole::python {

AheadDomain::AheadDomain(const Domain& domain, const PythonMethods& methods, std::span<const std::string_view> states,
                         bool solved, const StopToken& stop)
    : Domain(domain.type(), domain.parameters()), domain_(domain) {
  constexpr std::size_t kAtATime = 256;  // it may take long, and who wants to stop waits
  for (const std::string_view state : states) states_.Add(state);
  const std::span<const std::string_view> distinct = states_.texts();
  while (status_.size() < distinct.size() && !stop.StopRequested()) {
    const std::size_t count = std::min(kAtATime, distinct.size() - status_.size());
    methods.ExpandAll(distinct.subspan(status_.size(), count), Labels::kOff, successors_, status_, ends_);
    if (status_.back() == Status::kMalformed) break;
  }
  if (!solved) return;
  for (std::size_t i = 0; i < successors_.size(); ++i) asked_.Add(successors_.state(i));
  while (solved_.size() < asked_.size() && !stop.StopRequested()) {
    const std::size_t count = std::min(kAtATime, asked_.size() - solved_.size());
    methods.SolvedAll(asked_.texts().subspan(solved_.size(), count), solved_);
  }
}

Status AheadDomain::Expand(std::string_view state, Labels labels, Successors& out) const {
  const std::size_t place = labels == Labels::kOff ? states_.Find(state) : TextIndex::kNone;
  if (place >= status_.size() || status_[place] == Status::kMalformed) return domain_.Expand(state, labels, out);
  for (std::size_t i = place == 0 ? 0 : ends_[place - 1]; i < ends_[place]; ++i) {
    const std::string_view next = successors_.state(i);
    out.EndState(std::copy(next.begin(), next.end(), out.BeginState(next.size())));
  }
  return status_[place];
}

bool AheadDomain::Solved(std::string_view state) const {
  const std::size_t place = asked_.Find(state);
  return place < solved_.size() ? solved_[place] : domain_.Solved(state);
}

}  // namespace conpole::python

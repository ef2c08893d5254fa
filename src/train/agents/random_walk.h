// A walk that nothing guides: from the problem, each step goes on with one of all successors of the state, drawn evenly, also
// with one where the walk has been before. It ends at a solved state, at a dead end, or when it is out of steps. All of it
// happens in one call of Expand, so that no scores are asked for. All successors of every state of the walk stay known. One
// thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conpole/domain.h"
#include "search/lockstep.h"
#include "util/random.h"

namespace conpole {

class RandomWalk final : public GuidedSearch {
 public:
  // The walk is a function of the problem and the seed.
  RandomWalk(const Domain& domain, const std::string& problem, std::size_t max_steps, std::uint64_t seed,
             StateTable memory = {});

  void Expand(const Domain& domain, Successors& buffer) override;
  // Never called: a walk has finished once it was expanded.
  void Select(const Domain& /*domain*/, std::span<const float> /*scores*/) override {}

  // The states of the walk, from the problem on.
  const std::vector<Id>& walk() const { return walk_; }
  // What walk()[index] could have gone on with, in the order of the domain; a state may be there more than once. Requires
  // index + 1 < walk().size().
  std::span<const Id> SuccessorsOf(std::size_t index) const;

 private:
  std::size_t max_steps_;
  Random random_;
  std::vector<Id> walk_;
  std::vector<Id> successors_;
  std::vector<std::size_t> successor_ends_;
};

}  // namespace conpole

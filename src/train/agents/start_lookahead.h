// A search of one step, for agents that learn from problems only: it lists the successors of the problem and takes the scores
// that the network gives them at that moment. It is solved if one of them is. One thread at a time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "conpole/domain.h"
#include "search/lockstep.h"

namespace conpole {

class StartLookahead final : public GuidedSearch {
 public:
  StartLookahead(const Domain& domain, const std::string& problem, StateTable memory = {});

  void Expand(const Domain& domain, Successors& buffer) override;
  void Select(const Domain& domain, std::span<const float> scores) override;

  struct Successor {
    Id id;
    float score;
    bool is_solved;
  };
  // The distinct successors of the problem, without the problem itself. None if it is solved, or a dead end.
  const std::vector<Successor>& successors() const { return successors_; }

 private:
  std::vector<Successor> successors_;
};

}  // namespace conpole

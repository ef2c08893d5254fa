// How far two scorers choose the same successor: what reduced precision may change.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "conpole/domain.h"
#include "conpole/scorer.h"

namespace conpole {

// As Scorer::Score.
using ScoreFunction = std::function<void(const ScoreBatch& batch, std::span<float> scores)>;

struct Agreement {
  std::size_t states = 0;  // with successors
  std::size_t same = 0;    // both choose the same successor
  std::size_t ties = 0;    // they do not, but the exact scores of the two are equal as far as the precision tells

  double share() const { return static_cast<double>(same + ties) / static_cast<double>(states); }
};

// Lets both scorers choose among the successors of every state. With random weights the best two successors of some states are
// closer than any precision tells: two scores count as tied if they differ by less than `unit`, the rounding error of a number
// near 1 in the reduced precision, times the range of the state's scores.
Agreement CompareChoices(const Domain& domain, std::span<const std::string> states, const ScoreFunction& exact,
                         const ScoreFunction& reduced, double unit);

inline constexpr double kHalfUnit = 0x1p-11;

}  // namespace conpole

// What became of a problem, as the tutor and everything built on it say it.
#pragma once

#include <cstdint>

namespace conpole {

enum class SolveStatus : std::uint8_t {
  kSolved,
  kNoSolution,        // an equation that no number solves
  kEveryNumber,       // an equation that every number solves for which it is defined
  kSeveralSolutions,  // an equation that more than one number solves, but not every one
  kUnsolved,          // no answer was found
};

}  // namespace conpole

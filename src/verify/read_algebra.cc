// In a file of its own, so that a test can count what it hands over to (tests/tutor_counts_test.cc).
#include <memory>

#include "util/latest.h"
#include "verify/algebra_meaning.h"

namespace conpole {

AlgebraMeaning ReadAlgebra(std::string_view state) {
  constexpr std::size_t kKept = 8;
  thread_local const auto latest = std::make_unique<Latest<AlgebraMeaning, kKept>>();
  return latest->Of(state, ReadAlgebraAnew);
}

}  // namespace conpole

// In a file of its own, so that a test can count what it hands over to (tests/tutor_counts_test.cc).
#include <memory>

#include "domains/school/algebra_text.h"
#include "util/latest.h"

namespace conpole::algebra {

ReadResult Read(std::string_view text) {
  // As many as the steps from one line, so that a line that was estimated is not read again when its own steps are listed.
  constexpr std::size_t kKept = 32;
  // By a pointer: a module of Python has little room for variables of threads.
  thread_local const auto latest = std::make_unique<Latest<ReadResult, kKept>>();
  return latest->Of(text, ReadAnew);
}

}  // namespace conpole::algebra

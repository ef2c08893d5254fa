// Any text at all as a learner's line of school algebra: it gets a verdict, and what is called right is a state. A target of
// its own, since a wrong line is compared with all typical errors, which takes far longer than to read it.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "tutor/check_step.h"

namespace {

constexpr std::array<std::string_view, 3> kProblems{"2x + 3 = 7", "x/(x - 1) = 3(x + 2)^2 - 4", "1/2 + 3 * (4 - 1 1/2)"};

void Require(bool condition, std::string_view what, std::string_view text) {
  if (condition) return;
  std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(what.size()), what.data(), static_cast<int>(text.size()), text.data());
  std::abort();
}

}  // namespace

// The first byte chooses the problem.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::unique_ptr<conpole::Domain> algebra = conpole::MakeDomain("algebra");
  if (size == 0) return 0;
  const std::string_view problem = kProblems[data[0] % kProblems.size()];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::vector<std::string> lines{std::string(text)};
  for (const conpole::StepCheck& check : conpole::CheckLines(*algebra, problem, lines)) {
    Require(!check.message.empty(), "nothing is said", text);
    Require(check.state.empty() || !algebra->Parse(check.state).error, "not a state", check.state);
  }
  return 0;
}

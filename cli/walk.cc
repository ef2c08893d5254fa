// conpole walk: a random walk from a generated problem, readable by a person.
#include <cstdint>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "cli/any_domain.h"
#include "cli/command.h"
#include "cli/output.h"
#include "conpole/domain.h"
#include "util/random.h"

namespace conpole::cli {
namespace {

struct WalkOptions {
  std::string domain;
  std::uint64_t seed = 0;
  std::uint64_t steps = 10;
};

int Walk(const WalkOptions& options) {
  const std::unique_ptr<Domain> domain = MakeAnyDomain(options.domain);
  Random random(options.seed);
  Successors successors;
  std::string state = domain->Generate(options.seed);
  PrintLine(state);
  for (std::uint64_t step = 0;; ++step) {
    successors.Clear();
    const Status status = domain->Expand(state, Labels::kOn, successors);
    if (status == Status::kSolved || status == Status::kDeadEnd || step == options.steps) {
      const char* const end = status == Status::kSolved ? "solved" : status == Status::kDeadEnd ? "a dead end" : "not solved";
      PrintLine(fmt::format("-- {} after {} step{}", end, step, step == 1 ? "" : "s"));
      return kOk;
    }
    const std::size_t choice = random.Uint64(0, successors.size());
    PrintLine(fmt::format("{} | {}", successors.state(choice), successors.label(choice)));
    state = successors.state(choice);
  }
}

}  // namespace

void AddWalk(Command& program) {
  Command& command = program.Add("walk", "Print a random walk, a line per step: state | axiom");
  const auto options = std::make_shared<WalkOptions>();
  command.Takes("domain", options->domain, "The domain, for example ternary-addition.");
  command.Number("--seed", options->seed, "The seed of the problem and of the walk.");
  command.Number("--steps", options->steps, "The walk ends after this many steps.");
  command.action = [options] { return Walk(*options); };
}

}  // namespace conpole::cli

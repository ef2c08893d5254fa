// conpole step: the successors of every state on standard input.
#include <memory>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "cli/any_domain.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/output.h"
#include "conpole/domain.h"

namespace conpole::cli {
namespace {

int StepAll(const std::string& spec) {
  const std::unique_ptr<Domain> domain = MakeAnyDomain(spec);
  bool any_malformed = false;
  Successors successors;
  while (std::optional<InputLine> line = ReadInputLine()) {
    const std::string& state = line->text;
    successors.Clear();
    const Status status = line->error ? Status::kMalformed : domain->Expand(state, Labels::kOn, successors);
    if (status == Status::kMalformed) {
      any_malformed = true;
      const Malformed& error = line->error ? *line->error : successors.error();
      PrintJsonLine({{"state", state}, {"error", error.message.english()}, {"position", error.position}});
      continue;
    }
    Json actions = Json::array();
    for (std::size_t i = 0; i < successors.size(); ++i) actions.push_back({successors.label(i), successors.state(i)});
    PrintJsonLine({{"state", state}, {"solved", status == Status::kSolved}, {"actions", actions}});
  }
  return any_malformed ? kSomeFailed : kOk;
}

}  // namespace

void AddStep(Command& program) {
  Command& command = program.Add("step", "Read states, one per line, and print their actions and next states as JSON");
  const auto domain = std::make_shared<std::string>();
  command.Takes("domain", *domain, "The domain of the states, for example fractions.");
  command.footer = "A malformed line gives an error with its position and, at the end, exit status 1.";
  command.action = [domain] { return StepAll(*domain); };
}

}  // namespace conpole::cli

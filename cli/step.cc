// conpole step: the successors of every state on standard input.
#include <iostream>
#include <memory>
#include <string>

#include "cli/any_domain.h"
#include "cli/command.h"
#include "cli/output.h"
#include "conpole/domain.h"
#include "conpole/error.h"

namespace conpole::cli {
namespace {

int StepAll(const std::string& spec) {
  const std::unique_ptr<Domain> domain = MakeAnyDomain(spec);
  bool any_malformed = false;
  Successors successors;
  for (std::string line; std::getline(std::cin, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    successors.Clear();
    const Status status = domain->Expand(line, Labels::kOn, successors);
    if (status == Status::kMalformed) {
      any_malformed = true;
      const Malformed& error = successors.error();
      PrintJsonLine({{"state", line}, {"error", error.message}, {"position", error.position}});
      continue;
    }
    Json actions = Json::array();
    for (std::size_t i = 0; i < successors.size(); ++i) actions.push_back({successors.label(i), successors.state(i)});
    PrintJsonLine({{"state", line}, {"solved", status == Status::kSolved}, {"actions", actions}});
  }
  if (std::cin.bad()) throw Error("cannot read standard input");
  return any_malformed ? kSomeFailed : kOk;
}

}  // namespace

void AddStep(CLI::App& program, Action& action) {
  CLI::App* const command =
      program.add_subcommand("step", "Read states, one per line, and print their actions and next states");
  const auto domain = std::make_shared<std::string>();
  command->add_option("domain", *domain, "A domain, for example fractions")->required();
  command->footer(
      "Prints one JSON object per line. A malformed line gives an error with its position and, at the end, exit status 1.");
  command->callback([domain, &action] { action = [domain] { return StepAll(*domain); }; });
}

}  // namespace conpole::cli

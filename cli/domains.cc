// conpole domains: what domains there are, with their parameters and axioms.
#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/output.h"
#include "conpole/domain.h"

namespace conpole::cli {
namespace {

Json ToJson(const DomainType& type) {
  Json parameters = Json::array();
  for (const Parameter& parameter : type.parameters) {
    Json entry{{"name", parameter.name}, {"meaning", parameter.meaning}, {"default", parameter.default_value}};
    if (parameter.range) {
      entry["default"] = std::stoll(parameter.default_value);
      entry["low"] = parameter.range->low;
      entry["high"] = parameter.range->high;
    }
    parameters.push_back(entry);
  }
  Json axioms = Json::array();
  for (const Axiom& axiom : type.axioms) axioms.push_back({{"name", axiom.name}, {"meaning", axiom.meaning}});
  return {{"domain", type.name}, {"summary", type.summary}, {"parameters", parameters}, {"axioms", axioms}};
}

void PrintReadable(const DomainType& type) {
  PrintLine(fmt::format("{}: {}", type.name, type.summary));
  for (const Parameter& parameter : type.parameters) {
    PrintLine(fmt::format("  {}={}  {}", parameter.name, parameter.default_value, parameter.meaning));
  }
  std::string axioms;
  for (const Axiom& axiom : type.axioms) axioms += " " + axiom.name;
  PrintLine("  axioms:" + axioms);
}

}  // namespace

void AddDomains(Command& program) {
  Command& command = program.Add("domains", "List the domains with their parameters and axioms");
  const auto json = std::make_shared<bool>(false);
  command.Flag("--json", *json, "Print one JSON object per line.");
  command.action = [json] {
    for (const DomainType* type : DomainTypes()) {
      if (*json) {
        PrintJsonLine(ToJson(*type));
      } else {
        PrintReadable(*type);
      }
    }
    return kOk;
  };
}

}  // namespace conpole::cli

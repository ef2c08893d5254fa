#include "cli/any_domain.h"

#include "cli/interpreter.h"
#include "cli/torch_engine.h"

namespace conpole::cli {
namespace {

constexpr std::string_view kPythonPrefix = "python:";

}  // namespace

bool IsPythonSpec(std::string_view spec) { return spec.starts_with(kPythonPrefix); }

std::unique_ptr<Domain> MakeAnyDomain(std::string_view spec) {
  if (!IsPythonSpec(spec)) return MakeDomain(spec);
  RequireTorch();
  return MakePythonDomain(spec.substr(kPythonPrefix.size()));
}

}  // namespace conpole::cli

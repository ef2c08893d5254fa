// conpole's side of torch_engine.h.
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "cli/torch_engine.h"
#include "conpole/error.h"

namespace conpole::cli {
namespace {

char** given_arguments = nullptr;  // of main, which end with null

}  // namespace

void RememberArguments(char** arguments) { given_arguments = arguments; }

void RequireTorch() {
  std::error_code failure;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failure);
  const std::string other = (failure ? std::filesystem::path() : self.parent_path()) / "conpole-torch";
  execv(other.c_str(), given_arguments);
  throw Error("this needs LibTorch, which conpole was built without: " + other + " cannot be run");
}

std::unique_ptr<Scorer> MakeTorchScorer(const Model& /*model*/, const std::string& /*device*/) { return nullptr; }

std::unique_ptr<Learner> MakeLearner(const Model& /*model*/, const LearnerOptions& /*options*/, const std::string& /*device*/) {
  return nullptr;
}

std::unique_ptr<Domain> MakePythonDomain(std::string_view /*path*/) { return nullptr; }

}  // namespace conpole::cli

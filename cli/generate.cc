// conpole generate: problems of given seeds.
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "cli/any_domain.h"
#include "cli/command.h"
#include "cli/output.h"
#include "conpole/domain.h"
#include "conpole/error.h"
#include "subjects/classify.h"

namespace conpole::cli {
namespace {

struct GenerateOptions {
  std::string domain;
  std::uint64_t seed = 0;
  std::uint64_t count = 1;
  bool classify = false;
};

int Generate(const GenerateOptions& options) {
  const std::unique_ptr<Domain> domain = MakeAnyDomain(options.domain);
  if (options.count > std::numeric_limits<std::uint64_t>::max() - options.seed)
    throw Error("--seed plus --count is too large: seeds end at 18446744073709551615");
  for (std::uint64_t seed = options.seed; seed != options.seed + options.count; ++seed) {
    const std::string problem = domain->Generate(seed);
    Json line{{"seed", seed}, {"problem", problem}};
    if (options.classify) {
      const ProblemClass found = ClassifyProblem(*domain, problem);
      line["class"] = found.name;
      line["solvable"] = found.solvable;
    }
    PrintJsonLine(line);
  }
  return kOk;
}

}  // namespace

void AddGenerate(Command& program) {
  Command& command = program.Add("generate", "Print the problems of given seeds, one JSON object per line");
  const auto options = std::make_shared<GenerateOptions>();
  command.Takes("domain", options->domain, "The domain, for example sorting or sorting:max_length=11.");
  command.Number("--seed", options->seed, "The first seed.");
  command.Number("--count", options->count, "How many problems to print, with consecutive seeds.");
  command.Flag("--classify", options->classify,
               "Also say what is known of each problem: of an equation whether one number solves it, none, every or several.");
  command.action = [options] { return Generate(*options); };
}

}  // namespace conpole::cli

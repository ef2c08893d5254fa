// conpole abstractions: finds sequences of axioms that recur in solutions, and lists those of a file or a model.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/any_domain.h"
#include "cli/command.h"
#include "cli/numbers.h"
#include "cli/output.h"
#include "cli/search_options.h"
#include "conpole/domain.h"
#include "conpole/error.h"
#include "conpole/search.h"
#include "domains/abstract_domain.h"
#include "domains/abstraction_mining.h"
#include "tutor/abstraction_file.h"
#include "tutor/verify.h"
#include "util/atomic_file.h"
#include "util/progress.h"
#include "util/seed_range.h"

namespace conpole::cli {
namespace {

struct MineOptions {
  std::string domain;
  std::string seeds = "100000:101000";
  std::string out;
  bool json = false;
  MiningOptions mining;
  SearchArguments search;
};

// The solutions of all problems that are solved, and not known to be wrong.
std::vector<std::vector<std::string>> Solve(const Domain& domain, const MineOptions& options) {
  const SearchOptions search = options.search.Resolve();
  ThreadPool pool(options.search.threads);
  const std::unique_ptr<Scorer> scorer = options.search.MakeScorer(domain, pool);
  const SeedRange seeds = ParseSeedRange("--seeds", options.seeds);
  constexpr std::uint64_t kMaxProblems = 1'000'000;
  if (seeds.size() > kMaxProblems) throw Error(fmt::format("--seeds {}: more than {} problems", options.seeds, kMaxProblems));
  std::vector<std::string> problems;
  for (std::uint64_t seed = seeds.first; seed != seeds.end; ++seed) problems.push_back(domain.Generate(seed));
  std::vector<SearchResult> results;
  {
    Progress progress(domain.type().name, problems.size());
    std::size_t done = 0;
    results = RunSearch(domain, *scorer, problems, search, pool,
                        [&](std::size_t, const SearchResult&) { progress.Advance(++done, "searched"); });
  }
  std::vector<std::vector<std::string>> solutions;
  for (SearchResult& result : results) {
    if (result.solved() && VerifyPath(domain, result.path) != Verdict::kWrong) solutions.push_back(std::move(result.path));
  }
  return solutions;
}

void PrintAbstraction(const Abstraction& abstraction) {
  PrintLine(fmt::format("{}\n    {}", abstraction.name, FormatSteps(abstraction.steps)));
  if (!abstraction.remark.empty()) PrintLine("    " + abstraction.remark);
}

Json AbstractionJson(const Abstraction& abstraction) {
  return {{"name", abstraction.name}, {"steps", FormatSteps(abstraction.steps)}, {"remark", abstraction.remark}};
}

int Mine(const MineOptions& options) {
  const std::unique_ptr<Domain> domain = options.search.WithAbstractionsOfModel(MakeAnyDomain(options.domain));
  const std::vector<std::vector<std::string>> solutions = Solve(*domain, options);
  if (solutions.empty())
    throw Error(fmt::format("none of the problems {} was solved: there is nothing to learn from", options.seeds));
  const MinedAbstractions mined = MineAbstractionsOfPaths(*domain, solutions, options.mining);
  WriteFileAtomically(options.out, FormatAbstractions(mined.set));
  const auto mean = [&](std::size_t steps) { return static_cast<double>(steps) / static_cast<double>(solutions.size()); };
  if (options.json) {
    Json list = Json::array();
    for (const Abstraction& abstraction : mined.set.abstractions) list.push_back(AbstractionJson(abstraction));
    PrintJsonLine({{"domain", domain->Spec()},
                   {"solutions", solutions.size()},
                   {"mean_axioms", mean(mined.axioms)},
                   {"mean_steps", mean(mined.steps)},
                   {"branching", {{"before", mined.branching_before}, {"after", mined.branching_after}}},
                   {"abstractions", list},
                   {"file", options.out}});
    return kOk;
  }
  for (const Abstraction& abstraction : mined.set.abstractions) PrintAbstraction(abstraction);
  PrintLine(
      fmt::format("{} abstractions of {} solutions, whose mean length falls from {:.2f} axioms to {:.2f} steps; successors per "
                  "state from {:.1f} to "
                  "{:.1f}: {}",
                  mined.set.abstractions.size(), solutions.size(), mean(mined.axioms), mean(mined.steps),
                  mined.branching_before, mined.branching_after, options.out));
  return kOk;
}

int List(const std::string& path, bool json) {
  const AbstractionSet set = ReadAbstractionFile(path);
  for (const Abstraction& abstraction : set.abstractions) {
    if (json) {
      PrintJsonLine(AbstractionJson(abstraction));
    } else {
      PrintAbstraction(abstraction);
    }
  }
  if (!json) PrintLine(fmt::format("{} abstractions for {}", set.abstractions.size(), set.domain));
  return kOk;
}

void AddMine(CLI::App& command, Action& action) {
  CLI::App* const mine =
      command.add_subcommand("mine", "Solve problems and find sequences of axioms that recur in the solutions");
  const auto options = std::make_shared<MineOptions>();
  mine->add_option("domain", options->domain, "A domain, for example equations")->required();
  mine->add_option("--out", options->out, "The file that they are written to, for --abstractions")->required();
  mine->add_option("--seeds", options->seeds, "Seeds of the problems, FIRST:END without END")->capture_default_str();
  AddNumber(*mine, "--most", options->mining.most, "Abstractions, at the most", {1, kMostAbstractions});
  AddNumber(*mine, "--longest", options->mining.longest, "Axioms of an abstraction, at the most", {2, kMostAbstractSteps});
  AddNumber(*mine, "--uses", options->mining.uses, "Solutions in which a sequence occurs, at the least", {1, 1'000'000});
  mine->add_flag("--json", options->json, "One JSON object");
  options->search.AddTo(*mine);
  mine->callback([options, &action] { action = [options] { return Mine(*options); }; });
}

void AddList(CLI::App& command, Action& action) {
  CLI::App* const list = command.add_subcommand("list", "List the abstractions of a file or a model");
  const auto path = std::make_shared<std::string>();
  const auto json = std::make_shared<bool>(false);
  list->add_option("file", *path, "A file that mine has written, or a model that was trained with abstractions")->required();
  list->add_flag("--json", *json, "One JSON object per line");
  list->callback([path, json, &action] { action = [path, json] { return List(*path, *json); }; });
}

}  // namespace

void AddAbstractions(CLI::App& program, Action& action) {
  CLI::App* const command =
      program.add_subcommand("abstractions", "Learn sequences of axioms that become single steps, and list them");
  command->require_subcommand(1);
  AddMine(*command, action);
  AddList(*command, action);
}

}  // namespace conpole::cli

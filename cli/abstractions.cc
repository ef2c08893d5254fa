// conpole abstractions: finds sequences of axioms that recur in solutions, and lists those of a file or a model.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/any_domain.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/search_options.h"
#include "conpole/domain.h"
#include "conpole/error.h"
#include "conpole/search.h"
#include "domains/axioms/abstraction_mining.h"
#include "subjects/verify.h"
#include "tutor/abstraction_file.h"
#include "util/atomic_file.h"
#include "util/interrupt.h"
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
  PrintLine(fmt::format("{}\n    {}", Printable(abstraction.name), Printable(FormatSteps(abstraction.steps))));
  if (!abstraction.remark.empty()) PrintLine("    " + Printable(abstraction.remark));
}

Json AbstractionJson(const Abstraction& abstraction) {
  return {{"name", abstraction.name}, {"steps", FormatSteps(abstraction.steps)}, {"remark", abstraction.remark}};
}

int Mine(const MineOptions& options) {
  RequirePlaceFor(options.out);
  const std::shared_ptr<const Domain> domain = options.search.WithAbstractionsOfModel(MakeAnyDomain(options.domain));
  const std::vector<std::vector<std::string>> solutions = Solve(*domain, options);
  if (InterruptFlag()) return kInterrupted;
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
  if (!json) PrintLine(fmt::format("{} abstractions for {}", set.abstractions.size(), Printable(set.domain)));
  return kOk;
}

void AddMine(Command& abstractions) {
  Command& mine = abstractions.Add("mine", "Solve problems and find sequences of axioms that recur in the solutions");
  const auto options = std::make_shared<MineOptions>();
  mine.Takes("domain", options->domain, "The domain, for example equations.");
  mine.Text("--out", options->out, "Write the abstractions to this file, for --abstractions.").is_required = true;
  mine.Text("--seeds", options->seeds, "The seeds of the problems, FIRST:END without END.");
  mine.Number("--most", options->mining.most, "Find at most this many abstractions.", {1, kMostAbstractions});
  mine.Number("--longest", options->mining.longest, "An abstraction has at most this many axioms.", {2, kMostAbstractSteps});
  mine.Number("--uses", options->mining.uses, "A sequence must occur in at least this many solutions.", {1, 1'000'000});
  mine.Flag("--json", options->json, "Print one JSON object.");
  options->search.AddScorerTo(mine);
  options->search.AddSearchTo(mine);
  mine.footer = "Exit status: 0 done, 2 bad input or nothing to learn from, 130 interrupted (nothing is written).";
  mine.action = [options] { return Mine(*options); };
}

void AddList(Command& abstractions) {
  Command& list = abstractions.Add("list", "List the abstractions of a file or a model");
  const auto path = std::make_shared<std::string>();
  const auto json = std::make_shared<bool>(false);
  list.Takes("file", *path, "A file that mine has written, or a model that was trained with abstractions.");
  list.Flag("--json", *json, "Print one JSON object per line.");
  list.action = [path, json] { return List(*path, *json); };
}

}  // namespace

void AddAbstractions(Command& program) {
  Command& command = program.Add("abstractions", "Learn sequences of axioms that become single steps, and list them");
  AddMine(command);
  AddList(command);
}

}  // namespace conpole::cli

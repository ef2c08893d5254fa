#include "cli/search_options.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "cli/numbers.h"
#include "cli/torch_engine.h"
#include "conpole/error.h"
#include "domains/abstract_domain.h"
#include "nn/model_metadata.h"
#include "nn/shipped_models.h"
#include "search/packed_scorer.h"
#include "tutor/abstraction_file.h"
#include "util/interrupt.h"

namespace conpole::cli {

namespace {

constexpr char kSearchGroup[] = "How to search";
// More states than memory holds, and so few that sums of such numbers never wrap round.
constexpr std::size_t kMaxKept = 1'000'000'000;

// ", stickers (rubiks-cube)"
std::string HeuristicNames() {
  std::string names;
  for (const DomainType* const type : DomainTypes()) {
    for (const Heuristic& heuristic : type->heuristics) names += fmt::format(", {} ({})", heuristic.name, type->name);
  }
  return names;
}

}  // namespace

void SearchArguments::AddTo(CLI::App& command) {
  AddSearchTo(command);
  AddScorerTo(command);
}

void SearchArguments::AddScorerTo(CLI::App& command) {
  command.add_option(
      "--model", model,
      "A model file to score with; by default the one that comes with conpole for the domain, unless a heuristic "
      "of the domain suffices");
  AddAnyDomain(command, any_domain);
  command.add_flag("--policy", policy, "Score with the model that comes with conpole, also where a heuristic suffices");
  command.add_option(
      "--scorer", scorer,
      fmt::format("Instead of a model: random, length{}; one of these where there is no model", HeuristicNames()));
  command.add_option(
      "--abstractions", abstractions,
      "A file of abstractions (conpole abstractions mine) or a model trained with some, whose steps are offered, too; "
      "none for axioms alone; by default those of the model");
  command.add_option("--device", device, "Where the model runs: cpu, cuda or cuda:N")->capture_default_str();
  AddNumber(command, "--seed", seed, "Seed of the random scorer");
  AddThreads(command, threads);
}

void SearchArguments::AddSearchTo(CLI::App& command) {
  const std::string group = kSearchGroup;
  command.add_option("--search", search, "greedy, bfs, beam, bwas or levin")->capture_default_str()->group(group);
  AddNumber(command, "--max-steps", max_steps, "Steps of greedy and beam at the most")->group(group);
  AddNumber(command, "--beam", options.beam.width, "States kept per step by beam", {1, kMaxKept})->group(group);
  command
      .add_option(
          "--beam-value", beam_value,
          "What beam keeps the best by: sum, last or log-probability; by default sum for policies and last for other scorers")
      ->group(group);
  AddNumber(command, "--views", options.beam.views,
            "Symmetric views of a problem that beam searches, for the shortest solution", {1, kMaxKept})
      ->group(group);
  command
      .add_option(
          "--endgame", endgame,
          "on or off: whether beam, bwas and levin with a policy know the states near the solved one beforehand, where states "
          "have a fixed layout")
      ->capture_default_str()
      ->group(group);
  AddNumber(command, "--max-edges", max_edges, "Successors that bfs lists at the most")->group(group);
  AddNumber(command, "--weight", options.best_first.weight, "Weight of the steps so far in bwas", {0, 1000})->group(group);
  AddNumber(command, "--batch", batch, "States that bwas and levin expand per round; by default 100 for bwas and 1 for levin",
            {1, kMaxKept})
      ->default_str("")
      ->group(group);
  AddNumber(command, "--max-expanded", options.best_first.max_expanded, "States that bwas and levin expand at the most")
      ->group(group);
}

bool SearchArguments::AnyGiven(const CLI::App& command) {
  const auto given = [](const CLI::Option* option) { return option->get_group() == kSearchGroup && option->count() != 0; };
  const std::vector<const CLI::Option*> all = command.get_options();
  return std::any_of(all.begin(), all.end(), given);
}

SearchOptions SearchArguments::Resolve() const {
  SearchOptions resolved = options;
  resolved.kind = SearchKindOf(search);
  resolved.greedy.max_steps = max_steps;
  resolved.beam.max_steps = max_steps;
  if (!beam_value.empty()) resolved.beam.value = BeamValueOf(beam_value);
  if (endgame != "on" && endgame != "off") throw Error(fmt::format("--endgame must be on or off, not '{}'", endgame));
  resolved.endgame = endgame == "on";
  resolved.breadth_first.max_edges = max_edges;
  if (batch != 0) resolved.best_first.batch = resolved.levin.batch = batch;
  resolved.levin.max_expanded = resolved.best_first.max_expanded;
  resolved.stop = &InterruptFlag();
  return resolved;
}

std::unique_ptr<Scorer> SearchArguments::MakeScorer(const Domain& domain, ThreadPool& pool) const {
  RequireOneChoice(Choice());
  if (device != "cpu") RequireTorch();
  const std::string path = ModelPathOf(domain, Choice());
  if (device != "cpu" && !path.empty()) {
    const Model read = ReadPolicyModel(domain, path, any_domain);
    if (!ReadsLayout(read)) return ForAnyUnknown(domain, MakeTorchScorer(read, device));
    const FixedLayout& layout = LayoutFor(domain, read);
    return std::make_unique<PackedScorer>(layout, MakeTorchPackedPolicy(read, layout, device));
  }
  return MakePolicy(domain, pool, Choice());
}

std::unique_ptr<Domain> SearchArguments::WithAbstractionsOfModel(std::unique_ptr<Domain> domain) const {
  if (abstractions == "none") return domain;
  if (!abstractions.empty()) return WithAbstractions(std::move(domain), ReadAbstractionFile(abstractions));
  RequireOneChoice(Choice());
  const std::string path = ModelPathOf(*domain, Choice());
  return path.empty() ? std::move(domain) : WithAbstractionsOf(ReadModelMetadata(path), path, std::move(domain));
}

std::string SearchArguments::ScorerName(const Domain& domain) const {
  if (SearchKindOf(search) == SearchKind::kBreadthFirst) return "none";
  return NameOfPolicy(domain, Choice());
}

void AddAnyDomain(CLI::App& command, bool& any_domain) {
  command.add_flag("--any-domain", any_domain, "Take the model file also if it was trained for another domain");
}

Model ReadModelFor(const Domain& domain, const std::string& given, bool any_domain) {
  const std::string path = given.empty() ? FindShippedModel(domain.type().name).value_or("") : given;
  if (path.empty()) throw Error(fmt::format("no model comes with conpole for {}; name one with --model", domain.type().name));
  return ReadPolicyModel(domain, path, any_domain);
}

}  // namespace conpole::cli

#include "cli/search_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/torch_engine.h"
#include "conpole/error.h"
#include "nn/shipped_models.h"
#include "tutor/policy.h"
#include "util/interrupt.h"

namespace conpole::cli {

namespace {

constexpr char kSearchGroup[] = "How to search";

}  // namespace

void SearchArguments::AddTo(CLI::App& command) {
  AddSearchTo(command);
  AddScorerTo(command);
}

void SearchArguments::AddScorerTo(CLI::App& command) {
  command.add_option("--model", model, "A model file to score with; by default the one that comes with conpole for the domain");
  command.add_option(
      "--scorer", scorer,
      "Instead of a model: random, length or (for the cube) stickers; one of the last two where there is no model");
  command.add_option("--device", device, "Where the model runs: cpu, cuda or cuda:N")->capture_default_str();
  command.add_option("--seed", seed, "Seed of the random scorer")->capture_default_str()->check(CheckWholeNumber);
  command.add_option("--threads", threads, "Threads; 0 for one per core")->capture_default_str()->check(CheckWholeNumber);
}

void SearchArguments::AddSearchTo(CLI::App& command) {
  const std::string group = kSearchGroup;
  command.add_option("--search", search, "greedy, bfs, beam or bwas")->capture_default_str()->group(group);
  command.add_option("--max-steps", max_steps, "Steps of greedy and beam at the most")
      ->capture_default_str()
      ->check(CheckWholeNumber)
      ->group(group);
  command.add_option("--beam", options.beam.width, "States kept per step by beam")
      ->capture_default_str()
      ->check(CheckWholeNumber)
      ->group(group);
  command.add_option("--beam-value", beam_value, "What beam keeps the best by: sum, last or log-probability")
      ->capture_default_str()
      ->group(group);
  command.add_option("--max-edges", max_edges, "Successors that bfs lists at the most")
      ->capture_default_str()
      ->check(CheckWholeNumber)
      ->group(group);
  command.add_option("--weight", options.best_first.weight, "Weight of the steps so far in bwas")
      ->capture_default_str()
      ->group(group);
  command.add_option("--batch", options.best_first.batch, "States that bwas expands per round")
      ->capture_default_str()
      ->check(CheckWholeNumber)
      ->group(group);
  command.add_option("--max-expanded", options.best_first.max_expanded, "States that bwas expands at the most")
      ->capture_default_str()
      ->check(CheckWholeNumber)
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
  resolved.beam.value = BeamValueOf(beam_value);
  resolved.breadth_first.max_edges = max_edges;
  resolved.stop = &InterruptFlag();
  return resolved;
}

std::string SearchArguments::ModelPath(const Domain& domain) const { return ModelPathOf(domain, {model, scorer, seed}); }

std::unique_ptr<Scorer> SearchArguments::MakeScorer(const Domain& domain, ThreadPool& pool) const {
  if (!model.empty() && !scorer.empty()) throw Error("--model and --scorer exclude each other");
  if (device != "cpu") RequireTorch();
  const std::string path = ModelPath(domain);
  if (device != "cpu" && !path.empty()) return ForAnyUnknown(domain, MakeTorchScorer(ReadPolicyModel(domain, path), device));
  return MakePolicy(domain, pool, {model, scorer, seed});
}

std::string SearchArguments::ScorerName(const Domain& domain) const {
  if (SearchKindOf(search) == SearchKind::kBreadthFirst) return "none";
  return NameOfPolicy(domain, {model, scorer, seed});
}

Model ReadModelFor(const Domain& domain, const std::string& given) {
  const std::string path = given.empty() ? FindShippedModel(domain.type().name).value_or("") : given;
  if (path.empty()) throw Error(fmt::format("no model comes with conpole for {}; name one with --model", domain.type().name));
  return ReadPolicyModel(domain, path);
}

}  // namespace conpole::cli

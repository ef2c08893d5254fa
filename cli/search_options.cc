#include "cli/search_options.h"

#include <utility>

#include <fmt/format.h>

#include "cli/torch_engine.h"
#include "conpole/error.h"
#include "domains/axioms/abstract_domain.h"
#include "nn/shipped_models.h"
#include "search/packed_scorer.h"
#include "session/session.h"
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

void SearchArguments::AddScorerTo(Command& command) {
  command.group = "What ranks the steps";
  command.Text("--model", model,
               "Score with this model file; by default with the one that comes with conpole for the domain, unless a heuristic "
               "of the domain suffices.");
  AddAnyDomain(command, any_domain);
  command.Flag("--policy", policy, "Score with the model that comes with conpole, also where a heuristic suffices.");
  command.Text(
      "--scorer", scorer,
      fmt::format("Score without a model: random, length{}. One of these is taken where there is no model.", HeuristicNames()));
  command.Text("--abstractions", abstractions,
               "Offer the steps of this file of abstractions (conpole abstractions mine), or of a model trained with some; "
               "none takes axioms alone. By default those of the model that scores.");
  command.Text("--device", device, "Run the model here: cpu, cuda or cuda:N.");
  command.Number("--seed", seed, "The seed of the random scorer.");
  command.Threads(threads);
}

void SearchArguments::AddSearchTo(Command& command, const std::string& batch_name) {
  command.group = kSearchGroup;
  command.Text("--search", search, "The kind of search: greedy, bfs, beam, bwas or levin.");
  command.Number("--max-steps", max_steps, "The most steps of a solution by greedy and beam.");
  command.Number("--beam", options.beam.width, "How many states beam keeps per step.", {1, kMaxKept});
  command.Text(
      "--beam-value", beam_value,
      "What beam ranks states by: the sum of the scores on the way, the last score, or the log-probability of the way; "
      "with a model that says how far states are, this distance or both. By default the distance for such a model, "
      "unless moves come in any order, the log-probability for other states of a fixed layout, the sum for other policies, and "
      "the "
      "last for other scorers.");
  command.Number("--views", options.beam.views,
                 "How many symmetric views of a problem beam searches, to take the shortest solution.", {1, kMaxKept});
  command.Text("--endgame", endgame,
               "Whether beam, bwas and levin with a policy know the states near the solved one beforehand, where states have a "
               "fixed layout: on or off.");
  command.Number("--max-edges", max_edges, "The most successors that bfs lists.");
  command.Number("--weight", options.best_first.weight, "The weight of the steps so far in bwas.", {0, 1000});
  command
      .Number(batch_name, batch, "How many states bwas and levin expand per round; by default 100 for bwas and 1 for levin.",
              {1, kMaxKept})
      .by_default = "";
  command.Number("--max-expanded", options.best_first.max_expanded, "The most states that bwas and levin expand.");
}

bool SearchArguments::AnyGiven(const Command& command) { return command.AnyGivenOf(kSearchGroup); }

SearchOptions SearchArguments::Resolve() const {
  SearchOptions resolved = options;
  resolved.kind = SearchKindOf(search);
  resolved.greedy.max_steps = max_steps;
  resolved.beam.max_steps = max_steps;
  if (!beam_value.empty()) resolved.beam.value = BeamValueOf(beam_value);
  if (endgame != "on" && endgame != "off") throw Error(Message("--endgame must be on or off, not '{}'", endgame));
  resolved.endgame = endgame == "on";
  resolved.breadth_first.max_edges = max_edges;
  if (batch != 0) resolved.best_first.batch = resolved.levin.batch = batch;
  resolved.levin.max_expanded = resolved.best_first.max_expanded;
  resolved.stop = &InterruptFlag();
  return resolved;
}

std::unique_ptr<Scorer> SearchArguments::MakeScorer(const Domain& domain, ThreadPool& pool) const {
  RequireOneChoice(Choice());
  const TorchEngine* const torch = device != "cpu" ? &RequireTorch() : nullptr;
  const std::string path = ModelPathOf(domain, Choice());
  if (torch != nullptr && !path.empty()) {
    const Model read = ReadPolicyModel(domain, path, any_domain);
    if (!ReadsLayout(read)) return ForAnyUnknown(domain, torch->MakeScorer(read, device));
    const FixedLayout& layout = LayoutFor(domain, read);
    return std::make_unique<PackedScorer>(layout, torch->MakePackedPolicy(read, layout, device));
  }
  return MakePolicy(domain, pool, Choice());
}

SessionPolicy SearchArguments::PolicyFor(const Domain& domain) const {
  RequireOneChoice(Choice());
  const bool asks_model = abstractions.empty() && SearchKindOf(search) != SearchKind::kBreadthFirst;
  SessionPolicy chosen = asks_model ? ChoosePolicy(domain, Choice()) : SessionPolicy();
  chosen.make_scorer = [search = *this](const Domain& of, ThreadPool& pool) { return search.MakeScorer(of, pool); };
  return chosen;
}

std::shared_ptr<const Domain> SearchArguments::WithAbstractionsOfModel(std::unique_ptr<Domain> domain) const {
  const SessionPolicy chosen = PolicyFor(*domain);
  return WithChosenAbstractions(std::move(domain), abstractions, chosen);
}

std::string SearchArguments::ScorerName(const Domain& domain) const {
  if (SearchKindOf(search) == SearchKind::kBreadthFirst) return "none";
  return NameOfPolicy(domain, Choice());
}

std::string SearchArguments::AbstractionsName(const Domain& domain) const {
  const AbstractDomain* const abstract = AsAbstractDomain(domain);
  if (abstract == nullptr) return "axioms alone";
  return fmt::format("{} abstractions of {}", abstract->abstractions().abstractions.size(),
                     abstractions.empty() ? "the model" : abstractions);
}

void AddAnyDomain(Command& command, bool& any_domain) {
  command.Flag("--any-domain", any_domain, "Take the model file also if it was trained for another domain.");
}

Model ReadModelFor(const Domain& domain, const std::string& given, bool any_domain) {
  const std::string path = given.empty() ? FindShippedModel(domain.type().name).value_or("") : given;
  if (path.empty()) throw Error(Message("no model comes with conpole for {}; name one with --model", domain.type().name));
  return ReadPolicyModel(domain, path, any_domain);
}

}  // namespace conpole::cli

#include "search/run_search.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "conpole/error.h"
#include "conpole/packed_policy.h"
#include "search/beam_search.h"
#include "search/best_first.h"
#include "search/breadth_first.h"
#include "search/endgame.h"
#include "search/lockstep.h"
#include "search/packed_beam.h"
#include "search/packed_best_first.h"
#include "search/shorten.h"

namespace conpole {
namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
constexpr StopToken::Clock::time_point kNoDeadline = StopToken::Clock::time_point::max();

void CheckOptions(const SearchOptions& options) {
  if (options.kind == SearchKind::kBeam && options.beam.width == 0) throw Error("the beam must be at least 1");
  if (options.kind == SearchKind::kLevin && options.levin.batch == 0) throw Error("the batch of levin must be at least 1");
  if (options.kind != SearchKind::kBestFirst) return;
  if (options.best_first.batch == 0) throw Error("the batch of bwas must be at least 1");
  if (!(options.best_first.weight >= 0)) throw Error("the weight of bwas must not be negative");
}

// Of the kinds that go on with the best open states.
BestFirstTerms TermsOf(const SearchOptions& options) {
  return options.kind == SearchKind::kLevin ? BestFirstTerms(options.levin) : BestFirstTerms(options.best_first);
}
bool IsBestFirst(SearchKind kind) { return kind == SearchKind::kBestFirst || kind == SearchKind::kLevin; }

// Greedy search and beam search as a beam; nothing for other kinds. Greedy is the protocol that policies are evaluated with:
// from the current state go to the successor with the highest score among those that were never met before, until the state is
// solved; a solved successor counts only if it is chosen. (The authors' program stopped one action short of its limit of 30.)
std::optional<BeamOptions> AsBeam(const SearchOptions& options, ScoreMeaning meaning) {
  if (options.kind == SearchKind::kGreedy) {
    return BeamOptions{
        .width = 1, .max_steps = options.greedy.max_steps, .value = BeamValue::kLastScore, .take_solved_candidates = false};
  }
  if (options.kind != SearchKind::kBeam) return std::nullopt;
  BeamOptions beam = options.beam;
  beam.value = BeamValueFor(beam, meaning);
  return beam;
}

// The states along the actions of a packed search, as the domain itself gives them.
std::vector<std::string> Replay(const Domain& domain, const std::string& problem, std::span<const std::uint8_t> actions) {
  const FixedLayout& layout = *domain.type().layout;
  std::vector<std::string> path{problem};
  Successors successors;
  for (const std::uint8_t action : actions) {
    successors.Clear();
    const std::vector<std::uint8_t> possible = PossibleActions(layout, PackState(layout, path.back()).data());
    const auto found = std::find(possible.begin(), possible.end(), action);
    const auto place = static_cast<std::size_t>(found - possible.begin());
    if (domain.Expand(path.back(), Labels::kOff, successors) != Status::kOpen || found == possible.end() ||
        place >= successors.size()) {
      throw Error("a search over packed states gave an action that the domain does not have");
    }
    path.emplace_back(successors.state(place));
  }
  if (!domain.Solved(path.back())) throw Error("a search over packed states gave actions that do not solve the problem");
  return path;
}

// A search's solution without what is plainly too much. Where few actions are possible, so that all states near it are not
// many, also without what shows when four times as many of these are looked at as the search asked about: that is quick.
std::vector<std::uint8_t> Shortened(const FixedLayout& layout, std::span<const std::uint8_t> start, const PackedResult& found,
                                    const StopToken& stop) {
  constexpr std::uint64_t kMostNearby = std::uint64_t{1} << 20;
  constexpr std::uint64_t kPerAsked = 4;
  std::vector<std::uint8_t> way = WithoutDetours(layout, start, found.actions);
  if (layout.conditions.empty()) return way;
  const std::uint64_t nearby = std::min(kPerAsked * found.evaluated, kMostNearby);
  return ShortestNearby(layout, SharedEndgame(layout).hash(), start, std::move(way), static_cast<std::size_t>(nearby), stop);
}

using PackedSearch = std::function<PackedResult(std::span<const std::uint8_t> start)>;
using Finished = std::function<void(std::size_t index, const SearchResult&)>;

// One problem after the other, each on all threads.
std::vector<SearchResult> RunPacked(const Domain& domain, std::span<const std::string> problems, const StopToken& stop,
                                    const PackedSearch& search, const Finished& finished) {
  const FixedLayout& layout = *domain.type().layout;
  std::vector<SearchResult> results(problems.size());
  for (std::size_t i = 0; i < problems.size(); ++i) {
    SearchResult& result = results[i];
    if (stop.StopRequested()) {
      result.outcome = SearchOutcome::kInterrupted;
    } else {
      const std::vector<std::uint8_t> start = PackState(layout, problems[i]);
      const PackedResult found = search(start);
      result.outcome = found.outcome;
      result.expanded = found.evaluated;
      result.edges = found.candidates;
      if (found.outcome == SearchOutcome::kSolved) {
        result.path = Replay(domain, problems[i], Shortened(layout, start, found, stop));
      }
    }
    if (finished) finished(i, result);
  }
  return results;
}

std::vector<SearchResult> RunPackedBestFirst(const Domain& domain, PackedPolicy& policy, std::span<const std::string> problems,
                                             const SearchOptions& options, ThreadPool& pool, const Finished& finished) {
  const BestFirstTerms terms = TermsOf(options);
  PackedBestFirst search(SharedEndgame(*domain.type().layout), options.endgame, policy, pool);
  return RunPacked(
      domain, problems, options.stop,
      [&](std::span<const std::uint8_t> start) { return search.Search(start, terms, options.stop); }, finished);
}

// Distances choose better than paths do, but where steps come in any order: there the path is sure after the first few steps.
BeamValue PackedBeamValue(std::optional<BeamValue> asked, const PackedPolicy& policy, const FixedLayout& layout) {
  const bool by_distance = policy.has_values() && !CanBeTakenInAnyOrder(layout);
  const BeamValue value = asked.value_or(by_distance ? BeamValue::kDistance : BeamValue::kLogProbability);
  if (AsksForDistance(value) && !policy.has_values()) throw Error("the model does not say how far states are");
  return value;
}

std::vector<SearchResult> RunPackedBeam(const Domain& domain, PackedPolicy& policy, std::span<const std::string> problems,
                                        const SearchOptions& options, std::uint64_t max_expanded,
                                        StopToken::Clock::time_point finish_by, ThreadPool& pool, const Finished& finished) {
  const FixedLayout& layout = *domain.type().layout;
  const PackedBeamOptions beam_options{.width = options.beam.width,
                                       .finish_by = finish_by,
                                       .max_steps = options.beam.max_steps,
                                       .max_evaluated = max_expanded,
                                       .value = PackedBeamValue(options.beam.value, policy, layout),
                                       .endgame = options.endgame,
                                       .stop = options.stop};
  std::optional<CpuPackedBeam> own;
  PackedBeam* beam = policy.beam();
  if (beam == nullptr) beam = &own.emplace(SharedEndgame(layout), policy, pool);
  return RunPacked(
      domain, problems, options.stop,
      [&](std::span<const std::uint8_t> start) { return SearchViews(*beam, layout, start, beam_options, options.beam.views); },
      finished);
}

}  // namespace

SearchKind SearchKindOf(std::string_view name) {
  if (name == "greedy") return SearchKind::kGreedy;
  if (name == "bfs") return SearchKind::kBreadthFirst;
  if (name == "beam") return SearchKind::kBeam;
  if (name == "bwas") return SearchKind::kBestFirst;
  if (name == "levin") return SearchKind::kLevin;
  throw Error(Message("unknown search '{}'; there are: greedy, bfs, beam, bwas, levin", name));
}

BeamValue BeamValueOf(std::string_view name) {
  if (name == "sum") return BeamValue::kSumOfScores;
  if (name == "last") return BeamValue::kLastScore;
  if (name == "log-probability") return BeamValue::kLogProbability;
  if (name == "distance") return BeamValue::kDistance;
  if (name == "both") return BeamValue::kBoth;
  throw Error(Message("unknown beam value '{}'; there are: sum, last, log-probability, distance, both", name));
}

std::vector<SearchResult> RunSearch(const Domain& domain, Scorer& scorer, std::span<const std::string> problems,
                                    const SearchOptions& options, ThreadPool& pool,
                                    const std::function<void(std::size_t index, const SearchResult&)>& finished) {
  CheckOptions(options);
  if (options.kind == SearchKind::kBreadthFirst) {
    BreadthFirstOptions breadth_first = options.breadth_first;
    breadth_first.stop = options.stop;
    std::vector<SearchResult> results(problems.size());
    std::mutex reporting;
    pool.For(problems.size(), [&](std::size_t i) {
      results[i] = BreadthFirstSearch(domain, problems[i], breadth_first);
      const std::lock_guard lock(reporting);
      if (finished) finished(i, results[i]);
    });
    return results;
  }
  if (PackedPolicy* const policy = scorer.packed(); policy != nullptr && domain.type().layout != nullptr) {
    if (options.kind == SearchKind::kBeam)
      return RunPackedBeam(domain, *policy, problems, options, kNoLimit, kNoDeadline, pool, finished);
    if (IsBestFirst(options.kind)) return RunPackedBestFirst(domain, *policy, problems, options, pool, finished);
  }
  const std::optional<BeamOptions> beam = AsBeam(options, scorer.meaning());
  const MakeSearch make = [&](const Domain& of, const std::string& problem,
                              StateTable memory) -> std::unique_ptr<GuidedSearch> {
    if (beam) return std::make_unique<BeamSearch>(of, problem, *beam, std::move(memory));
    return std::make_unique<BestFirstSearch>(of, problem, scorer.meaning(), TermsOf(options), std::move(memory));
  };
  LockstepOptions lockstep{options.in_flight, options.stop, {}};
  if (finished) {
    lockstep.finished = [&](std::size_t index, const GuidedSearch& search) {
      SearchResult result = search.result();
      if (!search.finished()) result.outcome = SearchOutcome::kInterrupted;
      finished(index, result);
    };
  }
  return RunLockstep(domain, scorer, problems, make, pool, lockstep);
}

std::vector<SearchResult> RunTracedSearch(const Domain& domain, Scorer& scorer, std::span<const std::string> problems,
                                          const SearchOptions& options, ThreadPool& pool,
                                          const std::function<void(std::size_t index, const BeamSearch&)>& ended,
                                          const BeamSearch::Choose& choose) {
  CheckOptions(options);
  const std::optional<BeamOptions> beam = AsBeam(options, scorer.meaning());
  if (!beam) throw Error("only greedy and beam search leave a trace");
  const MakeSearch make = [&](const Domain& of, const std::string& problem, StateTable memory) {
    auto search = std::make_unique<BeamSearch>(of, problem, *beam, std::move(memory));
    search->KeepTrace();
    if (choose) search->GoOnAs(choose);
    return search;
  };
  const LockstepOptions lockstep{options.in_flight, options.stop, [&](std::size_t index, const GuidedSearch& search) {
                                   ended(index, static_cast<const BeamSearch&>(search));
                                 }};
  return RunLockstep(domain, scorer, problems, make, pool, lockstep);
}

SearchResult RunGrowingPackedBeams(const Domain& domain, PackedPolicy& policy, const std::string& problem,
                                   const GrowingBeamOptions& options, ThreadPool& pool) {
  constexpr double kCaution = 0.95;  // of the time that is left
  constexpr int kSmall = 8;          // a beam is small that takes no more than this part of it
  SearchResult best;
  SearchOptions search;
  search.kind = SearchKind::kBeam;
  search.stop = options.stop;
  search.beam.max_steps = options.max_steps;
  StopToken::Clock::time_point finish_by = kNoDeadline;
  for (search.beam.width = options.width;; search.beam.width *= 4) {
    const auto start = StopToken::Clock::now();
    const std::uint64_t left = options.max_expanded - best.expanded;
    SearchResult found = RunPackedBeam(domain, policy, std::span(&problem, 1), search, left, finish_by, pool, {}).front();
    found.expanded += best.expanded;
    found.edges += best.edges;
    if (found.solved()) search.beam.max_steps = found.steps() == 0 ? 0 : found.steps() - 1;
    // What was found before stays, whatever a wider beam comes to.
    if (!found.solved() && best.solved()) {
      found.outcome = best.outcome;
      found.path = std::move(best.path);
    }
    best = std::move(found);
    const bool is_enough = best.solved() && (!options.shorten || best.steps() == 0);
    if (is_enough || options.stop.StopRequested() || best.expanded >= options.max_expanded) return best;
    if (search.beam.width > options.widest / 4 || finish_by != kNoDeadline) return best;
    // What small beams find says how many layers there will be. Until something is found, there is nothing else to be done.
    const auto now = StopToken::Clock::now();
    const bool is_next_small = kSmall * 4 * (now - start) < options.deadline - now;
    if (!best.solved() || options.deadline == kNoDeadline || is_next_small) continue;
    finish_by = now + std::chrono::duration_cast<StopToken::Clock::duration>(kCaution * (options.deadline - now));
    search.beam.width = options.widest / 4;
  }
}

std::vector<SearchResult> RunSearch(const Domain& domain, Scorer& scorer, std::span<const std::string> problems,
                                    const SearchOptions& options, std::size_t threads) {
  ThreadPool pool(threads);
  return RunSearch(domain, scorer, problems, options, pool);
}

}  // namespace conpole

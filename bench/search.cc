// What searching costs beyond listing successors, as a ratio in one run: breadth-first search over 10^7 edges of equations with
// the memory it takes, and lockstep beam search with a scorer that costs nothing, on one thread and on all cores. "Raw" lists
// the successors of the very states that the search expanded and does nothing else.
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conpole/domain.h"
#include "search/beam_search.h"
#include "search/breadth_first.h"
#include "search/lockstep.h"
#include "search/scorers.h"
#include "search/state_table.h"
#include "util/stopwatch.h"
#include "util/thread_pool.h"

namespace conpole::bench {
namespace {

constexpr int kRepetitions = 3;

// The best time of several runs, in seconds.
double BestSeconds(const std::function<void()>& run) {
  double best = 1e300;
  for (int i = 0; i < kRepetitions; ++i) {
    const Stopwatch watch;
    run();
    best = std::min(best, watch.Seconds());
  }
  return best;
}

double PeakMemoryInGigabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1e6;
}

struct RawRun {
  std::uint64_t edges = 0;
  double seconds = 0;
};

RawRun ExpandOnly(const Domain& domain, const std::vector<std::string>& states, ThreadPool& pool) {
  constexpr std::size_t kChunk = 256;
  const std::size_t chunks = (states.size() + kChunk - 1) / kChunk;
  std::vector<std::uint64_t> edges(chunks);
  RawRun run;
  run.seconds = BestSeconds([&] {
    pool.For(chunks, [&](std::size_t chunk) {
      thread_local Successors successors;
      edges[chunk] = 0;
      for (std::size_t i = chunk * kChunk; i < std::min(states.size(), (chunk + 1) * kChunk); ++i) {
        successors.Clear();
        domain.Expand(states[i], Labels::kOff, successors);
        edges[chunk] += successors.size();
      }
    });
  });
  for (const std::uint64_t count : edges) run.edges += count;
  return run;
}

void PrintBreadthFirst(std::uint64_t max_edges) {
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  // A problem that is far from solved within the budget.
  const std::string problem = domain->Parse("((7x - 3) + 4x) = (2 * (x - 5))").state;
  ThreadPool pool(1);

  StateTable states;
  states.Add(problem, StateTable::kNone);
  Successors successors;
  std::vector<std::string> expanded;
  for (std::uint64_t edges = 0; edges < max_edges; edges += successors.size()) {
    const auto id = static_cast<StateTable::Id>(expanded.size());
    expanded.emplace_back(states[id].text());
    successors.Clear();
    domain->Expand(expanded.back(), Labels::kOff, successors);
    states.AddAll(successors, id, [](StateTable::Id, bool) { return true; });
  }
  const double table = static_cast<double>(states.MemoryUsed()) / 1e9;
  const StateTable::Id met = states.size();
  states = StateTable();
  const RawRun raw = ExpandOnly(*domain, expanded, pool);
  expanded = {};

  SearchResult result;
  const double seconds = BestSeconds([&] { result = BreadthFirstSearch(*domain, problem, {max_edges, true, {}}); });
  const double raw_rate = static_cast<double>(raw.edges) / raw.seconds;
  const double rate = static_cast<double>(result.edges) / seconds;
  fmt::print("breadth-first, equations, one thread: {} edges, {} states expanded, {} states met\n", result.edges,
             result.expanded, met);
  fmt::print("  raw {:.2f}M edges/s, search {:.2f}M edges/s: {:.0f}% of raw, overhead {:.0f}% of expansion\n", raw_rate / 1e6,
             rate / 1e6, 100 * rate / raw_rate, 100 * (raw_rate / rate - 1));
  fmt::print("  memory: table {:.2f} GB, peak of this program {:.2f} GB\n\n", table, PeakMemoryInGigabytes());
}

// Passes everything on to another domain and remembers what was expanded.
class RecordingDomain final : public Domain {
 public:
  explicit RecordingDomain(const Domain& domain) : Domain(domain.type(), domain.parameters()), domain_(domain) {}
  std::string Generate(std::uint64_t seed) const override { return domain_.Generate(seed); }
  Status Expand(std::string_view state, Labels labels, Successors& out) const override {
    expanded_.emplace_back(state);
    return domain_.Expand(state, labels, out);
  }
  bool Solved(std::string_view state) const override { return domain_.Solved(state); }
  Parsed Parse(std::string_view text) const override { return domain_.Parse(text); }

  const std::vector<std::string>& expanded() const { return expanded_; }

 private:
  const Domain& domain_;
  mutable std::vector<std::string> expanded_;
};

void PrintBeam(const DomainType& type, std::size_t problem_count) {
  const std::unique_ptr<Domain> domain = MakeDomain(type.name);
  const std::unique_ptr<Scorer> scorer = MakeRandomScorer(1);
  std::vector<std::string> problems;
  for (std::uint64_t seed = 1'000'000; problems.size() < problem_count; ++seed) problems.push_back(domain->Generate(seed));
  const MakeSearch make = [](const Domain& of, const std::string& problem, StateTable memory) -> std::unique_ptr<GuidedSearch> {
    return std::make_unique<BeamSearch>(of, problem, BeamOptions(), std::move(memory));
  };
  const RecordingDomain recording(*domain);
  ThreadPool one(1);
  RunLockstep(recording, *scorer, problems, make, one);
  const std::vector<std::string>& expanded = recording.expanded();

  const auto print = [&](ThreadPool& pool) {
    const RawRun raw = ExpandOnly(*domain, expanded, pool);
    std::uint64_t edges = 0;
    const double seconds = BestSeconds([&] {
      edges = 0;
      for (const SearchResult& result : RunLockstep(*domain, *scorer, problems, make, pool)) edges += result.edges;
    });
    const double raw_rate = static_cast<double>(raw.edges) / raw.seconds;
    const double rate = static_cast<double>(edges) / seconds;
    fmt::print("{:<17}{:>8}{:>15.2f}M{:>15.2f}M{:>12.0f}%\n", type.name, pool.size(), raw_rate / 1e6, rate / 1e6,
               100 * rate / raw_rate);
    return rate;
  };
  const double single = print(one);
  ThreadPool all;
  if (all.size() > 1) fmt::print("{:>72}\n", fmt::format("speed-up {:.2f}x", print(all) / single));
}

void PrintAll() {
  PrintBreadthFirst(10'000'000);
  fmt::print("lockstep beam search (width 10, random scorer), edges/s\n");
  fmt::print("{:<17}{:>8}{:>16}{:>16}{:>13}\n", "domain", "threads", "raw", "search", "of raw");
  for (const DomainType* type : DomainTypes()) PrintBeam(*type, 512);
}

}  // namespace
}  // namespace conpole::bench

int main() {
  try {
    conpole::bench::PrintAll();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "search: " << error.what() << '\n';
    return 2;
  }
}

// How fast the domains list successors: one table with states/s, successors/s and successor bytes/s per domain, for random-walk
// states and for states deep in a search, on one thread and on all cores, beside the rate at which this machine copies memory.
//
//   domains                      the table
//   domains --expand DOMAIN N    only lists the successors of the random-walk states N times (for instructions.sh) and prints
//                                how many there were
//   domains --label DOMAIN N     the same with labels
//   domains --pass DOMAIN N      lists the successors of the states on standard input, one per line, on N threads (0: one per
//                                core), again and again for a while, and prints the seconds of the fastest pass (for
//                                python.py); a pass keeps them all in memory, in blocks of 32 states
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/states.h"
#include "conpole/domain.h"
#include "conpole/error.h"
#include "util/thread_pool.h"

namespace conpole::bench {
namespace {

constexpr std::size_t kStates = 2000;

// Lists the successors of all states once.
struct Totals {
  std::size_t successors = 0;
  std::size_t bytes = 0;
};
Totals ExpandAll(const Domain& domain, const std::vector<std::string>& states, Labels labels, Successors& buffer) {
  Totals totals;
  for (const std::string& state : states) {
    buffer.Clear();
    domain.Expand(state, labels, buffer);
    totals.successors += buffer.size();
    totals.bytes += buffer.text().size();
  }
  return totals;
}

void BenchmarkExpand(benchmark::State& state, const Domain& domain, const std::vector<std::string>& states, Labels labels) {
  Successors buffer;
  Totals totals;
  for (auto _ : state) totals = ExpandAll(domain, states, labels, buffer);
  const auto rate = [&](std::size_t per_iteration) {
    return benchmark::Counter(static_cast<double>(per_iteration) * static_cast<double>(state.iterations()),
                              benchmark::Counter::kIsRate);
  };
  state.counters["states"] = rate(states.size());
  state.counters["successors"] = rate(totals.successors);
  state.counters["bytes"] = rate(totals.bytes);
}

// The limit: successor text is written once, so it cannot be faster than copying the same number of bytes within the cache.
void BenchmarkCopy(benchmark::State& state) {
  const std::vector<char> from(32 << 10, 'x');
  std::vector<char> to(from.size());
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), from.size());
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  }
  state.counters["bytes"] = benchmark::Counter(static_cast<double>(from.size()) * static_cast<double>(state.iterations()),
                                               benchmark::Counter::kIsRate);
}

// Keeps the rates by the name of the benchmark; the best of the repetitions counts.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      auto& best = rates_[run.run_name.function_name];
      for (const auto& [name, counter] : run.counters) best[name] = std::max(best[name], counter.value);
    }
    std::cerr << '.' << std::flush;
  }
  double Rate(const std::string& benchmark, const std::string& counter) const { return rates_.at(benchmark).at(counter); }

 private:
  std::map<std::string, std::map<std::string, double>> rates_;
};

struct Case {
  std::unique_ptr<Domain> domain;
  std::string set;
  std::vector<std::string> states;
  std::string Name(std::string_view variant) const { return fmt::format("{} {} {}", domain->type().name, set, variant); }
};

std::vector<Case> MakeCases() {
  std::vector<std::string> specs;
  for (const DomainType* type : DomainTypes()) specs.push_back(type->name);
  // The same domains as files.
  for (const char* const file : {"bars", "ternary-addition", "multiplication", "fractions", "equation-axioms", "rubiks-cube"}) {
    specs.push_back(fmt::format("{}/gallery/{}.domain", CONPOLE_SOURCE, file));
  }
  std::vector<Case> cases;
  for (const std::string& spec : specs) {
    auto domain = MakeDomain(spec);
    auto walk = RandomWalkStates(*domain, kStates);
    auto deep = DeepStates(*domain, kStates);
    cases.push_back({std::move(domain), "walk", std::move(walk)});
    cases.push_back({MakeDomain(spec), "deep", std::move(deep)});
  }
  return cases;
}

void PrintTable() {
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const std::vector<Case> cases = MakeCases();
  const auto add = [](const std::string& name, const auto& run, int threads) {
    benchmark::RegisterBenchmark(name.c_str(), run)->Threads(threads)->UseRealTime()->MinTime(0.2)->Repetitions(3);
  };
  add("copy", BenchmarkCopy, 1);
  for (const Case& c : cases) {
    const auto run = [&c](Labels labels) {
      return [&c, labels](benchmark::State& state) { BenchmarkExpand(state, *c.domain, c.states, labels); };
    };
    add(c.Name("one"), run(Labels::kOff), 1);
    add(c.Name("labelled"), run(Labels::kOn), 1);
    add(c.Name("all"), run(Labels::kOff), cores);
  }
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);

  const double copy = collector.Rate("copy", "bytes");
  fmt::print("\ncopying memory within the cache: {:.1f} GB/s; all cores: {} threads\n\n", copy / 1e9, cores);
  fmt::print("{:<20}{:<6}{:>11}{:>13}{:>10}{:>9}{:>14}{:>13}{:>9}\n", "domain", "states", "states/s", "successors/s", "GB/s",
             "of copy", "with labels/s", "all cores/s", "speed-up");
  for (const Case& c : cases) {
    const double one = collector.Rate(c.Name("one"), "successors");
    const double bytes = collector.Rate(c.Name("one"), "bytes");
    const double all = collector.Rate(c.Name("all"), "successors");
    fmt::print("{:<20}{:<6}{:>10.3f}M{:>12.2f}M{:>10.2f}{:>8.1f}%{:>13.2f}M{:>12.2f}M{:>8.2f}x\n", c.domain->type().name, c.set,
               collector.Rate(c.Name("one"), "states") / 1e6, one / 1e6, bytes / 1e9, 100 * bytes / copy,
               collector.Rate(c.Name("labelled"), "successors") / 1e6, all / 1e6, all / one);
  }
}

void ExpandOnly(const std::string& spec, int repetitions, Labels labels) {
  const std::unique_ptr<Domain> domain = MakeDomain(spec);
  const std::vector<std::string> states = RandomWalkStates(*domain, kStates);
  Successors buffer;
  std::size_t successors = 0;
  for (int i = 0; i < repetitions; ++i) successors += ExpandAll(*domain, states, labels, buffer).successors;
  fmt::print("{}\n", successors);
}

void TimePasses(const std::string& spec, std::size_t threads) {
  using Clock = std::chrono::steady_clock;
  const std::unique_ptr<Domain> domain = MakeDomain(spec);
  std::vector<std::string> states;
  for (std::string line; std::getline(std::cin, line);) states.push_back(line);
  ThreadPool pool(threads);
  // Kept until the next pass, as by someone who wants all of them.
  constexpr std::size_t kBlock = 32;
  std::vector<Successors> blocks((states.size() + kBlock - 1) / kBlock);
  double fastest = std::numeric_limits<double>::infinity();
  for (const Clock::time_point end = Clock::now() + std::chrono::milliseconds(300); Clock::now() < end;) {
    const Clock::time_point begin = Clock::now();
    pool.For(blocks.size(), [&](std::size_t block) {
      blocks[block].Clear();
      for (std::size_t i = block * kBlock; i < std::min(states.size(), (block + 1) * kBlock); ++i) {
        domain->Expand(states[i], Labels::kOff, blocks[block]);
      }
    });
    fastest = std::min(fastest, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  fmt::print("{}\n", fastest);
}

}  // namespace
}  // namespace conpole::bench

int main(int argc, char** argv) {
  try {
    const std::string_view mode = argc == 4 ? argv[1] : "";
    if (mode == "--expand" || mode == "--label") {
      conpole::bench::ExpandOnly(argv[2], std::stoi(argv[3]), mode == "--label" ? conpole::Labels::kOn : conpole::Labels::kOff);
      return 0;
    }
    if (mode == "--pass") {
      conpole::bench::TimePasses(argv[2], std::stoul(argv[3]));
      return 0;
    }
    if (argc != 1)
      throw conpole::Error("usage: domains [--expand DOMAIN REPETITIONS | --label DOMAIN REPETITIONS | --pass DOMAIN THREADS]");
    conpole::bench::PrintTable();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "domains: " << error.what() << '\n';
    return 2;
  }
}

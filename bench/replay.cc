// How much memory a million experiences take: build/bench/replay [EXPERIENCES]. They are those of real searches of equations,
// with a beam of 10 and all negatives, repeated until there are enough.
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "conpole/domain.h"
#include "search/lockstep.h"
#include "search/scorers.h"
#include "train/agents/agent.h"
#include "train/loop/replay.h"
#include "util/random.h"
#include "util/thread_pool.h"

namespace conpole {
namespace {

// Of the whole process, in bytes.
double ResidentMemory() {
  std::ifstream file("/proc/self/statm");
  double total = 0;
  double resident = 0;
  file >> total >> resident;
  return resident * 4096;
}

int Main(int argc, char** argv) {
  const std::size_t wanted = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  TrainOptions options;
  options.negatives_kept = 4096;
  const std::unique_ptr<Agent> agent = MakeAgent("conpole", options);
  std::vector<std::string> problems;
  for (std::uint64_t seed = 1'000'000; seed < 1'010'000; ++seed) problems.push_back(domain->Generate(seed));

  ReplayBuffer sample(wanted);
  const auto make = [&](const Domain& of, const std::string& problem, StateTable memory) {
    return agent->MakeSearch(of, problem, {.max_steps = 30, .seed = 0}, std::move(memory));
  };
  LockstepOptions lockstep;
  lockstep.finished = [&](std::size_t index, const GuidedSearch& search) {
    Random random(index);
    agent->Teach(*domain, search, random, sample);
  };
  ThreadPool pool;
  RunLockstep(*domain, *MakeLengthScorer(), problems, make, pool, lockstep);

  const double before = ResidentMemory();
  ReplayBuffer replay(wanted);
  Experience experience;
  double pairs = 0;
  for (std::size_t i = 0; i < wanted; ++i) {
    sample.Read(i % sample.size(), experience);
    pairs += static_cast<double>(experience.pairs.size());
    replay.Add(experience);
  }
  const auto count = static_cast<double>(wanted);
  fmt::print(
      "{} experiences of {} different ones, {:.1f} pairs each: {:.2f} GB, {:.0f} bytes each; the process grew by {:.2f} GB\n",
      wanted, sample.size(), pairs / count, static_cast<double>(replay.MemoryUsed()) / 1e9,
      static_cast<double>(replay.MemoryUsed()) / count, (ResidentMemory() - before) / 1e9);
  return 0;
}

}  // namespace
}  // namespace conpole

int main(int argc, char** argv) { return conpole::Main(argc, argv); }

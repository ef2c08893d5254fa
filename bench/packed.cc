// How fast packed states are searched on the CPU: the matrix products of a network of the shipped size, the network itself, and
// a beam search that asks it, these two with products of floats and of bytes, each in operations of matrix products per second.
// They take turns, so that other load meets them alike, and the best turn of each counts.
//   packed [WIDTH]
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "conpole/domain.h"
#include "nn/kernels.h"
#include "nn/network_kind.h"
#include "nn/residual_network.h"
#include "search/endgame.h"
#include "search/packed_beam.h"
#include "util/stopwatch.h"
#include "util/thread_pool.h"

namespace conpole {
namespace {

constexpr int kTurns = 8;
constexpr double kSeconds = 0.5;  // of a turn

// Operations per second of `work`, of which a call makes `operations`, called for some seconds; the best of its calls.
template <class Work>
double Rate(double operations, const Work& work) {
  double best = 0;
  for (const Stopwatch all; all.Seconds() < kSeconds;) {
    const Stopwatch watch;
    work();
    best = std::max(best, operations / watch.Seconds());
  }
  return best;
}

// A square product on every thread, of as many rows as a tile of the network has.
double ProductRate(ThreadPool& pool, std::size_t size) {
  constexpr std::size_t kRows = 48;
  const std::vector<float> weights(size * size, 0.01F);
  const PackedMatrix matrix(weights.data(), size, size);
  const std::vector<float> in(size, 0.5F);
  std::vector<std::vector<float>> out(pool.size() * kRows, std::vector<float>(size));
  constexpr int kTimes = 20;
  return Rate(2.0 * kTimes * static_cast<double>(pool.size() * kRows * size * size), [&] {
    pool.For(pool.size(), [&](std::size_t thread) {
      std::vector<const float*> rows(kRows, in.data());
      std::vector<float*> results;
      for (std::size_t r = 0; r < kRows; ++r) results.push_back(out[thread * kRows + r].data());
      const Factor factor{rows.data(), &matrix};
      for (int i = 0; i < kTimes; ++i) Kernels::Best().multiply(kRows, rows.data(), &factor, 1, results.data());
    });
  });
}

void Run(std::size_t width) {
  const std::unique_ptr<Domain> domain = MakeDomain("rubiks-cube:min_moves=100,max_moves=100");
  const FixedLayout& layout = *domain->type().layout;
  Architecture architecture = TrainingArchitecture("residual", {});
  architecture.sizes["cells"] = static_cast<int>(layout.cells);
  architecture.sizes["colours"] = static_cast<int>(layout.colours);
  architecture.sizes["actions"] = static_cast<int>(layout.actions());
  ThreadPool pool;
  const Model model = RandomModel(architecture, 1);
  const auto floats = std::make_shared<const ResidualNetwork>(model);
  const auto bytes = std::make_shared<const ResidualNetwork>(model, Products::kBytes);
  const double operations = 2.0 * static_cast<double>(floats->products());

  const Stopwatch watch;
  const Endgame& endgame = SharedEndgame(layout);
  fmt::print("endgame: {} states within {} steps, {:.0f} ms\n", endgame.size(), endgame.radius(), 1000 * watch.Seconds());

  std::vector<std::uint8_t> states;
  for (std::uint64_t seed = 0; seed < 1024; ++seed) {
    const std::vector<std::uint8_t> state = PackState(layout, domain->Generate(seed));
    states.insert(states.end(), state.begin(), state.end());
  }
  std::vector<float> preferences(states.size() / layout.cells * layout.actions());
  ResidualPolicy in_floats(floats, pool);
  ResidualPolicy in_bytes(bytes, pool);
  CpuPackedBeam beam(endgame, in_floats, pool);
  CpuPackedBeam byte_beam(endgame, in_bytes, pool);
  const std::vector<std::uint8_t> start = PackState(layout, domain->Generate(1));
  const PackedBeamOptions options{.width = width, .max_steps = 12};
  const auto evaluated = static_cast<double>(beam.Search(start, options).evaluated);
  const auto byte_evaluated = static_cast<double>(byte_beam.Search(start, options).evaluated);
  double limit = 0;
  double of_network = 0;
  double of_beam = 0;
  double of_byte_network = 0;
  double of_byte_beam = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    limit = std::max(limit, ProductRate(pool, static_cast<std::size_t>(architecture.size("hidden"))));
    of_network = std::max(of_network, Rate(operations * 1024, [&] { floats->Score(states, preferences, pool); }));
    of_beam = std::max(of_beam, Rate(operations * evaluated, [&] { beam.Search(start, options); }));
    of_byte_network = std::max(of_byte_network, Rate(operations * 1024, [&] { bytes->Score(states, preferences, pool); }));
    of_byte_beam = std::max(of_byte_beam, Rate(operations * byte_evaluated, [&] { byte_beam.Search(start, options); }));
  }
  fmt::print("matrix products, {} threads: {:.1f} GFLOP/s\n", pool.size(), limit / 1e9);
  const auto print = [&](const std::string& name, double rate) {
    fmt::print("{}: {:.0f} states/s, {:.1f} GFLOP/s, {:.0f}% of the products\n", name, rate / operations, rate / 1e9,
               100 * rate / limit);
  };
  print("network", of_network);
  print(fmt::format("beam of {}", width), of_beam);
  print("network in bytes", of_byte_network);
  print(fmt::format("beam of {} in bytes", width), of_byte_beam);
}

}  // namespace
}  // namespace conpole

int main(int argc, char** argv) {
  try {
    conpole::Run(argc > 1 ? std::stoul(argv[1]) : 1024);
  } catch (const std::exception& error) {
    fmt::print(stderr, "packed: {}\n", error.what());
    return 1;
  }
}

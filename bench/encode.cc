// How fast states become vectors: strings/s and GFLOP/s of the runtime engine and, where it is built in, of LibTorch, for
// batches of 16 to 16384 strings of 24, 48 and 80 characters, beside the rate of a large matrix product of the same precision
// in the same run.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "conpole/domain.h"
#include "nn/encoder.h"
#include "nn/kernels.h"
#include "nn/model.h"
#include "util/random.h"
#include "util/statistics.h"
#include "util/thread_pool.h"

#ifdef CONPOLE_TORCH
#include "torch/torch_encoder.h"
#endif

namespace conpole::bench {
namespace {

double Seconds(const std::function<void()>& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The best time of as many runs as fit into about a second, at least two.
double BestSeconds(const std::function<void()>& run) {
  double best = Seconds(run);
  for (double spent = best; spent < 1.0 || best == spent; spent += best) best = std::min(best, Seconds(run));
  return best;
}

std::vector<std::string> Strings(std::size_t count, std::size_t shortest, std::size_t longest) {
  Random random(1);
  std::vector<std::string> strings(count);
  for (std::string& text : strings) {
    const std::uint64_t length = random.Uint64(shortest, longest + 1);
    while (text.size() < length) text += static_cast<char>(random.Uint64(' ', '~' + 1));
  }
  return strings;
}

// The same kernel on matrices that are large in every direction: what the processor gives at best.
double KernelRate(ThreadPool& pool) {
  constexpr std::size_t kSize = 1024;
  constexpr std::size_t kRows = 48;
  const PackedMatrix matrix(std::vector<float>(kSize * kSize, 0.01F).data(), kSize, kSize);
  const std::size_t blocks = 16 * pool.size();
  std::vector<float> rows(blocks * kRows * kSize, 0.5F);
  std::vector<float> results(rows.size());
  const std::vector<float> zero(kSize);
  const double seconds = BestSeconds([&] {
    pool.For(blocks, [&](std::size_t block) {
      std::vector<const float*> start(kRows, zero.data());
      std::vector<const float*> from(kRows);
      std::vector<float*> to(kRows);
      for (std::size_t r = 0; r < kRows; ++r) {
        from[r] = rows.data() + (block * kRows + r) * kSize;
        to[r] = results.data() + (block * kRows + r) * kSize;
      }
      const Factor factor{from.data(), &matrix};
      Kernels::Best().multiply(kRows, start.data(), &factor, 1, to.data());
    });
  });
  return 2.0 * static_cast<double>(blocks * kRows * kSize * kSize) / seconds;
}

// A function that writes the vectors of strings.
using EncodeStrings = std::function<void(std::span<const std::string_view>, std::span<float>)>;

void PrintTable(const Encoder& encoder, const EncodeStrings& encode, double limit) {
  fmt::print("{:>8}{:>12}{:>14}{:>12}{:>12}\n", "strings", "characters", "strings/s", "GFLOP/s", "of limit");
  for (const std::size_t characters : {24U, 48U, 80U}) {
    for (const std::size_t count : {16U, 64U, 256U, 1024U, 4096U, 16384U}) {
      const std::vector<std::string> strings = Strings(count, characters, characters);
      const std::vector<std::string_view> views(strings.begin(), strings.end());
      std::vector<float> vectors(count * encoder.vector_size());
      const double operations = encoder.OperationsPerString(characters) * static_cast<double>(count);
      if (operations / limit > 20) continue;  // nothing new beyond this
      const double seconds = BestSeconds([&] { encode(views, vectors); });
      fmt::print("{:>8}{:>12}{:>14.0f}{:>12.1f}{:>11.0f}%\n", count, characters, static_cast<double>(count) / seconds,
                 operations / seconds / 1e9, 100 * operations / seconds / limit);
    }
  }
}

// What a person waits for: scoring all successors of an equation of average size.
void PrintLatency(const Encoder& encoder, ThreadPool& pool) {
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  std::vector<double> milliseconds;
  Successors successors;
  std::size_t texts = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    successors.Clear();
    const std::string state = domain->Generate(seed);
    domain->Expand(state, Labels::kOff, successors);
    std::vector<std::string_view> views{state};
    for (std::size_t i = 0; i < successors.size(); ++i) views.push_back(successors.state(i));
    std::vector<float> vectors(views.size() * encoder.vector_size());
    milliseconds.push_back(1000 * Seconds([&] { encoder.Encode(views, vectors, pool); }));
    texts += views.size();
  }
  fmt::print("all successors of one equation ({:.1f} strings on average): p50 {:.1f} ms, p95 {:.1f} ms\n",
             static_cast<double>(texts) / 50, Percentile(milliseconds, 0.5), Percentile(milliseconds, 0.95));
}

#ifdef CONPOLE_TORCH
// Host strings in, host scores out: 16384 strings of 24 to 72 characters, each scored as a candidate of one of 512 parents.
void PrintTorchScoring(TorchEncoder& torch) {
  constexpr std::size_t kCount = 16384;
  const std::vector<std::string> strings = Strings(kCount, 24, 72);
  const std::vector<std::string_view> views(strings.begin(), strings.end());
  const std::vector<std::uint64_t> hashes(kCount);
  std::vector<ScoreBatch::Pair> pairs;
  for (std::uint32_t i = 0; i < kCount; ++i) pairs.push_back({i % 512, i});
  std::vector<float> scores(kCount);
  const double seconds = BestSeconds([&] { torch.Score({views, hashes, pairs}, scores); });
  fmt::print("scoring {} strings of 24 to 72 characters: {:.0f} strings/s\n", kCount, kCount / seconds);
}

void PrintTorch(const Encoder& encoder, ThreadPool& pool) {
  const Model model = RandomModel(Architecture(), 1);
  SetTorchThreads(static_cast<int>(pool.size()));
  const auto print = [&](const char* name, const TorchOptions& options) {
    const double limit = TorchProductRate(options);
    fmt::print("\nLibTorch, {}; large matrix product: {:.1f} GFLOP/s\n", name, limit / 1e9);
    TorchEncoder torch(model, options);
    PrintTable(
        encoder, [&](auto texts, auto vectors) { torch.Encode(texts, vectors); }, limit);
    PrintTorchScoring(torch);
  };
  if (CudaIsAvailable()) {
    print("GPU, fp16", {"cuda", TorchPrecision::kFloat16});
    print("GPU, bf16", {"cuda", TorchPrecision::kBFloat16});
    print("GPU, fp32", {"cuda", TorchPrecision::kFloat32});
  } else {
    print("CPU, fp32", {"cpu", TorchPrecision::kFloat32});
  }
}
#endif

void PrintAll() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // lines as they come, also into a pipe
  ThreadPool pool;
  const Encoder encoder(RandomModel(Architecture(), 1));
  const double limit = KernelRate(pool);
  fmt::print("runtime engine, {} kernels, fp32, {} threads; large matrix product: {:.1f} GFLOP/s\n", Kernels::Best().name,
             pool.size(), limit / 1e9);
  PrintTable(
      encoder, [&](auto texts, auto vectors) { encoder.Encode(texts, vectors, pool); }, limit);
  PrintLatency(encoder, pool);
#ifdef CONPOLE_TORCH
  PrintTorch(encoder, pool);
#endif
}

}  // namespace
}  // namespace conpole::bench

int main() {
  try {
    conpole::bench::PrintAll();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "encode: " << error.what() << '\n';
    return 2;
  }
}

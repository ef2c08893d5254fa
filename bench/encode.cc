// How fast states become vectors.
//   encode               tables for batches of 16 to 16384 strings of 24, 48 and 80 characters, without what takes too long
//   encode --full        everything
//   encode --quick       only what does not need the tables, in some seconds
//   encode --gpu HIDDEN  only the tables of the GPU, for a network of this hidden size
// Prints, of the runtime engine and, where it is built in, of LibTorch: strings/s and GFLOP/s beside the rate of a
// large matrix product of the same precision in the same run; the engines side by side; how long the successors of one state
// take; what the cache of vectors saves.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/states.h"
#include "conpole/domain.h"
#include "conpole/error.h"
#include "nn/kernels.h"
#include "nn/lstm_encoder.h"
#include "nn/model.h"
#include "nn/network_scorer.h"
#include "search/run_search.h"
#include "util/hash.h"
#include "util/random.h"
#include "util/statistics.h"
#include "util/thread_pool.h"

#ifdef CONPOLE_TORCH
#include "torch/torch_encoder.h"
#endif
namespace conpole::bench {
namespace {

enum class Extent : std::uint8_t { kQuick, kNormal, kFull };

struct Request {
  Extent extent = Extent::kNormal;
  int gpu_hidden = 0;  // 0 for everything at the paper's size
};

double Seconds(const std::function<void()>& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The best time of as many runs as fit into about a second; one that takes longer runs once.
double BestSeconds(const std::function<void()>& run) {
  double best = std::numeric_limits<double>::infinity();
  for (double spent = 0; spent < 1.0;) {
    const double seconds = Seconds(run);
    best = std::min(best, seconds);
    spent += seconds;
  }
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

void PrintTable(const LstmEncoder& encoder, const EncodeStrings& encode, double limit, Extent extent) {
  constexpr double kLongest = 10;  // seconds for one batch
  fmt::print("{:>8}{:>12}{:>14}{:>12}{:>12}\n", "strings", "characters", "strings/s", "GFLOP/s", "of limit");
  for (const std::size_t characters : {24U, 48U, 80U}) {
    double rate = std::numeric_limits<double>::infinity();
    for (const std::size_t count : {16U, 64U, 256U, 1024U, 4096U, 16384U}) {
      if (extent != Extent::kFull && static_cast<double>(count) / rate > kLongest) {
        fmt::print("{:>8}{:>12}{:>14}\n", count, characters, "(--full)");
        continue;
      }
      const std::vector<std::string> strings = Strings(count, characters, characters);
      const std::vector<std::string_view> views(strings.begin(), strings.end());
      std::vector<float> vectors(count * encoder.vector_size());
      rate = static_cast<double>(count) / BestSeconds([&] { encode(views, vectors); });
      const double operations = encoder.OperationsPerString(characters) * rate;
      fmt::print("{:>8}{:>12}{:>14.0f}{:>12.1f}{:>11.0f}%\n", count, characters, rate, operations / 1e9,
                 100 * operations / limit);
    }
  }
}

// What a person waits for: scoring all successors of an equation of average size.
void PrintLatency(const Model& model, ThreadPool& pool) {
  constexpr std::uint64_t kEquations = 100;
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  NetworkScorer scorer(model, pool, {.cached_vectors = 0});
  std::vector<double> milliseconds;
  Successors successors;
  std::size_t texts = 0;
  for (std::uint64_t seed = 0; seed < kEquations; ++seed) {
    successors.Clear();
    const std::string state = domain->Generate(seed);
    domain->Expand(state, Labels::kOff, successors);
    std::vector<std::string_view> views{state};
    std::vector<ScoreBatch::Pair> pairs;
    for (std::size_t i = 0; i < successors.size(); ++i) {
      pairs.push_back({0, static_cast<std::uint32_t>(views.size())});
      views.push_back(successors.state(i));
    }
    const std::vector<std::uint64_t> hashes(views.size());
    std::vector<float> scores(pairs.size());
    milliseconds.push_back(1000 * Seconds([&] { scorer.Score({views, hashes, pairs}, scores); }));
    texts += views.size();
  }
  fmt::print("\nscoring all successors of one equation ({:.1f} strings on average): p50 {:.1f} ms, p95 {:.1f} ms\n",
             static_cast<double>(texts) / kEquations, Percentile(milliseconds, 0.5), Percentile(milliseconds, 0.95));
}

// Searches with a random network that is small, so that it does not take long; what is remembered does not depend on the size.
void PrintCache(ThreadPool& pool) {
  const Model model = RandomModel(Lstm({.embedding = 64, .hidden = 64, .layers = 2}), 1);
  fmt::print("\n{:<18}{:<8}{:>10}{:>12}{:>14}{:>12}\n", "cache of vectors", "search", "texts", "remembered", "without: s",
             "with: s");
  for (const DomainType* type : DomainTypes()) {
    const std::unique_ptr<Domain> domain = MakeDomain(type->name);
    for (const char* const kind : {"greedy", "beam"}) {
      SearchOptions options;
      options.kind = SearchKindOf(kind);
      options.greedy.max_steps = 30;
      options.beam.max_steps = 15;
      std::vector<std::string> problems;
      for (std::uint64_t seed = 0; seed < 4; ++seed) problems.push_back(domain->Generate(seed));
      const auto search = [&](NetworkScorer& scorer) {
        return Seconds([&] { RunSearch(*domain, scorer, problems, options, pool, [](std::size_t, const SearchResult&) {}); });
      };
      NetworkScorer without(model, pool, {.cached_vectors = 0});
      NetworkScorer with(model, pool);
      const double seconds_without = search(without);
      const double seconds_with = search(with);
      const std::uint64_t hits = with.cache().hits();
      const std::uint64_t texts = hits + with.cache().misses();
      fmt::print("{:<18}{:<8}{:>10}{:>11.1f}%{:>14.2f}{:>12.2f}\n", type->name, kind, texts,
                 100 * static_cast<double>(hits) / static_cast<double>(texts), seconds_without, seconds_with);
    }
  }
}

// Engines on 256 strings of 48 characters, by turns, so that whatever else the machine does befalls all of them.
class Comparison {
 public:
  // `limit` measures a large matrix product in the precision of the engine.
  void Add(std::string name, EncodeStrings encode, const std::function<double()>& limit) {
    engines_.push_back({std::move(name), std::move(encode), limit});
  }

  // The first engine is the one that the others are compared with.
  void Print(const LstmEncoder& encoder) {
    constexpr int kRounds = 12;
    constexpr double kEnough = 8;  // seconds for one engine
    constexpr std::size_t kCount = 256;
    constexpr std::size_t kCharacters = 48;
    const std::vector<std::string> strings = Strings(kCount, kCharacters, kCharacters);
    const std::vector<std::string_view> views(strings.begin(), strings.end());
    std::vector<float> vectors(kCount * encoder.vector_size());
    for (int round = 0; round < kRounds; ++round) {
      for (Engine& engine : engines_) {
        for (int i = 0; i < 3 && engine.spent < kEnough; ++i) {
          const double seconds = Seconds([&] { engine.encode(views, vectors); });
          engine.seconds = std::min(engine.seconds, seconds);
          engine.spent += seconds;
        }
        if (round % 4 == 0) engine.limit = std::max(engine.limit, engine.measure_limit());
      }
    }
    fmt::print("\n{} strings of {} characters\n", kCount, kCharacters);
    fmt::print("{:<16}{:>12}{:>12}{:>22}{:>12}{:>16}\n", "engine", "strings/s", "GFLOP/s", "large product GFLOP/s", "of that",
               "the first is");
    for (const Engine& engine : engines_) {
      const double rate = kCount / engine.seconds;
      const double operations = rate * encoder.OperationsPerString(kCharacters);
      fmt::print("{:<16}{:>12.0f}{:>12.1f}{:>22.1f}{:>11.0f}%{:>15.2f}x\n", engine.name, rate, operations / 1e9,
                 engine.limit / 1e9, 100 * operations / engine.limit, engine.seconds / engines_.front().seconds);
    }
  }

 private:
  struct Engine {
    std::string name;
    EncodeStrings encode;
    std::function<double()> measure_limit;
    double seconds = std::numeric_limits<double>::infinity();
    double spent = 0;
    double limit = 0;
  };
  std::vector<Engine> engines_;
};

#ifdef CONPOLE_TORCH
// The files of the BLAS that this process has loaded: which one LibTorch gets is decided by the system.
std::string LoadedBlas() {
  std::set<std::string> names;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::string name = line.substr(line.rfind('/') + 1);
    if (name.find("blas") != std::string::npos || name.find("mkl_core") != std::string::npos) names.insert(name);
  }
  return names.empty() ? "unknown" : fmt::format("{}", fmt::join(names, ", "));
}

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

void PrintTorch(const LstmEncoder& encoder, const Model& model, const std::string& name, const TorchOptions& options,
                Extent extent) {
  const double limit = TorchProductRate(options);
  fmt::print("\nLibTorch, {}; large matrix product: {:.1f} GFLOP/s\n", name, limit / 1e9);
  TorchEncoder torch(model, options);
  PrintTable(
      encoder, [&](auto texts, auto vectors) { torch.Encode(texts, vectors); }, limit, extent);
  if (options.device != "cpu" || extent == Extent::kFull) PrintTorchScoring(torch);
}
#endif

void PrintGpu([[maybe_unused]] int hidden) {
#ifdef CONPOLE_TORCH
  if (!CudaIsAvailable()) throw Error("there is no GPU that this build of LibTorch can use");
  const Model model = RandomModel(Lstm({.embedding = 64, .hidden = hidden, .layers = 2}), 1);
  const LstmEncoder encoder(model);
  for (const bool own_kernels : {true, false}) {
    TorchOptions options{"cuda", TorchPrecision::kFloat16};
    options.own_kernels = own_kernels;
    PrintTorch(encoder, model, fmt::format("GPU, fp16, hidden size {}, {} kernels", hidden, own_kernels ? "our" : "cuDNN's"),
               options, Extent::kFull);
  }
#else
  throw Error("this build has no LibTorch");
#endif
}

void PrintAll(Extent extent) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // lines as they come, also into a pipe
  ThreadPool pool;
  const Model model = RandomModel(Lstm(), 1);
  const LstmEncoder encoder(model);
  const EncodeStrings encode = [&](auto texts, auto vectors) { encoder.Encode(texts, vectors, pool); };
  if (extent != Extent::kQuick) {
    const double limit = KernelRate(pool);
    fmt::print("runtime engine, {} kernels, fp32, {} threads; large matrix product: {:.1f} GFLOP/s\n", Kernels::Best().name,
               pool.size(), limit / 1e9);
    PrintTable(encoder, encode, limit, extent);
  }
  PrintLatency(model, pool);
  if (extent != Extent::kQuick) PrintCache(pool);

  Comparison comparison;
  comparison.Add("runtime fp32", encode, [&] { return KernelRate(pool); });
#ifdef CONPOLE_TORCH
  SetTorchThreads(static_cast<int>(pool.size()));
  const TorchOptions cpu;
  fmt::print("\nLibTorch on the CPU: {} threads, BLAS: {}\n", pool.size(), LoadedBlas());
  if (extent != Extent::kQuick) {
    PrintTorch(encoder, model, "CPU, fp32", cpu, extent);
    if (CudaIsAvailable()) {
      PrintTorch(encoder, model, "GPU, fp16", {"cuda", TorchPrecision::kFloat16}, extent);
      PrintTorch(encoder, model, "GPU, bf16", {"cuda", TorchPrecision::kBFloat16}, extent);
      PrintTorch(encoder, model, "GPU, fp32", {"cuda", TorchPrecision::kFloat32}, extent);
    }
  }
  TorchEncoder torch(model, cpu);
  comparison.Add(
      "LibTorch fp32", [&](auto texts, auto vectors) { torch.Encode(texts, vectors); }, [&] { return TorchProductRate(cpu); });
#endif
  comparison.Print(encoder);
}

Request RequestOf(std::span<char* const> arguments) {
  if (arguments.empty()) return {};
  const std::string_view argument = arguments[0];
  if (arguments.size() == 1 && argument == "--quick") return {Extent::kQuick};
  if (arguments.size() == 1 && argument == "--full") return {Extent::kFull};
  if (arguments.size() == 2 && argument == "--gpu") return {Extent::kFull, std::stoi(arguments[1])};
  throw Error("usage: encode [--quick|--full|--gpu HIDDEN]");
}

}  // namespace
}  // namespace conpole::bench

int main(int argc, char** argv) {
  try {
    const conpole::bench::Request request =
        conpole::bench::RequestOf(std::span(argv, static_cast<std::size_t>(argc)).subspan(1));
    if (request.gpu_hidden > 0) {
      conpole::bench::PrintGpu(request.gpu_hidden);
    } else {
      conpole::bench::PrintAll(request.extent);
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "encode: " << error.what() << '\n';
    return 2;
  }
}

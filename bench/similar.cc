// How fast the nearest of many problems are found by their vectors (vectors/unit_vectors.h).
//   similar                 a million problems with vectors of 128 and of 256 components, by 1 thread and by all
//   similar --problems N    N problems
// Prints per question: the median and the longest time, beside the time in which the same bytes are only read, which is the
// limit of an exact scan. Then an index of generated problems: how long it takes to make, to write and to read.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "nn/model.h"
#include "nn/network_kind.h"
#include "util/random.h"
#include "util/thread_pool.h"
#include "vectors/problem_encoder.h"
#include "vectors/problem_index.h"
#include "vectors/unit_vectors.h"

namespace conpole::bench {
namespace {

constexpr std::size_t kQuestions = 21;
constexpr std::size_t kNeighbours = 10;

double Milliseconds(const std::function<void()>& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

std::vector<float> RandomVector(std::size_t dimension, Random& random) {
  std::vector<float> vector(dimension);
  for (float& component : vector) component = static_cast<float>(random.Int32(-1000, 1001));
  return vector;
}

// The sum of all rows as 64-bit words: nothing that looks at every byte is faster.
std::uint64_t SumOf(std::span<const std::int16_t> rows, ThreadPool& pool) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  const std::size_t pieces = (rows.size() + kPiece - 1) / kPiece;
  std::vector<std::uint64_t> sums(pieces);
  pool.For(pieces, [&](std::size_t piece) {
    const auto part = rows.subspan(piece * kPiece, std::min(kPiece, rows.size() - piece * kPiece));
    constexpr std::size_t kOfWord = sizeof(std::uint64_t) / sizeof(std::int16_t);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i + kOfWord <= part.size(); i += kOfWord) {
      std::uint64_t word = 0;
      std::memcpy(&word, part.data() + i, sizeof word);
      sum += word;
    }
    sums[piece] = sum;
  });
  return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

void Scan(std::size_t problems, std::size_t dimension) {
  Random random(1);
  UnitVectors vectors(dimension);
  vectors.Reserve(problems);
  for (std::size_t i = 0; i < problems; ++i) vectors.Add(RandomVector(dimension, random));
  const double megabytes = static_cast<double>(vectors.fixed_point().size_bytes()) / 1e6;
  for (const std::size_t threads : {1UL, 0UL}) {
    ThreadPool pool(threads);
    std::vector<double> asked;
    std::vector<double> read;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < kQuestions; ++i) {
      const std::vector<float> question = RandomVector(dimension, random);
      asked.push_back(Milliseconds([&] { vectors.Nearest(question, kNeighbours, pool); }));
      read.push_back(Milliseconds([&] { sum += SumOf(vectors.fixed_point(), pool); }));
    }
    std::sort(asked.begin(), asked.end());
    std::sort(read.begin(), read.end());
    const double median = asked[asked.size() / 2];
    fmt::print("{:>9} {:>10} {:>7} {:>8.0f} {:>10.1f} {:>10.1f} {:>9.1f} {:>12.1f}{}\n", problems, dimension, pool.size(),
               megabytes, median, asked.back(), megabytes / median, read[read.size() / 2], sum == 0 ? " " : "");
    if (threads == 1 && pool.size() == std::thread::hardware_concurrency()) break;
  }
}

void Files(std::size_t problems) {
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  const ProblemEncoder encoder(*domain,
                               RandomModel(TrainingArchitecture("lstm", {{"embedding", 8}, {"hidden", 64}, {"layers", 1}}), 1));
  ThreadPool pool;
  ProblemIndex index(encoder);
  const double made = Milliseconds([&] { index.AddGenerated({0, problems}, pool); });
  const std::string path = std::filesystem::temp_directory_path() / fmt::format("conpole-similar-{}.index", getpid());
  const double written = Milliseconds([&] { index.Write(path); });
  const auto bytes = static_cast<double>(std::filesystem::file_size(path));
  const double read = Milliseconds([&] { ProblemIndex::Read(path, encoder); });
  std::filesystem::remove(path);
  const double asked = Milliseconds([&] { index.Similar(domain->Generate(problems), kNeighbours, pool); });
  fmt::print(
      "\nan index of {} different equations with {} components (a small network): made in {:.1f} s, {:.0f} MB, written in "
      "{:.2f} s, read and checked in {:.2f} s; one question from text to answer: {:.1f} ms\n",
      index.size(), encoder.dimension(), made / 1e3, bytes / 1e6, written / 1e3, read / 1e3, asked);
}

void Run(std::size_t problems) {
  fmt::print("{:>9} {:>10} {:>7} {:>8} {:>10} {:>10} {:>9} {:>12}\n", "problems", "components", "threads", "MB", "median ms",
             "longest ms", "GB/s", "only read ms");
  for (const std::size_t dimension : {128UL, 256UL}) Scan(problems, dimension);
  Files(problems);
}

}  // namespace
}  // namespace conpole::bench

int main(int argc, char** argv) {
  try {
    std::size_t problems = 1'000'000;
    if (argc == 3 && std::string_view(argv[1]) == "--problems") {
      problems = std::stoull(argv[2]);
    } else if (argc != 1) {
      fmt::print(stderr, "usage: similar [--problems N]\n");
      return 2;
    }
    conpole::bench::Run(problems);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}

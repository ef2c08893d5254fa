// How fast the network learns: gradient steps of the size that training takes, on the CPU or a GPU.
//   learn cuda [HIDDEN] [DOMAIN]
// Prints milliseconds and strings/s of gradient steps of 32 to 512 examples, and beside them strings/s of scoring the same
// strings, of which a gradient step takes three times the arithmetic: once forwards, twice backwards; then the same with
// LibTorch's LSTM instead of our own kernels.
//   learn [cpu] [DOMAIN...]
// Prints the processor's time of the same by our own learner and by LibTorch's, with one thread each, by turns.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "bench/examples.h"
#include "conpole/domain.h"
#include "conpole/error.h"
#include "nn/lstm_encoder.h"
#include "nn/model.h"
#include "torch/torch_encoder.h"
#include "torch/torch_learner.h"
#include "train/cpu/cpu_learner.h"
#include "train/loop/training_batch.h"

namespace conpole::bench {
namespace {

// The best of some rounds, each of several runs, since a GPU works ahead.
double Seconds(const std::function<void()>& run, const std::function<void()>& wait) {
  constexpr int kRounds = 5;
  constexpr double kEnough = 0.3;  // seconds of a round
  run();
  wait();
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
    int runs = 0;
    do {
      run();
      ++runs;
      if (runs % 8 == 0) wait();
    } while (seconds() < kEnough);
    wait();
    best = std::min(best, seconds() / runs);
  }
  return best;
}

// The processor's time that a run takes, over some.
double ProcessorSeconds(const std::function<void()>& run) {
  constexpr double kEnough = 0.2;
  run();
  const std::clock_t begin = std::clock();
  const auto seconds = [&] { return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC; };
  int runs = 0;
  do {
    run();
    ++runs;
  } while (seconds() < kEnough);
  return seconds() / runs;
}

// On the CPU: gradient steps as training takes them there, and larger ones.
void CompareLearners(const std::string& domain_name) {
  struct Size {
    LstmSizes network;
    std::size_t examples;
    std::size_t pairs;
  };
  const std::unique_ptr<Domain> domain = MakeDomain(domain_name);
  fmt::print("\n{}\n{:>6}{:>8}{:>7}{:>10}{:>9}{:>12}{:>9}{:>14}{:>7}\n", domain_name, "layers", "hidden", "pairs", "strings",
             "characters", "own: ms", "score: ms", "LibTorch: ms", "ratio");
  for (const Size& size : {Size{{.embedding = 16, .hidden = 48, .layers = 1}, 24, 17},
                           Size{{.embedding = 64, .hidden = 128, .layers = 2}, 32, 33}}) {
    const TrainingBatch batch = ExamplesOf(*domain, size.examples, size.pairs);
    std::size_t characters = 0;
    for (const std::string_view text : batch.texts()) characters += text.size();
    const Model model = RandomModel(Lstm(size.network), 1);
    const LearnerOptions options{.threads = 1};
    const std::unique_ptr<Learner> own = MakeCpuLearner(model, options);
    const std::unique_ptr<Learner> torch = MakeTorchLearner(model, {.learner = options});
    const std::vector<std::uint64_t> hashes(batch.texts().size());
    std::vector<float> scores(batch.pairs().size());
    double own_best = 1e9;
    double torch_best = 1e9;
    double score_best = 1e9;
    for (int round = 0; round < 7; ++round) {
      own_best = std::min(own_best, ProcessorSeconds([&] { own->Learn(batch, 1e-4); }));
      torch_best = std::min(torch_best, ProcessorSeconds([&] { torch->Learn(batch, 1e-4); }));
      score_best = std::min(score_best, ProcessorSeconds([&] {
                              own->Refresh();  // forgets the vectors
                              own->Score({batch.texts(), hashes, batch.pairs()}, scores, nullptr);
                            }));
    }
    fmt::print("{:>6}{:>8}{:>7}{:>10}{:>9}{:>12.3f}{:>9.3f}{:>14.3f}{:>7.2f}\n", size.network.layers, size.network.hidden,
               batch.pairs().size(), batch.texts().size(), characters, 1000 * own_best, 1000 * score_best, 1000 * torch_best,
               torch_best / own_best);
  }
}

void PrintRates(const std::string& device, std::size_t hidden, const std::string& domain_name, bool own_kernels) {
  const std::unique_ptr<Domain> domain = MakeDomain(domain_name);
  TorchLearnerOptions options;
  options.device = device;
  options.own_kernels = own_kernels;
  const Model model = RandomModel(Lstm({.embedding = 64, .hidden = static_cast<int>(hidden), .layers = 2}), 1);
  const std::unique_ptr<Learner> learner = MakeTorchLearner(model, options);
  fmt::print("\n{}, hidden size {}, {}{}\n", device, hidden, domain_name, own_kernels ? "" : ", LibTorch's LSTM");
  fmt::print("{:>9}{:>9}{:>12}{:>11}{:>14}{:>18}{:>21}\n", "examples", "strings", "characters", "learn: ms", "strings/s",
             "score: strings/s", "a step costs scores");
  for (const std::size_t examples : {32U, 64U, 128U, 256U, 512U}) {
    const TrainingBatch batch = ExamplesOf(*domain, examples);
    const auto strings = static_cast<double>(batch.texts().size());
    std::size_t characters = 0;
    for (const std::string_view text : batch.texts()) characters += text.size();
    const double learn = Seconds([&] { learner->Learn(batch, 1e-4); }, [&] { learner->TakeLoss(); });
    const std::vector<std::uint64_t> hashes(batch.texts().size());
    std::vector<float> scores(batch.pairs().size());
    const double score = Seconds([&] { learner->Score({batch.texts(), hashes, batch.pairs()}, scores, nullptr); }, [] {});
    fmt::print("{:>9}{:>9}{:>12}{:>11.2f}{:>14.0f}{:>18.0f}{:>21.1f}\n", batch.examples(), batch.texts().size(), characters,
               1000 * learn, strings / learn, strings / score, learn / score);
  }
}

}  // namespace
}  // namespace conpole::bench

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const auto argument = [&](std::size_t i, const char* otherwise) { return i < arguments.size() ? arguments[i] : otherwise; };
    std::setvbuf(stdout, nullptr, _IOLBF, 0);  // lines as they come, also into a pipe
    const std::string device = argument(0, "cpu");
    if (device == "cpu") {
      conpole::SetTorchThreads(1);
      if (arguments.size() < 2) {
        for (const char* const domain : {"sorting", "equations"}) conpole::bench::CompareLearners(domain);
      }
      for (std::size_t i = 1; i < arguments.size(); ++i) conpole::bench::CompareLearners(arguments[i]);
      return 0;
    }
    const std::size_t hidden = std::stoul(argument(1, "128"));
    const std::string domain = argument(2, "equations");
    conpole::bench::PrintRates(device, hidden, domain, true);
    conpole::bench::PrintRates(device, hidden, domain, false);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "learn: " << error.what() << '\n';
    return 2;
  }
}

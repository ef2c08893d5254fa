// How fast the network learns: gradient steps of the size that training takes, on the CPU or a GPU.
//   learn [cpu|cuda] [HIDDEN] [DOMAIN]
// Prints milliseconds and strings/s of gradient steps of 32 to 512 examples, and beside them strings/s of scoring the same
// strings, of which a gradient step takes three times the arithmetic: once forwards, twice backwards. On a GPU the same with
// LibTorch's LSTM instead of our own kernels, too.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
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
#include "torch/torch_learner.h"
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
    if (device == "cpu" && examples > 64) break;
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
    const std::size_t hidden = std::stoul(argument(1, "128"));
    const std::string domain = argument(2, "equations");
    conpole::bench::PrintRates(device, hidden, domain, true);
    if (device != "cpu") conpole::bench::PrintRates(device, hidden, domain, false);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "learn: " << error.what() << '\n';
    return 2;
  }
}

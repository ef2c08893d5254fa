// What ranks cost each other: the time of an all-reduce of a gradient, of an exchange of reports, and of gradient steps that
// are taken together. One process per rank; bench/ranks.py starts them. One alone is a group of one, and with LibTorch for GPUs
// learns by NCCL.
//   rank_sums [WEIGHTS]                  sums of WEIGHTS weights (by default 800000), and exchanges
//   rank_sums learn DEVICE EXAMPLES [DOMAIN]
//                                        gradient steps of equations' network on EXAMPLES examples in all, and without ranks
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/examples.h"
#include "conpole/domain.h"
#include "nn/lstm_encoder.h"
#include "nn/model.h"
#include "torch/process_group.h"
#include "torch/torch_learner.h"
#include "train/cpu/cpu_learner.h"
#include "train/ranks/rank_place.h"
#include "util/stopwatch.h"

namespace conpole::bench {
namespace {

// The seconds of one call, of many that fill half a second. `finish` waits for what a GPU still does.
template <class Work, class Finish>
double SecondsOf(Ranks& ranks, Work work, Finish finish) {
  work();
  finish();
  std::uint64_t calls = 1;
  for (;;) {
    const Stopwatch watch;
    for (std::uint64_t i = 0; i < calls; ++i) work();
    finish();
    const double seconds = watch.Seconds();
    // All ranks must agree on when it is enough.
    const std::uint64_t enough = seconds > 0.5 ? 1 : 0;
    if (ranks.SumCounts({&enough, 1}).front() != 0) return seconds / static_cast<double>(calls);
    calls *= 2;
  }
}

std::unique_ptr<Ranks> Join(const RankPlace& place) {
  return JoinProcessGroup(place, {[](const std::string& message) {
                            std::cerr << message << '\n';
                            std::_Exit(2);
                          }});
}

// Where this process stands; a group of one if it was started alone.
RankPlace Place() {
  if (const std::optional<RankPlace> place = PlaceOf([](const char* name) { return std::getenv(name); })) return *place;
  RankPlace place;
  place.address = "127.0.0.1";
  const char* const port = std::getenv("MASTER_PORT");
  place.port = static_cast<std::uint16_t>(port == nullptr ? 29'517 : std::stoul(port));
  place.meeting = "alone";
  return place;
}

void MeasureSums(Ranks& ranks, std::size_t weights) {
  std::vector<float> values(weights, 1);
  std::string mine(1024, 'x');
  std::string all(mine.size() * ranks.size(), '\0');
  const auto no_more = [] {};
  const double sum = SecondsOf(
      ranks, [&] { ranks.Sum(values); }, no_more);
  const double one = SecondsOf(
      ranks, [&] { ranks.Sum(std::span(values).first(1)); }, no_more);
  const double gather = SecondsOf(
      ranks, [&] { ranks.Gather(mine, all); }, no_more);
  if (!ranks.is_first()) return;
  std::cout << "{\"ranks\": " << ranks.size() << ", \"weights\": " << weights << ", \"sum_ms\": " << sum * 1e3
            << ", \"sum_of_one_ms\": " << one * 1e3 << ", \"exchange_ms\": " << gather * 1e3 << "}\n";
}

void MeasureSteps(Ranks& ranks, const RankPlace& place, const std::string& device, std::size_t examples,
                  const std::string& domain_name) {
  const std::unique_ptr<Domain> domain = MakeDomain(domain_name);
  const TrainingBatch batch = ExamplesOf(*domain, ranks.ShareOf(examples));
  TorchLearnerOptions options;
  options.device = DeviceOfRank(device, place);
  const Model model = RandomModel(Lstm({.embedding = 64, .hidden = 128, .layers = 2}), 1);
  const auto seconds = [&](Ranks* together) {
    options.learner.threads = 1;
    options.learner.ranks = together;
    const std::unique_ptr<Learner> learner =
        options.device == "cpu" ? MakeCpuLearner(model, options.learner) : MakeTorchLearner(model, options);
    return SecondsOf(
        ranks, [&] { learner->Learn(batch, 1e-4); }, [&] { learner->TakeLoss(); });
  };
  const double apart = seconds(nullptr);
  const double together = seconds(&ranks);
  if (!ranks.is_first()) return;
  std::cout << "{\"ranks\": " << ranks.size() << ", \"backends\": \"" << ProcessGroupBackends() << "\", \"device\": \""
            << options.device << "\", \"examples\": " << examples << ", \"apart_ms\": " << apart * 1e3
            << ", \"together_ms\": " << together * 1e3 << "}\n";
}

int Run(const std::vector<std::string>& arguments) {
  const RankPlace place = Place();
  const std::unique_ptr<Ranks> ranks = Join(place);
  if (arguments.size() >= 3 && arguments[0] == "learn") {
    MeasureSteps(*ranks, place, arguments[1], std::stoul(arguments[2]), arguments.size() > 3 ? arguments[3] : "equations");
  } else {
    MeasureSums(*ranks, arguments.empty() ? 800'000 : std::stoul(arguments[0]));
  }
  return 0;
}

}  // namespace
}  // namespace conpole::bench

int main(int argc, char** argv) {
  try {
    return conpole::bench::Run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "rank_sums: " << error.what() << '\n';
    std::_Exit(2);  // not by the destructor of a group that has lost others
  }
}

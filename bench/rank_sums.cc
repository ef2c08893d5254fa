// What ranks cost each other: the time of an all-reduce of a gradient and of an exchange of reports. One process per rank;
// bench/ranks.py starts them.
//   rank_sums [WEIGHTS]
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

#include "conpole/error.h"
#include "torch/process_group.h"
#include "train/rank_place.h"
#include "util/stopwatch.h"

namespace conpole {
namespace {

// The seconds of one call, of many that fill half a second.
template <class Work>
double SecondsOf(Ranks& ranks, Work work) {
  work();
  std::uint64_t calls = 1;
  for (;;) {
    const Stopwatch watch;
    for (std::uint64_t i = 0; i < calls; ++i) work();
    const double seconds = watch.Seconds();
    // All ranks must agree on when it is enough.
    const std::uint64_t enough = seconds > 0.5 ? 1 : 0;
    if (ranks.SumCounts({&enough, 1}).front() != 0) return seconds / static_cast<double>(calls);
    calls *= 2;
  }
}

int Run(std::size_t weights) {
  const std::optional<RankPlace> place = PlaceOf([](const char* name) { return std::getenv(name); });
  if (!place) throw Error("start several ranks: bench/ranks.py does");
  const std::unique_ptr<Ranks> ranks = JoinProcessGroup(*place, {[](const std::string& message) {
    std::cerr << message << '\n';
    std::_Exit(2);
  }});
  std::vector<float> values(weights, 1);
  std::string mine(1024, 'x');
  std::string all(mine.size() * ranks->size(), '\0');
  const double sum = SecondsOf(*ranks, [&] { ranks->Sum(values); });
  const double one = SecondsOf(*ranks, [&] { ranks->Sum(std::span(values).first(1)); });
  const double gather = SecondsOf(*ranks, [&] { ranks->Gather(mine, all); });
  if (ranks->is_first()) {
    std::cout << "{\"ranks\": " << ranks->size() << ", \"weights\": " << weights << ", \"sum_ms\": " << sum * 1e3
              << ", \"sum_of_one_ms\": " << one * 1e3 << ", \"exchange_ms\": " << gather * 1e3 << "}\n";
  }
  return 0;
}

}  // namespace
}  // namespace conpole

int main(int argc, char** argv) {
  try {
    return conpole::Run(argc > 1 ? std::stoul(argv[1]) : 800'000);
  } catch (const std::exception& error) {
    std::cerr << "rank_sums: " << error.what() << '\n';
    return 2;
  }
}

#include "cli/ranks.h"

#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/torch_engine.h"
#include "train/ranks/rank_place.h"

namespace conpole::cli {
namespace {

std::optional<RankPlace> Place() {
  return PlaceOf([](const char* name) { return std::getenv(name); });
}

// Without the destructors of what waits for others.
[[noreturn]] void End(std::size_t rank, std::string_view message) {
  std::cout.flush();
  const std::string line = fmt::format("conpole: rank {}: {}\n", rank, PrintableMessage(message));
  // One call, so that the lines of several processes do not mix.
  static_cast<void>(!write(STDERR_FILENO, line.data(), line.size()));
  std::_Exit(kBadInput);
}

}  // namespace

std::string OwnDevice(const std::string& device) {
  const std::optional<RankPlace> place = Place();
  return place ? RequireTorch().DeviceOfRank(device, *place) : device;
}

int WithRanks(const std::function<int(Ranks& ranks)>& work) {
  const std::optional<RankPlace> place = Place();
  if (!place) return work(SingleRank());
  const TorchEngine& torch = RequireTorch();
  std::unique_ptr<Ranks> ranks;
  try {
    ranks = torch.JoinRanks(*place, [rank = place->rank](const std::string& message) { End(rank, message); });
    const int status = work(*ranks);
    ranks.reset();
    return status;
  } catch (const std::exception& error) {
    const std::string reason = MessageOf(error).english();
    if (ranks) ranks->Fail(reason);
    End(place->rank, reason);
  }
}

std::vector<std::size_t> OwnShare(const Ranks& ranks, std::size_t count) {
  std::vector<std::size_t> own;
  for (std::size_t i = ranks.rank(); i < count; i += ranks.size()) own.push_back(i);
  return own;
}

}  // namespace conpole::cli

#include "train/ranks/rank_place.h"

#include <fmt/format.h>

#include "conpole/error.h"
#include "util/read_number.h"
#include "util/text.h"

namespace conpole {
namespace {

constexpr std::uint64_t kMaxRanks = 1'000'000;
constexpr std::uint64_t kFirstPort = 20'000;  // of those made of a job's number
constexpr std::uint64_t kPorts = 10'000;
constexpr double kMaxTimeout = 1e6;

class Variables {
 public:
  explicit Variables(const Environment& environment) : environment_(environment) {}

  // An empty variable is none.
  std::optional<std::string> Find(const char* name) const {
    const char* const value = environment_(name);
    if (value == nullptr || *value == '\0') return {};
    return value;
  }
  std::string Text(const char* name, std::string_view why) const {
    if (const auto value = Find(name)) return *value;
    throw Error(fmt::format("the environment variable {} is missing: {}", name, why));
  }
  std::uint64_t Whole(const char* name, std::uint64_t low, std::uint64_t high, std::string_view why) const {
    const std::string text = Text(name, why);
    const std::optional<std::uint64_t> value = ReadNumber<std::uint64_t>(text);
    if (value && *value >= low && *value <= high) return *value;
    throw Error(
        fmt::format("the environment variable {} must be a whole number from {} to {}, not {}", name, low, high, Shown(text)));
  }
  double Seconds(const char* name, double usual) const {
    const auto text = Find(name);
    if (!text) return usual;
    const std::optional<double> value = ReadNumber<double>(*text);
    if (value && *value > 0 && *value <= kMaxTimeout) return *value;
    throw Error(fmt::format("the environment variable {} must be a number of seconds above 0, up to {}, not {}", name,
                            kMaxTimeout, Shown(*text)));
  }

 private:
  const Environment& environment_;
};

}  // namespace

std::optional<RankPlace> PlaceOf(const Environment& environment) {
  const Variables variables(environment);
  RankPlace place;
  if (variables.Find("WORLD_SIZE")) {
    constexpr std::string_view kWhy = "WORLD_SIZE is there, so that this is one of several ranks";
    place.size = variables.Whole("WORLD_SIZE", 1, kMaxRanks, kWhy);
    if (place.size == 1) return {};
    place.rank = variables.Whole("RANK", 0, place.size - 1, kWhy);
    place.local_rank = variables.Find("LOCAL_RANK") ? variables.Whole("LOCAL_RANK", 0, place.size - 1, kWhy) : place.rank;
    place.address = variables.Text("MASTER_ADDR", kWhy);
    place.port = static_cast<std::uint16_t>(variables.Whole("MASTER_PORT", 1, UINT16_MAX, kWhy));
    place.store_is_there = variables.Find("TORCHELASTIC_USE_AGENT_STORE") == "True";
    // A store that outlives the processes still has what they said before they were started again.
    place.meeting = fmt::format("{}/{}", variables.Find("TORCHELASTIC_RUN_ID").value_or("run"),
                                variables.Find("TORCHELASTIC_RESTART_COUNT").value_or("0"));
  } else if (variables.Find("SLURM_STEP_NUM_TASKS") && variables.Find("SLURM_PROCID")) {
    constexpr std::string_view kWhy = "srun sets it";
    place.size = variables.Whole("SLURM_STEP_NUM_TASKS", 1, kMaxRanks, kWhy);
    if (place.size == 1) return {};
    place.rank = variables.Whole("SLURM_PROCID", 0, place.size - 1, kWhy);
    place.local_rank = variables.Whole("SLURM_LOCALID", 0, place.size - 1, kWhy);
    const auto address = variables.Find("MASTER_ADDR");
    place.address = address ? *address : FirstHost(variables.Text("SLURM_STEP_NODELIST", kWhy));
    place.port = static_cast<std::uint16_t>(variables.Find("MASTER_PORT")
                                                ? variables.Whole("MASTER_PORT", 1, UINT16_MAX, kWhy)
                                                : kFirstPort + variables.Whole("SLURM_JOB_ID", 0, UINT64_MAX, kWhy) % kPorts);
    place.meeting = "slurm";
  } else {
    return {};
  }
  place.silence_seconds = variables.Seconds("CONPOLE_RANK_TIMEOUT", place.silence_seconds);
  place.join_seconds = variables.Seconds("CONPOLE_JOIN_TIMEOUT", place.join_seconds);
  return place;
}

std::string FirstHost(std::string_view list) {
  const std::size_t end = list.find_first_of("[,");
  std::string host(list.substr(0, end));
  if (end != std::string_view::npos && list[end] == '[') {
    const std::string_view ranges = list.substr(end + 1);
    const std::size_t stop = ranges.find_first_of("-,]");
    if (stop == std::string_view::npos) throw Error(fmt::format("{} is not a list of machines", Shown(list)));
    host += ranges.substr(0, stop);
    // What may follow the numbers: node[1-2]-ib0.
    const std::size_t close = ranges.find(']');
    if (close == std::string_view::npos) throw Error(fmt::format("{} is not a list of machines", Shown(list)));
    const std::string_view rest = ranges.substr(close + 1);
    host += rest.substr(0, rest.find(','));
  }
  if (host.empty()) throw Error(fmt::format("{} is not a list of machines", Shown(list)));
  return host;
}

}  // namespace conpole

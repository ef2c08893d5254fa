#include "experiments/cube_data.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "conpole/error.h"
#include "util/read_file.h"

namespace conpole::cli {
namespace {

constexpr std::size_t kMaxCubeRecordBytes = std::size_t{1} << 20;
constexpr int kCubeRecordVersion = 1;

// The 100 cubes of DeepCubeA's test that the figures in docs/results.md are about.
constexpr std::string_view kHundredCubes = "724e18ab031cef61";
constexpr double kOptimumOfHundred = 20.62;

constexpr PublishedCubes kPublished[] = {
    {"ConPoLe, the paper", "", 39.4, 1, "3M nodes", 3e6, "1e7 steps"},
    {"DeepCubeA", "", 21.35, 2, "8.2M nodes", 8.2e6, "a day and more"},
    {"EfficientCube, beam", "1,024", 23.30, 2, "21k", 21e3, "52e9 states"},
    {"EfficientCube, beam", "16,384", 21.97, 2, "295k", 295e3, "52e9 states"},
    {"EfficientCube, beam", "65,536", 21.55, 2, "1.10M", 1.1e6, "52e9 states"},
    {"EfficientCube, beam", "262,144", 21.26, 2, "4.2M", 4.2e6, "52e9 states"},
    {"CayleyPy, value network of 4M weights, beam", "262,144", 21.14, 2, "every neighbour", 0, "8e9 states, 4.7 h of an A100"},
    {"JAxtar, Q-beam of 14.7M weights", "10,000", 21.73, 2, "145k", 145e3, "21e9 states"},
    {"JAxtar, Q-beam of 14.7M weights", "262,144", 21.01, 2, "3M", 3e6, "21e9 states"},
};

double PerCube(double total, std::size_t cubes) { return cubes == 0 ? 0 : total / static_cast<double>(cubes); }

constexpr std::uint64_t kIdStart = 0xCBF29CE484222325;
// Fowler, Noll and Vo's hash, which needs no table and depends on no machine.
std::uint64_t ContinueId(std::uint64_t id, std::string_view bytes) {
  for (const char c : bytes) id = (id ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return id;
}

CubeRecord RecordOf(const Json& json) {
  if (json.at("version") != kCubeRecordVersion) throw Error("is a record of another version");
  CubeRecord record;
  record.model = json.at("model");
  record.model_id = json.at("model_id");
  record.network = json.at("network");
  record.weights = json.at("weights");
  record.agent = json.at("agent");
  record.trained_on = json.at("trained_on");
  record.trained_seconds = json.at("trained_seconds");
  record.search = json.at("search");
  record.width = json.at("width");
  record.step_weight = json.at("step_weight");
  record.device = json.at("device");
  record.cubes = json.at("cubes");
  record.cubes_id = json.at("cubes_id");
  record.solved = json.at("solved");
  record.verified = json.at("verified");
  record.moves = json.at("moves");
  record.states = json.at("states");
  record.seconds = json.at("seconds");
  record.longest = json.at("longest");
  for (const Json& entry : json.at("lengths")) record.lengths[entry.at(0)] = entry.at(1);
  if (record.solved > record.cubes || record.verified > record.solved) throw Error("more is solved than there is");
  std::size_t solutions = 0;
  std::uint64_t moves = 0;
  for (const auto& [length, count] : record.lengths) {
    solutions += count;
    moves += length * count;
  }
  if (!record.lengths.empty() && (solutions != record.solved || moves != record.moves)) {
    throw Error("the lengths are not those of the solutions");
  }
  return record;
}

}  // namespace

double CubeRecord::MeanMoves() const { return PerCube(static_cast<double>(moves), solved); }
double CubeRecord::StatesPerCube() const { return PerCube(static_cast<double>(states), cubes); }
double CubeRecord::SecondsPerCube() const { return PerCube(seconds, cubes); }

std::string RecordName(const CubeRecord& record) { return fmt::format("{}-{}-{}", record.model, record.search, record.width); }

std::string FormatRecord(const CubeRecord& record) {
  const auto milliseconds = [](double seconds) { return std::round(seconds * 1e3) / 1e3; };
  Json json{{"version", kCubeRecordVersion},
            {"model", record.model},
            {"model_id", record.model_id},
            {"network", record.network},
            {"weights", record.weights},
            {"agent", record.agent},
            {"trained_on", record.trained_on},
            {"trained_seconds", milliseconds(record.trained_seconds)},
            {"search", record.search},
            {"width", record.width},
            {"step_weight", record.step_weight},
            {"device", record.device},
            {"cubes", record.cubes},
            {"cubes_id", record.cubes_id},
            {"solved", record.solved},
            {"verified", record.verified},
            {"moves", record.moves},
            {"states", record.states},
            {"seconds", milliseconds(record.seconds)},
            {"longest", record.longest},
            {"lengths", Json::array()}};
  for (const auto& [length, count] : record.lengths) json["lengths"].push_back({length, count});
  // One line per entry, and one only.
  std::string text = "{\n";
  std::size_t index = 0;
  for (const auto& [name, value] : json.items()) {
    text += fmt::format("  {}: {}{}\n", Json(name).dump(), value.dump(), ++index == json.size() ? "" : ",");
  }
  return text + "}\n";
}

CubeRecord ReadCubeRecord(const std::string& path) {
  try {
    return RecordOf(Json::parse(ReadRegularFile(path, kMaxCubeRecordBytes)));
  } catch (const Json::exception& error) {
    throw Error(fmt::format("{}: is not a record of solved cubes: {}", path, error.what()));
  } catch (const Error& error) {
    const std::string message = error.what();
    throw Error(message.starts_with(path) ? message : fmt::format("{}: {}", path, message));
  }
}

std::vector<CubeRecord> ReadCubeRecords(const std::string& folder) {
  std::vector<CubeRecord> records;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failure)) {
    if (entry.path().extension() == ".json") records.push_back(ReadCubeRecord(entry.path()));
  }
  if (failure) throw Error(fmt::format("{} cannot be read: {}", folder, failure.message()));
  const auto place = [](const CubeRecord& r) {
    return std::tie(r.weights, r.model, r.search, r.step_weight, r.width, r.cubes_id);
  };
  std::sort(records.begin(), records.end(), [&](const CubeRecord& a, const CubeRecord& b) { return place(a) < place(b); });
  return records;
}

std::string ContentId(std::string_view bytes) { return fmt::format("{:016x}", ContinueId(kIdStart, bytes)); }

std::string ContentId(std::span<const std::string> texts) {
  std::uint64_t id = kIdStart;
  for (const std::string& text : texts) id = ContinueId(ContinueId(id, text), "\n");
  return fmt::format("{:016x}", id);
}

std::span<const PublishedCubes> PublishedCubeResults() { return kPublished; }

std::optional<double> KnownOptimum(std::string_view cubes_id) {
  return cubes_id == kHundredCubes ? std::optional(kOptimumOfHundred) : std::nullopt;
}

}  // namespace conpole::cli

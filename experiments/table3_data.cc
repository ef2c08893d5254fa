#include "experiments/table3_data.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace conpole::cli {
namespace {

constexpr int kTable3RecordVersion = 1;

Json JsonOf(const MeanScore& score) { return {RoundedScore(score.mean), RoundedScore(score.low), RoundedScore(score.high)}; }

Json JsonOf(const NeighbourScore& score) {
  Json json{{"labels", score.labels},
            {"candidates", score.candidates},
            {"measure", score.measure},
            {"problems", score.problems},
            {"score", JsonOf(score.score)}};
  for (const auto& [baseline, gain] : score.gains) json["gains"][baseline] = JsonOf(gain);
  return json;
}

}  // namespace

double RoundedScore(double value) { return std::round(value * 1e4) / 1e4; }

std::string RecordName(const Table3Record& record) {
  std::string name = fmt::format("{}-{}", record.domain, record.representation);
  if (!record.variant.empty()) name += "-" + record.variant;
  if (!IsTextBaseline(record.representation) && record.variant != kShipped) name += fmt::format("-{}", record.seed);
  return name;
}

Json JsonOf(const Table3Record& record) {
  Json json{{"version", kTable3RecordVersion},
            {"domain", record.domain},
            {"representation", record.representation},
            {"variant", record.variant},
            {"seed", record.seed},
            {"steps", record.steps},
            {"queries", record.queries},
            {"references", record.references},
            {"layers", Json::array()}};
  for (const LayerScores& layer : record.layers) {
    Json one{{"layer", layer.layer}, {"sections", nullptr}, {"neighbours", Json::array()}};
    if (layer.sections) {
      one["sections"] = {{"exercises", layer.sections->exercises},
                         {"right", layer.sections->right},
                         {"shared", RoundedScore(layer.sections->shared)}};
    }
    for (const NeighbourScore& score : layer.neighbours) one["neighbours"].push_back(JsonOf(score));
    json["layers"].push_back(std::move(one));
  }
  return json;
}

std::string FormatRecord(const Json& json) {
  std::string text = "{\n";
  for (const auto& [name, value] : json.items()) {
    if (name != "layers") text += fmt::format("  {}: {},\n", Json(name).dump(), value.dump());
  }
  std::vector<std::string> layers;
  for (const Json& layer : json.at("layers")) {
    std::vector<std::string> tests;
    for (const Json& test : layer.at("neighbours")) tests.push_back("\n    " + test.dump());
    layers.push_back(fmt::format("\n   {{\"layer\": {}, \"sections\": {}, \"neighbours\": [{}]}}", layer["layer"].dump(),
                                 layer["sections"].dump(), fmt::join(tests, ",")));
  }
  return text + fmt::format("  \"layers\": [{}]\n}}\n", fmt::join(layers, ","));
}

bool IsTextBaseline(std::string_view representation) {
  return std::find(kTextBaselines.begin(), kTextBaselines.end(), representation) != kTextBaselines.end();
}

}  // namespace conpole::cli

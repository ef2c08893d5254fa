#include "experiments/table3_data.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "conpole/error.h"
#include "experiments/table2_data.h"
#include "util/read_file.h"

namespace conpole::cli {
namespace {

constexpr std::size_t kMaxTable3RecordBytes = std::size_t{1} << 22;
constexpr int kTable3RecordVersion = 1;

Json JsonOf(const MeanScore& score) { return {RoundedScore(score.mean), RoundedScore(score.low), RoundedScore(score.high)}; }

MeanScore Table3ScoreOf(const Json& json) {
  MeanScore score{json.at(0), json.at(1), json.at(2)};
  if (!(score.low <= score.high)) throw Error("an interval ends before it begins");
  return score;
}

Json JsonOf(const NeighbourScore& score) {
  Json json{{"labels", score.labels},
            {"candidates", score.candidates},
            {"measure", score.measure},
            {"problems", score.problems},
            {"score", JsonOf(score.score)}};
  for (const auto& [baseline, gain] : score.gains) json["gains"][baseline] = JsonOf(gain);
  return json;
}

std::optional<SectionScore> SectionsOf(const Json& json) {
  if (json.is_null()) return std::nullopt;
  const SectionScore score{json.at("exercises"), json.at("right"), json.at("shared")};
  if (score.right > score.exercises) throw Error("more is right than there is");
  return score;
}

LayerScores LayerOf(const Json& json) {
  LayerScores layer;
  layer.layer = json.at("layer");
  layer.sections = SectionsOf(json.at("sections"));
  for (const Json& test : json.at("neighbours")) {
    NeighbourScore score{test.at("labels"), test.at("candidates"), test.at("measure"), test.at("problems"),
                         Table3ScoreOf(test.at("score"))};
    if (test.contains("gains")) {
      for (const auto& [baseline, gain] : test.at("gains").items()) score.gains[baseline] = Table3ScoreOf(gain);
    }
    layer.neighbours.push_back(std::move(score));
  }
  return layer;
}

Table3Record Table3RecordOf(const Json& json) {
  if (json.at("version") != kTable3RecordVersion) throw Error("it is of another version of conpole");
  Table3Record record;
  record.domain = json.at("domain");
  record.representation = json.at("representation");
  record.variant = json.at("variant");
  record.seed = json.at("seed");
  record.steps = json.at("steps");
  record.queries = json.at("queries");
  record.references = json.at("references");
  for (const Json& layer : json.at("layers")) record.layers.push_back(LayerOf(layer));
  return record;
}

Table3Record ReadTable3Record(const std::string& path) {
  const std::string text = ReadRegularFile(path, kMaxTable3RecordBytes);
  try {
    return Table3RecordOf(Json::parse(text));
  } catch (const std::exception& error) {
    throw Error(fmt::format("{} is not a record of Table 3: {}", path, error.what()));
  }
}

template <class List, class Is>
std::size_t PositionIn(const List& list, const Is& is_it) {
  return static_cast<std::size_t>(std::find_if(list.begin(), list.end(), is_it) - list.begin());
}

// Equations first, since the exercises are such; then the domains of the paper, the hardest first.
std::size_t PlaceOfDomain(std::string_view domain) {
  const std::vector<std::string_view>& domains = TableDomains();
  return PositionIn(std::vector<std::string_view>(domains.rbegin(), domains.rend()),
                    [&](std::string_view name) { return name == domain; });
}

// Models, then what is not trained, then texts.
std::size_t PlaceOfRepresentation(const Table3Record& record) {
  constexpr std::size_t kAfterModels = 1000;
  if (record.representation == kUntrained) return kAfterModels;
  if (IsTextBaseline(record.representation)) {
    return kAfterModels + 1 +
           PositionIn(TextBaselines(), [&](const TextBaseline& b) { return b.name == record.representation; });
  }
  if (record.variant == kShipped) return 0;
  return 1 + PositionIn(TableAgents(), [&](const TableAgent& agent) {
           return agent.name == record.representation && (record.variant.empty() || agent.variant == record.variant);
         });
}

}  // namespace

double RoundedScore(double value) { return std::round(value * 1e4) / 1e4; }

std::string RecordName(const Table3Record& record) {
  std::string name = fmt::format("{}-{}", record.domain, record.representation);
  if (!record.variant.empty()) name += "-" + record.variant;
  if (!IsTextBaseline(record.representation) && record.variant != kShipped) name += fmt::format("-{}", record.seed);
  return name;
}

std::string FormatRecord(const Table3Record& record) {
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
  // One line per test.
  std::string text = "{\n";
  for (const auto& [name, value] : json.items()) {
    if (name != "layers") text += fmt::format("  {}: {},\n", Json(name).dump(), value.dump());
  }
  std::vector<std::string> layers;
  for (const Json& layer : json["layers"]) {
    std::vector<std::string> tests;
    for (const Json& test : layer["neighbours"]) tests.push_back("\n    " + test.dump());
    layers.push_back(fmt::format("\n   {{\"layer\": {}, \"sections\": {}, \"neighbours\": [{}]}}", layer["layer"].dump(),
                                 layer["sections"].dump(), fmt::join(tests, ",")));
  }
  return text + fmt::format("  \"layers\": [{}]\n}}\n", fmt::join(layers, ","));
}

void SortRecords(std::vector<Table3Record>& records) {
  const auto place = [](const Table3Record& record) {
    return std::tuple(PlaceOfDomain(record.domain), record.domain, PlaceOfRepresentation(record), record.representation,
                      record.variant, record.seed);
  };
  std::sort(records.begin(), records.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
}

std::vector<Table3Record> ReadTable3Records(const std::string& folder) {
  std::vector<Table3Record> records;
  std::error_code failure;
  std::filesystem::directory_iterator files(folder, failure);
  if (failure) throw Error(fmt::format("{} cannot be read: {}", folder, failure.message()));
  for (const auto& file : files) {
    if (file.path().extension() == ".json") records.push_back(ReadTable3Record(file.path().string()));
  }
  SortRecords(records);
  std::map<std::string, const Table3Record*> first_of_domain;
  for (const Table3Record& record : records) {
    const Table3Record& first = *first_of_domain.try_emplace(record.domain, &record).first->second;
    if (record.queries == first.queries && record.references == first.references) continue;
    throw Error(
        fmt::format("{}: {} and {} were not measured on the same problems", folder, RecordName(first), RecordName(record)));
  }
  return records;
}

const std::vector<TextBaseline>& TextBaselines() {
  static const std::vector<TextBaseline> baselines{{"counts", "three counts"},
                                                   {"characters", "counts of characters"},
                                                   {"numbers-as-n", "edit distance, numbers as N"},
                                                   {"edit-distance", "edit distance"},
                                                   {kChance, "chance"}};
  return baselines;
}

bool IsTextBaseline(std::string_view representation) {
  return std::any_of(TextBaselines().begin(), TextBaselines().end(),
                     [&](const TextBaseline& baseline) { return baseline.name == representation; });
}

std::string TitleOf(const std::string& representation, const std::string& variant) {
  if (representation == kUntrained) return "untrained network";
  for (const TextBaseline& baseline : TextBaselines()) {
    if (baseline.name == representation) return std::string(baseline.title);
  }
  const bool is_shipped = variant == kShipped;
  for (const TableAgent& agent : TableAgents()) {
    if (agent.name != representation) continue;
    if (is_shipped && agent.variant.empty()) return fmt::format("{}, shipped", agent.title);
    if (agent.variant == variant) return std::string(agent.title);
  }
  return variant.empty() ? representation : fmt::format("{} {}", representation, variant);
}

std::optional<double> PaperSections(std::string_view representation) {
  static const std::map<std::string_view, double> paper{{"bc", 0.619},      {"drrn", 0.642}, {"adi", 0.619},
                                                        {"davi", 0.619},    {"cvi", 0.642},  {"edit-distance", 0.714},
                                                        {"conpole", 0.905}, {kChance, 0.26}};
  const auto found = paper.find(representation);
  return found == paper.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace conpole::cli

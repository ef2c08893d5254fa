#include "experiments/table2_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "conpole/error.h"
#include "util/read_file.h"

namespace conpole::cli {
namespace {

constexpr std::size_t kMaxRunRecordBytes = std::size_t{1} << 22;
constexpr int kRunRecordVersion = 1;

struct PaperRow {
  std::string_view agent;
  std::array<double, 5> percent;  // as TableDomains(); less than 0 for none
};
constexpr PaperRow kPaper[] = {{"conpole", {100, 100, 99.5, 96.0, 92.5}}, {"conpole-local", {100, 98.5, 99.5, 86.0, 76.5}},
                               {"cvi", {77.0, 72.0, 100, 84.5, 89.0}},    {"davi", {99.5, 54.0, 18.5, 57.5, 8.0}},
                               {"adi", {91.0, 63.5, 9.5, 46.5, 5.5}},     {"bc", {92.0, 64.5, 10.0, 52.5, 4.5}},
                               {"drrn", {29.5, 40.0, 10.5, 20.0, 2.5}},   {"mathsteps", {-1, -1, -1, 100, 76.0}}};

Json ScoreJson(const std::optional<TestScore>& score) {
  if (!score) return nullptr;
  return {{"problems", score->problems}, {"solved", score->solved}, {"wrong", score->wrong}};
}

std::optional<TestScore> ScoreOf(const Json& json) {
  if (json.is_null()) return {};
  TestScore score{json.at("problems"), json.at("solved"), json.at("wrong")};
  if (score.solved > score.problems || score.wrong > score.solved) throw Error("more is solved than there is");
  return score;
}

template <class List, class Value>
std::size_t PlaceIn(const List& list, const Value& is_it) {
  return static_cast<std::size_t>(std::find_if(list.begin(), list.end(), is_it) - list.begin());
}

// Of a record in the table, for sorting.
auto PlaceOf(const RunRecord& record) {
  return std::tuple(
      PlaceIn(TableAgents(), [&](const TableAgent& a) { return a.name == record.agent && a.variant == record.variant; }),
      PlaceIn(TableDomains(), [&](std::string_view domain) { return domain == record.domain; }), record.domain, record.seed);
}

RunRecord RunRecordOf(const Json& json) {
  RunRecord record;
  if (json.at("version") != kRunRecordVersion) throw Error("it is of another version of conpole");
  record.agent = json.at("agent");
  record.variant = json.at("variant");
  record.domain = json.at("domain");
  record.source = json.at("source");
  record.seed = json.at("seed");
  record.device = json.at("device");
  record.steps = json.at("steps");
  record.is_done = json.at("done");
  record.seconds = json.at("seconds");
  record.jobs = json.value("jobs", std::size_t{0});
  for (const auto& [name, value] : json.at("settings").items()) record.settings[name] = value.get<std::string>();
  for (const Json& point : json.at("evaluations")) record.evaluations.push_back({point.at(0), point.at(1), point.at(2)});
  record.test = ScoreOf(json.at("test"));
  record.fresh = ScoreOf(json.at("fresh"));
  return record;
}

}  // namespace

std::optional<double> RunRecord::BestTest() const {
  if (evaluations.empty()) return {};
  return std::max_element(evaluations.begin(), evaluations.end(), [](const auto& a, const auto& b) { return a.test < b.test; })
      ->test;
}

std::string RecordName(const RunRecord& record) {
  return fmt::format("{}{}{}-{}-{}", record.agent, record.variant.empty() ? "" : "-", record.variant, record.domain,
                     record.seed);
}

std::string FormatRecord(const RunRecord& record) {
  const auto milliseconds = [](double seconds) { return std::round(seconds * 1e3) / 1e3; };
  Json json{{"version", kRunRecordVersion},     {"agent", record.agent},
            {"variant", record.variant},        {"domain", record.domain},
            {"source", record.source},          {"seed", record.seed},
            {"device", record.device},          {"steps", record.steps},
            {"done", record.is_done},           {"seconds", milliseconds(record.seconds)},
            {"settings", Json::object()},       {"test", ScoreJson(record.test)},
            {"fresh", ScoreJson(record.fresh)}, {"evaluations", Json::array()}};
  if (record.jobs != 0) json["jobs"] = record.jobs;
  for (const auto& [name, value] : record.settings) json["settings"][name] = value;
  for (const RunRecord::Evaluation& evaluation : record.evaluations) {
    const auto rounded = [](double share) { return std::round(share * 1e6) / 1e6; };  // 0.815, not 0.8150000000000001
    json["evaluations"].push_back({evaluation.step, rounded(evaluation.test), rounded(evaluation.validation)});
  }
  // One line per entry, and one only.
  std::string text = "{\n";
  std::size_t index = 0;
  for (const auto& [name, value] : json.items()) {
    text += fmt::format("  {}: {}{}\n", Json(name).dump(), value.dump(), ++index == json.size() ? "" : ",");
  }
  return text + "}\n";
}

RunRecord ReadRecord(const std::string& path) {
  try {
    return RunRecordOf(Json::parse(ReadRegularFile(path, kMaxRunRecordBytes)));
  } catch (const Json::exception& error) {
    throw Error(fmt::format("{}: is not the record of a run: {}", path, error.what()));
  } catch (const Error& error) {
    const std::string message = error.what();
    throw Error(message.starts_with(path) ? message : fmt::format("{}: {}", path, message));
  }
}

std::vector<RunRecord> ReadRecords(const std::string& folder) {
  std::vector<RunRecord> records;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failure)) {
    if (entry.path().extension() == ".json") records.push_back(ReadRecord(entry.path()));
  }
  if (failure) throw Error(fmt::format("{} cannot be read: {}", folder, failure.message()));
  std::sort(records.begin(), records.end(), [](const RunRecord& a, const RunRecord& b) { return PlaceOf(a) < PlaceOf(b); });
  return records;
}

const std::vector<TableAgent>& TableAgents() {
  static const std::vector<TableAgent> agents{{"conpole", "", "ConPoLe"},
                                              {"conpole-local", "", "ConPoLe-local"},
                                              {"cvi", "as-published", "CVI as published"},
                                              {"cvi", "repaired", "CVI repaired"},
                                              {"davi", "as-published", "DAVI as published"},
                                              {"davi", "repaired", "DAVI repaired"},
                                              {"adi", "as-published", "ADI as published"},
                                              {"adi", "repaired", "ADI repaired"},
                                              {"bc", "as-published", "BC as published"},
                                              {"bc", "repaired", "BC repaired"},
                                              {"drrn", "as-published", "DRRN as published"},
                                              {"drrn", "repaired", "DRRN repaired"},
                                              {"mathsteps", "", "MathSteps (rules)"}};
  return agents;
}

const std::vector<std::string_view>& TableDomains() {
  static const std::vector<std::string_view> domains{"sorting", "ternary-addition", "multiplication", "fractions", "equations"};
  return domains;
}

std::optional<double> PaperPercent(std::string_view agent, std::string_view domain) {
  const std::size_t place = PlaceIn(TableDomains(), [&](std::string_view name) { return name == domain; });
  if (place == TableDomains().size()) return {};
  for (const PaperRow& row : kPaper) {
    if (row.agent == agent && row.percent.at(place) >= 0) return row.percent.at(place);
  }
  return {};
}

}  // namespace conpole::cli

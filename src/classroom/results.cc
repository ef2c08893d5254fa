#include "classroom/results.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <map>
#include <string_view>

#include <fmt/format.h>

namespace conpole {
namespace {

struct Outcome {
  bool solved = false;
  std::vector<const KeptEvent*> lines = {};
  std::size_t hints = 0;
  std::size_t solutions = 0;
  std::map<std::string, std::size_t> mistakes = {};
  std::uint64_t seconds = 0;
};

std::map<std::size_t, Outcome> OutcomesOf(const std::vector<KeptEvent>& events) {
  std::map<std::size_t, Outcome> outcomes;
  for (const KeptEvent& event : events) {
    Outcome& outcome = outcomes[event.exercise];
    // Who comes back begins to count anew.
    outcome.seconds = std::max(outcome.seconds, event.seconds);
    if (event.kind == "hint") ++outcome.hints;
    if (event.kind == "solution") ++outcome.solutions;
    if (event.kind != "line") continue;
    outcome.lines.push_back(&event);
    if (event.verdict == "solved") outcome.solved = true;
    if (!event.mistake.empty()) ++outcome.mistakes[event.mistake];
  }
  return outcomes;
}

std::string Cell(std::string_view text) {
  std::string cell = "\"";
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos) cell += '\'';
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

std::string Joined(const Outcome& outcome) {
  std::string text;
  for (const KeptEvent* const line : outcome.lines) {
    text += fmt::format("{}{} [{}]", text.empty() ? "" : "; ", line->line, line->verdict);
  }
  return text;
}

std::string JoinedMistakes(const Outcome& outcome) {
  std::string text;
  for (const auto& [name, count] : outcome.mistakes) {
    text += fmt::format("{}{}{}", text.empty() ? "" : "; ", name, count == 1 ? "" : fmt::format(" ({})", count));
  }
  return text;
}

}  // namespace

std::string TimeText(Seconds time) {
  const auto seconds = static_cast<std::time_t>(time);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

ServiceJson WorkToJson(const std::vector<KeptEvent>& events) {
  ServiceJson work = ServiceJson::array();
  for (const auto& [exercise, outcome] : OutcomesOf(events)) {
    ServiceJson lines = ServiceJson::array();
    for (const KeptEvent* const line : outcome.lines) {
      lines.push_back({{"line", line->line},
                       {"verdict", line->verdict},
                       {"correct", line->correct},
                       {"mistake", line->mistake.empty() ? ServiceJson() : ServiceJson(line->mistake)},
                       {"time", TimeText(line->time)}});
    }
    ServiceJson mistakes = ServiceJson::object();
    for (const auto& [name, count] : outcome.mistakes) mistakes[name] = count;
    work.push_back({{"exercise", exercise + 1},
                    {"solved", outcome.solved},
                    {"lines", std::move(lines)},
                    {"hints", outcome.hints},
                    {"solutions", outcome.solutions},
                    {"mistakes", std::move(mistakes)},
                    {"seconds", outcome.seconds}});
  }
  return work;
}

ServiceJson ResultsToJson(const KeptSet& set, const std::vector<KeptWork>& work) {
  ServiceJson pupils = ServiceJson::array();
  for (const KeptWork& one : work) pupils.push_back({{"name", one.pupil.name}, {"work", WorkToJson(one.events)}});
  return {{"title", set.title},
          {"language", set.language},
          {"hints", set.hints},
          {"made", TimeText(set.made)},
          {"until", TimeText(set.until)},
          {"pupils_key", set.pupils_key},
          {"exercises", ServiceJson::parse(set.exercises)},
          {"pupils", std::move(pupils)}};
}

std::string ResultsToCsv(const KeptSet& set, const std::vector<KeptWork>& work) {
  const ServiceJson exercises = ServiceJson::parse(set.exercises);
  std::string csv = "name,exercise,problem,solved,wrong lines,hints,solutions,mistakes,seconds,lines\r\n";
  for (const KeptWork& one : work) {
    const std::map<std::size_t, Outcome> outcomes = OutcomesOf(one.events);
    for (std::size_t i = 0; i < exercises.size(); ++i) {
      const auto found = outcomes.find(i);
      const Outcome outcome = found == outcomes.end() ? Outcome() : found->second;
      const auto wrong =
          std::count_if(outcome.lines.begin(), outcome.lines.end(), [](const KeptEvent* line) { return !line->correct; });
      csv += fmt::format("{},{},{},{},{},{},{},{},{},{}\r\n", Cell(one.pupil.name), i + 1,
                         Cell(exercises[i]["notation"].get<std::string>()), outcome.solved ? "yes" : "no", wrong, outcome.hints,
                         outcome.solutions, Cell(JoinedMistakes(outcome)), outcome.seconds, Cell(Joined(outcome)));
    }
  }
  return csv;
}

}  // namespace conpole

// How traces are written (traces.h).
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "subjects/verify.h"
#include "tutor/traces.h"
#include "util/text.h"

namespace conpole {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 5> kFormats{"jsonl", "processbench", "fover", "trl", "chat"};

Json LineInFull(const TraceLine& line) {
  Json object{{"kind", NameOf(line.kind)}, {"state", line.state}, {"text", line.text}};
  if (!line.action.empty()) object["action"] = line.action;
  if (!line.sentence.empty()) object["sentence"] = line.sentence;
  if (!line.mistake.empty()) object["mistake"] = line.mistake;
  const std::optional<bool> is_right = line.is_right();
  object["right"] = is_right ? Json(*is_right) : Json();
  if (line.is_true && !line.follows) object["same_solutions"] = *line.is_true;
  if (line.helps) object["helps"] = *line.helps;
  return object;
}

std::string IdOf(const Trace& trace, const Domain& domain) {
  return fmt::format("{}-{}-{}", domain.type().name, trace.seed, trace.variant);
}

Json InFull(const Trace& trace, const Domain& domain) {
  Json object{{"id", IdOf(trace, domain)}, {"domain", domain.type().name}, {"seed", trace.seed},
              {"problem", trace.problem},  {"text", trace.text},           {"steps", Json::array()}};
  for (const TraceStep& step : trace.steps) {
    Json line = LineInFull(step.line);
    if (!step.alternatives.empty()) line["alternatives"] = Json::array();
    for (const TraceLine& other : step.alternatives) line["alternatives"].push_back(LineInFull(other));
    object["steps"].push_back(std::move(line));
  }
  object["first_error"] = trace.FirstError();
  object["answer"] = trace.ends ? Json(trace.answer) : Json();
  object["verdict"] = trace.ends ? Json(NameOf(trace.verdict)) : Json();
  return object;
}

// A step as one reads it: what was done, and the line.
std::string Spoken(const TraceLine& line) { return line.sentence.empty() ? line.text : line.sentence + " " + line.text; }

std::string Question(const Trace& trace) { return "Solve: " + trace.text; }

}  // namespace

std::vector<std::string> TraceFormatNames() { return {kFormats.begin(), kFormats.end()}; }

TraceFormat TraceFormatOf(std::string_view name) {
  const auto* const found = std::find(kFormats.begin(), kFormats.end(), name);
  if (found == kFormats.end()) {
    throw Error(fmt::format("unknown format {}; there are: {}", Shown(name), Join(TraceFormatNames())));
  }
  return static_cast<TraceFormat>(found - kFormats.begin());
}

std::optional<std::string> FormatTrace(const Trace& trace, const Domain& domain, TraceFormat format) {
  if (format == TraceFormat::kJsonLines) return InFull(trace, domain).dump();
  Json steps = Json::array();
  Json labels = Json::array();
  for (const TraceStep& step : trace.steps) {
    const std::optional<bool> is_right = step.line.is_right();
    if (!is_right) return std::nullopt;
    steps.push_back(Spoken(step.line));
    labels.push_back(*is_right);
  }
  const bool is_answered = trace.ends && trace.verdict == Verdict::kRight;
  switch (format) {
    case TraceFormat::kProcessBench:
      if (trace.ends && trace.verdict == Verdict::kCannotTell) return std::nullopt;
      return Json{{"id", IdOf(trace, domain)},           {"generator", "conpole"},
                  {"problem", Question(trace)},          {"steps", std::move(steps)},
                  {"final_answer_correct", is_answered}, {"label", trace.FirstError()}}
          .dump();
    case TraceFormat::kFoVer:
      return Json{{"problem", Question(trace)}, {"solution_steps", std::move(steps)}, {"error_labels", std::move(labels)}}
          .dump();
    case TraceFormat::kTrl:
      return Json{{"prompt", Question(trace)}, {"completions", std::move(steps)}, {"labels", std::move(labels)}}.dump();
    default:
      break;
  }
  if (!is_answered || trace.FirstError() != -1) return std::nullopt;
  std::string reply;
  for (const Json& step : steps) reply += step.get<std::string>() + "\n";
  reply += "Answer: " + trace.answer;
  return Json{{"messages", {{{"role", "user"}, {"content", Question(trace)}}, {{"role", "assistant"}, {"content", reply}}}}}
      .dump();
}

}  // namespace conpole

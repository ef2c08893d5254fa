#include "tutor/trace_file.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "util/append_file.h"
#include "util/atomic_file.h"
#include "util/read_file.h"
#include "util/read_number.h"
#include "util/text.h"

namespace conpole {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxProgressBytes = std::size_t{1} << 20;
constexpr std::uint64_t kProblemsPerThread = 64;  // in a batch; what is made does not depend on it

// What must be the same when a file is gone on with.
Json SettingsOf(const Domain& domain, const TraceFileRequest& request) {
  const TraceOptions& options = request.options;
  return {{"domain", domain.Spec()},
          {"format", TraceFormatNames()[static_cast<std::size_t>(request.format)]},
          {"first", request.first},
          {"count", request.count},
          {"shard", fmt::format("{}/{}", request.shard, request.shards)},
          {"wrong", options.wrong},
          {"alternatives", options.alternatives},
          {"seed", options.seed},
          {"beam", options.beam},
          {"max_steps", options.max_steps},
          {"language", options.language},
          {"scorer", request.scorer},
          {"version", request.version}};
}

Json JsonOf(const TraceCounts& counts) {
  return {{"problems", counts.problems},   {"solved", counts.solved}, {"traces", counts.traces},
          {"steps", counts.steps},         {"right", counts.right},   {"wrong", counts.wrong},
          {"not_known", counts.not_known}, {"kinds", counts.kinds},   {"mistakes", counts.mistakes}};
}

TraceCounts CountsOf(const Json& json) {
  TraceCounts counts;
  counts.problems = json.at("problems");
  counts.solved = json.at("solved");
  counts.traces = json.at("traces");
  counts.steps = json.at("steps");
  counts.right = json.at("right");
  counts.wrong = json.at("wrong");
  counts.not_known = json.at("not_known");
  counts.kinds = json.at("kinds").get<std::map<std::string, std::uint64_t>>();
  counts.mistakes = json.at("mistakes").get<std::map<std::string, std::uint64_t>>();
  return counts;
}

void Count(const TraceLine& line, TraceCounts& counts) {
  ++counts.steps;
  const std::optional<bool> is_right = line.is_right();
  ++(!is_right ? counts.not_known : *is_right ? counts.right : counts.wrong);
  ++counts.kinds[std::string(NameOf(line.kind))];
  if (!line.mistake.empty()) ++counts.mistakes[line.mistake];
}

std::string SizeCategory(std::uint64_t traces) {
  std::uint64_t low = 1'000;
  if (traces < low) return "n<1K";
  const char* const names[] = {"1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B", "n>1B"};
  std::size_t i = 0;
  for (; i + 1 < std::size(names) && traces >= low * 10; ++i) low *= 10;
  return names[i];
}

std::string Card(const Domain& domain, const TraceFileRequest& request, const TraceCounts& counts) {
  std::string card = fmt::format(
      "---\nlanguage:\n- {}\nlicense: apache-2.0\npretty_name: Labelled steps of {}\ntask_categories:\n- text-generation\n"
      "tags:\n- mathematics\n- process-supervision\n- synthetic\nsize_categories:\n- {}\n---\n\n# Labelled steps of {}\n\n"
      "Solutions, and solutions with a line that is wrong on purpose, made by conpole. Every line is labelled by a judge that "
      "shares nothing with what made it: it reads the text itself and compares what the lines "
      "mean. In school algebra that is done exactly.\n\n",
      request.options.language, domain.type().name, SizeCategory(counts.traces), domain.type().name);
  card += fmt::format(
      "| | |\n|---|---|\n| problems tried | {} |\n| solved | {} |\n| traces | {} |\n| labelled lines | {} |\n"
      "| right | {} |\n| wrong | {} |\n| of which the judge cannot tell | {} |\n\n",
      counts.problems, counts.solved, counts.traces, counts.steps, counts.right, counts.wrong, counts.not_known);
  card +=
      "How the lines came about: `step` by an action of a solution, `mistake` by a typical mistake, `coincidence` with the "
      "solutions "
      "of the line before but not following from it, `away` by an action that does not help.\n\n| kind | lines |\n|---|---|\n";
  for (const auto& [kind, lines] : counts.kinds) card += fmt::format("| {} | {} |\n", kind, lines);
  card += "\n| mistake | lines |\n|---|---|\n";
  for (const auto& [mistake, lines] : counts.mistakes) card += fmt::format("| {} | {} |\n", mistake, lines);
  card += "\nSettings, by which the same file can be made again:\n\n    " + SettingsOf(domain, request).dump() + "\n";
  switch (request.format) {
    case TraceFormat::kJsonLines:
      card +=
          "\nA line is an object: `problem` and `state` are canonical text, `text` is as people write it; `right` is the "
          "label, null "
          "if the judge cannot tell; `first_error` is the first wrong step, counted from 0, or -1; `verdict` says whether the "
          "last line answers the problem.\n";
      break;
    case TraceFormat::kFoVer:
      card += "\n`error_labels` has true for a step that is right.\n";
      break;
    default:
      break;
  }
  return card;
}

}  // namespace

void ReadShard(std::string_view text, TraceFileRequest& request) {
  const std::size_t slash = text.find('/');
  const std::optional<std::uint64_t> shard = ReadNumber<std::uint64_t>(text.substr(0, slash));
  const std::optional<std::uint64_t> shards =
      slash == std::string_view::npos ? std::nullopt : ReadNumber<std::uint64_t>(text.substr(slash + 1));
  if (!shard || !shards || *shard >= *shards) {
    throw Error(fmt::format("a shard is I/N with I from 0 to N - 1, for example 0/8, and not {}", Shown(text)));
  }
  request.shard = *shard;
  request.shards = *shards;
}

std::uint64_t ProblemsOf(const TraceFileRequest& request) {
  return request.count / request.shards + (request.shard < request.count % request.shards ? 1U : 0U);
}

TraceCounts WriteTraceFile(const Domain& domain, Scorer& scorer, const TraceFileRequest& request, ThreadPool& pool,
                           const StopToken& stop, const std::function<void(const TraceCounts&)>& progress) {
  // 1. What is there.
  const std::string progress_path = request.path + ".progress";
  const Json settings = SettingsOf(domain, request);
  TraceCounts counts;
  std::uint64_t bytes = 0;
  const bool exists = std::filesystem::exists(request.path);
  if (exists && !request.resume) throw Error(fmt::format("{} exists already; --resume goes on with it", request.path));
  if (exists && std::filesystem::exists(progress_path)) {
    try {
      const Json kept = Json::parse(ReadRegularFile(progress_path, kMaxProgressBytes));
      for (const auto& [name, value] : settings.items()) {
        if (kept.at("settings").at(name) == value) continue;
        throw Error(fmt::format("{} was begun with {} {}, and cannot go on with {}", request.path, name,
                                kept.at("settings").at(name).dump(), value.dump()));
      }
      counts = CountsOf(kept.at("counts"));
      bytes = kept.at("bytes");
    } catch (const nlohmann::json::exception& error) {
      throw Error(fmt::format("{} is damaged: {}", progress_path, error.what()));
    }
    if (std::filesystem::file_size(request.path) < bytes)
      throw Error(fmt::format("{} is shorter than {} says", request.path, progress_path));
  }
  if (exists) std::filesystem::resize_file(request.path, bytes);
  // 2. The rest, in batches: whatever happens, the progress file says what of the other one counts.
  AppendFile file(request.path);
  const std::uint64_t total = ProblemsOf(request);
  TraceMaker maker(domain, scorer, request.options, pool);
  while (counts.problems < total && !stop.StopRequested()) {
    std::vector<std::uint64_t> seeds;
    const std::uint64_t size = std::min<std::uint64_t>(kProblemsPerThread * pool.size(), total - counts.problems);
    for (std::uint64_t i = 0; i < size; ++i) {
      seeds.push_back(request.first + request.shard + (counts.problems + i) * request.shards);
    }
    const std::vector<Trace> traces = maker.Make(seeds, stop);
    if (stop.StopRequested()) break;
    std::vector<std::optional<std::string>> lines(traces.size());
    pool.For(traces.size(), [&](std::size_t i) { lines[i] = FormatTrace(traces[i], domain, request.format); });
    std::string batch;
    for (std::size_t i = 0; i < traces.size(); ++i) {
      counts.solved += traces[i].variant == 0 ? 1U : 0U;
      if (!lines[i]) continue;
      batch += *lines[i];
      batch += '\n';
      ++counts.traces;
      for (const TraceStep& step : traces[i].steps) {
        Count(step.line, counts);
        if (request.format != TraceFormat::kJsonLines) continue;
        for (const TraceLine& other : step.alternatives) Count(other, counts);
      }
    }
    file.Append(batch);
    bytes += batch.size();
    counts.problems += size;
    WriteFileAtomically(progress_path,
                        Json{{"settings", settings}, {"bytes", bytes}, {"counts", JsonOf(counts)}}.dump() + "\n");
    if (progress) progress(counts);
  }
  // 3. The card.
  if (counts.problems == total) WriteFileAtomically(request.path + ".md", Card(domain, request, counts));
  return counts;
}

}  // namespace conpole

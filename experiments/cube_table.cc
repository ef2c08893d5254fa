// conpole reproduce cube: how many moves models need for a list of cubes, against the states that they are asked about, beside
// what others have published.
//   1. plan: every model by every search in every width; what has a record already is left out,
//   2. solve all cubes by each, replay and verify every solution, and write the record,
//   3. make table and curve of all records.
// Whatever ends the command, the same command goes on with the first that has no record. Step 3 alone redraws what is kept
// elsewhere (--from). The folder has:
//   data/MODEL-SEARCH-WIDTH.json
//   cube.md, cube.json, cube.svg
#include "experiments/cube_table.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "cli/problem_list.h"
#include "cli/ranks.h"
#include "cli/search_options.h"
#include "cli/torch_engine.h"
#include "conpole/domain.h"
#include "conpole/error.h"
#include "experiments/cube_data.h"
#include "experiments/cube_report.h"
#include "experiments/markdown.h"
#include "nn/model.h"
#include "nn/shipped_models.h"
#include "search/run_search.h"
#include "subjects/verify.h"
#include "train/run/metrics.h"
#include "util/atomic_file.h"
#include "util/interrupt.h"
#include "util/progress.h"
#include "util/read_file.h"
#include "util/stopwatch.h"
#include "util/text.h"
#include "util/thread_pool.h"

namespace conpole::cli {
namespace {

constexpr std::size_t kMaxPageBytes = std::size_t{1} << 24;
constexpr std::size_t kMaxModelBytes = std::size_t{1} << 32;
constexpr std::uint64_t kMaxSteps = 60;  // of a solution

struct CubeTableOptions {
  std::string cubes;
  std::size_t first = 0;
  std::vector<std::string> models;
  std::string searches = "beam";
  std::string widths;
  double step_weight = 1;
  std::uint64_t max_states = 10'000'000;
  std::string device = "cpu";
  std::size_t threads = 0;
  std::string out;
  std::string from;
  std::string into;
  bool json = false;
};

// 1. The plan.

struct NamedModel {
  std::string name;
  std::string path;
};

// NAME=FILE, or a file that gives the name.
NamedModel ModelOf(const std::string& text) {
  const auto is_name = [](std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return IsLetter(c) || IsDigit(c) || c == '_'; });
  };
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos && is_name(std::string_view(text).substr(0, equals))) {
    return {text.substr(0, equals), text.substr(equals + 1)};
  }
  std::string name = std::filesystem::path(text).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !IsLetter(c) && !IsDigit(c); }, '_');
  if (!is_name(name)) throw Error(fmt::format("--model {}: give it a name, --model NAME={}", text, text));
  return {std::move(name), text};
}

std::vector<NamedModel> ModelsOf(const CubeTableOptions& options, const Domain& domain) {
  std::vector<NamedModel> models;
  for (const std::string& text : options.models) models.push_back(ModelOf(text));
  if (models.empty()) {
    const std::optional<std::string> shipped = FindShippedModel(domain.type().name);
    if (!shipped) throw Error(fmt::format("no model comes with conpole for {}; name one with --model", domain.type().name));
    models.push_back({"shipped", *shipped});
  }
  for (std::size_t i = 0; i < models.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (models[i].name == models[k].name) throw Error(fmt::format("--model: two models are called {}", models[i].name));
    }
  }
  return models;
}

// Those that take minutes.
std::string UsualWidths(const CubeTableOptions& options) {
  return options.device == "cpu" ? "64,256,1024,4096" : "64,256,1024,4096,16384,65536,262144";
}

struct Plan {
  std::vector<std::string> searches;
  std::vector<std::size_t> widths;
};

Plan PlanOf(const CubeTableOptions& options) {
  Plan plan;
  for (const std::string& search : SplitAtCommas(options.searches)) {
    if (search != "beam" && search != "bwas") {
      throw Error(fmt::format("--search: unknown search '{}'; there are: beam, bwas", search));
    }
    plan.searches.push_back(search);
  }
  constexpr std::uint64_t kWidest = std::uint64_t{1} << 24;
  for (const std::string& width : SplitAtCommas(options.widths.empty() ? UsualWidths(options) : options.widths)) {
    plan.widths.push_back(ReadNumber("--widths", width, NumberRange<std::uint64_t>{1, kWidest}));
  }
  if (plan.searches.empty() || plan.widths.empty()) throw Error("there is nothing to run: no search is left, or no width");
  return plan;
}

// What is known of a model before it is used.
CubeRecord Describe(const NamedModel& named, const Domain& domain) {
  const Model model = ReadModelFor(domain, named.path);
  CubeRecord record;
  record.model = named.name;
  record.model_id = ContentId(ReadRegularFile(named.path, kMaxModelBytes));
  const auto& sizes = model.architecture.sizes;
  if (model.architecture.kind == "residual") {
    record.network = fmt::format("{}-{}-{}, {} blocks", sizes.at("cells") * sizes.at("colours"), sizes.at("wide"),
                                 sizes.at("hidden"), sizes.at("blocks"));
  } else {
    record.network = model.architecture.kind;
    for (const auto& [name, size] : sizes) record.network += fmt::format(", {} {}", name, size);
  }
  for (const auto& [name, tensor] : model.tensors) record.weights += tensor.values.size();
  const auto metadata = [&](const char* name) {
    const auto found = model.metadata.find(name);
    return found == model.metadata.end() ? std::string() : found->second;
  };
  record.agent = metadata("agent");
  if (const std::string steps = metadata("steps"); !steps.empty()) {
    record.trained_on = ReadNumber("steps of the model", steps, NumberRange<std::uint64_t>{});
  }
  // A model in the folder of its run has its metrics beside it.
  const std::string metrics = MetricsPath(std::filesystem::path(named.path).parent_path().string());
  if (std::filesystem::exists(metrics)) {
    if (const std::vector<MetricsLine> lines = ReadMetrics(metrics); !lines.empty())
      record.trained_seconds = lines.back().seconds;
  }
  return record;
}

// 2. The searches.

class Runner {
 public:
  Runner(const CubeTableOptions& options, const Domain& domain, std::vector<std::string> cubes, Ranks& ranks)
      : options_(options),
        domain_(domain),
        cubes_(std::move(cubes)),
        cubes_id_(ContentId(cubes_)),
        ranks_(ranks),
        pool_(options.threads) {
    std::filesystem::create_directories(data());
    for (const std::size_t i : OwnShare(ranks, cubes_.size())) own_.push_back(cubes_[i]);
  }

  std::filesystem::path data() const { return std::filesystem::path(options_.out) / "data"; }

  // Returns the exit status.
  int Run(const Plan& plan) {
    for (const NamedModel& named : ModelsOf(options_, domain_)) {
      const CubeRecord model = Describe(named, domain_);
      std::unique_ptr<Scorer> scorer;  // made when it is needed
      for (const std::string& search : plan.searches) {
        for (const std::size_t width : plan.widths) {
          CubeRecord record = model;
          record.search = search;
          record.width = width;
          record.step_weight = search == "bwas" ? options_.step_weight : 0;
          record.device = options_.device;
          record.cubes = cubes_.size();
          record.cubes_id = cubes_id_;
          const std::string path = (data() / (RecordName(record) + ".json")).string();
          // The first rank says what is done: it is the one that writes.
          const std::uint64_t is_done = ranks_.is_first() && IsDone(path, record) ? 1 : 0;
          if (ranks_.SumCounts({&is_done, 1}).front() != 0) continue;
          if (scorer == nullptr) scorer = MakeScorer(named);
          if (!Solve(*scorer, record)) return kInterrupted;
          if (ranks_.is_first()) WriteFileAtomically(path, FormatRecord(record));
          if (record.verified != record.solved) {
            throw Error(fmt::format("{}: of {} solutions only {} could be verified", path, record.solved, record.verified));
          }
        }
      }
    }
    return kOk;
  }

 private:
  std::unique_ptr<Scorer> MakeScorer(const NamedModel& named) {
    SearchArguments arguments;
    arguments.model = named.path;
    arguments.device = OwnDevice(options_.device);
    arguments.threads = options_.threads;
    return arguments.MakeScorer(domain_, pool_);
  }

  // Whether there is a record of just this.
  static bool IsDone(const std::string& path, const CubeRecord& planned) {
    if (!std::filesystem::exists(path)) return false;
    const CubeRecord record = ReadCubeRecord(path);
    if (record.model_id == planned.model_id && record.cubes_id == planned.cubes_id &&
        record.step_weight == planned.step_weight) {
      return true;
    }
    const char* const what = record.model_id != planned.model_id   ? "another model of this name"
                             : record.cubes_id != planned.cubes_id ? "other cubes"
                                                                   : "another weight";
    throw Error(fmt::format("{} is of {}; choose another --out, or remove it", path, what));
  }

  // False if it was interrupted.
  bool Solve(Scorer& scorer, CubeRecord& record) {
    SearchOptions search;
    search.stop = &InterruptFlag();
    search.kind = SearchKindOf(record.search);
    search.beam.width = record.width;
    search.beam.max_steps = kMaxSteps;
    search.beam.value = BeamValue::kLogProbability;
    search.best_first.batch = record.width;
    search.best_first.weight = options_.step_weight;
    search.best_first.max_expanded = options_.max_states;
    search.in_flight = 1;  // so that a list of any length fits into memory
    Progress progress(RecordName(record), own_.size());
    std::size_t done = 0;
    const Stopwatch watch;
    const std::vector<SearchResult> results = RunSearch(
        domain_, scorer, own_, search, pool_,
        [&](std::size_t, const SearchResult&) { progress.Advance(++done, "the same command goes on if it is ended"); });
    // States, solved, verified and interrupted, then how many solutions have each length.
    std::vector<std::uint64_t> counts(4 + kMaxSteps + 1, 0);
    for (const SearchResult& result : results) {
      if (result.outcome == SearchOutcome::kInterrupted) ++counts[3];
      counts[0] += result.expanded;
      if (!result.solved()) continue;
      ++counts[1];
      if (VerifyPath(domain_, result.path) == Verdict::kRight) ++counts[2];
      counts.resize(std::max(counts.size(), 4 + result.steps() + 1), 0);
      ++counts[4 + result.steps()];
    }
    const std::vector<std::string> all = ranks_.GatherTexts(Json(counts).dump());
    record.seconds = watch.Seconds();
    for (const std::string& text : all) {
      const auto of_rank = Json::parse(text).get<std::vector<std::uint64_t>>();
      if (of_rank[3] != 0) return false;
      record.states += of_rank[0];
      record.solved += of_rank[1];
      record.verified += of_rank[2];
      for (std::size_t steps = 0; 4 + steps < of_rank.size(); ++steps) {
        if (of_rank[4 + steps] == 0) continue;
        record.moves += steps * of_rank[4 + steps];
        record.longest = std::max(record.longest, steps);
        record.lengths[steps] += of_rank[4 + steps];
      }
    }
    return true;
  }

  const CubeTableOptions& options_;
  const Domain& domain_;
  std::vector<std::string> cubes_;
  std::string cubes_id_;
  Ranks& ranks_;
  std::vector<std::string> own_;  // the cubes of this rank
  ThreadPool pool_;
};

// 3. The table.

void WriteTable(const CubeTableOptions& options, const std::vector<CubeRecord>& records) {
  const std::filesystem::path out = options.out;
  std::filesystem::create_directories(out);
  const std::string table = CubeMarkdown(records);
  const Json json = CubeJson(records);
  WriteFileAtomically(out / "cube.md", table);
  WriteFileAtomically(out / "cube.json", json.dump(1) + "\n");
  try {
    WriteFileAtomically(out / "cube.svg", CubeCurves(records));
  } catch (const Error& error) {
    fmt::print(stderr, "conpole: no curve was drawn: {}\n", Printable(error.what()));
  }
  if (!options.into.empty()) {
    WriteFileAtomically(options.into, PutIntoPage(ReadRegularFile(options.into, kMaxPageBytes), "cube", table));
  }
  if (options.json)
    PrintJsonLine(json);
  else
    PrintText(table);
}

int SolveCubes(const CubeTableOptions& options, Ranks& ranks);

int ReproduceCube(const CubeTableOptions& options) {
  if (!options.from.empty()) {
    const std::vector<CubeRecord> records = ReadCubeRecords(options.from);
    if (records.empty()) throw Error(fmt::format("{} has no records of solved cubes", options.from));
    WriteTable(options, records);
    return kOk;
  }
  if (options.cubes.empty()) throw Error("--cubes is needed, a file with a list of cubes, or --from");
  return WithRanks([&](Ranks& ranks) { return SolveCubes(options, ranks); });
}

int SolveCubes(const CubeTableOptions& options, Ranks& ranks) {
  const Plan plan = PlanOf(options);
  const std::unique_ptr<Domain> domain = MakeDomain("rubiks-cube");
  std::vector<std::string> cubes = ReadProblemList(*domain, options.cubes);
  if (options.first != 0 && options.first < cubes.size()) cubes.resize(options.first);
  if (options.device != "cpu") RequireTorch();
  Runner runner(options, *domain, std::move(cubes), ranks);
  const int status = runner.Run(plan);
  if (!ranks.is_first()) return status;
  if (status != kOk) {
    fmt::print(stderr, "not done yet; the same command goes on\n");
    return status;
  }
  WriteTable(options, ReadCubeRecords(runner.data().string()));
  return kOk;
}

}  // namespace

void AddCubeTable(Command& reproduce) {
  Command& command = reproduce.Add("cube", "Measure moves against states evaluated of Rubik's cube, beside published figures");
  const auto options = std::make_shared<CubeTableOptions>();
  command.Text("--cubes", options->cubes, "A file of cubes: a JSON list of texts, or one per line.");
  command.Number("--first", options->first, "Solve only this many cubes, the first of the file; 0 is all.");
  command.List("--model", options->models,
               "A model to measure, FILE or NAME=FILE; by default the one that is shipped. Can be repeated.");
  command.Text("--search", options->searches, "The searches to measure: beam, bwas or beam,bwas.");
  command.Text("--widths", options->widths,
               "The widths of the beam, and how many states bwas expands per round, for example 64,256; by default what takes "
               "minutes.");
  command.Number("--weight", options->step_weight, "The weight of the steps so far in bwas.", {0, 1000});
  command.Number("--max-expanded", options->max_states, "The most states that bwas expands per cube.");
  command.Text("--device", options->device, "The device that models run on: cpu, cuda or cuda:N.");
  command.Threads(options->threads);
  command.Text("--out", options->out, "The folder of records and results; the same command goes on there.").is_required = true;
  command.Text("--from", options->from, "Only make table and curve of the records in this folder; nothing is solved.");
  command.Text("--into", options->into, "Also put the table into this page, where it has its place.");
  command.Flag("--json", options->json, "Print the table as JSON.");
  command.footer = "Exit status: 0 done, 2 bad input, 130 interrupted.";
  command.action = [options] { return ReproduceCube(*options); };
}

}  // namespace conpole::cli

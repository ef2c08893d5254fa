// conpole reproduce table3: what the vectors of problems know, by nearest neighbours: the paper's Table 3, and tests in which
// counting does not help. For each domain:
//   1. generate problems, and solve them with the shipped policy (equations also as school algebra, without a network),
//   2. measure distances of texts, the shipped model, the given models, and untrained networks,
//   3. print a record of each, as JSON: who it is, and the scores of its layers, without any text of an exercise.
// table3.py keeps the records and makes the tables.
#include "experiments/table3.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "cli/problem_list.h"
#include "cli/solved_problems.h"
#include "conpole/domain.h"
#include "conpole/error.h"
#include "experiments/table3_measure.h"
#include "nn/encoder.h"
#include "nn/model.h"
#include "nn/shipped_models.h"
#include "notation/notation.h"
#include "subjects/free_notation.h"
#include "train/run/run_folder.h"
#include "tutor/policy.h"
#include "util/interrupt.h"
#include "util/progress.h"
#include "util/read_file.h"
#include "util/seed_range.h"
#include "util/thread_pool.h"
#include "vectors/problem_encoder.h"

namespace conpole::cli {
namespace {

constexpr std::size_t kMaxRunRecordBytes = std::size_t{1} << 22;

struct Table3Options {
  std::string exercises;
  std::vector<std::string> models;       // with the option
  std::vector<std::string> more_models;  // as texts behind it
  std::string domains = "equations,fractions,multiplication,ternary-addition";
  std::string queries = "10000:10500";
  std::string references = "20000:21000";
  std::size_t untrained = 5;
  std::size_t threads = 0;
  bool is_sections_only = false;
};

// The domain that the exercises belong to.
constexpr std::string_view kExerciseDomain = "equations";

constexpr int kRecordVersion = 1;
constexpr const char* kShipped = "shipped";

// Who is measured: an agent with its variant, "untrained", or a distance of texts; steps are those of training.
Json RecordOf(const std::string& domain, const std::string& representation, const std::string& variant = "",
              std::uint64_t seed = 0, std::uint64_t steps = 0) {
  return {{"version", kRecordVersion},
          {"domain", domain},
          {"representation", representation},
          {"variant", variant},
          {"seed", seed},
          {"steps", steps},
          {"queries", ""},
          {"references", ""},
          {"layers", Json::array()}};
}

std::string NameOf(const Json& record) {
  std::string name;
  for (const char* const part : {"domain", "representation", "variant"}) {
    if (record[part] != "") name += record[part].get<std::string>() + "-";
  }
  return name + record["seed"].dump();
}

// The models that were given.

struct GivenModel {
  std::string path;
  Json record;
};

std::uint64_t NumberIn(const Model& model, const char* key) {
  const auto found = model.metadata.find(key);
  if (found == model.metadata.end()) return 0;
  try {
    return ReadNumber(key, found->second, NumberRange<std::uint64_t>{});
  } catch (const Error&) {
    return 0;  // metadata are any text
  }
}

std::string TextIn(const Model& model, const char* key, const std::string& otherwise) {
  const auto found = model.metadata.find(key);
  return found == model.metadata.end() ? otherwise : found->second;
}

Json RecordFor(const Model& model, const std::string& otherwise) {
  const std::string spec = TextIn(model, "domain", "");
  return RecordOf(spec.substr(0, spec.find(':')), TextIn(model, "agent", otherwise), TextIn(model, "variant", ""),
                  NumberIn(model, "seed"), NumberIn(model, "steps"));
}

GivenModel ModelInFile(const std::string& path) {
  const Model model = ReadModel(path);
  GivenModel given{path, RecordFor(model, std::filesystem::path(path).stem().string())};
  if (given.record["domain"] == "") throw Error(fmt::format("{} does not say which domain it is for", path));
  return given;
}

// The model that a training run chose; its last one if it never got so far. Empty if it has none.
std::string ModelOfRun(const std::filesystem::path& folder) {
  for (const std::string_view name : {RunFolder::kBestModel, RunFolder::kLastModel}) {
    if (std::filesystem::exists(folder / name)) return (folder / name).string();
  }
  return "";
}

// A model file, a folder of a training run, or one of experiments/table2.py with all its runs.
std::vector<GivenModel> ModelsAt(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return {ModelInFile(path)};
  const std::filesystem::path folder = path;
  if (const std::string model = ModelOfRun(folder); !model.empty()) return {ModelInFile(model)};
  if (!std::filesystem::is_directory(folder / "data")) {
    throw Error(fmt::format("{} is neither the folder of a training run nor one of experiments/table2.py", path));
  }
  std::vector<GivenModel> models;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "data")) {
    if (entry.path().extension() != ".json") continue;
    const std::string model = ModelOfRun(folder / "runs" / entry.path().stem());
    if (model.empty()) continue;
    try {
      const Json run = Json::parse(ReadRegularFile(entry.path(), kMaxRunRecordBytes));
      models.push_back(
          {model, RecordOf(run.at("domain"), run.at("agent"), run.at("variant"), run.at("seed"), run.at("steps"))});
    } catch (const Json::exception& error) {
      throw Error(fmt::format("{} is not the record of a run: {}", entry.path().string(), error.what()));
    }
  }
  if (models.empty()) throw Error(fmt::format("{} has no models of runs", path));
  return models;
}

std::vector<GivenModel> GivenModels(const Table3Options& options) {
  std::vector<GivenModel> models;
  std::map<std::string, std::string> path_of_name;
  for (const std::vector<std::string>* const paths : {&options.models, &options.more_models}) {
    for (const std::string& path : *paths) {
      for (GivenModel& model : ModelsAt(path)) {
        const auto [other, is_new] = path_of_name.try_emplace(NameOf(model.record), model.path);
        if (!is_new) {
          throw Error(fmt::format("{} and {} are both {}: models must differ in domain, agent, variant or seed", other->second,
                                  model.path, other->first));
        }
        models.push_back(std::move(model));
      }
    }
  }
  return models;
}

// 1. Solutions.

constexpr SolvingOptions kSolving{};

std::vector<std::optional<SolutionAxioms>> SolveByPolicy(const Domain& domain, const std::string& model_path,
                                                         const std::vector<std::string>& problems, ThreadPool& pool) {
  const std::unique_ptr<Scorer> policy = MakePolicy(domain, pool, {.model = model_path});
  Progress progress(fmt::format("{}: solutions", domain.type().name), problems.size());
  return SolveAll(domain, *policy, problems, kSolving, pool, [&](std::size_t done) { progress.Advance(done); });
}

// The same problems as lines of school algebra, solved by its estimate of the lines left.
std::vector<std::optional<SolutionAxioms>> SolveAtSchool(const std::vector<std::string>& problems, ThreadPool& pool) {
  const std::unique_ptr<Domain> algebra = MakeDomain("algebra");
  const std::unique_ptr<Scorer> estimate = MakePolicy(*algebra, pool);
  std::vector<std::string> lines;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    NotationResult read = ReadNotation(*algebra, problems[i]);
    if (read.error) continue;
    lines.push_back(std::move(read.state));
    places.push_back(i);
  }
  std::vector<std::optional<SolutionAxioms>> found = SolveAll(*algebra, *estimate, lines, kSolving, pool);
  std::vector<std::optional<SolutionAxioms>> solutions(problems.size());
  for (std::size_t i = 0; i < found.size(); ++i) solutions[places[i]] = std::move(found[i]);
  return solutions;
}

std::vector<std::string> ProblemsOf(const Domain& domain, const std::string& option, const std::string& text) {
  const SeedRange range = ParseSeedRange(option, text);
  constexpr std::uint64_t kMost = 100'000;
  if (range.size() > kMost) throw Error(fmt::format("{} {}: more than {} problems", option, text, kMost));
  std::vector<std::string> problems;
  for (std::uint64_t seed = range.first; seed < range.end; ++seed) problems.push_back(domain.Generate(seed));
  return problems;
}

// 2. and 3. A domain.

class DomainTable {
 public:
  DomainTable(const Table3Options& options, const std::string& spec, ThreadPool& pool)
      : options_(options), pool_(pool), domain_(MakeDomain(spec)) {
    const std::optional<std::string> shipped = FindShippedModel(name());
    if (!shipped)
      throw Error(fmt::format("no model comes with conpole for {}, and nobody else can solve its problems", name()));
    shipped_ = *shipped;
    if (!options.exercises.empty() && name() == kExerciseDomain) {
      exercises_ = ReadLabelledProblems(*domain_, options.exercises);
      for (std::size_t i = 0; i < exercises_.size(); ++i) {
        if (exercises_[i].labels.contains(std::string(kLabel))) continue;
        throw Error(fmt::format("{}: problem {} has no section", options.exercises, i + 1));
      }
    }
  }

  const std::string& name() const { return domain_->type().name; }

  // The records of all representations; nothing if it was interrupted.
  std::optional<std::vector<Json>> Measure(const std::vector<GivenModel>& models) {
    NeighbourProblems problems;
    if (!options_.is_sections_only) {
      problems = SolveProblems();
      if (InterruptFlag()) return std::nullopt;
    }
    const Table3Measure measure(exercises_, std::move(problems), pool_);
    std::vector<Json> records;
    for (const std::string_view baseline : kTextBaselines) {
      records.push_back(RecordOf(name(), std::string(baseline)));
      records.back()["layers"].push_back(measure.OfBaseline(baseline));
    }
    const Model shipped = ReadPolicyModel(*domain_, shipped_);
    Json record = RecordFor(shipped, "conpole");
    record["variant"] = kShipped;
    records.push_back(WithLayers(std::move(record), shipped, measure));
    for (const GivenModel& model : models) {
      if (InterruptFlag()) return std::nullopt;
      if (model.record["domain"] != name()) continue;
      records.push_back(WithLayers(model.record, ReadPolicyModel(*domain_, model.path), measure));
    }
    for (std::size_t seed = 1; seed <= options_.untrained; ++seed) {
      if (InterruptFlag()) return std::nullopt;
      records.push_back(WithLayers(RecordOf(name(), "untrained", "", seed), InitialModel(shipped.architecture, seed), measure));
    }
    for (Json& each : records) {
      each["domain"] = name();
      if (options_.is_sections_only) continue;
      each["queries"] = options_.queries;
      each["references"] = options_.references;
    }
    return records;
  }

 private:
  NeighbourProblems SolveProblems() {
    NeighbourProblems problems;
    problems.queries = ProblemsOf(*domain_, "--queries", options_.queries);
    problems.references = ProblemsOf(*domain_, "--references", options_.references);
    problems.labels.push_back({"policy", SolveByPolicy(*domain_, shipped_, problems.queries, pool_),
                               SolveByPolicy(*domain_, shipped_, problems.references, pool_)});
    if (name() == kExerciseDomain) {
      problems.labels.push_back({"school", SolveAtSchool(problems.queries, pool_), SolveAtSchool(problems.references, pool_)});
    }
    return problems;
  }

  // The vector first, then the layers below it from the highest down.
  Json WithLayers(Json record, const Model& model, const Table3Measure& measure) const {
    record["layers"].push_back(measure.OfVectors(std::string(kVectorLayer), ProblemEncoder(*domain_, model)));
    std::vector<NetworkLayer> layers = MakeLayerEncoders(model);
    std::reverse(layers.begin(), layers.end());
    for (NetworkLayer& layer : layers) {
      record["layers"].push_back(measure.OfVectors(layer.name, ProblemEncoder(*domain_, std::move(layer.encoder))));
    }
    return record;
  }

  const Table3Options& options_;
  ThreadPool& pool_;
  std::unique_ptr<Domain> domain_;
  std::string shipped_;
  std::vector<ListedProblem> exercises_;
};

int ReproduceTable3(const Table3Options& options) {
  // Everything is looked at before the long work begins.
  ThreadPool pool(options.threads);
  std::vector<DomainTable> tables;
  std::set<std::string> names;
  for (const std::string& spec : SplitAtCommas(options.domains)) {
    tables.emplace_back(options, spec, pool);
    if (!names.insert(tables.back().name()).second) throw Error(fmt::format("--domains names {} twice", tables.back().name()));
  }
  if (tables.empty()) throw Error("--domains must name a domain, for example equations");
  if (!options.exercises.empty() && !names.contains(std::string(kExerciseDomain))) {
    throw Error(fmt::format("the exercises are {}, and --domains is {}", kExerciseDomain, options.domains));
  }
  if (options.is_sections_only && options.exercises.empty()) throw Error("--sections-only needs --exercises");
  const std::vector<GivenModel> models = GivenModels(options);

  for (DomainTable& table : tables) {
    if (options.is_sections_only && table.name() != kExerciseDomain) continue;
    const std::optional<std::vector<Json>> records = table.Measure(models);
    if (!records) return kInterrupted;
    for (const Json& record : *records) PrintJsonLine(record);
  }
  return kOk;
}

}  // namespace

void AddTable3(Command& reproduce) {
  Command& command = reproduce.Add("table3", "Measure what vectors of problems know, as records for experiments/table3.py");
  const auto options = std::make_shared<Table3Options>();
  command.Takes("model", options->more_models, 0, 1000, "Models to compare with, as with --models.");
  command.Text("--exercises", options->exercises,
               "A file of exercises with their sections: a JSON object of lists, or a text, a tab and a section per line.");
  command.List(
      "--models", options->models,
      "A model file, a folder of a training run or a folder of experiments/table2.py, to compare with the shipped models. "
      "Can be repeated.");
  command.Text("--domains", options->domains, "The domains of the generated problems.");
  command.Text("--queries", options->queries,
               "The seeds of the problems that neighbours are looked for, FIRST:END without END.");
  command.Text("--references", options->references, "The seeds of the problems that may be neighbours.");
  constexpr std::size_t kMostUntrained = 1000;
  command.Number("--untrained", options->untrained,
                 "Compare with this many untrained networks, each with other random weights.", {0, kMostUntrained});
  command.Flag("--sections-only", options->is_sections_only, "Leave out the generated problems.");
  command.Threads(options->threads);
  command.footer = "Exit status: 0 done, 2 bad input, 130 interrupted.";
  command.action = [options] { return ReproduceTable3(*options); };
}

}  // namespace conpole::cli

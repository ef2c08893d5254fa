// conpole reproduce table3: what the vectors of problems know, by nearest neighbours: the paper's Table 3, and tests in which
// counting does not help. For each domain:
//   1. generate problems, and solve them with the shipped policy (equations also as school algebra, without a network),
//   2. measure distances of texts, the shipped model, the given models, and untrained networks,
//   3. print a record of each, as JSON.
// table3.py makes the tables. The folder has:
//   solutions-DOMAIN.json   what step 1 found so far; the same command goes on from there
//   data/NAME.json          records
#include "experiments/table3.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/crc.hpp>
#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "cli/problem_list.h"
#include "cli/solved_problems.h"
#include "conpole/domain.h"
#include "conpole/error.h"
#include "experiments/table3_data.h"
#include "experiments/table3_measure.h"
#include "nn/encoder.h"
#include "nn/model.h"
#include "nn/shipped_models.h"
#include "notation/notation.h"
#include "subjects/free_notation.h"
#include "train/run/run_folder.h"
#include "tutor/policy.h"
#include "util/atomic_file.h"
#include "util/interrupt.h"
#include "util/progress.h"
#include "util/read_file.h"
#include "util/seed_range.h"
#include "util/thread_pool.h"
#include "vectors/problem_encoder.h"

namespace conpole::cli {
namespace {

constexpr std::size_t kMaxRunRecordBytes = std::size_t{1} << 22;
constexpr std::size_t kMaxGivenModelBytes = std::size_t{1} << 30;
constexpr std::size_t kMaxSolutionsBytes = std::size_t{1} << 28;

struct Table3Options {
  std::string exercises;
  std::vector<std::string> models;       // with the option
  std::vector<std::string> more_models;  // as texts behind it
  std::string out;
  std::string domains = "equations,fractions,multiplication,ternary-addition";
  std::string queries = "10000:10500";
  std::string references = "20000:21000";
  std::size_t untrained = 5;
  std::size_t threads = 0;
  bool is_sections_only = false;
};

// The domain that the exercises belong to.
constexpr std::string_view kExerciseDomain = "equations";

// The models that were given.

struct GivenModel {
  std::string path;
  Table3Record record;  // who it is
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

Table3Record RecordFor(const Model& model, const std::string& otherwise) {
  Table3Record record;
  const std::string spec = TextIn(model, "domain", "");
  record.domain = spec.substr(0, spec.find(':'));
  record.representation = TextIn(model, "agent", otherwise);
  record.variant = TextIn(model, "variant", "");
  record.seed = NumberIn(model, "seed");
  record.steps = NumberIn(model, "steps");
  return record;
}

GivenModel ModelInFile(const std::string& path) {
  const Model model = ReadModel(path);
  GivenModel given{path, RecordFor(model, std::filesystem::path(path).stem().string())};
  if (given.record.domain.empty()) throw Error(fmt::format("{} does not say which domain it is for", path));
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
      Table3Record record;
      record.domain = run.at("domain");
      record.representation = run.at("agent");
      record.variant = run.at("variant");
      record.seed = run.at("seed");
      record.steps = run.at("steps");
      models.push_back({model, std::move(record)});
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
        const auto [other, is_new] = path_of_name.try_emplace(RecordName(model.record), model.path);
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

// Solutions of the problems of seeds, kept in a file so that nothing is solved twice. What another model or domain solved is
// not taken.
class SolutionStore {
 public:
  // An empty path keeps nothing.
  SolutionStore(std::string path, const std::string& domain, const std::string& model_path, std::size_t max_steps)
      : path_(std::move(path)) {
    const std::string bytes = ReadRegularFile(model_path, kMaxGivenModelBytes);
    boost::crc_32_type checksum;
    checksum.process_bytes(bytes.data(), bytes.size());
    solver_ = fmt::format("{}, greedily with at most {} steps, by the model {:08x}", domain, max_steps, checksum.checksum());
    if (path_.empty() || !std::filesystem::exists(path_)) return;
    try {
      const Json json = Json::parse(ReadRegularFile(path_, kMaxSolutionsBytes));
      if (json.at("solver") != solver_) return;
      for (const auto& [seed, axioms] : json.at("solutions").items()) {
        std::optional<SolutionAxioms>& solution = solutions_[seed];
        if (!axioms.is_null()) solution = axioms.get<SolutionAxioms>();
      }
    } catch (const Json::exception& error) {
      throw Error(fmt::format("{}: {}; remove it to have everything solved anew", path_, error.what()));
    }
  }

  bool Has(std::uint64_t seed) const { return solutions_.contains(std::to_string(seed)); }
  const std::optional<SolutionAxioms>& Of(std::uint64_t seed) const { return solutions_.at(std::to_string(seed)); }
  void Put(std::uint64_t seed, std::optional<SolutionAxioms> solution) {
    solutions_[std::to_string(seed)] = std::move(solution);
  }

  void Write() const {
    if (path_.empty()) return;
    Json json{{"solver", solver_}, {"solutions", Json::object()}};
    for (const auto& [seed, axioms] : solutions_) json["solutions"][seed] = axioms ? Json(*axioms) : Json();
    WriteFileAtomically(path_, json.dump() + "\n");
  }

 private:
  std::string path_;
  std::string solver_;  // who solved them, and how
  std::map<std::string, std::optional<SolutionAxioms>> solutions_;
};

constexpr SolvingOptions kSolving{};

// Solves the problems of all seeds that the store does not have. Returns whether it came to an end.
bool SolveSeeds(const Domain& domain, const std::string& model_path, const std::vector<std::uint64_t>& seeds, ThreadPool& pool,
                SolutionStore& store) {
  std::vector<std::uint64_t> missing;
  for (const std::uint64_t seed : seeds) {
    if (!store.Has(seed)) missing.push_back(seed);
  }
  if (missing.empty()) return true;
  const std::unique_ptr<Scorer> policy = MakePolicy(domain, pool, {.model = model_path});
  Progress progress(fmt::format("{}: solutions", domain.type().name), missing.size());
  constexpr std::size_t kAtATime = 100;
  for (std::size_t begin = 0; begin < missing.size(); begin += kAtATime) {
    const std::size_t end = std::min(missing.size(), begin + kAtATime);
    std::vector<std::string> problems;
    for (std::size_t i = begin; i < end; ++i) problems.push_back(domain.Generate(missing[i]));
    std::vector<std::optional<SolutionAxioms>> solutions =
        SolveAll(domain, *policy, problems, kSolving, pool, [&](std::size_t done) { progress.Advance(begin + done); });
    if (InterruptFlag()) return false;
    for (std::size_t i = begin; i < end; ++i) store.Put(missing[i], std::move(solutions[i - begin]));
    store.Write();
  }
  return true;
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

std::vector<std::uint64_t> SeedsIn(const std::string& option, const std::string& text) {
  const SeedRange range = ParseSeedRange(option, text);
  constexpr std::uint64_t kMost = 100'000;
  if (range.size() > kMost) throw Error(fmt::format("{} {}: more than {} problems", option, text, kMost));
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t seed = range.first; seed < range.end; ++seed) seeds.push_back(seed);
  return seeds;
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
  std::optional<std::vector<Table3Record>> Measure(const std::vector<GivenModel>& models) {
    NeighbourProblems problems;
    if (!options_.is_sections_only) {
      std::optional<NeighbourProblems> solved = SolveProblems();
      if (!solved) return std::nullopt;
      problems = *std::move(solved);
    }
    const Table3Measure measure(exercises_, std::move(problems), pool_);
    std::vector<Table3Record> records;
    for (const std::string_view baseline : kTextBaselines) {
      Table3Record record;
      record.representation = baseline;
      record.layers = {measure.OfBaseline(baseline)};
      records.push_back(std::move(record));
    }
    const Model shipped = ReadPolicyModel(*domain_, shipped_);
    Table3Record record = RecordFor(shipped, "conpole");
    record.variant = kShipped;
    records.push_back(WithLayers(std::move(record), shipped, measure));
    for (const GivenModel& model : models) {
      if (InterruptFlag()) return std::nullopt;
      if (model.record.domain != name()) continue;
      records.push_back(WithLayers(model.record, ReadPolicyModel(*domain_, model.path), measure));
    }
    for (std::size_t seed = 1; seed <= options_.untrained; ++seed) {
      if (InterruptFlag()) return std::nullopt;
      Table3Record untrained;
      untrained.representation = kUntrained;
      untrained.seed = seed;
      records.push_back(WithLayers(std::move(untrained), InitialModel(shipped.architecture, seed), measure));
    }
    for (Table3Record& each : records) {
      each.domain = name();
      if (options_.is_sections_only) continue;
      each.queries = options_.queries;
      each.references = options_.references;
    }
    return records;
  }

 private:
  std::optional<NeighbourProblems> SolveProblems() {
    const std::vector<std::uint64_t> queries = SeedsIn("--queries", options_.queries);
    const std::vector<std::uint64_t> references = SeedsIn("--references", options_.references);
    std::vector<std::uint64_t> all = queries;
    all.insert(all.end(), references.begin(), references.end());
    const std::string path =
        options_.out.empty() ? "" : (std::filesystem::path(options_.out) / fmt::format("solutions-{}.json", name())).string();
    SolutionStore store(path, domain_->Spec(), shipped_, kSolving.max_steps);
    if (!SolveSeeds(*domain_, shipped_, all, pool_, store)) return std::nullopt;
    NeighbourProblems problems;
    problems.labels.push_back({"policy", {}, {}});
    for (const std::uint64_t seed : queries) {
      problems.queries.push_back(domain_->Generate(seed));
      problems.labels.back().of_queries.push_back(store.Of(seed));
    }
    for (const std::uint64_t seed : references) {
      problems.references.push_back(domain_->Generate(seed));
      problems.labels.back().of_references.push_back(store.Of(seed));
    }
    if (name() != kExerciseDomain) return problems;
    problems.labels.push_back({"school", SolveAtSchool(problems.queries, pool_), SolveAtSchool(problems.references, pool_)});
    if (InterruptFlag()) return std::nullopt;
    return problems;
  }

  // The vector first, then the layers below it from the highest down.
  Table3Record WithLayers(Table3Record record, const Model& model, const Table3Measure& measure) const {
    record.layers.push_back(measure.OfVectors(std::string(kVectorLayer), ProblemEncoder(*domain_, model)));
    std::vector<NetworkLayer> layers = MakeLayerEncoders(model);
    std::reverse(layers.begin(), layers.end());
    for (NetworkLayer& layer : layers) {
      record.layers.push_back(measure.OfVectors(layer.name, ProblemEncoder(*domain_, std::move(layer.encoder))));
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

  const std::filesystem::path data = std::filesystem::path(options.out) / "data";
  if (!options.out.empty()) std::filesystem::create_directories(data);
  for (DomainTable& table : tables) {
    if (options.is_sections_only && table.name() != kExerciseDomain) continue;
    const std::optional<std::vector<Table3Record>> measured = table.Measure(models);
    if (!measured) {
      if (!options.out.empty()) fmt::print(stderr, "not done yet; the same command goes on\n");
      return kInterrupted;
    }
    for (const Table3Record& record : *measured) {
      const Json json = JsonOf(record);
      if (!options.out.empty()) WriteFileAtomically((data / (RecordName(record) + ".json")).string(), FormatRecord(json));
      PrintJsonLine(json);
    }
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
  command.Text("--out", options->out, "The folder of records; more models can be added there later.");
  command.Text("--domains", options->domains, "The domains of the generated problems.");
  command.Text("--queries", options->queries,
               "The seeds of the problems that neighbours are looked for, FIRST:END without END.");
  command.Text("--references", options->references, "The seeds of the problems that may be neighbours.");
  constexpr std::size_t kMostUntrained = 1000;
  command.Number("--untrained", options->untrained,
                 "Compare with this many untrained networks, each with other random weights.", {0, kMostUntrained});
  command.Flag("--sections-only", options->is_sections_only, "Leave out the generated problems.");
  command.Threads(options->threads);
  command.footer = "Exit status: 0 done, 2 bad input, 130 interrupted (with --out, the same command goes on).";
  command.action = [options] { return ReproduceTable3(*options); };
}

}  // namespace conpole::cli

// conpole similar: the problems of a list, or of generated ones, that are nearest to a problem by the vectors of a model
// (vectors/problem_index.h).
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/any_domain.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/problem_list.h"
#include "cli/tutor_options.h"
#include "conpole/domain.h"
#include "conpole/error.h"
#include "language/catalogue.h"
#include "notation/notation.h"
#include "subjects/free_notation.h"
#include "subjects/subject.h"
#include "tutor/format.h"
#include "tutor/policy.h"
#include "util/interrupt.h"
#include "util/progress.h"
#include "util/seed_range.h"
#include "util/text.h"
#include "util/thread_pool.h"
#include "vectors/problem_encoder.h"
#include "vectors/problem_index.h"

namespace conpole::cli {
namespace {

constexpr std::string_view kDefaultSeeds = "0:5000";
// As many vectors as the memory of a machine holds.
constexpr std::uint64_t kMaxSeeds = 50'000'000;

struct SimilarOptions {
  std::vector<std::string> texts;  // the domain, if it is named, and the problem
  std::string list;
  std::string seeds;
  std::string index;
  std::string save_index;
  std::string model;
  std::uint64_t count = 10;
  bool json = false;
  std::string language = "en";
  std::size_t threads = 0;
};

void CheckOptions(const SimilarOptions& options) {
  const int sources = (options.list.empty() ? 0 : 1) + (options.seeds.empty() ? 0 : 1) + (options.index.empty() ? 0 : 1);
  if (sources > 1) throw Error("--from, --seeds and --index exclude each other");
  if (!options.index.empty() && !options.save_index.empty()) throw Error("--index and --save-index exclude each other");
  Catalogue::Find(options.language);
  if (!options.save_index.empty()) RequirePlaceFor(options.save_index);
}

// The domain that is named, that an index is for, or that the problem seems to be of.
std::string DomainOf(const SimilarOptions& options, const ProblemArgument& problem) {
  if (!problem.domain.empty()) return problem.domain;
  if (!options.index.empty()) return ProblemIndex::DomainOfFile(options.index);
  return std::string(GuessDomain(problem.text, options.language));
}

// Fills the index from where it was asked for. False if it was interrupted.
bool Fill(const SimilarOptions& options, ProblemIndex& index, ThreadPool& pool) {
  const StopToken stop(&InterruptFlag());
  if (!options.list.empty()) {
    const std::vector<std::string> problems = ReadProblemList(index.encoder().domain(), options.list);
    Progress progress("encoding", problems.size());
    return index.Add(problems, pool, stop, [&](std::size_t done) { progress.Advance(done); });
  }
  const SeedRange seeds = ParseSeedRange("--seeds", options.seeds.empty() ? kDefaultSeeds : options.seeds);
  if (seeds.size() > kMaxSeeds) throw Error(Message("--seeds {}: more than {} problems", options.seeds, kMaxSeeds));
  Progress progress("encoding", seeds.size());
  return index.AddGenerated(seeds, pool, stop, [&](std::size_t done) { progress.Advance(done); });
}

// As much of a cosine as its vectors tell.
double Rounded(float cosine) { return std::round(static_cast<double>(cosine) * 1e5) / 1e5; }

class Answer {
 public:
  Answer(const SimilarOptions& options, const Domain& domain, const std::string& model)
      : options_(options), domain_(domain), model_(model), catalogue_(Catalogue::Find(options.language)) {}

  // The problem as canonical text. If it cannot be read, throws Error or, as JSON, prints it and returns nothing.
  std::optional<std::string> Read(const std::string& text) const {
    NotationResult read = ReadNotation(domain_, text, options_.language);
    if (!read.error) return std::move(read.state);
    if (!options_.json) throw NotAProblem(domain_, text, *read.error);
    PrintLine(FormatErrorAsJson(*read.error, text.substr(0, read.error->position)));
    return std::nullopt;
  }

  void Print(const std::string& problem, const ProblemIndex& index, const std::vector<SimilarProblem>& similar) const {
    if (options_.json) {
      Json found = Json::array();
      for (const SimilarProblem& one : similar) {
        found.push_back({{"problem", one.state},
                         {"notation", Write(one.state)},
                         {"latex", WriteLatex(domain_, one.state)},
                         {"cosine", Rounded(one.cosine)}});
      }
      return PrintJsonLine({{"domain", domain_.Spec()},
                            {"problem", problem},
                            {"notation", Write(problem)},
                            {"model", model_},
                            {"problems", index.size()},
                            {"similar", std::move(found)}});
    }
    PrintLine(catalogue_.Sentence("similar.heading", {{"problem", Write(problem)},
                                                      {"number", std::to_string(index.size())},
                                                      {"domain", domain_.type().name},
                                                      {"model", Printable(model_)}}));
    for (const SimilarProblem& one : similar) PrintLine(fmt::format("  {:7.4f}  {}", one.cosine, Write(one.state)));
  }
  void PrintSaved(const ProblemIndex& index) const {
    if (options_.json) {
      return PrintJsonLine(
          {{"domain", domain_.Spec()}, {"model", model_}, {"problems", index.size()}, {"index", options_.save_index}});
    }
    PrintLine(catalogue_.Sentence("similar.saved",
                                  {{"number", std::to_string(index.size())}, {"file", Printable(options_.save_index)}}));
  }

 private:
  std::string Write(const std::string& state) const {
    return SubjectOf(domain_).Localise(options_.language, Script::kPlain, WriteNotation(domain_, state));
  }

  const SimilarOptions& options_;
  const Domain& domain_;
  const std::string& model_;
  const Catalogue& catalogue_;
};

int Similar(const SimilarOptions& options) {
  CheckOptions(options);
  const ProblemArgument problem = SplitDomain(options.texts);
  if (problem.text.empty() && options.save_index.empty()) {
    throw Error(Message("after the domain {} there must be a problem, unless there is --save-index", problem.domain));
  }
  const std::string spec = DomainOf(options, problem);
  const std::unique_ptr<Domain> domain = MakeAnyDomain(spec);
  const std::string model = VectorModelPath(*domain, options.model);
  const Answer answer(options, *domain, model);
  // The problem first: what cannot be read is said at once.
  std::optional<std::string> state;
  if (!problem.text.empty()) {
    state = answer.Read(problem.text);
    if (!state) return kBadInput;
  }
  const ProblemEncoder encoder(*domain, ReadPolicyModel(*domain, model));
  // A domain written in Python runs in this thread.
  ThreadPool pool(IsPythonSpec(spec) ? 1 : options.threads);
  ProblemIndex index = options.index.empty() ? ProblemIndex(encoder) : ProblemIndex::Read(options.index, encoder);
  if (options.index.empty() && !Fill(options, index, pool)) return kInterrupted;
  if (!options.save_index.empty()) index.Write(options.save_index);
  if (state) {
    answer.Print(*state, index, index.Similar(*state, options.count, pool));
  } else {
    answer.PrintSaved(index);
  }
  return kOk;
}

}  // namespace

void AddSimilar(Command& program) {
  Command& command = program.Add("similar", "List the problems that are nearest to one by the vectors of a model");
  const auto options = std::make_shared<SimilarOptions>();
  command.Takes(
      "problem", options->texts, 1, std::numeric_limits<std::size_t>::max(),
      "A domain, for example equations, or nothing for a guess; then a problem, as people write it (2x+3=7), as LaTeX "
      "or in the domain's notation.");
  command.Text("--from", options->list, "Choose from the problems of this file: one per line, or a JSON list.");
  command.Text("--seeds", options->seeds,
               fmt::format("Choose from generated problems of the seeds FIRST:END, by default {}.", kDefaultSeeds));
  command.Text("--index", options->index, "Choose from the problems of an index that --save-index wrote.");
  command.Text("--save-index", options->save_index,
               "Write the problems with their vectors to this file; without a problem, that is all.");
  command.Number("--count", options->count, "List at most this many problems.", {1, 1'000'000});
  command.Text("--model", options->model, kModelHelp);
  command.Flag("--json", options->json, "Print one JSON object.");
  command.Text("--language,--lang", options->language, "The language of the sentences: " + Join(Catalogue::Languages()) + ".");
  command.Threads(options->threads);
  command.footer = "The problem itself is not listed. Exit status: 0 listed, 2 bad input, 130 interrupted.";
  command.action = [options] { return Similar(*options); };
}

}  // namespace conpole::cli

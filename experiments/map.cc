// conpole map: where problems lie by their vectors, as a picture: the two directions in which they differ most (PCA), coloured
// by a label and sized by the length of the solution.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/any_domain.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/problem_list.h"
#include "cli/search_options.h"
#include "cli/solved_problems.h"
#include "conpole/domain.h"
#include "conpole/error.h"
#include "experiments/scatter.h"
#include "experiments/text_distances.h"
#include "subjects/subject.h"
#include "tutor/policy.h"
#include "util/atomic_file.h"
#include "util/interrupt.h"
#include "util/progress.h"
#include "util/seed_range.h"
#include "util/thread_pool.h"
#include "vectors/pca.h"
#include "vectors/problem_encoder.h"

namespace conpole::cli {
namespace {

constexpr std::string_view kFirstStep = "first-step";
constexpr std::string_view kLengthLabel = "length";
constexpr std::string_view kShape = "shape";
constexpr std::string_view kNone = "none";
constexpr std::string_view kUsualSeeds = "10000:10200";

struct MapOptions {
  std::vector<std::string> texts;  // the domain and the file, as far as they are given
  std::string seeds;
  std::string model;
  std::string label;
  std::string sizes = "length";
  std::string title;
  std::string out;
  std::size_t threads = 0;
  bool is_without_texts = false;
  bool json = false;
};

// What the texts of the command name.
struct Request {
  std::string domain = "equations";
  std::string file;
};

bool NamesDomain(const std::string& text) {
  if (IsPythonSpec(text)) return true;
  const std::string name = text.substr(0, text.find(':'));
  return std::any_of(DomainTypes().begin(), DomainTypes().end(), [&](const DomainType* type) { return type->name == name; });
}

Request RequestOf(const MapOptions& options) {
  Request request;
  if (options.texts.size() == 2)
    request = {options.texts[0], options.texts[1]};
  else if (options.texts.size() == 1)
    (NamesDomain(options.texts[0]) ? request.domain : request.file) = options.texts[0];
  if (!request.file.empty() && !options.seeds.empty()) throw Error("a file and --seeds exclude each other");
  // Anything else that is no file was meant as a domain.
  if (options.texts.size() == 1 && !request.file.empty() && !std::filesystem::exists(request.file)) MakeDomain(request.file);
  return request;
}

struct MappedProblem {
  ListedProblem problem;
  std::optional<SolutionAxioms> solution = {};
  std::string label = {};
  double x = 0;
  double y = 0;
};

std::vector<MappedProblem> ProblemsOf(const Request& request, const MapOptions& options, const Domain& domain) {
  std::vector<MappedProblem> problems;
  if (!request.file.empty()) {
    for (ListedProblem& problem : ReadLabelledProblems(domain, request.file)) problems.push_back({std::move(problem)});
    return problems;
  }
  const std::string text = options.seeds.empty() ? std::string(kUsualSeeds) : options.seeds;
  const SeedRange seeds = ParseSeedRange("--seeds", text);
  constexpr std::uint64_t kMost = 100'000;
  if (seeds.size() > kMost) throw Error(fmt::format("--seeds {}: more than {} problems", text, kMost));
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    std::string state = domain.Generate(seed);
    problems.push_back({{state, state, {{"seed", std::to_string(seed)}}}});
  }
  return problems;
}

// The label that was asked for; else the file's, if it has one for any problem; else the first step.
std::string ChosenLabel(const MapOptions& options, const std::vector<MappedProblem>& problems) {
  const auto any_has = [&](const std::string& name) {
    return std::any_of(problems.begin(), problems.end(), [&](const auto& p) { return p.problem.labels.contains(name); });
  };
  if (options.label.empty()) return std::string(any_has(std::string(kLabel)) ? kLabel : kFirstStep);
  for (const std::string_view own : {kFirstStep, kLengthLabel, kShape, kNone}) {
    if (options.label == own) return options.label;
  }
  if (any_has(options.label)) return options.label;
  throw Error(fmt::format("no problem has a label {}; there are: {}, {}, {}, {}, and those of the file",
                          Printable(options.label), kFirstStep, kLengthLabel, kShape, kNone));
}

std::string LabelFor(const MappedProblem& mapped, const std::string& label) {
  if (label == kNone) return "";
  if (label == kShape) return ShapeOf(mapped.problem.state);
  if (label == kFirstStep || label == kLengthLabel) {
    if (!mapped.solution) return "not solved";
    if (label == kLengthLabel) return std::to_string(mapped.solution->size());
    return mapped.solution->empty() ? "solved" : mapped.solution->front();
  }
  const auto found = mapped.problem.labels.find(label);
  return found == mapped.problem.labels.end() ? "without" : found->second;
}

void Solve(std::vector<MappedProblem>& problems, const Domain& domain, const MapOptions& options, ThreadPool& pool) {
  const std::unique_ptr<Scorer> policy = MakePolicy(domain, pool, {.model = options.model});
  // As the tutor searches them: a problem may have to be written otherwise before an axiom applies.
  const Subject& subject = SubjectOf(domain);
  std::vector<std::string> states;
  for (const MappedProblem& mapped : problems) {
    states.push_back(subject.Analyse(domain, subject.Understand(mapped.problem.state))->start);
  }
  Progress progress("solutions", states.size());
  std::vector<std::optional<SolutionAxioms>> solutions = SolveAll(domain, *policy, states, {.must_be_right = false, .beam = 10},
                                                                  pool, [&](std::size_t done) { progress.Advance(done); });
  for (std::size_t i = 0; i < problems.size(); ++i) problems[i].solution = std::move(solutions[i]);
}

struct Shares {
  double first = 0;
  double second = 0;
};

// Puts the problems into their places. Returns what of all variance the two directions explain.
Shares Place(std::vector<MappedProblem>& problems, const Domain& domain, const MapOptions& options, ThreadPool& pool) {
  const ProblemEncoder encoder(domain, ReadModelFor(domain, options.model));
  std::vector<std::string> states;
  for (const MappedProblem& mapped : problems) states.push_back(mapped.problem.state);
  const PrincipalComponents components = FindPrincipalComponents(encoder.Encode(states, pool), encoder.dimension(), 2);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    problems[i].x = components.places[i][0];
    problems[i].y = components.places[i][1];
  }
  return {components.Share(0), components.Share(1)};
}

// The labels in the order of a legend: as the file has them where it names them, numbers by size, else the most frequent first.
// More than a legend has room for become one.
std::vector<std::string> GroupsOf(std::vector<MappedProblem>& problems, const std::string& label) {
  constexpr std::size_t kMost = 12;
  std::vector<std::string> groups;
  std::map<std::string, std::size_t> counts;
  for (const MappedProblem& mapped : problems) {
    if (++counts[mapped.label] == 1) groups.push_back(mapped.label);
  }
  const bool is_own = label == kFirstStep || label == kShape;
  if (is_own || groups.size() > kMost) {
    std::stable_sort(groups.begin(), groups.end(), [&](const auto& a, const auto& b) { return counts[a] > counts[b]; });
  }
  if (groups.size() > kMost) {
    groups.resize(kMost - 1);
    for (MappedProblem& mapped : problems) {
      if (std::find(groups.begin(), groups.end(), mapped.label) == groups.end()) mapped.label = "other";
    }
    groups.emplace_back("other");
  }
  if (label == kLengthLabel) {
    const auto is_number = [](const std::string& text) { return !text.empty() && text[0] >= '0' && text[0] <= '9'; };
    std::stable_sort(groups.begin(), groups.end(), [&](const auto& a, const auto& b) {
      if (is_number(a) != is_number(b)) return is_number(a);
      return is_number(a) && std::stoull(a) < std::stoull(b);
    });
  }
  return groups;
}

std::string Title(const MapOptions& options, const Request& request, const Domain& domain) {
  if (!options.title.empty()) return options.title;
  if (!request.file.empty())
    return fmt::format("{}: {}", domain.type().name, std::filesystem::path(request.file).stem().string());
  return fmt::format("{}: seeds {}", domain.type().name, options.seeds.empty() ? std::string(kUsualSeeds) : options.seeds);
}

std::string Picture(const std::vector<MappedProblem>& problems, const std::vector<std::string>& groups, const Shares& shares,
                    const std::string& label, const std::string& title, const MapOptions& options) {
  Scatter scatter;
  scatter.title = title;
  scatter.x_name = fmt::format("first component, {:.0f}% of the variance", 100 * shares.first);
  scatter.y_name = fmt::format("second component, {:.0f}%", 100 * shares.second);
  scatter.groups = groups;
  scatter.groups_name = label == kFirstStep ? "first step" : label == kLengthLabel ? "steps" : label == kLabel ? "" : label;
  const bool has_sizes = options.sizes == "length";
  if (has_sizes) scatter.size_name = "steps of the solution";
  std::vector<std::string> counts;
  for (const std::string& group : groups) {
    const auto count = std::count_if(problems.begin(), problems.end(), [&](const auto& p) { return p.label == group; });
    if (groups.size() > 1) counts.push_back(fmt::format("{} of {}", count, group));
  }
  scatter.description = fmt::format("{} problems by their vectors, along the two directions in which they differ most{}{}{}.",
                                    problems.size(), has_sizes ? "; larger marks are longer solutions" : "",
                                    counts.empty() ? "" : ". Marks: ", fmt::join(counts, ", "));
  for (const MappedProblem& mapped : problems) {
    ScatterPoint point{mapped.x, mapped.y};
    point.group = static_cast<std::size_t>(std::find(groups.begin(), groups.end(), mapped.label) - groups.begin());
    if (mapped.solution) point.size = mapped.solution->size();
    std::vector<std::string> notes;
    if (!options.is_without_texts) notes.push_back(mapped.problem.text);
    if (!mapped.label.empty()) notes.push_back(mapped.label);
    if (mapped.solution && label != kLengthLabel) notes.push_back(fmt::format("{} steps", mapped.solution->size()));
    point.note = fmt::format("{}", fmt::join(notes, " | "));
    scatter.points.push_back(std::move(point));
  }
  return DrawScatter(scatter);
}

Json JsonOf(const std::vector<MappedProblem>& problems, const Shares& shares, const std::string& label, const Domain& domain,
            bool is_without_texts) {
  Json json{
      {"domain", domain.Spec()}, {"label", label}, {"variance", {shares.first, shares.second}}, {"problems", Json::array()}};
  for (const MappedProblem& mapped : problems) {
    Json one{{"problem", mapped.problem.text},
             {"label", mapped.label},
             {"length", mapped.solution ? Json(mapped.solution->size()) : Json()},
             {"x", mapped.x},
             {"y", mapped.y}};
    if (is_without_texts) one.erase("problem");
    json["problems"].push_back(std::move(one));
  }
  return json;
}

int Map(const MapOptions& options) {
  if (options.sizes != "length" && options.sizes != "none") {
    throw Error(fmt::format("--sizes must be length or none, not '{}'", Printable(options.sizes)));
  }
  if (!options.out.empty()) RequirePlaceFor(options.out);
  const Request request = RequestOf(options);
  const std::unique_ptr<Domain> domain = MakeAnyDomain(request.domain);
  std::vector<MappedProblem> problems = ProblemsOf(request, options, *domain);
  const std::string label = ChosenLabel(options, problems);
  ThreadPool pool(options.threads);
  const Shares shares = Place(problems, *domain, options, pool);
  if (options.sizes == "length" || label == kFirstStep || label == kLengthLabel) Solve(problems, *domain, options, pool);
  if (InterruptFlag()) return kInterrupted;
  for (MappedProblem& mapped : problems) mapped.label = LabelFor(mapped, label);
  if (options.json) PrintJsonLine(JsonOf(problems, shares, label, *domain, options.is_without_texts));
  if (options.json && options.out.empty()) return kOk;
  const std::vector<std::string> groups = GroupsOf(problems, label);
  const std::string picture = Picture(problems, groups, shares, label, Title(options, request, *domain), options);
  if (options.out.empty()) {
    PrintText(picture);
    return kOk;
  }
  WriteFileAtomically(options.out, picture);
  if (!options.json) {
    PrintLine(fmt::format("{}: {} problems; the two components explain {:.1f}% and {:.1f}% of the variance", options.out,
                          problems.size(), 100 * shares.first, 100 * shares.second));
  }
  return kOk;
}

}  // namespace

void AddMap(Command& program) {
  Command& command = program.Add("map", "Draw where problems lie by the vectors that a model gives them (SVG)");
  const auto options = std::make_shared<MapOptions>();
  command.Takes("problems", options->texts, 0, 2,
                "A domain (equations, if none is named), and a file of problems: one per line, with a tab and a label or "
                "without; JSON lines; or JSON.");
  command.Text("--seeds", options->seeds,
               fmt::format("Draw generated problems instead of a file, those of the seeds FIRST:END; {} if neither is given.",
                           kUsualSeeds));
  command.Text("--label", options->label,
               fmt::format("What colours tell: {}, {}, {}, {}, or a label of the file; by default the file's, or the {}.",
                           kFirstStep, kLengthLabel, kShape, kNone, kFirstStep));
  command.Text("--sizes", options->sizes,
               "length makes the size of a mark tell the steps of the solution; with none nothing is solved for it.");
  command.Text("--model", options->model, kModelHelp);
  command.Text("--title", options->title, "The title above the picture.");
  command.Text("--out", options->out, "Write the picture to this file; without it the picture is printed.");
  command.Flag("--without-texts", options->is_without_texts, "Leave the texts of the problems out of the picture.");
  command.Threads(options->threads);
  command.Flag("--json", options->json, "Print the places, labels and lengths as one JSON object.");
  command.footer = "Exit status: 0 done, 2 bad input, 130 interrupted.";
  command.action = [options] { return Map(*options); };
}

}  // namespace conpole::cli

// conpole train: learns a policy for a domain, or one for several, from scratch. Reads the options and shows what happens;
// train/run/run.h does the rest.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/any_domain.h"
#include "cli/build_record.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/ranks.h"
#include "cli/torch_engine.h"
#include "cli/version.h"
#include "conpole/error.h"
#include "domains/axioms/abstractions.h"
#include "nn/network_kind.h"
#include "train/cpu/cpu_learner.h"
#include "train/run/recipe.h"
#include "train/run/run.h"
#include "train/run/seed_summary.h"
#include "train/run/settings.h"
#include "tutor/abstraction_file.h"
#include "util/interrupt.h"
#include "util/progress.h"
#include "util/text.h"

namespace conpole::cli {
namespace {

constexpr std::size_t kMostStatesShown = 12;

struct Options {
  RunRequest request;
  std::vector<std::string> domains;  // as they stand without --domain
  bool json = false;
  std::uint64_t seeds = 0;  // how many runs, in folders of their own; 0 for one, in the folder itself
};

std::string Rounded(std::uint64_t count) {
  const auto number = static_cast<double>(count);
  if (count >= 1'000'000) return fmt::format("{:.2f}M", number / 1e6);
  return count >= 10'000 ? fmt::format("{:.1f}k", number / 1e3) : fmt::format("{}", count);
}

std::string Duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  return seconds < 5400 ? fmt::format("{:.0f} min", seconds / 60) : fmt::format("{:.1f} h", seconds / 3600);
}

std::string Left(const TrainStatus& status) {
  return std::isfinite(status.seconds_left) ? fmt::format("{} left", Duration(status.seconds_left))
                                            : std::string("until validation stands still");
}

// One line.
std::string InWords(const TrainStatus& status, const RunSettings& settings) {
  const bool by_walks = LearnsFromWalks(settings.agent);
  std::string text =
      fmt::format("{} {}, {:.0f}/s, {}, {}", Rounded(status.steps), by_walks ? "states" : "steps",
                  static_cast<double>(status.steps) / std::max(1e-9, status.seconds), Duration(status.seconds), Left(status));
  if (!by_walks) {
    text += fmt::format(" | {} of {} solved, lately {:.0f}%, depth {}", status.solved, status.problems,
                        100 * status.solved_rate, status.depth_limit);
    if (status.size_limit != 0) text += fmt::format(", up to {} characters", status.size_limit);
  }
  text += fmt::format(" | {} gradients", status.gradient_steps);
  if (std::isfinite(status.loss)) text += fmt::format(", loss {:.3f}", status.loss);
  if (status.level != 0) text += fmt::format(" | level {}", status.level);
  if (status.evaluation && status.validation) {
    text += fmt::format(" | greedy {:.1f}%, validation {:.1f}%", 100 * status.evaluation->success,
                        100 * status.validation->success);
  }
  if (status.axioms_evaluation && status.axioms_validation) {
    text += fmt::format("; by axioms alone {:.1f}%, {:.1f}%", 100 * status.axioms_evaluation->success,
                        100 * status.axioms_validation->success);
  }
  return text;
}

// How much of the validation problems is solved, as a line.
std::string Bar(const DomainStatus& status) {
  constexpr std::size_t kWidth = 40;
  const auto filled = static_cast<std::size_t>(kWidth * status.validation->success);
  return fmt::format("\n[{}{}] {:.1f}% of the validation problems{}; best {:.1f}%", std::string(filled, '#'),
                     std::string(kWidth - filled, '.'), 100 * status.validation->success,
                     status.name.empty() ? "" : " of " + status.name, 100 * *status.best_validation);
}

// For a terminal: what it has come to, and a problem that was tried just now with its solution.
std::string Picture(const TrainStatus& status, const RunSettings& settings, const TriedProblem& tried) {
  std::string text = fmt::format("{}: {}", settings.domain, InWords(status, settings));
  if (status.validation && status.best_validation) {
    text += fmt::format("{} at {} steps", Bar(status), Rounded(status.best_steps));
    for (std::size_t i = 0; i < status.domains.size() && status.domains.size() > 1; ++i) text += Bar(status.domains[i]);
  }
  if (tried.problem.empty()) return text;
  const std::string of = status.domains.size() > 1 ? tried.domain + ", " : "";
  text += tried.solution.empty() ? fmt::format("\n{}not solved yet: {}", of, tried.problem)
                                 : fmt::format("\n{}solved in {} steps:", of, tried.solution.size() - 1);
  for (std::size_t i = 0; i < tried.solution.size(); ++i) text += fmt::format("\n  {}", tried.solution[i]);
  return text;
}

// How well a policy did on the test problems.
std::string EvaluationInWords(const Evaluation& evaluation) {
  const double verified = evaluation.verified();
  return std::isfinite(verified) ? fmt::format("greedy {:.1f}% (verified {:.1f}%)", 100 * evaluation.success, 100 * verified)
                                 : fmt::format("greedy {:.1f}% (answers that cannot be verified)", 100 * evaluation.success);
}

void PrintResult(const TrainingRun& run) {
  const TrainStatus& status = run.status();
  std::string text = fmt::format("{} steps in {:.0f} s: ", status.steps, status.seconds);
  if (status.evaluation && status.validation && status.best_validation) {
    text +=
        fmt::format("{}, validation {:.1f}%; best validation {:.1f}% at {} steps: {}", EvaluationInWords(*status.evaluation),
                    100 * status.validation->success, 100 * *status.best_validation, status.best_steps, run.best_model());
  } else {
    text += fmt::format("{} of {} problems solved; the policy was not evaluated yet", status.solved, status.problems);
  }
  PrintLine(text);
  if (LearnsFromWalks(run.settings().agent)) {
    return PrintLine(fmt::format("seconds: prepare {:.0f}, learn {:.0f}, evaluate {:.0f}; {:.0f} states/s in all, loss {:.4f}",
                                 status.time.prepare, status.time.learn, status.time.evaluate,
                                 static_cast<double>(status.steps) / std::max(1e-9, status.seconds), status.loss));
  }
  PrintLine(fmt::format(
      "seconds: expand {:.0f}, select {:.0f}, prepare {:.0f} | encode {:.0f}, learn {:.0f}, idle {:.0f} | "
      "evaluate {:.0f}; {:.0f} strings/s scored while encoding, {:.0f} strings/s while learning",
      status.time.expand, status.time.select, status.time.prepare, status.time.encode, status.time.learn, status.time.idle,
      status.time.evaluate, static_cast<double>(status.strings_scored) / std::max(1e-9, status.time.encode),
      static_cast<double>(status.strings_learned) / std::max(1e-9, status.time.learn)));
}

// The same for programs.
Json EventJson(std::string_view event, const TrainStatus& status) {
  Json object{{"event", event}};
  object.update(StatusJson(status));
  return object;
}

Json ResultJson(const TrainingRun& run, bool is_done) {
  const TrainStatus& status = run.status();
  const auto path = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
  Json object = EventJson("end", status);
  object["done"] = is_done;
  object["best_model"] = path(run.best_model());
  object["last_model"] = path(run.last_model());
  return object;
}

// One run, in the folder that is asked for.
int TrainOn(Ranks& ranks, const Options& options);

// What the settings say, before anything is read from a run.
RunSettings AskedSettings(const RunRequest& request) {
  RunSettings settings;
  if (!request.config.empty()) ApplyValues(ReadSettingsFile(request.config), settings);
  ApplyValues(request.given, settings);
  return settings;
}

bool IsCpu(std::string_view device) { return device == "cpu"; }

// Whether it is known from the start that conpole-torch has to take over. Otherwise it still may, when a checkpoint says so.
bool NeedsTorch(const RunRequest& request) {
  try {
    const RunSettings settings = AskedSettings(request);
    return !(IsCpu(settings.device) || settings.device == "auto") || IsPythonSpec(settings.domain) ||
           (settings.agent != "auto" && LearnsFromWalks(settings.agent)) ||
           NetworkKindOf(settings.train.network.kind).make_encoder == nullptr;
  } catch (const Error&) {
    return false;  // the run says what is wrong, and in which file
  }
}

// Runs with consecutive seeds, one after the other, each in a folder of its own, and what they come to together.
int TrainSeeds(Ranks& ranks, const Options& options) {
  const std::string& folder = options.request.folder;
  const std::uint64_t first = AskedSettings(options.request).train.seed;
  std::vector<SeedRun> runs;
  for (std::uint64_t seed = first; seed < first + options.seeds; ++seed) {
    Options one = options;
    one.request.folder = fmt::format("{}/seed-{}", folder, seed);
    one.request.given["seed"] = std::to_string(seed);
    if (const int status = TrainOn(ranks, one); status != kOk || InterruptFlag()) return status;
    runs.push_back({seed, one.request.folder});
  }
  if (!ranks.is_first()) return kOk;
  WriteSeedSummary(folder, runs);
  const std::map<std::string, OverSeeds> summary = SummariseLastLines(runs);
  if (options.json) {
    Json object{{"event", "seeds"}, {"folder", folder}};
    for (const auto& [name, over] : summary) object[name] = std::isfinite(over.mean) ? Json(over.mean) : Json();
    PrintJsonLine(object);
    return kOk;
  }
  if (const auto success = summary.find("eval_success"); success != summary.end()) {
    const OverSeeds& over = success->second;
    PrintLine(
        fmt::format("{} seeds: greedy {:.1f}% on average ({:.1f} to {:.1f}, standard deviation {:.1f}); see {}/summary.json",
                    runs.size(), 100 * over.mean, 100 * over.min, 100 * over.max, 100 * over.deviation, folder));
  }
  return kOk;
}

// runs/ and the domains, without what cannot stand in a name.
std::string UsualFolder(const RunRequest& request) {
  SettingValues values = request.config.empty() ? SettingValues{} : ReadSettingsFile(request.config);
  if (request.given.contains("domain")) values["domain"] = request.given.at("domain");
  std::string name = fmt::format("{}", fmt::join(DomainsOf(values["domain"]), "+"));
  if (name.empty()) throw Error("the domain is missing: conpole train DOMAIN");
  for (char& character : name) {
    if (!IsDigit(character) && !IsLetter(character) && std::string_view("._+").find(character) == std::string_view::npos) {
      character = '-';
    }
  }
  return "runs/" + name;
}

int Train(const Options& options) {
  if (NeedsTorch(options.request)) RequireTorch();
  return WithRanks([&](Ranks& ranks) { return options.seeds == 0 ? TrainOn(ranks, options) : TrainSeeds(ranks, options); });
}

int TrainOn(Ranks& ranks, const Options& options) {
  RunParts parts;
  parts.ranks = &ranks;
  parts.make_domain = [](const std::string& spec) { return MakeAnyDomain(spec); };
  parts.read_abstractions = [](const RunSettings& of_run, const Domain& domain) -> AbstractionSet {
    if (of_run.abstractions == "none") return {};
    if (of_run.abstractions != "auto") return ReadAbstractionFile(of_run.abstractions, &domain);
    const std::string text = of_run.train.init.empty() ? "" : ReadAbstractionsOfModel(of_run.train.init, &domain);
    const AbstractionSet set = text.empty() ? AbstractionSet{} : ParseAbstractions(text);
    return set.domain == domain.type().name ? set : AbstractionSet{};  // a network may begin with what it learned elsewhere
  };
  parts.make_learner = [](const Model& model, const LearnerOptions& learner, const std::string& device) {
    return IsCpu(device) ? MakeCpuLearner(model, learner) : RequireTorch().MakeLearner(model, learner, OwnDevice(device));
  };
  parts.make_packed_learner = [](const Architecture& architecture, const FixedLayout& layout,
                                 const PackedLearnerOptions& learner, const std::string& device) {
    return RequireTorch().MakePackedLearner(architecture, layout, learner, device);
  };
  parts.device = BestDevice();
  // A picture on a terminal. A file or pipe that takes the results takes lines, too.
  ProgressLine line(ProgressLine::Elsewhere::kLines, isatty(fileno(stdout)) == 1 ? stderr : stdout);
  RunSettings settings;
  TriedProblem tried;
  RunEvents events;
  if (options.json) {
    events.progress = [](const TrainStatus& status) { PrintJsonLine(EventJson("progress", status)); };
    events.evaluated = [](const TrainStatus& status) { PrintJsonLine(EventJson("evaluated", status)); };
    events.saved = [](const std::string& path) { PrintJsonLine({{"event", "saved"}, {"path", path}}); };
    events.warning = [](const std::string& message) { PrintJsonLine({{"event", "warning"}, {"message", message}}); };
  } else {
    events.progress = [&](const TrainStatus& status) {
      if (line.IsDue()) line.Show(Picture(status, settings, tried));
    };
    events.tried = [&](const TriedProblem& problem) {
      if (problem.solution.size() <= kMostStatesShown) tried = problem;
    };
    events.warning = [&](const std::string& message) {
      line.Clear();
      fmt::print(stderr, "conpole: {}\n", message);
    };
  }
  const std::atomic<bool>& stop = InterruptFlag();
  RunRequest request = options.request;
  if (!ranks.is_alone()) request.build = fmt::format("LibTorch {}", RequireTorch().Version());
  TrainingRun run(request, parts, events);
  settings = run.settings();
  const bool is_done = run.Train(stop);
  line.Clear();
  if (ranks.is_first() && options.json) {
    PrintJsonLine(ResultJson(run, is_done));
  } else if (ranks.is_first()) {
    PrintResult(run);
  }
  if (is_done) return kOk;
  if (ranks.is_first() && !options.json)
    PrintLine(fmt::format("not done yet; go on with: conpole train --out {} --resume", options.request.folder));
  return stop ? kInterrupted : kOk;
}

}  // namespace

void AddTrain(Command& program) {
  Command& command = program.Add("train", "Learn a policy for a domain from scratch");
  const auto options = std::make_shared<Options>();
  options->request.version = kVersion;
  for (const auto& [name, value] : {std::pair{"commit", kCommit}, std::pair{"libtorch", kLibTorch}}) {
    if (*value != '\0') options->request.record[name] = value;
  }
  constexpr std::size_t kMostDomains = 64;
  command.Takes("DOMAIN", options->domains, 0, kMostDomains,
                "The domain to learn, or a domain file; the same as --domain. Several are learned by one network.");
  command.Text("--out", options->request.folder, "The folder of the run; by default runs/DOMAIN.");
  command.Text("--config", options->request.config,
               "Read settings from this TOML file; options on the command line count more.");
  command.Number("--seeds", options->seeds,
                 "Train this many times with consecutive seeds, each in a folder of its own (OUT/seed-N), and summarise the "
                 "runs; 0 is one run in OUT itself.",
                 {0, 1000});
  command.Flag("--resume", options->request.resume,
               "Go on from the newest checkpoint in the folder, with the settings of the run.");
  command.Flag("--json", options->json, "Tell what happens as JSON, one object per line.");
  const RunSettings usual = RecipeFor({});
  for (const Setting& setting : AllSettings()) {
    Option& option = command.options.emplace_back(Option{"--" + setting.name, setting.meaning, setting.topic});
    option.value = setting.is_number ? "NUMBER" : "TEXT";
    option.by_default = setting.print(usual);
    option.is_minor = setting.topic != kMainTopic;
    option.read = [options, name = setting.name](const std::string& text) { options->request.given[name] = text; };
  }
  command.footer = "Exit status: 0 done, 2 bad input or diverged, 130 interrupted (a checkpoint is written first).";
  command.action = [options] {
    RunRequest& request = options->request;
    if (!options->domains.empty()) {
      if (request.given.contains("domain")) throw Error("the domain is given twice: as DOMAIN and by --domain");
      request.given["domain"] = fmt::format("{}", fmt::join(options->domains, " + "));
    }
    if (request.folder.empty()) request.folder = UsualFolder(request);
    return Train(*options);
  };
}

}  // namespace conpole::cli

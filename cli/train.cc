// conpole train: learns a policy for a domain from scratch. A run lives in a folder: its configuration, metrics, checkpoints
// and the best model so far.
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/any_domain.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/search_options.h"
#include "cli/torch_engine.h"
#include "cli/version.h"
#include "conpole/domain.h"
#include "conpole/error.h"
#include "nn/model.h"
#include "nn/network_kind.h"
#include "train/agent.h"
#include "train/checkpoint.h"
#include "train/metrics.h"
#include "train/trainer.h"
#include "tutor/verify.h"
#include "util/atomic_file.h"
#include "util/interrupt.h"
#include "util/seed_range.h"

namespace conpole::cli {
namespace {

constexpr std::string_view kConfigFile = "config.toml";

struct Options {
  std::string domain;
  std::string agent = "conpole";
  std::string device = "cpu";
  std::string folder;
  std::string config;
  std::string beam_value = "last";
  std::string negatives = "own-parent";
  std::string problems = "1000000:10000000";
  std::string eval_seeds = "0:200";
  std::string validation_seeds = "200:400";
  bool resume = false;
  TrainOptions train;
};

Negatives NegativesOf(std::string_view name) {
  if (name == "own-parent") return Negatives::kOwnParent;
  if (name == "algorithm-1") return Negatives::kAlgorithm1;
  if (name == "local") return Negatives::kLocal;
  throw Error(fmt::format("unknown negatives '{}'; there are: own-parent, algorithm-1, local", name));
}

// What a configuration file can set: everything but where the run is and how it goes on.
bool IsSetting(const CLI::Option& option) {
  static constexpr std::string_view kOthers[] = {"help", "out", "config", "resume"};
  const std::string& name = option.get_single_name();
  return std::find(std::begin(kOthers), std::end(kOthers), name) == std::end(kOthers);
}

// Takes the settings of a file for all options that were not given on the command line.
void ApplyConfig(CLI::App& command, const std::string& path) {
  std::vector<CLI::ConfigItem> items;
  try {
    items = CLI::ConfigTOML().from_file(path);
  } catch (const CLI::Error& error) {
    throw Error(fmt::format("{}: {}", path, error.what()));
  }
  for (const CLI::ConfigItem& item : items) {
    CLI::Option* const option = item.parents.empty() ? command.get_option_no_throw("--" + item.name) : nullptr;
    if (option == nullptr || !IsSetting(*option)) {
      throw Error(fmt::format("{}: there is no setting '{}'", path, item.fullname()));
    }
    if (option->count() != 0) continue;
    try {
      option->add_result(item.inputs);
      option->run_callback();
    } catch (const CLI::Error& error) {
      throw Error(fmt::format("{}: {}: {}", path, item.name, error.what()));
    }
  }
}

std::string ResolvedConfig(const CLI::App& command) {
  std::string text = fmt::format("# The settings of this run of conpole {}.\n", kVersion);
  for (const CLI::Option* option : command.get_options()) {
    if (!IsSetting(*option)) continue;
    const std::string value = option->count() == 0 ? option->get_default_str() : option->results().back();
    if (value.empty()) continue;
    const bool is_number = value.find_first_not_of("0123456789.e-+") == std::string::npos;
    text += is_number ? fmt::format("{} = {}\n", option->get_single_name(), value)
                      : fmt::format("{} = \"{}\"\n", option->get_single_name(), value);
  }
  return text;
}

void WriteTextFile(const std::string& path, std::string_view text) {
  try {
    AtomicFile file(path);
    file.Write(std::as_bytes(std::span(text)));
    file.Commit();
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", path, error.what()));
  }
}

std::string Rounded(std::uint64_t count) {
  const auto number = static_cast<double>(count);
  if (count >= 1'000'000) return fmt::format("{:.2f}M", number / 1e6);
  return count >= 10'000 ? fmt::format("{:.1f}k", number / 1e3) : fmt::format("{}", count);
}

std::string InWords(const TrainStatus& status, const TrainOptions& options) {
  const double left = status.steps == 0
                          ? 0
                          : status.seconds * (static_cast<double>(options.steps) - static_cast<double>(status.steps)) /
                                static_cast<double>(status.steps);
  return fmt::format(
      "{} of {} steps, {:.0f}/s, {:.0f} s, {:.0f} s left | {} of {} solved, lately {:.0f}% | depth {}, "
      "easiest of {} | {} gradients, loss {:.3f} | greedy {:.1f}%, validation {:.1f}%",
      Rounded(status.steps), Rounded(options.steps), static_cast<double>(status.steps) / std::max(1e-9, status.seconds),
      status.seconds, std::max(0.0, left), status.solved, status.problems, 100 * status.solved_rate, status.depth_limit,
      status.easiest_of, status.gradient_steps, status.loss, 100 * status.evaluation.success, 100 * status.validation.success);
}

// A line that is written over on a terminal, and a line every ten seconds elsewhere.
class ProgressLine {
 public:
  void Show(const std::string& text, double seconds) {
    if (is_terminal_) {
      fmt::print(stderr, "\r{}\x1b[K", text);
      std::fflush(stderr);
    } else if (seconds - last_ >= 10) {
      last_ = seconds;
      fmt::print(stderr, "{}\n", text);
    }
  }
  ~ProgressLine() {
    if (is_terminal_) fmt::print(stderr, "\r\x1b[K");
  }

 private:
  bool is_terminal_ = isatty(STDERR_FILENO) == 1;
  double last_ = 0;
};

MetricValues MetricsOf(const TrainStatus& status) {
  const auto number = [](auto value) { return static_cast<double>(value); };
  return {{"steps_per_second", number(status.steps) / std::max(1e-9, status.seconds)},
          {"problems", number(status.problems)},
          {"solved", number(status.solved)},
          {"solved_rate", status.solved_rate},
          {"depth_limit", number(status.depth_limit)},
          {"easiest_of", number(status.easiest_of)},
          {"solution_length", status.solution_length},
          {"gradient_steps", number(status.gradient_steps)},
          {"loss", status.loss},
          {"learning_rate", status.learning_rate},
          {"replay_examples", number(status.replay_examples)},
          {"eval_success", status.evaluation.success},
          {"eval_verified", status.evaluation.verified},
          {"validation_success", status.validation.success},
          {"validation_verified", status.validation.verified},
          {"strings_scored", number(status.strings_scored)},
          {"strings_learned", number(status.strings_learned)},
          {"seconds_expand", status.time.expand},
          {"seconds_select", status.time.select},
          {"seconds_prepare", status.time.prepare},
          {"seconds_encode", status.time.encode},
          {"seconds_learn", status.time.learn},
          {"seconds_evaluate", status.time.evaluate},
          {"seconds_idle", status.time.idle}};
}

void SaveModel(const Options& options, const Domain& domain, const Architecture& architecture, const TrainStatus& status,
               const Tensors& weights, std::string_view name) {
  Model model;
  model.architecture = architecture;
  model.tensors = weights;
  model.metadata = {{"domain", domain.Spec()},
                    {"agent", options.agent},
                    {"steps", std::to_string(status.steps)},
                    {"seed", std::to_string(options.train.seed)},
                    {"eval_success", fmt::format("{}", status.evaluation.success)},
                    {"eval_verified", fmt::format("{}", status.evaluation.verified)},
                    {"validation_success", fmt::format("{}", status.validation.success)},
                    {"version", kVersion}};
  WriteModel(model, fmt::format("{}/{}", options.folder, name), WeightFormat::kFloat16);
}

// The network that was asked for. Its sizes become settings of the run, whether given or not.
Architecture NetworkOf(CLI::App& command, const Options& options, const Agent& agent) {
  Architecture architecture = TrainingArchitecture(options.train.network, options.train.sizes);
  architecture.head = agent.head();
  for (const auto& [name, value] : architecture.sizes) command.get_option("--" + name)->default_str(std::to_string(value));
  return architecture;
}

int Train(CLI::App& command, Options& options) {
  RequireTorch();
  const CheckpointFolder checkpoints(options.folder);
  const std::string config_path = fmt::format("{}/{}", options.folder, kConfigFile);
  const bool goes_on = options.resume && std::filesystem::exists(config_path);
  if (checkpoints.HasAny() && !options.resume) {
    throw Error(fmt::format("{} has a run already; go on with --resume, or choose another folder", options.folder));
  }
  if (!options.config.empty()) ApplyConfig(command, options.config);
  if (goes_on) ApplyConfig(command, config_path);
  if (options.domain.empty()) throw Error("--domain is missing");
  options.train.beam_value = BeamValueOf(options.beam_value);
  options.train.negatives = NegativesOf(options.negatives);
  options.train.problems = ParseSeedRange("problems", options.problems);
  options.train.eval_seeds = ParseSeedRange("eval-seeds", options.eval_seeds);
  options.train.validation_seeds = ParseSeedRange("validation-seeds", options.validation_seeds);

  const std::unique_ptr<Domain> domain = MakeAnyDomain(options.domain);
  const std::unique_ptr<Agent> agent = MakeAgent(options.agent, options.train);
  const Architecture architecture = NetworkOf(command, options, *agent);
  const std::unique_ptr<Learner> learner =
      MakeLearner(InitialModel(architecture, options.train.seed), *agent, options.train, options.device);

  ProgressLine progress;
  std::optional<MetricsLog> metrics;
  TrainCallbacks callbacks;
  callbacks.show = [&](const TrainStatus& status) { progress.Show(InWords(status, options.train), status.seconds); };
  callbacks.evaluated = [&](const TrainStatus& status) { metrics->Write(status.steps, MetricsOf(status)); };
  callbacks.improved = [&](const TrainStatus& status, const Tensors& weights) {
    SaveModel(options, *domain, architecture, status, weights, "best.safetensors");
  };
  // Of a domain written in Python nothing is known by other means: what it calls solved, counts.
  if (!IsPythonSpec(options.domain)) {
    callbacks.verify = [&](const std::string& problem, const std::string& answer) {
      return VerifyAnswer(*domain, problem, answer) == Verdict::kRight;
    };
  }
  Trainer trainer(*domain, *agent, *learner, options.train, callbacks);
  if (checkpoints.HasAny()) {
    trainer.Restore(checkpoints.ReadNewest([](const std::string& problem) { fmt::print(stderr, "conpole: {}\n", problem); }));
  }

  std::error_code failure;
  std::filesystem::create_directories(options.folder, failure);
  if (failure) throw Error(fmt::format("{} cannot be made: {}", options.folder, failure.message()));
  WriteTextFile(config_path, ResolvedConfig(command));
  metrics.emplace(options.folder, trainer.status().steps);
  const bool is_done = trainer.Run(InterruptFlag(), checkpoints);
  SaveModel(options, *domain, architecture, trainer.status(), learner->Weights(), "last.safetensors");
  const TrainStatus& status = trainer.status();
  PrintLine(
      fmt::format("{} steps in {:.0f} s: greedy {:.1f}% (verified {:.1f}%), validation {:.1f}%; best validation {:.1f}% at {} "
                  "steps: {}/best.safetensors",
                  status.steps, status.seconds, 100 * status.evaluation.success, 100 * status.evaluation.verified,
                  100 * status.validation.success, 100 * status.best_validation, status.best_steps, options.folder));
  PrintLine(fmt::format(
      "seconds: expand {:.0f}, select {:.0f}, prepare {:.0f} | encode {:.0f}, learn {:.0f}, idle {:.0f} | "
      "evaluate {:.0f}; {:.0f} strings/s scored while encoding, {:.0f} strings/s while learning",
      status.time.expand, status.time.select, status.time.prepare, status.time.encode, status.time.learn, status.time.idle,
      status.time.evaluate, static_cast<double>(status.strings_scored) / std::max(1e-9, status.time.encode),
      static_cast<double>(status.strings_learned) / std::max(1e-9, status.time.learn)));
  if (is_done) return kOk;
  PrintLine(fmt::format("not done yet; go on with: conpole train --out {} --resume", options.folder));
  return InterruptFlag() ? kInterrupted : kOk;
}

}  // namespace

void AddTrain(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand("train", "Learn a policy for a domain from scratch");
  const auto options = std::make_shared<Options>();
  TrainOptions& train = options->train;
  const auto add = [&](const std::string& name, auto& value, const std::string& meaning) {
    return command->add_option("--" + name, value, meaning)->capture_default_str();
  };
  const auto add_count = [&](const std::string& name, auto& value, const std::string& meaning) {
    return add(name, value, meaning)->check(CheckWholeNumber);
  };
  command->add_option("--out", options->folder, "The run's folder")->required();
  command->add_option("--config", options->config, "A TOML file with settings; options on the command line win");
  command->add_flag("--resume", options->resume,
                    "Go on from the newest checkpoint in the folder, with the settings of the run");
  command->add_option("--domain", options->domain, "A domain, for example sorting, or python:MODULE.CLASS");
  add("agent", options->agent, fmt::format("{}", fmt::join(AgentNames(), ", ")));
  add("device", options->device, "cpu, cuda or cuda:N");
  add_count("steps", train.steps, "Environment steps: states whose successors are listed");
  add("minutes", train.minutes, "Stop after so many minutes, to be resumed; 0 for no limit");
  add_count("seed", train.seed, "Seed of the run");
  add_count("threads", train.threads, "Threads; 0 for one per core");
  std::vector<std::string> kinds;
  std::map<std::string, std::vector<std::string>> sizes;  // what each means
  for (const NetworkKind* kind : NetworkKinds()) {
    kinds.push_back(fmt::format("{} ({})", kind->name, kind->meaning));
    for (const NetworkSize& size : kind->sizes) {
      sizes[size.name].push_back(fmt::format("{}: {}, 1 to {}, usually {}", kind->name, size.meaning, size.max, size.training));
    }
  }
  add("network", train.network, fmt::format("{}", fmt::join(kinds, ", ")));
  for (const std::string& name : NetworkSizeNames()) {
    command->add_option("--" + name, train.sizes[name], fmt::format("{}", fmt::join(sizes[name], "; ")));
  }
  add_count("beam", train.beam, "States kept per step of a search");
  add("beam-value", options->beam_value, "What beam keeps the best by: sum, last or log-probability");
  add_count("in-flight", train.in_flight, "Problems that are searched at the same time");
  add("problems", options->problems, "Seeds of the problems, FIRST:END without END");
  add_count("bootstrap", train.bootstrap, "The beam is random until so many problems are solved");
  add_count("depth-start", train.depth_start, "Steps of a search at the most, in the beginning");
  add_count("depth-max", train.depth_max, "and in the end");
  add("depth-growth", train.depth_growth, "Steps more per 1000 problems tried; 0 for by the lengths of the solutions found");
  add_count("easiest-of", train.easiest_of, "While few problems are solved, the shortest of up to so many is tried");
  add("negatives", options->negatives, "What stands against the right step: own-parent, algorithm-1 or local");
  add_count("negatives-kept", train.negatives_kept, "Negatives kept of a step of a solution, at the most");
  add_count("replay", train.replay, "Steps of solutions that are remembered");
  add_count("batch", train.batch, "Examples of a gradient step");
  add_count("negatives-sampled", train.negatives_sampled, "Negatives of an example in a gradient step, at the most");
  add("gradient-steps", train.gradient_steps, "Gradient steps per solved problem");
  add("learning-rate", train.learning_rate, "After the warm-up");
  add("final-learning-rate", train.final_learning_rate, "The part of it that is left after the last step");
  add_count("warmup", train.warmup, "Gradient steps until the learning rate is reached");
  add("weight-decay", train.weight_decay, "Of AdamW");
  add("clip", train.clip, "Of the norm of the gradient");
  add_count("max-characters", train.max_characters, "Scored in one pass; bounds the memory that a GPU needs");
  add_count("eval-every", train.eval_every, "Steps between evaluations");
  add("eval-seeds", options->eval_seeds, "Seeds of the problems that are evaluated on");
  add("validation-seeds", options->validation_seeds, "Seeds of the problems that the best model is chosen on");
  add_count("eval-max-steps", train.eval_max_steps, "Steps of a greedy solution at the most");
  add("checkpoint-minutes", train.checkpoint_minutes, "Minutes between checkpoints");
  command->footer("Exit status: 0 done or out of minutes, 2 bad input, 130 interrupted (a checkpoint is written first).");
  command->callback([command, options, &action] { action = [command, options] { return Train(*command, *options); }; });
}

}  // namespace conpole::cli

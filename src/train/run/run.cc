#include "train/run/run.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "domains/axioms/abstract_domain.h"
#include "domains/files/domain_file.h"
#include "nn/model.h"
#include "nn/model_metadata.h"
#include "nn/network_kind.h"
#include "subjects/verify.h"
#include "train/loop/packed_search_trainer.h"
#include "train/loop/trainer.h"
#include "train/loop/walk_trainer.h"
#include "train/run/first_states.h"
#include "train/run/recipe.h"
#include "util/atomic_file.h"
#include "util/random.h"
#include "util/read_file.h"
#include "util/read_number.h"
#include "util/text.h"

namespace conpole {
namespace {

constexpr const char* kSettingsSection = "settings";
constexpr const char* kDomainSection = "domain";
constexpr const char* kAbstractionsSection = "abstractions";  // as text; empty for none
constexpr const char* kAlphabetSection = "alphabet";          // likewise
constexpr std::string_view kAuto = "auto";

SettingValues ParseValues(const std::string& json) {
  try {
    return nlohmann::json::parse(json).get<SettingValues>();
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("the settings in the checkpoint are damaged: {}", error.what()));
  }
}

// A model with a network of this architecture. Throws Error, which says what differs, if it has another one.
Model ReadModelLike(const std::string& path, const Architecture& wanted) {
  Model model = ReadModel(path);
  const Architecture& found = model.architecture;
  std::vector<std::string> differences;
  const auto compare = [&](std::string_view what, const auto& of_model, const auto& of_run) {
    if (of_model != of_run) differences.push_back(fmt::format("its {} is {} and not {}", what, of_model, of_run));
  };
  compare("kind", found.kind, wanted.kind);
  if (found.kind == wanted.kind) {
    for (const auto& [name, size] : wanted.sizes) compare(name, found.size(name), size);
    compare("head", HeadName(found.head), HeadName(wanted.head));
    const auto spaces = [](const Architecture& architecture) { return architecture.skips_spaces ? "skip" : "read"; };
    compare("way with spaces", std::string_view(spaces(found)), std::string_view(spaces(wanted)));
  }
  if (differences.empty()) return model;
  throw Error(fmt::format("{}: training cannot begin with this network: {}", path, fmt::join(differences, ", ")));
}

NetworkChoice NetworkOf(const Architecture& architecture) {
  NetworkChoice network{architecture.kind, {}, {}};
  const NetworkKind& kind = NetworkKindOf(architecture.kind);
  for (const NetworkSize& size : kind.sizes) {
    if (!size.of_layout) network.sizes[size.name] = architecture.size(size.name);
  }
  if (kind.make_encoder != nullptr) network.skips_spaces = architecture.skips_spaces;
  return network;
}

// Empty for none.
std::string TextOf(const AbstractionSet& set) { return set.abstractions.empty() ? "" : FormatAbstractions(set); }

// The domain with all its parameters, also those that have their usual values: these may be others in a later version.
std::string FullSpec(const Domain& domain) {
  std::string spec = domain.type().name;
  char separator = ':';
  for (const Parameter& parameter : domain.type().parameters) {
    spec += fmt::format("{}{}={}", std::exchange(separator, ','), parameter.name, domain.parameters().Text(parameter.name));
  }
  return spec;
}

// What a checkpoint says of the domain. A domain file may move, so that its text counts.
constexpr std::string_view kFileText = "file\n";
std::string DomainToKeep(const Domain& domain) {
  const DomainFile* const file = domain.type().file;
  return file == nullptr ? domain.Spec() : std::string(kFileText) + file->text();
}

Domains PointersTo(const std::vector<std::unique_ptr<Domain>>& domains) {
  Domains pointers;
  for (const std::unique_ptr<Domain>& domain : domains) pointers.push_back(domain.get());
  return pointers;
}

std::vector<SettingOfRun> SettingsForTensorBoard(const RunSettings& settings) {
  std::vector<SettingOfRun> values;
  for (const Setting& setting : AllSettings()) {
    const std::string text = setting.print(settings);
    const std::optional<double> number = setting.is_number ? ReadNumber<double>(text) : std::nullopt;
    values.push_back({setting.name, number ? std::variant<double, std::string>(*number) : text});
  }
  return values;
}

void RequireSame(const std::string& folder, const char* what, const std::string& now, const std::string& then) {
  if (now == then) return;
  throw Error(fmt::format("{} is a run with the {} {}, and cannot go on with {}", folder, what, then, now));
}

void PutEvaluations(const DomainStatus& status, const std::string& prefix, std::map<std::string, std::string>& metadata) {
  const auto put = [&](const char* key, const std::optional<Evaluation>& evaluation, const auto& share) {
    if (!evaluation) return;
    const double value = std::invoke(share, *evaluation);
    if (std::isfinite(value)) metadata[prefix + key] = fmt::format("{}", value);
  };
  put("eval_success", status.evaluation, &Evaluation::success);
  put("eval_verified", status.evaluation, &Evaluation::verified);
  put("validation_success", status.validation, &Evaluation::success);
  put("eval_axioms_success", status.axioms_evaluation, &Evaluation::success);
  put("validation_axioms_success", status.axioms_validation, &Evaluation::success);
}

}  // namespace

TrainingRun::TrainingRun(const RunRequest& request, const RunParts& parts, RunEvents events)
    : ranks_(*parts.ranks),
      folder_(request.folder, request.resume, ranks_),
      events_(ranks_.is_first() ? std::move(events) : RunEvents{}),
      version_(request.version),
      record_(request.record) {
  // 1. What is there.
  std::map<std::string, std::string> checkpoint = ReadCheckpoint();
  const auto section = [&](const char* name) {
    const auto found = checkpoint.find(name);
    if (found == checkpoint.end()) throw Error(fmt::format("the checkpoint has no section '{}'", name));
    return found->second;
  };
  const bool goes_on = !checkpoint.empty();
  begins_ = !goes_on;
  if (request.resume && !goes_on && events_.warning) {
    events_.warning(fmt::format("{} has no checkpoint to resume from: the run begins at step 0", folder_.path()));
  }
  const SettingValues of_checkpoint = goes_on ? ParseValues(section(kSettingsSection)) : SettingValues{};
  // 2. What is asked for.
  ResolveSettings(request, of_checkpoint, parts);
  CompareRanks(request.build);
  CheckSettings(settings_);
  NetworkChoice& network = settings_.train.network;
  const bool is_packed = NetworkKindOf(network.kind).make_encoder == nullptr;
  if (!is_packed) agent_ = parts.make_agent ? parts.make_agent(settings_.train) : MakeAgent(settings_.agent, settings_.train);
  architecture_ = TrainingArchitecture(network.kind, network.sizes);
  for (const NetworkSize& size : NetworkKindOf(network.kind).sizes) {
    if (!size.of_layout) network.sizes[size.name] = architecture_.size(size.name);  // the usual ones are settings, too
  }
  architecture_.skips_spaces = network.skips_spaces.value_or(false);
  if (goes_on) {
    const auto kept = checkpoint.find(kAlphabetSection);  // earlier runs had none
    if (kept != checkpoint.end()) architecture_.alphabet = kept->second;
  } else if (!settings_.train.init.empty()) {
    architecture_.alphabet = ReadModel(settings_.train.init).architecture.alphabet;
  } else if (!is_packed) {
    architecture_.alphabet = AlphabetOf(PointersTo(domains_), settings_.train.problems);
  }
  if (agent_) architecture_.head = agent_->head();
  if (is_packed && settings_.train.value_weight > 0) architecture_.head = Head::kActionsAndValue;
  // A run keeps those that it began with, whatever becomes of their file.
  abstractions_.resize(domains_.size());
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    if (goes_on) {
      const auto kept = checkpoint.find(Numbered(kAbstractionsSection, i));
      if (kept != checkpoint.end() && !kept->second.empty()) abstractions_[i] = ParseAbstractions(kept->second);
    } else if (parts.read_abstractions) {
      abstractions_[i] = parts.read_abstractions(settings_, *domains_[i]);
    }
    if (!abstractions_[i].abstractions.empty()) domains_[i] = WithAbstractions(std::move(domains_[i]), abstractions_[i]);
  }
  if (goes_on) {
    RequireSameDomains(checkpoint);
    const SettingValues now = ValuesOf(settings_);
    for (const char* const name : {"agent", "network", "variant"}) {
      const auto then = of_checkpoint.find(name);
      if (then != of_checkpoint.end()) RequireSame(folder_.path(), name, now.at(name), then->second);
    }
    // A domain in Python has no parameters here: its class and its arguments are in the text that it was made from.
    const auto made_from = of_checkpoint.find("domain");
    if (made_from != of_checkpoint.end() && made_from->second.find("python:") != std::string::npos) {
      RequireSame(folder_.path(), "domain", settings_.domain, made_from->second);
    }
  }
  // 3. Both together.
  MakeTrainer(parts);
  if (!goes_on) return;
  trainer_->Restore(checkpoint);
}

TrainingRun::~TrainingRun() = default;

std::map<std::string, std::string> TrainingRun::ReadCheckpoint() {
  return ReadRankCheckpoint(folder_.checkpoints(), ranks_, [this](const std::string& problem) {
    if (events_.warning) events_.warning(problem);
  });
}

void TrainingRun::RequireSameDomains(const std::map<std::string, std::string>& checkpoint) const {
  for (std::size_t i = 0; i < domains_.size() || checkpoint.contains(Numbered(kDomainSection, i)); ++i) {
    const auto found = checkpoint.find(Numbered(kDomainSection, i));
    const std::string then = found == checkpoint.end() ? "none" : found->second;
    const DomainFile* const file = i < domains_.size() ? domains_[i]->type().file : nullptr;
    if (file == nullptr || !then.starts_with(kFileText)) {
      RequireSame(folder_.path(), "domain", i < domains_.size() ? domains_[i]->Spec() : "none", then);
    } else if (const std::string difference = DifferenceOf(then.substr(kFileText.size()), file->text()); !difference.empty()) {
      throw Error(fmt::format("{} is a run with another text of the domain {}, and cannot go on with this one: {}",
                              folder_.path(), domains_[i]->type().name, difference));
    }
  }
}

void TrainingRun::CompareRanks(const std::string& build) const {
  if (ranks_.is_alone()) return;
  SettingValues mine = ValuesOf(settings_);
  for (const char* const own : {"device", "threads"}) mine.erase(own);  // machines may differ
  mine["version"] = version_;
  mine["build"] = build;
  std::vector<std::string> differences;
  const std::vector<std::string> all = ranks_.GatherTexts(nlohmann::json(mine).dump());
  const auto first = nlohmann::json::parse(all.front()).get<SettingValues>();
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    const auto other = nlohmann::json::parse(all[rank]).get<SettingValues>();
    const auto value_in = [](const SettingValues& values, const std::string& name) {
      const auto found = values.find(name);
      return found == values.end() ? std::string("nothing") : found->second;
    };
    SettingValues names = first;
    names.insert(other.begin(), other.end());
    for (const auto& [name, unused] : names) {
      const std::string there = value_in(other, name);
      const std::string here = value_in(first, name);
      if (there != here) differences.push_back(fmt::format("{} is {} on rank 0 and {} on rank {}", name, here, there, rank));
    }
  }
  if (!differences.empty()) throw Error(fmt::format("the ranks do not fit together: {}", fmt::join(differences, "; ")));
}

void TrainingRun::ResolveSettings(const RunRequest& request, const SettingValues& of_checkpoint, const RunParts& parts) {
  SettingValues values;
  const auto take = [&](const SettingValues& more) {
    for (const auto& [name, value] : more) values[name] = value;
  };
  const std::string own_config = folder_.PathOf(RunFolder::kConfig);
  if (!of_checkpoint.empty()) take(std::filesystem::exists(own_config) ? ReadSettingsFile(own_config) : of_checkpoint);
  if (!request.config.empty()) {
    const SettingValues of_file = ReadSettingsFile(request.config);
    NamingFile(request.config, [&] {
      RunSettings unused;
      ApplyValues(of_file, unused);
    });
    take(of_file);
  }
  take(request.given);
  RunSettings asked;
  ApplyValues(values, asked);
  if (asked.domain.empty()) throw Error("the domain is missing: conpole train DOMAIN");
  for (const std::string& spec : DomainsOf(asked.domain)) domains_.push_back(parts.make_domain(spec));
  const DomainType& type = domains_.front()->type();
  const bool is_packed =
      values.contains("network") ? NetworkKindOf(asked.train.network.kind).make_encoder == nullptr : type.layout != nullptr;
  for (std::size_t i = 0; i < domains_.size() && domains_.size() > 1; ++i) {
    if (domains_[i]->type().layout != nullptr) {
      throw Error(fmt::format("the states of {} have a fixed layout: it is learned by a network of its own, not beside others",
                              domains_[i]->type().name));
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (domains_[k]->Spec() == domains_[i]->Spec()) throw Error(fmt::format("{} is named twice", domains_[i]->Spec()));
    }
  }
  if (asked.agent == kAuto) asked.agent = is_packed ? "walks" : "cvi";
  if (asked.device == kAuto) asked.device = parts.device;
  RunSettings usual = RecipeFor(asked);
  AdaptToDomains(domains_.size(), usual.train);
  if (LearnsFromWalks(asked.agent) && type.file != nullptr && type.layout != nullptr) {
    AdaptToPuzzle(*type.layout, asked.device.starts_with("cuda"), usual.train);
  }
  if (begins_ && !asked.train.init.empty()) {
    const Architecture architecture = ReadModel(asked.train.init).architecture;
    usual.train.network = NetworkOf(architecture);
    if (architecture.head == Head::kActions) usual.train.value_weight = 0;
  }
  settings_ = usual;
  ApplyValues(values, settings_);
  settings_.agent = asked.agent;
  settings_.device = asked.device;
  NetworkChoice& network = settings_.train.network;
  if (network.kind == usual.train.network.kind) {
    network.sizes.insert(usual.train.network.sizes.begin(), usual.train.network.sizes.end());  // what is there stays
    if (!network.skips_spaces) network.skips_spaces = usual.train.network.skips_spaces;
  }
  if (!network.skips_spaces && NetworkKindOf(network.kind).make_encoder != nullptr) {
    network.skips_spaces = MeansTheSameWithoutSpaces(PointersTo(domains_), settings_.train.problems);
  }
  if (settings_.abstractions != kAuto || type.layout != nullptr) settings_.train.abstract_at.clear();
  if (parts.adapt) parts.adapt(settings_.train);
}

void TrainingRun::MakeTrainer(const RunParts& parts) {
  const bool begins = begins_;
  TrainCallbacks callbacks;
  callbacks.show = [this](const TrainStatus& status) {
    WriteProgress(status, /*is_running=*/true);
    if (events_.progress) events_.progress(status);
  };
  callbacks.evaluated = [this, says_unknown = true](const TrainStatus& status) mutable {
    if (says_unknown && learner_ && learner_->unknown_characters() != 0 && events_.warning) {
      says_unknown = false;
      events_.warning(
          fmt::format("the network does not know {} of the characters that it has read so far: its alphabet is that of "
                      "the first problems",
                      learner_->unknown_characters()));
    }
    if (metrics_) metrics_->Write(status.steps, MetricsOf(status));
    WriteProgress(status, /*is_running=*/true);
    if (events_.evaluated) events_.evaluated(status);
  };
  callbacks.say = [this](const std::string& message) {
    if (events_.warning) events_.warning(message);
  };
  callbacks.tried = [this](const TriedProblem& tried) {
    tried_ = tried;
    if (events_.tried) events_.tried(tried);
  };
  callbacks.improved = [this](const TrainStatus& status, const Tensors& weights) {
    SaveModel(status, weights, RunFolder::kBestModel);
  };
  callbacks.verify = VerifyAnswer;
  const std::string values = nlohmann::json(ValuesOf(settings_)).dump();
  callbacks.sections = {{kSettingsSection, [values](const WriteBytes& write) { write(values); }}};
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    callbacks.sections.push_back(
        {Numbered(kDomainSection, i), [kept = DomainToKeep(*domains_[i])](const WriteBytes& write) { write(kept); }});
    callbacks.sections.push_back(
        {Numbered(kAbstractionsSection, i), [this, i](const WriteBytes& write) { write(TextOf(abstractions_[i])); }});
  }
  callbacks.sections.push_back({kAlphabetSection, [this](const WriteBytes& write) { write(architecture_.alphabet); }});
  const TrainOptions& options = settings_.train;
  if (!options.abstract_at.empty()) {
    callbacks.take_abstractions = [this, make = parts.make_domain](std::size_t i,
                                                                   const AbstractionSet& found) -> const Domain& {
      domains_[i] = WithAbstractions(make(DomainsOf(settings_.domain)[i]), found);
      abstractions_[i] = found;
      return *domains_[i];
    };
  }
  if (options.axioms_share > 0) {
    for (const std::string& spec : DomainsOf(settings_.domain)) axioms_.push_back(parts.make_domain(spec));
    callbacks.axioms = PointersTo(axioms_);
  }
  if (!agent_) {
    if (!ranks_.is_alone())
      throw Error(fmt::format("a network of kind {} cannot learn on several ranks yet", options.network.kind));
    const Domain& domain = *domains_.front();
    const FixedLayout* const layout = domain.type().layout;
    if (layout == nullptr) {
      throw Error(fmt::format("a network of kind {} needs states of a fixed layout, and those of {} have none",
                              options.network.kind, domain.type().name));
    }
    architecture_.sizes["cells"] = static_cast<int>(layout->cells);
    architecture_.sizes["colours"] = static_cast<int>(layout->colours);
    architecture_.sizes["actions"] = static_cast<int>(layout->actions());
    packed_learner_ = parts.make_packed_learner(architecture_, *layout,
                                                {.seed = options.seed,
                                                 .weight_decay = options.weight_decay,
                                                 .clip = options.clip,
                                                 .average = options.average,
                                                 .smoothing = options.smoothing,
                                                 .value_weight = options.value_weight,
                                                 .threads = options.threads},
                                                settings_.device);
    if (begins && !options.init.empty()) packed_learner_->Begin(ReadModelLike(options.init, architecture_).tensors);
    if (LearnsFromWalks(settings_.agent)) {
      trainer_ = std::make_unique<WalkTrainer>(domain, *packed_learner_, options, callbacks);
    } else {
      trainer_ = std::make_unique<PackedSearchTrainer>(domain, *packed_learner_, options, callbacks);
    }
    return;
  }
  LearnerOptions learner;
  learner.loss = agent_->loss();
  learner.target = agent_->target_network();
  learner.weight_decay = options.weight_decay;
  learner.clip = options.clip;
  learner.threads = options.threads;
  if (!ranks_.is_alone()) learner.ranks = &ranks_;
  const Model first =
      begins && !options.init.empty() ? ReadModelLike(options.init, architecture_) : InitialModel(architecture_, options.seed);
  learner_ = parts.make_learner(first, learner, settings_.device);
  trainer_ = std::make_unique<Trainer>(PointersTo(domains_), *agent_, *learner_, options, callbacks, ranks_);
}

bool TrainingRun::Train(const std::atomic<bool>& stop) {
  folder_.Keep();
  // Before all else, so that a run that is killed at any moment can be resumed.
  if (begins_) trainer_->WriteCheckpoint(folder_.checkpoints());
  begins_ = false;
  if (ranks_.is_first()) {
    const std::string config = folder_.PathOf(RunFolder::kConfig);
    SettingValues record = record_;
    record["version"] = version_;
    WriteFileAtomically(config,
                        FormatSettings(settings_, fmt::format("The settings of this run of conpole {}.", version_), record));
    // Not of the checkpoint's steps: a line of these may have been written after it, and then the run writes it again.
    metrics_.emplace(folder_.path(), status().evaluated_steps);
    metrics_->WriteSettings(SettingsForTensorBoard(settings_));
  }
  const TrainStatus before = status();
  bool is_done = false;
  try {
    is_done = trainer_->Run(stop, folder_.checkpoints());
  } catch (const Diverged& error) {
    throw Diverged(
        fmt::format("{} (after {} steps). The last checkpoint is from before that: choose a lower learning-rate and go on with "
                    "--resume",
                    error.what(), status().steps));
  }
  // A run that was done before stays as it is.
  if (!ranks_.is_first()) return is_done;
  WriteProgress(status(), /*is_running=*/false);
  const bool is_new = status().gradient_steps != before.gradient_steps || status().steps != before.steps;
  if (is_new || last_model().empty()) SaveModel(status(), trainer_->Weights(), RunFolder::kLastModel);
  return is_done;
}

void TrainingRun::WriteProgress(const TrainStatus& status, bool is_running) const {
  if (!metrics_) return;  // another rank's
  nlohmann::ordered_json progress{
      {"domain", settings_.domain}, {"agent", settings_.agent}, {"device", settings_.device}, {"running", is_running}};
  progress.update(StatusJson(status));
  progress["seconds_left"] = std::isfinite(status.seconds_left) ? nlohmann::ordered_json(status.seconds_left) : nullptr;
  if (!tried_.problem.empty()) {
    progress["tried"] = {{"domain", tried_.domain}, {"problem", tried_.problem}, {"solution", tried_.solution}};
  }
  const std::string path = folder_.PathOf(RunFolder::kProgress);
  const std::string unfinished = path + ".tmp";
  std::ofstream(unfinished) << progress.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::error_code ignored;
  std::filesystem::rename(unfinished, path, ignored);
}

void TrainingRun::SaveModel(const TrainStatus& status, const Tensors& weights, std::string_view name) const {
  if (weights.empty()) return;
  Model model;
  model.architecture = architecture_;
  if (agent_) model.stated_meaning = agent_->meaning();
  model.tensors = weights;
  model.metadata = {{"agent", settings_.agent},
                    {"steps", std::to_string(status.steps)},
                    {"seed", std::to_string(settings_.train.seed)},
                    {"version", version_}};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    const Domain& domain = *domains_[i];
    const DomainFile* const file = domain.type().file;
    const std::string prefix = domains_.size() == 1 ? "" : KeyOfDomain(i, "");
    names.push_back(file != nullptr ? domain.type().name : domain.Spec());
    model.metadata[prefix + "domain"] = names.back();
    model.metadata[prefix + "full_domain"] = FullSpec(domain);
    if (file != nullptr) model.metadata[prefix + kDomainFileKey] = file->text();
    if (!abstractions_[i].abstractions.empty()) model.metadata[prefix + "abstractions"] = TextOf(abstractions_[i]);
    PutEvaluations(status.domains[i], prefix, model.metadata);
  }
  model.metadata["domain"] = fmt::format("{}", fmt::join(names, " + "));
  PutEvaluations(status, "", model.metadata);
  const std::string path = folder_.PathOf(name);
  WriteModel(model, path, WeightFormat::kFloat16);
  if (events_.saved) events_.saved(path);
}

std::string TrainingRun::best_model() const {
  const std::string path = folder_.PathOf(RunFolder::kBestModel);
  return status().best_validation && std::filesystem::exists(path) ? path : "";
}

std::string TrainingRun::last_model() const {
  const std::string path = folder_.PathOf(RunFolder::kLastModel);
  return std::filesystem::exists(path) ? path : "";
}

MetricValues MetricsOf(const TrainStatus& status) {
  const auto number = [](auto value) { return static_cast<double>(value); };
  MetricValues values{{"steps_per_second", number(status.steps) / std::max(1e-9, status.seconds)}};
  const auto add_domain = [&](const DomainStatus& of, const std::string& suffix) {
    values.insert(values.end(), {{"problems" + suffix, number(of.problems)},
                                 {"solved" + suffix, number(of.solved)},
                                 {"solved_rate" + suffix, of.solved_rate},
                                 {"depth_limit" + suffix, number(of.depth_limit)},
                                 {"easiest_of" + suffix, number(of.easiest_of)},
                                 {"solution_length" + suffix, of.solution_length}});
    if (of.level != 0) values.emplace_back("level" + suffix, number(of.level));
    if (of.size_limit != 0) values.emplace_back("size_limit" + suffix, number(of.size_limit));
    if (of.abstracted != 0) values.emplace_back("abstracted" + suffix, number(of.abstracted));
    const auto add = [&](const std::string& prefix, const std::optional<Evaluation>& evaluation) {
      if (!evaluation) return;
      values.emplace_back(prefix + "_success" + suffix, evaluation->success);
      values.emplace_back(prefix + "_verified" + suffix, evaluation->verified());
      values.emplace_back(prefix + "_wrong" + suffix, evaluation->wrong);
    };
    add("eval", of.evaluation);
    add("validation", of.validation);
    add("eval_axioms", of.axioms_evaluation);
    add("validation_axioms", of.axioms_validation);
  };
  add_domain(status, "");
  for (const DomainStatus& of : std::span(status.domains).subspan(status.domains.size() > 1 ? 0 : status.domains.size())) {
    values.emplace_back("steps/" + of.name, number(of.steps));
    add_domain(of, "/" + of.name);
  }
  const MetricValues rest{{"gradient_steps", number(status.gradient_steps)},
                          {"loss", status.loss},
                          {"learning_rate", status.learning_rate},
                          {"replay_examples", number(status.replay_examples)},
                          {"strings_scored", number(status.strings_scored)},
                          {"strings_learned", number(status.strings_learned)},
                          {"seconds_expand", status.time.expand},
                          {"seconds_select", status.time.select},
                          {"seconds_prepare", status.time.prepare},
                          {"seconds_encode", status.time.encode},
                          {"seconds_learn", status.time.learn},
                          {"seconds_evaluate", status.time.evaluate},
                          {"seconds_idle", status.time.idle}};
  values.insert(values.end(), rest.begin(), rest.end());
  for (std::size_t rank = 0; rank < status.seconds_waited.size(); ++rank) {
    values.emplace_back(fmt::format("seconds_waited_rank_{}", rank), status.seconds_waited[rank]);
  }
  if (status.seconds_waited.size() > 1) values.emplace_back("weights_differed", number(status.weights_differed));
  return values;
}

nlohmann::ordered_json StatusJson(const TrainStatus& status) {
  using Json = nlohmann::ordered_json;
  Json object{{"step", status.steps}, {"seconds", status.seconds}};
  for (const auto& [name, value] : MetricsOf(status)) object[name] = std::isfinite(value) ? Json(value) : Json();
  object["best_validation"] = status.best_validation ? Json(*status.best_validation) : Json();
  object["best_step"] = status.best_validation ? Json(status.best_steps) : Json();
  return object;
}

}  // namespace conpole

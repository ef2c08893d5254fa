#include "train/run/settings.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <limits>
#include <optional>
#include <system_error>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "nn/network_kind.h"
#include "search/run_search.h"
#include "train/agents/agent.h"
#include "train/loop/replay.h"
#include "train/run/config_text.h"
#include "train/run/recipe.h"
#include "util/read_file.h"
#include "util/read_number.h"
#include "util/seed_range.h"
#include "util/text.h"

namespace conpole {
namespace {

constexpr std::string_view kSpaces = "spaces";

[[noreturn]] void Refuse(const std::string& name, const std::string& range, std::string_view text) {
  throw Error(fmt::format("{} must be {}, not {}", name, range, Shown(text)));
}

// `at` gives a reference to the value in RunSettings.
template <class At>
Setting Whole(std::string name, std::string meaning, std::uint64_t low, std::uint64_t high, At at) {
  const std::string range = high == std::numeric_limits<std::uint64_t>::max()
                                ? fmt::format("a whole number from {} to 2^64 - 1", low)
                                : fmt::format("a whole number from {} to {}", low, high);
  using Value = std::remove_reference_t<decltype(at(std::declval<RunSettings&>()))>;
  const auto read = [name, range, low, high, at](std::string_view text, RunSettings& settings) {
    const std::optional<std::uint64_t> value = ReadNumber<std::uint64_t>(text);
    if (!value || *value < low || *value > high) Refuse(name, range, text);
    at(settings) = static_cast<Value>(*value);
  };
  const auto print = [at](const RunSettings& settings) {
    RunSettings copy = settings;
    return std::to_string(at(copy));
  };
  return {name, std::move(meaning), range, true, read, print};
}

enum class From { kAt, kAbove };  // whether the lower end belongs to the range

template <class At>
Setting Real(std::string name, std::string meaning, From from, double low, double high, At at) {
  const std::string range = from == From::kAt ? fmt::format("a number from {} to {}", low, high)
                                              : fmt::format("a number above {}, up to {}", low, high);
  const auto read = [name, range, from, low, high, at](std::string_view text, RunSettings& settings) {
    const std::optional<double> value = ReadNumber<double>(text);
    if (!value || *value > high || (from == From::kAt ? *value < low : *value <= low)) Refuse(name, range, text);
    at(settings) = *value;
  };
  const auto print = [at](const RunSettings& settings) {
    RunSettings copy = settings;
    return fmt::format("{}", at(copy));
  };
  return {name, std::move(meaning), range, true, read, print};
}

template <class At>
Setting Text(std::string name, std::string meaning, At at) {
  const auto read = [at](std::string_view text, RunSettings& settings) { at(settings) = text; };
  const auto print = [at](const RunSettings& settings) {
    RunSettings copy = settings;
    return std::string(at(copy));
  };
  return {std::move(name), std::move(meaning), "text", false, read, print};
}

// One of several words, each with its value.
template <class Value, class At>
Setting OneOf(std::string name, const std::string& meaning, std::vector<std::pair<std::string, Value>> words, At at) {
  std::vector<std::string> names;
  for (const auto& [word, value] : words) names.push_back(word);
  const std::string range = fmt::format("{}", fmt::join(names, ", "));
  const auto read = [name, range, words, at](std::string_view text, RunSettings& settings) {
    for (const auto& [word, value] : words) {
      if (word != text) continue;
      at(settings) = value;
      return;
    }
    throw Error(fmt::format("unknown {} {}; there are: {}", name, Shown(text), range));
  };
  const auto print = [words, at](const RunSettings& settings) -> std::string {
    RunSettings copy = settings;
    for (const auto& [word, value] : words) {
      if (value == at(copy)) return word;
    }
    throw Error("a setting has no name");
  };
  return {name, fmt::format("{}: {}.", meaning, range), range, false, read, print};
}

template <class At>
Setting Seeds(std::string name, std::string meaning, std::uint64_t most, At at) {
  const std::string range = fmt::format("FIRST:END, at most {} seeds", most);
  const auto read = [name, range, most, at](std::string_view text, RunSettings& settings) {
    const SeedRange seeds = ParseSeedRange(name, text);
    if (seeds.size() > most) Refuse(name, range, text);
    at(settings) = seeds;
  };
  const auto print = [at](const RunSettings& settings) {
    RunSettings copy = settings;
    return fmt::format("{}:{}", at(copy).first, at(copy).end);
  };
  return {name, std::move(meaning), range, false, read, print};
}

// A network as KIND or KIND:NAME=VALUE,...: its sizes, and for those that read texts, spaces=skip or read.
NetworkChoice ParseNetwork(std::string_view text) {
  NetworkChoice network;
  const std::size_t colon = text.find(':');
  network.kind = text.substr(0, colon);
  const NetworkKind& kind = NetworkKindOf(network.kind);
  for (std::string_view rest = colon == std::string_view::npos ? "" : text.substr(colon + 1); !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    const std::size_t equals = part.find('=');
    const std::string name(part.substr(0, equals));
    const std::string_view value = equals == std::string_view::npos ? "" : part.substr(equals + 1);
    const auto size = std::find_if(kind.sizes.begin(), kind.sizes.end(),
                                   [&](const NetworkSize& one) { return one.name == name && !one.of_layout; });
    if (size != kind.sizes.end()) {
      network.sizes[name] = size->Parse(value);
    } else if (name == kSpaces && kind.make_encoder != nullptr && (value == "skip" || value == "read")) {
      network.skips_spaces = value == "skip";
    } else {
      std::vector<std::string> parts;
      for (const NetworkSize& one : kind.sizes) {
        if (!one.of_layout) parts.push_back(fmt::format("{}=N", one.name));
      }
      if (kind.make_encoder != nullptr) parts.push_back("spaces=skip or read");
      throw Error(fmt::format("network: {} has no {}; there are: {}", kind.name, Shown(part), fmt::join(parts, ", ")));
    }
  }
  return network;
}

std::string FormatNetwork(const NetworkChoice& network) {
  std::vector<std::string> parts;
  for (const NetworkSize& size : NetworkKindOf(network.kind).sizes) {
    const auto found = network.sizes.find(size.name);
    if (found != network.sizes.end()) parts.push_back(fmt::format("{}={}", size.name, found->second));
  }
  if (network.skips_spaces) parts.push_back(fmt::format("{}={}", kSpaces, *network.skips_spaces ? "skip" : "read"));
  return parts.empty() ? network.kind : fmt::format("{}:{}", network.kind, fmt::join(parts, ","));
}

Setting NetworkSetting() {
  std::vector<std::string> kinds;
  for (const NetworkKind* const kind : NetworkKinds()) kinds.push_back(kind->name);
  const auto read = [](std::string_view text, RunSettings& settings) { settings.train.network = ParseNetwork(text); };
  const auto print = [](const RunSettings& settings) { return FormatNetwork(settings.train.network); };
  return {
      "network",
      fmt::format("The kind of network, of {}, and its sizes, as in lstm:hidden=32,layers=1; by default what suits the device.",
                  fmt::join(kinds, ", ")),
      "KIND or KIND:NAME=VALUE,...",
      false,
      read,
      print};
}

// What each word stands for is in recipe.h.
Setting CurriculumSetting() {
  const std::string range = fmt::format("{}", fmt::join(CurriculumNames(), ", "));
  const auto read = [range](std::string_view text, RunSettings& settings) {
    if (!SetCurriculum(text, settings.train)) {
      throw Error(fmt::format("unknown curriculum {}; there are: {}", Shown(text), range));
    }
  };
  const auto print = [](const RunSettings& settings) { return std::string(CurriculumName(settings.train)); };
  return {"curriculum",
          fmt::format("Which problems come first: parts of problems, short problems, or all as they come: {}.", range),
          range,
          false,
          read,
          print};
}

constexpr std::uint64_t kMany = 1'000'000'000'000'000;  // of what is counted in a run
constexpr std::uint64_t kMaxBeam = ReplayBuffer::kMaxTexts / 8;
constexpr double kMaxMinutes = 1e6;

std::vector<Setting> MakeSettings() {
  using S = RunSettings;
  std::vector<Setting> all;
  std::string topic = kMainTopic;
  const auto add = [&](Setting setting) {
    setting.topic = topic;
    all.push_back(std::move(setting));
  };
  add(Text(
      "domain",
      "The domain to learn, for example sorting, or python:MODULE.CLASS; several, as in \"sorting + fractions\", are learned "
      "by one network.",
      [](S& s) -> auto& { return s.domain; }));
  add(Text("device", "The device to train on: cpu, cuda, cuda:N, or auto for a GPU if there is one.",
           [](S& s) -> auto& { return s.device; }));
  add(Whole("steps",
            "The length of the run in environment steps: states whose successors are listed. With 0 the run is over when "
            "validation has not improved for long.",
            0, kMany, [](S& s) -> auto& { return s.train.steps; }));
  add(Real("seconds", "The run is over after this many seconds, if it is not before; 0 is no limit.", From::kAt, 0,
           60 * kMaxMinutes, [](S& s) -> auto& { return s.train.seconds; }));
  add(Whole("seed", "The seed of the run.", 0, std::numeric_limits<std::uint64_t>::max(),
            [](S& s) -> auto& { return s.train.seed; }));
  add(Whole("threads", "The number of threads; 0 is one per core.", 0, 1024, [](S& s) -> auto& { return s.train.threads; }));
  add(Text("init",
           "Begin a new run with the weights of this model file, and with a network like its own, instead of random weights.",
           [](S& s) -> auto& { return s.train.init; }));

  topic = "Agents";
  add(Text("agent", fmt::format("The agent that learns: {}.", fmt::join(AgentNames(), ", ")),
           [](S& s) -> auto& { return s.agent; }));
  add(OneOf<Variant>("variant", "Whether an agent that was published with faults is trained without them or with them",
                     {{"repaired", Variant::kRepaired}, {"as-published", Variant::kAsPublished}},
                     [](S& s) -> auto& { return s.train.variant; }));
  add(NetworkSetting());
  add(Whole("walk-length", "How many steps a walk of the agent walks takes from the solved state; estimated for domain files.",
            1, 10'000, [](S& s) -> auto& { return s.train.walk_length; }));

  topic = "Searching";
  add(Whole("beam", "How many states a search keeps per step.", 1, kMaxBeam, [](S& s) -> auto& { return s.train.beam; }));
  add(OneOf<BeamValue>(
      "beam-value",
      "What a beam ranks states by: the sum of the scores on the way, the last score, or the probability of the way",
      {{"sum", BeamValue::kSumOfScores}, {"last", BeamValue::kLastScore}, {"log-probability", BeamValue::kLogProbability}},
      [](S& s) -> auto& { return s.train.beam_value; }));
  add(Whole(
      "max-steps",
      "The most steps of a solution, in searches and in evaluations; 0 is 30, or 60 where solutions turn out to be longer.", 0,
      1'000'000, [](S& s) -> auto& { return s.train.max_steps; }));
  add(Whole("in-flight", "How many problems are searched at the same time.", 1, 1'000'000,
            [](S& s) -> auto& { return s.train.in_flight; }));
  add(Seeds("problems", "The seeds of the training problems, FIRST:END without END.", std::numeric_limits<std::uint64_t>::max(),
            [](S& s) -> auto& { return s.train.problems; }));
  add(CurriculumSetting());
  add(Text(
      "abstractions",
      "The larger steps of a new run: auto for those of init, or what recurs in its own solutions; none for axioms alone; or "
      "a file of abstractions, or a model trained with some.",
      [](S& s) -> auto& { return s.abstractions; }));
  add(Real("axioms-share",
           "The part of the problems that is searched by axioms alone where there are abstractions, so that the policy does "
           "well with and without them; it is then evaluated both ways.",
           From::kAt, 0, 1, [](S& s) -> auto& { return s.train.axioms_share; }));

  topic = "Learning";
  add(OneOf<Negatives>(
      "negatives",
      "What the right state is preferred to: all other new states of a step of the beam, each beside the state it comes from; "
      "the "
      "same beside the right one's, as the paper writes it; or only what follows from the same state",
      {{"own-parent", Negatives::kOwnParent}, {"algorithm-1", Negatives::kAlgorithm1}, {"local", Negatives::kLocal}},
      [](S& s) -> auto& { return s.train.negatives; }));
  add(Whole("batch", "How many examples a gradient step has.", 1, 1'000'000, [](S& s) -> auto& { return s.train.batch; }));
  add(Real("gradient-steps", "How many gradient steps there are per solved problem; for drrn, adi and davi, per problem.",
           From::kAbove, 0, 1e6, [](S& s) -> auto& { return s.train.gradient_steps; }));
  add(Real("learning-rate", "The learning rate after the warm-up.", From::kAbove, 0, std::numeric_limits<float>::max(),
           [](S& s) -> auto& { return s.train.learning_rate; }));

  topic = "Evaluation and checkpoints";
  add(Whole("eval-every", "How many steps lie between evaluations; 0 evaluates often at first and more seldom later.", 0, kMany,
            [](S& s) -> auto& { return s.train.eval_every; }));
  add(Seeds("eval-seeds", "The seeds of the problems that the policy is evaluated on.", 10'000'000,
            [](S& s) -> auto& { return s.train.eval_seeds; }));
  add(Seeds("validation-seeds", "The seeds of the problems that the best model is chosen on.", 10'000'000,
            [](S& s) -> auto& { return s.train.validation_seeds; }));
  add(Real("checkpoint-minutes",
           "The minutes between checkpoints; 0 writes one at each evaluation, from which a run goes on as if it had never been "
           "stopped.",
           From::kAt, 0, kMaxMinutes, [](S& s) -> auto& { return s.train.checkpoint_minutes; }));
  return all;
}

// Settings of earlier versions, with what has taken their place; nothing where the recipe decides now.
struct GoneSetting {
  std::string_view name;
  std::string_view instead = {};
};
constexpr GoneSetting kGone[] = {
    {"actors"},
    {"abstract-at", "abstractions"},
    {"abstract-most", "abstractions"},
    {"average"},
    {"batch-by"},
    {"beam-margin"},
    {"beam-noise"},
    {"blocks", "network"},
    {"bootstrap"},
    {"chance"},
    {"clip"},
    {"depth-growth"},
    {"depth-max", "max-steps"},
    {"depth-start"},
    {"discount"},
    {"easiest-of", "curriculum"},
    {"embedding", "network"},
    {"epsilon"},
    {"eval-max-steps", "max-steps"},
    {"example-uses"},
    {"final-learning-rate"},
    {"grow"},
    {"grow-from"},
    {"hidden", "network"},
    {"keep-expected"},
    {"layers", "network"},
    {"learn-from"},
    {"lesson"},
    {"max-characters"},
    {"minutes", "seconds"},
    {"mix"},
    {"negatives-kept"},
    {"negatives-sampled"},
    {"policy-average"},
    {"replay"},
    {"replay-keeps"},
    {"retries"},
    {"retry"},
    {"retry-effort"},
    {"reuse"},
    {"search"},
    {"simplify", "curriculum"},
    {"smoothing"},
    {"solved-share"},
    {"spaces", "network"},
    {"target-every"},
    {"temperature"},
    {"value-share"},
    {"walk-away"},
    {"warmup"},
    {"ways"},
    {"weight-decay"},
    {"weights-age"},
    {"wide", "network"},
    {"window", "network"},
};

}  // namespace

std::string NoSuchSetting(std::string_view name) {
  for (const GoneSetting& gone : kGone) {
    if (gone.name != name) continue;
    if (gone.instead.empty()) return fmt::format("the setting {} is gone: training decides this by itself", name);
    return fmt::format("the setting {} is gone: {} has taken its place", name, gone.instead);
  }
  return fmt::format("there is no setting {}", Shown(name));
}

std::span<const Setting> AllSettings() {
  static const std::vector<Setting> all = MakeSettings();
  return all;
}

const Setting* FindSetting(std::string_view name) {
  for (const Setting& setting : AllSettings()) {
    if (setting.name == name) return &setting;
  }
  return nullptr;
}

SettingValues ValuesOf(const RunSettings& settings) {
  SettingValues values;
  for (const Setting& setting : AllSettings()) values[setting.name] = setting.print(settings);
  return values;
}

void ApplyValues(const SettingValues& values, RunSettings& settings) {
  for (const auto& [name, text] : values) {
    const Setting* const setting = FindSetting(name);
    if (setting == nullptr) throw Error(NoSuchSetting(name));
    setting->read(text, settings);
  }
}

std::vector<std::string> DomainsOf(std::string_view domain) {
  constexpr std::string_view kBetween = " + ";
  std::vector<std::string> all;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = domain.find('\n') == std::string_view::npos ? domain.find(kBetween) : std::string_view::npos;
    all.emplace_back(domain.substr(0, end));
    if (end != std::string_view::npos) domain.remove_prefix(end + kBetween.size());
  }
  return all;
}

void CheckSettings(const RunSettings& settings) {
  const TrainOptions& train = settings.train;
  const AgentType* const agent = FindAgentType(settings.agent);
  if (train.variant == Variant::kAsPublished && agent != nullptr && agent->adapt == nullptr) {
    throw Error(fmt::format("{} has no variant as-published", settings.agent));
  }
  const bool is_packed = NetworkKindOf(train.network.kind).make_encoder == nullptr;
  if (is_packed ? !TeachesPackedNetworks(settings.agent) : LearnsFromWalks(settings.agent)) {
    throw Error(fmt::format("the agent {} cannot teach a network of kind {}: {}", settings.agent, train.network.kind,
                            "residual goes with walks and conpole-local, and walks only with residual"));
  }
  if (is_packed && train.axioms_share > 0) {
    throw Error(fmt::format("axioms-share is about abstractions, and a network of kind {} knows none", train.network.kind));
  }
}

namespace {

constexpr std::string_view kBase = "base";
constexpr std::string_view kRecord = "record";

// `above` are the files whose base this is, the first one first.
SettingValues ReadFileAndBases(const std::string& path, std::vector<std::filesystem::path> above) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
  const std::string text = ReadRegularFile(path, kMaxBytes);
  std::error_code failure;
  const std::filesystem::path place = std::filesystem::weakly_canonical(path, failure);
  if (std::find(above.begin(), above.end(), place) != above.end()) {
    throw Error(fmt::format("{}: is its own base, by way of {} files", path, above.size()));
  }
  above.push_back(place);
  SettingValues values;
  std::string base;
  NamingFile(path, [&] {
    for (const ConfigSection& section : ReadConfigText(text)) {
      if (section.name == kRecord) continue;
      if (!section.name.empty()) throw Error(fmt::format("line {}: there is no section {}", section.line, Shown(section.name)));
      for (const ConfigEntry& entry : section.entries) {
        if (entry.name == kBase) {
          if (!entry.is_text || entry.value.empty()) throw Error("base must be the path of a file of settings");
          base = std::filesystem::path(path).parent_path() / entry.value;
        } else if (FindSetting(entry.name) != nullptr) {
          values[entry.name] = entry.value;
        } else {
          throw Error(fmt::format("line {}: {}", entry.line, NoSuchSetting(entry.name)));
        }
      }
    }
  });
  if (!base.empty()) values.merge(ReadFileAndBases(base, std::move(above)));  // what is there stays
  return values;
}

}  // namespace

SettingValues ReadSettingsFile(const std::string& path) { return ReadFileAndBases(path, {}); }

std::string FormatSettings(const RunSettings& settings, std::string_view comment, const SettingValues& record) {
  std::string text = fmt::format("# {}\n", comment);
  for (const Setting& setting : AllSettings()) {
    const std::string value = setting.print(settings);
    const bool is_whole = value.find_first_not_of("0123456789") == std::string::npos;
    // A seed may be more than TOML's integers hold; it is text then.
    const bool fits = !is_whole || ReadNumber<std::int64_t>(value);
    text += fmt::format("{} = {}\n", setting.name, setting.is_number && fits ? value : QuotedForConfig(value));
  }
  if (!record.empty()) text += fmt::format("\n[{}]\n", kRecord);
  for (const auto& [name, value] : record) text += fmt::format("{} = {}\n", name, QuotedForConfig(value));
  return text;
}

}  // namespace conpole

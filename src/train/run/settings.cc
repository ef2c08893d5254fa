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
#include "util/read_file.h"
#include "util/read_number.h"
#include "util/seed_range.h"
#include "util/text.h"

namespace conpole {
namespace {

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

// Numbers of steps, each more than the one before.
template <class At>
Setting StepCounts(std::string name, std::string meaning, At at) {
  const std::string range = "whole numbers from 1 on that rise, separated by commas, or nothing";
  const auto read = [name, range, at](std::string_view text, RunSettings& settings) {
    std::vector<std::uint64_t> counts;
    for (std::string_view rest = text; !text.empty();) {
      const std::size_t comma = rest.find(',');
      const std::optional<std::uint64_t> count = ReadNumber<std::uint64_t>(rest.substr(0, comma));
      if (!count || *count <= (counts.empty() ? 0 : counts.back())) Refuse(name, range, text);
      counts.push_back(*count);
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
    at(settings) = std::move(counts);
  };
  const auto print = [at](const RunSettings& settings) {
    RunSettings copy = settings;
    return fmt::format("{}", fmt::join(at(copy), ","));
  };
  Setting setting{std::move(name), std::move(meaning), range, false, read, print};
  setting.may_be_empty = true;
  return setting;
}

// A size that one or more kinds of networks have. Whether it suits the kind that was chosen is seen when all are known.
Setting SizeOfNetwork(const std::string& name) {
  std::vector<std::string> meanings;
  int most = 0;
  for (const NetworkKind* const kind : NetworkKinds()) {
    for (const NetworkSize& size : kind->sizes) {
      if (size.name != name) continue;
      meanings.push_back(fmt::format("{}: {}, usually {}", kind->name, size.meaning, size.training));
      most = std::max(most, size.max);
    }
  }
  return Whole(name, fmt::format("{}. 0 is what is usual.", fmt::join(meanings, "; ")), 0, static_cast<std::uint64_t>(most),
               [name](RunSettings& s) -> auto& { return s.train.sizes[name]; });
}

// What most runs change, and a first look at the help should show.
bool IsMain(std::string_view name) {
  constexpr std::string_view kMain[] = {"domain",  "agent",   "device", "steps",         "minutes", "seed",
                                        "threads", "network", "beam",   "learning-rate", "batch",   "eval-every"};
  return std::find(std::begin(kMain), std::end(kMain), name) != std::end(kMain);
}

constexpr std::uint64_t kMany = 1'000'000'000'000'000;  // of what is counted in a run
constexpr std::uint64_t kMaxBeam = ReplayBuffer::kMaxTexts - 1;
constexpr double kMaxMinutes = 1e6;

std::vector<Setting> MakeSettings() {
  using S = RunSettings;
  std::vector<Setting> all;
  std::string topic = "Run";
  const auto add = [&](Setting setting) {
    setting.topic = IsMain(setting.name) ? kMainTopic : topic;
    all.push_back(std::move(setting));
  };
  add(Text("domain", "The domain to learn, for example sorting, or python:MODULE.CLASS.",
           [](S& s) -> auto& { return s.domain; }));
  add(Text("agent", fmt::format("The agent that learns: {}.", fmt::join(AgentNames(), ", ")),
           [](S& s) -> auto& { return s.agent; }));
  add(OneOf<Variant>("variant", "Whether an agent that was published with faults is trained without them or with them",
                     {{"repaired", Variant::kRepaired}, {"as-published", Variant::kAsPublished}},
                     [](S& s) -> auto& { return s.train.variant; }));
  add(Text("device", "The device to train on: cpu, cuda or cuda:N.", [](S& s) -> auto& { return s.device; }));
  add(Whole("steps", "The length of the run in environment steps: states whose successors are listed.", 0, kMany,
            [](S& s) -> auto& { return s.train.steps; }));
  add(Real("minutes", "Stop after this many minutes, to be resumed; 0 is no limit.", From::kAt, 0, kMaxMinutes,
           [](S& s) -> auto& { return s.train.minutes; }));
  add(Whole("seed", "The seed of the run.", 0, std::numeric_limits<std::uint64_t>::max(),
            [](S& s) -> auto& { return s.train.seed; }));
  add(Whole("threads", "The number of threads; 0 is one per core.", 0, 1024, [](S& s) -> auto& { return s.train.threads; }));

  topic = "Network";
  std::vector<std::pair<std::string, std::string>> kinds;
  for (const NetworkKind* const kind : NetworkKinds()) kinds.emplace_back(kind->name, kind->name);
  add(OneOf<std::string>("network", "The kind of network", kinds, [](S& s) -> auto& { return s.train.network; }));
  for (const std::string& name : NetworkSizeNames()) add(SizeOfNetwork(name));
  add(OneOf<bool>("spaces", "Whether the network reads the spaces of texts, or skips them, which is faster",
                  {{"read", false}, {"skip", true}}, [](S& s) -> auto& { return s.train.skips_spaces; }));
  add(Text(
      "init",
      "Begin a new run with the weights of this model file, whose network must be like this one, instead of random weights.",
      [](S& s) -> auto& { return s.train.init; }));
  topic = "Abstractions";
  add(Text("abstractions",
           "A file of abstractions, or a model trained with some, whose steps a new run takes beside axioms; none takes axioms "
           "alone. By default those of init.",
           [](S& s) -> auto& { return s.abstractions; }));
  add(StepCounts("abstract-at",
                 "Numbers of steps, separated by commas: at each, sequences of axioms that recur in the latest solutions "
                 "become actions, in place of those before. Empty is never.",
                 [](S& s) -> auto& { return s.train.abstract_at; }));
  add(Whole("abstract-most", "The most actions that abstract-at makes of sequences of axioms.", 1, 1000,
            [](S& s) -> auto& { return s.train.abstract_most; }));
  add(Real("axioms-share",
           "The part of the problems that is searched by axioms alone where there are abstractions, so that the policy does "
           "well with and without them; it is then evaluated both ways.",
           From::kAt, 0, 1, [](S& s) -> auto& { return s.train.axioms_share; }));

  topic = "Searching";
  add(OneOf<SearchBy>("search",
                      "How conpole and cvi search problems: with a beam, or by Levin tree search, which expands as many states "
                      "as a beam would and takes as many at a time as the beam is wide",
                      {{"beam", SearchBy::kBeam}, {"levin", SearchBy::kLevin}}, [](S& s) -> auto& { return s.train.search; }));
  add(Whole("beam", "How many states a search keeps per step.", 1, kMaxBeam, [](S& s) -> auto& { return s.train.beam; }));
  add(OneOf<BeamValue>(
      "beam-value", "What a beam keeps the best states by",
      {{"sum", BeamValue::kSumOfScores}, {"last", BeamValue::kLastScore}, {"log-probability", BeamValue::kLogProbability}},
      [](S& s) -> auto& { return s.train.beam_value; }));
  add(Real("beam-margin",
           "A beam drops states whose value is by more than this below the best of its step, so that it is narrow where the "
           "network is sure; 0 keeps all.",
           From::kAt, 0, 1e6, [](S& s) -> auto& { return s.train.beam_margin; }));
  add(Whole("in-flight", "How many problems are searched at the same time.", 1, 1'000'000,
            [](S& s) -> auto& { return s.train.in_flight; }));
  topic = "Choice of problems";
  add(Seeds("problems", "The seeds of the training problems, FIRST:END without END.", std::numeric_limits<std::uint64_t>::max(),
            [](S& s) -> auto& { return s.train.problems; }));
  add(Whole("bootstrap", "Beams are random until this many problems are solved.", 0, kMany,
            [](S& s) -> auto& { return s.train.bootstrap; }));
  add(Whole("depth-start", "The most steps of a search at the beginning of the run.", 1, 1'000'000,
            [](S& s) -> auto& { return s.train.depth_start; }));
  add(Whole("depth-max", "The most steps of a search at the end of the run.", 1, 1'000'000,
            [](S& s) -> auto& { return s.train.depth_max; }));
  add(Real("depth-growth",
           "How many steps the limit of a search grows per 1000 problems tried; with 0 it follows the lengths of the solutions "
           "found.",
           From::kAt, 0, 1e6, [](S& s) -> auto& { return s.train.depth_growth; }));
  add(Whole("easiest-of", "While few problems are solved, the shortest of up to this many problems is tried.", 0, 1'000'000,
            [](S& s) -> auto& { return s.train.easiest_of; }));
  add(Real("solved-share",
           "Problems become harder while more than this part of the latest ones is solved, and easier while less than half of "
           "it is.",
           From::kAbove, 0, 1, [](S& s) -> auto& { return s.train.solved_share; }));
  add(Text("grow",
           "A parameter of the domain, such as max_moves, that begins small and grows to its value while nearly all problems "
           "are solved.",
           [](S& s) -> auto& { return s.train.grow; }));
  add(Whole("grow-from", "The value at which the parameter named by grow begins.", 0, 1'000'000,
            [](S& s) -> auto& { return s.train.grow_from; }));
  add(Whole(
      "simplify",
      "Problems are cut down to this many characters at first, and become longer as they are solved; 0 takes them as they are.",
      0, 1'000'000, [](S& s) -> auto& { return s.train.simplify; }));
  add(Text("mix",
           "Further domains with the same states, separated by semicolons, that problems are drawn from, most from those of "
           "which some are solved and some not.",
           [](S& s) -> auto& { return s.train.mix; }));
  add(Real("walk-away", "The part of the problems that is made by random steps away from solved ones.", From::kAt, 0, 1,
           [](S& s) -> auto& { return s.train.walk_away; }));
  add(Real("retry", "The part of the steps, at the most, that goes into trying unsolved problems again.", From::kAt, 0, 1,
           [](S& s) -> auto& { return s.train.retry; }));
  add(Whole("retries", "How often an unsolved problem is tried again.", 1, 16, [](S& s) -> auto& { return s.train.retries; }));
  add(Real("retry-effort", "Each new try of an unsolved problem has a beam that is this many times as wide as before.",
           From::kAt, 1, 16, [](S& s) -> auto& { return s.train.retry_effort; }));
  topic = "Exploration";
  add(OneOf<Chance>("chance", "What guides searches until the network does: chance alone, or chance that prefers short texts",
                    {{"random", Chance::kRandom}, {"short", Chance::kShort}}, [](S& s) -> auto& { return s.train.chance; }));
  add(Real("beam-noise",
           "Searches draw candidates by the scores of the network divided by this number, instead of taking the best; 0 takes "
           "the best.",
           From::kAt, 0, 1e6, [](S& s) -> auto& { return s.train.beam_noise; }));
  add(Real("temperature", "Agents that walk draw their steps by the values divided by this temperature; 0 takes the best step.",
           From::kAt, 0, 1e6, [](S& s) -> auto& { return s.train.temperature; }));
  add(Real("epsilon", "Agents that walk draw this part of their steps evenly from all.", From::kAt, 0, 1,
           [](S& s) -> auto& { return s.train.epsilon; }));

  topic = "Experiences";
  add(OneOf<Negatives>(
      "negatives", "Which states the right step is compared with",
      {{"own-parent", Negatives::kOwnParent}, {"algorithm-1", Negatives::kAlgorithm1}, {"local", Negatives::kLocal}},
      [](S& s) -> auto& { return s.train.negatives; }));
  add(Whole("negatives-kept", "The most negatives that are kept of a step of a solution.", 1, ReplayBuffer::kMaxTexts,
            [](S& s) -> auto& { return s.train.negatives_kept; }));
  add(OneOf<LearnFrom>(
      "learn-from",
      "What a solved problem teaches agents that learn from beams: the steps of its solution, also all ways that are as short, "
      "or all known ways",
      {{"solution", LearnFrom::kSolution}, {"shortest", LearnFrom::kShortest}, {"known-ways", LearnFrom::kKnownWays}},
      [](S& s) -> auto& { return s.train.learn_from; }));
  add(Real("keep-expected",
           "The part that conpole and cvi keep of the solutions that the policy would have chosen at every step, so that there "
           "is more of what it does not know yet.",
           From::kAt, 0, 1, [](S& s) -> auto& { return s.train.keep_expected; }));
  add(Whole("ways",
            "With learn-from shortest or known-ways: the most right steps of an experience, and the most longer ways that are "
            "kept per step of a solution.",
            1, 1000, [](S& s) -> auto& { return s.train.ways; }));
  add(OneOf<ReplayKeeps>(
      "replay-keeps", "Which experiences of the same state are remembered: all, or the one with the shortest way",
      {{"all", ReplayKeeps::kAll}, {"shortest", ReplayKeeps::kShortest}}, [](S& s) -> auto& { return s.train.replay_keeps; }));
  add(Whole("replay", "How many experiences are remembered: steps of solutions or of walks.", 1, 1'000'000'000,
            [](S& s) -> auto& { return s.train.replay; }));

  topic = "Gradient steps";
  add(Whole("batch", "How many examples a gradient step has.", 1, 1'000'000, [](S& s) -> auto& { return s.train.batch; }));
  add(OneOf<BatchBy>("batch-by",
                     "Which examples of a turn come into the same gradient step: chance decides, or those of similar length "
                     "do, which is faster",
                     {{"chance", BatchBy::kChance}, {"length", BatchBy::kLength}},
                     [](S& s) -> auto& { return s.train.batch_by; }));
  add(Whole("negatives-sampled", "The most negatives of an example in a gradient step.", 1, ReplayBuffer::kMaxTexts,
            [](S& s) -> auto& { return s.train.negatives_sampled; }));
  add(Real("value-share",
           "The part of the examples in which conpole compares candidates without the states that they come from, so that the "
           "network learns what a state is worth, too.",
           From::kAt, 0, 1, [](S& s) -> auto& { return s.train.value_share; }));
  add(Real("gradient-steps", "How many gradient steps there are per solved problem; for drrn, adi and davi, per problem.",
           From::kAbove, 0, 1e6, [](S& s) -> auto& { return s.train.gradient_steps; }));
  add(Real("example-uses",
           "conpole and cvi make fewer gradient steps while each example would be learned from more than this many times on "
           "average, as at the beginning, when solutions are short; 0 is no limit.",
           From::kAt, 0, 1e6, [](S& s) -> auto& { return s.train.example_uses; }));
  add(Real("learning-rate", "The learning rate after the warm-up.", From::kAbove, 0, std::numeric_limits<float>::max(),
           [](S& s) -> auto& { return s.train.learning_rate; }));
  add(Real("final-learning-rate", "The part of the learning rate that is left after the last step.", From::kAt, 0, 1,
           [](S& s) -> auto& { return s.train.final_learning_rate; }));
  add(Whole("warmup", "How many gradient steps it takes to reach the learning rate.", 0, kMany,
            [](S& s) -> auto& { return s.train.warmup; }));
  add(Real("weight-decay", "The weight decay of AdamW.", From::kAt, 0, 1e6,
           [](S& s) -> auto& { return s.train.weight_decay; }));
  add(Real("clip", "Gradients whose norm is larger than this are scaled down to it.", From::kAbove, 0,
           std::numeric_limits<float>::max(), [](S& s) -> auto& { return s.train.clip; }));
  add(Real("policy-average",
           "After each gradient step, the weights that search, are evaluated and saved move by this part of the way towards "
           "those that learn; 1 makes them the same.",
           From::kAbove, 0, 1, [](S& s) -> auto& { return s.train.policy_average; }));
  add(Real("discount", "The discount of the reward per step, for cvi, drrn and adi.", From::kAbove, 0, 1,
           [](S& s) -> auto& { return s.train.discount; }));
  add(Whole("target-every",
            "After this many gradient steps drrn, adi and davi renew the slow copy of the network that targets are made with.",
            1, kMany, [](S& s) -> auto& { return s.train.target_every; }));
  add(Whole("max-characters", "The most characters that are scored in one pass, which bounds the memory that a GPU needs.", 1,
            std::uint64_t{1} << 40, [](S& s) -> auto& { return s.train.max_characters; }));

  topic = "Residual networks";
  add(OneOf<Lessons>("lesson",
                     "What a solved problem teaches a residual network that learns by search: the states of its solution, or "
                     "all from which a way is known",
                     {{"solution", Lessons::kSolution}, {"known-ways", Lessons::kKnownWays}},
                     [](S& s) -> auto& { return s.train.lesson; }));
  add(Real("reuse", "How many examples a residual network that learns by search learns from per environment step.",
           From::kAbove, 0, 1e6, [](S& s) -> auto& { return s.train.reuse; }));
  add(Real("smoothing", "The part of the target of a residual network that is spread evenly over all actions.", From::kAt, 0, 1,
           [](S& s) -> auto& { return s.train.smoothing; }));
  add(Whole("walk-length", "The agent walks takes this many steps away from the solved state.", 1, 10'000,
            [](S& s) -> auto& { return s.train.walk_length; }));
  add(Real(
      "average",
      "After each gradient step of the agent walks, its averaged weights move by this part of the way towards the weights.",
      From::kAbove, 0, 1, [](S& s) -> auto& { return s.train.average; }));
  add(Real("seconds",
           "The run of the agent walks is over after this many seconds, if the steps are not done before; 0 is no limit.",
           From::kAt, 0, 60 * kMaxMinutes, [](S& s) -> auto& { return s.train.seconds; }));

  topic = "Several processes";
  add(Whole("actors", "Of several ranks, this many, the last ones, only search and the others only learn; with 0 all do both.",
            0, 1'000'000, [](S& s) -> auto& { return s.train.actors; }));
  add(Whole("weights-age", "Actors search with weights that are at most this many gradient steps old.", 1, kMany,
            [](S& s) -> auto& { return s.train.weights_age; }));

  topic = "Evaluation and checkpoints";
  add(Whole("eval-every", "The number of steps between evaluations.", 1, kMany,
            [](S& s) -> auto& { return s.train.eval_every; }));
  add(Seeds("eval-seeds", "The seeds of the problems that the policy is evaluated on.", 10'000'000,
            [](S& s) -> auto& { return s.train.eval_seeds; }));
  add(Seeds("validation-seeds", "The seeds of the problems that the best model is chosen on.", 10'000'000,
            [](S& s) -> auto& { return s.train.validation_seeds; }));
  add(Whole("eval-max-steps", "The most steps of a greedy solution in evaluations.", 0, 1'000'000,
            [](S& s) -> auto& { return s.train.eval_max_steps; }));
  add(Real("checkpoint-minutes",
           "The minutes between checkpoints; 0 writes one at each evaluation, from which a run goes on as if it had never been "
           "stopped.",
           From::kAt, 0, kMaxMinutes, [](S& s) -> auto& { return s.train.checkpoint_minutes; }));
  return all;
}

}  // namespace

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
    if (setting == nullptr) throw Error(fmt::format("there is no setting {}", Shown(name)));
    setting->read(text, settings);
  }
}

namespace {

void CheckLevin(const RunSettings& settings) {
  const TrainOptions& train = settings.train;
  const auto& agent = settings.agent;
  if (agent != "conpole" && agent != "conpole-local" && agent != "cvi") {
    throw Error(fmt::format("search = levin is for conpole, conpole-local and cvi, and {} has a search of its own", agent));
  }
  if (NetworkKindOf(train.network).make_encoder == nullptr) {
    throw Error(fmt::format("search = levin is over texts, and a network of kind {} reads packed states", train.network));
  }
  if (agent == "cvi" && train.variant == Variant::kAsPublished) {
    throw Error("search = levin needs log-preferences, and the scores of cvi as published are log-odds");
  }
  if (train.beam_margin > 0) throw Error("beam-margin narrows beams: with search = levin it must be 0");
  if (train.keep_expected < 1) throw Error("keep-expected looks at beams: with search = levin it must be 1");
}

}  // namespace

void CheckSettings(const RunSettings& settings) {
  const TrainOptions& train = settings.train;
  const AgentType* const agent = FindAgentType(settings.agent);
  if (train.variant == Variant::kAsPublished && agent != nullptr && agent->usual == nullptr) {
    throw Error(fmt::format("{} has no variant as-published", settings.agent));
  }
  if (train.depth_max < train.depth_start) throw Error("depth-max must not be less than depth-start");
  // Both are bounded, so that the sum does not wrap.
  if (train.beam + train.negatives_kept + (train.ways - 1) >= ReplayBuffer::kMaxTexts) {
    throw Error(fmt::format("beam, negatives-kept and ways together must be less than {}", ReplayBuffer::kMaxTexts));
  }
  const bool is_packed = NetworkKindOf(train.network).make_encoder == nullptr;
  if (is_packed ? !TeachesPackedNetworks(settings.agent) : LearnsFromWalks(settings.agent)) {
    throw Error(fmt::format("the agent {} cannot teach a network of kind {}: {}", settings.agent, train.network,
                            "residual goes with walks and conpole-local, and walks only with residual"));
  }
  if (train.search == SearchBy::kLevin) CheckLevin(settings);
  if (NetworkKindOf(train.network).make_encoder == nullptr && train.axioms_share > 0) {
    throw Error(fmt::format("axioms-share is about abstractions, and a network of kind {} knows none", train.network));
  }
  TrainingArchitecture(train.network, train.sizes);  // throws if a size is not one of this kind of network
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
  try {
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
          throw Error(fmt::format("line {}: there is no setting {}", entry.line, Shown(entry.name)));
        }
      }
    }
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", path, error.what()));
  }
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

#include "train/settings.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <sstream>
#include <system_error>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "nn/network_kind.h"
#include "search/run_search.h"
#include "train/agent.h"
#include "train/replay.h"
#include "util/read_number.h"
#include "util/seed_range.h"
#include "util/text.h"

#ifdef CONPOLE_TOML
#include <toml++/toml.h>
#endif

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
  return {name, fmt::format("{}: {}", meaning, range), range, false, read, print};
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
  return {std::move(name), std::move(meaning), range, false, read, print};
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
  return Whole(name, fmt::format("{}; 0 for what is usual", fmt::join(meanings, "; ")), 0, static_cast<std::uint64_t>(most),
               [name](RunSettings& s) -> auto& { return s.train.sizes[name]; });
}

constexpr std::uint64_t kMany = 1'000'000'000'000'000;  // of what is counted in a run
constexpr std::uint64_t kMaxBeam = ReplayBuffer::kMaxTexts - 1;
constexpr double kMaxMinutes = 1e6;

std::vector<Setting> MakeSettings() {
  using S = RunSettings;
  std::vector<Setting> all;
  const auto add = [&](Setting setting) { all.push_back(std::move(setting)); };
  add(Text("domain", "A domain, for example sorting, or python:MODULE.CLASS", [](S& s) -> auto& { return s.domain; }));
  add(Text("agent", fmt::format("What learns: {}", fmt::join(AgentNames(), ", ")), [](S& s) -> auto& { return s.agent; }));
  add(OneOf<Variant>("variant", "Of agents that were published with faults, the one without or with them",
                     {{"repaired", Variant::kRepaired}, {"as-published", Variant::kAsPublished}},
                     [](S& s) -> auto& { return s.train.variant; }));
  add(Text("device", "cpu, cuda or cuda:N", [](S& s) -> auto& { return s.device; }));
  add(Whole("steps", "Environment steps: states whose successors are listed", 0, kMany,
            [](S& s) -> auto& { return s.train.steps; }));
  add(Real("minutes", "Stop after so many minutes, to be resumed; 0 for no limit", From::kAt, 0, kMaxMinutes,
           [](S& s) -> auto& { return s.train.minutes; }));
  add(Whole("seed", "Seed of the run", 0, std::numeric_limits<std::uint64_t>::max(),
            [](S& s) -> auto& { return s.train.seed; }));
  add(Whole("threads", "Threads; 0 for one per core", 0, 1024, [](S& s) -> auto& { return s.train.threads; }));

  std::vector<std::pair<std::string, std::string>> kinds;
  for (const NetworkKind* const kind : NetworkKinds()) kinds.emplace_back(kind->name, kind->name);
  add(OneOf<std::string>("network", "The kind of network", kinds, [](S& s) -> auto& { return s.train.network; }));
  for (const std::string& name : NetworkSizeNames()) add(SizeOfNetwork(name));
  add(OneOf<bool>("spaces", "Whether the network reads the spaces of texts, or skips them, which is faster",
                  {{"read", false}, {"skip", true}}, [](S& s) -> auto& { return s.train.skips_spaces; }));
  add(Text("init", "A model file with a network like this one, whose weights a new run begins with, instead of random ones",
           [](S& s) -> auto& { return s.train.init; }));
  add(Text(
      "abstractions",
      "A file of abstractions, or a model trained with some, whose steps a new run takes beside axioms; none for axioms alone; "
      "by default those of init",
      [](S& s) -> auto& { return s.abstractions; }));
  add(StepCounts("abstract-at",
                 "Steps, separated by commas: after so many, sequences of axioms that recur in the latest solutions become "
                 "actions, in place of those before; empty for never",
                 [](S& s) -> auto& { return s.train.abstract_at; }));
  add(Whole("abstract-most", "Actions that are made of them, at the most", 1, 1000,
            [](S& s) -> auto& { return s.train.abstract_most; }));
  add(Real(
      "axioms-share",
      "The part of the problems that is searched by axioms alone where there are abstractions, so that the policy does well "
      "with and without them; it is then evaluated both ways",
      From::kAt, 0, 1, [](S& s) -> auto& { return s.train.axioms_share; }));

  add(OneOf<SearchBy>("search",
                      "conpole, cvi: how problems are searched, with a beam, or by Levin tree search with as many states as a "
                      "beam would at most expand, beam at a time",
                      {{"beam", SearchBy::kBeam}, {"levin", SearchBy::kLevin}}, [](S& s) -> auto& { return s.train.search; }));
  add(Whole("beam", "States kept per step of a search", 1, kMaxBeam, [](S& s) -> auto& { return s.train.beam; }));
  add(OneOf<BeamValue>(
      "beam-value", "What beam keeps the best by",
      {{"sum", BeamValue::kSumOfScores}, {"last", BeamValue::kLastScore}, {"log-probability", BeamValue::kLogProbability}},
      [](S& s) -> auto& { return s.train.beam_value; }));
  add(Real("beam-margin",
           "A beam keeps no states whose value is by more than this below the best of its step, so that it is narrow where the "
           "network is sure; 0 for all",
           From::kAt, 0, 1e6, [](S& s) -> auto& { return s.train.beam_margin; }));
  add(Whole("in-flight", "Problems that are searched at the same time", 1, 1'000'000,
            [](S& s) -> auto& { return s.train.in_flight; }));
  add(Seeds("problems", "Seeds of the problems, FIRST:END without END", std::numeric_limits<std::uint64_t>::max(),
            [](S& s) -> auto& { return s.train.problems; }));
  add(Whole("bootstrap", "The beam is random until so many problems are solved", 0, kMany,
            [](S& s) -> auto& { return s.train.bootstrap; }));
  add(Whole("depth-start", "Steps of a search at the most, in the beginning", 1, 1'000'000,
            [](S& s) -> auto& { return s.train.depth_start; }));
  add(Whole("depth-max", "and in the end", 1, 1'000'000, [](S& s) -> auto& { return s.train.depth_max; }));
  add(Real("depth-growth", "Steps more per 1000 problems tried; 0 for by the lengths of the solutions found", From::kAt, 0, 1e6,
           [](S& s) -> auto& { return s.train.depth_growth; }));
  add(Whole("easiest-of", "While few problems are solved, the shortest of up to so many is tried", 0, 1'000'000,
            [](S& s) -> auto& { return s.train.easiest_of; }));
  add(Real(
      "solved-share",
      "Problems become harder while more than this part of the latest ones is solved, and easier while less than half of it is",
      From::kAbove, 0, 1, [](S& s) -> auto& { return s.train.solved_share; }));
  add(Text("grow",
           "A parameter of the domain, such as max_moves, that begins small and grows to its value while nearly all problems "
           "are solved",
           [](S& s) -> auto& { return s.train.grow; }));
  add(Whole("grow-from", "Where that parameter begins", 0, 1'000'000, [](S& s) -> auto& { return s.train.grow_from; }));
  add(Whole("simplify",
            "Problems are made as short as so many characters, and longer as they are solved; 0 for taking them as they are", 0,
            1'000'000, [](S& s) -> auto& { return s.train.simplify; }));
  add(Text("mix",
           "Further domains with the same states, separated by semicolons, that problems are drawn from, most from those of "
           "which some are solved and some not",
           [](S& s) -> auto& { return s.train.mix; }));
  add(Real("walk-away", "The part of the problems that is made by random steps away from solved ones", From::kAt, 0, 1,
           [](S& s) -> auto& { return s.train.walk_away; }));
  add(Real("retry", "The part of the steps, at the most, that goes into trying problems again that were not solved", From::kAt,
           0, 1, [](S& s) -> auto& { return s.train.retry; }));
  add(Whole("retries", "How often such a problem is tried again", 1, 16, [](S& s) -> auto& { return s.train.retries; }));
  add(Real("retry-effort", "Each time with a beam so many times as wide", From::kAt, 1, 16,
           [](S& s) -> auto& { return s.train.retry_effort; }));
  add(OneOf<Chance>("chance", "What guides searches until the network does: chance alone, or chance that prefers short texts",
                    {{"random", Chance::kRandom}, {"short", Chance::kShort}}, [](S& s) -> auto& { return s.train.chance; }));
  add(Real("beam-noise",
           "Searches draw candidates by the network's scores, divided by this, instead of taking the best; 0 for the best",
           From::kAt, 0, 1e6, [](S& s) -> auto& { return s.train.beam_noise; }));
  add(Real("temperature", "Of agents that walk: of the values that steps are drawn by; 0 for the best", From::kAt, 0, 1e6,
           [](S& s) -> auto& { return s.train.temperature; }));
  add(Real("epsilon", "Of agents that walk: the part of the steps that is drawn evenly", From::kAt, 0, 1,
           [](S& s) -> auto& { return s.train.epsilon; }));

  add(OneOf<Negatives>(
      "negatives", "What stands against the right step",
      {{"own-parent", Negatives::kOwnParent}, {"algorithm-1", Negatives::kAlgorithm1}, {"local", Negatives::kLocal}},
      [](S& s) -> auto& { return s.train.negatives; }));
  add(Whole("negatives-kept", "Negatives kept of a step of a solution, at the most", 1, ReplayBuffer::kMaxTexts,
            [](S& s) -> auto& { return s.train.negatives_kept; }));
  add(OneOf<LearnFrom>(
      "learn-from",
      "What a solved problem teaches agents that learn from beams: the steps of its solution; all ways that are as short, too; "
      "all known ways",
      {{"solution", LearnFrom::kSolution}, {"shortest", LearnFrom::kShortest}, {"known-ways", LearnFrom::kKnownWays}},
      [](S& s) -> auto& { return s.train.learn_from; }));
  add(Real("keep-expected",
           "conpole, cvi: the part of the solutions that is learned from of those that are the policy's first choice at every "
           "step, so that there is more of what it does not know yet",
           From::kAt, 0, 1, [](S& s) -> auto& { return s.train.keep_expected; }));
  add(Whole("ways", "With those: right steps of an experience at the most, and longer ways kept per step of a solution", 1,
            1000, [](S& s) -> auto& { return s.train.ways; }));
  add(OneOf<ReplayKeeps>("replay-keeps", "Experiences of the same state: all, or one, with the shortest way",
                         {{"all", ReplayKeeps::kAll}, {"shortest", ReplayKeeps::kShortest}},
                         [](S& s) -> auto& { return s.train.replay_keeps; }));
  add(Whole("replay", "Experiences that are remembered: steps of solutions or of walks", 1, 1'000'000'000,
            [](S& s) -> auto& { return s.train.replay; }));

  add(Whole("batch", "Examples of a gradient step", 1, 1'000'000, [](S& s) -> auto& { return s.train.batch; }));
  add(OneOf<BatchBy>("batch-by",
                     "Which of the examples that are drawn for the gradient steps of a turn come into the same one: chance "
                     "decides, or those of similar length, which is faster",
                     {{"chance", BatchBy::kChance}, {"length", BatchBy::kLength}},
                     [](S& s) -> auto& { return s.train.batch_by; }));
  add(Whole("negatives-sampled", "Negatives of an example in a gradient step, at the most", 1, ReplayBuffer::kMaxTexts,
            [](S& s) -> auto& { return s.train.negatives_sampled; }));
  add(Real("value-share",
           "conpole: the part of the examples in which candidates are compared without the states that they come from, so that "
           "the network learns what a state is worth, too",
           From::kAt, 0, 1, [](S& s) -> auto& { return s.train.value_share; }));
  add(Real("gradient-steps", "Gradient steps per solved problem; drrn, adi, davi: per problem", From::kAbove, 0, 1e6,
           [](S& s) -> auto& { return s.train.gradient_steps; }));
  add(Real("example-uses",
           "conpole, cvi: fewer gradient steps than that where each example would be learned from more than so many times on "
           "average, as in the beginning, when solutions are short; 0 for no limit",
           From::kAt, 0, 1e6, [](S& s) -> auto& { return s.train.example_uses; }));
  add(Real("learning-rate", "After the warm-up", From::kAbove, 0, std::numeric_limits<float>::max(),
           [](S& s) -> auto& { return s.train.learning_rate; }));
  add(Real("final-learning-rate", "The part of it that is left after the last step", From::kAt, 0, 1,
           [](S& s) -> auto& { return s.train.final_learning_rate; }));
  add(Whole("warmup", "Gradient steps until the learning rate is reached", 0, kMany,
            [](S& s) -> auto& { return s.train.warmup; }));
  add(Real("weight-decay", "Of AdamW", From::kAt, 0, 1e6, [](S& s) -> auto& { return s.train.weight_decay; }));
  add(Real("clip", "Of the norm of the gradient", From::kAbove, 0, std::numeric_limits<float>::max(),
           [](S& s) -> auto& { return s.train.clip; }));
  add(Real("policy-average",
           "The part of the way that the weights which search, are evaluated and saved go towards those that learn, after each "
           "gradient step; 1 for the same weights",
           From::kAbove, 0, 1, [](S& s) -> auto& { return s.train.policy_average; }));
  add(Real("discount", "cvi, drrn, adi: of the reward, per step", From::kAbove, 0, 1,
           [](S& s) -> auto& { return s.train.discount; }));
  add(Whole("target-every",
            "drrn, adi, davi: gradient steps after which the slow copy of the network that targets are made with is renewed", 1,
            kMany, [](S& s) -> auto& { return s.train.target_every; }));
  add(Whole("max-characters", "Scored in one pass; bounds the memory that a GPU needs", 1, std::uint64_t{1} << 40,
            [](S& s) -> auto& { return s.train.max_characters; }));

  add(OneOf<Lessons>(
      "lesson",
      "residual by search: what a solved problem teaches, the states of its solution or all from which a way is known",
      {{"solution", Lessons::kSolution}, {"known-ways", Lessons::kKnownWays}}, [](S& s) -> auto& { return s.train.lesson; }));
  add(Real("reuse", "residual by search: examples that are learned from per environment step", From::kAbove, 0, 1e6,
           [](S& s) -> auto& { return s.train.reuse; }));
  add(Real("smoothing", "residual: the part of the target that is spread evenly over all actions", From::kAt, 0, 1,
           [](S& s) -> auto& { return s.train.smoothing; }));
  add(Whole("walk-length", "walks: steps of a walk away from the solved state", 1, 10'000,
            [](S& s) -> auto& { return s.train.walk_length; }));
  add(Real("average", "walks: the part of the way that the averaged weights go towards the weights after each gradient step",
           From::kAbove, 0, 1, [](S& s) -> auto& { return s.train.average; }));
  add(Real("seconds", "walks: the run is over after so many seconds, if the steps are not done before; 0 for no limit",
           From::kAt, 0, 60 * kMaxMinutes, [](S& s) -> auto& { return s.train.seconds; }));

  add(Whole("actors", "Of several ranks, the last so many only search and the others only learn; 0: all do both", 0, 1'000'000,
            [](S& s) -> auto& { return s.train.actors; }));
  add(Whole("weights-age", "Actors search with weights that are at most so many gradient steps old", 1, kMany,
            [](S& s) -> auto& { return s.train.weights_age; }));

  add(Whole("eval-every", "Steps between evaluations", 1, kMany, [](S& s) -> auto& { return s.train.eval_every; }));
  add(Seeds("eval-seeds", "Seeds of the problems that are evaluated on", 10'000'000,
            [](S& s) -> auto& { return s.train.eval_seeds; }));
  add(Seeds("validation-seeds", "Seeds of the problems that the best model is chosen on", 10'000'000,
            [](S& s) -> auto& { return s.train.validation_seeds; }));
  add(Whole("eval-max-steps", "Steps of a greedy solution at the most", 0, 1'000'000,
            [](S& s) -> auto& { return s.train.eval_max_steps; }));
  add(Real(
      "checkpoint-minutes",
      "Minutes between checkpoints; 0 for one at each evaluation, from which a run goes on as if it had never been stopped",
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

#ifdef CONPOLE_TOML

bool HasToml() { return true; }

namespace {

std::string TextOf(const std::string& name, const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
  if (const auto number = node.value_exact<double>()) return fmt::format("{}", *number);
  throw Error(fmt::format("{} must be a number or text", name));
}

constexpr std::string_view kBase = "base";
constexpr std::string_view kRecord = "record";

// `above` are the files whose base this is, the first one first.
SettingValues ReadFileAndBases(const std::string& path, std::vector<std::filesystem::path> above) {
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(path, failure);
  if (!std::filesystem::exists(status)) throw Error(fmt::format("{}: there is no such file", path));
  if (std::filesystem::is_directory(status)) throw Error(fmt::format("{}: is a folder, not a file of settings", path));
  if (!std::filesystem::is_regular_file(status)) throw Error(fmt::format("{}: is not a regular file", path));
  constexpr std::uintmax_t kMaxBytes = std::uintmax_t{1} << 20;
  const std::uintmax_t bytes = std::filesystem::file_size(path, failure);
  if (failure || bytes > kMaxBytes) throw Error(fmt::format("{}: is too long for a file of settings", path));
  const std::filesystem::path place = std::filesystem::weakly_canonical(path, failure);
  if (std::find(above.begin(), above.end(), place) != above.end()) {
    throw Error(fmt::format("{}: is its own base, by way of {} files", path, above.size()));
  }
  above.push_back(place);
  SettingValues values;
  std::string base;
  try {
    const toml::table table = toml::parse_file(path);
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (name == kRecord && node.is_table()) continue;
      if (name == kBase) {
        const auto text = node.value_exact<std::string>();
        if (!text || text->empty()) throw Error("base must be the path of a file of settings");
        base = std::filesystem::path(path).parent_path() / *text;
        continue;
      }
      if (FindSetting(name) == nullptr) throw Error(fmt::format("there is no setting {}", Shown(name)));
      values[name] = TextOf(name, node);
    }
  } catch (const toml::parse_error& error) {
    const auto& where = error.source().begin;
    throw Error(fmt::format("{}: line {}, column {}: {}", path, where.line, where.column, error.description()));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", path, error.what()));
  }
  if (!base.empty()) values.merge(ReadFileAndBases(base, std::move(above)));  // what is there stays
  return values;
}

}  // namespace

SettingValues ReadSettingsFile(const std::string& path) { return ReadFileAndBases(path, {}); }

std::string FormatSettings(const RunSettings& settings, std::string_view comment, const SettingValues& record) {
  std::ostringstream text;
  text << "# " << comment << '\n';
  for (const Setting& setting : AllSettings()) {
    const std::string value = setting.print(settings);
    const bool is_whole = value.find_first_not_of("0123456789") == std::string::npos;
    // A seed may be more than TOML's integers hold; it is text then.
    const bool fits = !is_whole || ReadNumber<std::int64_t>(value);
    text << setting.name << " = ";
    if (setting.is_number && fits) {
      text << value << '\n';
    } else {
      text << toml::value<std::string>(value) << '\n';
    }
  }
  if (!record.empty()) text << "\n[" << kRecord << "]\n";
  for (const auto& [name, value] : record) text << name << " = " << toml::value<std::string>(value) << '\n';
  return text.str();
}

#else

bool HasToml() { return false; }

SettingValues ReadSettingsFile(const std::string& path) {
  throw Error(
      fmt::format("{}: this program was built without toml++, which reads such files; give the settings as options", path));
}

std::string FormatSettings(const RunSettings& /*settings*/, std::string_view /*comment*/, const SettingValues& /*record*/) {
  throw Error("this program was built without toml++");
}

#endif

}  // namespace conpole

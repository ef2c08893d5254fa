#include "train/run/recipe.h"

#include <algorithm>

#include "domains/puzzles/permutation_group.h"
#include "nn/network_kind.h"
#include "train/agents/agent.h"
#include "train/loop/walks.h"

namespace conpole {
namespace {

constexpr std::string_view kParts = "parts";
constexpr std::string_view kShort = "short";
constexpr std::string_view kNone = "none";

bool ReadsTexts(const NetworkChoice& network) { return NetworkKindOf(network.kind).make_encoder != nullptr; }

// A GPU is fast where there is much to do at a time.
void SizeForGpu(TrainOptions& options) {
  options.network.sizes = {{"embedding", 64}, {"hidden", 128}, {"layers", 2}};
  options.in_flight = 768;
  options.batch = 128;
  options.gradient_steps = 1.2;
  options.abstract_at = {300'000, 600'000};
  options.eval_least = 20'000;
}

// A processor gains nothing from large batches, and a small network learns more in the same time.
void SizeForCpu(TrainOptions& options) {
  options.network.sizes = {{"embedding", 16}, {"hidden", 48}, {"layers", 1}};
  options.in_flight = 64;
  options.batch = 24;
  options.negatives_sampled = 16;
  options.gradient_steps = 1.5;
  options.learning_rate = 0.002;
  options.abstract_at = {60'000, 120'000};
  options.eval_least = 2'000;
}

// Agents of the paper that learn from other things than the solutions of beams: problems as in the paper, and its steps.
void SizeForWalkers(TrainOptions& options) {
  SetCurriculum(kShort, options);
  options.steps = 10'000'000;
  options.gradient_steps = 1;
  options.depth_start = 6;
  options.depth_max = options.eval_max_steps = 30;
  options.abstract_at.clear();
}

// Over packed states. Walks cost nothing, so that every gradient step has new ones. By search there are few examples, which a
// network learns by heart if it is let.
void SizeForPackedStates(bool by_walks, bool on_gpu, TrainOptions& options) {
  options.network.sizes = {{"wide", 256}, {"hidden", 128}, {"blocks", 1}};
  if (on_gpu && by_walks) options.network.sizes = {{"wide", 1664}, {"hidden", 640}, {"blocks", 4}};
  if (on_gpu && !by_walks) options.network.sizes = {{"wide", 1024}, {"hidden", 512}, {"blocks", 2}};
  options.batch = 2000;
  if (on_gpu) options.batch = by_walks ? 40'000 : 10'000;
  if (by_walks && on_gpu) options.seconds = 300;
  if (by_walks && !on_gpu) options.steps = 2'000'000;
  if (!by_walks) options.steps = 10'000'000;
  options.eval_every = on_gpu && by_walks ? 100'000'000 : 500'000;
  options.learning_rate = on_gpu ? 0.001 : 0.002;
  options.final_learning_rate = 0;
  options.warmup = on_gpu ? 500 : 50;
  options.weight_decay = by_walks ? 1e-4 : 0.3;
  options.max_steps = 60;
  if (by_walks) return;
  options.smoothing = 0.1;
  options.average = 0.003;
  options.beam = 64;
  options.beam_value = BeamValue::kLogProbability;
  options.in_flight = 128;
  options.bootstrap = 50;
  options.easiest_of = 1;
  options.replay = 10'000'000;
}

// What was learned stays: problems are what they are from the first step on, and searches are guided.
void BeginWithModel(TrainOptions& options) {
  options.bootstrap = 0;
  options.depth_start = options.depth_max;
  options.abstract_at.clear();
  options.learning_rate /= 2;
  SetCurriculum(kNone, options);
}

}  // namespace

RunSettings RecipeFor(const RunSettings& asked) {
  RunSettings settings;
  settings.agent = asked.agent;
  settings.device = asked.device;
  TrainOptions& options = settings.train;
  options.eval_every = 0;
  options.variant = asked.train.variant;
  options.init = asked.train.init;
  const AgentType* const agent = FindAgentType(asked.agent);
  const bool on_gpu = asked.device.starts_with("cuda");
  const bool by_walks = agent != nullptr && agent->make == nullptr;
  if (by_walks || !ReadsTexts(asked.train.network)) {
    options.network.kind = by_walks ? "residual" : asked.train.network.kind;
    SizeForPackedStates(by_walks, on_gpu, options);
  } else {
    on_gpu ? SizeForGpu(options) : SizeForCpu(options);
    // Sizes are of the LSTM; other kinds have what is usual for them.
    if (asked.train.network.kind != options.network.kind) options.network = {asked.train.network.kind, {}, {}};
    SetCurriculum(kParts, options);
    if (agent != nullptr && !agent->learns_from_beams) SizeForWalkers(options);
  }
  if (agent != nullptr && agent->adapt != nullptr) agent->adapt(options);
  if (!options.init.empty()) BeginWithModel(options);
  return settings;
}

void AdaptToPuzzle(const FixedLayout& layout, bool on_gpu, TrainOptions& options) {
  options.walk_length = EstimateWalkLength(layout);
  options.value_weight = 0.1;
  constexpr double kManyStates = 40;  // the logarithm of about 2e17, between those of the 15-puzzle and of the 3x3x3 cube
  if (on_gpu && PuzzleGroup(layout).LogOfStates() > kManyStates) {
    options.network.sizes = {{"wide", 4096}, {"hidden", 1024}, {"blocks", 4}};
  }
}

void AdaptToDomains(std::size_t domains, TrainOptions& options) {
  options.in_flight *= domains;
  options.eval_least *= domains;
}

std::vector<std::string_view> CurriculumNames() { return {kParts, kShort, kNone}; }

std::string_view CurriculumName(const TrainOptions& options) {
  if (options.simplify != 0) return kParts;
  return options.easiest_of > 1 ? kShort : kNone;
}

bool SetCurriculum(std::string_view name, TrainOptions& options) {
  const std::vector<std::string_view> names = CurriculumNames();
  if (std::find(names.begin(), names.end(), name) == names.end()) return false;
  if (name == CurriculumName(options)) return true;
  options.simplify = name == kParts ? 12 : 0;
  options.easiest_of = name == kNone ? 1 : 64;
  // Parts of problems are easy, so that most of them can be solved; and they need not be searched deeper step by step.
  options.solved_share = name == kParts ? 0.8 : 0.5;
  if (name == kParts) options.depth_start = 16;
  return true;
}

}  // namespace conpole

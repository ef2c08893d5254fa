#include "search/packed_beam.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "conpole/error.h"

namespace conpole {
namespace {

constexpr std::size_t kStatesPerTask = 256;
constexpr float kNever = -std::numeric_limits<float>::infinity();

// Of one row.
float LogSumExp(const float* row, std::size_t count) {
  const float best = *std::max_element(row, row + count);
  float sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += std::exp(row[i] - best);
  return best + std::log(sum);
}

}  // namespace

CpuPackedBeam::CpuPackedBeam(const Endgame& endgame, PackedPolicy& policy, ThreadPool& pool)
    : layout_(endgame.layout()), endgame_(endgame), policy_(policy), pool_(pool) {}

PackedResult CpuPackedBeam::Search(std::span<const std::uint8_t> start, const PackedBeamOptions& options) {
  PackedResult result;
  layers_.clear();
  remembered_.clear();
  layer_ = {{start.begin(), start.end()}, {endgame_.hash().Of(start.data())}, {0.0F}, {}};
  for (std::size_t steps = 0;; ++steps) {
    const std::size_t end = FindEnd();
    // From outside the endgame it takes more steps than its radius.
    const bool is_too_far = end == layer_.hashes.size() && steps + endgame_.radius() >= options.max_steps;
    if (is_too_far) return result.outcome = SearchOutcome::kOutOfBudget, result;
    if (end != layer_.hashes.size()) {
      const std::span<const std::uint8_t> state(layer_.states.data() + end * layout_.cells, layout_.cells);
      if (const auto rest = endgame_.Path(state)) {
        if (steps + rest->size() > options.max_steps) return result.outcome = SearchOutcome::kOutOfBudget, result;
        result.actions = ActionsTo(end);
        result.actions.insert(result.actions.end(), rest->begin(), rest->end());
        result.outcome = SearchOutcome::kSolved;
        return result;
      }
    }
    if (steps >= options.max_steps || result.evaluated >= options.max_evaluated) {
      return result.outcome = SearchOutcome::kOutOfBudget, result;
    }
    if (!AskPolicy(options.stop)) return result.outcome = SearchOutcome::kInterrupted, result;
    result.evaluated += layer_.hashes.size();
    ComputeValues(options.value);
    if (!Select(options.width, result.candidates)) return result.outcome = SearchOutcome::kExhausted, result;
  }
}

std::size_t CpuPackedBeam::FindEnd() const {
  std::size_t found = layer_.hashes.size();
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (std::size_t i = 0; i < layer_.hashes.size(); ++i) {
    const std::optional<std::size_t> distance = endgame_.Distance(layer_.hashes[i]);
    if (!distance || *distance >= fewest) continue;
    found = i;
    fewest = *distance;
  }
  return found;
}

bool CpuPackedBeam::AskPolicy(const StopToken& stop) {
  const std::size_t count = layer_.hashes.size();
  const std::size_t actions = layout_.actions();
  preferences_.resize(count * actions);
  const std::size_t at_a_time = std::max<std::size_t>(1, policy_.StatesAtATime());
  for (std::size_t begin = 0; begin < count; begin += at_a_time) {
    if (stop.StopRequested()) return false;
    const std::size_t size = std::min(at_a_time, count - begin);
    policy_.Score({layer_.states.data() + begin * layout_.cells, size * layout_.cells},
                  {preferences_.data() + begin * actions, size * actions});
  }
  return true;
}

void CpuPackedBeam::ComputeValues(BeamValue value) {
  const std::size_t count = layer_.hashes.size();
  const std::size_t actions = layout_.actions();
  successor_hashes_.resize(count * actions);
  pool_.For((count + kStatesPerTask - 1) / kStatesPerTask, [&](std::size_t task) {
    const std::size_t end = std::min(count, (task + 1) * kStatesPerTask);
    for (std::size_t i = task * kStatesPerTask; i < end; ++i) {
      float* const row = preferences_.data() + i * actions;
      const float sum = value == BeamValue::kLogProbability ? LogSumExp(row, actions) : 0.0F;
      const float base = value == BeamValue::kLastScore ? 0.0F : layer_.values[i] - sum;
      for (std::size_t action = 0; action < actions; ++action) row[action] += base;
      if (!layer_.last.empty()) row[layout_.inverse[layer_.last[i]]] = kNever;
      endgame_.hash().OfSuccessors(layer_.states.data() + i * layout_.cells, successor_hashes_.data() + i * actions);
    }
  });
}

bool CpuPackedBeam::Select(std::size_t width, std::uint64_t& candidates) {
  const std::size_t actions = layout_.actions();
  const std::size_t all = preferences_.size();
  candidates += all;
  remembered_.push_back(layer_.hashes);
  if (remembered_.size() > kRememberedLayers) remembered_.erase(remembered_.begin());
  std::size_t expected = width;
  for (const std::vector<std::uint64_t>& hashes : remembered_) expected += hashes.size();
  seen_.Reset(std::min(expected, all + expected - width));
  for (const std::vector<std::uint64_t>& hashes : remembered_) {
    for (const std::uint64_t hash : hashes) seen_.Insert(hash, 0);
  }
  const auto is_better = [this](std::uint32_t a, std::uint32_t b) {
    return preferences_[a] != preferences_[b] ? preferences_[a] > preferences_[b] : a < b;
  };
  order_.resize(all);
  std::iota(order_.begin(), order_.end(), 0U);
  PackedLayer chosen;
  next_.hashes.clear();
  next_.values.clear();
  // The best come in portions, each sorted by itself: as a rule the first is enough.
  std::size_t begin = 0;
  while (begin < all && chosen.parents.size() < width) {
    const std::size_t end = std::min(all, begin + 2 * (width - chosen.parents.size()) + 64);
    const auto from = order_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = order_.begin() + static_cast<std::ptrdiff_t>(end);
    if (end != all) std::nth_element(from, to, order_.end(), is_better);
    std::sort(from, to, is_better);
    for (auto at = from; at != to && chosen.parents.size() < width; ++at) {
      if (preferences_[*at] == kNever || !seen_.Insert(successor_hashes_[*at], 0)) continue;
      chosen.parents.push_back(static_cast<std::uint32_t>(*at / actions));
      chosen.actions.push_back(static_cast<std::uint8_t>(*at % actions));
      next_.hashes.push_back(successor_hashes_[*at]);
      next_.values.push_back(preferences_[*at]);
    }
    begin = end;
  }
  if (chosen.parents.empty()) return false;
  next_.states.resize(chosen.parents.size() * layout_.cells);
  for (std::size_t i = 0; i < chosen.parents.size(); ++i) {
    MovePacked(layout_, chosen.actions[i], layer_.states.data() + chosen.parents[i] * layout_.cells,
               next_.states.data() + i * layout_.cells);
  }
  next_.last = chosen.actions;
  layers_.push_back(std::move(chosen));
  std::swap(layer_, next_);
  return true;
}

std::vector<std::uint8_t> CpuPackedBeam::ActionsTo(std::size_t index) const {
  std::vector<std::uint8_t> actions;
  for (std::size_t i = layers_.size(); i-- > 0;) {
    actions.push_back(layers_[i].actions[index]);
    index = layers_[i].parents[index];
  }
  std::reverse(actions.begin(), actions.end());
  return actions;
}

}  // namespace conpole

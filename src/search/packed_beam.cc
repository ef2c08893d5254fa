#include "search/packed_beam.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "search/beam_step.h"
#include "search/packed_scorer.h"

namespace conpole {
namespace {

constexpr std::size_t kStatesPerTask = 256;
constexpr float kNever = -std::numeric_limits<float>::infinity();

// Each less the mean, over the standard deviation.
std::vector<float> Standardised(std::vector<float> values) {
  double sum = 0;
  double squares = 0;
  for (const float value : values) sum += value;
  const double mean = sum / static_cast<double>(values.size());
  for (const float value : values) squares += (value - mean) * (value - mean);
  const double spread = std::sqrt(squares / static_cast<double>(values.size())) + 1e-6;
  for (float& value : values) value = static_cast<float>((value - mean) / spread);
  return values;
}

// Of log-probabilities to which `so_far` was added.
float Entropy(std::span<const float> values, float so_far) {
  float sum = 0;
  for (const float value : values) {
    if (value != kNever) sum -= std::exp(value - so_far) * (value - so_far);
  }
  return sum;
}

}  // namespace

std::size_t LayerWidth::After(std::size_t steps, std::uint64_t evaluated) const {
  if (options_.finish_by == StopToken::Clock::time_point::max()) return options_.width;
  const auto now = StopToken::Clock::now();
  const auto seconds = [](auto duration) { return std::chrono::duration<double>(duration).count(); };
  const double so_far = std::max(1e-9, seconds(now - start_));
  const double seconds_per_state = so_far / static_cast<double>(std::max<std::uint64_t>(1, evaluated));
  const std::size_t layers = std::max(options_.max_steps, steps + reach_ + 1) - steps - reach_;
  const double asked = seconds(options_.finish_by - now) / seconds_per_state / static_cast<double>(layers);
  constexpr std::size_t kMany = 1000;
  const double kept_of_asked =
      AsksForDistance(options_.value) ? static_cast<double>(kMany) / static_cast<double>(AskedToKeep(kMany)) : 1;
  const double kept = asked * kept_of_asked;
  return static_cast<std::size_t>(std::clamp(kept, 1.0, static_cast<double>(options_.width)));
}

CpuPackedBeam::CpuPackedBeam(const Endgame& endgame, PackedPolicy& policy, ThreadPool& pool)
    : layout_(endgame.layout()),
      endgame_(endgame),
      policy_(policy),
      pool_(pool),
      not_after_(NotAfter(layout_)),
      price_of_doubt_(PriceOfDoubt(layout_)) {}

PackedResult CpuPackedBeam::Search(std::span<const std::uint8_t> start, const PackedBeamOptions& options) {
  PackedResult result;
  const std::size_t reach = options.endgame ? endgame_.reach() : 0;
  const LayerWidth layer_width(options, reach);
  layers_.clear();
  remembered_.clear();
  layer_ = {{start.begin(), start.end()}, {endgame_.hash().Of(start.data())}, {0.0F}, {}};
  for (std::size_t steps = 0;; ++steps) {
    const std::size_t end = FindEnd(options.endgame);
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
    if (steps + reach >= options.max_steps || result.evaluated >= options.max_evaluated) {
      return result.outcome = SearchOutcome::kOutOfBudget, result;
    }
    const bool by_distance = AsksForDistance(options.value);
    if (!ScoreInPieces(policy_, layout_, layer_.states, preferences_, by_distance ? &far_ : nullptr, options.stop))
      return result.outcome = SearchOutcome::kInterrupted, result;
    result.evaluated += layer_.hashes.size();
    remembered_.push_back(layer_.hashes);
    if (remembered_.size() > kRememberedLayers) remembered_.erase(remembered_.begin());
    const std::size_t width = layer_width.After(steps + 1, result.evaluated);
    if (by_distance) Prune(width, options.value);
    ComputeValues(options.value);
    if (!Select(by_distance ? AskedToKeep(width) : width, result.candidates))
      return result.outcome = SearchOutcome::kExhausted, result;
  }
}

std::size_t CpuPackedBeam::FindEnd(bool uses_endgame) {
  const std::size_t count = layer_.hashes.size();
  constexpr std::size_t kFar = std::numeric_limits<std::size_t>::max();
  distances_.resize(count);
  pool_.For((count + kStatesPerTask - 1) / kStatesPerTask, [&](std::size_t task) {
    const std::size_t end = std::min(count, (task + 1) * kStatesPerTask);
    for (std::size_t i = task * kStatesPerTask; i < end; ++i) {
      const std::uint8_t* const state = layer_.states.data() + i * layout_.cells;
      const std::optional<std::size_t> known =
          uses_endgame ? endgame_.DistanceAhead(state, layer_.hashes[i]) : endgame_.Distance(layer_.hashes[i]);
      distances_[i] = known && (uses_endgame || *known == 0) ? *known : kFar;
    }
  });
  const auto nearest = std::min_element(distances_.begin(), distances_.end());
  return *nearest == kFar ? count : static_cast<std::size_t>(nearest - distances_.begin());
}

void CpuPackedBeam::Prune(std::size_t width, BeamValue value) {
  const std::size_t count = layer_.hashes.size();
  if (count <= width) return;
  std::vector<float> worth(count);
  for (std::size_t i = 0; i < count; ++i) worth[i] = -far_[i];
  if (value == BeamValue::kBoth) {
    const std::vector<float> paths = Standardised(layer_.values);
    worth = Standardised(worth);
    for (std::size_t i = 0; i < count; ++i) worth[i] += paths[i];
  }
  std::vector<std::uint32_t> kept;
  TakeBest(worth, width, order_, [&](std::uint32_t index) {
    kept.push_back(index);
    return true;
  });
  std::sort(kept.begin(), kept.end());
  const auto keep = [&](auto& values, std::size_t size) {
    for (std::size_t to = 0; to < kept.size(); ++to) {
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(kept[to] * size), size,
                  values.begin() + static_cast<std::ptrdiff_t>(to * size));
    }
    values.resize(kept.size() * size);
  };
  keep(layer_.states, layout_.cells);
  keep(layer_.hashes, 1);
  keep(layer_.values, 1);
  keep(layer_.last, 1);
  keep(far_, 1);
  keep(preferences_, layout_.actions());
  keep(layers_.back().parents, 1);
  keep(layers_.back().actions, 1);
}

void CpuPackedBeam::ComputeValues(BeamValue value) {
  const std::size_t count = layer_.hashes.size();
  const std::size_t actions = layout_.actions();
  successor_hashes_.resize(count * actions);
  pool_.For((count + kStatesPerTask - 1) / kStatesPerTask, [&](std::size_t task) {
    const std::size_t end = std::min(count, (task + 1) * kStatesPerTask);
    for (std::size_t i = task * kStatesPerTask; i < end; ++i) {
      const std::span<float> row(preferences_.data() + i * actions, actions);
      const BeamValue of_path = AsksForDistance(value) ? BeamValue::kLogProbability : value;
      const float so_far = value == BeamValue::kDistance ? -far_[i] : layer_.values[i];
      AddPathValue<float>(of_path, so_far, row);
      if (value == BeamValue::kLogProbability) {
        const float doubt = price_of_doubt_ * Entropy(row, so_far);
        for (float& of_successor : row) of_successor -= doubt;
      }
      if (!layer_.last.empty()) {
        for (const std::uint8_t action : not_after_[layer_.last[i]]) row[action] = kNever;
      }
      endgame_.hash().OfSuccessors(layer_.states.data() + i * layout_.cells, successor_hashes_.data() + i * actions);
    }
  });
}

bool CpuPackedBeam::Select(std::size_t width, std::uint64_t& candidates) {
  const std::size_t actions = layout_.actions();
  const std::size_t all = preferences_.size();
  candidates += all;
  std::size_t expected = width;
  for (const std::vector<std::uint64_t>& hashes : remembered_) expected += hashes.size();
  seen_.Reset(std::min(expected, all + expected - width));
  for (const std::vector<std::uint64_t>& hashes : remembered_) {
    for (const std::uint64_t hash : hashes) seen_.Insert(hash, 0);
  }
  PackedLayer chosen;
  next_.hashes.clear();
  next_.values.clear();
  TakeBest(preferences_, width, order_, [&](std::uint32_t candidate) {
    if (preferences_[candidate] == kNever || !seen_.Insert(successor_hashes_[candidate], 0)) return false;
    chosen.parents.push_back(static_cast<std::uint32_t>(candidate / actions));
    chosen.actions.push_back(static_cast<std::uint8_t>(candidate % actions));
    next_.hashes.push_back(successor_hashes_[candidate]);
    next_.values.push_back(preferences_[candidate]);
    return true;
  });
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

PackedResult SearchViews(PackedBeam& beam, const FixedLayout& layout, std::span<const std::uint8_t> start,
                         const PackedBeamOptions& options, std::size_t views) {
  if (views <= 1) return beam.Search(start, options);
  if (views > layout.symmetries().size()) {
    throw Error(
        fmt::format("a problem has {} views here, not {}", std::max<std::size_t>(1, layout.symmetries().size()), views));
  }
  PackedBeamOptions left = options;
  PackedResult best;
  for (std::size_t view = 0; view < views; ++view) {
    const LayoutSymmetry& symmetry = layout.symmetries()[view * layout.symmetries().size() / views];
    PackedResult result = beam.Search(ViewOf(symmetry, start), left);
    best.evaluated += result.evaluated;
    best.candidates += result.candidates;
    if (result.outcome == SearchOutcome::kSolved) {
      std::vector<std::uint8_t> original(layout.actions());
      for (std::size_t action = 0; action < original.size(); ++action) {
        original[symmetry.actions[action]] = static_cast<std::uint8_t>(action);
      }
      for (std::uint8_t& action : result.actions) action = original[action];
      best.outcome = SearchOutcome::kSolved;
      best.actions = std::move(result.actions);
      if (best.actions.empty()) return best;
      left.max_steps = best.actions.size() - 1;
    } else if (best.outcome != SearchOutcome::kSolved) {
      best.outcome = result.outcome;
    }
    if (result.outcome == SearchOutcome::kInterrupted || best.evaluated >= options.max_evaluated) return best;
    left.max_evaluated = options.max_evaluated - best.evaluated;
  }
  return best;
}

bool CanBeSwapped(const FixedLayout& layout, std::size_t one, std::size_t other) {
  const std::vector<std::uint8_t>& a = layout.moves[one];
  const std::vector<std::uint8_t>& b = layout.moves[other];
  for (std::size_t cell = 0; cell < layout.cells; ++cell) {
    if (a[b[cell]] != b[a[cell]]) return false;
  }
  return true;
}

bool CanBeTakenInAnyOrder(const FixedLayout& layout) {
  if (!layout.conditions.empty()) return false;
  for (std::size_t one = 0; one < layout.actions(); ++one) {
    if (layout.inverse[one] != one) return false;
    for (std::size_t other = 0; other < one; ++other) {
      if (!CanBeSwapped(layout, one, other)) return false;
    }
  }
  return true;
}

float PriceOfDoubt(const FixedLayout& layout) { return CanBeTakenInAnyOrder(layout) ? 0.0F : 0.6F; }

std::vector<std::vector<std::uint8_t>> NotAfter(const FixedLayout& layout) {
  const bool is_any_order = CanBeTakenInAnyOrder(layout);
  std::vector<std::vector<std::uint8_t>> not_after;
  for (std::size_t action = 0; action < layout.actions(); ++action) {
    not_after.push_back({layout.inverse[action]});
    for (std::size_t earlier = 0; is_any_order && earlier < action; ++earlier) {
      not_after.back().push_back(static_cast<std::uint8_t>(earlier));
    }
  }
  return not_after;
}

std::vector<std::uint8_t> WithoutDetours(const FixedLayout& layout, std::span<const std::uint8_t> start,
                                         std::span<const std::uint8_t> actions) {
  std::vector<std::uint8_t> way;
  for (const std::uint8_t action : actions) {
    std::size_t undone = way.size();
    // With conditions, steps that could be swapped as moves may not be possible in the other order.
    for (std::size_t i = layout.conditions.empty() ? way.size() : 0; i-- > 0;) {
      if (way[i] == layout.inverse[action]) {
        undone = i;
        break;
      }
      if (!CanBeSwapped(layout, way[i], action)) break;
    }
    if (undone == way.size()) {
      way.push_back(action);
    } else {
      way.erase(way.begin() + static_cast<std::ptrdiff_t>(undone));
    }
  }
  std::map<std::vector<std::uint8_t>, std::size_t> steps_to;  // of the states on the way
  std::vector<std::uint8_t> state(start.begin(), start.end());
  std::vector<std::uint8_t> moved(state.size());
  std::vector<std::uint8_t> shortest;
  std::vector<std::vector<std::uint8_t>> states{state};
  steps_to[state] = 0;
  for (const std::uint8_t action : way) {
    MovePacked(layout, action, state.data(), moved.data());
    state.swap(moved);
    shortest.push_back(action);
    const auto [place, is_new] = steps_to.emplace(state, shortest.size());
    if (is_new) {
      states.push_back(state);
      continue;
    }
    shortest.resize(place->second);
    while (states.size() > shortest.size() + 1) {
      steps_to.erase(states.back());
      states.pop_back();
    }
  }
  return shortest;
}

}  // namespace conpole

#include "train/loop/walks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>

#include "domains/puzzles/permutation_group.h"
#include "search/packed_beam.h"
#include "util/hash.h"
#include "util/random.h"

namespace conpole {
namespace {

bool CanBeSwappedWithAll(const FixedLayout& layout, std::size_t action) {
  for (std::size_t other = 0; other < layout.actions(); ++other) {
    if (!CanBeSwapped(layout, action, other)) return false;
  }
  return true;
}

// How often each cell has each colour in the states at the ends of walks.
std::vector<double> ColoursOfCells(const FixedLayout& layout, std::span<const std::uint8_t> states) {
  std::vector<double> shares(layout.cells * layout.colours);
  const double each = static_cast<double>(layout.cells) / static_cast<double>(states.size());
  for (std::size_t i = 0; i < states.size(); ++i) shares[i % layout.cells * layout.colours + states[i]] += each;
  return shares;
}

// The least number of steps after which the colours of cells are about as after very many steps.
std::size_t StepsToMix(const FixedLayout& layout) {
  constexpr std::size_t kWalks = 1000;
  constexpr double kLeft = 0.001;  // of the squares, most of which are gone soon: what lasts is a small part
  const std::size_t most = layout.conditions.empty() ? 256 : std::min<std::size_t>(10'000, 32 * layout.cells * layout.cells);
  // Two halves, so that what is chance in one is not in the other, and the product of both has no error on average. Every other
  // step may be of another kind, so that two steps count as one.
  using Halves = std::array<std::vector<double>, 2>;
  std::vector<std::size_t> times;
  std::vector<Halves> shares;
  for (std::size_t time = 2; time < most; time += std::max<std::size_t>(2, time / 8 * 2)) times.push_back(time);
  times.push_back(most);
  shares.resize(times.size());
  for (std::size_t half = 0; half < 2; ++half) {
    const WalkBatch walks = WalkSource(layout, 7).Draw(half, kWalks, most);
    std::vector<std::uint8_t> states;
    for (std::size_t walk = 0; walk < kWalks; ++walk) states.insert(states.end(), layout.solved.begin(), layout.solved.end());
    std::vector<std::uint8_t> moved(states.size());
    std::vector<double> before;
    std::size_t next = 0;
    for (std::size_t step = 0; step < most; ++step) {
      for (std::size_t walk = 0; walk < kWalks; ++walk) {
        const std::size_t at = walk * layout.cells;
        MovePacked(layout, walks.actions[step * kWalks + walk], states.data() + at, moved.data() + at);
      }
      states.swap(moved);
      if (step + 2 == times[next]) before = ColoursOfCells(layout, states);
      if (step + 1 != times[next]) continue;
      shares[next][half] = ColoursOfCells(layout, states);
      for (std::size_t i = 0; i < before.size(); ++i) shares[next][half][i] = (shares[next][half][i] + before[i]) / 2;
      ++next;
    }
  }
  const std::vector<double> solved = ColoursOfCells(layout, layout.solved);
  const Halves& mixed = shares.back();
  double at_first = 0;
  for (std::size_t i = 0; i < solved.size(); ++i) at_first += (solved[i] - mixed[0][i]) * (solved[i] - mixed[1][i]);
  for (std::size_t k = 0; k + 1 < times.size(); ++k) {
    double left = 0;
    for (std::size_t i = 0; i < solved.size(); ++i) left += (shares[k][0][i] - mixed[0][i]) * (shares[k][1][i] - mixed[1][i]);
    if (left < kLeft * at_first) return times[k];
  }
  return most;
}

}  // namespace

std::size_t WalkBatch::states() const {
  std::size_t sum = 0;
  for (std::size_t step = 0; step < length; ++step) {
    const std::size_t first = FirstLearned(step);
    if (first < walks) sum += (walks - 1 - first) / every + 1;
  }
  return sum / parts;
}

WalkSource::WalkSource(const FixedLayout& layout, std::uint64_t seed)
    : first_(PossibleActions(layout, layout.solved.data())),
      next_(SensibleNextActions(layout)),
      is_any_order_(CanBeTakenInAnyOrder(layout)),
      seed_(seed) {
  for (std::size_t action = 0; action < next_.size(); ++action) {
    if (!layout.conditions.empty()) {
      // At the end of a corridor there is only the way back.
      if (next_[action].empty()) next_[action] = {layout.inverse[action]};
    } else if (CanBeSwappedWithAll(layout, action)) {
      // One that comes at any time, such as a turn of a tip: if it had to come in order, little could follow it.
      next_[action].clear();
      for (const std::uint8_t other : first_) {
        if (other != action && other != layout.inverse[action]) next_[action].push_back(other);
      }
    }
    if (next_[action].empty()) next_[action] = first_;
  }
}

WalkBatch WalkSource::Draw(std::uint64_t step, WalkBatch batch) const {
  constexpr std::uint64_t kStream = 4;  // another one than those of the search-based trainer
  const std::size_t walks = batch.walks;
  batch.actions.assign(walks * batch.length, 0);
  batch.seed = MixHash(MixHash(seed_, kStream), step);
  Random random(batch.seed);
  if (is_any_order_) {
    std::vector<std::uint8_t> order = first_;
    for (std::size_t walk = 0; walk < walks; ++walk) {
      for (std::size_t begin = 0; begin < batch.length; begin += order.size()) {
        random.Shuffle(std::span(order));
        const std::size_t count = std::min(order.size(), batch.length - begin);
        std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), std::greater<>());
        for (std::size_t at = 0; at < count; ++at) batch.actions[(begin + at) * walks + walk] = order[at];
      }
    }
    return batch;
  }
  for (std::size_t taken = 0; taken < batch.length; ++taken) {
    for (std::size_t at = taken * walks + batch.FirstAt(taken); at < (taken + 1) * walks; ++at) {
      const std::vector<std::uint8_t>& next = taken == 0 ? first_ : next_[batch.actions[at - walks]];
      batch.actions[at] = next[random.Uint64(0, next.size())];
    }
  }
  return batch;
}

std::size_t EstimateWalkLength(const FixedLayout& layout) {
  if (CanBeTakenInAnyOrder(layout)) {
    const auto actions = static_cast<double>(layout.actions());
    return static_cast<std::size_t>(std::ceil((actions + std::sqrt(actions)) / 2));
  }
  const std::vector<std::vector<std::uint8_t>> next = SensibleNextActions(layout);
  double choices = 0;
  for (const std::vector<std::uint8_t>& after : next) choices += static_cast<double>(after.size());
  choices = std::max(1.5, choices / static_cast<double>(next.size()));
  constexpr double kMore = 1.3;
  const double steps = kMore * PuzzleGroup(layout).LogOfStates() / std::log(choices);
  return std::max({static_cast<std::size_t>(std::ceil(steps)), StepsToMix(layout), std::size_t{2}});
}

}  // namespace conpole

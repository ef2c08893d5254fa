#include "search/endgame.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>

namespace conpole {
namespace {

constexpr std::size_t kMostSteps = HashMap::kNone - 1;

}  // namespace

Endgame::Endgame(const FixedLayout& layout, std::size_t max_states)
    : layout_(layout), hash_(layout), distances_(max_states), size_(1) {
  // A state is made only once its own successors are looked for: most are of the last round.
  struct Found {
    std::uint32_t parent;  // in the round before
    std::uint8_t action;   // that led to it
  };
  const std::vector<std::vector<std::uint8_t>> next = SensibleNextActions(layout);
  std::vector<std::uint8_t> every_action(layout.actions());
  std::iota(every_action.begin(), every_action.end(), std::uint8_t{0});
  std::vector<std::uint64_t> hashes(layout.actions());
  std::vector<std::uint8_t> states_before;  // of the round before
  std::vector<Found> round{{0, 0}};
  distances_.Insert(hash_.Of(layout.solved.data()), 0);
  for (std::size_t steps = 1; steps <= kMostSteps; ++steps) {
    std::vector<std::uint8_t> states = steps == 1 ? layout.solved : std::vector<std::uint8_t>(round.size() * layout.cells);
    std::vector<Found> found;
    for (std::size_t i = 0; i < round.size(); ++i) {
      std::uint8_t* const state = states.data() + i * layout.cells;
      if (steps > 1) MovePacked(layout, round[i].action, states_before.data() + round[i].parent * layout.cells, state);
      hash_.OfSuccessors(state, hashes.data());
      for (const std::uint8_t action : steps == 1 ? every_action : next[round[i].action]) {
        if (!distances_.Insert(hashes[action], static_cast<std::uint8_t>(steps))) continue;
        found.push_back({static_cast<std::uint32_t>(i), action});
      }
      // What is not listed must be farther than the radius, so that a round counts as a whole or not at all.
      if (size_ + found.size() > max_states) return;
    }
    if (found.empty()) return;
    size_ += found.size();
    radius_ = steps;
    round = std::move(found);
    states_before = std::move(states);
  }
}

const Endgame& SharedEndgame(const FixedLayout& layout) {
  static std::mutex mutex;
  static std::map<const FixedLayout*, std::unique_ptr<const Endgame>> endgames;
  const std::lock_guard lock(mutex);
  std::unique_ptr<const Endgame>& endgame = endgames[&layout];
  if (!endgame) endgame = std::make_unique<const Endgame>(layout);
  return *endgame;
}

std::optional<std::vector<std::uint8_t>> Endgame::Path(std::span<const std::uint8_t> state) const {
  std::vector<std::uint8_t> at(state.begin(), state.end());
  std::vector<std::uint8_t> moved(at.size());
  std::vector<std::uint64_t> hashes(layout_.actions());
  std::vector<std::uint8_t> path;
  std::optional<std::size_t> left = Distance(hash_.Of(at.data()));
  if (!left) return std::nullopt;
  for (; *left > 0; --*left) {
    hash_.OfSuccessors(at.data(), hashes.data());
    const auto closer = [&](std::uint64_t hash) { return distances_[hash] + std::size_t{1} == *left; };
    const auto found = std::find_if(hashes.begin(), hashes.end(), closer);
    if (found == hashes.end()) return std::nullopt;
    path.push_back(static_cast<std::uint8_t>(found - hashes.begin()));
    MovePacked(layout_, path.back(), at.data(), moved.data());
    at.swap(moved);
  }
  if (at != layout_.solved) return std::nullopt;
  return path;
}

void Endgame::List(std::vector<std::int64_t>& hashes, std::vector<std::int64_t>& distances) const {
  std::vector<std::pair<std::int64_t, std::int64_t>> all;
  distances_.ForEach([&](std::uint64_t hash, std::uint8_t distance) {
    if (distance <= radius_) all.emplace_back(static_cast<std::int64_t>(hash), static_cast<std::int64_t>(distance));
  });
  std::sort(all.begin(), all.end());
  for (const auto& [hash, distance] : all) {
    hashes.push_back(hash);
    distances.push_back(distance);
  }
}

}  // namespace conpole

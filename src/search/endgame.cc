#include "search/endgame.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <utility>

namespace conpole {
namespace {

constexpr std::size_t kMaxEndgameSteps = HashMap::kNone - 1;
constexpr std::size_t kStepsAhead = 2;
constexpr std::size_t kUsualStates = std::size_t{1} << 20;

// The move that is two moves, one after the other.
std::vector<std::uint8_t> Joined(const std::vector<std::uint8_t>& first, const std::vector<std::uint8_t>& second) {
  std::vector<std::uint8_t> both(first.size());
  for (std::size_t cell = 0; cell < both.size(); ++cell) both[cell] = first[second[cell]];
  return both;
}

}  // namespace

Endgame::Endgame(const FixedLayout& layout, std::size_t max_states, Lookahead lookahead)
    : layout_(layout), hash_(layout), distances_(max_states), size_(1) {
  ListStates(max_states);
  // Where few actions are possible, the states that are listed reach far without it.
  if (lookahead == Lookahead::kNone || !layout.conditions.empty()) return;
  std::set<std::vector<std::uint8_t>> met(layout.moves.begin(), layout.moves.end());
  std::vector<std::uint8_t> stay(layout.cells);
  std::iota(stay.begin(), stay.end(), std::uint8_t{0});
  met.insert(stay);
  std::vector<std::vector<std::uint8_t>> moves;
  for (std::size_t first = 0; first < layout.actions(); ++first) {
    for (std::size_t second = 0; second < layout.actions(); ++second) {
      std::vector<std::uint8_t> both = Joined(layout.moves[first], layout.moves[second]);
      if (!met.insert(both).second) continue;
      moves.push_back(std::move(both));
      walks_.push_back({static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(second)});
    }
  }
  ahead_.emplace(layout, hash_.words(), moves);
}

void Endgame::ListStates(std::size_t max_states) {
  // A state is made only once its own successors are looked for: most are of the last round. Some states at a time, so that the
  // places of their successors' hashes are fetched while others are looked at.
  constexpr std::size_t kAtATime = 16;
  struct Found {
    std::uint32_t parent;  // in the round before
    std::uint8_t action;   // that led to it
  };
  const std::vector<std::vector<std::uint8_t>> next = SensibleNextActions(layout_);
  std::vector<std::uint8_t> every_action(layout_.actions());
  std::iota(every_action.begin(), every_action.end(), std::uint8_t{0});
  std::vector<std::uint64_t> hashes(kAtATime * layout_.actions());
  std::vector<std::uint8_t> states_before;  // of the round before
  std::vector<Found> round{{0, 0}};
  distances_.Insert(hash_.Of(layout_.solved.data()), 0);
  for (std::size_t steps = 1; steps <= kMaxEndgameSteps; ++steps) {
    std::vector<std::uint8_t> states;
    // The last round needs little of it, and memory that is not used costs nothing.
    states.reserve(round.size() * layout_.cells);
    std::vector<Found> found;
    for (std::size_t begin = 0; begin < round.size(); begin += kAtATime) {
      const std::size_t end = std::min(begin + kAtATime, round.size());
      states.resize(end * layout_.cells);
      for (std::size_t i = begin; i < end; ++i) {
        std::uint8_t* const state = states.data() + i * layout_.cells;
        if (steps == 1) {
          std::copy(layout_.solved.begin(), layout_.solved.end(), state);
        } else {
          MovePacked(layout_, round[i].action, states_before.data() + round[i].parent * layout_.cells, state);
        }
        std::uint64_t* const of_state = hashes.data() + (i - begin) * layout_.actions();
        hash_.OfSuccessors(state, of_state);
        for (std::size_t action = 0; action < layout_.actions(); ++action) distances_.Prefetch(of_state[action]);
      }
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint64_t* const of_state = hashes.data() + (i - begin) * layout_.actions();
        for (const std::uint8_t action : steps == 1 ? every_action : next[round[i].action]) {
          if (!distances_.Insert(of_state[action], static_cast<std::uint8_t>(steps))) continue;
          found.push_back({static_cast<std::uint32_t>(i), action});
        }
        // What is not listed must be farther than the radius, so that a round counts as a whole or not at all.
        if (size_ + found.size() > max_states) return;
      }
    }
    if (found.empty()) {
      is_complete_ = true;
      return;
    }
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
  if (!endgame) endgame = std::make_unique<const Endgame>(layout, kUsualStates, Lookahead::kTwoSteps);
  return *endgame;
}

std::optional<Endgame::Ahead> Endgame::LookAhead(const std::uint8_t* state) const {
  if (!ahead_) return std::nullopt;
  thread_local std::vector<std::uint64_t> hashes;  // once for all states that a thread looks ahead from
  hashes.resize(ahead_->moves());
  ahead_->Of(state, hashes.data());
  for (const std::uint64_t hash : hashes) distances_.Prefetch(hash);
  std::optional<Ahead> best;
  for (std::size_t walk = 0; walk < hashes.size(); ++walk) {
    const std::optional<std::size_t> distance = Distance(hashes[walk]);
    if (distance && (!best || *distance < best->distance_after)) best = {walk, *distance};
  }
  return best;
}

std::optional<std::size_t> Endgame::DistanceAhead(const std::uint8_t* state, std::uint64_t hash) const {
  if (const std::optional<std::size_t> known = Distance(hash)) return known;
  const std::optional<Ahead> ahead = LookAhead(state);
  if (!ahead) return std::nullopt;
  return ahead->distance_after + kStepsAhead;
}

std::optional<std::vector<std::uint8_t>> Endgame::Path(std::span<const std::uint8_t> state) const {
  std::vector<std::uint8_t> at(state.begin(), state.end());
  std::vector<std::uint8_t> moved(at.size());
  std::vector<std::uint64_t> hashes(layout_.actions());
  std::vector<std::uint8_t> path;
  const auto take = [&](std::uint8_t action) {
    path.push_back(action);
    MovePacked(layout_, action, at.data(), moved.data());
    at.swap(moved);
  };
  std::optional<std::size_t> left = Distance(hash_.Of(at.data()));
  if (!left) {
    const std::optional<Ahead> ahead = LookAhead(at.data());
    if (!ahead) return std::nullopt;
    for (const std::uint8_t action : walks_[ahead->walk]) take(action);
    left = ahead->distance_after;
  }
  for (; *left > 0; --*left) {
    hash_.OfSuccessors(at.data(), hashes.data());
    const auto closer = [&](std::uint64_t hash) { return distances_[hash] + std::size_t{1} == *left; };
    const auto found = std::find_if(hashes.begin(), hashes.end(), closer);
    if (found == hashes.end()) return std::nullopt;
    take(static_cast<std::uint8_t>(found - hashes.begin()));
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

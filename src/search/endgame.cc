#include "search/endgame.h"

#include <algorithm>
#include <utility>

namespace conpole {
namespace {

constexpr std::size_t kMostSteps = HashMap::kNone - 1;

}  // namespace

Endgame::Endgame(const FixedLayout& layout, std::size_t max_states) : layout_(layout), hash_(layout) {
  const std::vector<std::vector<std::uint8_t>> next = SensibleNextActions(layout);
  std::vector<std::uint64_t> hashes(layout.actions());
  struct Round {
    std::vector<std::uint8_t> states;
    std::vector<std::uint8_t> last;  // the action that each was reached by
  };
  Round round{layout.solved, {}};
  distances_.Insert(hash_.Of(layout.solved.data()), 0);
  for (std::size_t steps = 1; steps <= kMostSteps; ++steps) {
    // A round is all or nothing: what is not listed must be farther than the radius.
    Round found;
    std::vector<std::uint64_t> found_hashes;
    HashMap now(round.last.size() * 8);
    for (std::size_t i = 0; i * layout.cells < round.states.size(); ++i) {
      const std::uint8_t* const state = round.states.data() + i * layout.cells;
      hash_.OfSuccessors(state, hashes.data());
      const auto visit = [&](std::uint8_t action) {
        if (distances_[hashes[action]] != HashMap::kNone || !now.Insert(hashes[action], 0)) return;
        found.states.resize(found.states.size() + layout.cells);
        MovePacked(layout, action, state, found.states.data() + found.states.size() - layout.cells);
        found.last.push_back(action);
        found_hashes.push_back(hashes[action]);
      };
      if (round.last.empty()) {
        for (std::size_t action = 0; action < layout.actions(); ++action) visit(static_cast<std::uint8_t>(action));
      } else {
        for (const std::uint8_t action : next[round.last[i]]) visit(action);
      }
      if (distances_.size() + found_hashes.size() > max_states) return;
    }
    if (found_hashes.empty()) return;
    for (const std::uint64_t hash : found_hashes) distances_.Insert(hash, static_cast<std::uint8_t>(steps));
    radius_ = steps;
    round = std::move(found);
  }
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
    const auto closer = [&](std::uint64_t hash) { return distances_[hash] + 1U == *left; };
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
    all.emplace_back(static_cast<std::int64_t>(hash), static_cast<std::int64_t>(distance));
  });
  std::sort(all.begin(), all.end());
  for (const auto& [hash, distance] : all) {
    hashes.push_back(hash);
    distances.push_back(distance);
  }
}

}  // namespace conpole

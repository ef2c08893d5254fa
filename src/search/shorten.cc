#include "search/shorten.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "search/hash_map.h"

namespace conpole {
namespace {

using Actions = std::vector<std::uint8_t>;

constexpr std::size_t kStatesPerLook = 4096;  // at whether it is to stop

// A round of a search by breadth: what it found, each with the action that led to it from a state of the round before.
struct Round {
  std::vector<std::uint8_t> states;
  std::vector<std::uint32_t> parents;
  Actions actions;

  // `before` may be this round itself.
  void Add(const FixedLayout& layout, const Round& before, std::size_t parent, std::size_t action) {
    const std::size_t place = states.size();
    states.resize(place + layout.cells);
    MovePacked(layout, action, before.states.data() + parent * layout.cells, states.data() + place);
    parents.push_back(static_cast<std::uint32_t>(parent));
    actions.push_back(static_cast<std::uint8_t>(action));
  }
};

class Nearby {
 public:
  Nearby(const FixedLayout& layout, const PackedHash& hash, std::size_t max_states, const StopToken& stop)
      : layout_(layout), hash_(hash), max_states_(max_states), stop_(stop), hashes_(layout.actions()) {}

  // Nothing if there is no shorter way, or it was stopped.
  std::optional<Actions> Shorter(std::span<const std::uint8_t> start, const Actions& actions) {
    const std::uint64_t goal = FindStatesAround(start, actions);
    HashMap met(max_states_ / 4);
    std::vector<Round> rounds(1);
    rounds[0].states.assign(start.begin(), start.end());
    met.Insert(hash_.Of(start.data()), 0);
    bool is_there = met[goal] != HashMap::kNone;
    while (!is_there && rounds.size() < actions.size() && !rounds.back().states.empty() && !stop_.StopRequested()) {
      Round next;
      ForEachSuccessor(rounds.back(), [&](std::size_t parent, std::size_t action) {
        if (around_[hashes_[action]] == HashMap::kNone || !met.Insert(hashes_[action], 0)) return true;
        next.Add(layout_, rounds.back(), parent, action);
        is_there = hashes_[action] == goal;
        return !is_there;
      });
      rounds.back().states = {};
      rounds.push_back(std::move(next));
    }
    if (!is_there || rounds.size() > actions.size()) return std::nullopt;
    return WayToLast(rounds);
  }

 private:
  // Calls visit(parent, action) for all that follow the round's states, with their hashes in `hashes_`, until it says false or
  // there is to be a stop.
  template <class Visit>
  void ForEachSuccessor(const Round& round, const Visit& visit) {
    const std::size_t count = round.states.size() / layout_.cells;
    for (std::size_t i = 0; i < count; ++i) {
      if (i % kStatesPerLook == 0 && stop_.StopRequested()) return;
      hash_.OfSuccessors(round.states.data() + i * layout_.cells, hashes_.data());
      for (const std::uint64_t hash : hashes_) around_.Prefetch(hash);
      for (std::size_t action = 0; action < hashes_.size(); ++action) {
        if (!visit(i, action)) return;
      }
    }
  }

  // Lists the hashes of the states around a way, and gives that of its end.
  std::uint64_t FindStatesAround(std::span<const std::uint8_t> start, const Actions& actions) {
    around_.Reset(max_states_);
    Round round;
    round.states.assign(start.begin(), start.end());
    for (std::size_t step = 0; step < actions.size(); ++step) round.Add(layout_, round, step, actions[step]);
    std::uint64_t goal = 0;
    for (std::size_t step = 0; step <= actions.size(); ++step) {
      goal = hash_.Of(round.states.data() + step * layout_.cells);
      around_.Insert(goal, 0);
    }
    while (!round.states.empty() && around_.size() < max_states_ && !stop_.StopRequested()) {
      Round next;
      ForEachSuccessor(round, [&](std::size_t parent, std::size_t action) {
        if (around_.Insert(hashes_[action], 0)) next.Add(layout_, round, parent, action);
        return around_.size() < max_states_;
      });
      round = std::move(next);
    }
    return goal;
  }

  // The way to the last state of the last round.
  static Actions WayToLast(const std::vector<Round>& rounds) {
    Actions way;
    std::size_t at = rounds.back().actions.size();
    if (at > 0) --at;
    for (std::size_t i = rounds.size() - 1; i > 0; --i) {
      way.push_back(rounds[i].actions[at]);
      at = rounds[i].parents[at];
    }
    std::reverse(way.begin(), way.end());
    return way;
  }

  const FixedLayout& layout_;
  const PackedHash& hash_;
  std::size_t max_states_;
  const StopToken& stop_;
  HashMap around_;
  std::vector<std::uint64_t> hashes_;
};

}  // namespace

std::vector<std::uint8_t> ShortestNearby(const FixedLayout& layout, const PackedHash& hash, std::span<const std::uint8_t> start,
                                         std::vector<std::uint8_t> actions, std::size_t max_states, const StopToken& stop) {
  Nearby nearby(layout, hash, max_states, stop);
  while (std::optional<Actions> shorter = nearby.Shorter(start, actions)) actions = std::move(*shorter);
  return actions;
}

}  // namespace conpole

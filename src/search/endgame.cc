#include "search/endgame.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "util/atomic_file.h"
#include "util/checksum.h"
#include "util/read_file.h"

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

// Of a table that is made for so many states: the least for which it is full enough.
std::size_t SlotsFor(std::size_t states) { return std::bit_ceil(std::max<std::size_t>(16, (8 * states + 4) / 5)); }

// How a file begins. The slots of the table follow, in the order of bytes that the checksum of the layout tells.
struct FileHead {
  std::array<char, 16> kind = {'c', 'o', 'n', 'p', 'o', 'l', 'e', ' ', 'e', 'n', 'd', 'g', 'a', 'm', 'e', '\n'};
  std::uint64_t layout = 0;
  std::uint64_t slots = 0;
  std::uint64_t states = 0;
  std::uint64_t radius = 0;
  std::uint64_t is_complete = 0;
  std::uint64_t checksum = 0;  // of all before it
};

std::uint64_t ChecksumOf(const FileHead& head) {
  Checksum checksum;
  checksum.Add(std::as_bytes(std::span(&head, 1)).first(offsetof(FileHead, checksum)));
  return checksum.value();
}

// Of all that the list of an endgame depends on: states, moves and how states are hashed.
std::uint64_t ChecksumOf(const FixedLayout& layout) {
  Checksum checksum;
  const auto add = [&](const auto& values) { checksum.Add(std::as_bytes(std::span(values))); };
  const std::array<std::uint64_t, 3> sizes{layout.cells, layout.colours, layout.actions()};
  add(sizes);
  add(layout.solved);
  for (const std::vector<std::uint8_t>& move : layout.moves) add(move);
  for (const MoveCondition& condition : layout.conditions) add(std::array{condition.cell, condition.colour});
  add(PackedHash(layout).words());
  return checksum.value();
}

}  // namespace

Endgame::Endgame(const FixedLayout& layout, std::size_t max_states, Lookahead lookahead)
    : layout_(layout), hash_(layout), distances_(SlotsFor(max_states) / 2) {
  ListStates(max_states);
  known_ = HashSlots(distances_.slots());
  if (lookahead == Lookahead::kTwoSteps) PrepareToLookAhead();
}

Endgame::Endgame(const FixedLayout& layout, const std::string& path, Lookahead lookahead)
    : layout_(layout), hash_(layout), file_(path) {
  const auto refuse = [&](const std::string& why) {
    throw Error(fmt::format("{}: {}; make it again with conpole endgame, or remove it", path, why));
  };
  FileHead head;
  const std::span<const std::byte> bytes = file_->bytes();
  if (bytes.size() < sizeof head) refuse("is too short for an endgame");
  std::memcpy(&head, bytes.data(), sizeof head);
  if (head.kind != FileHead().kind || head.checksum != ChecksumOf(head)) refuse("is not an endgame, or it is damaged");
  if (head.layout != ChecksumOf(layout)) refuse("is the endgame of another puzzle");
  const std::size_t slots = (bytes.size() - sizeof head) / sizeof(std::uint64_t);
  if (head.slots != slots || !std::has_single_bit(slots) || head.states >= slots || head.radius > kMaxEndgameSteps ||
      bytes.size() != sizeof head + slots * sizeof(std::uint64_t)) {
    refuse("is an endgame, but not all of it is there");
  }
  known_ = HashSlots({reinterpret_cast<const std::uint64_t*>(bytes.data() + sizeof head), slots});
  size_ = static_cast<std::size_t>(head.states);
  radius_ = static_cast<std::size_t>(head.radius);
  is_complete_ = head.is_complete != 0;
  if (lookahead == Lookahead::kTwoSteps) PrepareToLookAhead();
}

void Endgame::Write(const std::string& path) const {
  // Without the states that are farther than the radius.
  HashMap table(SlotsFor(size_) / 2);
  known_.ForEach([&](std::uint64_t hash, std::uint8_t distance) {
    if (distance <= radius_) table.Insert(hash, distance);
  });
  FileHead head{.layout = ChecksumOf(layout_),
                .slots = table.slots().size(),
                .states = size_,
                .radius = radius_,
                .is_complete = is_complete_ ? 1U : 0U};
  head.checksum = ChecksumOf(head);
  NamingFile(path, [&] {
    AtomicFile file(path);
    file.Write(std::as_bytes(std::span(&head, 1)));
    file.Write(std::as_bytes(table.slots()));
    file.Commit();
  });
}

void Endgame::PrepareToLookAhead() {
  // Where few actions are possible, the states that are listed reach far without it.
  if (!layout_.conditions.empty()) return;
  std::set<std::vector<std::uint8_t>> met(layout_.moves.begin(), layout_.moves.end());
  std::vector<std::uint8_t> stay(layout_.cells);
  std::iota(stay.begin(), stay.end(), std::uint8_t{0});
  met.insert(stay);
  std::vector<std::vector<std::uint8_t>> moves;
  for (std::size_t first = 0; first < layout_.actions(); ++first) {
    for (std::size_t second = 0; second < layout_.actions(); ++second) {
      std::vector<std::uint8_t> both = Joined(layout_.moves[first], layout_.moves[second]);
      if (!met.insert(both).second) continue;
      moves.push_back(std::move(both));
      walks_.push_back({static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(second)});
    }
  }
  ahead_.emplace(layout_, hash_.words(), moves);
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
  if (endgame) return *endgame;
  const std::string path = EndgamePath(layout);
  if (!path.empty() && access(path.c_str(), F_OK) == 0) {
    endgame = std::make_unique<const Endgame>(layout, path, Lookahead::kTwoSteps);
  } else {
    endgame = std::make_unique<const Endgame>(layout, kUsualStates, Lookahead::kTwoSteps);
  }
  return *endgame;
}

std::string EndgamePath(const FixedLayout& layout) {
  const auto folder = [](const char* variable, const char* below) {
    const char* const value = std::getenv(variable);
    return value == nullptr || *value == '\0' ? std::string() : std::string(value) + below;
  };
  std::string path = folder("XDG_CACHE_HOME", "/conpole");
  if (path.empty()) path = folder("HOME", "/.cache/conpole");
  if (path.empty()) return path;
  return fmt::format("{}/{:016x}.endgame", path, ChecksumOf(layout));
}

std::size_t EndgameStatesFor(std::size_t bytes) {
  const std::size_t slots = std::bit_floor(std::max<std::size_t>(bytes / sizeof(std::uint64_t), 1024));
  return slots / 8 * 5 - 256;  // a list has up to as many more as a state has successors, before it is seen to be too long
}

std::optional<Endgame::Ahead> Endgame::LookAhead(const std::uint8_t* state) const {
  if (!ahead_) return std::nullopt;
  thread_local std::vector<std::uint64_t> hashes;  // once for all states that a thread looks ahead from
  hashes.resize(ahead_->moves());
  ahead_->Of(state, hashes.data());
  for (const std::uint64_t hash : hashes) known_.Prefetch(hash);
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
    const auto closer = [&](std::uint64_t hash) { return known_[hash] + std::size_t{1} == *left; };
    const auto found = std::find_if(hashes.begin(), hashes.end(), closer);
    if (found == hashes.end()) return std::nullopt;
    take(static_cast<std::uint8_t>(found - hashes.begin()));
  }
  if (at != layout_.solved) return std::nullopt;
  return path;
}

void Endgame::List(std::vector<std::int64_t>& hashes, std::vector<std::int64_t>& distances) const {
  std::vector<std::pair<std::int64_t, std::int64_t>> all;
  known_.ForEach([&](std::uint64_t hash, std::uint8_t distance) {
    if (distance <= radius_) all.emplace_back(static_cast<std::int64_t>(hash), static_cast<std::int64_t>(distance));
  });
  std::sort(all.begin(), all.end());
  for (const auto& [hash, distance] : all) {
    hashes.push_back(hash);
    distances.push_back(distance);
  }
}

}  // namespace conpole

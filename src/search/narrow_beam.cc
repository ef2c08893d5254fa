#include "search/narrow_beam.h"

#include <algorithm>

#include "search/beam_step.h"

namespace conpole {

NarrowBeam::NarrowBeam(const FixedLayout& layout, const PackedHash& hash, std::span<const std::uint8_t> start,
                       const Options& options)
    : layout_(&layout), hash_(&hash), options_(options), solved_hash_(hash.Of(layout.solved.data())) {
  Add(start, hash.Of(start.data()), 0);
  is_over_ = options.max_steps == 0;
}

std::span<const std::uint8_t> NarrowBeam::Frontier() const { return std::span(states_).subspan(frontier_ * layout_->cells); }

void NarrowBeam::Step(std::span<const float> preferences) {
  List();
  is_over_ = is_solved_ || ++steps_ >= options_.max_steps;
  if (!is_over_) Select(preferences);
}

void NarrowBeam::List() {
  const std::size_t actions = layout_->actions();
  const std::size_t end = hashes_.size();
  successors_.resize(end * actions);
  for (std::size_t i = frontier_; i < end; ++i) {
    std::uint64_t* const row = successors_.data() + i * actions;
    hash_->OfSuccessors(State(i).data(), row);
    is_solved_ |= std::find(row, row + actions, solved_hash_) != row + actions;
  }
}

void NarrowBeam::Select(std::span<const float> preferences) {
  const std::size_t actions = layout_->actions();
  const std::size_t first = frontier_;
  const std::size_t end = hashes_.size();
  std::vector<float> values(preferences.begin(), preferences.end());
  for (std::size_t i = first; i < end; ++i) {
    AddPathValue(options_.value, values_[i], std::span(values).subspan((i - first) * actions, actions));
  }
  frontier_ = end;
  std::vector<std::uint8_t> moved(layout_->cells);
  std::vector<std::uint32_t> order;
  TakeBest(values, options_.width, order, [&](std::uint32_t candidate) {
    const std::size_t parent = first + candidate / actions;
    const std::uint64_t hash = successors_[first * actions + candidate];
    if (Find(hash) != kNone) return false;
    MovePacked(*layout_, candidate % actions, State(parent).data(), moved.data());
    Add(moved, hash, values[candidate]);
    return true;
  });
  is_over_ = frontier_size() == 0;
}

std::vector<NarrowBeam::KnownWay> NarrowBeam::KnownWays() const {
  std::vector<KnownWay> ways;
  if (!is_solved_) return ways;
  const std::size_t actions = layout_->actions();
  const std::size_t count = expanded();
  // The steps between expanded states, by the state that they lead to.
  struct Edge {
    std::uint32_t from;
    std::uint8_t action;
  };
  std::vector<std::vector<Edge>> into(count);
  std::vector<bool> is_known(count, false);
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::size_t action = 0; action < actions; ++action) {
      const std::uint64_t hash = successors_[i * actions + action];
      if (hash == solved_hash_) {
        if (is_known[i]) continue;
        is_known[i] = true;
        ways.push_back({i, static_cast<std::uint8_t>(action), 1});
      } else if (const std::uint32_t to = Find(hash); to != kNone && to < count) {
        into[to].push_back({i, static_cast<std::uint8_t>(action)});
      }
    }
  }
  for (std::size_t next = 0; next < ways.size(); ++next) {
    const KnownWay to = ways[next];
    for (const Edge& edge : into[to.state]) {
      if (is_known[edge.from]) continue;
      is_known[edge.from] = true;
      ways.push_back({edge.from, edge.action, static_cast<std::uint16_t>(to.steps + 1)});
    }
  }
  return ways;
}

std::vector<NarrowBeam::KnownWay> NarrowBeam::Solution(std::span<const KnownWay> ways) const {
  std::vector<const KnownWay*> of_state(expanded(), nullptr);
  for (const KnownWay& way : ways) of_state[way.state] = &way;
  std::vector<KnownWay> solution;
  if (of_state.empty() || of_state[0] == nullptr) return solution;
  for (std::uint32_t at = 0;;) {
    solution.push_back(*of_state[at]);
    const std::uint64_t hash = successors_[at * layout_->actions() + of_state[at]->action];
    if (hash == solved_hash_) return solution;
    at = Find(hash);
  }
}

std::uint32_t NarrowBeam::Find(std::uint64_t hash) const {
  return places_.Find(hash, [&](std::uint32_t place) { return hashes_[place] == hash; });
}

void NarrowBeam::Add(std::span<const std::uint8_t> state, std::uint64_t hash, float value) {
  const auto place = static_cast<std::uint32_t>(hashes_.size());
  states_.insert(states_.end(), state.begin(), state.end());
  hashes_.push_back(hash);
  values_.push_back(value);
  places_.FindOrAdd(
      hash, place, [](std::uint32_t) { return false; }, [&](std::uint32_t other) { return hashes_[other]; });
}

}  // namespace conpole

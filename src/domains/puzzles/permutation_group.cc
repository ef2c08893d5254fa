#include "domains/puzzles/permutation_group.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "util/random.h"

namespace conpole {
namespace {

Permutation Nothing(std::size_t points) {
  Permutation identity(points);
  std::iota(identity.begin(), identity.end(), std::uint8_t{0});
  return identity;
}

// First one, then the other: what a cell shows after both.
Permutation Then(const Permutation& first, const Permutation& second) {
  Permutation both(first.size());
  for (std::size_t i = 0; i < both.size(); ++i) both[i] = first[second[i]];
  return both;
}

Permutation Back(const Permutation& permutation) {
  Permutation back(permutation.size());
  for (std::size_t i = 0; i < back.size(); ++i) back[permutation[i]] = static_cast<std::uint8_t>(i);
  return back;
}

std::size_t FirstMoved(const Permutation& permutation) {
  std::size_t i = 0;
  while (i < permutation.size() && permutation[i] == i) ++i;
  return i;
}

// Products of generators, each soon as good as any element: the method of product replacement.
class RandomElements {
 public:
  RandomElements(std::size_t points, const std::vector<Permutation>& generators) : last_(Nothing(points)) {
    constexpr std::size_t kLeast = 12;
    for (std::size_t i = 0; i < std::max(kLeast, generators.size()); ++i) pool_.push_back(generators[i % generators.size()]);
    for (std::size_t i = 0; i < 20 * pool_.size(); ++i) Next();
  }

  const Permutation& Next() {
    const auto a = static_cast<std::size_t>(random_.Uint64(0, pool_.size()));
    auto b = static_cast<std::size_t>(random_.Uint64(0, pool_.size() - 1));
    if (b >= a) ++b;
    const Permutation other = random_.Coin() ? pool_[b] : Back(pool_[b]);
    pool_[a] = random_.Coin() ? Then(pool_[a], other) : Then(other, pool_[a]);
    return last_ = Then(last_, pool_[a]);
  }

 private:
  Random random_{1};
  std::vector<Permutation> pool_;
  Permutation last_;
};

std::string TimesDecimal(const std::string& number, std::size_t factor) {
  std::string product;
  std::size_t carry = 0;
  for (auto digit = number.rbegin(); digit != number.rend() || carry != 0;) {
    if (digit != number.rend()) carry += static_cast<std::size_t>(*digit++ - '0') * factor;
    product += static_cast<char>('0' + carry % 10);
    carry /= 10;
  }
  std::reverse(product.begin(), product.end());
  return product;
}

}  // namespace

PermutationGroup::PermutationGroup(std::size_t points, const std::vector<Permutation>& generators) : points_(points) {
  std::vector<Permutation> moving;
  for (const Permutation& generator : generators) {
    if (FirstMoved(generator) < points) moving.push_back(generator);
  }
  for (std::size_t point = 0; point < points; ++point) {
    if (std::all_of(moving.begin(), moving.end(), [&](const Permutation& one) { return one[point] == point; }))
      never_moved_.push_back(static_cast<std::uint8_t>(point));
  }
  if (moving.empty()) return;
  for (const Permutation& generator : moving) {
    Permutation rest = generator;
    const std::size_t level = Sift(rest);
    if (FirstMoved(rest) < points_) Add(std::move(rest), level);
  }
  RandomElements elements(points, moving);
  for (int in_a_row = 0; in_a_row < kSifted; ++in_a_row) {
    Permutation rest = elements.Next();
    const std::size_t level = Sift(rest);
    if (FirstMoved(rest) == points_) continue;
    Add(std::move(rest), level);
    in_a_row = -1;
  }
  // Points that are settled once a level's element is chosen.
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    for (std::size_t point = 0; point < points_; ++point) {
      const auto moves = [&](const Level& one) {
        return std::any_of(one.generators.begin(), one.generators.end(),
                           [&](const Permutation& p) { return p[point] != point; });
      };
      const auto rest = levels_.begin() + static_cast<std::ptrdiff_t>(level);
      if (moves(*rest) && std::none_of(rest + 1, levels_.end(), moves))
        levels_[level].fixed.push_back(static_cast<std::uint8_t>(point));
    }
  }
}

std::size_t PermutationGroup::Sift(Permutation& element) const {
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const Level& level = levels_[i];
    const Permutation& to = level.to[element[level.point]];
    if (to.empty()) return i;
    element = Then(Back(to), element);
  }
  return levels_.size();
}

void PermutationGroup::Add(Permutation element, std::size_t level) {
  if (level == levels_.size()) {
    Level& made = levels_.emplace_back();
    made.point = static_cast<std::uint8_t>(FirstMoved(element));
    made.orbit = {made.point};
    made.to.resize(points_);
    made.to[made.point] = Nothing(points_);
  }
  levels_[level].generators.push_back(std::move(element));
  // It also belongs to all levels before.
  for (std::size_t i = level + 1; i-- > 0;) ExtendOrbit(i);
}

void PermutationGroup::ExtendOrbit(std::size_t index) {
  Level& level = levels_[index];
  for (std::size_t i = 0; i < level.orbit.size(); ++i) {
    for (std::size_t of = index; of < levels_.size(); ++of) {
      for (const Permutation& generator : levels_[of].generators) {
        // The element that takes the point to where `to` has it, and then the generator's way.
        const std::uint8_t image = generator[level.orbit[i]];
        if (!level.to[image].empty()) continue;
        level.to[image] = Then(generator, level.to[level.orbit[i]]);
        level.orbit.push_back(image);
      }
    }
  }
}

std::string PermutationGroup::Order() const {
  std::string order = "1";
  for (const Level& level : levels_) order = TimesDecimal(order, level.orbit.size());
  return order;
}

double PermutationGroup::LogOrder() const {
  double sum = 0;
  for (const Level& level : levels_) sum += std::log(static_cast<double>(level.orbit.size()));
  return sum;
}

bool PermutationGroup::Contains(const Permutation& permutation) const {
  Permutation rest = permutation;
  Sift(rest);
  return FirstMoved(rest) == points_;
}

std::optional<bool> PermutationGroup::Leads(std::span<const std::uint8_t> from, std::span<const std::uint8_t> to,
                                            std::size_t most) const {
  const auto fits = [&](std::size_t point, const Permutation& element) { return to[point] == from[element[point]]; };
  const Permutation nothing = Nothing(points_);
  for (const std::uint8_t point : never_moved_) {
    if (!fits(point, nothing)) return false;
  }
  // Depth first: an element is a product of one of each level, and what earlier ones do with settled points stays.
  struct Try {
    Permutation element;  // the product so far
    std::size_t level;
  };
  std::vector<Try> open{{nothing, 0}};
  for (std::size_t tried = 0; !open.empty(); ++tried) {
    if (tried >= most) return std::nullopt;
    const Try at = std::move(open.back());
    open.pop_back();
    if (at.level == levels_.size()) return true;
    const Level& level = levels_[at.level];
    for (const std::uint8_t point : level.orbit) {
      if (to[level.point] != from[at.element[point]]) continue;
      Permutation element = Then(at.element, level.to[point]);
      if (std::all_of(level.fixed.begin(), level.fixed.end(), [&](std::uint8_t settled) { return fits(settled, element); })) {
        open.push_back({std::move(element), at.level + 1});
      }
    }
  }
  return false;
}

PuzzleGroup::PuzzleGroup(const FixedLayout& layout) : layout_(layout) {
  if (layout.conditions.empty()) {
    group_.emplace(layout.cells, layout.moves);
    return;
  }
  const auto hole = std::find(layout.solved.begin(), layout.solved.end(), layout.conditions.front().colour);
  ways_.resize(layout.cells);
  std::vector<std::uint8_t> places{static_cast<std::uint8_t>(hole - layout.solved.begin())};
  ways_[places.front()] = Nothing(layout.cells);
  std::vector<Permutation> loops;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Permutation so_far = *ways_[places[i]];
    for (std::size_t action = 0; action < layout.actions(); ++action) {
      if (layout.conditions[action].cell != places[i]) continue;
      const Permutation after = Then(so_far, layout.moves[action]);
      const std::uint8_t place = layout.conditions[layout.inverse[action]].cell;
      if (ways_[place]) {
        loops.push_back(Then(after, Back(*ways_[place])));
      } else {
        ways_[place] = after;
        places.push_back(place);
      }
    }
  }
  places_ = places.size();
  group_.emplace(layout.cells, loops);
}

std::string PuzzleGroup::States() const { return TimesDecimal(group_->Order(), places_); }
double PuzzleGroup::LogOfStates() const { return group_->LogOrder() + std::log(static_cast<double>(places_)); }

std::optional<bool> PuzzleGroup::CanBeSolved(std::span<const std::uint8_t> state) const {
  constexpr std::size_t kTries = 100'000;
  if (layout_.conditions.empty()) return group_->Leads(layout_.solved, state, kTries);
  const auto hole = std::find(state.begin(), state.end(), layout_.conditions.front().colour);
  if (hole == state.end() || !ways_[static_cast<std::size_t>(hole - state.begin())]) return false;
  const Permutation back = Back(*ways_[static_cast<std::size_t>(hole - state.begin())]);
  std::vector<std::uint8_t> at_home(state.size());
  for (std::size_t cell = 0; cell < at_home.size(); ++cell) at_home[cell] = state[back[cell]];
  return group_->Leads(layout_.solved, at_home, kTries);
}

}  // namespace conpole

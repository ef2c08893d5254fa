#include "domains/puzzles/find_symmetries.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

namespace conpole {
namespace {

using Cells = std::vector<std::uint8_t>;
constexpr int kUnknown = -1;
constexpr std::size_t kMostTries = 200'000;

// The lengths of the cycles, in order.
Cells CyclesOf(const Cells& move) {
  Cells lengths;
  std::vector<bool> is_met(move.size());
  for (std::size_t start = 0; start < move.size(); ++start) {
    std::uint8_t length = 0;
    for (std::size_t at = start; !is_met[at]; at = move[at]) {
      is_met[at] = true;
      ++length;
    }
    if (length > 1) lengths.push_back(length);
  }
  std::sort(lengths.begin(), lengths.end());
  return lengths;
}

class SymmetryFinder {
 public:
  SymmetryFinder(const FixedLayout& layout, std::size_t most)
      : layout_(layout), most_(most), renamed_(layout.actions(), kUnknown) {
    const std::size_t actions = layout.actions();
    std::map<Cells, int> kinds;
    kind_.resize(actions * actions);
    Cells both(layout.cells);
    for (std::size_t a = 0; a < actions; ++a) {
      for (std::size_t b = 0; b < actions; ++b) {
        for (std::size_t cell = 0; cell < layout.cells; ++cell) both[cell] = layout.moves[a][layout.moves[b][cell]];
        const auto [found, is_new] = kinds.emplace(CyclesOf(both), static_cast<int>(kinds.size()));
        // Whether one can follow the other is part of the kind, too.
        kind_[a * actions + b] = 2 * found->second + (Follows(a, b) ? 1 : 0);
      }
    }
    // Actions in an order in which each has as much to do with those before as can be: what is seldom tells most.
    std::map<int, double> times;
    for (const int kind : kind_) ++times[kind];
    std::vector<double> told(actions);
    for (std::size_t next = 0; order_.size() < actions;) {
      order_.push_back(static_cast<std::uint8_t>(next));
      told[next] = -1;
      for (std::size_t other = 0; other < actions; ++other) {
        if (told[other] >= 0)
          told[other] += 1 / times[kind_[next * actions + other]] + 1 / times[kind_[other * actions + next]];
      }
      next = static_cast<std::size_t>(std::max_element(told.begin(), told.end()) - told.begin());
    }
    // A cell of every orbit, and how the others are reached from it.
    std::vector<bool> is_met(layout.cells);
    for (std::size_t root = 0; root < layout.cells; ++root) {
      if (is_met[root]) continue;
      std::vector<Step>& orbit = orbits_.emplace_back();
      orbit.push_back({static_cast<std::uint8_t>(root), 0, 0});
      is_met[root] = true;
      for (std::size_t i = 0; i < orbit.size(); ++i) {
        for (std::size_t action = 0; action < actions; ++action) {
          const std::uint8_t to = layout.moves[action][orbit[i].cell];
          if (is_met[to]) continue;
          is_met[to] = true;
          orbit.push_back({to, static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(action)});
        }
      }
    }
  }

  std::vector<LayoutSymmetry> Find() {
    Rename(0);
    return std::move(found_);
  }

 private:
  struct Step {
    std::uint8_t cell;
    std::uint8_t from;    // in the list of the orbit
    std::uint8_t action;  // whose move takes the cell there
  };

  bool Follows(std::size_t a, std::size_t b) const {
    if (layout_.conditions.empty()) return true;
    const MoveCondition next = layout_.conditions[b];
    return layout_.moves[a][next.cell] == layout_.conditions[a].cell && next.colour == layout_.conditions[a].colour;
  }

  // Step 1, one action after the other, its own name first, so that the first view is the state as it is.
  void Rename(std::size_t place) {
    const std::size_t actions = layout_.actions();
    if (found_.size() >= most_ || ++tries_ > kMostTries) return;
    if (place == actions) {
      Place();
      return;
    }
    const std::size_t action = order_[place];
    // Its own name first.
    for (std::size_t i = 0; i < actions; ++i) {
      const std::size_t name = i == 0 ? action : i <= action ? i - 1 : i;
      if (std::find(renamed_.begin(), renamed_.end(), static_cast<int>(name)) != renamed_.end()) continue;
      bool fits = kind_[action * actions + action] == kind_[name * actions + name];
      for (std::size_t k = 0; k < place && fits; ++k) {
        const std::size_t other = order_[k];
        const auto of_other = static_cast<std::size_t>(renamed_[other]);
        fits = kind_[action * actions + other] == kind_[name * actions + of_other] &&
               kind_[other * actions + action] == kind_[of_other * actions + name];
      }
      if (!fits) continue;
      renamed_[action] = static_cast<int>(name);
      Rename(place + 1);
      renamed_[action] = kUnknown;
    }
  }

  // Steps 2 and 3.
  void Place() {
    LayoutSymmetry view{Cells(layout_.cells), Cells(layout_.colours), {}};
    for (const int name : renamed_) view.actions.push_back(static_cast<std::uint8_t>(name));
    std::vector<int> colours(layout_.colours, kUnknown);
    std::vector<bool> is_taken(layout_.cells);
    PlaceOrbit(0, view, colours, is_taken);
  }

  bool PlaceOrbit(std::size_t index, LayoutSymmetry& view, const std::vector<int>& colours, const std::vector<bool>& is_taken) {
    if (index == orbits_.size()) return Keep(view, colours);
    const std::vector<Step>& orbit = orbits_[index];
    for (std::size_t image = 0; image < layout_.cells; ++image) {
      if (is_taken[image] || ++tries_ > kMostTries) continue;
      std::vector<int> colours_now = colours;
      std::vector<bool> taken_now = is_taken;
      bool fits = true;
      for (std::size_t i = 0; i < orbit.size() && fits; ++i) {
        // The view of a cell after a renamed move is the cell after the move.
        const std::size_t shown = i == 0 ? image : Moved(orbit[i].action, view.cells[orbit[orbit[i].from].cell]);
        const std::uint8_t cell = orbit[i].cell;
        int& colour = colours_now[layout_.solved[shown]];
        fits = !taken_now[shown] && (colour == kUnknown || colour == layout_.solved[cell]);
        colour = layout_.solved[cell];
        taken_now[shown] = true;
        view.cells[cell] = static_cast<std::uint8_t>(shown);
      }
      // One way for a renaming is enough.
      if (fits && PlaceOrbit(index + 1, view, colours_now, taken_now)) return true;
    }
    return false;
  }

  // Where the action that is now called `name` takes a cell from.
  std::size_t Moved(std::uint8_t name, std::uint8_t cell) const {
    const auto found = std::find(renamed_.begin(), renamed_.end(), static_cast<int>(name));
    return layout_.moves[static_cast<std::size_t>(found - renamed_.begin())][cell];
  }

  bool Keep(LayoutSymmetry& view, const std::vector<int>& colours) {
    std::set<int> used;
    for (std::size_t colour = 0; colour < colours.size(); ++colour) {
      if (colours[colour] == kUnknown) {
        if (std::count(layout_.solved.begin(), layout_.solved.end(), colour) != 0) return false;
        view.colours[colour] = static_cast<std::uint8_t>(colour);
      } else {
        view.colours[colour] = static_cast<std::uint8_t>(colours[colour]);
      }
      if (!used.insert(view.colours[colour]).second) return false;
    }
    for (std::size_t action = 0; action < layout_.actions(); ++action) {
      const std::size_t name = view.actions[action];
      for (std::size_t cell = 0; cell < layout_.cells; ++cell) {
        if (layout_.moves[action][view.cells[cell]] != view.cells[layout_.moves[name][cell]]) return false;
      }
      if (layout_.conditions.empty()) continue;
      const MoveCondition condition = layout_.conditions[action];
      const MoveCondition seen = layout_.conditions[name];
      if (view.cells[seen.cell] != condition.cell || view.colours[condition.colour] != seen.colour) return false;
    }
    found_.push_back(view);
    return true;
  }

  const FixedLayout& layout_;
  std::size_t most_;
  std::vector<int> renamed_;  // for each action its other name
  std::vector<int> kind_;     // of every two actions
  std::vector<std::uint8_t> order_;
  std::vector<std::vector<Step>> orbits_;
  std::size_t tries_ = 0;
  std::vector<LayoutSymmetry> found_;
};

}  // namespace

std::vector<LayoutSymmetry> FindSymmetries(const FixedLayout& layout, std::size_t most) {
  return SymmetryFinder(layout, most).Find();
}

}  // namespace conpole

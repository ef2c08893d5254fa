#include "domains/axioms/abstract_domain.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "domains/axioms/placed_label.h"
#include "domains/axioms/places.h"
#include "util/hash.h"
#include "util/text.h"

namespace conpole {
namespace {

// Without places every step of a sequence fits wherever its axiom does, so that it is followed all over the state.
constexpr std::size_t kMostWithoutPlaces = 200;

std::uint64_t NextId() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

// What one thread needs to follow sequences, kept from call to call. Level k has the successors of the state after k axioms.
struct AbstractDomain::Scratch {
  struct Level {
    Successors successors;
    std::unique_ptr<Places> places;  // of the state that the successors are of
    bool places_read = false;
    std::vector<PlacedLabel> labels;
  };
  std::uint64_t owner = 0;
  std::deque<Level> levels;  // addresses stay
  // Of the sequence that is followed: the successor taken at each level, and whether others would have fitted as well.
  struct Taken {
    std::size_t successor = 0;
    bool ambiguous = false;
  };
  std::vector<Taken> trail;
  std::vector<std::uint64_t> seen;  // hashes of all states offered so far
};

AbstractDomain::AbstractDomain(std::shared_ptr<const Domain> base, AbstractionSet set, std::size_t most_followed)
    : Domain(base->type(), base->parameters()),
      base_(std::move(base)),
      set_(std::move(set)),
      places_(dynamic_cast<const WithPlaces*>(base_.get())),
      nodes_(1),
      most_followed_(MakePlaces(*base_)->labelled() == Places::Labelled::kNever ? std::min(most_followed, kMostWithoutPlaces)
                                                                                : most_followed),
      id_(NextId()) {
  CheckAbstractions(type(), set_);
  if (type().layout != nullptr) {
    throw Error(fmt::format("there are no abstractions for {}: its states have a fixed layout", type().name));
  }
  for (std::uint32_t i = 0; i < set_.abstractions.size(); ++i) AddToTree(i);
}

AbstractDomain::~AbstractDomain() = default;

void AbstractDomain::AddToTree(std::uint32_t abstraction) {
  std::uint32_t at = 0;
  for (const AbstractStep& step : set_.abstractions[abstraction].steps) {
    const std::vector<std::uint32_t>& children = nodes_[at].children;
    const auto same = std::find_if(children.begin(), children.end(), [&](std::uint32_t i) { return nodes_[i].step == step; });
    if (same != children.end()) {
      at = *same;
      continue;
    }
    const auto added = static_cast<std::uint32_t>(nodes_.size());
    nodes_[at].children.push_back(added);
    nodes_[at].children_have_places = nodes_[at].children_have_places && step.place.has_value();
    nodes_.push_back({step, {}, kNone, true});
    at = added;
  }
  nodes_[at].abstraction = abstraction;
}

AbstractDomain::Scratch& AbstractDomain::ScratchOfThread() const {
  // A pointer, since threads of a module of Python have little space for their own variables.
  thread_local std::unique_ptr<Scratch> scratch;
  if (!scratch) scratch = std::make_unique<Scratch>();
  if (scratch->owner != id_) {
    // Another domain may have places of another kind.
    for (Scratch::Level& level : scratch->levels) level.places = MakePlaces(*base_);
    scratch->owner = id_;
  }
  return *scratch;
}

// Follows all sequences from one state:
//   1. of the state's own successors those that begin a sequence are taken, wherever they are;
//   2. the state reached is expanded, and of its successors those are taken that have the axiom and the place of a next step;
//   3. where a sequence ends, `found(abstraction, state)` is called.
// There may be very many ways to follow a sequence; after most_followed_ steps it ends.
template <class Found>
class AbstractDomain::Finder {
 public:
  Finder(const AbstractDomain& domain, Scratch& scratch, const Found& found)
      : domain_(domain), scratch_(scratch), found_(found) {}

  // Requires that level 0 has the successors of the state, with labels.
  void FromStart(std::string_view state) {
    scratch_.trail.clear();
    Level& level = LevelAt(0);
    level.places_read = false;
    level.labels.clear();
    Look(level);
    for (const std::uint32_t child : domain_.nodes_[0].children) {
      const Node& node = domain_.nodes_[child];
      for (std::size_t i = 0; i < level.labels.size(); ++i) {
        const PlacedLabel& label = level.labels[i];
        if (label.axiom != node.step.axiom || !OperandFits(node, state, level, label)) continue;
        std::string path;
        if (label.position && !PathOf(state, level, *label.position, path)) continue;
        Take(node, 0, i, false, path);
      }
    }
  }

 private:
  using Level = Scratch::Level;

  Level& LevelAt(std::size_t depth) {
    while (scratch_.levels.size() <= depth) {
      scratch_.levels.emplace_back().places = MakePlaces(*domain_.base_);
    }
    return scratch_.levels[depth];
  }

  // Reads the labels of a level that were not read yet.
  static void Look(Level& level) {
    for (std::size_t i = level.labels.size(); i < level.successors.size(); ++i) {
      level.labels.push_back(ReadPlacedLabel(level.successors.label(i), *level.places));
    }
  }

  static bool ReadPlaces(std::string_view state, Level& level) {
    if (!level.places_read) level.places_read = level.places->Read(state);
    return level.places_read;
  }

  static bool PathOf(std::string_view state, Level& level, std::uint32_t position, std::string& path) {
    return ReadPlaces(state, level) && level.places->PathOf(position, path);
  }

  static bool OperandFits(const Node& node, std::string_view state, Level& level, const PlacedLabel& label) {
    if (!node.step.operand_at) return true;
    if (!ReadPlaces(state, level)) return false;
    const std::optional<std::uint32_t> at = level.places->PositionOf(*node.step.operand_at);
    return at && level.places->HasText(*at, label.rest);
  }

  bool ExpandAll(std::string_view state, Level& level) const {
    if (domain_.base_->Expand(state, Labels::kOn, level.successors) != Status::kOpen) return false;
    Look(level);
    return true;
  }

  void Take(const Node& node, std::size_t depth, std::size_t successor, bool ambiguous, const std::string& path) {
    if (++followed_ > domain_.most_followed_) return;
    scratch_.trail.push_back({successor, ambiguous});
    const std::string_view state = LevelAt(depth).successors.state(successor);
    if (node.abstraction != kNone) found_(node.abstraction, state);
    if (!node.children.empty()) GoOn(node, depth + 1, state, path);
    scratch_.trail.pop_back();
  }

  void GoOn(const Node& node, std::size_t depth, std::string_view state, const std::string& path) {
    Level& level = LevelAt(depth);
    level.places_read = false;
    level.labels.clear();
    level.successors.Clear();
    // Where only places matter, only these are looked at.
    bool targeted = node.children_have_places && domain_.places_ != nullptr && ReadPlaces(state, level);
    if (!targeted && !ExpandAll(state, level)) return;
    for (const std::uint32_t child : node.children) {
      const Node& next = domain_.nodes_[child];
      const AbstractStep& step = next.step;
      std::optional<std::uint32_t> position;
      std::string target;
      if (step.place) {
        if (step.place->up > path.size() || !ReadPlaces(state, level)) continue;
        target = path.substr(0, path.size() - step.place->up) + step.place->down;
        position = level.places->PositionOf(target);
        if (!position) continue;
      }
      if (targeted) {
        level.labels.clear();
        level.successors.Clear();
        targeted = domain_.places_->AppendAt(*level.places, *position, level.successors);
        if (!targeted && !ExpandAll(state, level)) return;
        Look(level);
      }
      const auto fits = [&](const PlacedLabel& label) {
        return label.axiom == step.axiom && label.position == position && OperandFits(next, state, level, label);
      };
      const bool ambiguous = std::count_if(level.labels.begin(), level.labels.end(), fits) > 1;
      for (std::size_t i = 0; i < level.labels.size(); ++i) {
        if (fits(level.labels[i])) Take(next, depth, i, ambiguous, target);
      }
    }
  }

  const AbstractDomain& domain_;
  Scratch& scratch_;
  const Found& found_;
  std::size_t followed_ = 0;
};

Status AbstractDomain::Expand(std::string_view state, Labels labels, Successors& out) const {
  Scratch& scratch = ScratchOfThread();
  if (scratch.levels.empty()) scratch.levels.emplace_back().places = MakePlaces(*base_);
  Successors& own = scratch.levels[0].successors;
  own.Clear();
  const Status status = base_->Expand(state, Labels::kOn, own);
  if (status == Status::kMalformed) out.SetError(own.error());
  if (status != Status::kOpen) return status;
  scratch.seen.clear();
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::string_view next = own.state(i);
    scratch.seen.push_back(HashText(next));
    out.EndState(WriteText(out.BeginState(next.size()), next));
    if (labels == Labels::kOn) out.EndLabel(WriteText(out.BeginLabel(own.label(i).size()), own.label(i)));
  }
  std::string label;
  const auto offer = [&](std::uint32_t abstraction, std::string_view next) {
    const std::uint64_t hash = HashText(next);
    if (std::find(scratch.seen.begin(), scratch.seen.end(), hash) != scratch.seen.end()) return;
    scratch.seen.push_back(hash);
    out.EndState(WriteText(out.BeginState(next.size()), next));
    if (labels == Labels::kOff) return;
    // What the first axiom's label names, and of the others what the first one does not settle.
    label = set_.abstractions[abstraction].name;
    for (std::size_t depth = 0; depth < scratch.trail.size(); ++depth) {
      const Scratch::Taken& taken = scratch.trail[depth];
      if (depth != 0 && !taken.ambiguous) continue;
      const std::string_view full = scratch.levels[depth].successors.label(taken.successor);
      const std::string_view rest = full.substr(AxiomOf(full).size());
      if (depth != 0) label += ';';
      label += rest;
    }
    out.EndLabel(WriteText(out.BeginLabel(label.size()), label));
  };
  Finder(*this, scratch, offer).FromStart(state);
  return status;
}

std::vector<AxiomStep> AbstractDomain::Open(std::string_view before, std::string_view after) const {
  // What is looked for may lie in the scratch space.
  const std::string from(before);
  const std::string to(after);
  Scratch& scratch = ScratchOfThread();
  if (scratch.levels.empty()) scratch.levels.emplace_back().places = MakePlaces(*base_);
  Successors& own = scratch.levels[0].successors;
  own.Clear();
  std::vector<AxiomStep> steps;
  if (base_->Expand(from, Labels::kOn, own) == Status::kOpen) {
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (own.state(i) == to) return {{std::string(own.label(i)), from, to}};
    }
    const auto take = [&](std::uint32_t, std::string_view next) {
      // Of several ways the one that Expand has offered: the first.
      if (!steps.empty() || next != to) return;
      std::string state = from;
      for (std::size_t depth = 0; depth < scratch.trail.size(); ++depth) {
        const Successors& successors = scratch.levels[depth].successors;
        const std::size_t taken = scratch.trail[depth].successor;
        std::string reached(successors.state(taken));
        steps.push_back({std::string(successors.label(taken)), std::move(state), reached});
        state = std::move(reached);
      }
    };
    Finder(*this, scratch, take).FromStart(from);
  }
  if (steps.empty()) throw Error(fmt::format("no step of {} leads from '{}' to '{}'", type().name, from, to));
  return steps;
}

std::vector<AxiomStep> AbstractDomain::OpenPath(std::span<const std::string> path) const {
  std::vector<AxiomStep> steps;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    std::vector<AxiomStep> opened = Open(path[i], path[i + 1]);
    std::move(opened.begin(), opened.end(), std::back_inserter(steps));
  }
  return steps;
}

std::unique_ptr<Domain> WithAbstractions(std::unique_ptr<Domain> domain, AbstractionSet set) {
  CheckAbstractions(domain->type(), set);
  if (set.abstractions.empty()) return domain;
  return std::make_unique<AbstractDomain>(std::move(domain), std::move(set));
}

const AbstractDomain* AsAbstractDomain(const Domain& domain) { return dynamic_cast<const AbstractDomain*>(&domain); }

}  // namespace conpole

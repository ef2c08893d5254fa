#include "domains/axioms/abstraction_mining.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "domains/axioms/placed_label.h"
#include "domains/axioms/places.h"

namespace conpole {
namespace {

// What is left of a step of a solution once its numbers are forgotten.
struct Move {
  std::string axiom;
  bool has_place = false;
  std::string path;                       // the root, of a step without a place
  std::optional<std::string> operand_at;  // of a step without a place: where its operand stands
};

struct Occurrence {
  std::uint32_t solution;
  std::uint32_t first;
};

struct Candidate {
  std::vector<AbstractStep> steps;
  std::vector<Occurrence> occurrences;  // in their order
  std::size_t solutions = 0;            // in which it occurs
  std::size_t saved = SIZE_MAX;         // steps, when last counted; it only falls, nearly always
  std::optional<double> branching;      // successors per state that it adds
};

AbstractStep::Place Relative(std::string_view from, std::string_view to) {
  const auto [end, unused] = std::mismatch(from.begin(), from.end(), to.begin(), to.end());
  const auto common = static_cast<std::size_t>(end - from.begin());
  return {from.size() - common, std::string(to.substr(common))};
}

// It outlives whatever is made of it here.
std::shared_ptr<const Domain> NotOwned(const Domain& domain) { return {std::shared_ptr<const Domain>(), &domain}; }

class Miner {
 public:
  Miner(const Domain& domain, std::span<const std::vector<AxiomStep>> solutions, const MiningOptions& options)
      : domain_(domain), solutions_(solutions), options_(options), places_(MakePlaces(domain)) {
    for (const std::vector<AxiomStep>& solution : solutions) moves_.push_back(MovesOf(solution));
    chosen_at_.resize(solutions.size());
    for (std::size_t s = 0; s < moves_.size(); ++s) chosen_at_[s].resize(moves_[s].size());
  }

  MinedAbstractions Mine() {
    FindCandidates();
    TakeSample();
    MinedAbstractions mined;
    mined.set.domain = domain_.type().name;
    for (const std::vector<Move>& moves : moves_) mined.axioms += moves.size();
    mined.steps = mined.axioms;
    mined.branching_before = branching_;
    while (mined.set.abstractions.size() < options_.most) {
      const std::optional<std::size_t> best = FindBest(mined.steps);
      if (!best) break;
      Candidate& candidate = candidates_[*best];
      const std::size_t saved = candidate.saved;
      mined.steps -= saved;
      branching_ += *candidate.branching;
      for (const Occurrence& at : candidate.occurrences) {
        chosen_at_[at.solution][at.first].push_back(static_cast<std::uint32_t>(candidate.steps.size()));
      }
      mined.set.abstractions.push_back({NameOf(candidate, mined.set), candidate.steps, RemarkOn(candidate, saved)});
      candidate.saved = 0;
    }
    mined.branching_after = branching_;
    return mined;
  }

 private:
  std::vector<Move> MovesOf(const std::vector<AxiomStep>& solution) {
    std::vector<Move> moves;
    for (const AxiomStep& step : solution) {
      const PlacedLabel label = ReadPlacedLabel(step.label, *places_);
      Move move{std::string(label.axiom), label.position.has_value(), {}, std::nullopt};
      const bool is_read = places_->Read(step.before);
      if (label.position) {
        if (is_read) places_->PathOf(*label.position, move.path);
      } else if (is_read && !label.rest.empty()) {
        std::string path;
        const std::optional<std::uint32_t> at = places_->FindText(label.rest);
        if (at && places_->PathOf(*at, path)) move.operand_at = std::move(path);
      }
      moves.push_back(std::move(move));
    }
    return moves;
  }

  // Step 1.
  void FindCandidates() {
    std::unordered_map<std::string, std::size_t> by_steps;
    for (std::uint32_t s = 0; s < moves_.size(); ++s) {
      const std::vector<Move>& moves = moves_[s];
      for (std::uint32_t first = 0; first < moves.size(); ++first) {
        for (const bool fixed : {true, false}) {
          std::vector<AbstractStep> steps;
          std::string path;
          bool any_operand = false;
          for (std::size_t i = first; i < moves.size() && i - first < options_.longest; ++i) {
            const Move& move = moves[i];
            AbstractStep step{move.axiom, std::nullopt, std::nullopt};
            if (move.has_place && i != first) step.place = Relative(path, move.path);
            if (move.operand_at) any_operand = true;
            if (fixed) step.operand_at = move.operand_at;
            path = move.path;
            steps.push_back(std::move(step));
            // Without operands the two kinds are the same.
            if (steps.size() < 2 || (!fixed && !any_operand)) continue;
            const auto [at, is_new] = by_steps.emplace(FormatSteps(steps), candidates_.size());
            if (is_new) candidates_.push_back({steps, {}, 0, SIZE_MAX, std::nullopt});
            Candidate& candidate = candidates_[at->second];
            if (candidate.occurrences.empty() || candidate.occurrences.back().solution != s) ++candidate.solutions;
            candidate.occurrences.push_back({s, first});
          }
        }
      }
    }
    std::erase_if(candidates_, [&](const Candidate& candidate) { return candidate.solutions < options_.uses; });
    for (Candidate& candidate : candidates_) candidate.saved = candidate.occurrences.size() * (candidate.steps.size() - 1);
  }

  // States of the solutions, evenly spread, and how many successors they have.
  void TakeSample() {
    std::vector<const std::string*> states;
    for (const std::vector<AxiomStep>& solution : solutions_) {
      for (const AxiomStep& step : solution) states.push_back(&step.before);
    }
    const std::size_t count = std::min(options_.sample, states.size());
    Successors successors;
    for (std::size_t i = 0; i < count; ++i) {
      sample_.push_back(states[i * states.size() / count]);
      domain_.Expand(*sample_.back(), Labels::kOff, successors);
    }
    sample_successors_ = successors.size();
    branching_ = count == 0 ? 0 : static_cast<double>(successors.size()) / static_cast<double>(count);
  }

  // Step 2: the candidate that saves the most bits; nothing if none saves any.
  std::optional<std::size_t> FindBest(std::size_t steps) {
    std::vector<std::size_t> order(candidates_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    // What a candidate has saved before is hardly ever less than what it saves now, so most need not be looked at again.
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return candidates_[a].saved > candidates_[b].saved; });
    std::optional<std::size_t> best;
    double best_bits = 0;
    for (const std::size_t i : order) {
      Candidate& candidate = candidates_[i];
      const double own = OwnBits(candidate);
      if (static_cast<double>(candidate.saved) * Bits(branching_) - own <= best_bits) {
        if (static_cast<double>(candidate.saved) * Bits(branching_) <= best_bits) break;
        continue;
      }
      candidate.saved = CountSaved(candidate);
      if (static_cast<double>(candidate.saved) * Bits(branching_) - own <= best_bits) continue;
      if (!candidate.branching) candidate.branching = CountAdded(candidate);
      const double before = static_cast<double>(steps) * Bits(branching_);
      const double after = static_cast<double>(steps - candidate.saved) * Bits(branching_ + *candidate.branching) + own;
      if (before - after <= best_bits) continue;
      best_bits = before - after;
      best = i;
    }
    return best;
  }

  static constexpr double kMostAdded = 5;  // successors, as a multiple of what states have

  static double Bits(double choices) { return std::log2(std::max(choices, 2.0)); }

  // An axiom, and a place or an operand of two or three turns.
  double OwnBits(const Candidate& candidate) const {
    constexpr double kPlaceBits = 4;
    return static_cast<double>(candidate.steps.size()) * (Bits(static_cast<double>(domain_.type().axioms.size())) + kPlaceBits);
  }

  // The steps that all solutions take less, if this one may be used, too.
  std::size_t CountSaved(const Candidate& candidate) {
    std::size_t saved = 0;
    const std::size_t length = candidate.steps.size();
    for (std::size_t i = 0; i < candidate.occurrences.size();) {
      const std::uint32_t s = candidate.occurrences[i].solution;
      std::set<std::uint32_t> firsts;
      for (; i < candidate.occurrences.size() && candidate.occurrences[i].solution == s; ++i) {
        firsts.insert(candidate.occurrences[i].first);
      }
      saved += FewestSteps(s, {}, 0) - FewestSteps(s, firsts, length);
    }
    return saved;
  }

  // The steps of a solution divided as well as possible by what is chosen and a sequence of this length at these places.
  std::size_t FewestSteps(std::uint32_t s, const std::set<std::uint32_t>& firsts, std::size_t length) const {
    const std::size_t count = moves_[s].size();
    std::vector<std::size_t> fewest(count + 1);  // from there to the end
    for (std::size_t at = count; at-- > 0;) {
      fewest[at] = fewest[at + 1] + 1;
      for (const std::uint32_t chosen : chosen_at_[s][at]) fewest[at] = std::min(fewest[at], fewest[at + chosen] + 1);
      if (firsts.contains(static_cast<std::uint32_t>(at))) fewest[at] = std::min(fewest[at], fewest[at + length] + 1);
    }
    return fewest[0];
  }

  // Of a sequence that can be followed in very many ways only some are counted: it is worth nothing.
  double CountAdded(const Candidate& candidate) const {
    constexpr std::size_t kMostFollowed = 500;
    constexpr std::size_t kFirst = 10;
    const AbstractDomain with(NotOwned(domain_), {domain_.type().name, {{"candidate", candidate.steps, {}}}}, kMostFollowed);
    Successors successors;
    for (std::size_t i = 0; i < sample_.size(); ++i) {
      with.Expand(*sample_[i], Labels::kOff, successors);
      const auto mean = static_cast<double>(successors.size()) / static_cast<double>(i + 1);
      if (i + 1 >= kFirst && mean > kMostAdded * std::max(branching_, 1.0)) return mean;
    }
    return static_cast<double>(successors.size() - sample_successors_) / static_cast<double>(sample_.size());
  }

  // The axioms' names; where another one has these at other places, with a number.
  std::string NameOf(const Candidate& candidate, const AbstractionSet& set) const {
    std::string name;
    for (std::size_t i = 0; i < candidate.steps.size();) {
      const std::string& axiom = candidate.steps[i].axiom;
      std::size_t times = 0;
      for (; i < candidate.steps.size() && candidate.steps[i].axiom == axiom; ++i) ++times;
      if (!name.empty()) name += '+';
      name += axiom;
      if (times > 1) name += fmt::format("*{}", times);
    }
    const auto is_taken = [&](const std::string& other) {
      return std::any_of(set.abstractions.begin(), set.abstractions.end(),
                         [&](const Abstraction& abstraction) { return abstraction.name == other; });
    };
    std::string numbered = name;
    for (std::size_t number = 2; is_taken(numbered); ++number) numbered = fmt::format("{}~{}", name, number);
    return numbered;
  }

  // What it is good for, and the shortest example.
  std::string RemarkOn(const Candidate& candidate, std::size_t saved) const {
    const auto before = [&](const Occurrence& at) -> const std::string& { return solutions_[at.solution][at.first].before; };
    const auto shortest =
        std::min_element(candidate.occurrences.begin(), candidate.occurrences.end(),
                         [&](const Occurrence& a, const Occurrence& b) { return before(a).size() < before(b).size(); });
    const std::string& after = solutions_[shortest->solution][shortest->first + candidate.steps.size() - 1].after;
    return fmt::format("saves {} steps of {} solutions: {} -> {}", saved, candidate.solutions, before(*shortest), after);
  }

  const Domain& domain_;
  std::span<const std::vector<AxiomStep>> solutions_;
  MiningOptions options_;
  std::unique_ptr<Places> places_;
  std::vector<std::vector<Move>> moves_;  // of each solution
  std::vector<Candidate> candidates_;
  // Of each solution and each of its steps: the lengths of chosen sequences that begin there.
  std::vector<std::vector<std::vector<std::uint32_t>>> chosen_at_;
  std::vector<const std::string*> sample_;
  std::size_t sample_successors_ = 0;
  double branching_ = 0;
};

}  // namespace

MinedAbstractions MineAbstractions(const Domain& domain, std::span<const std::vector<AxiomStep>> solutions,
                                   const MiningOptions& options) {
  return Miner(domain, solutions, options).Mine();
}

MinedAbstractions MineAbstractionsOfPaths(const Domain& domain, std::span<const std::vector<std::string>> paths,
                                          const MiningOptions& options) {
  const AbstractDomain* const abstract = AsAbstractDomain(domain);
  const Domain& base = abstract == nullptr ? domain : abstract->base();
  const AbstractDomain without(NotOwned(base), {base.type().name, {}});
  std::vector<std::vector<AxiomStep>> solutions;
  for (const std::vector<std::string>& path : paths) {
    solutions.push_back((abstract == nullptr ? without : *abstract).OpenPath(path));
  }
  return MineAbstractions(base, solutions, options);
}

}  // namespace conpole

#include "search/packed_best_first.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "search/log_sum_exp.h"
#include "search/packed_scorer.h"

namespace conpole {
namespace {

constexpr std::size_t kTakenPerTask = 256;
constexpr std::uint32_t kNoParent = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint16_t kMaxStoredSteps = std::numeric_limits<std::uint16_t>::max();

}  // namespace

PackedBestFirst::PackedBestFirst(const Endgame& endgame, bool uses_endgame, PackedPolicy& policy, ThreadPool& pool)
    : layout_(endgame.layout()), endgame_(endgame), uses_endgame_(uses_endgame), policy_(policy), pool_(pool) {}

PackedResult PackedBestFirst::Search(std::span<const std::uint8_t> start, const BestFirstTerms& terms, const StopToken& stop) {
  PackedResult result;
  if (const auto distance = Distance(endgame_.hash().Of(start.data()))) {
    if (auto path = endgame_.Path(start)) {
      result.actions = std::move(*path);
      result.outcome = SearchOutcome::kSolved;
      return result;
    }
  }
  open_.assign(1, {0, 0, kNoParent, 0, 0});
  states_.assign(start.begin(), start.end());
  parents_.clear();
  actions_.clear();
  seen_.Reset(0);
  best_.reset();
  has_forgotten_ = false;
  const std::uint64_t limit = std::min<std::uint64_t>(terms.max_expanded, kNoParent);
  while (true) {
    const bool suffices = best_ && (open_.empty() || terms.Suffices(best_->steps, open_.front().f));
    if (suffices || open_.empty() || result.evaluated >= limit) break;
    Take(static_cast<std::size_t>(std::min<std::uint64_t>(terms.batch, limit - result.evaluated)));
    const auto taken = std::span<const std::uint8_t>(states_).subspan(round_ * layout_.cells);
    if (!ScoreInPieces(policy_, layout_, taken, preferences_, nullptr, stop) || stop.StopRequested())
      return result.outcome = SearchOutcome::kInterrupted, result;
    OpenSuccessors(terms, result);
    ForgetAllBut(limit - result.evaluated);
  }
  Finish(result);
  if (result.outcome != SearchOutcome::kSolved && (has_forgotten_ || !open_.empty()))
    result.outcome = SearchOutcome::kOutOfBudget;
  return result;
}

// For a heap with the lowest f on top.
bool PackedBestFirst::IsLater(const Open& a, const Open& b) {
  if (a.f != b.f) return a.f > b.f;
  return a.parent != b.parent ? a.parent > b.parent : a.action > b.action;
}

std::optional<std::size_t> PackedBestFirst::Distance(std::uint64_t hash) const {
  const std::optional<std::size_t> distance = endgame_.Distance(hash);
  return uses_endgame_ || distance == std::size_t{0} ? distance : std::nullopt;
}

void PackedBestFirst::Take(std::size_t count) {
  round_ = parents_.size();
  taken_.clear();
  const std::size_t cells = layout_.cells;
  std::vector<std::uint8_t> moved(cells);
  while (taken_.size() < count && !open_.empty()) {
    std::pop_heap(open_.begin(), open_.end(), IsLater);
    const Open best = open_.back();
    open_.pop_back();
    if (best.parent == kNoParent) {
      moved.assign(states_.begin(), states_.end());
      states_.clear();
    } else {
      MovePacked(layout_, best.action, states_.data() + best.parent * cells, moved.data());
    }
    if (!seen_.Insert(endgame_.hash().Of(moved.data()), 0)) continue;
    taken_.push_back(best);
    states_.insert(states_.end(), moved.begin(), moved.end());
    parents_.push_back(best.parent);
    actions_.push_back(best.action);
  }
}

void PackedBestFirst::OpenSuccessors(const BestFirstTerms& terms, PackedResult& result) {
  const std::size_t actions = layout_.actions();
  successor_hashes_.resize(taken_.size() * actions);
  pool_.For((taken_.size() + kTakenPerTask - 1) / kTakenPerTask, [&](std::size_t task) {
    const std::size_t end = std::min(taken_.size(), (task + 1) * kTakenPerTask);
    for (std::size_t i = task * kTakenPerTask; i < end; ++i) {
      const std::span<float> row(preferences_.data() + i * actions, actions);
      const float base = taken_[i].h + LogSumExp(row);
      for (float& preference : row) preference = base - preference;
      endgame_.hash().OfSuccessors(states_.data() + (round_ + i) * layout_.cells, successor_hashes_.data() + i * actions);
    }
  });
  result.evaluated += taken_.size();
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    const auto parent = static_cast<std::uint32_t>(round_ + i);
    const auto steps = static_cast<std::uint16_t>(std::min<std::size_t>(kMaxStoredSteps, taken_[i].steps + std::size_t{1}));
    for (std::size_t action = 0; action < actions; ++action) {
      if (taken_[i].parent != kNoParent && action == layout_.inverse[taken_[i].action]) continue;
      if (!IsPossible(layout_, action, states_.data() + parent * layout_.cells)) continue;
      ++result.candidates;
      const auto code = static_cast<std::uint8_t>(action);
      if (const auto distance = Distance(successor_hashes_[i * actions + action])) {
        const std::size_t all = steps + *distance;
        if (!best_ || all < best_->steps) best_ = Solution{parent, code, all};
        continue;
      }
      const float h = preferences_[i * actions + action];
      open_.push_back({static_cast<float>(terms.ValueOf(steps, 0)) + h, h, parent, steps, code});
      std::push_heap(open_.begin(), open_.end(), IsLater);
    }
  }
}

void PackedBestFirst::ForgetAllBut(std::uint64_t count) {
  // So seldom that it costs little. States that were met before are among the open ones, and may be taken in vain: these do not
  // count against the limit, so that some more are kept.
  if (open_.size() <= 4 * count + (std::size_t{1} << 16)) return;
  const auto kept = static_cast<std::size_t>(2 * count + 1);
  std::nth_element(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(kept), open_.end(),
                   [](const Open& a, const Open& b) { return IsLater(b, a); });
  open_.resize(kept);
  has_forgotten_ = true;
  std::make_heap(open_.begin(), open_.end(), IsLater);
}

void PackedBestFirst::Finish(PackedResult& result) {
  if (!best_) return;
  std::vector<std::uint8_t> path = ActionsTo(best_->parent);
  path.push_back(best_->action);
  std::vector<std::uint8_t> last(layout_.cells);
  MovePacked(layout_, best_->action, states_.data() + best_->parent * layout_.cells, last.data());
  const auto rest = endgame_.Path(last);
  if (!rest) return;  // only its hash was that of another
  path.insert(path.end(), rest->begin(), rest->end());
  result.actions = std::move(path);
  result.outcome = SearchOutcome::kSolved;
}

std::vector<std::uint8_t> PackedBestFirst::ActionsTo(std::size_t index) const {
  std::vector<std::uint8_t> actions;
  for (; parents_[index] != kNoParent; index = parents_[index]) actions.push_back(actions_[index]);
  std::reverse(actions.begin(), actions.end());
  return actions;
}

}  // namespace conpole

#include "search/packed_scorer.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "conpole/error.h"

namespace conpole {

bool ScoreInPieces(PackedPolicy& policy, const FixedLayout& layout, std::span<const std::uint8_t> states,
                   std::vector<float>& preferences, std::vector<float>* values, const StopToken& stop) {
  const std::size_t count = states.size() / policy.cells();
  preferences.resize(count * policy.actions());
  if (values != nullptr) values->resize(count);
  const std::size_t at_a_time = std::max<std::size_t>(1, policy.StatesAtATime());
  for (std::size_t begin = 0; begin < count; begin += at_a_time) {
    if (stop.StopRequested()) return false;
    const std::size_t size = std::min(at_a_time, count - begin);
    const auto piece = states.subspan(begin * policy.cells(), size * policy.cells());
    const auto scores = std::span(preferences).subspan(begin * policy.actions(), size * policy.actions());
    if (values == nullptr) {
      policy.Score(piece, scores);
    } else {
      policy.ScoreWithValues(piece, scores, std::span(*values).subspan(begin, size));
    }
  }
  for (std::size_t i = 0; i < count && !layout.conditions.empty(); ++i) {
    for (std::size_t action = 0; action < layout.actions(); ++action) {
      if (IsPossible(layout, action, states.data() + i * layout.cells)) continue;
      preferences[i * layout.actions() + action] = -std::numeric_limits<float>::infinity();
    }
  }
  return true;
}

PackedScorer::PackedScorer(const FixedLayout& layout, std::unique_ptr<PackedPolicy> policy,
                           std::unique_ptr<PackedPolicy> of_texts)
    : layout_(layout), policy_(std::move(policy)), of_texts_(std::move(of_texts)) {
  if (policy_->cells() != layout.cells || policy_->actions() != layout.actions()) {
    throw Error("the model is for states with " + std::to_string(policy_->cells()) + " cells and " +
                std::to_string(policy_->actions()) + " actions, which those of the domain do not have");
  }
}

std::size_t PackedScorer::CharactersAtATime() const {
  const std::size_t length = layout_.unpack(layout_.solved.data()).size();
  return std::max<std::size_t>(1, policy_->StatesAtATime()) * layout_.actions() * length;
}

void PackedScorer::Score(const ScoreBatch& batch, std::span<float> scores) {
  constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();
  const std::size_t cells = layout_.cells;
  row_of_text_.assign(batch.texts.size(), kNoRow);
  parents_.clear();
  std::uint32_t rows = 0;
  for (const ScoreBatch::Pair& pair : batch.pairs) {
    if (row_of_text_[pair.parent] != kNoRow) continue;
    row_of_text_[pair.parent] = rows++;
    parents_.resize(rows * cells);
    layout_.pack(batch.texts[pair.parent], parents_.data() + (rows - 1) * cells);
  }
  preferences_.resize(rows * layout_.actions());
  if (rows != 0) (of_texts_ ? of_texts_ : policy_)->Score(parents_, preferences_);
  std::vector<std::uint8_t> candidate(cells);
  for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
    layout_.pack(batch.texts[batch.pairs[i].candidate], candidate.data());
    const std::size_t row = row_of_text_[batch.pairs[i].parent];
    const std::uint8_t* const parent = parents_.data() + row * cells;
    float best = -std::numeric_limits<float>::infinity();
    bool is_successor = false;
    for (std::size_t action = 0; action < layout_.actions(); ++action) {
      if (!IsPossible(layout_, action, parent)) continue;
      const std::uint8_t* const from = layout_.moves[action].data();
      std::size_t cell = 0;
      while (cell < cells && candidate[cell] == parent[from[cell]]) ++cell;
      if (cell != cells) continue;
      is_successor = true;
      best = std::max(best, preferences_[row * layout_.actions() + action]);
    }
    if (!is_successor) throw Error("a policy over actions was asked about a state that no action leads to");
    scores[i] = best;
  }
}

}  // namespace conpole

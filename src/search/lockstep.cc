#include "search/lockstep.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace conpole {

GuidedSearch::GuidedSearch(const Domain& domain, const std::string& problem, StateTable memory) : states_(std::move(memory)) {
  states_.Clear();
  const Id root = states_.Add(problem, StateTable::kNone);
  BeginCandidates();
  if (domain.Solved(problem)) FinishSolved(root);
}

void GuidedSearch::FinishSolved(Id id) {
  finished_ = true;
  result_.outcome = SearchOutcome::kSolved;
  result_.path = states_.PathTo(id);
}

void GuidedSearch::FinishUnsolved(SearchOutcome outcome) {
  finished_ = true;
  result_.outcome = outcome;
}

void LockstepBatch::Collect(std::span<const std::unique_ptr<GuidedSearch>> searches, bool distinct_texts, ThreadPool& pool) {
  // Candidates of one parent stand together, so a new parent begins wherever the parent changes.
  const auto new_parent = [](const GuidedSearch& search, GuidedSearch::Id id) {
    return id == search.first_candidate() || search.states()[id].parent != search.states()[id - 1].parent;
  };
  first_text_.assign(searches.size() + 1, 0);
  first_pair_.assign(searches.size() + 1, 0);
  pool.For(searches.size(), [&](std::size_t i) {
    const GuidedSearch& search = *searches[i];
    if (search.finished()) return;
    std::size_t parents = 0;
    for (GuidedSearch::Id id = search.first_candidate(); id < search.states().size(); ++id) parents += new_parent(search, id);
    first_text_[i + 1] = parents + search.candidates();
    first_pair_[i + 1] = search.candidates();
  });
  for (std::size_t i = 0; i < searches.size(); ++i) {
    first_text_[i + 1] += first_text_[i];
    first_pair_[i + 1] += first_pair_[i];
  }
  texts_.resize(first_text_.back());
  hashes_.resize(first_text_.back());
  pairs_.resize(first_pair_.back());
  scores_.resize(first_pair_.back());
  pool.For(searches.size(), [&](std::size_t i) {
    const GuidedSearch& search = *searches[i];
    std::size_t text = first_text_[i];
    std::size_t pair = first_pair_[i];
    const auto add_text = [&](GuidedSearch::Id id) {
      texts_[text] = search.states()[id].text();
      hashes_[text] = search.states()[id].hash;
      return static_cast<std::uint32_t>(text++);
    };
    if (search.finished()) return;
    std::uint32_t parent = 0;
    for (GuidedSearch::Id id = search.first_candidate(); id < search.states().size(); ++id) {
      if (new_parent(search, id)) parent = add_text(search.states()[id].parent);
      pairs_[pair].parent = parent;
      pairs_[pair++].candidate = add_text(id);
    }
  });
  if (distinct_texts) KeepDistinctTexts();
}

// Moves the first of equal texts forward and points all pairs at it.
void LockstepBatch::KeepDistinctTexts() {
  std::vector<std::uint32_t> slots(std::bit_ceil(2 * texts_.size() + 1), UINT32_MAX);
  std::vector<std::uint32_t> kept_as(texts_.size());
  std::uint32_t kept = 0;
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    std::size_t at = hashes_[i] & (slots.size() - 1);
    while (slots[at] != UINT32_MAX && (hashes_[slots[at]] != hashes_[i] || texts_[slots[at]] != texts_[i])) {
      at = (at + 1) & (slots.size() - 1);
    }
    if (slots[at] == UINT32_MAX) {
      slots[at] = kept;
      texts_[kept] = texts_[i];
      hashes_[kept] = hashes_[i];
      ++kept;
    }
    kept_as[i] = slots[at];
  }
  texts_.resize(kept);
  hashes_.resize(kept);
  for (ScoreBatch::Pair& pair : pairs_) pair = {kept_as[pair.parent], kept_as[pair.candidate]};
}

std::span<const float> LockstepBatch::ScoresOf(std::size_t search) const {
  return std::span(scores_).subspan(first_pair_[search], first_pair_[search + 1] - first_pair_[search]);
}

std::vector<SearchResult> RunLockstep(const Domain& domain, Scorer& scorer, std::span<const std::string> problems,
                                      const MakeSearch& make, ThreadPool& pool, const LockstepOptions& options) {
  std::vector<SearchResult> results(problems.size());
  std::vector<std::unique_ptr<GuidedSearch>> searches;
  std::vector<std::size_t> problem_of;  // per search
  std::vector<StateTable> free_memory;
  LockstepBatch batch;
  std::size_t next_problem = 0;
  while (next_problem < problems.size() || !searches.empty()) {
    const bool stopped = options.stop != nullptr && *options.stop;
    for (std::size_t i = 0; i < searches.size();) {
      if (!searches[i]->finished() && !stopped) {
        ++i;
        continue;
      }
      SearchResult& result = results[problem_of[i]];
      result = searches[i]->result();
      if (!searches[i]->finished()) result.outcome = SearchOutcome::kInterrupted;
      if (options.finished) options.finished(problem_of[i], *searches[i]);
      free_memory.push_back(searches[i]->TakeStates());
      std::swap(searches[i], searches.back());
      std::swap(problem_of[i], problem_of.back());
      searches.pop_back();
      problem_of.pop_back();
    }
    if (stopped) {
      for (; next_problem < problems.size(); ++next_problem) results[next_problem].outcome = SearchOutcome::kInterrupted;
      break;
    }
    while (searches.size() < options.in_flight && next_problem < problems.size()) {
      StateTable memory;
      if (!free_memory.empty()) {
        memory = std::move(free_memory.back());
        free_memory.pop_back();
      }
      searches.push_back(make(domain, problems[next_problem], std::move(memory)));
      problem_of.push_back(next_problem++);
    }
    pool.For(searches.size(), [&](std::size_t i) {
      thread_local Successors buffer;
      if (!searches[i]->finished()) searches[i]->Expand(domain, buffer);
    });
    batch.Collect(searches, scorer.NeedsDistinctTexts(), pool);
    if (!batch.batch().pairs.empty()) scorer.Score(batch.batch(), batch.scores());
    pool.For(searches.size(), [&](std::size_t i) {
      if (!searches[i]->finished()) searches[i]->Select(domain, batch.ScoresOf(i));
    });
  }
  return results;
}

}  // namespace conpole

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

void LockstepBatch::Collect(std::span<const GuidedSearch* const> searches, bool distinct_texts, ThreadPool& pool) {
  // Candidates of one parent stand together, so a new parent begins wherever the parent changes.
  const auto new_parent = [](const GuidedSearch& search, GuidedSearch::Id id) {
    return id == search.first_candidate() || search.states()[id].parent != search.states()[id - 1].parent;
  };
  first_text_.assign(searches.size() + 1, 0);
  first_pair_.assign(searches.size() + 1, 0);
  for (std::size_t i = 0; i < searches.size(); ++i) {
    const GuidedSearch& search = *searches[i];
    std::size_t parents = 0;
    for (GuidedSearch::Id id = search.first_candidate(); id < search.states().size(); ++id) parents += new_parent(search, id);
    first_text_[i + 1] = first_text_[i] + parents + search.candidates();
    first_pair_[i + 1] = first_pair_[i] + search.candidates();
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
  struct Running {
    std::size_t problem;
    std::unique_ptr<GuidedSearch> search;
    bool expanded;  // it has candidates that are scored
  };
  std::vector<SearchResult> results(problems.size());
  std::vector<Running> running;
  std::vector<StateTable> free_memory;
  std::vector<const GuidedSearch*> searches;
  LockstepBatch batch;
  std::size_t next_problem = 0;
  const std::size_t in_flight = options.in_flight != 0 ? options.in_flight : scorer.ProblemsInFlight();
  const auto is_stopped = [&] { return options.stop != nullptr && *options.stop; };

  const auto retire = [&](Running& ended) {
    SearchResult& result = results[ended.problem];
    result = ended.search->result();
    if (!ended.search->finished()) result.outcome = SearchOutcome::kInterrupted;
    if (options.finished) options.finished(ended.problem, *ended.search);
    free_memory.push_back(ended.search->TakeStates());
  };
  const auto start = [&](std::size_t problem) {
    StateTable memory;
    if (!free_memory.empty()) {
      memory = std::move(free_memory.back());
      free_memory.pop_back();
    }
    running.push_back({problem, make(domain, problems[problem], std::move(memory)), false});
  };

  while (!is_stopped()) {
    // 1. Take out the searches that ended and put others in their place.
    for (std::size_t i = 0; i < running.size();) {
      if (!running[i].search->finished()) {
        ++i;
        continue;
      }
      retire(running[i]);
      running[i] = std::move(running.back());
      running.pop_back();
    }
    while (running.size() < in_flight && next_problem < problems.size()) start(next_problem++);
    if (running.empty()) return results;
    // 2. Score the candidates of those that have some.
    searches.clear();
    for (const Running& one : running) searches.push_back(one.search.get());
    batch.Collect(searches, scorer.NeedsDistinctTexts(), pool);
    if (!batch.batch().pairs.empty()) scorer.Score(batch.batch(), batch.scores());
    // 3. Go on with the scores and list the next candidates.
    pool.For(running.size(), [&](std::size_t i) {
      thread_local Successors buffer;
      GuidedSearch& search = *running[i].search;
      if (search.finished() || is_stopped()) return;
      if (running[i].expanded) search.Select(domain, batch.ScoresOf(i));
      if (!search.finished()) search.Expand(domain, buffer);
      running[i].expanded = true;
    });
  }
  for (Running& one : running) retire(one);
  for (; next_problem < problems.size(); ++next_problem) results[next_problem].outcome = SearchOutcome::kInterrupted;
  return results;
}

}  // namespace conpole

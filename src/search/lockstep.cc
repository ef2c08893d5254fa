#include "search/lockstep.h"

#include <algorithm>
#include <utility>

namespace conpole {

GuidedSearch::GuidedSearch(const Domain& domain, const std::string& problem, StateTable memory) : states_(std::move(memory)) {
  states_.Clear();
  const Id root = states_.Add(problem, StateTable::kNone);
  first_candidate_ = states_.size();
  if (domain.Solved(problem)) FinishSolved(root);
}

void GuidedSearch::FinishSolved(Id id) {
  finished_ = true;
  solved_state_ = id;
  result_.outcome = SearchOutcome::kSolved;
  result_.path = states_.PathTo(id);
}

void GuidedSearch::FinishUnsolved(SearchOutcome outcome) {
  finished_ = true;
  result_.outcome = outcome;
}

bool LockstepBatch::Collect(std::span<const GuidedSearch* const> searches, bool distinct_texts, ThreadPool& pool,
                            const StopToken& stop) {
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
  is_distinct_ = distinct_texts;
  return !is_distinct_ || KeepDistinctTexts(stop);
}

bool LockstepBatch::KeepDistinctTexts(const StopToken& stop) {
  constexpr std::size_t kBetweenLooks = 1 << 16;
  distinct_.Reset(texts_.size());
  std::vector<std::uint32_t> place_of(texts_.size());
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    if (i % kBetweenLooks == kBetweenLooks - 1 && stop.StopRequested()) return false;
    place_of[i] = distinct_.Add(texts_[i], hashes_[i]);
  }
  for (ScoreBatch::Pair& pair : pairs_) pair = {place_of[pair.parent], place_of[pair.candidate]};
  return true;
}

ScoreBatch LockstepBatch::batch() const {
  if (is_distinct_) return {distinct_.texts(), distinct_.hashes(), pairs_};
  return {texts_, hashes_, pairs_};
}

std::span<const float> LockstepBatch::ScoresOf(std::size_t search) const {
  return std::span(scores_).subspan(first_pair_[search], first_pair_[search + 1] - first_pair_[search]);
}

bool ScoreInPieces(Scorer& scorer, const ScoreBatch& batch, std::span<float> scores, const StopToken& stop) {
  std::vector<std::uint32_t> place_of;  // in the piece, of the texts of the batch
  std::vector<std::string_view> texts;
  std::vector<std::uint64_t> hashes;
  std::vector<ScoreBatch::Pair> pairs;
  const auto place = [&](std::uint32_t text) {
    if (place_of[text] == TextIndex::kNone) {
      place_of[text] = static_cast<std::uint32_t>(texts.size());
      texts.push_back(batch.texts[text]);
      hashes.push_back(batch.hashes[text]);
    }
    return place_of[text];
  };
  for (std::size_t begin = 0; begin < batch.pairs.size();) {
    std::size_t end = batch.pairs.size();
    if (const std::size_t limit = scorer.CharactersAtATime(); limit != SIZE_MAX) {
      end = begin;
      for (std::size_t characters = 0; end < batch.pairs.size() && characters < limit; ++end) {
        characters += batch.texts[batch.pairs[end].candidate].size() + 1;
      }
    }
    if (stop.StopRequested()) return false;
    if (begin == 0 && end == batch.pairs.size()) {
      scorer.Score(batch, scores);
      return true;
    }
    place_of.resize(batch.texts.size(), TextIndex::kNone);
    texts.clear();
    hashes.clear();
    pairs.clear();
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t parent = place(batch.pairs[i].parent);
      pairs.push_back({parent, place(batch.pairs[i].candidate)});
    }
    scorer.Score({texts, hashes, pairs}, scores.subspan(begin, end - begin));
    for (; begin < end; ++begin) {
      place_of[batch.pairs[begin].parent] = TextIndex::kNone;
      place_of[batch.pairs[begin].candidate] = TextIndex::kNone;
    }
  }
  return true;
}

StateTable LockstepGroup::TakeMemory() {
  if (free_memory_.empty()) return {};
  StateTable memory = std::move(free_memory_.back());
  free_memory_.pop_back();
  return memory;
}

void LockstepGroup::Start(std::size_t tag, std::unique_ptr<GuidedSearch> search, const Domain& domain) {
  search->StopWhen(stop_);
  running_.push_back({tag, std::move(search), &domain, false});
}

bool LockstepGroup::Collect(bool distinct_texts) {
  searches_.clear();
  for (const Running& one : running_) searches_.push_back(one.search.get());
  return batch_.Collect(searches_, distinct_texts, pool_, stop_);
}

bool LockstepGroup::Score(Scorer& scorer) {
  return Collect(scorer.NeedsDistinctTexts()) && ScoreInPieces(scorer, batch(), scores(), stop_);
}

void LockstepGroup::Select() {
  pool_.For(running_.size(), [this](std::size_t i) { SelectIn(i); });
}

void LockstepGroup::Expand() {
  const std::unique_ptr<const Domain> ahead = asked_ahead_ == nullptr ? nullptr : Ask();
  pool_.For(running_.size(), [&](std::size_t i) {
    const Domain& domain = *running_[i].domain;
    ExpandIn(i, ahead != nullptr && &domain == &domain_ ? *ahead : domain);
  });
}

void LockstepGroup::Advance() {
  if (asked_ahead_ != nullptr) {
    Select();
    return Expand();
  }
  pool_.For(running_.size(), [&](std::size_t i) {
    SelectIn(i);
    ExpandIn(i, *running_[i].domain);
  });
}

void LockstepGroup::SelectIn(std::size_t index) {
  const Running& one = running_[index];
  GuidedSearch& search = *one.search;
  if (one.expanded && !search.finished() && !search.stopped()) search.Select(*one.domain, batch_.ScoresOf(index));
}

void LockstepGroup::ExpandIn(std::size_t index, const Domain& domain) {
  thread_local Successors buffer;
  GuidedSearch& search = *running_[index].search;
  if (!search.finished() && !search.stopped()) search.Expand(domain, buffer);
  running_[index].expanded = true;
}

std::unique_ptr<const Domain> LockstepGroup::Ask() const {
  std::vector<std::string_view> states;
  bool solved = false;
  for (const Running& one : running_) {
    GuidedSearch& search = *one.search;
    if (one.domain != &domain_ || search.finished() || search.stopped()) continue;
    const GuidedSearch::Questions questions = search.Ahead();
    for (const GuidedSearch::Id id : questions.states) states.push_back(search.states()[id].text());
    solved |= questions.solved;
  }
  return asked_ahead_->Ask(states, solved, stop_);
}

void LockstepGroup::RemoveFinished(const Ended& ended) {
  for (std::size_t i = 0; i < running_.size();) {
    if (!running_[i].search->finished()) {
      ++i;
      continue;
    }
    Remove(running_[i], ended);
    running_[i] = std::move(running_.back());
    running_.pop_back();
  }
}

void LockstepGroup::RemoveAll(const Ended& ended) {
  for (Running& one : running_) Remove(one, ended);
  running_.clear();
}

void LockstepGroup::Remove(Running& ended_search, const Ended& ended) {
  ended(ended_search.tag, *ended_search.search);
  free_memory_.push_back(ended_search.search->TakeStates());
}

std::vector<SearchResult> RunLockstep(const Domain& domain, Scorer& scorer, std::span<const std::string> problems,
                                      const MakeSearch& make, ThreadPool& pool, const LockstepOptions& options) {
  std::vector<SearchResult> results(problems.size());
  LockstepGroup group(domain, pool, options.stop);
  std::size_t next_problem = 0;
  const std::size_t in_flight = options.in_flight != 0 ? options.in_flight : scorer.ProblemsInFlight();
  const auto keep_result = [&](std::size_t problem, const GuidedSearch& search) {
    results[problem] = search.result();
    if (!search.finished()) results[problem].outcome = SearchOutcome::kInterrupted;
    if (options.finished) options.finished(problem, search);
  };

  while (!options.stop.StopRequested()) {
    // 1. Take out the searches that ended and put others in their place.
    group.RemoveFinished(keep_result);
    for (; group.size() < in_flight && next_problem < problems.size(); ++next_problem) {
      group.Start(next_problem, make(domain, problems[next_problem], group.TakeMemory()));
    }
    if (group.size() == 0) return results;
    // 2. Score the candidates of those that have some.
    if (!group.Score(scorer)) break;
    // 3. Go on with the scores and list the next candidates.
    group.Advance();
  }
  group.RemoveAll(keep_result);
  for (; next_problem < problems.size(); ++next_problem) results[next_problem].outcome = SearchOutcome::kInterrupted;
  return results;
}

}  // namespace conpole

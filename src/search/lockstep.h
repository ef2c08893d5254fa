// Many searches that advance together, so that a scorer gets large batches: in every round
//   1. each search lists its next candidates (Expand, on all cores),
//   2. all candidates are scored in one batch,
//   3. each search chooses how to go on (Select, on all cores).
// A search is a small state machine for one problem. Searches share nothing but the batch, so the result of one depends neither
// on the number of threads nor on the others. One thread drives a group of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "conpole/search.h"
#include "conpole/stop_token.h"
#include "search/asked_ahead.h"
#include "search/state_table.h"
#include "util/stop_check.h"
#include "util/text_index.h"
#include "util/thread_pool.h"

namespace conpole {

class GuidedSearch {
 public:
  using Id = StateTable::Id;

  virtual ~GuidedSearch() = default;
  GuidedSearch(const GuidedSearch&) = delete;
  GuidedSearch& operator=(const GuidedSearch&) = delete;

  // From now on Expand and Select return early once the token says so. The search has not finished then, must not be asked to
  // go on, and has only its result and its states to show.
  void StopWhen(StopToken token) { stop_ = StopCheck(std::move(token)); }

  // What the next Expand is going to ask the domain, as far as that is known.
  struct Questions {
    std::span<const Id> states;  // whose successors
    bool solved = false;         // and whether these are solved
  };
  virtual Questions Ahead() { return {}; }
  // Lists the next candidates: states that are new. It may finish the search, and there may be none.
  virtual void Expand(const Domain& domain, Successors& buffer) = 0;
  // Goes on with the scores of the candidates, each against its parent in the table.
  virtual void Select(const Domain& domain, std::span<const float> scores) = 0;

  bool finished() const { return finished_; }
  // Whether the token ended it early.
  bool stopped() const { return stop_.stopped(); }
  // The solved state that ended the search; kNone if there is none.
  Id solved_state() const { return solved_state_; }
  // The candidates of this round are the states from first_candidate() to the end of the table.
  const StateTable& states() const { return states_; }
  Id first_candidate() const { return first_candidate_; }
  Id candidates() const { return states_.size() - first_candidate_; }
  // The candidates of round r are the states from round_begins()[r] to the next round's begin, or the end of the table.
  const std::vector<Id>& round_begins() const { return round_begins_; }

  // Hands the table over, for its memory to be used again. The search must not be used any more.
  StateTable TakeStates() { return std::move(states_); }

  // What was found and spent. Complete once finished; before that, what an interrupted search has to show.
  const SearchResult& result() const { return result_; }

 protected:
  // `problem` is canonical text. A problem that is solved already is finished at once. `memory` is a table to use again.
  GuidedSearch(const Domain& domain, const std::string& problem, StateTable memory);

  // Lists the successors of one state and calls met(id, fresh) for each, in their order.
  template <class Met>
  void ExpandState(const Domain& domain, Id id, Successors& buffer, const Met& met) {
    buffer.Clear();
    domain.Expand(states_[id].text(), Labels::kOff, buffer);
    ++result_.expanded;
    result_.edges += buffer.size();
    states_.AddAll(buffer, id, [&](Id successor, bool fresh) {
      met(successor, fresh);
      return true;
    });
  }
  // To be asked before each state that is expanded, and in loops over many candidates.
  bool ShouldStop() { return stop_.ShouldStop(); }
  void SetParent(Id id, Id parent) { states_.SetParent(id, parent); }
  // To be called once per round, before the first state is expanded.
  void BeginCandidates() { round_begins_.push_back(first_candidate_ = states_.size()); }
  void FinishSolved(Id id);
  void FinishUnsolved(SearchOutcome outcome);

 private:
  StateTable states_;
  Id first_candidate_ = 0;
  std::vector<Id> round_begins_;
  bool finished_ = false;
  Id solved_state_ = StateTable::kNone;
  SearchResult result_;
  StopCheck stop_;
};

// The batch of one round, with the memory behind it. Reused from round to round.
class LockstepBatch {
 public:
  // Collects the candidates of all searches. False if it was stopped; the batch must not be used then.
  bool Collect(std::span<const GuidedSearch* const> searches, bool distinct_texts, ThreadPool& pool,
               const StopToken& stop = {});

  ScoreBatch batch() const;
  // Where the scorer writes.
  std::span<float> scores() { return scores_; }
  // The scores of one search's candidates, once they are written.
  std::span<const float> ScoresOf(std::size_t search) const;

 private:
  // Points all pairs at the first of equal texts. False if it was stopped.
  bool KeepDistinctTexts(const StopToken& stop);

  std::vector<std::size_t> first_text_;  // per search; its parents come before its candidates
  std::vector<std::size_t> first_pair_;
  std::vector<std::string_view> texts_;
  std::vector<std::uint64_t> hashes_;
  bool is_distinct_ = false;
  TextIndex distinct_;  // of texts_, if asked for
  std::vector<ScoreBatch::Pair> pairs_;
  std::vector<float> scores_;
};

// Answers a batch in pieces that suit the scorer. False if it was stopped; not all scores are written then.
bool ScoreInPieces(Scorer& scorer, const ScoreBatch& batch, std::span<float> scores, const StopToken& stop);

// Searches that advance together. One thread drives them:
//   Start as many as there should be, Score, Advance, RemoveFinished, and so on.
// Who scores by other means than a Scorer does in place of Score: Collect, write scores() for batch().
class LockstepGroup {
 public:
  using Ended = std::function<void(std::size_t tag, const GuidedSearch&)>;

  // Domain and pool must outlive the group. Once `stop` says so, all methods return early, and what is left to do is to remove
  // the searches.
  LockstepGroup(const Domain& domain, ThreadPool& pool, StopToken stop = {})
      : domain_(domain), asked_ahead_(dynamic_cast<const AskedAhead*>(&domain)), pool_(pool), stop_(std::move(stop)) {}

  // Searches that are in it.
  std::size_t size() const { return running_.size(); }

  // The memory of a search that has ended, for the next one.
  StateTable TakeMemory();
  // `tag` names the search to the caller. It goes on in the group's domain, or in another one that must outlive it.
  void Start(std::size_t tag, std::unique_ptr<GuidedSearch> search) { Start(tag, std::move(search), domain_); }
  void Start(std::size_t tag, std::unique_ptr<GuidedSearch> search, const Domain& domain);

  // Gathers the candidates of all searches: batch() and scores() are about them until the next call. False if it was stopped.
  bool Collect(bool distinct_texts);
  ScoreBatch batch() const { return batch_.batch(); }
  std::span<float> scores() { return batch_.scores(); }
  // Gathers the candidates and has them scored. False if it was stopped.
  bool Score(Scorer& scorer);
  // Each search goes on with its scores, and lists its next candidates, on all cores. Advance does both, search by search,
  // which is faster.
  void Select();
  void Expand();
  void Advance();

  // Calls ended(tag, search) for each search that has finished, and takes it out.
  void RemoveFinished(const Ended& ended);
  // The same for all, whether they have finished or not.
  void RemoveAll(const Ended& ended);

 private:
  struct Running {
    std::size_t tag;
    std::unique_ptr<GuidedSearch> search;
    const Domain* domain;
    bool expanded;  // it has candidates that are scored
  };

  void SelectIn(std::size_t index);
  void ExpandIn(std::size_t index, const Domain& domain);
  // What the domain says to all that its searches are going to ask.
  std::unique_ptr<const Domain> Ask() const;
  void Remove(Running& ended_search, const Ended& ended);

  const Domain& domain_;
  const AskedAhead* asked_ahead_;  // the domain, if it is one
  ThreadPool& pool_;
  StopToken stop_;
  std::vector<Running> running_;
  std::vector<StateTable> free_memory_;
  std::vector<const GuidedSearch*> searches_;  // of running_, for the batch
  LockstepBatch batch_;
};

struct LockstepOptions {
  // Problems that advance at a time; 0 for what suits the scorer.
  std::size_t in_flight = 0;
  StopToken stop;
  // Called for each problem, in the order of finishing.
  LockstepGroup::Ended finished;
};

using MakeSearch = std::function<std::unique_ptr<GuidedSearch>(const Domain&, const std::string& problem, StateTable memory)>;

// Searches all problems and returns the results in their order; those that `stop` cut off are kInterrupted.
std::vector<SearchResult> RunLockstep(const Domain& domain, Scorer& scorer, std::span<const std::string> problems,
                                      const MakeSearch& make, ThreadPool& pool, const LockstepOptions& options = {});

}  // namespace conpole

// What the tests of searches share: a domain that is an explicit graph, and a scorer that is a function and keeps a record of
// what it was asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <ostream>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "conpole/search.h"
#include "search/lockstep.h"
#include "search/run_search.h"
#include "util/text.h"
#include "util/thread_pool.h"

namespace conpole {

using Path = std::vector<std::string>;

// A state is a name; its successors stand in the order given. A state without an entry is a dead end, unless it is solved.
class GraphDomain final : public Domain {
 public:
  using Edges = std::map<std::string, std::vector<std::string>, std::less<>>;

  explicit GraphDomain(Edges edges, std::set<std::string, std::less<>> solved = {"G"})
      : Domain(Type(), {}), edges_(std::move(edges)), solved_(std::move(solved)) {}

  std::string Generate(std::uint64_t) const override { return "S"; }
  Status Expand(std::string_view state, Labels labels, Successors& out) const override {
    {
      const std::lock_guard lock(recording_);
      expanded_.emplace_back(state);
    }
    if (Solved(state)) return Status::kSolved;
    const auto found = edges_.find(state);
    if (found == edges_.end()) return Status::kDeadEnd;
    for (const std::string& next : found->second) {
      out.EndState(WriteText(out.BeginState(next.size()), next));
      if (labels == Labels::kOn) out.EndLabel(WriteText(WriteText(out.BeginLabel(next.size() + 3), "to "), next));
    }
    return Status::kOpen;
  }
  bool Solved(std::string_view state) const override { return solved_.contains(state); }
  Parsed Parse(std::string_view text) const override { return {std::string(text), std::nullopt}; }

  // The states in the order in which their successors were asked for.
  const std::vector<std::string>& expanded() const { return expanded_; }

 private:
  static const DomainType& Type() {
    static const DomainType type{"graph", "an explicit graph", {}, {{"to", "goes to a state"}}, nullptr};
    return type;
  }

  Edges edges_;
  std::set<std::string, std::less<>> solved_;
  mutable std::mutex recording_;
  mutable std::vector<std::string> expanded_;
};

class FunctionScorer final : public Scorer {
 public:
  using Function = std::function<float(std::string_view parent, std::string_view candidate)>;
  struct Call {
    std::vector<std::string> texts;
    std::vector<std::pair<std::string, std::string>> pairs;
  };

  FunctionScorer(ScoreMeaning meaning, Function function, bool distinct = true)
      : meaning_(meaning), function_(std::move(function)), distinct_(distinct) {}

  ScoreMeaning meaning() const override { return meaning_; }
  bool NeedsDistinctTexts() const override { return distinct_; }
  void Score(const ScoreBatch& batch, std::span<float> scores) override {
    Call& call = calls_.emplace_back();
    call.texts.assign(batch.texts.begin(), batch.texts.end());
    for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
      const std::string_view parent = batch.texts[batch.pairs[i].parent];
      const std::string_view candidate = batch.texts[batch.pairs[i].candidate];
      call.pairs.emplace_back(parent, candidate);
      scores[i] = function_(parent, candidate);
    }
  }

  const std::vector<Call>& calls() const { return calls_; }

 private:
  ScoreMeaning meaning_;
  Function function_;
  bool distinct_;
  std::vector<Call> calls_;
};

// Scores by edge, named "parent candidate"; 0 for edges that are not given.
inline FunctionScorer EdgeScorer(std::map<std::string, float> scores, ScoreMeaning meaning = ScoreMeaning::kLogPreference) {
  return {meaning, [scores = std::move(scores)](std::string_view parent, std::string_view candidate) {
            const auto found = scores.find(std::string(parent) + " " + std::string(candidate));
            return found == scores.end() ? 0.0F : found->second;
          }};
}

// Estimates of the steps to go; 0 for states that are not given.
inline FunctionScorer CostScorer(std::map<std::string, float, std::less<>> costs) {
  return {ScoreMeaning::kMinusStepsToGo, [costs = std::move(costs)](std::string_view, std::string_view candidate) {
            const auto found = costs.find(candidate);
            return found == costs.end() ? 0.0F : -found->second;
          }};
}

inline bool operator==(const SearchResult& a, const SearchResult& b) {
  return a.outcome == b.outcome && a.path == b.path && a.expanded == b.expanded && a.edges == b.edges;
}

inline std::ostream& operator<<(std::ostream& out, const SearchResult& result) {
  out << "outcome " << static_cast<int>(result.outcome) << ", " << result.expanded << " expanded, " << result.edges
      << " edges, path";
  for (const std::string& state : result.path) out << ' ' << state;
  return out;
}

// Lets one search run to its end, by itself and on the calling thread alone.
inline void RunToTheEnd(GuidedSearch& search, const Domain& domain, Scorer& scorer) {
  ThreadPool pool(1);
  LockstepBatch batch;
  Successors buffer;
  const GuidedSearch* const searches[] = {&search};
  while (true) {
    search.Expand(domain, buffer);
    if (search.finished()) return;
    batch.Collect(searches, scorer.NeedsDistinctTexts(), pool);
    scorer.Score(batch.batch(), batch.scores());
    search.Select(domain, batch.ScoresOf(0));
    if (search.finished()) return;
  }
}

// Searches one problem, or many, on the calling thread alone.
inline std::vector<SearchResult> SearchAll(const Domain& domain, Scorer& scorer, std::span<const std::string> problems,
                                           const SearchOptions& options) {
  ThreadPool pool(1);
  return RunSearch(domain, scorer, problems, options, pool);
}
inline SearchResult SearchOne(const Domain& domain, Scorer& scorer, const std::string& problem, const SearchOptions& options) {
  return SearchAll(domain, scorer, std::span(&problem, 1), options).front();
}

}  // namespace conpole

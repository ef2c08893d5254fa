#include "cli/solved_problems.h"

#include "conpole/search.h"
#include "search/run_search.h"
#include "tutor/subject.h"
#include "tutor/verify.h"
#include "util/interrupt.h"

namespace conpole::cli {
namespace {

bool Counts(Verdict verdict, bool must_be_right) {
  return verdict == Verdict::kRight || (!must_be_right && verdict == Verdict::kCannotTell);
}

}  // namespace

std::vector<std::optional<SolutionAxioms>> SolveGreedily(const Domain& domain, Scorer& scorer,
                                                         std::span<const std::string> problems, const SolvingOptions& options,
                                                         ThreadPool& pool,
                                                         const std::function<void(std::size_t done)>& finished) {
  SearchOptions search;
  search.kind = SearchKind::kGreedy;
  search.greedy.max_steps = options.max_steps;
  search.stop = &InterruptFlag();
  std::size_t done = 0;
  const std::vector<SearchResult> results =
      RunSearch(domain, scorer, problems, search, pool, [&](std::size_t, const SearchResult&) {
        if (finished) finished(++done);
      });
  const Subject& subject = SubjectOf(domain);
  std::vector<std::optional<SolutionAxioms>> solutions(problems.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i].solved() || !Counts(VerifyPath(domain, results[i].path), options.must_be_right)) continue;
    SolutionAxioms& axioms = solutions[i].emplace();
    for (const std::string& label : LabelsOfPath(domain, results[i].path)) axioms.push_back(subject.ReadAction(label).axiom);
  }
  return solutions;
}

}  // namespace conpole::cli

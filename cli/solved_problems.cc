#include "cli/solved_problems.h"

#include <utility>

#include "conpole/search.h"
#include "search/run_search.h"
#include "subjects/subject.h"
#include "subjects/verify.h"
#include "util/interrupt.h"

namespace conpole::cli {
namespace {

bool CountsAsSolved(Verdict verdict, bool must_be_right) {
  return verdict == Verdict::kRight || (!must_be_right && verdict == Verdict::kCannotTell);
}

// Searches, and keeps the solutions that count.
std::vector<std::optional<SolutionAxioms>> Solve(const Domain& domain, Scorer& scorer, std::span<const std::string> problems,
                                                 const SearchOptions& search, bool must_be_right, ThreadPool& pool,
                                                 const std::function<void(std::size_t done)>& finished) {
  std::size_t done = 0;
  const std::vector<SearchResult> results =
      RunSearch(domain, scorer, problems, search, pool, [&](std::size_t, const SearchResult&) {
        if (finished) finished(++done);
      });
  const Subject& subject = SubjectOf(domain);
  std::vector<std::optional<SolutionAxioms>> solutions(problems.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i].solved() || !CountsAsSolved(VerifyPath(domain, results[i].path), must_be_right)) continue;
    SolutionAxioms& axioms = solutions[i].emplace();
    for (const std::string& label : LabelsOfPath(domain, results[i].path)) axioms.push_back(subject.ReadAction(label).axiom);
  }
  return solutions;
}

}  // namespace

std::vector<std::optional<SolutionAxioms>> SolveAll(const Domain& domain, Scorer& scorer, std::span<const std::string> problems,
                                                    const SolvingOptions& options, ThreadPool& pool,
                                                    const std::function<void(std::size_t done)>& finished) {
  SearchOptions search;
  search.kind = SearchKind::kGreedy;
  search.greedy.max_steps = options.max_steps;
  search.stop = &InterruptFlag();
  std::vector<std::optional<SolutionAxioms>> solutions =
      Solve(domain, scorer, problems, search, options.must_be_right, pool, finished);
  if (options.beam == 0) return solutions;
  std::vector<std::string> rest;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < solutions.size(); ++i) {
    if (solutions[i]) continue;
    rest.push_back(problems[i]);
    places.push_back(i);
  }
  search.kind = SearchKind::kBeam;
  search.beam.width = options.beam;
  search.beam.max_steps = options.max_steps;
  std::vector<std::optional<SolutionAxioms>> found = Solve(domain, scorer, rest, search, options.must_be_right, pool, {});
  for (std::size_t i = 0; i < found.size(); ++i) solutions[places[i]] = std::move(found[i]);
  return solutions;
}

}  // namespace conpole::cli

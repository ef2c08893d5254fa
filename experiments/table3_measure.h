// The measurements behind Table 3: how well the nearest problem tells the section of an exercise, and how much its solution has
// in common with that of a generated problem. All representations are measured on the same problems, with the same candidates.
// One thread at a time; the domain and the pool must outlive it.
//
// 1. Sections: every exercise, with all others as candidates.
// 2. Generated problems: queries, each with the references as candidates, in two ways:
//      all     all references but those with the very text of the query
//      alike   of these, only references with the same three counts (CountsOf) and of another shape (ShapeOf): here counting
//              tells nothing, and neither does knowing the template
//    A query without two candidates, or without a solution, does not count.
//
// Scores are JSON. Of a layer:
//   {"layer": NAME, "sections": {"exercises": COUNT, "right": COUNT, "shared": SHARE}, "neighbours": [SCORE, ...]}
//     layer       "vector", or the name of a layer below it; empty for distances of texts
//     right       exercises whose nearest is of the same section; of equally near ones the first in the file counts
//     shared      the share that is right if equally near ones count equally
//   SCORE is {"labels": SOLVER, "candidates": "all" or "alike", "measure": MEASURE, "problems": COUNT, "score": MEAN}
//     measure     length (steps of difference), first (the same first axiom) or axioms (overlap)
//     score       [mean, low, high], a mean over the problems with its 95% interval
//     gains       of vectors themselves: how much better they are than each distance of texts on the same problems. More is
//                 better, whatever the measure
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output.h"
#include "cli/problem_list.h"
#include "cli/solved_problems.h"
#include "conpole/domain.h"
#include "util/statistics.h"
#include "util/thread_pool.h"
#include "vectors/problem_encoder.h"

namespace conpole::cli {

inline constexpr std::string_view kVectorLayer = "vector";
// The distances of texts that vectors are compared with; chance has all candidates equally near.
inline constexpr std::array<std::string_view, 5> kTextBaselines{"counts", "characters", "numbers-as-n", "edit-distance",
                                                                "chance"};

// Solutions of the same problems by one solver; none where it found none.
struct SolutionLabels {
  std::string name;
  std::vector<std::optional<SolutionAxioms>> of_queries;
  std::vector<std::optional<SolutionAxioms>> of_references;
};

struct NeighbourProblems {
  std::vector<std::string> queries;  // canonical text
  std::vector<std::string> references;
  std::vector<SolutionLabels> labels;
};

class Table3Measure {
 public:
  // `exercises` have their section as label; both they and the problems may be empty. Measures the distances of texts at once.
  Table3Measure(std::vector<ListedProblem> exercises, NeighbourProblems problems, ThreadPool& pool);
  Table3Measure(const Table3Measure&) = delete;
  Table3Measure& operator=(const Table3Measure&) = delete;

  // The scores of a distance of texts (kTextBaselines).
  const Json& OfBaseline(std::string_view name) const;
  // The scores of a layer's vectors by their cosine and, of the network's own, what they gain over the distances of texts.
  Json OfVectors(const std::string& layer, const ProblemEncoder& encoder) const;

 private:
  // Texts as a representation may want them: as they were given, and canonical.
  struct Texts {
    std::vector<std::string> given;
    std::vector<std::string> states;
  };
  // The distances of all of the first to all of the second, row by row.
  using Distances = std::function<std::vector<float>(const Texts& from, const Texts& to)>;

  struct Query {
    std::size_t index = 0;
    std::vector<std::size_t> candidates;  // indices of references
  };
  // Queries with their candidates, for the solutions of one solver.
  struct Group {
    const SolutionLabels* labels = nullptr;
    std::string candidates;
    std::vector<Query> queries;
    Bootstrap bootstrap;
  };
  // A value per query of a group, for each measure.
  struct Values {
    std::string_view measure;
    std::vector<double> of_queries;
  };

  void AddGroups(const SolutionLabels& labels);
  Json Measure(const std::string& layer, const Distances& distances, std::vector<std::vector<Values>>& values) const;
  Json MeasureSections(const Distances& distances) const;
  std::vector<Values> MeasureGroup(const Group& group, std::span<const float> distances) const;
  Distances DistancesOf(std::string_view baseline) const;

  std::vector<ListedProblem> exercises_;
  NeighbourProblems problems_;
  ThreadPool& pool_;
  std::vector<Group> groups_;
  std::vector<Json> baselines_;                                 // as kTextBaselines
  std::vector<std::vector<std::vector<Values>>> of_baselines_;  // per baseline and group
};

}  // namespace conpole::cli

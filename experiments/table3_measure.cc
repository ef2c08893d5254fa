#include "experiments/table3_measure.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <nlohmann/json.hpp>

#include "experiments/nearest_agreement.h"
#include "experiments/text_distances.h"
#include "vectors/unit_vectors.h"

namespace conpole::cli {
namespace {

constexpr std::string_view kLength = "length";
constexpr std::string_view kFirst = "first";
constexpr std::string_view kAxioms = "axioms";

// A table of distances, row by row; rows are dealt out to the threads.
template <class Distance>
std::vector<float> Table(std::size_t rows, std::size_t columns, ThreadPool& pool, const Distance& distance) {
  std::vector<float> table(rows * columns);
  pool.For(rows, [&](std::size_t row) {
    for (std::size_t column = 0; column < columns; ++column) {
      table[row * columns + column] = static_cast<float>(distance(row, column));
    }
  });
  return table;
}

template <class Make>
auto Each(const std::vector<std::string>& texts, const Make& make) {
  std::vector<decltype(make(texts.front()))> made;
  made.reserve(texts.size());
  for (const std::string& text : texts) made.push_back(make(text));
  return made;
}

SolutionAxioms Sorted(SolutionAxioms axioms) {
  std::sort(axioms.begin(), axioms.end());
  return axioms;
}

double Difference(std::size_t a, std::size_t b) { return std::abs(static_cast<double>(a) - static_cast<double>(b)); }

// To four decimals, which is below what any interval tells.
double Rounded(double value) { return std::round(value * 1e4) / 1e4; }

Json MeanOf(const std::vector<double>& values, const Bootstrap& bootstrap) {
  const Interval interval = bootstrap.OfMean(values);
  return {Rounded(Mean(values)), Rounded(interval.low), Rounded(interval.high)};
}

}  // namespace

Table3Measure::Table3Measure(std::vector<ListedProblem> exercises, NeighbourProblems problems, ThreadPool& pool)
    : exercises_(std::move(exercises)), problems_(std::move(problems)), pool_(pool) {
  for (const SolutionLabels& labels : problems_.labels) AddGroups(labels);
  for (const std::string_view baseline : kTextBaselines) {
    of_baselines_.emplace_back();
    baselines_.push_back(Measure("", DistancesOf(baseline), of_baselines_.back()));
  }
}

void Table3Measure::AddGroups(const SolutionLabels& labels) {
  const std::vector<std::string>& references = problems_.references;
  const std::vector<Counts> counts = Each(references, CountsOf);
  const std::vector<std::string> shapes = Each(references, ShapeOf);
  std::vector<Query> all;
  std::vector<Query> alike;
  const auto add = [](std::vector<Query>& queries, Query query) {
    if (query.candidates.size() > 1) queries.push_back(std::move(query));
  };
  // A problem that is solved as it stands has no first step.
  const auto is_solved = [](const std::optional<SolutionAxioms>& solution) { return solution && !solution->empty(); };
  for (std::size_t q = 0; q < problems_.queries.size(); ++q) {
    if (!is_solved(labels.of_queries[q])) continue;
    const std::string& text = problems_.queries[q];
    const Counts counts_of_query = CountsOf(text);
    const std::string shape_of_query = ShapeOf(text);
    Query any{q, {}};
    Query similar{q, {}};
    for (std::size_t r = 0; r < references.size(); ++r) {
      if (!is_solved(labels.of_references[r]) || references[r] == text) continue;
      any.candidates.push_back(r);
      if (counts[r] == counts_of_query && shapes[r] != shape_of_query) similar.candidates.push_back(r);
    }
    add(all, std::move(any));
    add(alike, std::move(similar));
  }
  const auto add_group = [&](const char* candidates, std::vector<Query> queries) {
    if (queries.empty()) return;  // there is nothing to tell
    Bootstrap bootstrap(queries.size());
    groups_.push_back({&labels, candidates, std::move(queries), std::move(bootstrap)});
  };
  add_group("all", std::move(all));
  add_group("alike", std::move(alike));
}

Json Table3Measure::Measure(const std::string& layer, const Distances& distances,
                            std::vector<std::vector<Values>>& values) const {
  Json scores{{"layer", layer}, {"sections", MeasureSections(distances)}, {"neighbours", Json::array()}};
  if (groups_.empty()) return scores;
  const std::vector<float> table =
      distances({problems_.queries, problems_.queries}, {problems_.references, problems_.references});
  for (const Group& group : groups_) {
    values.push_back(MeasureGroup(group, table));
    for (const Values& of_measure : values.back()) {
      scores["neighbours"].push_back({{"labels", group.labels->name},
                                      {"candidates", group.candidates},
                                      {"measure", of_measure.measure},
                                      {"problems", group.queries.size()},
                                      {"score", MeanOf(of_measure.of_queries, group.bootstrap)}});
    }
  }
  return scores;
}

Json Table3Measure::MeasureSections(const Distances& distances) const {
  if (exercises_.empty()) return nullptr;
  Texts texts;
  for (const ListedProblem& exercise : exercises_) {
    texts.given.push_back(exercise.text);
    texts.states.push_back(exercise.state);
  }
  const std::size_t count = exercises_.size();
  const std::vector<float> table = distances(texts, texts);
  const auto section = [&](std::size_t i) { return exercises_[i].labels.at(std::string(kLabel)); };
  std::size_t right = 0;
  double shared = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::size_t> others;
    for (std::size_t j = 0; j < count; ++j) {
      if (j != i) others.push_back(j);
    }
    const std::span<const float> row = std::span(table).subspan(i * count, count);
    const auto is_same = [&](std::size_t j) { return section(i) == section(j) ? 1.0 : 0.0; };
    const std::vector<std::size_t> nearest = NearestOf(row, others);
    if (!nearest.empty() && section(nearest.front()) == section(i)) ++right;
    shared += NearestAgreement(row, others, is_same).value_or(0) / static_cast<double>(count);
  }
  return {{"exercises", count}, {"right", right}, {"shared", Rounded(shared)}};
}

std::vector<Table3Measure::Values> Table3Measure::MeasureGroup(const Group& group, std::span<const float> distances) const {
  const std::size_t columns = problems_.references.size();
  const std::size_t count = group.queries.size();
  Values length{kLength, std::vector<double>(count)};
  Values first{kFirst, std::vector<double>(count)};
  Values axioms{kAxioms, std::vector<double>(count)};
  std::vector<SolutionAxioms> sorted(columns);
  for (std::size_t r = 0; r < columns; ++r) sorted[r] = Sorted(group.labels->of_references[r].value_or(SolutionAxioms()));
  for (std::size_t i = 0; i < count; ++i) {
    const Query& query = group.queries[i];
    const SolutionAxioms& own = *group.labels->of_queries[query.index];
    const SolutionAxioms own_sorted = Sorted(own);
    const auto of = [&](std::size_t r) -> const SolutionAxioms& { return *group.labels->of_references[r]; };
    const std::vector<std::size_t> nearest = NearestOf(distances.subspan(query.index * columns, columns), query.candidates);
    for (const std::size_t r : nearest) {
      const double share = 1 / static_cast<double>(nearest.size());
      length.of_queries[i] += share * Difference(own.size(), of(r).size());
      first.of_queries[i] += own.front() == of(r).front() ? share : 0;
      axioms.of_queries[i] += share * MultisetOverlap(own_sorted, sorted[r]);
    }
  }
  return {std::move(length), std::move(first), std::move(axioms)};
}

const Json& Table3Measure::OfBaseline(std::string_view name) const {
  const auto found = std::find(kTextBaselines.begin(), kTextBaselines.end(), name);
  return baselines_.at(static_cast<std::size_t>(found - kTextBaselines.begin()));
}

Json Table3Measure::OfVectors(const std::string& layer, const ProblemEncoder& encoder) const {
  const Distances cosine = [&](const Texts& from, const Texts& to) {
    UnitVectors vectors(encoder.dimension());
    vectors.Add(encoder.Encode(from.states, pool_));
    vectors.Add(encoder.Encode(to.states, pool_));
    return Table(from.states.size(), to.states.size(), pool_,
                 [&](std::size_t row, std::size_t column) { return 1 - vectors.Cosine(row, from.states.size() + column); });
  };
  std::vector<std::vector<Values>> values;
  Json scores = Measure(layer, cosine, values);
  if (layer != kVectorLayer) return scores;
  // The scores stand in the order of the groups and of their measures.
  auto score = scores["neighbours"].begin();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (std::size_t m = 0; m < values[g].size(); ++m, ++score) {
      const double sign = values[g][m].measure == kLength ? -1 : 1;
      std::map<std::string, Json> of_texts;  // by name
      for (std::size_t b = 0; b < kTextBaselines.size(); ++b) {
        const std::vector<double>& of_baseline = of_baselines_[b][g][m].of_queries;
        std::vector<double> gains;
        for (std::size_t i = 0; i < of_baseline.size(); ++i) {
          gains.push_back(sign * (values[g][m].of_queries[i] - of_baseline[i]));
        }
        of_texts.emplace(kTextBaselines[b], MeanOf(gains, groups_[g].bootstrap));
      }
      (*score)["gains"] = of_texts;
    }
  }
  return scores;
}

Table3Measure::Distances Table3Measure::DistancesOf(std::string_view baseline) const {
  if (baseline == "counts") {
    return [this](const Texts& from, const Texts& to) {
      const auto a = Each(from.given, CountsOf);
      const auto b = Each(to.given, CountsOf);
      return Table(a.size(), b.size(), pool_, [&](std::size_t i, std::size_t j) { return CountsDistance(a[i], b[j]); });
    };
  }
  if (baseline == "characters") {
    return [this](const Texts& from, const Texts& to) {
      const auto a = Each(from.given, CharacterCountsOf);
      const auto b = Each(to.given, CharacterCountsOf);
      return Table(a.size(), b.size(), pool_,
                   [&](std::size_t i, std::size_t j) { return CharacterCountsDistance(a[i], b[j]); });
    };
  }
  if (baseline == "numbers-as-n") {
    return [this](const Texts& from, const Texts& to) {
      const auto a = Each(from.given, WithNumbersAsN);
      const auto b = Each(to.given, WithNumbersAsN);
      return Table(a.size(), b.size(), pool_, [&](std::size_t i, std::size_t j) { return EditDistance(a[i], b[j]); });
    };
  }
  if (baseline == "edit-distance") {
    return [this](const Texts& from, const Texts& to) {
      return Table(from.given.size(), to.given.size(), pool_,
                   [&](std::size_t i, std::size_t j) { return EditDistance(from.given[i], to.given[j]); });
    };
  }
  return [](const Texts& from, const Texts& to) { return std::vector<float>(from.given.size() * to.given.size(), 0.0F); };
}

}  // namespace conpole::cli

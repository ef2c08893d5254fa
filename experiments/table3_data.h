// What Table 3 is made of: one record per representation of problems (a trained model, an untrained network, a distance of
// texts) and domain, small enough to be kept, without any text of an exercise. Records are JSON files, one each, so that models
// of other days and machines can be added; table3.py makes the tables. Values; any thread may call the functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output.h"

namespace conpole::cli {

// Exercises whose nearest other exercise is of the same section.
struct SectionScore {
  std::size_t exercises = 0;
  std::size_t right = 0;  // of equally near ones the first in the file counts
  double shared = 0;      // the share that is right if equally near ones count equally
};

// To four decimals, as records keep scores: below what any interval tells.
double RoundedScore(double value);

// A mean over problems, with its 95% interval.
struct MeanScore {
  double mean = 0;
  double low = 0;
  double high = 0;
};

// What a problem and its nearest neighbour have in common.
struct NeighbourScore {
  std::string labels;      // whose solutions: "policy" or "school"
  std::string candidates;  // which problems may be neighbours: "all" or "alike"
  std::string measure;     // "length" (steps of difference), "first" (the same first axiom) or "axioms" (overlap)
  std::size_t problems = 0;
  MeanScore score;
  // How much better it is than the baselines of texts, by their names, on the same problems. More is better, whatever the
  // measure. Only of vectors themselves.
  std::map<std::string, MeanScore> gains = {};
};

struct LayerScores {
  std::string layer;  // "vector", or the name of a layer below it; empty for distances of texts
  std::optional<SectionScore> sections;
  std::vector<NeighbourScore> neighbours;
};

struct Table3Record {
  std::string domain;          // its name, without parameters
  std::string representation;  // an agent, "untrained", or a distance of texts
  std::string variant;         // of the agent, if it has any; "shipped" for the model that comes with conpole
  std::uint64_t seed = 0;
  std::uint64_t steps = 0;  // environment steps of training
  std::string queries;      // seeds of the problems, FIRST:END; empty if only sections were measured
  std::string references;   // of those that may be neighbours
  std::vector<LayerScores> layers;
};

// DOMAIN-REPRESENTATION-VARIANT-SEED, as files of records are called.
std::string RecordName(const Table3Record& record);
Json JsonOf(const Table3Record& record);
// As its file has it: one line per test.
std::string FormatRecord(const Json& record);

inline constexpr std::string_view kUntrained = "untrained";
inline constexpr std::string_view kShipped = "shipped";
inline constexpr std::string_view kVectorLayer = "vector";
// All candidates equally near.
inline constexpr std::string_view kChance = "chance";

// The distances of texts that vectors are compared with.
inline constexpr std::array<std::string_view, 5> kTextBaselines{"counts", "characters", "numbers-as-n", "edit-distance",
                                                                kChance};
bool IsTextBaseline(std::string_view representation);

}  // namespace conpole::cli

// What the table of the cube is made of: one record per model, search and width, small enough to be kept, and figures that
// others have published. Records are JSON files, one each, so that what was measured on other days and machines can be added;
// the cubes themselves are not in them. Values; any thread may call the functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace conpole::cli {

struct CubeRecord {
  // Who searched.
  std::string model;             // the name that it goes by here
  std::string model_id;          // of the file's content
  std::string network;           // 324-1664-640, 4 blocks
  std::uint64_t weights = 0;     // how many
  std::string agent;             // that it learned by
  std::uint64_t trained_on = 0;  // states that a walk came by or, of other agents, environment steps
  double trained_seconds = 0;    // 0 if that is not known
  // How, and on what.
  std::string search;      // beam or bwas
  std::size_t width = 0;   // of the beam, or the batch of bwas
  double step_weight = 0;  // of bwas
  std::string device;
  std::size_t cubes = 0;
  std::string cubes_id;  // of the list
  // What came of it, for all cubes together.
  std::size_t solved = 0;
  std::size_t verified = 0;
  std::uint64_t moves = 0;   // quarter turns of the solutions
  std::uint64_t states = 0;  // that the network was asked about
  double seconds = 0;
  std::map<std::size_t, std::size_t>
      lengths;  // by the number of moves, how many solutions have it; empty where that was not kept
  std::size_t longest = 0;

  double MeanMoves() const;
  double StatesPerCube() const;
  double SecondsPerCube() const;
};

// MODEL-SEARCH-WIDTH, as the files are called.
std::string RecordName(const CubeRecord& record);
std::string FormatRecord(const CubeRecord& record);
// Throws Error, which names the file, if it is not a record.
CubeRecord ReadCubeRecord(const std::string& path);
// All records in a folder, in the order of the table: the largest networks last, narrow before wide. Files of other endings are
// left alone. Throws Error.
std::vector<CubeRecord> ReadCubeRecords(const std::string& folder);

// Sixteen digits that are the same for the same bytes everywhere, and hardly ever for others.
std::string ContentId(std::string_view bytes);
std::string ContentId(std::span<const std::string> texts);

// What others have published about cubes of the same source.
struct PublishedCubes {
  std::string_view method;
  std::string_view width;
  double moves;
  int decimals;             // that they have
  std::string_view states;  // in words
  double states_per_cube;   // 0 if it cannot be compared
  std::string_view trained_on;
};
std::span<const PublishedCubes> PublishedCubeResults();

// The mean of the shortest solutions of a list of cubes, where that is known.
std::optional<double> KnownOptimum(std::string_view cubes_id);

}  // namespace conpole::cli

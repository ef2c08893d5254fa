// The recorded runs of the authors' program, which are not part of the repository.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace conpole {

struct Recording {
  std::string name;  // as in the file names
  std::string domain;
  std::string spec;  // of the domain with the parameters that were recorded
  friend void PrintTo(const Recording& recording, std::ostream* out) { *out << recording.name; }
};

// One per domain.
std::vector<Recording> Recordings();

// Where the recording of one kind (problems, steps or edge) is, if it is there.
std::filesystem::path PathOf(const Recording& recording, std::string_view kind);

// Calls `use` with every line of a file, until it returns false.
void ForEachLine(const std::filesystem::path& path, const std::function<bool(const nlohmann::json&)>& use);

// Up to `count` recorded states of the domain. Without recordings, which it says on standard output, states on random walks.
std::vector<std::string> StatesOf(const Recording& recording, std::size_t count);

}  // namespace conpole

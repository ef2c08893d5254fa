// Checkpoint files: named sections of bytes with a checksum over all of them. A checkpoint is written beside its place and
// renamed, so that a file with the right name is whole; the checksum catches what disks do to it later. Nothing in a file is
// taken on trust: it is known to be a regular file with the right first and last bytes before more of it is read. One thread at
// a time per file.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace conpole {

// Writes a section's bytes, piece by piece.
using WriteBytes = std::function<void(std::string_view)>;

struct CheckpointSection {
  std::string name;
  std::function<void(const WriteBytes&)> save;
};

// Throws Error, naming the file, if it cannot be written; an older file stays as it was.
void WriteCheckpoint(const std::string& path, const std::vector<CheckpointSection>& sections);

// The sections by name. Throws Error, naming the file and what is wrong with it.
std::map<std::string, std::string> ReadCheckpoint(const std::string& path);

// The checkpoints of a run: FOLDER/checkpoint-STEPS.
class CheckpointFolder {
 public:
  explicit CheckpointFolder(std::string folder) : folder_(std::move(folder)) {}

  // Writes a new one and removes all but the newest two.
  void Write(std::uint64_t steps, const std::vector<CheckpointSection>& sections) const;
  bool HasAny() const { return !Find().empty(); }
  const std::string& path() const { return folder_; }
  std::string PathOf(std::uint64_t steps) const;
  // Of the checkpoints that there are, the newest first.
  std::vector<std::uint64_t> Steps() const;

 private:
  // Steps and paths, the newest first.
  std::vector<std::pair<std::uint64_t, std::string>> Find() const;

  std::string folder_;
};

}  // namespace conpole

// A file that appears whole or not at all: it is written beside its place, brought to the disk, and renamed. Until then an
// older file of that name stays as it is, also if the program ends in between. One thread at a time; several may write the same
// path, each with an object of its own: the last to commit stays.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace conpole {

class AtomicFile {
 public:
  // Creates the temporary file, in the folder of `path`. A path that exists must be a regular file, so that no device is
  // replaced. This and all methods throw Error, which says why but leaves the naming of the path to the caller.
  explicit AtomicFile(std::string path);
  // Removes what was written unless it was committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void Write(std::span<const std::byte> bytes);
  // To be called once, after all else.
  void Commit();

 private:
  std::string path_;
  std::string temporary_path_;
  int file_ = -1;
  bool temporary_exists_ = false;
};

// Writes a whole file in this way. Throws Error, which begins with the path.
void WriteFileAtomically(const std::string& path, std::string_view content);

}  // namespace conpole

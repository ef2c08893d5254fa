// A regular file whose content is read as memory: only what is looked at is fetched, and processes share it. The content is
// that of the file when it was mapped as long as nobody writes into the file, which nothing here does (util/atomic_file.h).
// Immutable; any thread may use it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace conpole {

class MappedFile {
 public:
  // Throws Error, which begins with the path, if it cannot be read.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // It begins where a page begins.
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace conpole

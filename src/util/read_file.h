// Reading files that may be anything: what a user names on the command line, what another program left behind. Only regular
// files are read, and no more of them than the caller allows: a device has no end, a pipe may never be written to, and a folder
// is not a file. Opening never waits. One thread at a time per object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "conpole/error.h"

namespace conpole {

// A regular file that is open for reading. All methods throw Error, which begins with the path and says why.
class RegularFile {
 public:
  // Refuses what is not a regular file, before anything is read.
  explicit RegularFile(std::string path);
  ~RegularFile();
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;

  const std::string& path() const { return path_; }
  // In bytes, when it was opened.
  std::uint64_t size() const { return size_; }

  // Reads the next bytes: as many as there is room for, fewer only at the end of the file. Returns how many.
  std::size_t Read(std::span<std::byte> out);

 private:
  std::string path_;
  int file_ = -1;
  std::uint64_t size_ = 0;
};

// Returns what `work`, which reads or writes a file, returns. What it throws as Error begins with the path, once.
template <class Work>
auto NamingFile(const std::string& path, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    const std::string begin = path + ": ";
    if (std::string_view(error.what()).starts_with(begin)) throw;
    throw Error(begin + error.what());
  }
}

// The whole content of a regular file of at most `max_bytes`. Throws Error, which begins with the path.
std::string ReadRegularFile(const std::string& path, std::size_t max_bytes);

}  // namespace conpole

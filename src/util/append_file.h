// A file that grows by whole records: each is appended with one call, reaches the system at once, and stays if the program is
// killed. One thread at a time.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace conpole {

class AppendFile {
 public:
  enum class Mode { kContinue, kNew };

  // Opens `path`, or creates it; kNew refuses one that exists. This and Append throw Error, which names the path.
  explicit AppendFile(std::string path, Mode mode = Mode::kContinue);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  const std::string& path() const { return path_; }

  // All or nothing: what a full disk has cut short is taken back.
  void Append(std::string_view record);

 private:
  [[noreturn]] void Fail() const;

  std::string path_;
  int file_ = -1;
  off_t size_ = 0;
};

}  // namespace conpole

#include "util/append_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"

namespace conpole {

AppendFile::AppendFile(std::string path, Mode mode) : path_(std::move(path)) {
  const int exclusive = mode == Mode::kNew ? O_EXCL : 0;
  file_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | exclusive, 0666);
  if (file_ < 0) Fail();
  struct stat status {};
  fstat(file_, &status);
  size_ = status.st_size;
}

AppendFile::~AppendFile() {
  if (file_ >= 0) close(file_);
}

void AppendFile::Append(std::string_view record) {
  std::size_t done = 0;
  while (done < record.size()) {
    const ssize_t written = write(file_, record.data() + done, record.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int reason = errno;
      // If this fails too, the end of the file is torn, which readers expect of a program that was killed.
      if (ftruncate(file_, size_) != 0) size_ += static_cast<off_t>(done);
      errno = reason;
      Fail();
    }
    done += static_cast<std::size_t>(written);
  }
  size_ += static_cast<off_t>(done);
}

void AppendFile::Fail() const {
  throw Error(fmt::format("{}: cannot be written: {}", path_, std::generic_category().message(errno)));
}

}  // namespace conpole

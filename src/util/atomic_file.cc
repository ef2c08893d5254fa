#include "util/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "util/read_file.h"

namespace conpole {
namespace {

[[noreturn]] void Fail(std::string_view what) {
  throw Error(fmt::format("{}: {}", what, std::generic_category().message(errno)));
}

// After a power failure the folder may still have the older file, which is whole too: no reason to report a failure.
void SyncFolderOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  fsync(file);
  close(file);
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  struct stat status {};
  if (stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) throw Error("cannot be written: it is not a regular file");
  static std::atomic<unsigned> counter = 0;
  do {
    temporary_path_ = fmt::format("{}.{}-{}.tmp", path_, getpid(), counter++);
    // Not mkstemp, which would not follow the user's umask.
    file_ = open(temporary_path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (file_ < 0 && errno == EEXIST);
  if (file_ < 0) Fail("cannot be written");
  temporary_exists_ = true;
}

AtomicFile::~AtomicFile() {
  if (file_ >= 0) close(file_);
  if (temporary_exists_) unlink(temporary_path_.c_str());
}

// NOLINTNEXTLINE(readability-make-member-function-const): it changes the file
void AtomicFile::Write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) Fail("cannot be written");
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void AtomicFile::Commit() {
  if (fsync(file_) != 0) Fail("cannot be written to the disk");
  if (close(std::exchange(file_, -1)) != 0) Fail("cannot be written");
  if (rename(temporary_path_.c_str(), path_.c_str()) != 0) Fail("cannot be renamed into its place");
  temporary_exists_ = false;
  SyncFolderOf(path_);
}

void WriteFileAtomically(const std::string& path, std::string_view content) {
  NamingFile(path, [&] {
    AtomicFile file(path);
    file.Write(std::as_bytes(std::span(content.data(), content.size())));
    file.Commit();
  });
}

}  // namespace conpole

#include "util/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"

namespace conpole {
namespace {

[[noreturn]] void Fail(const std::string& path, std::string_view why) {
  throw Error(fmt::format("{}: cannot be read: {}", path, why));
}

std::string SystemMessage() { return std::generic_category().message(errno); }

std::string_view KindOf(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

}  // namespace

RegularFile::RegularFile(std::string path) : path_(std::move(path)) {
  // Without O_NONBLOCK, opening a pipe would wait for somebody to write to it.
  file_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file_ < 0) Fail(path_, SystemMessage());
  struct stat status {};
  const bool known = fstat(file_, &status) == 0;
  if (known && S_ISREG(status.st_mode)) {
    size_ = static_cast<std::uint64_t>(status.st_size);
    return;
  }
  const std::string why = known ? fmt::format("it is {}, not a regular file", KindOf(status.st_mode)) : SystemMessage();
  close(file_);
  Fail(path_, why);
}

RegularFile::~RegularFile() { close(file_); }

// NOLINTNEXTLINE(readability-make-member-function-const): it moves on in the file
std::size_t RegularFile::Read(std::span<std::byte> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got = read(file_, out.data() + done, out.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) Fail(path_, SystemMessage());
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

std::string ReadRegularFile(const std::string& path, std::size_t max_bytes) {
  RegularFile file(path);
  const auto check = [&](std::uint64_t size) {
    if (size > max_bytes) Fail(path, fmt::format("it is larger than {} bytes", max_bytes));
  };
  check(file.size());
  // The size is a first guess: files of the system say 0, and others may grow meanwhile.
  std::string content;
  std::size_t wanted = static_cast<std::size_t>(file.size()) + 1;
  for (std::size_t done = 0;; wanted = std::max<std::size_t>(2 * done, 4096)) {
    content.resize(wanted);
    done += file.Read(std::as_writable_bytes(std::span(content).subspan(done)));
    check(done);
    if (done == wanted) continue;
    content.resize(done);
    return content;
  }
}

}  // namespace conpole

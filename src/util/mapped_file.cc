#include "util/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include <fmt/format.h>

#include "conpole/error.h"

namespace conpole {

MappedFile::MappedFile(const std::string& path) {
  const auto fail = [&](const std::string& why) { throw Error(fmt::format("{}: cannot be read: {}", path, why)); };
  const auto fail_by_errno = [&] { fail(std::generic_category().message(errno)); };
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) fail_by_errno();
  struct stat status {};
  const bool is_known = fstat(file, &status) == 0;
  const bool is_file = is_known && S_ISREG(status.st_mode);
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const memory = is_file && size != 0 ? mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0) : nullptr;
  const int error = errno;
  close(file);
  errno = error;
  if (!is_known || memory == MAP_FAILED) fail_by_errno();
  if (!is_file) fail("it is not a regular file");
  if (memory != nullptr) bytes_ = {static_cast<const std::byte*>(memory), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace conpole

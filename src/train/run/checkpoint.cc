#include "train/run/checkpoint.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <boost/crc.hpp>

#include "conpole/error.h"
#include "util/atomic_file.h"
#include "util/read_file.h"

namespace conpole {
namespace {

// The file: kMagic; per section the length of its name, the name, the pieces of its contents, each behind its length, and a
// length of kEnd; a name length of kEnd; the number of all bytes so far; their CRC-32; kEndMagic. Numbers are 64 bits, as the
// machine has them. A change of this, or of what the sections hold, changes the version in kMagic.
constexpr std::string_view kMagicWithoutVersion = "conpole checkpoint ";
constexpr std::string_view kMagic = "conpole checkpoint 3\n";
constexpr std::string_view kEndMagic = "conpole end\n";
constexpr std::uint64_t kEnd = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kTrailerBytes = 2 * sizeof(std::uint64_t) + kEndMagic.size();
constexpr std::string_view kPrefix = "checkpoint-";
constexpr std::size_t kKept = 2;
constexpr std::uint64_t kMaxNameBytes = 1000;

class Writer {
 public:
  explicit Writer(const std::string& path) : file_(path) {}

  void Piece(std::string_view piece) {
    Number(piece.size());
    Raw(piece);
  }
  void Number(std::uint64_t number) {
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    Raw({bytes, sizeof bytes});
  }
  void Raw(std::string_view bytes) {
    size_ += bytes.size();
    buffer_ += bytes;
    if (buffer_.size() >= kBufferSize) Flush();
  }
  void Finish() {
    Number(size_);
    Flush();
    Number(checksum_.checksum());
    Raw(kEndMagic);
    Flush();
    file_.Commit();
  }

 private:
  static constexpr std::size_t kBufferSize = std::size_t{1} << 20;

  void Flush() {
    checksum_.process_bytes(buffer_.data(), buffer_.size());
    file_.Write(std::as_bytes(std::span(buffer_)));
    buffer_.clear();
  }

  AtomicFile file_;
  std::string buffer_;
  std::uint64_t size_ = 0;
  boost::crc_32_type checksum_;
};

class Reader {
 public:
  // Looks at the first and the last bytes only.
  explicit Reader(const std::string& path) {
    // Before it is opened: opening a pipe would wait for its other end.
    std::error_code failure;
    const std::filesystem::file_status status = std::filesystem::status(path, failure);
    if (!std::filesystem::is_regular_file(status)) throw Error("it is not a regular file");
    file_.open(path, std::ios::binary | std::ios::ate);
    if (!file_) throw Error("it cannot be opened");
    const auto size = static_cast<std::uint64_t>(file_.tellg());
    file_.seekg(0);
    std::string magic(std::min<std::uint64_t>(size, kMagic.size()), '\0');
    ReadInto(magic);
    if (magic != kMagic && magic.starts_with(kMagicWithoutVersion)) {
      throw Error("it was written by another version of this program, and cannot be read by this one");
    }
    if (magic != kMagic) throw Error("it is not a checkpoint");
    if (size < kMagic.size() + kTrailerBytes) throw Error("it ends too early");
    std::string trailer(kTrailerBytes, '\0');
    file_.seekg(static_cast<std::streamoff>(size - kTrailerBytes));
    ReadInto(trailer);
    std::uint64_t claimed_size = 0;
    std::memcpy(&claimed_size, trailer.data(), sizeof claimed_size);
    std::memcpy(&expected_checksum_, trailer.data() + sizeof claimed_size, sizeof expected_checksum_);
    if (!trailer.ends_with(kEndMagic) || claimed_size != size - kTrailerBytes) {
      throw Error("it is not whole: its end is not that of a checkpoint");
    }
    left_ = size - kTrailerBytes + sizeof claimed_size;  // the checksum is over that number, too
    file_.seekg(0);
    Raw(kMagic.size());
  }

  std::string Raw(std::uint64_t size) {
    std::string bytes;
    AppendRaw(size, bytes);
    return bytes;
  }
  void AppendRaw(std::uint64_t size, std::string& to) {
    if (size > left_) throw Error("it ends too early");
    left_ -= size;
    const std::size_t begin = to.size();
    to.resize(begin + size);
    ReadInto(std::span(to).subspan(begin));
    checksum_.process_bytes(to.data() + begin, size);
  }
  std::uint64_t Number() {
    std::uint64_t number = 0;
    std::memcpy(&number, Raw(sizeof number).data(), sizeof number);
    return number;
  }
  // Once all sections are read.
  void Finish() {
    Number();
    if (left_ != 0) throw Error("there is something behind its end");
    if (checksum_.checksum() != expected_checksum_) throw Error("its checksum is wrong");
  }

 private:
  void ReadInto(std::span<char> to) {
    if (!file_.read(to.data(), static_cast<std::streamsize>(to.size()))) throw Error("it cannot be read");
  }

  std::ifstream file_;
  std::uint64_t left_ = 0;  // bytes that the checksum is over and that are not read yet
  std::uint64_t expected_checksum_ = 0;
  boost::crc_32_type checksum_;
};

}  // namespace

void WriteCheckpoint(const std::string& path, const std::vector<CheckpointSection>& sections) {
  NamingFile(fmt::format("the checkpoint {}", path), [&] {
    Writer writer(path);
    writer.Raw(kMagic);
    for (const CheckpointSection& section : sections) {
      writer.Piece(section.name);
      section.save([&](std::string_view piece) { writer.Piece(piece); });
      writer.Number(kEnd);
    }
    writer.Number(kEnd);
    writer.Finish();
  });
}

std::map<std::string, std::string> ReadCheckpoint(const std::string& path) {
  return NamingFile(fmt::format("the checkpoint {}", path), [&] {
    Reader reader(path);
    std::map<std::string, std::string> sections;
    for (std::uint64_t name_size = reader.Number(); name_size != kEnd; name_size = reader.Number()) {
      if (name_size > kMaxNameBytes) throw Error("a section has too long a name");
      std::string& section = sections[reader.Raw(name_size)];
      for (std::uint64_t size = reader.Number(); size != kEnd; size = reader.Number()) reader.AppendRaw(size, section);
    }
    reader.Finish();
    return sections;
  });
}

std::string CheckpointFolder::PathOf(std::uint64_t steps) const { return fmt::format("{}/{}{:015}", folder_, kPrefix, steps); }

std::vector<std::uint64_t> CheckpointFolder::Steps() const {
  std::vector<std::uint64_t> all;
  for (const auto& [steps, path] : Find()) all.push_back(steps);
  return all;
}

void CheckpointFolder::Write(std::uint64_t steps, const std::vector<CheckpointSection>& sections) const {
  WriteCheckpoint(PathOf(steps), sections);
  const auto all = Find();
  for (std::size_t i = kKept; i < all.size(); ++i) {
    std::error_code ignored;  // an old one that stays does no harm
    std::filesystem::remove(all[i].second, ignored);
  }
}

std::vector<std::pair<std::uint64_t, std::string>> CheckpointFolder::Find() const {
  std::vector<std::pair<std::uint64_t, std::string>> found;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, failure)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind(kPrefix, 0) != 0) continue;
    std::uint64_t steps = 0;
    const char* const end = name.data() + name.size();
    const auto [past, error] = std::from_chars(name.data() + kPrefix.size(), end, steps);
    if (error == std::errc() && past == end) found.emplace_back(steps, entry.path().string());
  }
  std::sort(found.rbegin(), found.rend());
  return found;
}

}  // namespace conpole

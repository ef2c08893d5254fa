#include "train/checkpoint.h"

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

#include "conpole/error.h"
#include "util/atomic_file.h"
#include "util/hash.h"

namespace conpole {
namespace {

// The file: kMagic; per section the length of its name, the name, the pieces of its contents, each behind its length, and a
// length of kEnd; a name length of kEnd; the checksum of all that. Numbers are 64 bits, as the machine has them.
constexpr std::string_view kMagic = "conpole checkpoint 1\n";
constexpr std::uint64_t kEnd = std::numeric_limits<std::uint64_t>::max();
constexpr std::string_view kPrefix = "checkpoint-";
constexpr std::size_t kKept = 2;

// Pieces are hashed one by one; how the text is cut matters, and is in the file.
std::uint64_t AddToChecksum(std::uint64_t checksum, std::string_view piece) { return MixHash(checksum, HashText(piece)); }

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
    checksum_ = AddToChecksum(checksum_, bytes);
    buffer_ += bytes;
    if (buffer_.size() >= kBufferSize) Flush();
  }
  void Finish() {
    Number(checksum_);
    Flush();
    file_.Commit();
  }

 private:
  static constexpr std::size_t kBufferSize = std::size_t{1} << 20;

  void Flush() {
    file_.Write(std::as_bytes(std::span(buffer_)));
    buffer_.clear();
  }

  AtomicFile file_;
  std::string buffer_;
  std::uint64_t checksum_ = 0;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  std::string_view Raw(std::uint64_t size) {
    if (size > bytes_.size()) throw Error("it ends too early");
    const std::string_view raw = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    checksum_ = AddToChecksum(checksum_, raw);
    return raw;
  }
  std::uint64_t Number() {
    std::uint64_t number = 0;
    std::memcpy(&number, Raw(sizeof number).data(), sizeof number);
    return number;
  }
  std::uint64_t checksum() const { return checksum_; }
  bool AtEnd() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
  std::uint64_t checksum_ = 0;
};

std::map<std::string, std::string> ReadSections(std::string_view bytes) {
  Reader reader(bytes);
  if (bytes.substr(0, kMagic.size()) != kMagic) throw Error("it is not a checkpoint");
  reader.Raw(kMagic.size());
  std::map<std::string, std::string> sections;
  for (std::uint64_t name_size = reader.Number(); name_size != kEnd; name_size = reader.Number()) {
    std::string& section = sections[std::string(reader.Raw(name_size))];
    for (std::uint64_t size = reader.Number(); size != kEnd; size = reader.Number()) section += reader.Raw(size);
  }
  const std::uint64_t checksum = reader.checksum();
  if (reader.Number() != checksum) throw Error("its checksum is wrong");
  if (!reader.AtEnd()) throw Error("there is something behind its end");
  return sections;
}

}  // namespace

void WriteCheckpoint(const std::string& path, const std::vector<CheckpointSection>& sections) {
  try {
    Writer writer(path);
    writer.Raw(kMagic);
    for (const CheckpointSection& section : sections) {
      writer.Piece(section.name);
      section.save([&](std::string_view piece) { writer.Piece(piece); });
      writer.Number(kEnd);
    }
    writer.Number(kEnd);
    writer.Finish();
  } catch (const Error& error) {
    throw Error(fmt::format("the checkpoint {}: {}", path, error.what()));
  }
}

std::map<std::string, std::string> ReadCheckpoint(const std::string& path) {
  try {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) throw Error("it cannot be opened");
    std::string bytes(static_cast<std::size_t>(file.tellg()), '\0');
    file.seekg(0);
    if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) throw Error("it cannot be read");
    return ReadSections(bytes);
  } catch (const Error& error) {
    throw Error(fmt::format("the checkpoint {}: {}", path, error.what()));
  }
}

void CheckpointFolder::Write(std::uint64_t steps, const std::vector<CheckpointSection>& sections) const {
  WriteCheckpoint(fmt::format("{}/{}{:015}", folder_, kPrefix, steps), sections);
  const std::vector<std::string> all = Find();
  for (std::size_t i = kKept; i < all.size(); ++i) {
    std::error_code ignored;  // an old one that stays does no harm
    std::filesystem::remove(all[i], ignored);
  }
}

std::map<std::string, std::string> CheckpointFolder::ReadNewest(const std::function<void(const std::string&)>& complain) const {
  for (const std::string& path : Find()) {
    try {
      return ReadCheckpoint(path);
    } catch (const Error& error) {
      complain(error.what());
    }
  }
  throw Error(fmt::format("{} has no whole checkpoint to resume from", folder_));
}

std::vector<std::string> CheckpointFolder::Find() const {
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
  std::vector<std::string> paths;
  for (auto& [steps, path] : found) paths.push_back(std::move(path));
  return paths;
}

}  // namespace conpole

#include "train/run/event_file.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <boost/crc.hpp>

#include "util/text.h"

namespace conpole {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied to files as they are");

constexpr std::string_view kNamePrefix = "events.out.tfevents.";

double SecondsSinceEpoch() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string HostName() {
  std::array<char, 256> room{};
  if (gethostname(room.data(), room.size() - 1) != 0) return "host";
  std::string name = room.data();
  for (char& c : name) {
    if (!IsLetter(c) && !IsDigit(c) && c != '-') c = '-';
  }
  return name;
}

// The names are ordered by their time. A run may be resumed within the second, or where the clock is behind.
std::string NewPath(const std::string& folder) {
  auto seconds = static_cast<std::int64_t>(SecondsSinceEpoch());
  std::error_code unreadable;  // then the file cannot be created either, and that is the error to report
  for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(kNamePrefix)) continue;
    std::int64_t earlier = 0;
    std::from_chars(name.data() + kNamePrefix.size(), name.data() + name.size(), earlier);
    constexpr std::int64_t kMaxSeconds = 9'999'999'999;  // beyond these ten digits names have another order
    if (earlier < kMaxSeconds) seconds = std::max(seconds, earlier + 1);
  }
  return fmt::format("{}/{}{:010}.{}", folder, kNamePrefix, seconds, HostName());
}

template <class T>
void PutBytes(std::string& out, T value) {
  std::array<char, sizeof(T)> bytes{};
  std::memcpy(bytes.data(), &value, sizeof value);
  out.append(bytes.data(), bytes.size());
}

// Of protocol buffers: https://protobuf.dev/programming-guides/encoding
enum class WireType : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

void PutVarint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}
void PutTag(std::string& out, unsigned field, WireType type) { PutVarint(out, field << 3 | static_cast<unsigned>(type)); }
void PutVarintField(std::string& out, unsigned field, std::uint64_t value) {
  PutTag(out, field, WireType::kVarint);
  PutVarint(out, value);
}
void PutBytesField(std::string& out, unsigned field, std::string_view bytes) {
  PutTag(out, field, WireType::kBytes);
  PutVarint(out, bytes.size());
  out += bytes;
}

// The fields that every Event has; one of those below follows.
std::string Event(std::uint64_t step) {
  constexpr unsigned kWallTime = 1;
  constexpr unsigned kStep = 2;
  std::string event;
  PutTag(event, kWallTime, WireType::kFixed64);
  PutBytes(event, SecondsSinceEpoch());
  PutVarintField(event, kStep, step);
  return event;
}
constexpr unsigned kFileVersion = 3;
constexpr unsigned kSummary = 5;
constexpr unsigned kSessionLog = 7;

std::uint32_t MaskedChecksum(std::string_view bytes) {
  boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> crc32c;
  crc32c.process_bytes(bytes.data(), bytes.size());
  const std::uint32_t checksum = crc32c.checksum();
  return std::rotr(checksum, 15) + 0xA282EAD8;
}

std::string Record(std::string_view event) {
  std::string record;
  PutBytes(record, std::uint64_t{event.size()});
  PutBytes(record, MaskedChecksum(record));
  record += event;
  PutBytes(record, MaskedChecksum(event));
  return record;
}

}  // namespace

EventFile::EventFile(const std::string& folder) : file_(NewPath(folder), AppendFile::Mode::kNew) {
  std::string event = Event(0);
  PutBytesField(event, kFileVersion, "brain.Event:2");
  file_.Append(Record(event));
}

void EventFile::RestartAt(std::uint64_t step) {
  constexpr unsigned kStatus = 1;
  constexpr std::uint64_t kStart = 1;
  std::string session_log;
  PutVarintField(session_log, kStatus, kStart);
  std::string event = Event(step);
  PutBytesField(event, kSessionLog, session_log);
  file_.Append(Record(event));
}

// A summary without a value, whose metadata hold a message of the plugin hparams: SessionStartInfo, with a map from names to
// google.protobuf.Value.
void EventFile::WriteSettings(std::span<const SettingOfRun> settings) {
  constexpr unsigned kKey = 1;  // of an entry of a map
  constexpr unsigned kEntryValue = 2;
  constexpr unsigned kNumberValue = 2;
  constexpr unsigned kStringValue = 3;
  constexpr unsigned kHparams = 1;
  constexpr unsigned kStartTime = 5;
  std::string session;
  for (const SettingOfRun& setting : settings) {
    std::string value;
    if (const double* const number = std::get_if<double>(&setting.value)) {
      PutTag(value, kNumberValue, WireType::kFixed64);
      PutBytes(value, *number);
    } else {
      PutBytesField(value, kStringValue, std::get<std::string>(setting.value));
    }
    std::string entry;
    PutBytesField(entry, kKey, setting.name);
    PutBytesField(entry, kEntryValue, value);
    PutBytesField(session, kHparams, entry);
  }
  PutTag(session, kStartTime, WireType::kFixed64);
  PutBytes(session, SecondsSinceEpoch());
  constexpr unsigned kSessionStartInfo = 3;
  std::string content;
  PutBytesField(content, kSessionStartInfo, session);
  constexpr unsigned kPluginName = 1;
  constexpr unsigned kContent = 2;
  std::string plugin;
  PutBytesField(plugin, kPluginName, "hparams");
  PutBytesField(plugin, kContent, content);
  constexpr unsigned kPluginData = 1;
  std::string metadata;
  PutBytesField(metadata, kPluginData, plugin);
  constexpr unsigned kValue = 1;
  constexpr unsigned kTag = 1;
  constexpr unsigned kMetadata = 9;
  std::string value;
  PutBytesField(value, kTag, "_hparams_/session_start_info");
  PutBytesField(value, kMetadata, metadata);
  std::string summary;
  PutBytesField(summary, kValue, value);
  std::string event = Event(0);
  PutBytesField(event, kSummary, summary);
  file_.Append(Record(event));
}

void EventFile::Write(std::uint64_t step, std::span<const std::pair<std::string, double>> scalars) {
  constexpr unsigned kValue = 1;
  constexpr unsigned kTag = 1;
  constexpr unsigned kSimpleValue = 2;
  std::string summary;
  for (const auto& [name, scalar] : scalars) {
    std::string value;
    PutBytesField(value, kTag, name);
    PutTag(value, kSimpleValue, WireType::kFixed32);
    PutBytes(value, static_cast<float>(scalar));
    PutBytesField(summary, kValue, value);
  }
  std::string event = Event(step);
  PutBytesField(event, kSummary, summary);
  file_.Append(Record(event));
}

}  // namespace conpole

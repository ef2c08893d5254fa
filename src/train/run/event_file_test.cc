#include "train/run/event_file.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/files.h"

namespace conpole {
namespace {

using Scalars = std::vector<std::pair<std::string, double>>;

template <class T>
T Take(std::string_view& bytes) {
  T value{};
  std::memcpy(&value, bytes.substr(0, sizeof value).data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

// Bit by bit, as the polynomial is defined.
std::uint32_t Crc32c(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0 ? crc >> 1 ^ 0x82F63B78 : crc >> 1;
  }
  return ~crc;
}
std::uint32_t Masked(std::uint32_t crc) { return (crc >> 15 | crc << 17) + 0xA282EAD8; }

TEST(Crc32cTest, TheChecksumOfTheTestIsTheStandardOne) { EXPECT_EQ(Crc32c("123456789"), 0xE3069283); }

// The payloads of a file, whose checksums must be right.
std::vector<std::string> Records(std::string_view bytes) {
  std::vector<std::string> records;
  while (!bytes.empty()) {
    const std::string_view length_bytes = bytes.substr(0, 8);
    const auto length = Take<std::uint64_t>(bytes);
    EXPECT_EQ(Take<std::uint32_t>(bytes), Masked(Crc32c(length_bytes)));
    records.emplace_back(bytes.substr(0, length));
    bytes.remove_prefix(length);
    EXPECT_EQ(Take<std::uint32_t>(bytes), Masked(Crc32c(records.back())));
  }
  return records;
}

std::uint64_t TakeVarint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = Take<std::uint8_t>(bytes);
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return value;
  }
}

// A message by its field numbers, each value as the bytes that follow the tag (and the length).
std::multimap<std::uint64_t, std::string> Fields(std::string_view message) {
  std::multimap<std::uint64_t, std::string> fields;
  while (!message.empty()) {
    const std::uint64_t tag = TakeVarint(message);
    std::size_t size = 0;
    switch (tag & 7) {
      case 0: {
        std::string_view rest = message;
        TakeVarint(rest);
        size = message.size() - rest.size();
        break;
      }
      case 1:
        size = 8;
        break;
      case 2:
        size = TakeVarint(message);
        break;
      case 5:
        size = 4;
        break;
      default:
        ADD_FAILURE() << "wire type " << (tag & 7);
        return fields;
    }
    fields.emplace(tag >> 3, message.substr(0, size));
    message.remove_prefix(size);
  }
  return fields;
}

template <class T>
T Number(std::string_view bytes) {
  EXPECT_EQ(bytes.size(), sizeof(T));
  return Take<T>(bytes);
}
std::uint64_t Varint(std::string_view bytes) { return TakeVarint(bytes); }

using EventFileTest = FolderTest;

TEST_F(EventFileTest, TheFirstRecordIsTheVersion) {
  const auto before = static_cast<double>(std::time(nullptr));
  const EventFile file(folder());
  const std::vector<std::string> records = Records(Content(std::filesystem::path(file.path()).filename()));
  ASSERT_EQ(records.size(), 1U);
  const auto fields = Fields(records[0]);
  EXPECT_EQ(fields.find(3)->second, "brain.Event:2");
  EXPECT_GE(Number<double>(fields.find(1)->second), before);
  EXPECT_LE(Number<double>(fields.find(1)->second), before + 60);
}

TEST_F(EventFileTest, ScalarsHaveTheirStepAndNames) {
  EventFile file(folder());
  constexpr std::uint64_t kStep = 10'000'000'000;
  file.Write(kStep, Scalars{{"loss", 0.5}, {"a name with ä", std::numeric_limits<double>::quiet_NaN()}});
  file.Write(kStep + 1, Scalars{});
  file.Write(kStep + 2, Scalars{{std::string(300, 'x'), -1e30}});
  const std::vector<std::string> records = Records(Content(std::filesystem::path(file.path()).filename()));
  ASSERT_EQ(records.size(), 4U);
  std::vector<std::pair<std::string, float>> values;
  for (std::size_t i = 1; i < records.size(); ++i) {
    const auto event = Fields(records[i]);
    EXPECT_EQ(Varint(event.find(2)->second), kStep + i - 1);
    for (const auto& [field, value] : Fields(event.find(5)->second)) {
      EXPECT_EQ(field, 1U);
      const auto parts = Fields(value);
      values.emplace_back(parts.find(1)->second, Number<float>(parts.find(2)->second));
    }
  }
  ASSERT_EQ(values.size(), 3U);
  EXPECT_EQ(values[0], std::pair(std::string("loss"), 0.5F));
  EXPECT_EQ(values[1].first, "a name with ä");
  EXPECT_TRUE(std::isnan(values[1].second));
  EXPECT_EQ(values[2], std::pair(std::string(300, 'x'), -1e30F));
}

TEST_F(EventFileTest, ARestartIsASessionLog) {
  EventFile file(folder());
  file.RestartAt(300);
  const std::vector<std::string> records = Records(Content(std::filesystem::path(file.path()).filename()));
  ASSERT_EQ(records.size(), 2U);
  const auto event = Fields(records[1]);
  EXPECT_EQ(Varint(event.find(2)->second), 300U);
  EXPECT_EQ(Varint(Fields(event.find(7)->second).find(1)->second), 1U);
}

TEST_F(EventFileTest, SettingsAreASessionOfThePluginHparams) {
  EventFile file(folder());
  file.WriteSettings(std::vector<SettingOfRun>{{"beam", 10.0}, {"domain", std::string("sorting")}});
  const std::vector<std::string> records = Records(Content(std::filesystem::path(file.path()).filename()));
  ASSERT_EQ(records.size(), 2U);
  const auto value = Fields(Fields(Fields(records[1]).find(5)->second).find(1)->second);
  EXPECT_EQ(value.find(1)->second, "_hparams_/session_start_info");
  const auto plugin = Fields(Fields(value.find(9)->second).find(1)->second);
  EXPECT_EQ(plugin.find(1)->second, "hparams");
  const auto session = Fields(Fields(plugin.find(2)->second).find(3)->second);
  ASSERT_EQ(session.count(1), 2U);
  auto entry = session.find(1);
  EXPECT_EQ(Fields(entry->second).find(1)->second, "beam");
  EXPECT_EQ(Number<double>(Fields(Fields(entry->second).find(2)->second).find(2)->second), 10.0);
  ++entry;
  EXPECT_EQ(Fields(entry->second).find(1)->second, "domain");
  EXPECT_EQ(Fields(Fields(entry->second).find(2)->second).find(3)->second, "sorting");
}

TEST_F(EventFileTest, LaterFilesHaveLaterNames) {
  std::string last = Path("events.out.tfevents.9000000000.host");  // the clock was wrong
  for (const std::string& path :
       {last, Path("events.out.tfevents.nonsense"), Path("events.out.tfevents.9223372036854775807.host")}) {
    std::ofstream(path) << "";
  }
  for (int i = 0; i < 3; ++i) {
    const EventFile file(folder());
    EXPECT_GT(file.path(), last);
    last = file.path();
  }
  EXPECT_EQ(Names().size(), 6U);
}

TEST_F(EventFileTest, FailuresNameTheFile) {
  const std::string error = ErrorOf([&] { EventFile file(Path("none")); });
  EXPECT_TRUE(error.starts_with(Path("none/events.out.tfevents."))) << error;
  EXPECT_TRUE(error.ends_with(": cannot be written: No such file or directory")) << error;

  EventFile file(folder());
  const FileSizeLimit limit(100);
  EXPECT_EQ(ErrorOf([&] {
              file.Write(1, Scalars{{std::string(200, 'x'), 1}});
            }),
            file.path() + ": cannot be written: File too large");
}

}  // namespace
}  // namespace conpole

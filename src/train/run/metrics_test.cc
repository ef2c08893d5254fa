#include "train/run/metrics.h"

#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/files.h"

namespace conpole {
namespace {

class MetricsTest : public FolderTest {
 protected:
  void WriteText(std::string_view text) const { std::ofstream(MetricsPath(folder()), std::ios::binary) << text; }
  std::string Text() const { return Content("metrics.jsonl"); }
  std::vector<std::uint64_t> Steps() const {
    std::vector<std::uint64_t> steps;
    for (const MetricsLine& line : ReadMetrics(MetricsPath(folder()))) steps.push_back(line.step);
    return steps;
  }
  std::size_t EventFiles() const {
    std::size_t count = 0;
    for (const std::string& name : Names()) count += name.starts_with("events.out.tfevents.") ? 1U : 0U;
    return count;
  }
  // The message without the path that it must begin with.
  std::string ReadError(std::string_view text) const {
    WriteText(text);
    const std::string path = MetricsPath(folder());
    const std::string error = ErrorOf([&] { ReadMetrics(path); });
    EXPECT_TRUE(error.starts_with(path + ": ")) << error;
    EXPECT_EQ(ErrorOf([&] { const MetricsLog log(folder()); }), error);
    EXPECT_EQ(Text(), text);
    return error.starts_with(path + ": ") ? error.substr(path.size() + 2) : error;
  }
};

TEST_F(MetricsTest, WhatIsWrittenIsRead) {
  MetricsLog log(folder());
  log.Write(0, {});
  log.Write(18446744073709551615U, {{"loss", 0.1}, {"ä \"b\"", -1e-300}});
  log.Write(7, {{"nan", std::numeric_limits<double>::quiet_NaN()}, {"inf", std::numeric_limits<double>::infinity()}});
  const std::vector<MetricsLine> lines = ReadMetrics(MetricsPath(folder()));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].step, 0U);
  EXPECT_TRUE(lines[0].values.empty());
  EXPECT_EQ(lines[1].step, 18446744073709551615U);
  EXPECT_EQ(lines[1].values, (MetricValues{{"loss", 0.1}, {"ä \"b\"", -1e-300}}));
  EXPECT_TRUE(std::isnan(*lines[2].Find("nan")));
  EXPECT_TRUE(std::isnan(*lines[2].Find("inf")));
  EXPECT_FALSE(lines[2].Find("loss").has_value());
  EXPECT_GE(lines[0].seconds, 0);
  EXPECT_GE(lines[2].seconds, lines[1].seconds);
  EXPECT_LT(lines[2].seconds, 60);
}

TEST_F(MetricsTest, ALineIsPlainJson) {
  MetricsLog(folder()).Write(12, {{"loss", 0.25}, {"nan", std::nan("")}});
  const std::string text = Text();
  EXPECT_TRUE(text.starts_with(R"({"step":12,"seconds":0.)")) << text;
  EXPECT_TRUE(text.ends_with(R"(,"loss":0.25,"nan":null})"
                             "\n"))
      << text;
}

TEST_F(MetricsTest, ALogIsContinued) {
  WriteText("{\"step\":5,\"seconds\":1000}\n");
  MetricsLog(folder()).Write(6, {{"loss", 1}});
  MetricsLog(folder()).Write(7, {{"loss", 1}});
  const std::vector<MetricsLine> lines = ReadMetrics(MetricsPath(folder()));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].seconds, 1000);
  EXPECT_GE(lines[1].seconds, 1000);
  EXPECT_LT(lines[1].seconds, 1060);
  EXPECT_GE(lines[2].seconds, lines[1].seconds);
  EXPECT_EQ(EventFiles(), 2U);
}

TEST_F(MetricsTest, ATornLineIsNotReadAndCutOff) {
  MetricsLog(folder()).Write(1, {{"loss", 1}});
  MetricsLog(folder()).Write(2, {{"loss", 1}});
  const std::string whole = Text();
  const std::size_t first = whole.find('\n') + 1;
  for (std::size_t end = 0; end < whole.size(); ++end) {
    WriteText(whole.substr(0, end));
    EXPECT_EQ(Steps(), end < first ? std::vector<std::uint64_t>{} : std::vector<std::uint64_t>{1});
    MetricsLog(folder()).Write(3, {});
    EXPECT_EQ(Steps(), end < first ? std::vector<std::uint64_t>{3} : (std::vector<std::uint64_t>{1, 3}));
    EXPECT_EQ(Text().starts_with(whole.substr(0, first)), end >= first);
  }
}

TEST_F(MetricsTest, LaterStepsAreDroppedOnResume) {
  const std::string kept = "{\"step\":10,\"seconds\":100,\"loss\":3}\n{ \"step\":20, \"seconds\":200.5}\r\n";
  WriteText(kept + "{\"step\":21,\"seconds\":300}\n{\"step\":30,\"seconds\":400}\n{\"st");
  MetricsLog log(folder(), 20);
  EXPECT_EQ(Text(), kept);
  log.Write(21, {{"loss", 2}});
  EXPECT_EQ(Steps(), (std::vector<std::uint64_t>{10, 20, 21}));
  const double seconds = ReadMetrics(MetricsPath(folder())).back().seconds;
  EXPECT_GE(seconds, 200.5);
  EXPECT_LT(seconds, 260);
  const MetricsLog from_the_start(folder(), 0);
  EXPECT_EQ(Text(), "");
}

TEST_F(MetricsTest, AFailedResumeLeavesTheFileAsItWas) {
  const std::string text = "{\"step\":10,\"seconds\":100}\n{\"step\":20,\"seconds\":200}\n";
  WriteText(text);
  {
    const FileSizeLimit limit(10);
    EXPECT_EQ(ErrorOf([&] { const MetricsLog log(folder(), 10); }),
              MetricsPath(folder()) + ": cannot be written: File too large");
  }
  EXPECT_EQ(Text(), text);
  EXPECT_EQ(Names().size(), 1U);
}

TEST_F(MetricsTest, AFullDiskIsAnErrorThatNamesTheFileAndTearsNothing) {
  MetricsLog log(folder());
  log.Write(1, {{"loss", 1}});
  {
    const FileSizeLimit limit(200);
    EXPECT_EQ(ErrorOf([&] {
                log.Write(2, {{std::string(300, 'x'), 1}});
              }),
              MetricsPath(folder()) + ": cannot be written: File too large");
  }
  log.Write(3, {{"loss", 1}});
  EXPECT_EQ(Steps(), (std::vector<std::uint64_t>{1, 3}));
}

TEST_F(MetricsTest, FoldersThatCannotTakeItAreErrors) {
  EXPECT_EQ(ErrorOf([&] { const MetricsLog log(Path("none")); }),
            Path("none/metrics.jsonl") + ": cannot be written: No such file or directory");
  std::ofstream(Path("file")) << "";
  EXPECT_EQ(ErrorOf([&] { const MetricsLog log(Path("file")); }),
            Path("file/metrics.jsonl") + ": cannot be written: Not a directory");
  if (geteuid() == 0) return;  // root may write everywhere
  std::filesystem::permissions(folder(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  EXPECT_EQ(ErrorOf([&] { const MetricsLog log(folder()); }), MetricsPath(folder()) + ": cannot be written: Permission denied");
}

TEST_F(MetricsTest, WhatIsNotAFileCannotBeRead) {
  EXPECT_EQ(ErrorOf([&] { ReadMetrics(Path("none")); }), Path("none") + ": cannot be read: No such file or directory");
  EXPECT_EQ(ErrorOf([&] { ReadMetrics(folder()); }), folder() + ": cannot be read: it is a folder, not a regular file");
  EXPECT_EQ(ErrorOf([] { ReadMetrics("/dev/zero"); }), "/dev/zero: cannot be read: it is a device, not a regular file");
}

TEST_F(MetricsTest, MalformedLinesAreErrorsWithTheirNumber) {
  const std::string good = "{\"step\":1,\"seconds\":1}\n";
  EXPECT_EQ(ReadError(good + "{\"step\":2,\"sec\n" + good), "line 2: is not valid JSON at byte 15");
  EXPECT_EQ(ReadError("\n"), "line 1: is not valid JSON at byte 1");
  EXPECT_EQ(ReadError(good + good + std::string(5, '\0') + "\n"), "line 3: is not valid JSON at byte 1");
  EXPECT_EQ(ReadError("{\"step\":1,\"seconds\":1} {}\n"), "line 1: is not valid JSON at byte 24");
  EXPECT_EQ(ReadError("{\"step\":1,\"seconds\":1,\"\xff\":1}\n"), "line 1: is not valid JSON at byte 24");
  EXPECT_EQ(ReadError("{\"step\":1,\"seconds\":1,\"a\":1e999}\n"), "line 1: has a number that is too large");
  EXPECT_EQ(ReadError("[1]\n"), "line 1: must be an object");
  EXPECT_EQ(ReadError("{}\n"), "line 1: has no step");
  EXPECT_EQ(ReadError("{\"step\":1}\n"), "line 1: has no seconds");
  for (const std::string step : {"-1", "18446744073709551616", "1.5", "null", "\"1\""}) {
    EXPECT_EQ(ReadError("{\"step\":" + step + ",\"seconds\":1}\n"), "line 1: 'step' must be an unsigned integer of 64 bits")
        << step;
  }
  for (const std::string seconds : {"-0.5", "null", "[]"}) {
    EXPECT_EQ(ReadError("{\"step\":1,\"seconds\":" + seconds + "}\n"), "line 1: 'seconds' must be a number from 0") << seconds;
  }
  for (const std::string value : {"\"b\"", "{\"b\":1}", "true"}) {
    EXPECT_EQ(ReadError("{\"step\":1,\"seconds\":1,\"a\":" + value + "}\n"), "line 1: 'a' must be a number or null") << value;
  }
}

TEST_F(MetricsTest, HostileLinesCostLittle) {
  EXPECT_EQ(ReadError(std::string(1'000'000, '[') + "\n"), "line 1: is not valid JSON at byte 1000001");
  std::string many = R"({"step":1,"seconds":1)";
  for (int i = 0; i < 100'000; ++i) many += ",\"" + std::to_string(i) + "\":1";
  EXPECT_EQ(ReadError(many + "}\n"), "line 1: has more than 1000 values");
}

}  // namespace
}  // namespace conpole

#include "util/read_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/files.h"

namespace conpole {
namespace {

class ReadFileTest : public FolderTest {
 protected:
  void Write(const std::string& name, const std::string& content) const {
    std::ofstream(Path(name), std::ios::binary) << content;
  }
  std::string ErrorOfReading(const std::string& path, std::size_t max_bytes = 100) const {
    return ErrorOf([&] { ReadRegularFile(path, max_bytes); });
  }
};

TEST_F(ReadFileTest, ReadsWholeFiles) {
  const std::string content("a\0b\r\n", 5);
  Write("file", content);
  EXPECT_EQ(ReadRegularFile(Path("file"), 100), content);
  EXPECT_EQ(ReadRegularFile(Path("file"), 5), content);
  Write("empty", "");
  EXPECT_EQ(ReadRegularFile(Path("empty"), 0), "");
}

TEST_F(ReadFileTest, ReadsFilesThatDoNotSayTheirSize) {
  EXPECT_GT(ReadRegularFile("/proc/self/status", 1 << 20).size(), 100U);
  EXPECT_NE(ErrorOfReading("/proc/self/status", 10).find("larger than 10 bytes"), std::string::npos);
}

TEST_F(ReadFileTest, RefusesFilesOverTheLimitWithoutReadingThem) {
  Write("large", std::string(101, 'x'));
  EXPECT_EQ(ErrorOfReading(Path("large")), Path("large") + ": cannot be read: it is larger than 100 bytes");
  Write("sparse", "");
  std::filesystem::resize_file(Path("sparse"), std::uintmax_t{1} << 40);
  EXPECT_EQ(ErrorOfReading(Path("sparse")), Path("sparse") + ": cannot be read: it is larger than 100 bytes");
}

TEST_F(ReadFileTest, RefusesWhatIsNotARegularFile) {
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(ErrorOfReading(Path("pipe")), Path("pipe") + ": cannot be read: it is a pipe, not a regular file");
  EXPECT_EQ(ErrorOfReading(folder()), folder() + ": cannot be read: it is a folder, not a regular file");
  EXPECT_EQ(ErrorOfReading("/dev/zero"), "/dev/zero: cannot be read: it is a device, not a regular file");
  EXPECT_EQ(ErrorOfReading(Path("none")), Path("none") + ": cannot be read: No such file or directory");
}

TEST_F(ReadFileTest, FollowsLinksToRegularFiles) {
  Write("file", "content");
  std::filesystem::create_symlink(Path("file"), Path("link"));
  EXPECT_EQ(ReadRegularFile(Path("link"), 100), "content");
}

TEST_F(ReadFileTest, ReadsInPieces) {
  Write("file", "abcdef");
  RegularFile file(Path("file"));
  EXPECT_EQ(file.size(), 6U);
  std::array<std::byte, 4> piece{};
  EXPECT_EQ(file.Read(piece), 4U);
  EXPECT_EQ(piece[3], std::byte{'d'});
  EXPECT_EQ(file.Read(piece), 2U);
  EXPECT_EQ(piece[1], std::byte{'f'});
  EXPECT_EQ(file.Read(piece), 0U);
}

}  // namespace
}  // namespace conpole

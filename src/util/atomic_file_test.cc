#include "util/atomic_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/files.h"

namespace conpole {
namespace {

void WriteFile(const std::string& path, std::string_view content) {
  AtomicFile file(path);
  file.Write(std::as_bytes(std::span(content)));
  file.Commit();
}

class AtomicFileTest : public FolderTest {
 protected:
  std::string Path() const { return FolderTest::Path("file"); }
  std::string Content() const { return FolderTest::Content("file"); }
};

TEST_F(AtomicFileTest, TheFileAppearsWithTheCommit) {
  const std::string_view part = "abc";
  {
    AtomicFile file(Path());
    file.Write(std::as_bytes(std::span(part)));
    EXPECT_FALSE(std::filesystem::exists(Path()));
    file.Write({});
    file.Write(std::as_bytes(std::span(part)));
    file.Commit();
    EXPECT_EQ(Content(), "abcabc");
  }
  EXPECT_EQ(Names(), std::set<std::string>{"file"});
}

TEST_F(AtomicFileTest, AnOlderFileStaysUntilThen) {
  WriteFile(Path(), "older");
  const std::string_view part = "new";
  {
    AtomicFile file(Path());
    file.Write(std::as_bytes(std::span(part)));
    EXPECT_EQ(Content(), "older");
  }
  EXPECT_EQ(Content(), "older");
  EXPECT_EQ(Names(), std::set<std::string>{"file"});
  WriteFile(Path(), "new");
  EXPECT_EQ(Content(), "new");
}

TEST_F(AtomicFileTest, SeveralWritersDoNotMeet) {
  const std::string_view one = "one";
  const std::string_view two = "two";
  AtomicFile first(Path());
  AtomicFile second(Path());
  first.Write(std::as_bytes(std::span(one)));
  second.Write(std::as_bytes(std::span(two)));
  first.Commit();
  EXPECT_EQ(Content(), "one");
  second.Commit();
  EXPECT_EQ(Content(), "two");
}

TEST_F(AtomicFileTest, PermissionsFollowTheUmask) {
  const mode_t old = umask(027);
  WriteFile(Path(), "");
  umask(old);
  struct stat status {};
  ASSERT_EQ(stat(Path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

TEST_F(AtomicFileTest, ARelativePathIsOfTheWorkingFolder) {
  const std::filesystem::path working = std::filesystem::current_path();
  std::filesystem::current_path(folder());
  WriteFile("file", "here");
  std::filesystem::current_path(working);
  EXPECT_EQ(Content(), "here");
}

TEST_F(AtomicFileTest, AFullDiskLeavesTheOlderFileAndNothingElse) {
  WriteFile(Path(), "older");
  std::string error;
  {
    const FileSizeLimit limit(1000);
    error = ErrorOf([&] { WriteFile(Path(), std::string(3000, 'x')); });
  }
  EXPECT_EQ(error, "cannot be written: File too large");
  EXPECT_EQ(Content(), "older");
  EXPECT_EQ(Names(), std::set<std::string>{"file"});
}

TEST_F(AtomicFileTest, WhatIsNotARegularFileIsNeverReplaced) {
  EXPECT_EQ(ErrorOf([&] { AtomicFile file(folder()); }), "cannot be written: it is not a regular file");
  EXPECT_EQ(ErrorOf([&] { AtomicFile file("/dev/full"); }), "cannot be written: it is not a regular file");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST_F(AtomicFileTest, FoldersThatCannotTakeItAreErrors) {
  EXPECT_EQ(ErrorOf([&] { AtomicFile file(folder() + "/none/file"); }), "cannot be written: No such file or directory");
  WriteFile(Path(), "");
  EXPECT_EQ(ErrorOf([&] { AtomicFile file(Path() + "/file"); }), "cannot be written: Not a directory");
  EXPECT_EQ(ErrorOf([&] { AtomicFile file(folder() + "/" + std::string(300, 'x')); }), "cannot be written: File name too long");
}

TEST_F(AtomicFileTest, AFolderWithoutPermissionIsAnError) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  std::filesystem::permissions(folder(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  EXPECT_EQ(ErrorOf([&] { AtomicFile file(Path()); }), "cannot be written: Permission denied");
}

TEST_F(AtomicFileTest, AFolderThatGoesAwayIsAnError) {
  std::filesystem::create_directory(folder() + "/sub");
  AtomicFile file(folder() + "/sub/file");
  std::filesystem::remove_all(folder() + "/sub");
  EXPECT_EQ(ErrorOf([&] { file.Commit(); }), "cannot be renamed into its place: No such file or directory");
}

TEST_F(AtomicFileTest, WholeFilesAreWrittenWithErrorsThatNameThem) {
  WriteFileAtomically(Path(), "content");
  EXPECT_EQ(Content(), "content");
  EXPECT_EQ(ErrorOf([&] { WriteFileAtomically(folder(), "content"); }),
            folder() + ": cannot be written: it is not a regular file");
}

}  // namespace
}  // namespace conpole

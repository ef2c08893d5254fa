#include "util/append_file.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "tests/files.h"

namespace conpole {
namespace {

using AppendFileTest = FolderTest;

TEST_F(AppendFileTest, RecordsAreThereAtOnce) {
  AppendFile file(Path("file"));
  EXPECT_EQ(file.path(), Path("file"));
  EXPECT_EQ(Content("file"), "");
  file.Append("one");
  EXPECT_EQ(Content("file"), "one");
  file.Append("");
  file.Append("two");
  EXPECT_EQ(Content("file"), "onetwo");
}

TEST_F(AppendFileTest, AnExistingFileIsContinuedUnlessItMustBeNew) {
  AppendFile(Path("file")).Append("one");
  AppendFile(Path("file")).Append("two");
  EXPECT_EQ(Content("file"), "onetwo");
  EXPECT_EQ(ErrorOf([&] { AppendFile file(Path("file"), AppendFile::Mode::kNew); }),
            Path("file") + ": cannot be written: File exists");
  AppendFile(Path("new"), AppendFile::Mode::kNew).Append("three");
  EXPECT_EQ(Content("new"), "three");
}

TEST_F(AppendFileTest, AFullDiskCutsNoRecordInTwo) {
  AppendFile(Path("file")).Append("earlier");
  AppendFile file(Path("file"));
  {
    const FileSizeLimit limit(1000);
    EXPECT_EQ(ErrorOf([&] { file.Append(std::string(3000, 'x')); }), Path("file") + ": cannot be written: File too large");
    EXPECT_EQ(Content("file"), "earlier");
  }
  file.Append(", later");
  EXPECT_EQ(Content("file"), "earlier, later");
}

TEST_F(AppendFileTest, WhatCannotBeOpenedIsAnError) {
  EXPECT_EQ(ErrorOf([&] { AppendFile file(Path("none/file")); }),
            Path("none/file") + ": cannot be written: No such file or directory");
  EXPECT_EQ(ErrorOf([&] { AppendFile file(folder()); }), folder() + ": cannot be written: Is a directory");
}

}  // namespace
}  // namespace conpole

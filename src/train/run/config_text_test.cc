#include "train/run/config_text.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/error.h"

namespace conpole {
namespace {

// What a text with one line holds.
ConfigEntry Entry(std::string_view line) {
  const std::vector<ConfigSection> sections = ReadConfigText(line);
  return sections.size() == 1 && sections[0].entries.size() == 1 ? sections[0].entries[0] : ConfigEntry{};
}

std::string ReadingError(std::string_view text) {
  try {
    ReadConfigText(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ConfigTextTest, SectionsAndEntriesKeepTheirLines) {
  const std::vector<ConfigSection> sections =
      ReadConfigText("# Begin\n\nsteps = 5  # few\r\n\t domain='sorting'\n[ record ]#\nsteps = 6");
  ASSERT_EQ(sections.size(), 2U);
  EXPECT_EQ(sections[0].name, "");
  ASSERT_EQ(sections[0].entries.size(), 2U);
  EXPECT_EQ(sections[0].entries[0].name, "steps");
  EXPECT_EQ(sections[0].entries[0].value, "5");
  EXPECT_FALSE(sections[0].entries[0].is_text);
  EXPECT_EQ(sections[0].entries[0].line, 3U);
  EXPECT_EQ(sections[0].entries[1].value, "sorting");
  EXPECT_TRUE(sections[0].entries[1].is_text);
  EXPECT_EQ(sections[1].name, "record");
  EXPECT_EQ(sections[1].line, 5U);
  ASSERT_EQ(sections[1].entries.size(), 1U);
  EXPECT_EQ(sections[1].entries[0].value, "6");
  EXPECT_EQ(ReadConfigText("").size(), 1U);
}

TEST(ConfigTextTest, NumbersAreWrittenAsUsual) {
  EXPECT_EQ(Entry("a = 10_000_000").value, "10000000");
  EXPECT_EQ(Entry("a = +7").value, "7");
  EXPECT_EQ(Entry("a = -7").value, "-7");
  EXPECT_EQ(Entry("a = 0.50").value, "0.5");
  EXPECT_EQ(Entry("a = -0.0").value, "0");
  EXPECT_EQ(Entry("a=1e-10#").value, "1e-10");
  EXPECT_EQ(Entry("a = 9223372036854775807").value, "9223372036854775807");
  for (const char* const wrong :
       {"", "_1", "1_", "1__0", "1_.5", "+", "+-1", "- 1", "true", "inf", "nan", "0x10", "1e999", "[1]", "word"}) {
    EXPECT_EQ(ReadingError(std::string("a = ") + wrong), "line 1: a must be a number or text") << wrong;
  }
}

TEST(ConfigTextTest, EscapesStandInDoubleQuotesAlone) {
  EXPECT_EQ(Entry(R"(a = 'C:\new # "it"')").value, R"(C:\new # "it")");
  EXPECT_EQ(Entry(R"(a = "\b\t\n\f\r\"\\")").value, "\b\t\n\f\r\"\\");
  EXPECT_EQ(Entry(R"(a = "A\u00e9\u20AC\U0001F600")").value, "Aé€😀");
  EXPECT_EQ(Entry("a = \"\"").value, "");
  EXPECT_TRUE(Entry("a = ''").is_text);
  EXPECT_EQ(ReadingError(R"(a = "\x41")"), "line 1: there is no escape \\ with 'x'");
  for (const char* const code : {R"("\u12")", R"("\ud800")", R"("\U00110000")", R"("\u+123")", R"("\u")"}) {
    EXPECT_NE(ReadingError(std::string("a = ") + code).find("is not the code of a character"), std::string::npos) << code;
  }
}

TEST(ConfigTextTest, WhatIsWrongIsSaidWithItsLine) {
  EXPECT_EQ(ReadingError("a = 1\n\na = 2"), "line 3: a is set already, in line 1");
  EXPECT_EQ(ReadingError("[b]\na = 1\n[b]"), "line 3: there is a section b already");
  EXPECT_EQ(ReadingError("a = 1\n[b"), "line 2: a section is a name in brackets");
  EXPECT_EQ(ReadingError("a 1"), "line 1: a must be followed by = and its value");
  EXPECT_EQ(ReadingError("= 1"), "line 1: there must be a name, not '= 1'");
  EXPECT_EQ(ReadingError("a.b = 1"), "line 1: a must be followed by = and its value");
  EXPECT_EQ(ReadingError("a = 1 2"), "line 1: '2' is too much");
  EXPECT_EQ(ReadingError("a = '1' b"), "line 1: 'b' is too much");
  EXPECT_EQ(ReadingError("a = \"1\nb = 2"), "line 1: a text must end with its quote in the same line");
  EXPECT_EQ(ReadingError("a = '1\\'\n"), "no error");
  EXPECT_NE(ReadingError(std::string("a = '\x01'")).find("cannot stand in a text"), std::string::npos);
}

TEST(ConfigTextTest, WhatIsQuotedIsReadBack) {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  for (const std::string& text : {std::string(), std::string("it's"), std::string("a \"b\" \\ c"), bytes}) {
    EXPECT_EQ(Entry("a = " + QuotedForConfig(text)).value, text);
  }
  EXPECT_EQ(QuotedForConfig("abc"), "'abc'");
  EXPECT_EQ(QuotedForConfig("it's\n"), "\"it's\\n\"");
}

}  // namespace
}  // namespace conpole

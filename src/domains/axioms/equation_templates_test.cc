#include "domains/axioms/equation_templates.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/error.h"

namespace conpole {
namespace {

std::string ErrorOf(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string ParseError(std::string_view text) {
  return ErrorOf([&] { ParseTemplates(text, "shapes.txt"); });
}

// A file that goes when the test ends.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view content)
      : path_(testing::TempDir() + "conpole_" + std::to_string(getpid()) + "_" +
              testing::UnitTest::GetInstance()->current_test_info()->name() + ".txt") {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(EquationTemplatesTest, BuiltInShapesAreAFewHundredDifferentEquationsWithAnUnknown) {
  const std::vector<EquationTemplate> shapes = BuiltInTemplates();
  EXPECT_GE(shapes.size(), 200U);
  EXPECT_LE(shapes.size(), 999U);
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  std::set<std::string> seen;
  for (const EquationTemplate& shape : shapes) {
    EXPECT_FALSE(shape.literal);
    EXPECT_TRUE(seen.insert(shape.equation).second) << shape.equation << " twice";
    EXPECT_EQ(domain->Parse(shape.equation).state, shape.equation);
    EXPECT_NE(shape.equation.find('x'), std::string::npos) << shape.equation;
  }
}

TEST(EquationTemplatesTest, BuiltInShapesStayWithinTheCapWithTheLongestNumbers) {
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  for (const EquationTemplate& shape : BuiltInTemplates()) {
    std::string longest = shape.equation;
    for (std::size_t at = 0; (at = longest.find('1', at)) != std::string::npos; at += 5) {
      const bool coefficient = at + 1 < longest.size() && longest[at + 1] == 'x';
      longest.replace(at, 1, coefficient ? "-10" : "(-10)");
    }
    const Parsed parsed = domain->Parse(longest);
    ASSERT_EQ(parsed.state, longest);
    Successors out;
    const Status status = domain->Expand(longest, Labels::kOff, out);
    EXPECT_TRUE(status == Status::kOpen || status == Status::kSolved) << longest;
  }
}

TEST(EquationTemplatesTest, LinesAreShapesAndExclamationMarksMakeThemLiteral) {
  const std::vector<EquationTemplate> shapes = ParseTemplates("2*x + 1 = 3\r\n\n!x = [2/4]\n(x) = 5", "shapes.txt");
  ASSERT_EQ(shapes.size(), 3U);
  EXPECT_EQ(shapes[0].equation, "(2x + 1) = 3");
  EXPECT_FALSE(shapes[0].literal);
  EXPECT_EQ(shapes[1].equation, "x = [1/2]");
  EXPECT_TRUE(shapes[1].literal);
  EXPECT_EQ(shapes[2].equation, "x = 5");
}

TEST(EquationTemplatesTest, ErrorsNameSourceLineAndPosition) {
  EXPECT_EQ(ParseError("x = 1\n\nx = 3 = 4\n"), "shapes.txt:3: position 6: a second '='");
  EXPECT_EQ(ParseError("!x = ?"), "shapes.txt:1: position 5: expected a number or a term, found '?'");
  EXPECT_EQ(ParseError("x = 1\n!"), "shapes.txt:2: position 1: expected a number or a term, found the end");
  EXPECT_EQ(ParseError("x = 1\n \n"), "shapes.txt:2: position 1: expected a number or a term, found the end");
}

TEST(EquationTemplatesTest, NoShapesAtAllIsAnError) {
  EXPECT_EQ(ParseError(""), "shapes.txt: no equation templates in it");
  EXPECT_EQ(ParseError("\n\r\n"), "shapes.txt: no equation templates in it");
}

TEST(EquationTemplatesTest, ProblemsAreDrawnFromTheFile) {
  const TemporaryFile file("!x = [1/2]\n!(x + 7) = 9\n");
  const std::unique_ptr<Domain> domain = MakeDomain("equations:templates=" + file.path());
  std::set<std::string> problems;
  for (std::uint64_t seed = 0; seed < 50; ++seed) problems.insert(domain->Generate(seed));
  EXPECT_EQ(problems, (std::set<std::string>{"x = [1/2]", "(x + 7) = 9"}));
}

TEST(EquationTemplatesTest, EveryNumberOfAShapeIsDrawnAnew) {
  const TemporaryFile file("(1x + 1) = [1/2]\n");
  const std::unique_ptr<Domain> domain = MakeDomain("equations:templates=" + file.path() + ",max_constant=3");
  std::set<std::string> problems;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) problems.insert(domain->Generate(seed));
  // Three numbers from -3 to 3 without 0.
  EXPECT_EQ(problems.size(), 6U * 6 * 6);
  EXPECT_TRUE(problems.contains("(-3x + (-1)) = 2"));
}

TEST(EquationTemplatesTest, ShapesWithANegatedNumberGiveCanonicalProblems) {
  const TemporaryFile file("-(-1) = x\n");
  const std::unique_ptr<Domain> domain = MakeDomain("equations:templates=" + file.path());
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string problem = domain->Generate(seed);
    EXPECT_EQ(domain->Parse(problem).state, problem);
  }
}

TEST(EquationTemplatesTest, FilesThatCannotBeUsedAreErrorsThatSayWhy) {
  EXPECT_EQ(ErrorOf([] { ReadTemplateFile("/nonexistent/shapes.txt"); }),
            "/nonexistent/shapes.txt: cannot be read: No such file or directory");
  EXPECT_EQ(ErrorOf([] { ReadTemplateFile("/"); }), "/: cannot be read: it is a folder, not a regular file");
}

// A device has no end, and nobody may ever write to a pipe.
TEST(EquationTemplatesTest, FilesWithoutAnEndAreRefusedAtOnce) {
  EXPECT_EQ(ErrorOf([] { MakeDomain("equations:templates=/dev/zero"); }),
            "domain equations: /dev/zero: cannot be read: it is a device, not a regular file");
  const std::string pipe = testing::TempDir() + "conpole_" + std::to_string(getpid()) + "_pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(ErrorOf([&] { ReadTemplateFile(pipe); }), pipe + ": cannot be read: it is a pipe, not a regular file");
  std::filesystem::remove(pipe);
  const TemporaryFile sparse("");
  std::filesystem::resize_file(sparse.path(), kMaxTemplateFileBytes + 1);
  EXPECT_EQ(ErrorOf([&] { ReadTemplateFile(sparse.path()); }),
            sparse.path() + ": cannot be read: it is larger than 16777216 bytes");
}

TEST(EquationTemplatesTest, AnEmptyFileIsReportedAsEmpty) {
  const TemporaryFile file("");
  EXPECT_EQ(ErrorOf([&] { ReadTemplateFile(file.path()); }), file.path() + ": no equation templates in it");
}

}  // namespace
}  // namespace conpole

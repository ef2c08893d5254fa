// The cube at the command line: turns, counts, pictures and colours.
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/program.h"

namespace conpole {
namespace {

constexpr char kEscape = '\x1b';

bool IsColoured(const std::string& text) { return text.find(kEscape) != std::string::npos; }

TEST(CubeCliTest, SolvePrintsTheCubeTheStepsAndOneLineOfTurns) {
  const Outcome outcome = Conpole({"solve", "rubiks-cube", "R U2", "--milliseconds", "600000"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::vector<std::string> lines = outcome.lines();
  ASSERT_GT(lines.size(), 12U);
  EXPECT_EQ(lines[3], "RRR UBB LLL FFD") << "left, front, right and back, unfolded";
  EXPECT_EQ(lines[9], "");
  EXPECT_EQ(lines[lines.size() - 2], "U U R'");
  EXPECT_EQ(lines.back(), "-- Solved, and verified. 3 quarter turns, or 2 where a half turn counts as one.");
  EXPECT_NE(outcome.out.find("\n  R': Turn the right face counter-clockwise.\n"), std::string::npos) << outcome.out;
  EXPECT_FALSE(IsColoured(outcome.out)) << "not in a pipe";
}

TEST(CubeCliTest, HalfTurnsCountAsOneOnRequest) {
  const std::vector<std::string> lines =
      Conpole({"solve", "rubiks-cube", "R L R U2", "--moves", "half", "--milliseconds", "600000"}).lines();
  EXPECT_EQ(lines[lines.size() - 2], "U2 R2 L'");
  EXPECT_EQ(lines.back(), "-- Solved, and verified. 3 turns, or 5 quarter turns.");
  ExpectRefused({"solve", "rubiks-cube", "R", "--moves", "third"}, "--moves must be quarter or half, not 'third'");
  ExpectRefused({"solve", "2x = 4", "--moves", "half"}, "the steps of algebra are no turns");
  EXPECT_EQ(Conpole({"hint", "rubiks-cube", "R2", "--moves", "half", "--level", "2", "--milliseconds", "600000"}).out,
            "R2: Turn the right face half round.\n");
}

TEST(CubeCliTest, JsonHasTheTurnsBesideWhatItHad) {
  const Json by_quarters = Conpole({"solve", "rubiks-cube", "R U2", "--json", "--milliseconds", "600000"}).json();
  EXPECT_EQ(by_quarters["singmaster"], "U U R'");
  EXPECT_EQ(by_quarters["moves"], Json::parse(R"({"quarter":3,"half":2})"));
  EXPECT_EQ(by_quarters["steps"][2]["axiom"], "R-1");
  EXPECT_EQ(by_quarters["steps"][2]["singmaster"], "R'");
  const Json by_halves =
      Conpole({"solve", "rubiks-cube", "R U2", "--moves", "half", "--json", "--milliseconds", "600000"}).json();
  EXPECT_EQ(by_halves["singmaster"], "U2 R'");
  EXPECT_EQ(by_halves["moves"], by_quarters["moves"]);
  EXPECT_FALSE(Conpole({"solve", "2x = 4", "--json"}).json().contains("singmaster"));
  EXPECT_EQ(Conpole({"next", "rubiks-cube", "R", "--json"}).json()["steps"][0]["singmaster"], "R'");
  EXPECT_EQ(Conpole({"hint", "rubiks-cube", "R", "--level", "2", "--json", "--milliseconds", "600000"}).json()["singmaster"],
            "R'");
  EXPECT_FALSE(
      Conpole({"hint", "rubiks-cube", "R", "--level", "1", "--json", "--milliseconds", "600000"}).json().contains("singmaster"))
      << "too early";
  EXPECT_EQ(Conpole({"check", "rubiks-cube", "R U", "U'", "--json", "--milliseconds", "600000"}).json()["singmaster"], "U'");
}

TEST(CubeCliTest, PracticeShowsTheCube) {
  const Outcome outcome = Conpole({"practice", "--skill", "cube", "--exercise", "3"}, "hint\nhint\nquit\n");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\n    UUU\n"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("\nU': Turn the upper face counter-clockwise.\n"), std::string::npos) << outcome.out;
}

// What solve says on a terminal.
std::string OnTerminal(const Arguments& more) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  EXPECT_TRUE(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
  const int slave = open(ptsname(terminal), O_RDWR | O_NOCTTY);
  EXPECT_GE(slave, 0);
  const Scratch in;
  const Scratch err;
  Arguments arguments{"solve", "rubiks-cube", "R", "--milliseconds", "600000"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  Process process(arguments, in.descriptor(), slave, err.descriptor());
  // All of it fits into the terminal's buffer.
  EXPECT_EQ(process.Wait(), 0) << err.Read();
  std::string said(1 << 16, '\0');
  const ssize_t got = read(terminal, said.data(), said.size());
  close(slave);
  close(terminal);
  said.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return said;
}

TEST(CubeCliTest, ColoursAreForTerminalsUnlessToldOtherwise) {
  const char* const variable = std::getenv("NO_COLOR");
  const std::string before = variable == nullptr ? "" : variable;
  unsetenv("NO_COLOR");
  setenv("TERM", "xterm", 1);
  EXPECT_TRUE(IsColoured(OnTerminal({})));
  EXPECT_FALSE(IsColoured(OnTerminal({"--color", "never"})));
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(IsColoured(OnTerminal({})));
  EXPECT_TRUE(IsColoured(OnTerminal({"--color", "always"})));
  unsetenv("NO_COLOR");
  setenv("TERM", "dumb", 1);
  EXPECT_FALSE(IsColoured(OnTerminal({})));
  if (!before.empty()) setenv("NO_COLOR", before.c_str(), 1);
  EXPECT_TRUE(IsColoured(Conpole({"solve", "rubiks-cube", "R", "--color", "always", "--milliseconds", "600000"}).out));
  ExpectRefused({"solve", "rubiks-cube", "R", "--color", "blue"}, "--color must be auto, always or never, not 'blue'");
}

}  // namespace
}  // namespace conpole

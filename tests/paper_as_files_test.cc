// The domains of the paper as files of the gallery are exactly those in C++: the same problems for the same seeds, and
// the same successors with the same labels in the same order. Compared with C++ on random walks, and with the recordings of the
// authors' program, which are not part of the repository.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <ostream>
#include <random>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "conpole/domain.h"
#include "domains/axioms/equation_templates.h"
#include "tests/check_text.h"
#include "tests/recordings.h"
#include "util/read_file.h"
#include "util/text.h"

namespace conpole {
namespace {

struct PaperFile {
  std::string domain;  // in C++
  std::string file;
  std::string recording;
  friend void PrintTo(const PaperFile& paper, std::ostream* out) { *out << paper.domain; }
};

class PaperAsFilesTest : public testing::TestWithParam<PaperFile> {
 protected:
  static std::string PathOfFile() { return CONPOLE_SOURCE "/gallery/" + GetParam().file + ".domain"; }

  static Recording RecordingOf() {
    for (const Recording& recording : Recordings()) {
      if (recording.name == GetParam().recording) return recording;
    }
    throw std::runtime_error("no such recording");
  }

  static void ExpectSteps(const std::string& kind) {
    const std::filesystem::path path = PathOf(RecordingOf(), kind);
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: no recording " << path;
    const std::unique_ptr<Domain> file = MakeDomain(PathOfFile());
    int lines = 0;
    ForEachLine(path, [&](const nlohmann::json& line) {
      const auto state = line["state"].get<std::string>();
      const Expansion expansion = ExpandCopy(*file, state);
      EXPECT_NE(expansion.status, Status::kMalformed) << state;
      EXPECT_EQ(expansion.status == Status::kSolved, line["solved"].get<bool>()) << state;
      EXPECT_EQ(file->Solved(state), line["solved"].get<bool>()) << state;
      EXPECT_EQ(nlohmann::json(expansion.actions), line["actions"]) << state;
      ++lines;
      return !HasFailure();
    });
    EXPECT_GT(lines, 0);
  }
};

TEST_P(PaperAsFilesTest, IsTheSameAsInCpp) {
  const std::unique_ptr<Domain> file = MakeDomain(PathOfFile());
  const std::unique_ptr<Domain> compiled = MakeDomain(GetParam().domain);
  std::mt19937_64 random(17);
  constexpr std::uint64_t kSeeds = 600;
  constexpr int kSteps = 15;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    std::string state = compiled->Generate(seed);
    ASSERT_EQ(file->Generate(seed), state) << seed;
    for (int step = 0; step < kSteps; ++step) {
      const Expansion expected = ExpandCopy(*compiled, state);
      const Expansion found = ExpandCopy(*file, state);
      ASSERT_EQ(found.status, expected.status) << state;
      ASSERT_EQ(found.actions.size(), expected.actions.size()) << state;
      for (std::size_t i = 0; i < expected.actions.size(); ++i) ASSERT_EQ(found.actions[i], expected.actions[i]) << state;
      ASSERT_EQ(file->Parse(state).state, state);
      if (expected.actions.empty()) break;
      state = expected.actions[random() % expected.actions.size()].second;
    }
  }
}

TEST_P(PaperAsFilesTest, HasTheRecordedProblems) {
  const std::filesystem::path path = PathOf(RecordingOf(), "problems");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: no recording " << path;
  std::string text = PathOfFile();
  if (GetParam().domain == "equations") {
    // These were drawn from shapes that are not part of the repository: put them in the place of those of the file.
    const std::string spec = RecordingOf().spec;
    text = ReadRegularFile(PathOfFile(), 1 << 20);
    std::string problem = "problem";
    for (const EquationTemplate& shape : ReadTemplateFile(spec.substr(spec.find('=') + 1))) {
      std::string slots;
      for (std::size_t i = 0; i < shape.equation.size(); ++i) {
        const bool is_digit = conpole::IsDigit(shape.equation[i]);
        if (!is_digit || shape.literal) slots += shape.equation[i];
        if (is_digit && !shape.literal && (i == 0 || !conpole::IsDigit(shape.equation[i - 1]))) slots += "{n}";
      }
      for (std::size_t at; (at = slots.find("(-{n})")) != std::string::npos;) slots.replace(at, 6, "{n}");
      for (std::size_t at; (at = slots.find("-{n}x")) != std::string::npos;) slots.erase(at, 1);
      problem += " \"" + slots + "\"";
    }
    const std::size_t begin = text.find("\nproblem ") + 1;
    text = text.substr(0, begin) + problem + " by int64" + text.substr(text.find('\n', begin));
  }
  const std::unique_ptr<Domain> file = MakeDomain(text);
  ForEachLine(path, [&](const nlohmann::json& line) {
    EXPECT_EQ(file->Generate(line["seed"].get<std::uint64_t>()), line["problem"].get<std::string>()) << line["seed"];
    return !HasFailure();
  });
}

TEST_P(PaperAsFilesTest, HasTheRecordedStepsOnRandomWalks) { ExpectSteps("steps"); }

TEST_P(PaperAsFilesTest, HasTheRecordedStepsAtRareRules) { ExpectSteps("edge"); }

INSTANTIATE_TEST_SUITE_P(Gallery, PaperAsFilesTest,
                         testing::Values(PaperFile{"sorting", "bars", "sorting"},
                                         PaperFile{"ternary-addition", "ternary-addition", "ternary-addition"},
                                         PaperFile{"multiplication", "multiplication", "multiplication"},
                                         PaperFile{"fractions", "fractions", "fractions"},
                                         PaperFile{"equations", "equation-axioms", "equations-ct"},
                                         PaperFile{"rubiks-cube", "rubiks-cube", "rubiks-cube-20"}),
                         [](const auto& param_info) {
                           std::string name = param_info.param.domain;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace conpole

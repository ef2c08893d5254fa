// Every step of the solutions that the paper prints in its appendix is a successor here, label included. The paper is not part
// of the repository; without it the test says so and is skipped.
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "tests/check_text.h"

namespace conpole {
namespace {

// Without blanks at the ends, and with single ones between words.
std::string Normalised(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::string result;
  for (std::string word; words >> word;) {
    if (!result.empty()) result += ' ';
    result += word;
  }
  return result;
}

TEST(PaperTest, EveryPrintedStepIsASuccessorWithItsLabel) {
  const std::filesystem::path path = std::filesystem::path(CONPOLE_SHARED) / "paper.tex";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: no paper at " << path;
  constexpr std::string_view kSection = R"(\subsection{\texttt{)";
  std::ifstream paper(path);
  std::unique_ptr<Domain> domain;
  bool printed = false;
  std::string state;
  std::size_t steps = 0;
  std::size_t solutions = 0;
  for (std::string line; std::getline(paper, line);) {
    if (line.starts_with(kSection)) {
      const std::string name = line.substr(kSection.size(), line.find('}') - kSection.size());
      domain = MakeDomain(name);
    } else if (line.starts_with(R"(\begin{verbatim})")) {
      ASSERT_TRUE(domain) << "a solution before any domain";
      printed = true;
      state.clear();
    } else if (line.starts_with(R"(\end{verbatim})")) {
      printed = false;
      ++solutions;
      EXPECT_TRUE(domain->Solved(state)) << state;
    } else if (printed) {
      // STATE | LABEL =>, the first without a label and the last without an arrow.
      std::string_view step = line;
      if (step.ends_with("=>")) step.remove_suffix(2);
      const std::size_t bar = step.rfind(" | ");
      const std::string next = Normalised(step.substr(0, bar));
      if (bar == std::string_view::npos) {
        ASSERT_TRUE(state.empty()) << "no label: " << line;
      } else {
        const std::string label = Normalised(step.substr(bar + 3));
        EXPECT_EQ(Next(*domain, state, label), next) << state << " | " << label;
        ++steps;
      }
      state = next;
    }
  }
  EXPECT_EQ(steps, 113U);
  EXPECT_EQ(solutions, 9U);
}

}  // namespace
}  // namespace conpole

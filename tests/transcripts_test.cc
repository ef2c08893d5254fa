// One readable transcript per domain in tests/golden: what it offers on a few short walks and how it answers malformed text. A
// change of behaviour shows as a difference there; CONPOLE_UPDATE_GOLDEN=1 in the environment writes them anew.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "tests/check_text.h"

namespace conpole {
namespace {

std::string_view Name(Status status) {
  switch (status) {
    case Status::kOpen:
      return "open";
    case Status::kSolved:
      return "solved";
    case Status::kDeadEnd:
      return "a dead end";
    case Status::kMalformed:
      return "malformed";
  }
  return "";
}

// Texts that are not quite states; a domain without an entry is tried with damaged problems only.
std::vector<std::string> AlmostStates(const std::string& domain) {
  static const std::map<std::string, std::vector<std::string>> all{
      {"sorting", {"[ab|c]", "[=|==", "=|==", "[=]=", "[ = ]"}},
      {"ternary-addition", {"#(d0)", "#(b0 c)", "#(b0  c1)", "#(b0", "(b0)", "#(b0 )"}},
      {"multiplication", {"12", "12e", "(1e0 * 2e0", "1e0 / 2e0", "(1e0 * x)", "1e1000"}},
      {"fractions", {"[1]/[0]", "[1]/[(3 - 3)] + 2", "[1]", "1 / 2", "[[1]/[2]]/[3]", "9223372036854775808"}},
      {"equations", {"x = 3 = 4", "x + 1", "x = (3", "x = 3)", "x = [1/0]", "x = 2 y", "(x = 3)", "x = 9223372036854775808"}},
      {"algebra",
       {"x + y = 3", "2x + 1", "x = = 3", "x = (3", "1 2", "1 3/2", "x = 1/0", "x^2^2 = 1", "x^13 = 1", "x = sqrt(2) + sqrt(3)",
        "x = 1; x - 1 != x - 1", "xy = 2", "2 x(x+1):3 = 1/2x", "x = 2 or 1/x = 3"}},
      {"rubiks-cube", {"A000000001aB111111111bC222222222cD333333333dE444444444eF555555555f", "A000000006"}}};
  const auto found = all.find(domain);
  return found == all.end() ? std::vector<std::string>() : found->second;
}

void WriteWalk(const Domain& domain, std::uint64_t seed, std::ostream& out) {
  std::string state = domain.Generate(seed);
  out << "\nproblem " << seed << '\n';
  constexpr std::size_t kSteps = 3;
  for (std::size_t step = 0;; ++step) {
    const Expansion expansion = ExpandCopy(domain, state);
    out << state << '\n';
    if (expansion.actions.empty() || step == kSteps) {
      out << "  is " << Name(expansion.status) << '\n';
      return;
    }
    // Some action or other, the same in every run.
    const std::size_t taken = (seed + 11 * step + 3) % expansion.actions.size();
    std::size_t width = 0;
    for (const auto& [label, next] : expansion.actions) width = std::max(width, label.size());
    for (std::size_t i = 0; i < expansion.actions.size(); ++i) {
      const auto& [label, next] = expansion.actions[i];
      out << (i == taken ? "> " : "  ") << label << std::string(width - label.size(), ' ') << " => " << next << '\n';
    }
    state = expansion.actions[taken].second;
  }
}

std::string Transcript(const Domain& domain) {
  std::ostringstream out;
  out << "# " << domain.type().name << ": all actions on short walks, > marks the one taken; then malformed text. "
      << "Written by transcripts_test.\n";
  // Far from the seeds of the published problems.
  for (const std::uint64_t seed : {5000U, 5001U, 5002U}) WriteWalk(domain, seed, out);

  out << "\nmalformed\n";
  const std::string problem = domain.Generate(5000);
  std::vector<std::string> texts = AlmostStates(domain.type().name);
  texts.insert(texts.end(), {"", problem.substr(0, problem.size() / 2), problem + "?"});
  for (const std::string& text : texts) {
    const Parsed parsed = domain.Parse(text);
    out << '"' << text << "\"\n  ";
    if (parsed.error) {
      out << "position " << parsed.error->position << ": " << parsed.error->message << '\n';
    } else {
      out << "is the state " << parsed.state << '\n';
    }
  }
  return out.str();
}

class TranscriptsTest : public testing::TestWithParam<std::string> {};

TEST_P(TranscriptsTest, BehaviourIsAsWritten) {
  const std::string transcript = Transcript(*MakeDomain(GetParam()));
  const std::filesystem::path path = std::filesystem::path(CONPOLE_SOURCE) / "tests" / "golden" / (GetParam() + ".txt");
  if (std::getenv("CONPOLE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << transcript;
    GTEST_SKIP() << "written: " << path;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << "no transcript " << path << "; CONPOLE_UPDATE_GOLDEN=1 writes it";
  std::istringstream actual(transcript);
  std::string written_line;
  std::string line;
  for (std::size_t number = 1;; ++number) {
    const bool more_written = static_cast<bool>(std::getline(file, written_line));
    const bool more = static_cast<bool>(std::getline(actual, line));
    ASSERT_EQ(more_written, more) << "one is longer, from line " << number << " of " << path;
    if (!more) break;
    ASSERT_EQ(written_line, line) << "line " << number << " of " << path << "; CONPOLE_UPDATE_GOLDEN=1 writes it anew";
  }
}

// So that no domain gets lost, although no test has a list of them.
TEST(TranscriptFilesTest, EachIsOfARegisteredDomain) {
  const std::vector<std::string> names = DomainNames();
  for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(CONPOLE_SOURCE) / "tests" / "golden")) {
    if (file.is_directory()) continue;
    EXPECT_TRUE(std::find(names.begin(), names.end(), file.path().stem()) != names.end()) << file.path();
  }
}

INSTANTIATE_TEST_SUITE_P(Registered, TranscriptsTest, testing::ValuesIn(DomainNames()), [](const auto& param_info) {
  std::string name = param_info.param;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace conpole

// What holds for every file of the gallery: its own tests, the promises of every domain on random walks and on damaged text,
// and one layout of blanks.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "domains/axioms/abstract_domain.h"
#include "domains/axioms/abstraction_mining.h"
#include "domains/axioms/abstractions.h"
#include "domains/files/domain_file.h"
#include "domains/files/report.h"
#include "domains/puzzles/permutation_group.h"
#include "tests/check_text.h"
#include "util/read_file.h"

namespace conpole {
namespace {

std::vector<std::string> GalleryFiles() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(CONPOLE_SOURCE "/gallery")) {
    if (entry.path().extension() == kDomainFileSuffix) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class GalleryTest : public testing::TestWithParam<std::string> {
 protected:
  GalleryTest() : domain_(MakeDomain(GetParam())) {}

  std::unique_ptr<Domain> domain_;
  std::mt19937_64 random_{5};
};

TEST_P(GalleryTest, ItsOwnTestsPassAndNothingIsWrong) {
  const DomainFile& file = *domain_->type().file;
  EXPECT_FALSE(file.definition().tests.empty());
  files::ReportOptions options;
  options.searched = 5;
  options.problems = 30;
  const files::Report report = files::MakeReport(GetParam(), file.text(), options);
  for (const files::Finding& finding : report.findings) {
    EXPECT_NE(finding.kind, files::Finding::Kind::kError) << finding.line << ":" << finding.column << ": " << finding.message;
  }
  EXPECT_EQ(report.tests_passed, report.tests);
}

// Some problems of the paper are too long for a search without a policy; learning needs short ones that are not.
TEST_P(GalleryTest, BreadthFirstSearchSolvesSomeOfTheShortestProblems) {
  std::vector<std::string> problems;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::string problem = domain_->Generate(seed);
    if (!domain_->Solved(problem)) problems.push_back(std::move(problem));
  }
  ASSERT_GE(problems.size(), 50U);
  std::stable_sort(problems.begin(), problems.end(),
                   [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
  constexpr std::size_t kShortest = 20;
  constexpr std::size_t kSuccessors = 10'000;
  std::size_t solved = 0;
  for (std::size_t i = 0; i < kShortest; ++i) {
    const files::Path path = files::SearchBreadthFirst(*domain_, problems[i], kSuccessors);
    if (path.states.empty()) continue;
    ++solved;
    EXPECT_TRUE(domain_->Solved(path.states.back())) << problems[i];
  }
  EXPECT_GE(solved, kShortest / 10);
}

TEST_P(GalleryTest, WalksKeepThePromisesOfEveryDomain) {
  std::set<std::string> axioms;
  for (const Axiom& axiom : domain_->type().axioms) axioms.insert(axiom.name);
  EXPECT_EQ(axioms.size(), domain_->type().axioms.size());
  EXPECT_EQ(MakeDomain(domain_->Spec())->Generate(3), domain_->Generate(3));
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    std::string state = domain_->Generate(seed);
    for (int step = 0; step < 12; ++step) {
      const std::optional<std::string> fault = FindFault(*domain_, state);
      ASSERT_FALSE(fault) << state << ": " << *fault;
      const Expansion expansion = ExpandCopy(*domain_, state);
      if (expansion.actions.empty()) break;
      std::set<std::string> labels;
      for (const auto& [label, next] : expansion.actions) {
        ASSERT_TRUE(axioms.contains(std::string(AxiomOf(label)))) << label;
        ASSERT_TRUE(labels.insert(label).second) << state << ": " << label << " leads to two states";
      }
      state = expansion.actions[random_() % expansion.actions.size()].second;
    }
  }
}

TEST_P(GalleryTest, DamagedTextIsAStateOrIsRefused) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string state = domain_->Generate(seed);
    for (int copy = 0; copy < 10; ++copy) {
      std::string text = state;
      for (int edits = 0; edits < 3; ++edits) {
        const std::size_t at = random_() % (text.size() + 1);
        if (random_() % 2 == 0) {
          text.insert(at, 1, "()[]|=/+-*^ 09xab."[random_() % 18]);
        } else if (at < text.size()) {
          text.erase(at, 1 + random_() % 2);
        }
      }
      const std::optional<std::string> fault = FindFault(*domain_, text);
      ASSERT_FALSE(fault) << testing::PrintToString(text) << ": " << *fault;
    }
  }
}

class PackedGalleryTest : public GalleryTest {};

TEST_P(PackedGalleryTest, PackedStatesAgreeWithTexts) {
  const FixedLayout* const layout = domain_->type().layout;
  ASSERT_NE(layout, nullptr);
  EXPECT_NO_THROW(CheckLayout(*layout));
  std::vector<std::uint8_t> moved(layout->cells);
  EXPECT_TRUE(domain_->Solved(layout->unpack(layout->solved.data())));
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const std::string state = domain_->Generate(seed);
    const std::vector<std::uint8_t> cells = PackState(*layout, state);
    EXPECT_EQ(layout->unpack(cells.data()), state);
    const Expansion expansion = ExpandCopy(*domain_, state);
    if (expansion.status != Status::kOpen) continue;
    const std::vector<std::uint8_t> possible = PossibleActions(*layout, cells.data());
    ASSERT_EQ(expansion.actions.size(), possible.size());
    for (std::size_t i = 0; i < possible.size(); ++i) {
      MovePacked(*layout, possible[i], cells.data(), moved.data());
      EXPECT_EQ(layout->unpack(moved.data()), expansion.actions[i].second);
    }
    for (std::size_t action = 0; action < layout->actions(); ++action) {
      if (IsPossible(*layout, action, cells.data())) continue;
      MovePacked(*layout, action, cells.data(), moved.data());
      EXPECT_EQ(moved, cells);
    }
  }
}

TEST_P(GalleryTest, IsFormatted) {
  const std::string text = ReadRegularFile(GetParam(), files::Source::kMaxBytes);
  const std::string formatted = files::Formatted(GetParam(), text);
  EXPECT_EQ(files::Formatted(GetParam(), formatted), formatted);
  EXPECT_EQ(DifferenceOf(formatted, text), "");
}

std::string NameOfFile(const testing::TestParamInfo<std::string>& file) {
  std::string name = std::filesystem::path(file.param).stem().string();
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Files, GalleryTest, testing::ValuesIn(GalleryFiles()), NameOfFile);
INSTANTIATE_TEST_SUITE_P(
    Files, PackedGalleryTest,
    testing::Values(CONPOLE_SOURCE "/gallery/cube-2x2x2.domain", CONPOLE_SOURCE "/gallery/cube-4x4x4.domain",
                    CONPOLE_SOURCE "/gallery/eight-puzzle.domain", CONPOLE_SOURCE "/gallery/fifteen-puzzle.domain",
                    CONPOLE_SOURCE "/gallery/lights-out-7x7.domain", CONPOLE_SOURCE "/gallery/lights-out.domain",
                    CONPOLE_SOURCE "/gallery/megaminx.domain", CONPOLE_SOURCE "/gallery/pyraminx.domain",
                    CONPOLE_SOURCE "/gallery/rubiks-cube.domain", CONPOLE_SOURCE "/gallery/thirty-five-puzzle.domain",
                    CONPOLE_SOURCE "/gallery/twenty-four-puzzle.domain"),
    NameOfFile);

// Orders that were published, or that are products of factorials and powers.
TEST(PuzzleGroupTest, HasTheKnownOrders) {
  const std::pair<const char*, const char*> known[] = {
      {"eight-puzzle", "181440"},
      {"fifteen-puzzle", "10461394944000"},
      {"twenty-four-puzzle", "7755605021665492992000000"},
      {"thirty-five-puzzle", "185996663394950608733999724075417600000000"},
      {"lights-out", "4096"},
      {"lights-out-7x7", "562949953421312"},
      {"cube-2x2x2", "3674160"},
      {"pyraminx", "75582720"},
      {"rubiks-cube", "43252003274489856000"},
      {"megaminx", "100669616553523347122516032313645505168688116411019768627200000000000"}};
  for (const auto& [name, states] : known) {
    const std::unique_ptr<Domain> domain = MakeDomain(CONPOLE_SOURCE "/gallery/" + std::string(name) + ".domain");
    EXPECT_EQ(PuzzleGroup(*domain->type().layout).States(), states) << name;
  }
}

// Random walks can be walked back; a twisted corner, two tiles that are swapped and the like cannot be mended.
TEST(PuzzleGroupTest, KnowsWhatCanBeSolved) {
  const auto says = [](const std::string& name, const std::string& state) {
    const std::unique_ptr<Domain> domain = MakeDomain(CONPOLE_SOURCE "/gallery/" + name + ".domain");
    const FixedLayout& layout = *domain->type().layout;
    return PuzzleGroup(layout).CanBeSolved(PackState(layout, state));
  };
  for (const char* const name :
       {"fifteen-puzzle", "lights-out", "cube-2x2x2", "pyraminx", "rubiks-cube", "megaminx", "cube-4x4x4"}) {
    const std::unique_ptr<Domain> domain = MakeDomain(CONPOLE_SOURCE "/gallery/" + std::string(name) + ".domain");
    for (std::uint64_t seed = 0; seed < 5; ++seed) EXPECT_EQ(says(name, domain->Generate(seed)), true) << name << seed;
  }
  EXPECT_EQ(says("fifteen-puzzle", "1234/5678/9ABC/DFE_"), false);
  EXPECT_EQ(says("fifteen-puzzle", "1234/5678/9ABC/DEF_"), true);
  EXPECT_EQ(says("lights-out", "o.../..../..../...."), false);
  EXPECT_EQ(says("pyraminx", "GGGGGGRGG RRRRRRGRR BBBBBBBBB YYYYYYYYY"), false) << "an edge is turned over";
  EXPECT_EQ(says("cube-2x2x2", "WWWG RWRR WRGG YYYY OOOO BBBB"), false) << "a corner is twisted";
}

// A domain of the paper as a file: the same problems, labels and successors as in C++, which the recordings are compared with.
TEST(PaperAsFileTest, TheCubeIsTheSame) {
  const std::unique_ptr<Domain> file = MakeDomain(CONPOLE_SOURCE "/gallery/rubiks-cube.domain");
  const std::unique_ptr<Domain> compiled = MakeDomain("rubiks-cube");
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::string problem = compiled->Generate(seed);
    ASSERT_EQ(file->Generate(seed), problem) << seed;
    ASSERT_EQ(ExpandCopy(*file, problem), ExpandCopy(*compiled, problem)) << seed;
  }
  const FixedLayout& a = *file->type().layout;
  const FixedLayout& b = *compiled->type().layout;
  EXPECT_EQ(a.moves, b.moves);
  EXPECT_EQ(a.inverse, b.inverse);
  EXPECT_EQ(a.solved, b.solved);
}

// Larger steps are found where steps have places: a file's labels have those of the domain in C++.
TEST(PaperAsFileTest, TheSameLargerStepsAreFoundInTheSameSolutions) {
  std::size_t found = 0;
  for (const auto& [name, path] :
       {std::pair{"fractions", "fractions"}, std::pair{"ternary-addition", "ternary-addition"}, std::pair{"sorting", "bars"}}) {
    const std::unique_ptr<Domain> file = MakeDomain(std::string(CONPOLE_SOURCE "/gallery/") + path + ".domain");
    const std::unique_ptr<Domain> compiled = MakeDomain(name);
    std::vector<std::vector<std::string>> solutions;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      files::Path solution = files::SearchBreadthFirst(*compiled, compiled->Generate(seed), 3'000);
      if (solution.states.size() > 1) solutions.push_back(std::move(solution.states));
    }
    AbstractionSet of_file = MineAbstractionsOfPaths(*file, solutions).set;
    const AbstractionSet of_compiled = MineAbstractionsOfPaths(*compiled, solutions).set;
    found += of_compiled.abstractions.size();
    of_file.domain = of_compiled.domain;
    EXPECT_EQ(FormatAbstractions(of_file), FormatAbstractions(of_compiled));
  }
  EXPECT_GT(found, 0U);
}

// Where labels have no places, a sequence may be followed in very many ways.
TEST(PaperAsFileTest, SequencesWithoutPlacesAreFollowedForAWhile) {
  const std::shared_ptr<const Domain> domain = MakeDomain(CONPOLE_SOURCE "/gallery/peg-solitaire.domain");
  const std::vector<AbstractStep> steps(5, {"jump", std::nullopt, std::nullopt});
  const std::string problem = domain->Generate(1);
  const std::size_t own = ExpandCopy(*domain, problem).actions.size();
  std::size_t last = own;
  for (const std::size_t most : {10U, 100U, 1'000U}) {
    const AbstractDomain with(domain, {domain->type().name, {{"far", steps, ""}}}, most);
    const std::size_t successors = ExpandCopy(with, problem).actions.size();
    EXPECT_GE(successors, last);
    EXPECT_LE(successors, own + most);
    last = successors;
  }
  EXPECT_GT(last, own);
}

// The files that the documentation shows are right, too.
TEST(DomainFilesPageTest, ShowsFilesThatAreRight) {
  const std::string page = ReadRegularFile(CONPOLE_SOURCE "/docs/domain-files.md", files::Source::kMaxBytes);
  std::size_t shown = 0;
  for (std::size_t at = page.find("domain "); at != std::string::npos; at = page.find("domain ", at + 1)) {
    const std::size_t line = page.rfind('\n', at) + 1;
    const std::string margin = page.substr(line, at - line);
    const bool is_fenced = margin.empty() && page.compare(line - 4, 4, "```\n") == 0;
    const bool is_indented = margin == "    " && page[line - 2] == '\n' && page.compare(at, 15, "domain file    ") != 0;
    if (!is_fenced && !is_indented) continue;
    std::string text;
    for (std::size_t next = line; next < page.size();) {
      const std::size_t end = page.find('\n', next);
      const std::string one = page.substr(next, end - next);
      if (one.empty() || one.starts_with("```")) break;
      text += one.substr(margin.size()) + '\n';
      next = end + 1;
    }
    const files::Report report = files::MakeReport("page", text);
    for (const files::Finding& finding : report.findings) {
      EXPECT_NE(finding.kind, files::Finding::Kind::kError)
          << text << finding.line << ":" << finding.column << ": " << finding.message;
    }
    EXPECT_EQ(report.tests_passed, report.tests);
    ++shown;
  }
  EXPECT_EQ(shown, 3U);
}

// The table of the gallery has its rows below its head, in order, and all files have one or are named near it.
TEST(DomainFilesPageTest, TheTableHasTheFilesOfTheGallery) {
  const std::string page = ReadRegularFile(CONPOLE_SOURCE "/docs/domain-files.md", files::Source::kMaxBytes);
  const std::size_t head = page.find("| file | title | states | lines |");
  ASSERT_NE(head, std::string::npos);
  std::vector<std::string> rows;
  for (std::size_t at = page.find("| `"); at != std::string::npos; at = page.find("\n| `", at + 1)) {
    const std::size_t name = page.find('`', at) + 1;
    const std::string file = page.substr(name, page.find('`', name) - name);
    if (!file.ends_with(kDomainFileSuffix) || file.find(' ') != std::string::npos) continue;
    EXPECT_GT(at, head) << file;
    EXPECT_TRUE(rows.empty() || rows.back() < file) << rows.back() << " stands before " << file;
    const std::string path = CONPOLE_SOURCE "/gallery/" + file;
    const std::string text = ReadRegularFile(path, files::Source::kMaxBytes);
    const std::string row = page.substr(at + 1, page.find('\n', at + 1) - at - 1);
    EXPECT_NE(row.find(fmt::format("| {} |", std::count(text.begin(), text.end(), '\n'))), std::string::npos) << row;
    rows.push_back(file);
  }
  for (const std::string& path : GalleryFiles()) {
    const std::string name = std::filesystem::path(path).stem().string();
    EXPECT_TRUE(std::count(rows.begin(), rows.end(), name + ".domain") == 1 || page.find('`' + name + '`') != std::string::npos)
        << name;
  }
}

TEST(GalleryFolderTest, HasAtLeastTwelveFiles) { EXPECT_GE(GalleryFiles().size(), 12U); }

}  // namespace
}  // namespace conpole

// conpole domain: domains that are text files (docs/domain-files.md): checks, a file to begin with, what one looks like, one
// layout of blanks, its tests.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/output.h"
#include "conpole/domain.h"
#include "conpole/error.h"
#include "domains/files/domain_file.h"
#include "domains/files/report.h"
#include "domains/puzzles/permutation_group.h"
#include "search/endgame.h"
#include "util/atomic_file.h"
#include "util/read_file.h"
#include "util/text.h"

namespace conpole::cli {
namespace {

struct DomainOptions {
  std::string file;
  std::string kind = "term";
  std::uint64_t seed = 0;
  bool json = false;
  bool write = false;
};

std::string ReadDomainText(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return files::WithImports(path, ReadRegularFile(path, files::Source::kMaxBytes),
                            slash == std::string::npos ? "" : path.substr(0, slash));
}

Json FindingsJson(const files::Report& report) {
  Json findings = Json::array();
  for (const files::Finding& finding : report.findings) {
    findings.push_back({{"kind", finding.kind == files::Finding::Kind::kError ? "error" : "warning"},
                        {"line", finding.line},
                        {"column", finding.column},
                        {"message", finding.message}});
  }
  return findings;
}

void PrintFindings(const std::string& path, const files::Report& report) {
  for (const files::Finding& finding : report.findings) {
    PrintLine(fmt::format("{}:{}:{}: {}: {}", path, finding.line, finding.column,
                          finding.kind == files::Finding::Kind::kError ? "error" : "warning", finding.message));
  }
}

int CheckFile(const DomainOptions& options) {
  files::Report report;
  try {
    report = files::MakeReport(options.file, ReadDomainText(options.file));
  } catch (const files::FileError& error) {
    report.findings.push_back({files::Finding::Kind::kError, error.line, error.column, error.message});
  }
  const int status = report.has_errors() ? kSomeFailed : kOk;
  if (options.json) {
    PrintJsonLine({{"file", options.file},
                   {"domain", report.name},
                   {"ok", !report.has_errors()},
                   {"findings", FindingsJson(report)},
                   {"problems", report.problems},
                   {"solved_at_start", report.solved_at_start},
                   {"dead_ends", report.dead_ends},
                   {"successors_per_state", report.branching},
                   {"walks_ended_in_dead_ends", report.walks_ended},
                   {"searched", report.searched},
                   {"solved_by_search", report.found},
                   {"mean_length", report.mean_length},
                   {"longest", report.longest},
                   {"tests", report.tests},
                   {"tests_passed", report.tests_passed},
                   {"states_per_second", report.states_per_second}});
    return status;
  }
  PrintFindings(options.file, report);
  if (report.problems == 0) return status;
  PrintLine(
      fmt::format("{}: of {} problems {} are solved from the start, {} are dead ends; {:.1f} successors per state; {} of {} "
                  "random walks end in a dead end",
                  report.name, report.problems, report.solved_at_start, report.dead_ends, report.branching, report.walks_ended,
                  report.problems));
  PrintLine(fmt::format("breadth-first search solves {} of {}; solutions have {:.1f} steps on average, at most {}",
                        report.found, report.searched, report.mean_length, report.longest));
  PrintLine(fmt::format("{} of {} tests pass; {:.0f} states expanded per second", report.tests_passed, report.tests,
                        report.states_per_second));
  PrintLine(report.has_errors() ? "not accepted" : report.findings.empty() ? "good" : "accepted, with warnings");
  return status;
}

int NewFile(const DomainOptions& options) {
  if (!options.file.ends_with(kDomainFileSuffix))
    throw Error(fmt::format("the name of a domain file ends in {}", kDomainFileSuffix));
  if (std::filesystem::exists(options.file)) throw Error(fmt::format("{} is there already", options.file));
  using files::StateKind;
  const StateKind kind = options.kind == "term"   ? StateKind::kTerm
                         : options.kind == "list" ? StateKind::kList
                         : options.kind == "layout"
                             ? StateKind::kLayout
                             : throw Error(fmt::format("--kind must be term, list or layout, not '{}'", options.kind));
  std::string name = std::filesystem::path(options.file).stem().string();
  std::transform(name.begin(), name.end(), name.begin(), [](char c) { return IsLetter(c) || IsDigit(c) ? Lowered(c) : '-'; });
  const std::string text = files::Beginning(name, kind);
  const DomainFile checked(options.file, text, options.file);  // also that the name is one
  WriteFileAtomically(options.file, text);
  PrintLine(fmt::format("{} is written; try: conpole domain check {}", options.file, options.file));
  return kOk;
}

// How large a puzzle is. All states are counted where there are few.
struct PuzzleSize {
  std::size_t moves = 0;
  std::string states;  // exactly, or the order of the group, which is an upper bound
  bool is_exact = false;
  std::optional<std::size_t> farthest = {};  // steps
};

PuzzleSize SizeOfPuzzle(const FixedLayout& layout) {
  constexpr std::size_t kMostCounted = 4'000'000;
  const PuzzleGroup group(layout);
  PuzzleSize size{layout.actions(), group.States()};
  // Where no two cells have one colour, every element of the group is another state.
  const std::set<std::uint8_t> colours(layout.solved.begin(), layout.solved.end());
  size.is_exact = colours.size() == layout.cells;
  if (group.LogOfStates() > 1.5 * std::log(kMostCounted)) return size;
  const Endgame all(layout, kMostCounted);
  if (!all.is_complete()) return size;
  size.states = std::to_string(all.size());
  size.is_exact = true;
  size.farthest = all.radius();
  return size;
}

int ShowFile(const DomainOptions& options) {
  const std::unique_ptr<Domain> domain = MakeDomain(options.file);
  const std::string problem = domain->Generate(options.seed);
  Successors successors;
  const Status status = domain->Expand(problem, Labels::kOn, successors);
  constexpr std::size_t kMaxSuccessors = 200'000;
  const files::Path path = files::SearchBreadthFirst(*domain, problem, kMaxSuccessors);
  std::optional<PuzzleSize> size;
  if (domain->type().layout != nullptr) size = SizeOfPuzzle(*domain->type().layout);
  if (options.json) {
    Json steps = Json::array();
    for (std::size_t i = 0; i < successors.size(); ++i) steps.push_back({successors.label(i), successors.state(i)});
    Json solution = Json::array();
    for (std::size_t i = 0; i < path.labels.size(); ++i) solution.push_back({path.labels[i], path.states[i + 1]});
    Json shown{
        {"domain", domain->type().name},       {"seed", options.seed}, {"problem", problem},
        {"solved", status == Status::kSolved}, {"steps", steps},       {"solution", path.states.empty() ? Json() : solution}};
    if (size) {
      shown["moves"] = size->moves;
      shown["states"] = size->states;
      shown["states_exact"] = size->is_exact;
      shown["farthest"] = size->farthest ? Json(*size->farthest) : Json();
    }
    PrintJsonLine(shown);
    return kOk;
  }
  PrintLine(fmt::format("{}: {}", domain->type().name, domain->type().summary));
  if (size) {
    PrintLine(fmt::format("{} moves, {}{} states{}", size->moves, size->is_exact ? "" : "at most ", size->states,
                          size->farthest ? fmt::format("; the farthest is {} steps away", *size->farthest) : ""));
  }
  PrintLine("problem  " + problem);
  if (status == Status::kSolved) PrintLine("  is solved already");
  if (status == Status::kDeadEnd) PrintLine("  no rule applies");
  for (std::size_t i = 0; i < successors.size(); ++i)
    PrintLine(fmt::format("  {}  [{}]", successors.state(i), successors.label(i)));
  if (path.states.empty()) {
    PrintLine(fmt::format("breadth-first search found no solution with {} successors", kMaxSuccessors));
    return kOk;
  }
  PrintLine("solution " + path.states.front());
  for (std::size_t i = 0; i < path.labels.size(); ++i) PrintLine(fmt::format("  {}  [{}]", path.states[i + 1], path.labels[i]));
  return kOk;
}

int FormatFile(const DomainOptions& options) {
  const std::string text = ReadRegularFile(options.file, files::Source::kMaxBytes);
  const std::string formatted = files::Formatted(options.file, text);
  if (!options.write) {
    PrintText(formatted);
  } else if (formatted != text) {
    WriteFileAtomically(options.file, formatted);
  }
  return kOk;
}

int TestFile(const DomainOptions& options) {
  const std::string text = ReadDomainText(options.file);
  const DomainFile file(options.file, text, options.file);
  files::Report report;
  files::RunTests(file, report);
  if (options.json) {
    PrintJsonLine(
        {{"file", options.file}, {"tests", report.tests}, {"passed", report.tests_passed}, {"findings", FindingsJson(report)}});
  } else {
    PrintFindings(options.file, report);
    PrintLine(fmt::format("{} of {} tests pass", report.tests_passed, report.tests));
  }
  return report.tests_passed == report.tests ? kOk : kSomeFailed;
}

}  // namespace

void AddDomain(Command& program) {
  Command& command = program.Add("domain", "Check, begin, show, format and test a domain file");
  const auto add = [&](const char* name, const char* meaning,
                       int (*action)(const DomainOptions&)) -> std::pair<Command&, std::shared_ptr<DomainOptions>> {
    Command& one = command.Add(name, meaning);
    const auto options = std::make_shared<DomainOptions>();
    one.Takes("file", options->file, "The domain file, for example gallery/sums.domain.");
    one.action = [options, action] { return action(*options); };
    return {one, options};
  };
  const auto add_json = [](Command& one, const std::shared_ptr<DomainOptions>& options) {
    one.Flag("--json", options->json, "Print one JSON object.");
  };
  {
    const auto& [check, options] = add("check", "Say what is wrong with a file, and how its problems behave", &CheckFile);
    add_json(check, options);
    check.footer = "Exit status: 0 accepted, 1 something is wrong with the file, 2 it cannot be read.";
  }
  {
    const auto& [begin, options] = add("new", "Write a commented file to begin with", &NewFile);
    begin.Text("--kind", options->kind, "The kind of state: term, list or layout.");
  }
  {
    const auto& [show, options] = add("show", "Show a problem, its successors and a solution", &ShowFile);
    show.Number("--seed", options->seed, "The seed of the problem.");
    add_json(show, options);
  }
  {
    const auto& [format, options] = add("format", "Print the file with one layout of blanks", &FormatFile);
    format.Flag("--write", options->write, "Change the file instead.");
  }
  {
    const auto& [test, options] = add("test", "Run the tests of a file", &TestFile);
    add_json(test, options);
    test.footer = "Exit status: 0 all pass, 1 some fail, 2 the file is wrong.";
  }
}

}  // namespace conpole::cli

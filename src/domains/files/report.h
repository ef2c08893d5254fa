// What can be said about a domain file by trying it: faults with their places, and how its problems behave. Any thread may call
// these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "domains/files/domain_file.h"

namespace conpole::files {

struct Finding {
  enum class Kind : std::uint8_t { kError, kWarning };
  Kind kind = Kind::kError;
  std::size_t line = 0;
  std::size_t column = 0;
  std::string message;
};

struct ReportOptions {
  std::size_t problems = 100;           // looked at
  std::size_t searched = 30;            // by breadth-first search
  std::size_t max_successors = 20'000;  // of each search
  std::size_t walk_steps = 30;
};

struct Report {
  std::string name;
  std::vector<Finding> findings;
  std::size_t problems = 0;
  std::size_t solved_at_start = 0;
  std::size_t dead_ends = 0;    // problems that are one
  double branching = 0;         // successors per open state of walks
  std::size_t walks_ended = 0;  // walks that ended in a dead end
  std::size_t searched = 0;
  std::size_t found = 0;  // solved by breadth-first search
  double mean_length = 0;
  std::size_t longest = 0;
  std::size_t tests = 0;
  std::size_t tests_passed = 0;
  double states_per_second = 0;

  bool has_errors() const;
};

// Never throws for what is wrong with the file: that is what it says.
Report MakeReport(const std::string& name, const std::string& text, const ReportOptions& options = {});

// Runs the tests of a file alone.
void RunTests(const DomainFile& file, Report& report);

// The shortest way to a solved state, as labels and states; empty if none is found. States are one more than labels.
struct Path {
  std::vector<std::string> states;
  std::vector<std::string> labels;
  bool is_impossible = false;  // all states that steps lead to were looked at, and none is solved
};
Path SearchBreadthFirst(const Domain& domain, const std::string& problem, std::size_t max_successors);

// The text with one layout of blanks. Comments stay.
std::string Formatted(const std::string& name, const std::string& text);

// A commented file to begin with.
std::string Beginning(const std::string& name, StateKind kind);

}  // namespace conpole::files

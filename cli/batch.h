// Many problems at once: read from a file or standard input, solved on all cores, in the order of the input. What solve --batch
// and audit share. For the main thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/tutor_options.h"
#include "tutor/tutor.h"

namespace conpole::cli {

struct BatchItem {
  std::string problem;
  std::optional<std::string> answer;  // what the collection says
};

struct BatchResult {
  std::string error;  // why there is no state; empty if it could be read
  std::string state;
  TutorSolution solution;
  double milliseconds = 0;  // of reading and solving
};

// One problem per line, or one JSON object per line with "problem" and perhaps "answer". "-" is standard input. Empty lines are
// left out. Throws Error if the file cannot be read, or for a line that begins like an object and is none.
std::vector<BatchItem> ReadBatch(const std::string& path);

// Solves all with these arguments, in the domain that their texts name, or in the one that each looks like if there is none.
// `done` is called for each, in order, with its domain. False if it was interrupted: then only for those that were finished.
bool SolveBatch(const TutorArguments& arguments, const std::vector<BatchItem>& items,
                const std::function<void(const BatchItem&, const Domain&, const BatchResult&)>& done);

}  // namespace conpole::cli

// Lists of problems in files, for commands that work on many. For the main thread.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"

namespace conpole::cli {

// What a list calls the label of a problem that has no name of its own: the second column of lines, the key of a JSON object.
inline constexpr std::string_view kLabel = "label";

struct ListedProblem {
  std::string text;                           // as the file has it
  std::string state;                          // canonical text
  std::map<std::string, std::string> labels;  // by their names
};

// The problems of a file, each as people write it or in the domain's notation. A file is one of
//   a text per line, with a tab and a label behind it, or without; empty lines do not count
//   an object per line (JSON lines) with the text as "problem"; whatever else is a text, a number, true or false is a label
//   a JSON list of texts, or of such objects
//   a JSON object of lists of texts: each has its key as its label
// Throws Error, which names the file and the problem, if one cannot be read.
std::vector<ListedProblem> ReadLabelledProblems(const Domain& domain, const std::string& path);

// The problems alone, as canonical text. Of a line with a tab all is read, if it can be.
std::vector<std::string> ReadProblemList(const Domain& domain, const std::string& path);

}  // namespace conpole::cli

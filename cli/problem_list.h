// Lists of problems in files, for commands that solve many. For the main thread.
#pragma once

#include <string>
#include <vector>

#include "conpole/domain.h"

namespace conpole::cli {

// The problems of a file as canonical text: a JSON list of texts, or one text per line, each as people write it or in the
// domain's notation; empty lines do not count. Throws Error, which names the file and the problem, if one cannot be read.
std::vector<std::string> ReadProblemList(const Domain& domain, const std::string& path);

}  // namespace conpole::cli

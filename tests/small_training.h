// A training run that takes seconds, for tests of the program.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "tests/program.h"

namespace conpole {

// A network that is just large enough for lists of up to five bars; `more` are further options, and win.
inline Arguments TrainArguments(const std::string& folder, const Arguments& more = {}) {
  const std::pair<std::string, std::string> usual[] = {{"--domain", "sorting:max_length=5"},
                                                       {"--agent", "conpole"},
                                                       {"--network", "lstm:embedding=8,hidden=16"},
                                                       {"--curriculum", "short"},
                                                       {"--in-flight", "32"},
                                                       {"--batch", "16"},
                                                       {"--threads", "1"},
                                                       {"--eval-every", "1000"},
                                                       {"--gradient-steps", "0.5"},
                                                       {"--learning-rate", "0.005"}};
  Arguments arguments{"train", "--out", folder};
  for (const auto& [name, value] : usual) {
    if (std::find(more.begin(), more.end(), name) == more.end()) arguments.insert(arguments.end(), {name, value});
  }
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

}  // namespace conpole

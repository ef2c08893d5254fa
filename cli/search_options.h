// The options that say how to search, shared by the commands that do.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "conpole/domain.h"
#include "search/run_search.h"

namespace conpole::cli {

struct SearchArguments {
  std::string search = "beam";
  std::string scorer = "length";
  std::string beam_value = "sum";
  std::uint64_t max_steps = 30;
  std::uint64_t max_edges = 1'000'000;
  std::uint64_t seed = 0;
  std::size_t threads = 0;
  SearchOptions options;

  // Adds the options to a command; the arguments must outlive its parsing.
  void AddTo(CLI::App& command);
  // The options as the search takes them. Throws Error if one makes no sense.
  SearchOptions Resolve() const;
};

std::string_view NameOf(SearchOutcome outcome);

}  // namespace conpole::cli

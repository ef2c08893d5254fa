// Writes the metrics of a run for the tests that compare with other programs.
//   metrics_tool FOLDER [RESUME_STEP]   reads lines "STEP [NAME VALUE]..." and writes each to the log of the folder
// An Error is printed, and the status is 1.
#include <cstdint>
#include <exception>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "train/run/metrics.h"

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty() || arguments.size() > 2) {
    std::cerr << "usage: see metrics_tool.cc\n";
    return 2;
  }
  try {
    std::optional<std::uint64_t> resume_step;
    if (arguments.size() == 2) resume_step = std::stoull(arguments[1]);
    conpole::MetricsLog log(arguments[0], resume_step);
    for (std::string line; std::getline(std::cin, line);) {
      std::istringstream words(line);
      std::uint64_t step = 0;
      words >> step;
      conpole::MetricValues values;
      for (std::string name, value; words >> name >> value;) values.emplace_back(name, std::stod(value));
      log.Write(step, values);
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}

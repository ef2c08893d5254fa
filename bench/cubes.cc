// How long a cold conpole solve takes for a cube, how short its solutions are and how much memory it needs: one process per
// cube, one after the other, as a person would start it.
//   cubes [--cubes FILE] [--first COUNT] [MILLISECONDS...]
// Without a file the cubes are random, scrambled by 100 turns. Every number of milliseconds is a row of the table, what is
// given to solve as --milliseconds; 0, which is also what is measured without any, is solve without that option. Seconds are of
// the wall clock, from the start of the process to its end; the processor's are those of all its threads.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "util/statistics.h"

namespace conpole::bench {
namespace {

using Json = nlohmann::json;

struct Options {
  std::string file;
  std::size_t first = 100;
  std::vector<std::uint64_t> milliseconds;
};

struct Run {
  Json answer;
  double seconds = 0;
  double processor_seconds = 0;
  double megabytes = 0;
};

double SecondsOf(const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); }

Run Solve(const std::string& cube, std::uint64_t milliseconds) {
  std::vector<std::string> arguments{CONPOLE_PROGRAM, "solve", "rubiks-cube", cube, "--json"};
  if (milliseconds != 0) arguments.insert(arguments.end(), {"--milliseconds", std::to_string(milliseconds)});
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  int ends[2];
  if (pipe(ends) != 0) throw Error("no pipe");
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(ends[1]);
  std::string said;
  char block[4096];
  for (ssize_t got = 0; (got = read(ends[0], block, sizeof block)) > 0;) said.append(block, static_cast<std::size_t>(got));
  close(ends[0]);
  rusage usage{};
  int status = 0;
  wait4(child, &status, 0, &usage);
  Run run;
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  run.processor_seconds = SecondsOf(usage.ru_utime) + SecondsOf(usage.ru_stime);
  run.megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
  run.answer = Json::parse(said, nullptr, /*allow_exceptions=*/false);
  if (!run.answer.is_object()) throw Error("conpole solve said nothing that can be read");
  return run;
}

std::vector<std::string> CubesOf(const Options& options) {
  std::vector<std::string> cubes;
  if (options.file.empty()) {
    const std::unique_ptr<Domain> domain = MakeDomain("rubiks-cube:min_moves=100,max_moves=100");
    for (std::uint64_t seed = 0; seed < options.first; ++seed) cubes.push_back(domain->Generate(seed));
    return cubes;
  }
  std::ifstream in(options.file);
  const Json list = Json::parse(std::string{std::istreambuf_iterator<char>(in), {}}, nullptr, /*allow_exceptions=*/false);
  if (!list.is_array()) throw Error(options.file + ": is not a JSON list of cubes");
  for (const Json& cube : list) {
    if (cubes.size() < options.first) cubes.push_back(cube.get<std::string>());
  }
  return cubes;
}

void Measure(const std::vector<std::string>& cubes, std::uint64_t milliseconds) {
  std::vector<double> seconds;
  std::vector<double> processor_seconds;
  std::vector<double> megabytes;
  std::vector<double> moves;
  for (const std::string& cube : cubes) {
    const Run run = Solve(cube, milliseconds);
    seconds.push_back(run.seconds);
    processor_seconds.push_back(run.processor_seconds);
    megabytes.push_back(run.megabytes);
    if (run.answer.value("verified", false)) moves.push_back(run.answer.at("moves").at("quarter"));
  }
  std::cout << fmt::format("| {} | {} of {} | {:.2f} | {:.0f} | {:.2f} | {:.2f} | {:.2f} | {:.0f} |\n",
                           milliseconds == 0 ? "not given" : std::to_string(milliseconds), moves.size(), cubes.size(),
                           Mean(moves), Percentile(moves, 1), Percentile(seconds, 0.5), Percentile(seconds, 0.95),
                           Mean(processor_seconds), Percentile(megabytes, 1))
            << std::flush;
}

int Main(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool has_value = i + 1 < arguments.size();
    if (arguments[i] == "--cubes" && has_value) {
      options.file = arguments[++i];
    } else if (arguments[i] == "--first" && has_value) {
      options.first = std::strtoull(arguments[++i].c_str(), nullptr, 10);
    } else {
      options.milliseconds.push_back(std::strtoull(arguments[i].c_str(), nullptr, 10));
    }
  }
  if (options.milliseconds.empty()) options.milliseconds.push_back(0);
  const std::vector<std::string> cubes = CubesOf(options);
  std::cout << fmt::format("{} cubes, {} cores\n\n", cubes.size(), std::thread::hardware_concurrency())
            << "| --milliseconds | verified | mean moves | most | p50 s | p95 s | mean processor s | most MB |\n"
               "|---|---|---|---|---|---|---|---|\n";
  for (const std::uint64_t milliseconds : options.milliseconds) Measure(cubes, milliseconds);
  return 0;
}

}  // namespace
}  // namespace conpole::bench

int main(int argc, char** argv) {
  try {
    return conpole::bench::Main({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "cubes: " << error.what() << '\n';
    return 2;
  }
}

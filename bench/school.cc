// School algebra in pieces, for bench/mathsteps.sh. Reads lines from standard input and writes lines:
//   school problems SPEC COUNT    the problems of a domain of equations from seed 0 on, as people write them
//   school read                   equations in the notation of the domain equations, as people write them
//   school solve                  equations as people write them; a JSON object each: answer, steps, time of the processor
//   school judge                  JSON objects with "problem" and "answer"; "right", "wrong" or "unreadable" for each
#include <cstdint>
#include <ctime>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/algebra_tutor.h"
#include "conpole/error.h"
#include "notation/notation.h"
#include "subjects/free_notation.h"
#include "tests/algebra_judge.h"

namespace conpole::bench {
namespace {

// The canonical text of an equation. Throws Error if it cannot be read.
std::string Read(const Domain& domain, const std::string& text) {
  NotationResult read = ReadNotation(domain, text);
  if (read.error) throw Error(text + ": " + read.error->message.english());
  return std::move(read.state);
}

void PrintProblems(const std::string& spec, std::uint64_t count) {
  const std::unique_ptr<Domain> domain = MakeDomain(spec);
  for (std::uint64_t seed = 0; seed < count; ++seed) std::cout << WriteNotation(*domain, domain->Generate(seed)) << '\n';
}

void Reread() {
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  for (std::string line; std::getline(std::cin, line);) std::cout << WriteNotation(*domain, Read(*domain, line)) << '\n';
}

// Twice, and the second time is what counts: MathSteps is measured in the same way, since it is compiled while it runs.
void SolveAll() {
  std::vector<std::string> lines;
  for (std::string line; std::getline(std::cin, line);) lines.push_back(line);
  AlgebraTutor tutor;
  for (const bool counts : {false, true}) {
    for (const std::string& line : lines) {
      const std::clock_t start = std::clock();
      const TutorSolution solution = tutor.Solve(Read(tutor.domain(), line));
      const double milliseconds = 1'000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      if (!counts) continue;
      const bool answered = solution.verified() && solution.has_steps_to_answer();
      const std::string& last = solution.steps.empty() ? solution.problem : solution.steps.back().after;
      const nlohmann::ordered_json object = {{"problem", line},
                                             {"answer", answered ? last : ""},
                                             {"steps", solution.steps.size()},
                                             {"milliseconds", milliseconds}};
      std::cout << object.dump() << '\n';
    }
  }
}

std::string_view Judge(const Domain& domain, const std::string& problem, const std::string& answer) {
  try {
    return SameAlgebra(Read(domain, problem), Read(domain, answer)) ? "right" : "wrong";
  } catch (const std::exception&) {
    return "unreadable";
  }
}

void JudgeAll() {
  const std::unique_ptr<Domain> domain = MakeDomain("algebra");
  for (std::string line; std::getline(std::cin, line);) {
    const nlohmann::json object = nlohmann::json::parse(line);
    std::cout << Judge(*domain, object.at("problem").get<std::string>(), object.at("answer").get<std::string>()) << '\n';
  }
}

int Run(const std::vector<std::string>& arguments) {
  const std::string command = arguments.empty() ? "" : arguments[0];
  if (command == "problems" && arguments.size() == 3) {
    PrintProblems(arguments[1], std::stoull(arguments[2]));
  } else if (command == "read" && arguments.size() == 1) {
    Reread();
  } else if (command == "solve" && arguments.size() == 1) {
    SolveAll();
  } else if (command == "judge" && arguments.size() == 1) {
    JudgeAll();
  } else {
    std::cerr << "usage: school problems SPEC COUNT | read | solve | judge\n";
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace conpole::bench

int main(int argc, char** argv) {
  try {
    return conpole::bench::Run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}

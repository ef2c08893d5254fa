// Solving for people: problems in free notation ("2x + 3 = 7", LaTeX, Unicode), verified answers, steps in words, hints, and
// checks of a learner's lines. The program's commands solve, hint and check answer in the same way. One thread at a time may
// call its methods.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "conpole/solve_status.h"
#include "conpole/verdict.h"

namespace conpole {

struct SolverOptions {
  std::string model = {};  // a model file; empty for the one that comes with conpole, or a simple scorer
  // A file of abstractions, or of a model that was trained with some; "none" for axioms alone; empty for those of the model.
  std::string abstractions = {};
  std::string language = "en";           // of all sentences, and of the decimal sign
  std::uint64_t milliseconds = 5'000;    // for each call, at the most
  std::uint64_t expansions = 1'000'000;  // states whose successors are listed for each call, at the most
  std::size_t threads = 0;               // 0 for one per core
};

class Solver {
 public:
  using Status = SolveStatus;

  // The states are canonical text of the domain.
  struct Step {
    std::string before;
    std::string after;
    std::string action;  // the label of the domain's action
    std::string text;    // the same as a sentence
  };
  struct Solution {
    Status status = Status::kUnsolved;
    Verdict verdict = Verdict::kCannotTell;  // whether the answer was found right by other means than the steps
    std::string problem;                     // as it was read
    std::string answer;                      // canonical text, or words where there is no such text; empty if nothing is known
    std::string message;                     // the status as a sentence
    std::vector<Step> steps;
  };
  struct LineCheck {
    Verdict verdict = Verdict::kCannotTell;  // whether the line follows from the one before
    bool solved = false;                     // it is right, and the answer
    std::string state;                       // the line as canonical text; empty if it cannot be read
    std::string message;                     // a sentence for the learner
  };

  // `domain` is what MakeDomain takes. Throws Error if there is no such domain, language or model.
  explicit Solver(std::string_view domain, SolverOptions options = {});
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  const Domain& domain() const;

  // All of these take free notation and throw Error, saying what was expected and where, if a problem cannot be read.

  // The problem as canonical text.
  std::string Read(std::string_view problem) const;
  // An answer that is known to be wrong is never given.
  Solution Solve(std::string_view problem);
  // Level 1 says what kind of step comes next, 2 which one and where, 3 the line that it leads to. Throws Error for other
  // levels. With `tried`, a line that was written after the problem, the hint goes on from there if it is right, and else has
  // its mistake in mind.
  std::string Hint(std::string_view problem, int level = 1, std::string_view tried = {});
  // Judges a line that a learner wrote after another. A line that cannot be read is wrong, and the message says why.
  LineCheck Check(std::string_view before, std::string_view line);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace conpole

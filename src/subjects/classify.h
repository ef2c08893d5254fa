// What is known about a problem before anything is searched: whether there is an answer that steps can lead to and, of an
// equation, how many numbers solve it. It is the subject's exact analysis (subjects/subject.h), so it never guesses. Any thread
// may call this.
#pragma once

#include <string>
#include <string_view>

#include "conpole/domain.h"

namespace conpole {

struct ProblemClass {
  // False if it is known that no steps lead to an answer, or that the subject cannot tell what the answer is.
  bool solvable = true;
  // Of equations one_solution, no_solution, every_number, several_solutions, irrational_solution or cannot_tell, and
  // statement where there is no unknown. Of other problems solvable.
  std::string_view name = "solvable";
};

// Requires canonical text.
ProblemClass ClassifyProblem(const Domain& domain, const std::string& problem);

}  // namespace conpole

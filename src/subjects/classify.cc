#include "subjects/classify.h"

#include <memory>

#include "subjects/subject.h"

namespace conpole {

ProblemClass ClassifyProblem(const Domain& domain, const std::string& problem) {
  const Subject& subject = SubjectOf(domain);
  const std::unique_ptr<Problem> analysed = subject.Analyse(domain, subject.Understand(problem));
  const Analysis& analysis = analysed->analysis;
  ProblemClass result{analysis.search, "solvable"};
  const bool one = analysis.status == SolveStatus::kSolved || analysis.status == SolveStatus::kUnsolved;
  if (analysis.is_statement) {
    result.name = "statement";
  } else if (!one) {
    result.name = NameOf(analysis.status);
  } else if (!analysis.search) {
    result.name = analysis.sentence == "status.irrational" ? "irrational_solution" : "cannot_tell";
  } else if (subject.HasUnknowns() && problem.find('=') != std::string::npos) {
    result.name = "one_solution";
  }
  return result;
}

}  // namespace conpole

// consumer MODELS: solves, hints, checks, embeds and searches with the models in a folder, and fails if anything is not as it
// should be.
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <conpole/domain.h>
#include <conpole/error.h>
#include <conpole/run_search.h>
#include <conpole/solver.h>
#include <conpole/trained_model.h>

namespace {

void Require(bool is_so, const std::string& what) {
  if (!is_so) throw conpole::Error("not so: " + what);
}

void SolveHintAndCheck(const std::string& models) {
  conpole::Solver solver("equations", {.model = models + "/equations.safetensors"});
  const conpole::Solver::Solution solution = solver.Solve("x + 3 = 11");
  for (const conpole::Solver::Step& step : solution.steps) std::cout << step.text << ' ' << step.after << '\n';
  Require(solution.answer == "x = 8" && solution.verdict == conpole::Verdict::kRight, "the answer is x = 8");
  std::cout << "hint: " << solver.Hint("x + 3 = 11", 2) << '\n';
  Require(solver.Check("x + 3 = 11", "x = 8").verdict == conpole::Verdict::kRight, "x = 8 is right");
  Require(solver.Check("x + 3 = 11", "x = 9").verdict == conpole::Verdict::kWrong, "x = 9 is wrong");
}

void EmbedAndSearch(const std::string& models) {
  const std::unique_ptr<conpole::Domain> domain = conpole::MakeDomain("sorting");
  const std::vector<std::string> problems{domain->Generate(7), "[==|=|===]"};
  std::cout << "problem: " << problems[0] << '\n';
  conpole::TrainedModel model(models + "/sorting.safetensors");
  Require(model.Embed(problems).size() == 2 * model.vector_size(), "each problem has a vector");
  for (const conpole::SearchResult& result : conpole::RunSearch(*domain, model.scorer(), problems)) {
    Require(result.solved(), "the model sorts");
    std::cout << "sorted in " << result.steps() << " steps: " << result.path.back() << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    SolveHintAndCheck(argv[1]);
    EmbedAndSearch(argv[1]);
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
}

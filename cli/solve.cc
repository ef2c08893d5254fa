// conpole solve: solves one problem and prints the steps, each with its reason.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/batch.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/tutor_options.h"
#include "conpole/error.h"
#include "subjects/markup.h"
#include "util/atomic_file.h"

namespace conpole::cli {
namespace {

void WritePicture(const Domain& domain, const TutorSolution& solution, const std::string& path, bool as_balance) {
  std::vector<std::string> states{solution.problem};
  for (const TutorStep& step : solution.steps) states.push_back(step.after);
  const std::optional<std::string> picture = DrawLines(domain, states, as_balance);
  if (!picture && as_balance)
    throw Error("a balance takes a linear equation with few of its unknown and few ones, and nothing negative");
  if (!picture) {
    throw Error(
        "there is no picture of this problem: it takes an equation or an inequality in one unknown, with a solution, or a sum "
        "or "
        "product of fractions");
  }
  WriteFileAtomically(path, *picture);
}

// `limited` says whether the time of the budget counts.
int Solve(const TutorArguments& arguments, bool one_search, bool limited, const std::string& picture, bool as_balance) {
  if (!picture.empty()) RequirePlaceFor(picture);
  TutorSession session(arguments, 1);
  const SearchOptions search = arguments.search.Resolve();
  const std::optional<std::string> problem = session.ReadProblem();
  if (!problem) return kBadInput;
  TutorBudget budget = session.budget();
  if (!limited) budget.milliseconds = kNoTimeLimit;
  const TutorSolution solution = session.tutor().Solve(*problem, budget, one_search ? &search : nullptr);
  session.PrintAnswer(FormatSolution(session.domain(), solution, session.answer_format()));
  if (!picture.empty()) WritePicture(session.domain(), solution, picture, as_balance);
  if (solution.outcome == SearchOutcome::kInterrupted) return kInterrupted;
  return solution.status == SolveStatus::kUnsolved ? kSomeFailed : kOk;
}

// A JSON object per problem.
int SolveFile(const TutorArguments& arguments, const std::string& path, const std::string& to) {
  if (!arguments.texts.empty()) {
    const ProblemArgument named = SplitDomain(arguments.texts);
    if (named.domain.empty() || !named.text.empty()) {
      throw Error(fmt::format("with --batch only a domain may be named; '{}' is none", arguments.texts.back()));
    }
  }
  std::vector<BatchItem> items = ReadBatch(path);
  if (!to.empty()) {
    for (BatchItem& item : items) item.problem = to + ": " + item.problem;
  }
  bool all = true;
  const bool whole = SolveBatch(arguments, items, [&](const BatchItem& item, const Domain& domain, const BatchResult& result) {
    nlohmann::ordered_json line{{"problem", item.problem}, {"domain", domain.Spec()}};
    if (!result.error.empty()) {
      line["error"] = result.error;
    } else {
      line["state"] = result.state;
      line["status"] = NameOf(result.solution.status);
      line["answer"] = result.solution.answer;
      line["answer_notation"] = result.solution.answer_notation;
      line["verified"] = result.solution.verdict == Verdict::kRight;
      line["steps"] = result.solution.steps.size();
      nlohmann::ordered_json lines = nlohmann::ordered_json::array({result.state});
      for (const TutorStep& step : result.solution.steps) lines.push_back(step.after);
      line["lines"] = std::move(lines);
    }
    line["milliseconds"] = result.milliseconds;
    all = all && result.error.empty() && result.solution.status != SolveStatus::kUnsolved;
    PrintJsonLine(line);
  });
  if (!whole) return kInterrupted;
  return all ? kOk : kSomeFailed;
}

}  // namespace

void AddSolve(Command& program) {
  Command& command = program.Add("solve", "Solve a problem and print the steps");
  const auto arguments = std::make_shared<TutorArguments>();
  const auto batch = std::make_shared<std::string>();
  const auto to = std::make_shared<std::string>();
  const auto picture = std::make_shared<std::string>();
  const auto as_balance = std::make_shared<bool>(false);
  arguments->AddTo(command, 1, "a problem", true);
  command.Text("--to", *to,
               "What to do with an expression: simplify, expand, factor, divide, ...; by default what its words say.");
  command.Text("--batch", *batch,
               "A file of problems, one per line or as JSON objects with \"problem\", or - for standard input.");
  command.Text(
      "--picture", *picture,
      "A file for a picture (SVG): both sides of an equation as curves, the solutions of an inequality on a line, or fractions "
      "as bars.");
  command.Flag("--balance", *as_balance, "With --picture: a linear equation as a balance, line by line.");
  command.Text("--detail", arguments->detail, "Which steps to show: school, why (with a reason for each), axioms, or both.");
  arguments->AddMethodTo(command);
  arguments->AddMovesTo(command);
  arguments->AddColorTo(command);
  arguments->search.AddSearchTo(command, "--per-round");
  command.footer =
      "The policy is followed greedily, then by beams that grow until the budget is spent. With an option of how to search, "
      "that search alone is made, and it takes its time unless --milliseconds is given. An answer that is shown was verified, "
      "or it says that it was not.\n"
      "Exit status: 0 answered, 1 no answer found, 2 bad input, 130 interrupted.";
  command.action = [arguments, batch, to, picture, as_balance, &command] {
    if (!batch->empty()) return SolveFile(*arguments, *batch, *to);
    if (*as_balance && picture->empty()) throw Error("--balance is for --picture");
    if (arguments->texts.empty()) throw Error("there must be a problem, or --batch with a file of them");
    if (!to->empty()) arguments->texts.front().insert(0, *to + ": ");
    const bool one_search = SearchArguments::AnyGiven(command);
    return Solve(*arguments, one_search, !one_search || arguments->milliseconds->is_given, *picture, *as_balance);
  };
}

}  // namespace conpole::cli

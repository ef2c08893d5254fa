// conpole audit: compares the answers of a collection of problems with our own, and lists those that disagree.
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "cli/batch.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/tutor_options.h"
#include "subjects/free_notation.h"
#include "subjects/subject.h"

namespace conpole::cli {
namespace {

// The answer of the collection as a line of the same kind as ours; nothing if it cannot be read.
std::optional<std::string> AnswerAsState(const Domain& domain, const BatchResult& result, const std::string& answer) {
  // As the next line: what is rounded or evaluated is not rounded or evaluated once more.
  if (NotationResult line = ReadNextLine(domain, result.state, answer); !line.error) return line.state;
  NotationResult read = ReadNotation(domain, answer);
  if (read.error) return std::nullopt;
  return read.state;
}

int Audit(const TutorArguments& arguments, const std::string& path) {
  const std::vector<BatchItem> items = ReadBatch(path);
  std::size_t agree = 0;
  std::size_t disagree = 0;
  std::size_t unknown = 0;
  const bool whole = SolveBatch(arguments, items, [&](const BatchItem& item, const Domain& domain, const BatchResult& result) {
    const bool solved = result.error.empty() && result.solution.status != SolveStatus::kUnsolved;
    const std::optional<std::string> theirs =
        item.answer && solved ? AnswerAsState(domain, result, *item.answer) : std::nullopt;
    if (!theirs) {
      ++unknown;
      return;
    }
    const Subject& subject = SubjectOf(domain);
    const auto problem = subject.Analyse(domain, subject.Understand(result.state));
    switch (subject.Verify(*problem, subject.Understand(*theirs))) {
      case Verdict::kRight:
        ++agree;
        break;
      case Verdict::kWrong:
        ++disagree;
        PrintLine(fmt::format("{}\n  the collection says: {}\n  conpole says:        {}", item.problem, *item.answer,
                              result.solution.answer_notation));
        break;
      case Verdict::kCannotTell:
        ++unknown;
        break;
    }
  });
  PrintLine(fmt::format("{} answers agree, {} disagree, {} could not be compared", agree, disagree, unknown));
  if (!whole) return kInterrupted;
  return disagree > 0 ? kSomeFailed : kOk;
}

}  // namespace

void AddAudit(Command& program) {
  Command& command = program.Add("audit", "Compare the answers of a collection of problems with our own");
  const auto arguments = std::make_shared<TutorArguments>();
  const auto path = std::make_shared<std::string>();
  command.Takes("file", *path,
                "A file with a JSON object per line that has \"problem\" and \"answer\", or - for standard input.");
  arguments->AddOptionsTo(command);
  command.footer =
      "Lists the answers that do not solve their problems. An answer that cannot be read, and one to a problem that is not "
      "solved here, is only counted.\n"
      "Exit status: 0 all that could be compared agree, 1 some do not, 2 bad input, 130 interrupted.";
  command.action = [arguments, path] { return Audit(*arguments, *path); };
}

}  // namespace conpole::cli

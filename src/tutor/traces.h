// Solutions as data, for those who train and test other systems on them: a problem, its lines with actions and sentences, and
// lines that are wrong on purpose. Every line is labelled by the independent judge (src/verify, through the domain's subject),
// not by how it was made. What is made of a problem depends on its seed and the options alone, not on time, threads or the
// problems beside it: searches have budgets in states.
//
// One thread at a time may use a maker; it shares its work among the threads of its pool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "conpole/stop_token.h"
#include "conpole/verdict.h"
#include "subjects/subject.h"
#include "util/thread_pool.h"

namespace conpole {

struct TraceOptions {
  std::size_t wrong = 1;         // traces of each problem in which a line is wrong, and what follows goes on from it
  std::size_t alternatives = 0;  // labelled lines beside each step of a solution, right ones that lead away and wrong ones
  std::uint64_t seed = 0;        // of what is made wrong, and where
  std::size_t beam = 10;         // where greedy search finds nothing
  std::size_t max_steps = 60;
  std::string language = "en";
};

// How a line came about.
enum class LineKind : std::uint8_t {
  kStep,         // by an action of a solution
  kMistake,      // by a typical mistake, which has a name
  kCoincidence,  // it has the solutions of the line before, but does not follow from it
  kAway,         // by an action that does not help
};
std::string_view NameOf(LineKind kind);

struct TraceLine {
  LineKind kind = LineKind::kStep;
  std::string action;           // its label; empty for lines that no action makes
  std::string state;            // canonical
  std::string text;             // as people write it
  std::string sentence;         // what was done; empty for lines that no action makes
  std::string mistake;          // of kMistake
  std::optional<bool> is_true;  // whether it means what the line before means, by the judge; nothing if that is not known
  bool follows = true;          // false if it is true by coincidence only
  std::optional<bool> helps;    // of kAway: whether it is nearer to the answer

  // What a step is labelled: nothing if the judge does not know.
  std::optional<bool> is_right() const { return is_true ? std::optional(*is_true && follows) : std::nullopt; }
};

struct TraceStep {
  TraceLine line;
  std::vector<TraceLine> alternatives;  // from the line before
};

struct Trace {
  std::uint64_t seed = 0;   // of the problem
  std::size_t variant = 0;  // 0 for the solution, from 1 on for those with a wrong line
  std::string problem;      // canonical
  std::string text;         // as people write it
  std::vector<TraceStep> steps;
  bool ends = false;                       // with a solved state
  Verdict verdict = Verdict::kCannotTell;  // of its last line as the answer to the problem
  std::string answer;                      // that line; empty unless it ends

  // The first line that is not right, counted from 0; -1 if there is none.
  std::ptrdiff_t FirstError() const;
};

class TraceMaker {
 public:
  // All must outlive the maker.
  TraceMaker(const Domain& domain, Scorer& scorer, const TraceOptions& options, ThreadPool& pool);

  // All traces of these problems, in the order of the seeds and variants. A problem that is not solved has none. Once `stop`
  // is set it returns nothing.
  std::vector<Trace> Make(std::span<const std::uint64_t> seeds, const StopToken& stop = {});

 private:
  // Of so few problems that what a thread has read of them is still there when it is read again.
  std::vector<Trace> MakeFew(std::span<const std::uint64_t> seeds, const StopToken& stop);
  // Paths to a solved state; empty where none was found.
  std::vector<std::vector<std::string>> Solve(std::span<const std::string> problems, const StopToken& stop);
  // Adds the steps of a path, and returns its lines.
  std::vector<Line> AddPath(const std::vector<std::string>& path, Trace& trace) const;
  // What the trace has come to with its last line.
  void Finish(const Problem& problem, const Line& last, Trace& trace) const;

  const Domain& domain_;
  Scorer& scorer_;
  TraceOptions options_;
  ThreadPool& pool_;
};

// --- Formats: what a trace is as one line of JSON, without the line break ---------------------------------------------------

enum class TraceFormat : std::uint8_t {
  kJsonLines,     // all that is known
  kProcessBench,  // {id, generator, problem, steps, final_answer_correct, label}
  kFoVer,         // {problem, solution_steps, error_labels}
  kTrl,           // {prompt, completions, labels}, for TRL's stepwise supervision
  kChat,          // {messages}, of right solutions only
};
// jsonl, processbench, fover, trl or chat. Throws Error, listing these, for any other name.
TraceFormat TraceFormatOf(std::string_view name);
std::vector<std::string> TraceFormatNames();
// Nothing for a trace that the format has no room for: one with a step of which the judge knows nothing, outside kJsonLines,
// and a wrong one in kChat.
std::optional<std::string> FormatTrace(const Trace& trace, const Domain& domain, TraceFormat format);

}  // namespace conpole

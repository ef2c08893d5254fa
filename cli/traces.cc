// conpole traces: labelled solutions, and wrong ones, as data for others.
#include <memory>
#include <string>

#include <fmt/format.h>

#include "cli/any_domain.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/search_options.h"
#include "cli/version.h"
#include "conpole/domain.h"
#include "conpole/error.h"
#include "language/catalogue.h"
#include "tutor/trace_file.h"
#include "util/interrupt.h"
#include "util/progress.h"
#include "util/stopwatch.h"
#include "util/text.h"

namespace conpole::cli {
namespace {

struct TracesOptions {
  std::string domain;
  std::string format = "jsonl";
  std::string shard = "0/1";
  TraceFileRequest request;
  SearchArguments search;
};

int Traces(TracesOptions& options) {
  TraceFileRequest& request = options.request;
  request.format = TraceFormatOf(options.format);
  ReadShard(options.shard, request);
  if (request.count == 0) throw Error("--count must be at least 1");
  RequirePlaceFor(request.path);
  const std::shared_ptr<const Domain> domain = options.search.WithAbstractionsOfModel(MakeAnyDomain(options.domain));
  ThreadPool pool(options.search.threads);
  const std::unique_ptr<Scorer> scorer = options.search.MakeScorer(*domain, pool);
  request.scorer = options.search.ScorerName(*domain);
  request.version = kVersion;
  const Stopwatch watch;
  TraceCounts counts;
  {
    Progress progress(domain->type().name, ProblemsOf(request));
    counts = WriteTraceFile(*domain, *scorer, request, pool, &InterruptFlag(), [&](const TraceCounts& so_far) {
      progress.Advance(so_far.problems, fmt::format("{} labelled steps", so_far.steps));
    });
  }
  PrintLine(
      fmt::format("{}: {} traces of {} problems, {} solved; {} labelled steps, {} right, {} wrong, {} not known; {:.1f} s",
                  request.path, counts.traces, counts.problems, counts.solved, counts.steps, counts.right, counts.wrong,
                  counts.not_known, watch.Seconds()));
  if (counts.problems == ProblemsOf(request)) return kOk;
  PrintLine("interrupted; the same command with --resume goes on");
  return kInterrupted;
}

}  // namespace

void AddTraces(Command& program) {
  Command& command = program.Add("traces", "Write labelled solutions, and wrong ones made on purpose, to a file");
  const auto options = std::make_shared<TracesOptions>();
  TraceFileRequest& request = options->request;
  options->search.abstractions = "none";
  command.Takes("domain", options->domain, "The domain, for example algebra.");
  command.RequiredNumber("--count", request.count, "How many problems to solve, in all shards together.");
  command.Text("--out", request.path, "The file to write; FILE.md beside it says what it has.").is_required = true;
  command.Text("--format", options->format,
               fmt::format("What a line of the file is: {}. docs/traces.md describes them.", Join(TraceFormatNames())));
  command.Number("--wrong", request.options.wrong, "How many traces of each problem have a wrong line and go on from it.",
                 {0, 100});
  command.Number("--alternatives", request.options.alternatives,
                 "How many labelled lines, most of them wrong, stand beside each step of a solution (only in jsonl).",
                 {0, 100});
  command.Number("--first-seed", request.first, "The seed of the first problem.");
  command.Number("--trace-seed", request.options.seed, "The seed of what is made wrong.");
  command.Text("--shard", options->shard, "Make only this part: I/N is the part I, counted from 0, of N.");
  command.Flag("--resume", request.resume, "Go on with a file that was begun with the same options.");
  command.Number("--beam", request.options.beam,
                 "How many states a beam keeps per step, where greedy search finds nothing; 0 for none.", {0, 10'000});
  command.Number("--max-steps", request.options.max_steps, "The most steps of a solution.", {1, 10'000});
  command.Text("--language,--lang", request.options.language,
               "The language of sentences: " + Join(Catalogue::Languages()) + ".");
  options->search.AddScorerTo(command);
  command.footer = "Exit status: 0 done, 2 bad input, 130 interrupted.";
  command.action = [options] { return Traces(*options); };
}

}  // namespace conpole::cli

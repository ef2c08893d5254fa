// conpole reproduce: tables of the paper beside our own figures. table1 is here (branching factor and success of breadth-first
// search), table3 in table3.cc. What only runs other programs is in Python, and called from here: table2.py, cube.py,
// puzzles.py and plot.py.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/ranks.h"
#include "conpole/domain.h"
#include "conpole/error.h"
#include "experiments/table3.h"
#include "search/breadth_first.h"
#include "search/state_table.h"
#include "util/interrupt.h"
#include "util/program_path.h"
#include "util/progress.h"
#include "util/random.h"
#include "util/stopwatch.h"
#include "util/thread_pool.h"

namespace conpole::cli {
namespace {

constexpr std::uint64_t kMaxProblems = 100'000'000;

struct ReproduceOptions {
  std::uint64_t problems = 100;
  std::uint64_t edges = 10'000'000;
  std::string templates;
  std::size_t threads = 0;
  bool json = false;
};

// What the paper prints.
struct PaperSearch {
  std::string_view domain;
  double branching;
  double success_percent;
};
constexpr PaperSearch kPaperSearches[] = {{"sorting", 5.84, 17},
                                          {"ternary-addition", 10.55, 9},
                                          {"multiplication", 8.62, 26},
                                          {"fractions", 6.58, 18},
                                          {"equations", 27.12, 5.5}};

constexpr std::string_view kNotes = R"(
The paper's branching factors of sorting, ternary-addition and fractions are the mean number of successors of the initial states
of seeds 0..99 (a solved one counts as 0), not of a million sampled states; column 'initial' is that protocol (fractions differs by
the one axiom that was missing, [7]/[7] to 1), column 'walks' the states on random walks of up to 12 steps. Those of multiplication
and equations came from other versions of the authors' program.
Its success rates of these three come from a search that queued a state only when it had been met before, where it should have
queued those that had not: column 'inverted'. Column 'correct' is breadth-first search as it is meant, where a state counts as
solved when its turn comes.)";

struct SearchRow {
  std::string domain;
  PaperSearch paper;
  double initial_branching = 0;
  double walk_branching = 0;
  std::size_t correct = 0;
  std::size_t inverted = 0;
  bool is_interrupted = false;  // on one rank at least
  double seconds = 0;
};

std::size_t CountSuccessors(const Domain& domain, const std::string& state, Successors& successors) {
  successors.Clear();
  domain.Expand(state, Labels::kOff, successors);
  return successors.size();
}

double InitialBranching(const Domain& domain, const std::vector<std::string>& problems) {
  Successors successors;
  std::size_t total = 0;
  for (std::size_t i = 0; i < problems.size() && !InterruptFlag(); ++i)
    total += CountSuccessors(domain, problems[i], successors);
  return static_cast<double>(total) / static_cast<double>(std::max<std::size_t>(1, problems.size()));
}

double WalkBranching(const Domain& domain, const std::vector<std::string>& problems) {
  constexpr int kSteps = 12;
  constexpr std::size_t kWalksPerProblem = 100;
  Successors successors;
  Random random(0);
  std::size_t total = 0;
  std::size_t states = 0;
  for (std::size_t walk = 0; walk < kWalksPerProblem * problems.size() && !InterruptFlag(); ++walk) {
    std::string state = problems[walk % problems.size()];
    for (int step = 0; step <= kSteps; ++step) {
      const std::size_t count = CountSuccessors(domain, state, successors);
      total += count;
      ++states;
      if (count == 0) break;
      state = successors.state(random.Uint64(0, count));
    }
  }
  return static_cast<double>(total) / static_cast<double>(std::max<std::size_t>(1, states));
}

// Breadth-first search as the paper's figures were obtained: a state is queued only if it was met before.
bool SolvesInverted(const Domain& domain, const std::string& problem, std::uint64_t max_edges, const std::atomic<bool>& stop) {
  StateTable met;
  std::vector<StateTable::Id> queue{met.Add(problem, StateTable::kNone)};
  Successors successors;
  std::uint64_t edges = 0;
  for (std::size_t next = 0; next < queue.size() && edges < max_edges && !stop; ++next) {
    const StateTable::Id id = queue[next];
    if (domain.Solved(met[id].text())) return true;
    CountSuccessors(domain, std::string(met[id].text()), successors);
    edges += successors.size();
    met.AddAll(successors, id, [&](StateTable::Id successor, bool fresh) {
      if (!fresh) queue.push_back(successor);
      return true;
    });
  }
  return false;
}

SearchRow MeasureRow(const PaperSearch& paper, const ReproduceOptions& options, ThreadPool& pool, Ranks& ranks) {
  const bool own_templates = paper.domain == "equations" && !options.templates.empty();
  const std::unique_ptr<Domain> domain =
      MakeDomain(own_templates ? fmt::format("equations:templates={}", options.templates) : std::string(paper.domain));
  std::vector<std::string> problems;
  for (std::uint64_t seed = 0; seed < options.problems && !InterruptFlag(); ++seed) problems.push_back(domain->Generate(seed));
  const Stopwatch watch;
  SearchRow row;
  row.domain = domain->Spec();
  row.paper = paper;
  if (ranks.is_first()) {
    row.initial_branching = InitialBranching(*domain, problems);
    row.walk_branching = WalkBranching(*domain, problems);
  }

  const BreadthFirstOptions correct{options.edges, false, &InterruptFlag()};
  const std::vector<std::size_t> own = OwnShare(ranks, problems.size());
  Progress progress(std::string(paper.domain), own.size());
  std::mutex counting;
  std::size_t done = 0;
  pool.For(own.size(), [&](std::size_t i) {
    const bool solved = BreadthFirstSearch(*domain, problems[own[i]], correct).solved();
    const bool solved_inverted = SolvesInverted(*domain, problems[own[i]], options.edges, InterruptFlag());
    const std::lock_guard lock(counting);
    if (solved) ++row.correct;
    if (solved_inverted) ++row.inverted;
    progress.Advance(++done);
  });
  const std::uint64_t counts[] = {row.correct, row.inverted, InterruptFlag() ? 1U : 0U};
  const std::vector<std::uint64_t> all = ranks.SumCounts(counts);
  row.correct = all[0];
  row.inverted = all[1];
  row.is_interrupted = all[2] != 0;
  row.seconds = watch.Seconds();
  return row;
}

void PrintRow(const SearchRow& row, const ReproduceOptions& options) {
  const auto percent = [&](std::size_t solved) {
    return 100 * static_cast<double>(solved) / static_cast<double>(options.problems);
  };
  if (options.json) {
    PrintJsonLine({{"domain", row.domain},
                   {"problems", options.problems},
                   {"edges", options.edges},
                   {"paper", {{"branching", row.paper.branching}, {"success_percent", row.paper.success_percent}}},
                   {"branching", {{"initial", row.initial_branching}, {"walks", row.walk_branching}}},
                   {"success_percent", {{"inverted", percent(row.inverted)}, {"correct", percent(row.correct)}}},
                   {"seconds", row.seconds}});
    return;
  }
  PrintLine(fmt::format("{:<18}{:>8.2f}{:>9.2f}{:>8.2f} |{:>7.1f}%{:>9.1f}%{:>8.1f}%{:>9.1f}", row.paper.domain,
                        row.paper.branching, row.initial_branching, row.walk_branching, row.paper.success_percent,
                        percent(row.inverted), percent(row.correct), row.seconds));
}

int ReproduceTable1(const ReproduceOptions& options, Ranks& ranks) {
  ThreadPool pool(options.threads);
  if (!options.json && ranks.is_first()) {
    PrintLine(fmt::format("Table 1: seeds 0..{}, {} edges per problem", options.problems - 1, options.edges));
    PrintLine(fmt::format("{:<18}{:^25} |{:^26}", "", "branching factor", "breadth-first search"));
    PrintLine(fmt::format("{:<18}{:>8}{:>9}{:>8} |{:>8}{:>10}{:>9}{:>9}", "domain", "paper", "initial", "walks", "paper",
                          "inverted", "correct", "seconds"));
  }
  for (const PaperSearch& paper : kPaperSearches) {
    const SearchRow row = MeasureRow(paper, options, pool, ranks);
    if (row.is_interrupted) return kInterrupted;
    if (ranks.is_first()) PrintRow(row, options);
  }
  if (!options.json && ranks.is_first()) PrintLine(kNotes);
  return kOk;
}

// The script takes over, with this program as the one that it runs. It lies beside the build folder or where it was installed.
int RunScript(const std::string& script, std::vector<std::string> arguments) {
  namespace fs = std::filesystem;
  const std::optional<fs::path> program = ProgramPath();
  if (!program) throw Error("the system does not tell where this program is, beside which its scripts are");
  const fs::path above = program->parent_path().parent_path();
  std::error_code failure;
  for (const fs::path& folder : {above / "experiments", above / "share" / "conpole" / "experiments"}) {
    const std::string path = (folder / script).string();
    if (!fs::is_regular_file(path, failure)) continue;
    arguments.insert(arguments.begin(), {"python3", path});
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    setenv("CONPOLE_PROGRAM", program->c_str(), 1);
    execvp(pointers[0], pointers.data());
    throw Error(fmt::format("python3 cannot be run: {}", std::generic_category().message(errno)));
  }
  throw Error(fmt::format("{} is neither in {} nor installed", script, (above / "experiments").string()));
}

void AddScript(Command& above, const std::string& name, const std::string& description) {
  Command& command = above.Add(name, description);
  command.takes_all = true;
  const auto arguments = std::make_shared<std::vector<std::string>>();
  command.Takes("ARGUMENT", *arguments, 0, std::numeric_limits<std::size_t>::max(), "What the script takes; --help lists it.");
  command.action = [name, arguments] { return RunScript(name + ".py", std::move(*arguments)); };
}

}  // namespace

void AddPlot(Command& program) { AddScript(program, "plot", "Draw learning curves of training runs (needs gnuplot)"); }

void AddReproduce(Command& program) {
  Command& command = program.Add("reproduce", "Reproduce results of the paper");
  Command& table1 = command.Add("table1", "Measure branching factors and the success of breadth-first search");
  const auto options = std::make_shared<ReproduceOptions>();
  table1.Number("--problems", options->problems, "How many problems to take per domain, from seed 0 on.", {1, kMaxProblems});
  table1.Number("--edges", options->edges, "A search lists at most this many successors per problem.");
  table1.Text("--templates", options->templates, "A file of equation shapes to use instead of the built-in ones.");
  table1.Threads(options->threads);
  table1.Flag("--json", options->json, "Print one JSON object per domain and line.");
  table1.action = [options] { return WithRanks([&](Ranks& ranks) { return ReproduceTable1(*options, ranks); }); };
  AddScript(command, "table2", "Train all agents in all domains of the paper, and print its Table 2");
  AddTable3(command);
  AddScript(command, "cube", "Compare models and searches on Rubik's cubes");
  AddScript(command, "puzzles", "Learn puzzles of moves, solve random states of them, and print one table");
}

}  // namespace conpole::cli

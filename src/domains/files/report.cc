#include "domains/files/report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "util/random.h"
#include "util/stopwatch.h"
#include "util/text.h"

namespace conpole::files {
namespace {

constexpr std::size_t kTestSuccessors = 300'000;
// However long states are, no search keeps more of their text, and walks write no more.
constexpr std::size_t kSearchBytes = 64 << 20;
constexpr std::size_t kWalkBytes = 128 << 20;
// Of all searches of a report together.
constexpr std::size_t kReportBytes = 256 << 20;

std::size_t PartsOf(const DomainFile& file, const std::string& state) {
  if (file.is_layout()) return 1;
  TermText term;
  Malformed error;
  return term.Read(file.definition().grammar, state, error) ? term.size() : 0;
}

// Why no steps lead from one state to another; empty if some do. States that are about as long as the goal come first.
std::string WhyNotLeadsTo(const Domain& domain, const std::string& from, const std::string& to) {
  struct Node {
    double cost;
    std::size_t id;
    bool operator<(const Node& other) const { return cost > other.cost || (cost == other.cost && id > other.id); }
  };
  std::vector<std::pair<std::string, std::size_t>> states{{from, 0}};
  std::vector<std::pair<std::size_t, Status>> ends;  // states without steps
  std::unordered_map<std::string, bool> seen{{from, true}};
  std::priority_queue<Node> open;
  open.push({0, 0});
  Successors successors;
  std::size_t made = 0;
  std::size_t bytes = 0;
  while (!open.empty() && made < kTestSuccessors && bytes < kSearchBytes) {
    const std::size_t at = open.top().id;
    open.pop();
    const std::string state = states[at].first;
    const std::size_t depth = states[at].second + 1;
    if (state == to) return "";
    successors.Clear();
    if (const Status status = domain.Expand(state, Labels::kOff, successors); status != Status::kOpen) {
      ends.emplace_back(at, status);
      continue;
    }
    made += successors.size();
    bytes += successors.text().size();
    for (std::size_t i = 0; i < successors.size(); ++i) {
      std::string next(successors.state(i));
      if (next == to) return "";
      if (!seen.emplace(next, true).second) continue;
      const double far = std::abs(static_cast<double>(next.size()) - static_cast<double>(to.size()));
      open.push({static_cast<double>(depth) + far / 4, states.size()});
      states.emplace_back(std::move(next), depth);
    }
  }
  std::string message = fmt::format("no steps were found from '{}' to '{}'", Clipped(from), Clipped(to));
  if (states.size() == 1) return message + (ends.front().second == Status::kSolved ? ": it is solved" : ": no rule applies");
  message += open.empty()
                 ? fmt::format("; steps lead to {}",
                               states.size() == 2 ? "one other state" : fmt::format("{} other states", states.size() - 1))
                 : fmt::format(" among {} successors", made);
  // What looks most like the state that was wanted says most; an end more than what still has steps.
  constexpr std::size_t kCompared = 20'000;
  const bool has_ends = !ends.empty();
  std::size_t nearest = 0;
  std::size_t least = std::string::npos;
  for (std::size_t i = has_ends ? 0 : 1; i < std::min(has_ends ? ends.size() : states.size(), kCompared); ++i) {
    const std::size_t far = EditDistance(states[has_ends ? ends[i].first : i].first, to);
    if (far < least) nearest = i;
    least = std::min(far, least);
  }
  if (!has_ends) return fmt::format("{}; the nearest is '{}'", message, Clipped(states[nearest].first));
  const auto& [end, status] = ends[nearest];
  return fmt::format("{}, and end at '{}', {}", message, Clipped(states[end].first),
                     status == Status::kSolved ? "which is solved" : "to which no rule applies");
}

// What is wrong with a test; empty if nothing is.
std::string RunTest(const DomainFile& file, const Domain& domain, const FileTest& test) {
  const auto read = [&](const std::string& text, std::string& state) -> std::string {
    Parsed parsed = domain.Parse(text);
    state = std::move(parsed.state);
    return parsed.error ? fmt::format("'{}' is no state: position {}: {}", Clipped(text), parsed.error->position,
                                      parsed.error->message.english())
                        : "";
  };
  std::string from;
  std::string to;
  if (std::string error = read(test.from, from); !error.empty()) return error;
  const bool has_result =
      test.kind == FileTest::Kind::kLeads || test.kind == FileTest::Kind::kStep || test.kind == FileTest::Kind::kMistake;
  if (has_result) {
    if (std::string error = read(test.to, to); !error.empty()) return error;
  }
  Successors successors;
  const Status status = domain.Expand(from, Labels::kOn, successors);
  switch (test.kind) {
    case FileTest::Kind::kSolved:
      return status == Status::kSolved ? "" : fmt::format("'{}' is not solved", from);
    case FileTest::Kind::kNotSolved:
      return status != Status::kSolved ? "" : fmt::format("'{}' is solved", from);
    case FileTest::Kind::kStuck:
      return status == Status::kDeadEnd
                 ? ""
                 : fmt::format("'{}' is {}", from,
                               status == Status::kSolved ? "solved" : "not stuck: " + std::string(successors.label(0)));
    case FileTest::Kind::kLeads:
      return WhyNotLeadsTo(domain, from, to);
    case FileTest::Kind::kStep: {
      std::vector<std::string> results;
      for (std::size_t i = 0; i < successors.size(); ++i) {
        const bool is_rule = test.by.empty() || AxiomOf(successors.label(i)) == test.by;
        if (is_rule && successors.state(i) == to) return "";
        if (is_rule) results.push_back("'" + std::string(successors.state(i)) + "'");
      }
      if (results.size() > 5) results.resize(5);
      return fmt::format("'{}' is no step{} from '{}'; {}", to, test.by.empty() ? "" : " by " + test.by, from,
                         results.empty() ? "there are none" : "steps lead to " + Join(results));
    }
    case FileTest::Kind::kMistake:
      break;
  }
  TermText before;
  Malformed error;
  before.Read(file.definition().grammar, from, error);
  for (const Rule& rule : file.definition().errors) {
    if (rule.name != test.by) continue;
    for (const Application& application : file.engine().Applications(rule, before)) {
      if (application.result == to) return "";
    }
  }
  return fmt::format("the mistake {} does not lead from '{}' to '{}'", test.by, from, to);
}

class Reporter {
 public:
  Reporter(const DomainFile& file, const ReportOptions& options, Report& report)
      : file_(file),
        options_(options),
        report_(report),
        domain_(MakeFileDomain(std::shared_ptr<const DomainFile>(&file, [](const DomainFile*) {}))) {}

  void Run() {
    const Definition& definition = file_.definition();
    for (const auto& [position, message] : definition.warnings) Add(Finding::Kind::kWarning, position, message);
    CheckRules();
    LookAtProblems();
    Walk();
    Search();
    RunTests(file_, report_);
  }

 private:
  void Add(Finding::Kind kind, std::size_t position, std::string message) {
    const Source& source = *file_.definition().source;
    report_.findings.push_back({kind, source.LineOf(position), source.ColumnOf(position), std::move(message)});
  }

  std::size_t PlaceOfProblems() const {
    const Definition& definition = file_.definition();
    return !definition.problems.empty()    ? definition.problems.front().position
           : !definition.scrambles.empty() ? definition.scrambles.front().position
                                           : 0;
  }

  void CheckRules() {
    const Definition& definition = file_.definition();
    constexpr std::size_t kAttempts = 800;
    for (const Family& family : definition.families) {
      for (const Rule& rule : family.rules) {
        if (const std::optional<Counterexample> fault = file_.judge().FindFault(rule, kAttempts)) {
          Add(Finding::Kind::kError, rule.position, FaultMessage(definition, rule, *fault));
        }
      }
    }
    for (const Rule& rule : definition.errors) {
      if (definition.keeps != Keeps::kNothing && !file_.judge().ChangesSomething(rule, kAttempts)) {
        Add(Finding::Kind::kError, rule.position,
            fmt::format(
                "the error '{}' is no mistake: it changes nothing that steps keep, so that a line with it counts as right",
                rule.name));
      }
    }
  }

  void LookAtProblems() {
    Successors successors;
    std::string solved;
    std::string dead_end;
    for (std::uint64_t seed = 0; seed < options_.problems; ++seed) {
      const std::string problem = file_.Generate(seed);
      successors.Clear();
      const Status status = domain_->Expand(problem, Labels::kOff, successors);
      if (status == Status::kSolved && ++report_.solved_at_start == 1) solved = problem;
      if (status == Status::kDeadEnd && ++report_.dead_ends == 1) dead_end = problem;
      ++report_.problems;
    }
    const auto share = [&](std::size_t count) { return static_cast<double>(count) / static_cast<double>(report_.problems); };
    if (report_.problems == 0) return;
    if (share(report_.solved_at_start) > 0.2) {
      Add(report_.solved_at_start == report_.problems ? Finding::Kind::kError : Finding::Kind::kWarning, PlaceOfProblems(),
          fmt::format("{} of {} problems are solved from the start, for instance '{}'", report_.solved_at_start,
                      report_.problems, solved));
    }
    if (report_.dead_ends > 0) {
      Add(report_.dead_ends == report_.problems ? Finding::Kind::kError : Finding::Kind::kWarning, PlaceOfProblems(),
          fmt::format("no rule applies to {} of {} problems, for instance '{}'", report_.dead_ends, report_.problems,
                      dead_end));
    }
  }

  // Walks at random: which rules are used, and what they do to the size of states.
  void Walk() {
    struct Use {
      std::size_t count = 0;
      double growth = 0;
    };
    std::map<std::string, Use, std::less<>> uses;
    std::size_t steps = 0;
    std::size_t walks = 0;
    std::size_t too_large = 0;
    constexpr std::size_t kManyTimes = 10;
    std::size_t grown = 0;  // walks to states of many times the size
    std::size_t most_successors = 0;
    std::string most_rule;
    double successors_in_all = 0;
    Random random(1);
    Successors successors;
    bool has_fault = report_.has_errors();
    const Stopwatch watch;
    double expanding = 0;
    std::size_t bytes = 0;
    for (std::uint64_t seed = 0; seed < options_.problems && bytes < kWalkBytes; ++seed) {
      std::string state = file_.Generate(seed);
      ++walks;
      for (std::size_t step = 0; step < options_.walk_steps; ++step) {
        successors.Clear();
        const double before = watch.Seconds();
        const Status status = domain_->Expand(state, Labels::kOn, successors);
        expanding += watch.Seconds() - before;
        if (status == Status::kDeadEnd && step > 0) {
          ++report_.walks_ended;
          if (PartsOf(file_, state) > file_.definition().limit) ++too_large;
        }
        if (status != Status::kOpen) break;
        ++steps;
        bytes += successors.text().size();
        successors_in_all += static_cast<double>(successors.size());
        for (std::size_t i = 0; i < successors.size(); ++i) ++uses[std::string(AxiomOf(successors.label(i)))].count;
        if (successors.size() > most_successors) {
          most_successors = successors.size();
          std::map<std::string, std::size_t, std::less<>> counts;
          for (std::size_t i = 0; i < successors.size(); ++i) ++counts[std::string(AxiomOf(successors.label(i)))];
          most_rule = std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
                        return a.second < b.second;
                      })->first;
        }
        const auto chosen = static_cast<std::size_t>(random.Uint64(0, successors.size()));
        const std::string next(successors.state(chosen));
        uses[std::string(AxiomOf(successors.label(chosen)))].growth +=
            static_cast<double>(next.size()) - static_cast<double>(state.size());
        if (!has_fault) has_fault = CheckStep(state, next, successors.label(chosen));
        state = next;
      }
      if (PartsOf(file_, state) > kManyTimes * PartsOf(file_, file_.Generate(seed))) ++grown;
    }
    report_.branching = steps == 0 ? 0 : successors_in_all / static_cast<double>(steps);
    report_.states_per_second = expanding > 0 ? static_cast<double>(steps) / expanding : 0;
    const Definition& definition = file_.definition();
    for (const Family& family : definition.families) {
      for (const Rule& rule : family.rules) {
        if (steps == 0 || uses.contains(rule.name)) continue;
        const auto is_gap = [](const Part& part) { return part.kind == PartKind::kGap; };
        const auto is_whole = [&](const Form& form) { return std::none_of(form.left.begin(), form.left.end(), is_gap); };
        const bool are_whole =
            definition.kind == StateKind::kList && std::all_of(rule.forms.begin(), rule.forms.end(), is_whole);
        Add(Finding::Kind::kWarning, rule.position,
            fmt::format("the rule '{}' never applies in {} steps of random walks{}", rule.name, steps,
                        are_whole ? "; it is about whole lists: write .. where others may stand before and after" : ""));
      }
    }
    if ((too_large * 5 > walks || grown * 2 > walks) && !uses.empty()) {
      const auto most = std::max_element(uses.begin(), uses.end(),
                                         [](const auto& a, const auto& b) { return a.second.growth < b.second.growth; });
      const Rule* const rule = definition.FindRule(most->first);
      Add(Finding::Kind::kWarning, rule == nullptr ? 0 : rule->position,
          too_large * 5 > walks
              ? fmt::format("{} of {} walks end because the state has more than {} parts; the rule '{}' makes states grow most",
                            too_large, walks, definition.limit, most->first)
              : fmt::format(
                    "in {} of {} walks states grow to more than {} times their size; the rule '{}' makes them grow most", grown,
                    walks, kManyTimes, most->first));
    }
    constexpr std::size_t kManySuccessors = 500;
    if (most_successors > kManySuccessors) {
      const Rule* const rule = definition.FindRule(most_rule);
      Add(Finding::Kind::kWarning, rule == nullptr ? 0 : rule->position,
          fmt::format("a state has {}{} successors, most of them by the rule '{}'",
                      most_successors >= kMaxSuccessors ? "at least " : "", most_successors, most_rule));
    }
  }

  // A step of a walk that changes what it should keep. True if there is one.
  bool CheckStep(const std::string& before, const std::string& after, std::string_view label) {
    const Definition& definition = file_.definition();
    if (definition.keeps == Keeps::kNothing || file_.is_layout()) return false;
    TermText was;
    TermText is;
    Malformed error;
    if (!was.Read(definition.grammar, before, error)) return false;
    if (!is.Read(definition.grammar, after, error)) {
      Add(Finding::Kind::kError, 0,
          fmt::format("the step '{}' leads from '{}' to '{}', which is no state: {}", label, before, after,
                      error.message.english()));
      return true;
    }
    const Rule* const rule = definition.FindRule(AxiomOf(label));
    if (rule == nullptr || !rule->assumptions.empty()) return false;
    Counterexample fault;
    if (file_.judge().Compare(was, is, false, &fault) != Judge::Outcome::kDifferent) return false;
    Add(Finding::Kind::kError, rule->position, FaultMessage(definition, *rule, fault));
    return true;
  }

  void Search() {
    std::size_t lengths = 0;
    std::size_t impossible = 0;
    std::size_t tried = 0;
    std::string example;
    const auto note = [&](const std::string& problem, const Path& path) {
      ++tried;
      if (path.is_impossible && ++impossible == 1) example = problem;
    };
    for (std::uint64_t seed = 0; seed < options_.searched; ++seed) {
      const std::string problem = file_.Generate(seed);
      const std::size_t most = kReportBytes / options_.searched / std::max<std::size_t>(problem.size(), 1);
      const Path path = SearchBreadthFirst(*domain_, problem, std::min(options_.max_successors, most));
      ++report_.searched;
      note(problem, path);
      if (path.states.empty()) continue;
      ++report_.found;
      lengths += path.labels.size();
      report_.longest = std::max(report_.longest, path.labels.size());
    }
    // A missing rule shows where few states can be reached; others need not be looked at for long.
    constexpr std::size_t kFewSuccessors = 1'000;
    for (std::uint64_t seed = options_.searched; seed < options_.problems; ++seed) {
      const std::string problem = file_.Generate(seed);
      note(problem, SearchBreadthFirst(*domain_, problem, std::min(kFewSuccessors, options_.max_successors)));
    }
    if (impossible > 0) {
      Add(Finding::Kind::kWarning, PlaceOfProblems(),
          fmt::format("{} of {} problems cannot be solved by these rules: all states that can be reached were looked at, for "
                      "instance from '{}'",
                      impossible, tried, example));
    }
    if (report_.found > 0) report_.mean_length = static_cast<double>(lengths) / static_cast<double>(report_.found);
    if (report_.searched > 0 && report_.found == 0) {
      Add(Finding::Kind::kWarning, PlaceOfProblems(),
          fmt::format("breadth-first search with {} successors solves none of {} problems; learning needs some that are easy",
                      options_.max_successors, report_.searched));
    }
  }

  const DomainFile& file_;
  const ReportOptions& options_;
  Report& report_;
  std::unique_ptr<Domain> domain_;
};

}  // namespace

bool Report::has_errors() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.kind == Finding::Kind::kError; });
}

Report MakeReport(const std::string& name, const std::string& text, const ReportOptions& options) {
  Report report;
  try {
    const DomainFile file(name, text, name, DomainFile::Unchecked());
    report.name = file.definition().name;
    Reporter(file, options, report).Run();
  } catch (const FileError& error) {
    report.findings.push_back({Finding::Kind::kError, error.line, error.column, error.message});
  }
  std::stable_sort(report.findings.begin(), report.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.line < b.line; });
  return report;
}

void RunTests(const DomainFile& file, Report& report) {
  const std::unique_ptr<Domain> domain = MakeFileDomain(std::shared_ptr<const DomainFile>(&file, [](const DomainFile*) {}));
  for (const FileTest& test : file.definition().tests) {
    ++report.tests;
    const std::string wrong = RunTest(file, *domain, test);
    if (wrong.empty()) {
      ++report.tests_passed;
      continue;
    }
    const Source& source = *file.definition().source;
    report.findings.push_back(
        {Finding::Kind::kError, source.LineOf(test.position), source.ColumnOf(test.position), "test: " + wrong});
  }
}

Path SearchBreadthFirst(const Domain& domain, const std::string& problem, std::size_t max_successors) {
  struct Node {
    std::string state;
    std::size_t parent;
    std::string label;
  };
  std::vector<Node> nodes{{problem, 0, {}}};
  std::unordered_map<std::string, bool> seen{{problem, true}};
  Successors successors;
  std::size_t made = 0;
  std::size_t bytes = 0;
  bool is_cut = false;
  Path path;
  for (std::size_t at = 0; at < nodes.size(); ++at) {
    successors.Clear();
    // Once there are enough, what is there may be solved, but no steps are needed any more.
    const Status status = !is_cut                          ? domain.Expand(nodes[at].state, Labels::kOn, successors)
                          : domain.Solved(nodes[at].state) ? Status::kSolved
                                                           : Status::kOpen;
    if (status == Status::kSolved) {
      for (std::size_t i = at;; i = nodes[i].parent) {
        path.states.push_back(nodes[i].state);
        if (i == 0) break;
        path.labels.push_back(nodes[i].label);
      }
      std::reverse(path.states.begin(), path.states.end());
      std::reverse(path.labels.begin(), path.labels.end());
      return path;
    }
    if (made >= max_successors || bytes >= kSearchBytes) {
      is_cut = is_cut || successors.size() != 0;
      continue;
    }
    made += successors.size();
    bytes += successors.text().size();
    for (std::size_t i = 0; i < successors.size(); ++i) {
      std::string next(successors.state(i));
      if (seen.emplace(next, true).second) nodes.push_back({std::move(next), at, std::string(successors.label(i))});
    }
  }
  path.is_impossible = !is_cut;
  return path;
}

std::string Formatted(const std::string& name, const std::string& text) {
  const Source source(name, text);  // throws if it is no text
  std::string result;
  bool is_in_first_of = false;
  std::size_t blank_lines = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    while (!line.empty() && IsSpace(line.back())) line.remove_suffix(1);
    const bool is_indented = !line.empty() && IsBlank(line.front());
    while (!line.empty() && IsBlank(line.front())) line.remove_prefix(1);
    if (line.empty()) {
      ++blank_lines;
      continue;
    }
    if (blank_lines > 0 && !result.empty()) result += '\n';
    blank_lines = 0;
    // One blank between words; two before a comment; strings stay.
    std::string clean;
    bool in_string = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (c == '"') in_string = !in_string;
      if (!in_string && c == '#') {
        while (clean.ends_with(' ')) clean.pop_back();
        if (!clean.empty()) clean += "  ";
        clean += line.substr(i);
        break;
      }
      if (!in_string && IsBlank(c)) {
        if (!clean.empty() && clean.back() != ' ') clean += ' ';
        continue;
      }
      clean += c;
    }
    const bool is_rule = clean.starts_with("rule ");
    if (!is_indented && !clean.starts_with('#')) is_in_first_of = clean.starts_with("first ");
    if (is_indented && !clean.starts_with('#')) result += is_in_first_of && is_rule ? "  " : "    ";
    if (is_indented && clean.starts_with('#')) result += "  ";
    result += clean + '\n';
  }
  return result;
}

std::string Beginning(const std::string& name, StateKind kind) {
  const std::string first = fmt::format("domain {}\ntitle en \"{}\"\n\n", name, name);
  switch (kind) {
    case StateKind::kTerm:
      return first +
             "state term                          # states are formulas with + - * / ^ =\n"
             "var a b : number                    # what names in rules stand for\n"
             "var u v : term\n"
             "goal a                              # solved: a number alone\n\n"
             "rule add a + b -> [a + b]           # [ ] is worked out\n"
             "    en \"Add {a} and {b}.\"\n"
             "rule multiply a * b -> [a * b]\n"
             "    en \"Multiply {a} by {b}.\"\n"
             "rule swap u + v -> v + u\n"
             "    en \"Swap the two terms.\"\n"
             "error glue a + b -> [a * b]         # a typical mistake\n"
             "    en \"That is the product, not the sum.\"\n\n"
             "problem 2: \"{n} + {m}\" 1: \"{n} * ({m} + {n})\" with n in 2..9, m in 1..9\n"
             "keeps value                         # no step may change the value\n"
             "test \"2 * (1 + 3)\" => \"8\"\n";
    case StateKind::kList:
      return first +
             "state list \"[\" \", \" \"]\"             # how a list begins, what is between elements, how it ends\n"
             "var a b : number                    # elements\n"
             "var s : list                        # any stretch of the list, written s..\n"
             "goal s.. if ascending(s)\n\n"
             "rule swap .. a b .. -> .. b a ..    # .. is a gap\n"
             "    if a > b\n"
             "    en \"Swap {a} and {b}.\"\n\n"
             "problem \"[{l}]\" with n in 3..6, l in shuffle(1..n)\n"
             "keeps multiset                      # no step may change which elements there are\n"
             "test \"[2, 1]\" => \"[1, 2]\"\n";
    case StateKind::kLayout:
      break;
  }
  return first +
         "state layout\n"
         "colours 1 2 3 4 5 6 7 8 _\n"
         "solved \"123/456/78_\"                # cells are counted from 1; rows are separated by /\n\n"
         "exchange slide t _ -> _ t along rows columns   # t stands for any colour\n"
         "    en \"Slide a tile.\"\n\n"
         "problem scramble 1..20              # 1 to 20 moves back from the solved state\n"
         "test \"123/456/7_8\" => \"123/456/78_\"\n";
}

}  // namespace conpole::files

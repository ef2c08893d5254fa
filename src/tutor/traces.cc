#include "tutor/traces.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "conpole/search.h"
#include "conpole/successors.h"
#include "search/run_search.h"
#include "tutor/explain.h"
#include "util/hash.h"
#include "util/random.h"

namespace conpole {
namespace {

std::size_t IndexBelow(std::size_t size, Random& random) { return static_cast<std::size_t>(random.Uint64(0, size)); }

// Lines and what is read from them, for one path.
class Reader {
 public:
  Reader(const Domain& domain, const std::string& language)
      : domain_(domain), subject_(SubjectOf(domain)), language_(language) {}

  const Subject& subject() const { return subject_; }
  Line Read(std::string state) const { return subject_.Understand(std::move(state)); }

  TraceLine ByAction(LineKind kind, const Line& before, const Line& after, std::string_view label) const {
    TraceLine line = Judged(kind, before, after);
    line.action = label;
    line.sentence = ExplainStep(subject_, subject_.ReadAction(label), before, after, {.language = language_});
    return line;
  }
  TraceLine Judged(LineKind kind, const Line& before, const Line& after) const {
    TraceLine line;
    line.kind = kind;
    line.state = after.state;
    line.text = Written(after);
    const LineJudgement judgement = subject_.Judge(domain_, before, after);
    line.is_true = judgement.is_true;
    line.follows = judgement.follows;
    return line;
  }
  std::string Written(const Line& line) const {
    return subject_.Localise(language_, Script::kPlain, subject_.Write(Script::kPlain, line));
  }

 private:
  const Domain& domain_;
  const Subject& subject_;
  const std::string& language_;
};

// Whether a right line is nearer to the answer than the one before; nothing if that is not known.
std::optional<bool> Helps(const Domain& domain, const Subject& subject, const Line& before, const Line& after) {
  switch (subject.FindAdvance(Problem(before), Problem(after))) {
    case Advance::kAnswer:
    case Advance::kCloser:
      return true;
    case Advance::kReorders:
    case Advance::kRepeats:
    case Advance::kNoNearer:
    case Advance::kAway:
    case Advance::kStillToDo:
      return false;
    case Advance::kNotKnown:
    case Advance::kFine:
    case Advance::kTrueOnly:
      break;
  }
  if (domain.type().heuristics.empty()) return std::nullopt;
  const auto steps_to_go = domain.type().heuristics.front().steps_to_go;
  return steps_to_go(after.state) < steps_to_go(before.state);
}

// A step that an action makes but the solution does not: one that does not help, if one of a few is known not to.
std::optional<TraceLine> MakeAway(const Domain& domain, const Reader& reader, const Line& before, std::string_view next,
                                  Random& random) {
  Successors successors;
  if (domain.Expand(before.state, Labels::kOn, successors) != Status::kOpen) return std::nullopt;
  constexpr int kTries = 4;
  for (int i = 0; i < kTries; ++i) {
    const std::size_t chosen = IndexBelow(successors.size(), random);
    const std::string_view state = successors.state(chosen);
    if (state == next || state == before.state) continue;
    const Line after = reader.Read(std::string(state));
    const std::optional<bool> helps = Helps(domain, reader.subject(), before, after);
    if (helps.value_or(true)) continue;
    TraceLine line = reader.ByAction(LineKind::kAway, before, after, successors.label(chosen));
    line.helps = helps;
    return line;
  }
  return std::nullopt;
}

std::optional<TraceLine> MakeMistake(const Domain& domain, const Reader& reader, const Line& before, Random& random) {
  for (MadeMistake& made : reader.subject().MakeMistakes(domain, before, 1, random)) {
    TraceLine line = reader.Judged(LineKind::kMistake, before, reader.Read(std::move(made.line)));
    line.mistake = std::move(made.rule);
    return line;
  }
  // Where nothing is known of mistakes: a character is copied wrongly.
  if (!domain.Parse(before.state).error) {
    constexpr int kTries = 8;
    for (int i = 0; i < kTries; ++i) {
      std::string state = before.state;
      char& place = state[IndexBelow(state.size(), random)];
      const char other = before.state[IndexBelow(before.state.size(), random)];
      if (place == other) continue;
      place = other;
      Parsed parsed = domain.Parse(state);
      if (parsed.error || parsed.state == before.state) continue;
      TraceLine line = reader.Judged(LineKind::kMistake, before, reader.Read(std::move(parsed.state)));
      line.mistake = "copied";
      return line;
    }
  }
  return std::nullopt;
}

std::optional<TraceLine> MakeCoincidence(const Domain& domain, const Reader& reader, const Line& before, Random& random) {
  constexpr int kTries = 4;
  for (int i = 0; i < kTries; ++i) {
    const std::optional<std::string> state = reader.subject().MakeCoincidence(domain, before, random);
    if (!state) return std::nullopt;
    TraceLine line = reader.Judged(LineKind::kCoincidence, before, reader.Read(*state));
    if (line.is_true.value_or(false) && !line.follows) return line;
  }
  return std::nullopt;
}

// A line that is wrong: mostly by a mistake, now and then one that keeps the solution.
std::optional<TraceLine> MakeWrong(const Domain& domain, const Reader& reader, const Line& before, Random& random) {
  constexpr std::uint64_t kCoincidences = 8;  // one line in 8 is a coincidence
  std::optional<TraceLine> line;
  if (random.Uint64(0, kCoincidences) == 0) line = MakeCoincidence(domain, reader, before, random);
  if (!line) line = MakeMistake(domain, reader, before, random);
  return line && !line->is_right().value_or(true) ? line : std::nullopt;
}

std::uint64_t Mixed(std::uint64_t seed, std::uint64_t problem, std::uint64_t variant) {
  const std::array<std::uint64_t, 3> parts{seed, problem, variant};
  return HashText({reinterpret_cast<const char*>(parts.data()), sizeof parts});
}

}  // namespace

std::string_view NameOf(LineKind kind) {
  constexpr std::array<std::string_view, 4> kNames{"step", "mistake", "coincidence", "away"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::ptrdiff_t Trace::FirstError() const {
  const auto wrong =
      std::find_if(steps.begin(), steps.end(), [](const TraceStep& step) { return !step.line.is_right().value_or(true); });
  return wrong == steps.end() ? -1 : wrong - steps.begin();
}

TraceMaker::TraceMaker(const Domain& domain, Scorer& scorer, const TraceOptions& options, ThreadPool& pool)
    : domain_(domain), scorer_(scorer), options_(options), pool_(pool) {}

std::vector<std::vector<std::string>> TraceMaker::Solve(std::span<const std::string> problems, const StopToken& stop) {
  std::vector<std::vector<std::string>> paths(problems.size());
  std::vector<std::size_t> rest(problems.size());
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = i;
  for (const SearchKind kind : {SearchKind::kGreedy, SearchKind::kBeam}) {
    SearchOptions options;
    options.kind = kind;
    options.greedy.max_steps = options.beam.max_steps = options_.max_steps;
    options.beam.width = options_.beam;
    options.stop = stop;
    std::vector<std::string> texts;
    for (const std::size_t i : rest) texts.push_back(problems[i]);
    std::vector<SearchResult> results = RunSearch(domain_, scorer_, texts, options, pool_);
    std::vector<std::size_t> left;
    for (std::size_t k = 0; k < rest.size(); ++k) {
      paths[rest[k]] = std::move(results[k].path);
      if (paths[rest[k]].empty()) left.push_back(rest[k]);
    }
    rest = std::move(left);
    if (rest.empty() || options_.beam == 0) break;
  }
  return paths;
}

std::vector<Line> TraceMaker::AddPath(const std::vector<std::string>& path, Trace& trace) const {
  const Reader reader(domain_, options_.language);
  const std::vector<std::string> labels = LabelsOfPath(domain_, path);
  std::vector<Line> lines{reader.Read(path.front())};
  lines.reserve(path.size());
  trace.steps.reserve(trace.steps.size() + labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    lines.push_back(reader.Read(path[i + 1]));
    trace.steps.push_back({reader.ByAction(LineKind::kStep, lines[i], lines[i + 1], labels[i]), {}});
  }
  return lines;
}

void TraceMaker::Finish(const Problem& problem, const Line& last, Trace& trace) const {
  trace.ends = domain_.Solved(last.state);
  if (!trace.ends) return;
  const Subject& subject = SubjectOf(domain_);
  trace.answer = subject.WriteAnswer(Script::kPlain, last);
  trace.verdict = subject.Verify(problem, last);
}

std::vector<Trace> TraceMaker::Make(std::span<const std::uint64_t> seeds, const StopToken& stop) {
  // A network wants many texts at a time.
  constexpr std::size_t kPerThread = 4;
  const std::size_t few = scorer_.NeedsDistinctTexts() ? seeds.size() : kPerThread * pool_.size();
  std::vector<Trace> made;
  for (; !seeds.empty() && !stop.StopRequested(); seeds = seeds.subspan(std::min(few, seeds.size()))) {
    std::vector<Trace> more = MakeFew(seeds.first(std::min(few, seeds.size())), stop);
    std::move(more.begin(), more.end(), std::back_inserter(made));
  }
  if (stop.StopRequested()) return {};
  return made;
}

std::vector<Trace> TraceMaker::MakeFew(std::span<const std::uint64_t> seeds, const StopToken& stop) {
  // 1. Solutions.
  std::vector<std::string> problems(seeds.size());
  pool_.For(seeds.size(), [&](std::size_t i) { problems[i] = domain_.Generate(seeds[i]); });
  const std::vector<std::vector<std::string>> paths = Solve(problems, stop);
  if (stop.StopRequested()) return {};
  // 2. Their lines, what might be there instead, and where wrong traces leave them.
  const std::size_t variants = options_.wrong + 1;
  std::vector<std::optional<Trace>> traces(seeds.size() * variants);
  std::vector<std::unique_ptr<Problem>> analysed(seeds.size());
  pool_.For(seeds.size(), [&](std::size_t i) {
    if (paths[i].size() < 2) return;
    const Reader reader(domain_, options_.language);
    Trace whole;
    whole.seed = seeds[i];
    whole.problem = paths[i].front();
    const std::vector<Line> lines = AddPath(paths[i], whole);
    whole.text = reader.Written(lines.front());
    analysed[i] = reader.subject().Analyse(domain_, lines.front());
    for (std::size_t variant = 1; variant < variants; ++variant) {
      Random random(Mixed(options_.seed, seeds[i], variant));
      const std::size_t at = IndexBelow(whole.steps.size(), random);
      std::optional<TraceLine> wrong = MakeWrong(domain_, reader, lines[at], random);
      if (!wrong) continue;
      Trace& trace = traces[i * variants + variant].emplace();
      trace.seed = whole.seed;
      trace.variant = variant;
      trace.problem = whole.problem;
      trace.text = whole.text;
      trace.steps.assign(whole.steps.begin(), whole.steps.begin() + static_cast<std::ptrdiff_t>(at));
      trace.steps.push_back({*std::move(wrong), {}});
    }
    Random random(Mixed(options_.seed, seeds[i], 0));
    for (std::size_t k = 0; k < whole.steps.size() && options_.alternatives != 0; ++k) {
      std::vector<TraceLine>& beside = whole.steps[k].alternatives;
      for (std::size_t n = 0; n < options_.alternatives; ++n) {
        // One in four leads away.
        std::optional<TraceLine> line = n % 4 == 3 ? MakeAway(domain_, reader, lines[k], paths[i][k + 1], random)
                                                   : MakeWrong(domain_, reader, lines[k], random);
        const auto is_same = [&](const TraceLine& other) { return other.state == line->state; };
        if (line && std::none_of(beside.begin(), beside.end(), is_same)) beside.push_back(*std::move(line));
      }
    }
    Finish(*analysed[i], lines.back(), whole);
    traces[i * variants] = std::move(whole);
  });
  // 3. What follows from wrong lines.
  std::vector<std::size_t> open;
  std::vector<std::string> starts;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    if (i % variants == 0 || !traces[i]) continue;
    open.push_back(i);
    starts.push_back(traces[i]->steps.back().line.state);
  }
  const std::vector<std::vector<std::string>> ends = Solve(starts, stop);
  if (stop.StopRequested()) return {};
  pool_.For(open.size(), [&](std::size_t k) {
    Trace& trace = *traces[open[k]];
    // Without steps the wrong line is the last one.
    const std::vector<Line> lines =
        ends[k].empty() ? std::vector{SubjectOf(domain_).Understand(starts[k])} : AddPath(ends[k], trace);
    Finish(*analysed[open[k] / variants], lines.back(), trace);
  });
  std::vector<Trace> made;
  for (std::optional<Trace>& trace : traces) {
    if (trace) made.push_back(*std::move(trace));
  }
  return made;
}

}  // namespace conpole

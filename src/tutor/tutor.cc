#include "tutor/tutor.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "search/beam_search.h"
#include "tutor/catalogue.h"
#include "tutor/notation.h"

namespace conpole {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxWidth = 1 << 16;
// Looking for detours asks no network, but must not take long either.
constexpr std::uint64_t kMaxDetourExpansions = 20'000;

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

// What a search has spent of its budget.
class Tutor::Spending {
 public:
  explicit Spending(const TutorBudget& budget) : budget_(budget) {}

  void Add(std::uint64_t expansions) { expanded_ += expansions; }
  std::uint64_t expanded() const { return expanded_; }
  bool out_of_time() const { return MillisecondsSince(start_) >= static_cast<double>(budget_.milliseconds); }
  std::uint64_t expansions_left() const { return budget_.expansions - std::min(budget_.expansions, expanded_); }
  bool interrupted() const { return budget_.stop != nullptr && *budget_.stop; }
  // Stops inside a round, by time or by the caller's flag.
  StopToken token() const {
    constexpr std::uint64_t kDecades = 1'000'000'000'000;  // that the clock can count to
    return StopToken(budget_.stop).Or(start_ + std::chrono::milliseconds(std::min(budget_.milliseconds, kDecades)));
  }
  // `more` are expansions that were not added yet.
  bool Spent(std::uint64_t more = 0) const { return interrupted() || more >= expansions_left() || out_of_time(); }

 private:
  TutorBudget budget_;
  Clock::time_point start_ = Clock::now();
  std::uint64_t expanded_ = 0;
};

// The domain, but an answer to one problem that is known to be wrong does not count as solved. So a search goes on past such
// answers, as those after a multiplication by the unknown can be.
class Tutor::AnswerDomain final : public Domain {
 public:
  // All must outlive it.
  AnswerDomain(const Domain& domain, const Subject& subject, const Problem& problem)
      : Domain(domain.type(), domain.parameters()), domain_(domain), subject_(subject), problem_(problem) {}

  std::string Generate(std::uint64_t seed) const override { return domain_.Generate(seed); }
  Status Expand(std::string_view state, Labels labels, Successors& out) const override {
    const Status status = domain_.Expand(state, labels, out);
    return status == Status::kSolved && !Solved(state) ? Status::kDeadEnd : status;
  }
  bool Solved(std::string_view state) const override {
    return domain_.Solved(state) && subject_.Verify(problem_, subject_.Understand(std::string(state))) != Verdict::kWrong;
  }
  Parsed Parse(std::string_view text) const override { return domain_.Parse(text); }

 private:
  const Domain& domain_;
  const Subject& subject_;
  const Problem& problem_;
};

namespace {

// The shortest path from the first of `states` to a solved one through states of this table, if it is shorter than `path`.
// Counts the expansions that it takes, up to a limit, at which it gives up.
std::vector<std::string> WithoutDetours(const Domain& domain, const StateTable& states, std::vector<std::string> path,
                                        std::uint64_t max_expansions, std::uint64_t& expanded) {
  using Id = StateTable::Id;
  std::unordered_map<std::string_view, Id> ids;
  for (Id id = 0; id < states.size(); ++id) ids.emplace(states[id].text(), id);
  std::vector<Id> parents(states.size(), StateTable::kNone);
  std::vector<Id> level{0};
  parents[0] = 0;
  Successors successors;
  for (std::size_t steps = 1; steps + 1 < path.size() && !level.empty(); ++steps) {
    std::vector<Id> next_level;
    for (const Id parent : level) {
      if (expanded == max_expansions) return path;
      ++expanded;
      successors.Clear();
      domain.Expand(states[parent].text(), Labels::kOff, successors);
      for (std::size_t i = 0; i < successors.size(); ++i) {
        const auto met = ids.find(successors.state(i));
        if (met == ids.end() || parents[met->second] != StateTable::kNone) continue;
        parents[met->second] = parent;
        next_level.push_back(met->second);
        if (!domain.Solved(met->first)) continue;
        std::vector<std::string> shorter;
        for (Id id = met->second; id != 0; id = parents[id]) shorter.emplace_back(states[id].text());
        shorter.emplace_back(states[0].text());
        std::reverse(shorter.begin(), shorter.end());
        return shorter;
      }
    }
    level = std::move(next_level);
  }
  return path;
}

}  // namespace

Tutor::Tutor(const Domain& domain, Scorer& policy, ThreadPool& pool, TutorOptions options)
    : domain_(domain), subject_(SubjectOf(domain)), policy_(policy), pool_(pool), options_(std::move(options)) {
  Catalogue::Find(options_.explain.language);  // throws if there is no such language
}

std::string Tutor::Sentence(std::string_view id, const Catalogue::Slots& slots) const {
  return Catalogue::Find(options_.explain.language).Sentence(id, slots);
}

std::unique_ptr<Problem> Tutor::Analyse(const std::string& state) const {
  return subject_.Analyse(domain_, subject_.Understand(state));
}

TutorSolution Tutor::Solve(const std::string& problem, const TutorBudget& budget, const SearchOptions* search) {
  const Clock::time_point start = Clock::now();
  TutorSolution solution = SolveAnalysed(*Analyse(problem), budget, search);
  solution.milliseconds = MillisecondsSince(start);
  return solution;
}

TutorSolution Tutor::SolveAnalysed(const Problem& problem, const TutorBudget& budget, const SearchOptions* search) {
  TutorSolution solution;
  const Analysis& analysis = problem.analysis;
  if (!analysis.search) {
    solution.problem = problem.line.state;
    solution.notation = subject_.Write(options_.explain.script, problem.line);
    PresentAnalysis(analysis, solution);
    return solution;
  }
  const AnswerDomain domain(domain_, subject_, problem);
  const Ending ending = search == nullptr ? SearchWithGrowingBeams(domain, problem.start, budget)
                                          : SearchOnce(domain, problem.start, budget, *search);
  Present(problem, ending, solution);
  return solution;
}

Tutor::Ending Tutor::SearchWithGrowingBeams(const AnswerDomain& domain, const std::string& start, const TutorBudget& budget) {
  if (PackedPolicy* const packed = policy_.packed(); packed != nullptr && domain.type().layout != nullptr) {
    return SearchPacked(domain, *packed, start, budget);
  }
  Spending spending(budget);
  Ending ending;
  BeamOptions options;
  options.max_steps = options_.max_steps;
  options.value = policy_.meaning() == ScoreMeaning::kLogPreference ? BeamValue::kLogProbability : BeamValue::kLastScore;
  for (options.width = 1; options.width <= kMaxWidth; options.width *= 2) {
    LockstepGroup group(domain, pool_, spending.token());
    auto made = std::make_unique<BeamSearch>(domain, start, options);
    const BeamSearch& search = *made;
    group.Start(0, std::move(made));
    while (!search.finished() && !spending.Spent(search.result().expanded)) {
      if (!group.Score(policy_)) break;
      group.Advance();
    }
    spending.Add(search.result().expanded);
    ending.expanded = spending.expanded();
    if (search.result().solved()) {
      ending.outcome = SearchOutcome::kSolved;
      const std::uint64_t limit = std::min(kMaxDetourExpansions, spending.expansions_left());
      std::uint64_t more = 0;
      ending.path = WithoutDetours(domain, search.states(), search.result().path, limit, more);
      ending.expanded += more;
      return ending;
    }
    if (spending.Spent()) {
      if (spending.interrupted()) {
        ending.outcome = SearchOutcome::kInterrupted;
        ending.sentence = "status.interrupted";
        return ending;
      }
      ending.outcome = SearchOutcome::kOutOfBudget;
      const bool time = spending.expansions_left() != 0;
      ending.sentence = time ? "status.out_of_time" : "status.out_of_expansions";
      ending.limit = budget.expansions;
      return ending;
    }
    ending.outcome = search.result().outcome;
    // A beam that never had to leave out a state has seen everything.
    if (ending.outcome == SearchOutcome::kExhausted && search.states().size() <= options.width) return ending;
  }
  if (ending.outcome == SearchOutcome::kOutOfBudget) {
    ending.sentence = "status.out_of_steps";
    ending.limit = options.max_steps;
  }
  return ending;
}

Tutor::Ending Tutor::SearchPacked(const AnswerDomain& domain, PackedPolicy& policy, const std::string& start,
                                  const TutorBudget& budget) {
  Spending spending(budget);
  Ending ending;
  if (spending.Spent()) {
    ending.outcome = SearchOutcome::kOutOfBudget;
  } else {
    SearchResult result = RunGrowingPackedBeams(domain, policy, start,
                                                {.max_steps = options_.max_steps,
                                                 .max_expanded = budget.expansions,
                                                 .shorten = budget.shorten,
                                                 .stop = spending.token()},
                                                pool_);
    ending.outcome = result.outcome;
    ending.path = std::move(result.path);
    ending.expanded = result.expanded;
    spending.Add(result.expanded);
  }
  if (!ending.path.empty()) return ending;
  if (spending.interrupted()) {
    ending.outcome = SearchOutcome::kInterrupted;
    ending.sentence = "status.interrupted";
  } else if (spending.Spent()) {
    ending.outcome = SearchOutcome::kOutOfBudget;
    ending.sentence = spending.expansions_left() != 0 ? "status.out_of_time" : "status.out_of_expansions";
    ending.limit = budget.expansions;
  } else if (ending.outcome == SearchOutcome::kOutOfBudget) {
    ending.sentence = "status.out_of_steps";
    ending.limit = options_.max_steps;
  }
  return ending;
}

Tutor::Ending Tutor::SearchOnce(const AnswerDomain& domain, const std::string& start, const TutorBudget& budget,
                                SearchOptions search) {
  if (budget.stop != nullptr) search.stop = budget.stop;
  SearchResult result = RunSearch(domain, policy_, std::span(&start, 1), search, pool_).front();
  Ending ending;
  ending.outcome = result.outcome;
  ending.expanded = result.expanded;
  switch (result.outcome) {
    case SearchOutcome::kSolved: {
      StateTable seen;
      for (const std::string& state : result.path) seen.Add(state, StateTable::kNone);
      ending.path = WithoutDetours(domain, seen, std::move(result.path), kMaxDetourExpansions, ending.expanded);
      break;
    }
    case SearchOutcome::kExhausted:
      break;
    case SearchOutcome::kInterrupted:
      ending.sentence = "status.interrupted";
      break;
    case SearchOutcome::kOutOfBudget:
      switch (search.kind) {
        case SearchKind::kGreedy:
        case SearchKind::kBeam:
          ending.sentence = "status.out_of_steps";
          ending.limit = search.kind == SearchKind::kGreedy ? search.greedy.max_steps : search.beam.max_steps;
          break;
        case SearchKind::kBreadthFirst:
          ending.sentence = "status.out_of_successors";
          ending.limit = search.breadth_first.max_edges;
          break;
        case SearchKind::kBestFirst:
          ending.sentence = "status.out_of_expansions";
          ending.limit = search.best_first.max_expanded;
          break;
      }
      break;
  }
  return ending;
}

void Tutor::PresentAnalysis(const Analysis& analysis, TutorSolution& solution) const {
  solution.status = analysis.status;
  solution.answer = analysis.answer;
  solution.exceptions = analysis.exceptions;
  solution.irrational_exceptions = analysis.irrational_exceptions;
  if (solution.status != SolveStatus::kUnsolved) solution.verdict = Verdict::kRight;
  solution.message = Sentence(analysis.sentence, analysis.slots);
}

void Tutor::Present(const Problem& problem, const Ending& ending, TutorSolution& solution) const {
  const Script script = options_.explain.script;
  const bool as_asked = problem.start == problem.line.state;
  Line line = as_asked ? problem.line : subject_.Understand(problem.start);
  solution.problem = problem.start;
  solution.notation = subject_.Write(script, line);
  solution.outcome = ending.outcome;
  solution.expanded = ending.expanded;
  const bool known = problem.analysis.status != SolveStatus::kUnsolved;
  if (ending.path.empty()) {
    const Analysis& analysis = problem.analysis;
    if (known && ending.outcome != SearchOutcome::kInterrupted) {
      PresentAnalysis(analysis, solution);
      const bool time = ending.sentence == "status.out_of_time";
      solution.message += ' ' + Sentence(time ? "status.no_steps_in_time" : "status.no_steps");
    } else if (!analysis.sentence.empty() && ending.outcome == SearchOutcome::kExhausted) {
      solution.message = Sentence(analysis.sentence, analysis.slots);
    } else {
      solution.message = Sentence(ending.sentence, {{"limit", std::to_string(ending.limit)}});
    }
    return;
  }
  // A path of the search is one of the domain; what the subject knows besides must agree.
  if (!subject_.StepsArePossible(ending.path)) throw Error("the search gave steps that are not possible");
  const std::vector<std::string> labels = LabelsOfPath(domain_, ending.path);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    Line next = subject_.Understand(ending.path[i + 1]);
    solution.steps.push_back(MakeStep(labels[i], line, next));
    line = std::move(next);
  }
  const SolveStatus status = known ? problem.analysis.status : SolveStatus::kSolved;
  const std::string& last_line = solution.steps.empty() ? solution.notation : solution.steps.back().notation;
  if (status != SolveStatus::kSolved) PresentAnalysis(problem.analysis, solution);
  solution.status = status;
  solution.answer = line.state;
  solution.verdict = subject_.Verify(problem, line);
  if (status != SolveStatus::kSolved) return;
  Catalogue::Slots slots;
  if (subject_.AnswersSaySomething()) slots["answer"] = last_line;
  solution.message = Sentence(solution.verified() ? "status.solved" : "status.not_verified", slots);
}

TutorStep Tutor::MakeStep(std::string_view label, const Line& before, const Line& after) const {
  TutorStep step;
  static_cast<Action&>(step) = subject_.ReadAction(label);
  step.before = before.state;
  step.after = after.state;
  step.notation = subject_.Write(options_.explain.script, after);
  step.text = ExplainStep(subject_, step, before, after, options_.explain);
  return step;
}

TutorHint Tutor::Hint(const std::string& state, int level, const TutorBudget& budget) {
  if (level < 1 || level > kHintLevels) throw Error(fmt::format("the level of a hint is 1 to {}, not {}", kHintLevels, level));
  const std::unique_ptr<Problem> problem = Analyse(state);
  TutorSolution solution = SolveAnalysed(*problem, budget, nullptr);
  TutorHint hint;
  hint.status = solution.status;
  if (solution.steps.empty()) {
    // Where an answer is known without steps to it, a hint does not give it away.
    const bool without_steps = problem->analysis.search && solution.status != SolveStatus::kUnsolved;
    hint.text = solution.has_steps_to_answer() ? Sentence("hint.nothing_left")
                : without_steps                ? Sentence("hint.no_step")
                                               : std::move(solution.message);
    return hint;
  }
  hint.step = std::move(solution.steps.front());
  const TutorStep& step = *hint.step;
  // A label is no sentence.
  const auto as_sentence = [&](std::string text) {
    return subject_.type() != nullptr ? text : Sentence("hint.axiom", {{"axiom", std::move(text)}});
  };
  if (level == 1) {
    hint.text = HintAtStep(subject_, step, options_.explain);
  } else if (level == 2) {
    ExplainOptions options = options_.explain;
    options.results = false;
    const Line before = subject_.Understand(step.before);
    hint.text = as_sentence(ExplainStep(subject_, step, before, subject_.Understand(step.after), options));
  } else {
    const std::string line = Math(options_.explain.script, step.notation);
    hint.text = Sentence("hint.line", {{"step", as_sentence(step.text)}, {"line", line}});
  }
  return hint;
}

std::vector<NextStep> Tutor::NextSteps(const std::string& state) {
  Successors successors;
  if (domain_.Expand(state, Labels::kOn, successors) != Status::kOpen) return {};
  std::vector<std::string_view> candidates;
  for (std::size_t i = 0; i < successors.size(); ++i) candidates.push_back(successors.state(i));
  const std::vector<float> scores = ScoreCandidates(policy_, state, candidates);

  const double best = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (const float score : scores) sum += std::exp(score - best);
  const Line before = subject_.Understand(state);
  std::vector<NextStep> steps;
  for (std::size_t i = 0; i < successors.size(); ++i) {
    TutorStep step = MakeStep(successors.label(i), before, subject_.Understand(std::string(successors.state(i))));
    steps.push_back({std::move(step), std::exp(scores[i] - best) / sum});
  }
  std::stable_sort(steps.begin(), steps.end(),
                   [](const NextStep& a, const NextStep& b) { return a.probability > b.probability; });
  return steps;
}

StepCheck Tutor::Check(const std::string& current, std::string_view line, const TutorBudget& budget) {
  const Distance distance = [&](const Problem& problem) -> std::optional<double> {
    const TutorSolution solution = SolveAnalysed(problem, budget, nullptr);
    if (!solution.has_steps_to_answer()) return std::nullopt;
    return static_cast<double>(solution.steps.size());
  };
  return CheckStep(domain_, current, line, distance, options_.explain.language);
}

std::string Tutor::Exercise(std::uint64_t level, std::uint64_t seed) {
  constexpr double kMilliseconds = 3'000;
  constexpr double kPatience = 10;  // as long as there is none at all
  const TutorBudget budget{.milliseconds = 500};
  const std::uint64_t most = level * kStepsPerLevel;
  const Clock::time_point start = Clock::now();
  std::string closest;
  std::uint64_t smallest_gap = std::numeric_limits<std::uint64_t>::max();
  do {
    std::string problem = domain_.Generate(seed++);
    const TutorSolution solution = Solve(problem, budget);
    const std::uint64_t steps = solution.steps.size();
    if (!solution.has_steps_to_answer() || steps == 0) continue;
    const std::uint64_t gap = steps > most ? steps - most : most - steps;
    if (steps <= most && gap < kStepsPerLevel) return problem;
    if (gap < smallest_gap) {
      smallest_gap = gap;
      closest = std::move(problem);
    }
  } while (MillisecondsSince(start) < (closest.empty() ? kPatience : 1) * kMilliseconds);
  if (closest.empty()) throw Error("no problem was found that can be solved in time");
  return closest;
}

}  // namespace conpole

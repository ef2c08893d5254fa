#include "tutor/tutor.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "nn/model.h"
#include "nn/network_scorer.h"
#include "nn/shipped_models.h"
#include "search/beam_search.h"
#include "search/scorers.h"
#include "tutor/catalogue.h"
#include "tutor/notation.h"
#include "util/hash.h"

namespace conpole {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxWidth = 1 << 16;
// Looking for detours asks no network, but must not take long either.
constexpr std::uint64_t kMaxDetourExpansions = 20'000;

// Policies are trained on equations in x, and any letter will do: in states, letters are unknowns.
constexpr char kTrainedUnknown = 'x';

char UnknownOf(const Domain& domain, const std::string& state) {
  const char unknown = domain.type().name == "equations" ? SolveExactly(state).unknown : '\0';
  return unknown == 0 ? kTrainedUnknown : unknown;
}

std::string Rename(std::string state, char from, char to) {
  std::replace(state.begin(), state.end(), from, to);
  return state;
}

// An equation with products with -1 in place of negations, for which there are no axioms: -x becomes -1x, -(2x) becomes
// (-1) * 2x. In canonical text a minus sign before a letter or a parenthesis is a negation.
std::string WithoutNegations(const Domain& domain, const std::string& state) {
  if (domain.type().name != "equations") return state;
  std::string text;
  std::vector<bool> negated;  // per open parenthesis
  for (std::size_t i = 0; i < state.size(); ++i) {
    const char next = i + 1 < state.size() ? state[i + 1] : '\0';
    if (state[i] == '-' && std::isalpha(static_cast<unsigned char>(next)) != 0) {
      text += "-1";
    } else if (state[i] == '-' && next == '(') {
      text += "((-1) * (";
      negated.push_back(true);
      ++i;
    } else {
      text += state[i];
      if (state[i] == '(') negated.push_back(false);
      if (state[i] != ')') continue;
      if (negated.back()) text += ')';
      negated.pop_back();
    }
  }
  const Parsed parsed = domain.Parse(text);
  return parsed.error ? state : parsed.state;
}

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::string JoinRoots(char unknown, const std::vector<Exact>& roots) {
  std::string text;
  for (const Exact& root : roots) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} = {}", unknown, root.str());
  }
  return text;
}

}  // namespace

// What a search has spent of its budget.
class Tutor::Spending {
 public:
  explicit Spending(const TutorBudget& budget) : budget_(budget) {}

  void Add(std::uint64_t expansions) { expanded_ += expansions; }
  std::uint64_t expanded() const { return expanded_; }
  std::uint64_t expansions_left() const { return budget_.expansions - std::min(budget_.expansions, expanded_); }
  bool interrupted() const { return budget_.stop != nullptr && *budget_.stop; }
  // `more` are expansions that were not added yet.
  bool Spent(std::uint64_t more = 0) const {
    return interrupted() || more >= expansions_left() || MillisecondsSince(start_) >= static_cast<double>(budget_.milliseconds);
  }

 private:
  TutorBudget budget_;
  Clock::time_point start_ = Clock::now();
  std::uint64_t expanded_ = 0;
};

// The domain, but a state counts as solved only if it is the right answer to one problem. So a search goes on past answers that
// are wrong, as those after a multiplication by the unknown can be.
class Tutor::VerifiedDomain final : public Domain {
 public:
  // Both must outlive it.
  VerifiedDomain(const Domain& domain, const std::string& problem)
      : Domain(domain.type(), domain.parameters()), domain_(domain), problem_(problem) {}

  std::string Generate(std::uint64_t seed) const override { return domain_.Generate(seed); }
  Status Expand(std::string_view state, Labels labels, Successors& out) const override {
    const Status status = domain_.Expand(state, labels, out);
    return status == Status::kSolved && !Solved(state) ? Status::kDeadEnd : status;
  }
  bool Solved(std::string_view state) const override {
    return domain_.Solved(state) && VerifyAnswer(domain_, problem_, state) == Verdict::kRight;
  }
  Parsed Parse(std::string_view text) const override { return domain_.Parse(text); }

 private:
  const Domain& domain_;
  const std::string& problem_;
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
    : domain_(domain), policy_(policy), pool_(pool), options_(std::move(options)) {
  Catalogue::Find(options_.explain.language);  // throws if there is no such language
}

TutorSolution Tutor::Solve(const std::string& problem, const TutorBudget& budget) {
  const Clock::time_point start = Clock::now();
  TutorSolution solution;
  solution.problem = problem;
  if (Analyse(solution)) {
    solution.problem = WithoutNegations(domain_, problem);
    Spending spending(budget);
    const std::string searched = Rename(solution.problem, UnknownOf(domain_, problem), kTrainedUnknown);
    const VerifiedDomain domain(domain_, searched);
    const Found found = SearchWithGrowingBeams(domain, searched, spending);
    solution.expanded = spending.expanded();
    Present(solution, problem, found);
  }
  solution.milliseconds = MillisecondsSince(start);
  return solution;
}

TutorSolution Tutor::SolveWith(const std::string& problem, const SearchOptions& search) {
  const Clock::time_point start = Clock::now();
  TutorSolution solution;
  solution.problem = problem;
  if (Analyse(solution)) {
    solution.problem = WithoutNegations(domain_, problem);
    const std::string searched = Rename(solution.problem, UnknownOf(domain_, problem), kTrainedUnknown);
    const VerifiedDomain domain(domain_, searched);
    SearchResult result = RunSearch(domain, policy_, std::span(&searched, 1), search, pool_).front();
    solution.expanded = result.expanded;
    if (result.solved()) {
      StateTable seen;
      for (const std::string& state : result.path) seen.Add(state, StateTable::kNone);
      result.path = WithoutDetours(domain, seen, std::move(result.path), kMaxDetourExpansions, solution.expanded);
    }
    Present(solution, problem, {std::move(result.path), result.outcome});
  }
  solution.milliseconds = MillisecondsSince(start);
  return solution;
}

bool Tutor::Analyse(TutorSolution& solution) const {
  const Catalogue& catalogue = Catalogue::Find(options_.explain.language);
  if (domain_.type().name != "equations") return true;
  const SolutionSet set = SolveExactly(solution.problem);
  Catalogue::Slots slots;
  switch (set.kind) {
    case SolutionSet::Kind::kCannotTell:
    case SolutionSet::Kind::kNotAnalysed:
      solution.message = catalogue.Sentence("status.unverifiable", {});
      return false;
    case SolutionSet::Kind::kNone:
      solution.status = SolveStatus::kNoSolution;
      break;
    case SolutionSet::Kind::kEvery:
      solution.status = SolveStatus::kEveryNumber;
      break;
    case SolutionSet::Kind::kRoots:
      if (set.count() == 1 && set.roots.irrational == 0) return true;
      if (set.count() == 1) {
        solution.message = catalogue.Sentence("status.irrational", {});
        return false;
      }
      solution.status = SolveStatus::kSeveralSolutions;
      slots["count"] = std::to_string(set.count());
      if (set.roots.irrational == 0) {
        solution.answer = JoinRoots(set.unknown, set.roots.rational);
        slots["roots"] = solution.answer;
      }
      break;
  }
  solution.verified = true;
  solution.message = catalogue.Sentence(fmt::format("status.{}", NameOf(solution.status)), slots);
  return false;
}

Tutor::Found Tutor::SearchWithGrowingBeams(const VerifiedDomain& domain, const std::string& problem, Spending& spending) {
  Found found;
  BeamOptions options;
  options.max_steps = options_.max_steps;
  options.value = policy_.meaning() == ScoreMeaning::kLogPreference ? BeamValue::kLogProbability : BeamValue::kLastScore;
  for (options.width = 1; options.width <= kMaxWidth; options.width *= 2) {
    LockstepGroup group(domain, pool_);
    auto made = std::make_unique<BeamSearch>(domain, problem, options);
    const BeamSearch& search = *made;
    group.Start(0, std::move(made));
    while (!search.finished() && !spending.Spent(search.result().expanded)) {
      group.Collect(policy_.NeedsDistinctTexts());
      if (!group.batch().pairs.empty()) policy_.Score(group.batch(), group.scores());
      group.Advance();
    }
    spending.Add(search.result().expanded);
    found.outcome = search.finished() ? search.result().outcome : SearchOutcome::kOutOfBudget;
    if (search.result().solved()) {
      std::uint64_t expanded = 0;
      const std::uint64_t limit = std::min(kMaxDetourExpansions, spending.expansions_left());
      found.path = WithoutDetours(domain, search.states(), search.result().path, limit, expanded);
      spending.Add(expanded);
      return found;
    }
    if (spending.Spent()) {
      found.outcome = spending.interrupted() ? SearchOutcome::kInterrupted : SearchOutcome::kOutOfBudget;
      return found;
    }
    // A beam that never had to leave out a state has seen everything.
    if (found.outcome == SearchOutcome::kExhausted && search.states().size() <= options.width) return found;
  }
  return found;
}

void Tutor::Present(TutorSolution& solution, const std::string& asked, const Found& found) const {
  const Catalogue& catalogue = Catalogue::Find(options_.explain.language);
  solution.outcome = found.outcome;
  const char unknown = UnknownOf(domain_, solution.problem);
  std::vector<std::string> path;
  for (const std::string& state : found.path) path.push_back(Rename(state, kTrainedUnknown, unknown));
  if (VerifyPath(domain_, path) != Verdict::kRight || VerifyAnswer(domain_, asked, path.back()) != Verdict::kRight) {
    solution.message = catalogue.Sentence("status.unsolved", {});
    return;
  }
  const std::vector<std::string> labels = LabelsOfPath(domain_, path);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    solution.steps.push_back(MakeStep(labels[i], path[i], path[i + 1]));
  }
  solution.status = SolveStatus::kSolved;
  solution.verified = true;
  solution.answer = path.back();
  // Of a cube there is nothing to be said but that it is solved.
  Catalogue::Slots slots;
  if (domain_.type().name != "rubiks-cube") slots["answer"] = WriteNotation(domain_, solution.answer);
  solution.message = catalogue.Sentence("status.solved", slots);
}

TutorStep Tutor::MakeStep(std::string_view label, std::string before, std::string after) const {
  TutorStep step;
  step.axiom = AxiomOf(label);
  step.position = PositionOf(domain_, label);
  step.label = label;
  step.text = ExplainStep(domain_, label, before, after, options_.explain);
  step.before = std::move(before);
  step.after = std::move(after);
  return step;
}

TutorHint Tutor::Hint(const std::string& state, int level, const TutorBudget& budget) {
  if (level < 1 || level > kHintLevels) throw Error(fmt::format("the level of a hint is 1 to {}, not {}", kHintLevels, level));
  const Catalogue& catalogue = Catalogue::Find(options_.explain.language);
  TutorSolution solution = Solve(state, budget);
  TutorHint hint;
  hint.status = solution.status;
  if (solution.steps.empty()) {
    hint.text = solution.solved() ? catalogue.Sentence("hint.nothing_left", {}) : std::move(solution.message);
    return hint;
  }
  hint.step = std::move(solution.steps.front());
  const TutorStep& step = *hint.step;
  if (level == 1) {
    hint.text = catalogue.Sentence(fmt::format("hint.{}.{}", domain_.type().name, step.axiom), {});
  } else if (level == 2) {
    ExplainOptions options = options_.explain;
    options.results = false;
    hint.text = ExplainStep(domain_, step.label, step.before, step.after, options);
  } else {
    const bool latex = options_.explain.script == Script::kLatex;
    const std::string line = latex ? "$" + WriteLatex(domain_, step.after) + "$" : WriteNotation(domain_, step.after);
    hint.text = catalogue.Sentence("hint.line", {{"step", step.text}, {"line", line}});
  }
  return hint;
}

std::vector<NextStep> Tutor::NextSteps(const std::string& state) {
  Successors successors;
  if (domain_.Expand(state, Labels::kOn, successors) != Status::kOpen) return {};
  // A batch has distinct texts.
  const char unknown = UnknownOf(domain_, state);
  std::unordered_map<std::string, std::uint32_t> known;
  std::vector<std::string_view> texts;
  const auto index_of = [&](std::string_view text) {
    const auto [at, fresh] = known.emplace(Rename(std::string(text), unknown, kTrainedUnknown), known.size());
    if (fresh) texts.push_back(at->first);
    return at->second;
  };
  std::vector<ScoreBatch::Pair> pairs;
  const std::uint32_t parent = index_of(state);
  for (std::size_t i = 0; i < successors.size(); ++i) pairs.push_back({parent, index_of(successors.state(i))});
  std::vector<std::uint64_t> hashes;
  for (const std::string_view text : texts) hashes.push_back(HashText(text));
  std::vector<float> scores(pairs.size());
  policy_.Score({texts, hashes, pairs}, scores);

  const double best = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (const float score : scores) sum += std::exp(score - best);
  std::vector<NextStep> steps;
  for (std::size_t i = 0; i < successors.size(); ++i) {
    TutorStep step = MakeStep(successors.label(i), state, std::string(successors.state(i)));
    steps.push_back({std::move(step), std::exp(scores[i] - best) / sum});
  }
  std::stable_sort(steps.begin(), steps.end(),
                   [](const NextStep& a, const NextStep& b) { return a.probability > b.probability; });
  return steps;
}

StepCheck Tutor::Check(const std::string& current, std::string_view line, const TutorBudget& budget) {
  const Distance distance = [&](const std::string& state) -> std::optional<double> {
    const TutorSolution solution = Solve(state, budget);
    if (!solution.solved()) return std::nullopt;
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
    if (!solution.solved() || steps == 0) continue;
    const std::uint64_t gap = steps > most ? steps - most : most - steps;
    if (gap < smallest_gap) {
      smallest_gap = gap;
      closest = std::move(problem);
    }
    if (steps <= most && gap < kStepsPerLevel) break;
  } while (MillisecondsSince(start) < (closest.empty() ? kPatience : 1) * kMilliseconds);
  if (closest.empty()) throw Error("no problem was found that can be solved in time");
  return closest;
}

std::unique_ptr<Scorer> MakePolicy(const Domain& domain, ThreadPool& pool) {
  const std::string& name = domain.type().name;
  if (const std::optional<std::string> path = FindShippedModel(name)) {
    return std::make_unique<NetworkScorer>(ReadModel(*path), pool);
  }
  return MakeScorer(DefaultScorer(domain.type()), domain.type(), 0);
}

std::string_view NameOf(SolveStatus status) {
  constexpr std::array<std::string_view, 5> kNames = {"solved", "no_solution", "every_number", "several_solutions", "unsolved"};
  return kNames[static_cast<std::size_t>(status)];
}

}  // namespace conpole

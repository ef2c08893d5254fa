#include "tutor/tutor.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>

#include "conpole/error.h"
#include "domains/axioms/abstract_domain.h"
#include "language/catalogue.h"
#include "notation/notation.h"
#include "search/beam_search.h"

namespace conpole {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxWidth = 1 << 16;
// Of beams over packed states. Where time buys shorter solutions, the first one need not be short, but soon.
constexpr std::size_t kFirstWidth = 256;
constexpr std::size_t kMaxPuzzleSteps = 500;  // of puzzles that are files: who knows how long a solution is
constexpr std::size_t kFirstWidthToShorten = 64;
// Looking for detours asks no network, but must not take long either.
constexpr std::uint64_t kMaxDetourExpansions = 20'000;

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// {limit} and, if that is one, {one}, so that a sentence can say it in the singular.
Catalogue::Slots CountSlots(std::uint64_t limit) {
  Catalogue::Slots slots{{"limit", std::to_string(limit)}};
  if (limit == 1) slots["one"] = "1";
  return slots;
}

// When so much time after the start is over.
Clock::time_point Deadline(Clock::time_point start, std::uint64_t milliseconds) {
  constexpr std::uint64_t kDecades = 1'000'000'000'000;  // that the clock can count to
  return start + std::chrono::milliseconds(std::min(milliseconds, kDecades));
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
  StopToken token() const { return StopToken(budget_.stop).Or(Deadline(start_, budget_.milliseconds)); }
  Clock::time_point deadline() const { return Deadline(start_, budget_.milliseconds); }
  // `more` are expansions that were not added yet.
  bool Spent(std::uint64_t more = 0) const { return interrupted() || more >= expansions_left() || out_of_time(); }
  // Whether it is spent, and if so, what is to be said of that.
  bool EndsSearch(Ending& ending) const {
    if (!Spent()) return false;
    ending.outcome = interrupted() ? SearchOutcome::kInterrupted : SearchOutcome::kOutOfBudget;
    ending.sentence = interrupted()            ? "status.interrupted"
                      : expansions_left() != 0 ? "status.out_of_time"
                                               : "status.out_of_expansions";
    if (!interrupted()) ending.limit = budget_.expansions;
    return true;
  }

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
// Counts the expansions that it takes, up to a limit, at which it gives up, as when it is told to stop.
std::vector<std::string> WithoutDetours(const Domain& domain, const StateTable& states, std::vector<std::string> path,
                                        std::uint64_t max_expansions, const StopToken& stop, std::uint64_t& expanded) {
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
      if (expanded == max_expansions || stop.StopRequested()) return path;
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

TutorStep AxiomStepOf(const Subject& subject, const Derivation::Line& line, const ExplainOptions& explain) {
  const Line before = subject.Understand(line.before);
  const Line after = subject.Understand(line.after);
  TutorStep step;
  static_cast<Action&>(step) = subject.ReadAction(line.label);
  step.before = line.before;
  step.after = line.after;
  step.before_notation = subject.Write(explain.script, before);
  step.notation = subject.Write(explain.script, after);
  step.text = ExplainStep(subject, step, before, after, explain);
  return step;
}

// Puts their axioms into those steps of a path that are abstractions. The others are axioms, and stay as they are.
void OpenAbstractions(const AbstractDomain& domain, std::span<const std::string> path, const ExplainOptions& explain,
                      std::vector<TutorStep>& steps) {
  const Subject& subject = SubjectOf(domain);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::vector<AxiomStep> axioms = domain.Open(path[i], path[i + 1]);
    if (axioms.size() < 2) continue;
    steps[i].axioms_domain = domain.Spec();
    steps[i].axioms_complete = true;
    for (const AxiomStep& axiom : axioms) {
      steps[i].axioms.push_back(AxiomStepOf(subject, {axiom.label, axiom.before, axiom.after}, explain));
    }
  }
}

// The same path in axioms.
std::vector<std::string> InAxioms(const AbstractDomain& domain, const std::vector<std::string>& path) {
  std::vector<std::string> states{path.front()};
  for (AxiomStep& axiom : domain.OpenPath(path)) states.push_back(std::move(axiom.after));
  return states;
}

}  // namespace

Detail DetailOf(std::string_view name) {
  if (name == "school") return Detail::kSchool;
  if (name == "why") return Detail::kWhy;
  if (name == "axioms") return Detail::kAxioms;
  if (name == "both") return Detail::kBoth;
  throw Error(Message("unknown detail '{}'; there are: school, why, axioms, both", name));
}

Tutor::Tutor(const Domain& domain, Scorer& policy, ThreadPool& pool, TutorOptions options)
    : domain_(domain), subject_(SubjectOf(domain)), policy_(policy), pool_(pool), options_(std::move(options)) {
  Catalogue::Find(options_.explain.language);  // throws if there is no such language
}

std::string Tutor::Sentence(std::string_view id, const Catalogue::Slots& slots) const {
  return Catalogue::Find(options_.explain.language).Sentence(id, slots);
}

std::string Tutor::Localised(std::string text) const {
  return subject_.Localise(options_.explain.language, options_.explain.script, std::move(text));
}

std::string Tutor::WriteLine(const Line& line) const { return Localised(subject_.Write(options_.explain.script, line)); }

std::string Tutor::Write(const std::string& state) const { return WriteLine(subject_.Understand(state)); }

std::unique_ptr<Problem> Tutor::Analyse(const std::string& state) const {
  return subject_.Analyse(domain_, subject_.Understand(state));
}

TutorSolution Tutor::Solve(const std::string& problem, const TutorBudget& budget, const SearchOptions* search) {
  const Clock::time_point start = Clock::now();
  const std::unique_ptr<Problem> analysed = Analyse(problem);
  TutorSolution solution = SolveAnalysed(*analysed, budget, search);
  if (analysed->analysis.is_statement && !solution.steps.empty()) {
    // The last line speaks of numbers that solve it.
    solution.steps.pop_back();
    PresentAnalysis(analysed->analysis, solution);
  }
  solution.milliseconds = MillisecondsSince(start);
  return solution;
}

TutorSolution Tutor::SolveAnalysed(const Problem& problem, const TutorBudget& budget, const SearchOptions* search) {
  TutorSolution solution;
  const Analysis& analysis = problem.analysis;
  if (!analysis.search) {
    solution.problem = problem.line.state;
    solution.notation = WriteLine(problem.line);
    PresentAnalysis(analysis, solution);
    return solution;
  }
  const AnswerDomain domain(domain_, subject_, problem);
  const AbstractDomain* const abstract = HiddenAbstractions();
  std::optional<AnswerDomain> axioms;
  if (abstract != nullptr) axioms.emplace(abstract->base(), subject_, problem);
  const Ending ending = search == nullptr ? SearchWithGrowingBeams(domain, axioms ? &*axioms : nullptr, problem.start, budget)
                                          : SearchOnce(domain, problem.start, budget, *search);
  Present(problem, ending, solution);
  return solution;
}

Tutor::Ending Tutor::SearchWithGrowingBeams(const AnswerDomain& domain, const AnswerDomain* axioms, const std::string& start,
                                            const TutorBudget& budget) {
  if (PackedPolicy* const packed = policy_.packed(); packed != nullptr && domain.type().layout != nullptr) {
    return SearchPacked(domain, *packed, start, budget);
  }
  Spending spending(budget);
  Ending ending;
  BeamOptions options;
  options.max_steps = options_.max_steps;
  options.value = policy_.meaning() == ScoreMeaning::kLogPreference ? BeamValue::kLogProbability : BeamValue::kLastScore;
  // What axioms alone solve at once has fewer of them than what is put together of abstractions.
  bool by_axioms = axioms != nullptr;
  for (options.width = 1; options.width <= kMaxWidth; options.width *= std::exchange(by_axioms, false) ? 1U : 2U) {
    const AnswerDomain& searched = by_axioms ? *axioms : domain;
    LockstepGroup group(searched, pool_, spending.token());
    auto made = std::make_unique<BeamSearch>(searched, start, options);
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
      ending.path = WithoutDetours(searched, search.states(), search.result().path, limit, spending.token(), more);
      ending.expanded += more;
      return ending;
    }
    if (spending.EndsSearch(ending)) return ending;
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
    SearchResult result =
        RunGrowingPackedBeams(domain, policy, start,
                              {.width = budget.shorten ? kFirstWidthToShorten : kFirstWidth,
                               .max_steps = domain.type().file != nullptr ? kMaxPuzzleSteps : options_.max_steps,
                               .max_expanded = budget.expansions,
                               .shorten = budget.shorten,
                               .stop = spending.token(),
                               .deadline = spending.deadline()},
                              pool_);
    ending.outcome = result.outcome;
    ending.path = std::move(result.path);
    ending.expanded = result.expanded;
    spending.Add(result.expanded);
  }
  if (!ending.path.empty() || spending.EndsSearch(ending)) return ending;
  if (ending.outcome == SearchOutcome::kOutOfBudget) {
    ending.sentence = "status.out_of_steps";
    ending.limit = options_.max_steps;
  }
  return ending;
}

Tutor::Ending Tutor::SearchOnce(const AnswerDomain& domain, const std::string& start, const TutorBudget& budget,
                                SearchOptions search) {
  if (budget.stop != nullptr) search.stop = budget.stop;
  const StopToken asked = search.stop;
  search.stop = asked.Or(Deadline(Clock::now(), budget.milliseconds));
  SearchResult result = RunSearch(domain, policy_, std::span(&start, 1), search, pool_).front();
  Ending ending;
  ending.outcome = result.outcome;
  ending.expanded = result.expanded;
  switch (result.outcome) {
    case SearchOutcome::kSolved: {
      StateTable seen;
      for (const std::string& state : result.path) seen.Add(state, StateTable::kNone);
      ending.path = WithoutDetours(domain, seen, std::move(result.path), kMaxDetourExpansions, search.stop, ending.expanded);
      break;
    }
    case SearchOutcome::kExhausted:
      break;
    case SearchOutcome::kInterrupted:
      if (asked.StopRequested()) {
        ending.sentence = "status.interrupted";
      } else {
        ending.outcome = SearchOutcome::kOutOfBudget;
        ending.sentence = "status.out_of_time";
      }
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
        case SearchKind::kLevin:
          ending.sentence = "status.out_of_expansions";
          ending.limit = search.kind == SearchKind::kLevin ? search.levin.max_expanded : search.best_first.max_expanded;
          break;
      }
      break;
  }
  return ending;
}

const AbstractDomain* Tutor::HiddenAbstractions() const {
  return options_.detail == Detail::kBoth ? nullptr : AsAbstractDomain(domain_);
}

void Tutor::PresentAnalysis(const Analysis& analysis, TutorSolution& solution) const {
  solution.status = analysis.status;
  solution.answer = analysis.answer;
  solution.answer_notation = analysis.answer.empty() ? AnswerInWords(analysis) : Localised(analysis.answer);
  solution.exceptions = analysis.exceptions;
  solution.irrational_exceptions = analysis.irrational_exceptions;
  if (solution.status != SolveStatus::kUnsolved) solution.verdict = Verdict::kRight;
  solution.message = Describe(analysis, analysis.sentence);
  if (const auto found = analysis.slots.find("decimals"); found != analysis.slots.end()) {
    solution.decimals = Localised(found->second);
  }
}

std::string Tutor::AnswerInWords(const Analysis& analysis) const {
  if (analysis.sentence.empty()) return {};
  // What says that there is nothing to answer, or that it is not known, has no such words.
  const std::string id = "answer" + analysis.sentence.substr(analysis.sentence.find('.'));
  return Catalogue::Find(options_.explain.language).entries().contains(id) ? Describe(analysis, id) : std::string();
}

std::string Tutor::Describe(const Analysis& analysis, std::string_view sentence) const {
  Catalogue::Slots slots = analysis.slots;
  for (auto& [name, text] : slots) text = Localised(std::move(text));
  return Sentence(sentence, slots);
}

void Tutor::Present(const Problem& problem, const Ending& ending, TutorSolution& solution) const {
  const bool as_asked = problem.start == problem.line.state;
  Line line = as_asked ? problem.line : subject_.Understand(problem.start);
  solution.problem = problem.start;
  solution.notation = WriteLine(problem.line);
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
      solution.answer_notation = AnswerInWords(analysis);
      solution.message = Describe(analysis, analysis.sentence);
    } else {
      solution.message = Sentence(ending.sentence, CountSlots(ending.limit));
    }
    return;
  }
  // A path of the search is one of the domain; what the subject knows besides must agree.
  if (!subject_.StepsArePossible(ending.path)) throw Error("the search gave steps that are not possible");
  const AbstractDomain* const abstract = HiddenAbstractions();
  const std::vector<std::string> shown = abstract == nullptr ? ending.path : InAxioms(*abstract, ending.path);
  const LabelledPath path = subject_.Condensed({shown, LabelsOfPath(domain_, shown)}, options_.turns);
  if (path.states.back() != ending.path.back()) throw Error("the steps that are shown lead to another state");
  for (std::size_t i = 0; i < path.labels.size(); ++i) {
    Line next = subject_.Understand(path.states[i + 1]);
    solution.steps.push_back(MakeStep(path.labels[i], line, next));
    line = std::move(next);
  }
  if (!path.labels.empty()) solution.turns = subject_.Turns(path.labels);
  if (options_.detail >= Detail::kAxioms) OpenSteps(path.states, path.labels, solution.steps);
  const SolveStatus status = known ? problem.analysis.status : SolveStatus::kSolved;
  if (status != SolveStatus::kSolved) PresentAnalysis(problem.analysis, solution);
  solution.status = status;
  solution.answer = subject_.AnswerOf(line.state);
  solution.answer_notation = Localised(subject_.WriteAnswer(options_.explain.script, line));
  solution.verdict = subject_.Verify(problem, line);
  if (status == SolveStatus::kSeveralSolutions) {
    // As the last line has them.
    Analysis known_now = problem.analysis;
    known_now.slots["roots"] = Math(options_.explain.script, subject_.WriteAnswer(options_.explain.script, line));
    solution.message = Describe(known_now, known_now.sentence);
  }
  if (status == SolveStatus::kSolved) solution.message = SolvedMessage(solution);
  solution.decimals = Localised(subject_.DecimalsOf(line.state));
  if (!solution.decimals.empty() && options_.explain.script == Script::kPlain) {
    solution.message += ' ' + Sentence("status.decimals", {{"decimals", solution.decimals}});
  }
  if (solution.turns) solution.message += ' ' + LengthOf(*solution.turns);
}

std::string Tutor::SolvedMessage(const TutorSolution& solution) const {
  Catalogue::Slots slots;
  if (subject_.AnswersSaySomething()) {
    slots["answer"] = solution.answer_notation;
    if (solution.answer_notation.find('=') == std::string::npos) slots["result"] = solution.answer_notation;
  }
  return Sentence(solution.verified() ? "status.solved" : "status.not_verified", slots);
}

std::string Tutor::LengthOf(const TurnSequence& turns) const {
  Catalogue::Slots slots{{"quarter", std::to_string(turns.quarter)}, {"half", std::to_string(turns.half)}};
  if (turns.quarter == 1) slots["one"] = "1";
  if (turns.half == 1) slots["one_half"] = "1";
  return Sentence(options_.turns == TurnCount::kHalf ? "turns.half" : "turns.quarter", slots);
}

void Tutor::OpenSteps(std::span<const std::string> path, std::span<const std::string> labels,
                      std::vector<TutorStep>& steps) const {
  if (const AbstractDomain* const abstract = AsAbstractDomain(domain_)) {
    return OpenAbstractions(*abstract, path, options_.explain, steps);
  }
  const std::vector<Derivation> derivations = subject_.Derive(path, labels);
  for (std::size_t i = 0; i < derivations.size(); ++i) {
    const Derivation& derivation = derivations[i];
    if (!derivation.opened()) {
      steps[i].axioms_note = Sentence(derivation.sentence);
      continue;
    }
    const std::unique_ptr<Domain> domain = MakeDomain(derivation.domain);
    const Subject& subject = SubjectOf(*domain);
    steps[i].axioms_domain = derivation.domain;
    steps[i].axioms_complete = derivation.complete;
    for (const Derivation::Line& line : derivation.lines)
      steps[i].axioms.push_back(AxiomStepOf(subject, line, options_.explain));
  }
}

TutorStep Tutor::MakeStep(std::string_view label, const Line& before, const Line& after) const {
  TutorStep step;
  static_cast<Action&>(step) = subject_.ReadAction(label);
  step.before = before.state;
  step.after = after.state;
  step.notation = WriteLine(after);
  step.text = ExplainStep(subject_, step, before, after, options_.explain);
  step.why = subject_.Reasons(step, before, after, options_.explain.script, options_.explain.language);
  step.name = subject_.NameStep(before, after);
  return step;
}

TutorHint Tutor::Hint(const std::string& state, int level, const TutorBudget& budget) {
  if (level < 1 || level > kHintLevels) throw Error(Message("the level of a hint is 1 to {}, not {}", kHintLevels, level));
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
  const Line before = subject_.Understand(step.before);
  const Line after = subject_.Understand(step.after);
  if (level == 1) {
    hint.text = HintAtStep(subject_, step, before, after, options_.explain);
  } else if (level == 2) {
    hint.text = as_sentence(HintAtOperation(subject_, step, before, after, options_.explain));
    // The common denominator may be that of the answer.
    if (GivesAway(hint.text, solution.answer, state, {})) {
      const std::string line = Math(options_.explain.script, Write(step.before));
      hint.text =
          Sentence("hint.in_line", {{"hint", HintAtStep(subject_, step, before, after, options_.explain)}, {"line", line}});
    }
  } else {
    const std::string line = Math(options_.explain.script, step.notation);
    hint.text = Sentence("hint.line", {{"step", as_sentence(step.text)}, {"line", line}});
  }
  return hint;
}

TutorHint Tutor::HintAfter(const std::string& state, std::string_view tried, int level, const TutorBudget& budget) {
  const StepCheck check = tried.empty() ? StepCheck() : CheckStep(domain_, state, tried, {}, options_.explain.language);
  if (check.correct() && !check.state.empty()) return Hint(check.state, level, budget);
  TutorHint hint = Hint(state, level, budget);
  if (check.kind != StepCheck::Kind::kNotEquivalent) return hint;
  hint.mistake = check.mistake;
  if (check.reminder.empty() || !hint.step || level == kHintLevels) return hint;
  hint.text = Sentence("hint.reminder", {{"reminder", check.reminder}, {"hint", hint.text}});
  return hint;
}

std::vector<NextStep> Tutor::NextSteps(const std::string& state) {
  const AbstractDomain* const abstract = AsAbstractDomain(domain_);
  const Domain& axioms = abstract == nullptr ? domain_ : abstract->base();
  Successors successors;
  if (axioms.Expand(state, Labels::kOn, successors) != Status::kOpen) return {};
  std::vector<std::string_view> candidates;
  for (std::size_t i = 0; i < successors.size(); ++i) candidates.push_back(successors.state(i));
  const std::vector<float> scores = ScoreCandidates(policy_, state, candidates);

  const std::vector<double> probabilities = Softmax(scores);
  const Line before = subject_.Understand(state);
  std::vector<NextStep> steps;
  for (std::size_t i = 0; i < successors.size(); ++i) {
    TutorStep step = MakeStep(successors.label(i), before, subject_.Understand(std::string(successors.state(i))));
    steps.push_back({std::move(step), probabilities[i]});
  }
  std::stable_sort(steps.begin(), steps.end(),
                   [](const NextStep& a, const NextStep& b) { return a.probability > b.probability; });
  return steps;
}

Distance Tutor::StepsWithin(const TutorBudget& budget) {
  return [this, &budget](const Problem& problem) -> std::optional<double> {
    const TutorSolution solution = SolveAnalysed(problem, budget, nullptr);
    if (!solution.has_steps_to_answer()) return std::nullopt;
    return static_cast<double>(solution.steps.size());
  };
}

StepCheck Tutor::Check(const std::string& current, std::string_view line, const TutorBudget& budget) {
  const std::vector<std::string> lines = subject_.SplitLines(current, line);
  if (lines.size() < 2) {
    return CheckStep(domain_, current, lines.empty() ? line : lines.front(), StepsWithin(budget), options_.explain.language);
  }
  std::vector<StepCheck> checks = CheckLines(current, lines, budget);
  const auto wrong = std::find_if(checks.begin(), checks.end(), [](const StepCheck& check) { return !check.correct(); });
  return std::move(wrong != checks.end() ? *wrong : checks.back());
}

std::vector<StepCheck> Tutor::CheckLines(const std::string& problem, std::span<const std::string> lines,
                                         const TutorBudget& budget) {
  return conpole::CheckLines(domain_, problem, lines, StepsWithin(budget), options_.explain.language);
}

std::string Tutor::Exercise(std::uint64_t level, std::uint64_t seed) {
  constexpr std::uint64_t kProblems = 500;
  return domain_.Generate(seed + FindExercise(level, kProblems, [&](std::uint64_t i) { return domain_.Generate(seed + i); }));
}

std::size_t Tutor::ChooseExercise(std::uint64_t level, std::span<const std::string> problems) {
  const auto problem_at = [&](std::uint64_t i) { return problems[static_cast<std::size_t>(i)]; };
  return static_cast<std::size_t>(FindExercise(level, problems.size(), problem_at));
}

std::uint64_t Tutor::FindExercise(std::uint64_t level, std::uint64_t problems,
                                  const std::function<std::string(std::uint64_t)>& problem_at) {
  // Work is counted in expanded states, not timed, so that no machine is too slow for an exercise that another one finds.
  constexpr std::uint64_t kWork = 600;  // in each round
  constexpr std::uint64_t kRounds = 4;
  const std::uint64_t most = level * kStepsPerLevel;
  SearchOptions greedy;
  greedy.kind = SearchKind::kGreedy;
  greedy.greedy.max_steps = static_cast<std::size_t>(most);
  TutorBudget budget;
  budget.milliseconds = std::numeric_limits<std::uint64_t>::max();
  budget.expansions = 20 + 4 * most;
  std::optional<std::uint64_t> closest;
  std::uint64_t smallest_gap = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t work_left = kWork;
  // An exercise of this length is solved by following a good policy. Where there is none, longer searches are tried.
  for (std::uint64_t round = 0; round < kRounds && !closest; ++round) {
    std::uint64_t work = 0;
    for (std::uint64_t i = 0; i < problems && work < work_left; ++i) {
      const std::unique_ptr<Problem> analysed = Analyse(problem_at(i));
      if (round == 0) {
        const TutorSolution quick = SolveAnalysed(*analysed, budget, &greedy);
        work += quick.expanded;
        if (!quick.has_steps_to_answer()) continue;
      }
      const TutorSolution solution = SolveAnalysed(*analysed, budget, nullptr);
      work += solution.expanded;
      const std::uint64_t steps = solution.steps.size();
      if (!solution.has_steps_to_answer() || steps == 0) continue;
      const std::uint64_t gap = steps > most ? steps - most : most - steps;
      if (steps <= most && gap < kStepsPerLevel) return i;
      if (gap >= smallest_gap) continue;
      smallest_gap = gap;
      closest = i;
    }
    if (round == 0) continue;
    budget.expansions *= 10;
    work_left *= 10;
  }
  if (!closest) throw Error("no problem was found that can be solved");
  return *closest;
}

}  // namespace conpole

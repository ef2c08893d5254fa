// The tutor of one domain: solves problems step by step, gives hints, lists what can be done next and judges a learner's lines.
// What it presents as an answer was verified against the problem by the domain's subject (subjects/subject.h). Where nothing
// can be verified, as in a domain without a subject, it says so. No answer that is known to be wrong is ever shown.
//
// A tutor uses a scorer, so one thread at a time may call its methods. It owns nothing that it is given.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conpole/domain.h"
#include "conpole/packed_policy.h"
#include "conpole/scorer.h"
#include "conpole/search.h"
#include "conpole/verdict.h"
#include "explain/action.h"
#include "language/catalogue.h"
#include "search/run_search.h"
#include "subjects/subject.h"
#include "tutor/check_step.h"
#include "tutor/explain.h"
#include "tutor/policy.h"
#include "util/thread_pool.h"

namespace conpole {

class AbstractDomain;

// Time and `stop` end a search well within a second. Expansions are counted between its rounds, so that they are exceeded by
// one round at the most.
struct TutorBudget {
  std::uint64_t milliseconds = 5'000;
  std::uint64_t expansions = 1'000'000;
  const std::atomic<bool>* stop = nullptr;  // ends the search, if given
  // Whether the time is used for shorter solutions once there is one; only where states have a fixed layout.
  bool shorten = false;
};

// How small the steps are that a solution shows: those of the domain, the same with reasons in at most three lines, the axioms
// that they are made of, or each step with its axioms. In a domain whose steps are axioms all are the same; abstractions
// (domains/axioms/abstract_domain.h) then help to find what axioms alone do not lead to at once, and only kBoth prefers and
// shows them.
enum class Detail : std::uint8_t { kSchool, kWhy, kAxioms, kBoth };
// school, why, axioms or both. Throws Error, listing these, for any other name.
Detail DetailOf(std::string_view name);

struct TutorOptions {
  ExplainOptions explain;
  std::size_t max_steps = 60;  // of a solution, before detours are removed
  Detail detail = Detail::kSchool;
  TurnCount turns = TurnCount::kQuarter;  // of solutions and hints whose steps are turns
};

// An action, and the states that it leads from and to.
struct TutorStep : Action {
  std::string before;
  std::string after;
  std::string notation;               // the state after it as people read it, in the script of the explanations
  std::string text;                   // a sentence
  std::vector<std::string> why = {};  // at most three lines of reason at a pupil's level, where the subject has some
  std::string name = {};  // as Subject::NameStep has it, Singmaster's notation of a turn; empty where steps have none

  // The same step in axioms of another domain, if the options ask for them. Where the line before an axiom is not the one
  // after the axiom before it, another part of the step begins.
  std::vector<TutorStep> axioms = {};
  std::string axioms_domain = {};    // its Spec(); empty if the step was not opened
  std::string axioms_note = {};      // why not, in a sentence; empty if nobody asked
  bool axioms_complete = false;      // whether the axioms say all that the step says, its conditions too
  std::string before_notation = {};  // of an axiom: the state before it as people read it
};

struct TutorSolution {
  SolveStatus status = SolveStatus::kUnsolved;
  std::string problem;          // what the steps start from
  std::string notation;         // the problem as people read it, in the script of the explanations
  std::string answer;           // canonical text; of several solutions all, unless one cannot be written
  std::string answer_notation;  // the same as people read it, in the script and the language of the explanations, or
                                // in words what is known
  std::string decimals;         // an answer with irrational numbers, rounded: "x ≈ 1.4142"; else empty
  // Whether the status is known by other means than the axioms. Of kUnsolved nothing is known.
  Verdict verdict = Verdict::kCannotTell;
  // Of kEveryNumber: the numbers that do not solve the equation. The irrational ones are only counted.
  std::vector<std::string> exceptions;
  std::size_t irrational_exceptions = 0;
  std::string message;  // the status in a sentence
  std::vector<TutorStep> steps;
  std::optional<TurnSequence> turns;                  // the steps as turns, where they are that and there are any
  SearchOutcome outcome = SearchOutcome::kExhausted;  // of the last search
  std::uint64_t expanded = 0;                         // states
  double milliseconds = 0;

  bool solved() const { return status == SolveStatus::kSolved; }
  // Whether the steps lead to an answer, which may be that no number solves an equation, or that several do.
  bool has_steps_to_answer() const { return outcome == SearchOutcome::kSolved; }
  bool verified() const { return verdict == Verdict::kRight; }
};

struct TutorHint {
  SolveStatus status = SolveStatus::kUnsolved;  // of the state that the hint is for
  std::string text;
  // The step that the hint is about; nothing if the state is an answer, or has no solution with steps.
  std::optional<TutorStep> step;
  std::string mistake;  // the typical error in the line that was tried last, which the hint reminds of; empty if there is none
};

struct NextStep {
  TutorStep step;
  double probability = 0;  // of the policy; of all next steps they add up to 1
};

class Tutor {
 public:
  static constexpr int kHintLevels = 3;
  static constexpr std::uint64_t kStepsPerLevel = 3;

  Tutor(const Domain& domain, Scorer& policy, ThreadPool& pool, TutorOptions options = {});

  const Domain& domain() const { return domain_; }
  const TutorOptions& options() const { return options_; }

  // All states given to these methods must be canonical text, as ReadNotation gives it.

  // 1. The problem is read and analysed: whether there is an answer that steps can lead to, and if not, what is the matter.
  //    An equation is searched without negations, -x as -1x, since there are no axioms for them; so the problem of the
  //    result has none.
  // 2. The policy is followed greedily, and then by beams of 2, 4, 8... states, until an answer is found that is not known
  //    to be wrong. Then detours are removed: of all ways through the states that the search met, the solution is a
  //    shortest.
  // 3. The solution is verified and explained. If there is none, and the answer is known nevertheless, it is given without
  //    steps, and the message says so.
  // With `search`, step 2 is that search alone, with its own limits; of the budget the time and `stop` count. Throws Error if
  // an option makes no sense.
  TutorSolution Solve(const std::string& problem, const TutorBudget& budget = {}, const SearchOptions* search = nullptr);

  // Level 1 says what kind of step comes next, 2 which axiom and where, 3 the line that it leads to. Throws Error if there is
  // no such level.
  TutorHint Hint(const std::string& state, int level, const TutorBudget& budget = {});
  // The same for somebody who then wrote `tried`, in free notation: from that line on if it is right, and else with its mistake
  // in mind. What cannot be read is left out of account.
  TutorHint HintAfter(const std::string& state, std::string_view tried, int level, const TutorBudget& budget = {});

  // A state as people read it, in the script and the language of the explanations.
  std::string Write(const std::string& state) const;

  // Everything that can be done, the likeliest first.
  std::vector<NextStep> NextSteps(const std::string& state);

  // Closer means that a shorter solution is found from there, unless the subject knows without a search. Each of the two lines
  // gets the budget. Of a text with several lines, the first that is not right is judged, or else the last.
  StepCheck Check(const std::string& current, std::string_view line, const TutorBudget& budget = {});
  // Judges a whole solution line by line (CheckLines).
  std::vector<StepCheck> CheckLines(const std::string& problem, std::span<const std::string> lines,
                                    const TutorBudget& budget = {});

  // A problem whose solution has about level * kStepsPerLevel steps: the first one from `seed` on that fits or, if none of many
  // does, the one that comes closest. How long the steps took does not matter, so the same scores give the same problem.
  std::string Exercise(std::uint64_t level, std::uint64_t seed);
  // The same of given problems, in their order, which are canonical text: the place of the one that it is.
  std::size_t ChooseExercise(std::uint64_t level, std::span<const std::string> problems);

 private:
  // How a search ended: its path or, if there is none, the catalogue's sentence that says why.
  struct Ending {
    std::vector<std::string> path;
    SearchOutcome outcome = SearchOutcome::kExhausted;
    std::string_view sentence = "status.exhausted";
    std::uint64_t limit = 0;  // what the sentence names
    std::uint64_t expanded = 0;
  };
  class Spending;
  class AnswerDomain;

  // The domain, if it has abstractions that are not to be shown; null otherwise.
  const AbstractDomain* HiddenAbstractions() const;
  TutorSolution SolveAnalysed(const Problem& problem, const TutorBudget& budget, const SearchOptions* search);
  // Step 2, in its two ways. With `axioms`, the domain without abstractions, the first beam is there.
  Ending SearchWithGrowingBeams(const AnswerDomain& domain, const AnswerDomain* axioms, const std::string& start,
                                const TutorBudget& budget);
  // The same where the policy is one over packed states.
  Ending SearchPacked(const AnswerDomain& domain, PackedPolicy& policy, const std::string& start, const TutorBudget& budget);
  Ending SearchOnce(const AnswerDomain& domain, const std::string& start, const TutorBudget& budget, SearchOptions search);
  // What is known without steps.
  void PresentAnalysis(const Analysis& analysis, TutorSolution& solution) const;
  // What is known, as a sentence of the catalogue, and as an answer where none can be written.
  std::string Describe(const Analysis& analysis, std::string_view sentence) const;
  std::string AnswerInWords(const Analysis& analysis) const;
  // Step 3.
  void Present(const Problem& problem, const Ending& ending, TutorSolution& solution) const;
  std::unique_ptr<Problem> Analyse(const std::string& state) const;
  // Which of the first `problems` problems Exercise takes.
  std::uint64_t FindExercise(std::uint64_t level, std::uint64_t problems,
                             const std::function<std::string(std::uint64_t)>& problem_at);
  Distance StepsWithin(const TutorBudget& budget);
  TutorStep MakeStep(std::string_view label, const Line& before, const Line& after) const;
  std::string SolvedMessage(const TutorSolution& solution) const;
  std::string LengthOf(const TurnSequence& turns) const;
  // Puts the axioms into the steps of a path.
  void OpenSteps(std::span<const std::string> path, std::span<const std::string> labels, std::vector<TutorStep>& steps) const;
  std::string Sentence(std::string_view id, const Catalogue::Slots& slots = {}) const;
  // In the script and the language of the explanations.
  std::string WriteLine(const Line& line) const;
  std::string Localised(std::string text) const;

  const Domain& domain_;
  const Subject& subject_;
  Scorer& policy_;
  ThreadPool& pool_;
  TutorOptions options_;
};

}  // namespace conpole

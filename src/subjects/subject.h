// What the tutor knows of one domain beyond its axioms: how people write its problems, when an answer is right, whether two
// lines mean the same, what a step is called. One object per domain, in a file of its own in subjects/, and one table that
// lists them (subjects/subjects.cc). This class itself is the subject of every other domain: its own notation, its labels as
// explanations, and nothing that can be verified.
//
// Subjects are immutable: any thread may call any method. They live as long as the program.
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
#include "conpole/solve_status.h"
#include "conpole/verdict.h"
#include "explain/action.h"
#include "explain/algebra_operation.h"
#include "explain/comparison.h"
#include "explain/derivation.h"
#include "explain/mistakes.h"
#include "language/catalogue.h"
#include "notation/clues.h"
#include "notation/formula.h"
#include "notation/notation.h"
#include "notation/picture.h"

namespace conpole {

struct ExpressionNode;  // math/expression.h, which takes the compiler long to read
struct SolutionSet;

// A canonical state with what its subject read from its text, so that a text is read once.
struct Line {
  std::string state;
  std::shared_ptr<const std::vector<ExpressionNode>> term;  // an Expression, of subjects whose states are terms; or null
};

// What is known of a problem before any search.
struct Analysis {
  bool search = true;  // whether there is an answer that steps can lead to
  // What is known. Without a search that is all; with one it is what a solution says and, if no steps are found, the answer.
  SolveStatus status = SolveStatus::kUnsolved;
  std::string answer;  // canonical text; of several solutions all, unless one cannot be written
  // Of kEveryNumber: the numbers that do not solve it. The irrational ones are only counted.
  std::vector<std::string> exceptions;
  std::size_t irrational_exceptions = 0;
  // Whether there is no unknown: 2^3 = 8. The answer is whether that is true, and steps end with the line that shows it.
  bool is_statement = false;
  std::string sentence;  // the catalogue's entry that says so, and its slots; empty if nothing is known
  Catalogue::Slots slots;
};

// A problem, or any line of a solution, read and analysed once. A subject may keep more in a class derived from it.
struct Problem {
  explicit Problem(Line given) : line(std::move(given)), start(line.state) {}
  virtual ~Problem() = default;
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  Line line;          // as it was asked
  std::string start;  // what to search from: the same problem, written so that the axioms apply
  Analysis analysis;
};

// How the length of a solution is counted where its steps are turns: by quarters, or with a half turn as one.
enum class TurnCount : std::uint8_t { kQuarter, kHalf };

// A path of the domain with its labels, one less than its states.
struct LabelledPath {
  std::vector<std::string> states;
  std::vector<std::string> labels;
};

// A whole solution by turns, in the notation of those who make them, and its length in both counts.
struct TurnSequence {
  std::string singmaster;
  std::size_t quarter = 0;
  std::size_t half = 0;
};

// Whether a line means what the line before it means, nothing if that is not known; and whether it follows from it, or has the
// same solutions by coincidence.
struct LineJudgement {
  std::optional<bool> is_true = {};
  bool follows = true;
};

// How a right line stands to the line before it.
enum class Advance : std::uint8_t {
  kNotKnown,  // a search may tell; if it is not closer, that is worth saying
  kFine,      // a search may tell that it is closer; if not, it is another way to write it, and nothing to complain of
  kAnswer,    // nothing is left to do
  kCloser,
  kReorders,   // the same in another order
  kRepeats,    // the same line
  kNoNearer,   // as far from the answer as before
  kAway,       // farther from it; a search may tell that it is not
  kStillToDo,  // as far as before in other lines, which is nothing to complain of
  kTrueOnly,   // it is right, and nobody can tell whether it helps
};

class Subject {
 public:
  // The type of the domain that this is the subject of; null for the subject of all that have none of their own.
  explicit Subject(const DomainType* type = nullptr) : type_(type) {}
  virtual ~Subject() = default;
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  const DomainType* type() const { return type_; }

  // Reads free notation; NotationResult::reading is left to the caller. `current` is the line before, canonical, or empty.
  // By default what the domain's Parse reads.
  virtual NotationResult Read(const Domain& domain, std::string_view current, std::string_view text) const;
  // Reads a problem that lines can be checked against although it cannot be solved: nobody said what is asked for. By default
  // there is none.
  virtual std::optional<NotationResult> ReadToCheck(const Domain&, std::string_view /*text*/) const { return std::nullopt; }
  // Reads a text with its words, where these say what to do. `text` is no line of a solution. By default there are none.
  virtual std::optional<NotationResult> ReadWords(const Domain&, std::string_view /*text*/) const { return std::nullopt; }
  // A solved state as an answer in data, without what was to be done. By default as it is.
  virtual std::string AnswerOf(std::string_view state) const { return std::string(state); }
  // The lines of a text that may hold several; none is empty. `current` is as in Read. By default they end at line breaks.
  virtual std::vector<std::string> SplitLines(std::string_view current, std::string_view text) const;
  // Reads canonical text. By default nothing but the text is kept.
  virtual Line Understand(std::string state) const;
  // The inverse of Read. By default the state as it is.
  virtual std::string Write(Script script, const Line& line) const;
  // A problem as it was understood, with what is to be done if that is not clear from the line. By default the line.
  virtual std::string WriteReading(const Line& line) const { return Write(Script::kPlain, line); }
  // A solved line as people write an answer. By default as any other line.
  virtual std::string WriteAnswer(Script script, const Line& line) const { return Write(script, line); }
  // What Write wrote, or a part of it, in the words and with the decimal sign of a language. By default as it is.
  virtual std::string Localise(std::string_view /*language*/, Script, std::string text) const { return text; }
  // A line as it is drawn and spoken. By default the state as a text.
  virtual Formula MakeFormula(const Line& line) const { return TextFormula(line.state); }
  // The answer of a solution, which may be several lines in one (Analysis::answer). By default as any other line.
  virtual Formula MakeAnswerFormula(const Line& line) const { return MakeFormula(line); }
  // A line in words. By default its formula in words. Throws Error if there is no such language.
  virtual std::string Speak(const Line& line, std::string_view language) const;
  // What can be drawn of a line besides its formula; nothing if there is no such picture.
  virtual std::optional<Picture> MakePicture(const Line&) const { return std::nullopt; }
  // Where a line in LaTeX is aligned with the others of its solution.
  virtual std::size_t AlignmentOf(std::string_view) const { return 0; }

  // Analyses a line of this domain, which outlives the result. By default there is an answer to search for.
  virtual std::unique_ptr<Problem> Analyse(const Domain& domain, Line line) const;
  // Whether a solved state is the whole answer to a problem that this subject analysed, by other means than the axioms.
  virtual Verdict Verify(const Problem&, const Line&) const { return Verdict::kCannotTell; }
  // Whether the steps of a path are possible, where there are other means than the axioms to tell. The answer is verified
  // apart.
  virtual bool StepsArePossible(std::span<const std::string>) const { return true; }
  // Whether an answer says more than that the problem is solved.
  virtual bool AnswersSaySomething() const { return true; }
  // Compares what two lines mean. Both were analysed by this subject.
  virtual Comparison Compare(const Problem& before, const Problem& after) const;
  // The answer that no message may give away; empty if it is not known without a search. By default that of the analysis.
  virtual std::string AnswerFrom(const Problem& problem) const { return problem.analysis.answer; }
  // How a line that means the same stands to the line before it, as far as that is known without a search.
  virtual Advance FindAdvance(const Problem&, const Problem&) const { return Advance::kNotKnown; }

  // The same comparison without words for it. By default from Compare; subjects that can do it faster do.
  virtual LineJudgement Judge(const Domain& domain, const Line& before, const Line& after) const;
  // A line with the solutions of another that does not look like one step from it; canonical. By default there is none.
  virtual std::optional<std::string> MakeCoincidence(const Domain&, const Line&, Random&) const { return std::nullopt; }
  // Lines that typical errors make of a line of the domain, at most `count`, with the errors' names. By default none.
  virtual std::vector<MadeMistake> MakeMistakes(const Domain&, const Line&, std::size_t /*count*/, Random&) const { return {}; }

  // What was done from one line to another that means the same. By default that is not known.
  virtual std::optional<LearnerOperation> FindOperation(const Problem&, const Problem&) const { return std::nullopt; }

  // Reads a label. By default a number that stands alone is not taken for a position.
  virtual Action ReadAction(std::string_view label) const { return ReadLabel(label, LoneNumber::kOperand); }
  // Why a step is allowed, at a pupil's level, in a language: at most three lines. By default there are none.
  virtual std::vector<std::string> Reasons(const Action&, const Line& /*before*/, const Line& /*after*/, Script,
                                           std::string_view /*language*/) const {
    return {};
  }
  // What the sentence of the step's axiom can name: its slots in the catalogue. A result is named only if it is known to equal
  // what it replaces, and if it is asked for.
  virtual Catalogue::Slots Describe(const Action&, const Line& /*before*/, const Line& /*after*/, Script,
                                    bool /*results*/) const {
    return {};
  }

  // A path as its steps are shown: the same way from its first state to its last, where turns that belong together are one
  // step, and those that undo each other none. By default as it is.
  virtual LabelledPath Condensed(LabelledPath path, TurnCount) const { return path; }
  // The labels of a path as turns, where they are that.
  virtual std::optional<TurnSequence> Turns(std::span<const std::string> /*labels*/) const { return std::nullopt; }
  // The step from one line to another as those write it who have a notation for steps; empty if there is none, or no such step.
  virtual std::string NameStep(const Line& /*before*/, const Line& /*after*/) const { return {}; }
  // A state drawn in characters, on one or more lines, with a terminal's colours or without; empty if there is no picture.
  virtual std::string Draw(const std::string& /*state*/, bool /*is_coloured*/) const { return {}; }

  // The steps of a path of the domain, opened into axioms of others: one derivation per step, of which labels[i] leads from
  // path[i] to path[i + 1]. By default none, since the steps are axioms themselves.
  virtual std::vector<Derivation> Derive(std::span<const std::string> /*path*/, std::span<const std::string> /*labels*/) const {
    return {};
  }

  // A step and a hint at it in words, where the subject has sentences of its own and not the catalogue. A result is named only
  // if it is asked for.
  virtual std::optional<std::string> OwnSentence(const Action&, const Line& /*before*/, const Line& /*after*/,
                                                 std::string_view /*language*/, bool /*results*/) const {
    return std::nullopt;
  }
  virtual std::optional<std::string> OwnHint(const Action&, std::string_view /*language*/) const { return std::nullopt; }

  // The end of the catalogue's id of a hint at a step, hint.DOMAIN.END. By default the axiom's name.
  virtual std::string HintName(const Action& action, const Line& /*before*/, const Line& /*after*/) const {
    return action.axiom;
  }

  // How much a text looks like a problem of this domain.
  virtual Clue Guess(const Clues&) const { return Clue::kNone; }
  // The domain to take exercises from that need a number of steps in this range; `domain` is its Spec(). By default the
  // same.
  virtual std::string ExerciseSpec(const std::string& domain, std::uint64_t, std::uint64_t) const { return domain; }
  // A problem for a first look, in free notation; empty if there is none.
  virtual std::string_view Example() const { return {}; }
  // An answer with its irrational numbers rounded: "x ≈ 1.4142 or x ≈ -1.4142". Empty if there are none, as by default.
  virtual std::string DecimalsOf(std::string_view /*state*/) const { return {}; }
  // Whether letters in states are unknowns, of which policies were trained on x alone.
  virtual bool HasUnknowns() const { return false; }
  // A state as policies were trained to read it, where it is not such a text itself. By default it always is.
  virtual std::optional<std::string> TextForPolicy(std::string_view) const { return std::nullopt; }

 private:
  const DomainType* type_;
};

// Of a domain of this very type; the default one for all others, whatever their names.
const Subject& SubjectOf(const Domain& domain);
// All that the table lists, in its order.
const std::vector<const Subject*>& Subjects();

// A linear equation, of small numbers drawn by chance, with the one rational solution of another; nothing if that has not one.
std::optional<std::string> LineWithSolution(const Domain& domain, const Subject& subject, const Line& line,
                                            const SolutionSet& set, Random& random);
// Says how many solutions there are where not all can be written: the rational ones, the others as decimals, and between which
// decimals a polynomial changes its sign, so that there is one. If that takes too long, only how many there are.
void CountSolutions(const SolutionSet& set, const std::vector<std::string>& rational, Analysis& analysis);
// Of a statement without an unknown.
Analysis AnalysisOfStatement(bool is_true);

// solved, no_solution, every_number, several_solutions or unsolved.
std::string_view NameOf(SolveStatus status);

// Text between dollar signs in LaTeX, as it is otherwise.
std::string Math(Script script, const std::string& text);

}  // namespace conpole

// A domain file after reading: everything that it says, as data. Read once by ReadDefinition; immutable from then on, and any
// thread may use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conpole/domain.h"
#include "domains/files/grammar.h"
#include "domains/files/source.h"
#include "math/rational.h"

namespace conpole::files {

enum class StateKind : std::uint8_t { kTerm, kList, kLayout };
enum class Type : std::uint8_t { kTerm, kNumber, kInteger, kLetter, kConstant, kAtom, kMonomial };

// --- Expressions and conditions -------------------------------------------------------------------------------------------

enum class Function : std::uint8_t {
  kNumber,  // no arguments: `number`
  kVariable,
  kLetter,  // one of the state, as in "assuming x != 0"; `variable` is the character
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPower,
  kModulo,
  kQuotient,
  kNegate,
  kGcd,
  kLcm,
  kAbs,
  kMin,
  kMax,
  kFloor,
  kSqrt,
  kDigits,
  kTens,  // all digits but the last one
  kOnes,
  kMantissa,  // of a decimal number, as it is written
  kSize,      // of a term
  kLength,
  kSum,
  kLeast,
  kGreatest,
  kOfFile,  // a function of the file, as in "assuming cos(u) != 0"; `variable` is its operator
};

struct Expression {
  Function function = Function::kNumber;
  Rational number{};
  std::int32_t variable = -1;
  std::vector<Expression> arguments = {};
};

struct Condition {
  enum class Kind : std::uint8_t { kCompare, kOccurs, kIs, kLike, kAscending, kIncreasing, kAnyOf };
  Kind kind = Kind::kCompare;
  bool is_negated = false;
  std::string comparison = {};  // = != < <= > >=
  Expression left = {};
  Expression right = {};
  Type type = Type::kTerm;
  std::int32_t in = -1;  // kOccurs, kLike: the variable to look in
  // kOccurs: what to look for, if it is no variable: operators, of which only the id counts, or a pattern. kLike: the pattern.
  std::vector<Part> part = {};
  bool is_operator = false;
  std::vector<Condition> any = {};  // kAnyOf: one of these is enough
  std::size_t position = 0;
};

struct Variable {
  std::string name;
  Type type = Type::kTerm;
  bool is_list = false;
  std::vector<Condition> where = {};
  std::size_t position = 0;
  bool is_used = false;
};

// --- Rules ----------------------------------------------------------------------------------------------------------------

struct Form {
  std::vector<Part> left;  // in pre-order; of lists, the root is a kList
  std::vector<Part> right;
  std::int32_t head = -1;             // the operator that the left side begins with; -1 if any part may fit
  std::vector<Condition> where = {};  // of its variables
};

struct Choice {
  std::int32_t variable = -1;
  struct Source {
    enum class Kind : std::uint8_t { kRange, kValue, kDivisors, kFactors, kPrimes, kNumbers, kLetters, kAtoms, kTerms };
    Kind kind = Kind::kValue;
    Expression low = {};
    Expression high = {};
  };
  std::vector<Source> sources = {};
};

// A text with slots: literals and what fills the gaps between them. Slot i comes after literal i.
struct Template {
  // kPlaces - i is the place of the variable i, and kExpressions - i what the expression i is worked out to.
  enum : std::int32_t { kRule = -1, kAt = -2, kFrom = -3, kTo = -4, kInside = -5, kPlaces = -1'000, kExpressions = -2'000 };
  std::vector<std::string> literals = {};
  std::vector<std::int32_t> slots = {};  // a variable, or one of the above
};

struct Rule {
  std::string name;
  std::vector<Form> forms = {};
  std::vector<Condition> conditions = {};
  std::vector<Condition> assumptions = {};
  std::vector<Choice> choices = {};  // later ones may depend on earlier ones
  std::optional<Template> label = {};
  std::map<std::string, Template, std::less<>> sentences = {};
  std::map<std::string, std::string, std::less<>> hints = {};
  std::size_t position = 0;
};

// Rules, and in which order they are steps.
struct Family {
  enum class Mode : std::uint8_t {
    kAlone,  // one rule
    kFirst,  // at each place only the first form that applies
    kAll,    // at each place all of them
    kEach,   // for each of their first choice, which they have in common, all of them
  };

  Mode mode = Mode::kAlone;
  std::vector<Rule> rules = {};
};

struct Goal {
  bool is_no_rule = false;         // no rule may apply
  bool is_negated = false;         // what looks so is not solved
  std::vector<Part> pattern = {};  // empty for any state
  std::vector<Condition> conditions = {};
};

// --- Layouts --------------------------------------------------------------------------------------------------------------

struct Move {
  std::string name;
  // kExchange: where cells have `before` they get `after`; -1 - i is the i-th letter, which stands for any colour.
  enum class Kind : std::uint8_t { kPermutation, kToggle, kExchange };
  Kind kind = Kind::kPermutation;
  std::vector<std::uint16_t> from = {};   // kPermutation: for each cell where its colour comes from
  std::vector<std::uint16_t> cells = {};  // of the others
  std::vector<std::int16_t> before = {};
  std::vector<std::int16_t> after = {};
  std::size_t rule = 0;  // the statement that it comes from
};

struct MoveStatement {
  std::string name;
  std::map<std::string, Template, std::less<>> sentences = {};
  std::size_t position = 0;
};

struct LayoutDefinition {
  std::vector<std::string> colours;  // a character each
  std::string picture;               // the first solved state
  std::vector<std::string> pieces;   // the characters of the picture: decoration, or empty for a cell
  std::size_t cells = 0;
  // The rows of a picture, as long as each other: the cell at each place, -1 for none. Empty if nothing says how it is drawn.
  std::vector<std::vector<std::int16_t>> rows;
  std::vector<std::vector<std::uint8_t>> solved;  // a colour per cell
  // Instead of a solved state: the colours that some cells must have, -1 for any; and how many cells have some colours.
  struct PartlySolved {
    std::vector<std::int16_t> cells;
    std::vector<std::pair<std::uint8_t, std::int64_t>> counts;
  };
  std::vector<PartlySolved> partly_solved;
  std::vector<Move> moves;
  std::vector<MoveStatement> statements;
};

// --- Problems, meaning, tests ---------------------------------------------------------------------------------------------

// How random numbers are drawn. Which one is used is part of the definition of problems.
enum class Sampler : std::uint8_t { kUsual, kInt8, kInt32, kInt64, kCoin };

struct DrawSource {
  enum class Kind : std::uint8_t { kRange, kChoices, kDraw, kShuffle, kList, kProduct };
  Kind kind = Kind::kRange;
  Sampler sampler = Sampler::kUsual;
  Expression low = {};
  Expression high = {};
  std::vector<std::string> choices = {};
  std::string draw = {};
  std::vector<DrawSource> element = {};  // one, of kList and kProduct
};

struct Drawing {
  struct Option {
    std::uint32_t weight = 1;
    std::vector<std::string> literals = {};
    std::vector<std::string> slots = {};
    bool has_draws = false;  // whether a slot is a drawing
    std::size_t position = 0;
  };
  std::string name = {};
  std::vector<Option> options = {};
  Sampler sampler = Sampler::kUsual;
  std::vector<std::pair<std::string, DrawSource>> with = {};
  std::vector<Condition> where = {};  // their variables are places in `with`
  std::size_t position = 0;
};

struct Scramble {
  std::int64_t low = 1;
  std::int64_t high = 1;
  std::size_t position = 0;
};

enum class Keeps : std::uint8_t { kNothing, kValue, kTruth, kSolutions, kMultiset, kSum };

// What an operator of the file means in terms of others.
struct Meaning {
  std::vector<Part> body = {};  // in StandardGrammar(); its variables are the places of the operands
};

struct FileTest {
  enum class Kind : std::uint8_t { kLeads, kStep, kSolved, kNotSolved, kStuck, kMistake };
  Kind kind = Kind::kLeads;
  std::string from = {};
  std::string to = {};
  std::string by = {};
  std::size_t position = 0;
};

struct Definition {
  std::shared_ptr<const Source> source;
  std::string name;
  std::map<std::string, std::string, std::less<>> titles;
  StateKind kind = StateKind::kTerm;
  Grammar grammar;
  std::vector<Variable> variables;
  std::vector<Expression> expressions;  // of worked-out parts
  std::vector<Goal> goals;
  std::vector<Family> families;
  std::vector<Rule> errors;
  LayoutDefinition layout;
  std::vector<Drawing> draws;
  std::vector<Drawing> problems;
  std::vector<Scramble> scrambles;
  Keeps keeps = Keeps::kNothing;
  std::size_t keeps_position = 0;
  std::string unknowns;                      // of kSolutions: their letters
  std::map<std::int32_t, Meaning> meanings;  // by operator
  std::size_t limit = 200;
  std::size_t byte_limit = kMaxStateBytes;
  std::vector<FileTest> tests;
  std::vector<std::pair<std::size_t, std::string>> warnings;  // positions and messages

  const Rule* FindRule(std::string_view rule_name) const;
};

// The operators of meanings: arithmetic and logic.
const Grammar& StandardGrammar();

// Throws FileError.
std::shared_ptr<const Definition> ReadDefinition(std::string name, std::string text);
// A file of `error` rules alone: it needs no goal, rule or problem. Throws FileError.
std::shared_ptr<const Definition> ReadMistakes(std::string name, std::string text);

// The text with the moves that it imports written out; `folder` is where the files are. Throws Error.
std::string WithImports(const std::string& name, std::string text, const std::string& folder);

}  // namespace conpole::files

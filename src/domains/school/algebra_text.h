// States of school algebra and their text. Every state has exactly one canonical text, which is what Write gives and what Read
// gives back as the same state:
//
//   2x + 3 = 7                         an equation in one unknown, which is any one letter
//   2 = 3(x + 1); x != -1              with a condition that is still to be settled
//   x = 2 or x = -3                    several, of which one holds
//   no solution                        every number; x != 1
//   1/2 + 3 * (4 - 1 1/2)              numbers to be worked out
//
// Division binds tighter than * and applies to the factor before it, and a product may be written without its sign: 2x/3 is
// (2x)/3, and 2/3x is two thirds of x, 2/3 * x. A mixed number is written 1 1/2. Roots (sqrt(5), cbrt(5), root(4, 5)) stand in
// answers only.
//
// Values and pure functions: any thread may call any of this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/successors.h"
#include "domains/school/algebra_expression.h"

namespace conpole::algebra {

// Of canonical text.
inline constexpr std::size_t kMaxTextBytes = 4'000;

struct Equation {
  Node left;
  Node right;

  friend bool operator==(const Equation&, const Equation&) = default;
};

struct State {
  enum class Form : std::uint8_t { kExpression, kEquations, kNoSolution, kEveryNumber };
  Form form = Form::kExpression;
  char unknown = 0;                 // its letter; 0 if none is written
  Node expression;                  // of kExpression
  std::vector<Equation> equations;  // of kEquations: one or more, of which one holds; only a single one divides by the unknown
  // Of kEquations and kEveryNumber: none of these polynomials is zero. RootFactors of something, in a fixed order.
  std::vector<Polynomial> conditions;
};

// Whether one of the sides does, or one of the equations.
bool Contains(const Equation& equation, Kind kind);
bool Contains(const State& state, Kind kind);

struct ReadResult {
  State state;
  std::optional<Malformed> error;

  // What was read, if it is a single equation, or a number expression; else null.
  const Equation* OnlyEquation() const;
  const Node* OnlyExpression() const;
};
// A thread keeps what it read lately, so that a line is read once on its way through search, heuristic and tutor.
ReadResult Read(std::string_view text);
ReadResult ReadAnew(std::string_view text);

// Appends the text of an expression.
void Write(const Node& node, char unknown, std::string& out);
void Write(const State& state, std::string& out);
std::string TextOf(const Node& node, char unknown);
std::string TextOf(const State& state);
// x != 2, or x^2 - 2 != 0.
std::string ConditionText(const Polynomial& condition, char unknown);

// Adds the real roots of a polynomial to the numbers that are excluded, keeping the order. Requires p != 0.
void AddCondition(const Polynomial& p, std::vector<Polynomial>& conditions);

// Why this is not a state that the domain works with (it divides by zero, it is too large); nothing if it is one, and `text` is
// then its text.
std::optional<Message> FindFault(const State& state, std::string& text);

// Whether an equation is an answer: the unknown = a number in its simplest form.
bool IsAnswer(const Equation& equation);
// Whether a number expression is worked out: a whole number, a decimal or a fraction in lowest terms, with a sign or without.
bool IsSimplest(const Node& number);
bool IsSolved(const State& state);

}  // namespace conpole::algebra

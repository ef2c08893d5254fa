// Reads one exercise as people write it; used by textbook_notation.cc alone. What is asked for is found by one function after
// the other: each looks for its words and pieces of mathematics, and says nothing if they are not there. By subject, each in a
// file of its own: curves, functions, quantities, and the rest in textbook_notation.cc.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conpole/domain.h"
#include "domains/school/textbook.h"
#include "notation/notation.h"
#include "notation/textbook_words.h"

namespace conpole {

namespace book = textbook;

class ExerciseReader {
 public:
  ExerciseReader(const Domain& domain, std::string_view text) : domain_(domain), text_(text) {}

  NotationResult Read();

 private:
  NotationResult Result(std::string state) const;
  std::string WithMethodInWords(std::string state) const;

  // What is no exercise may be a story that is read exactly.
  std::optional<NotationResult> ReadStory() const;

  bool Says(std::string_view word) const { return words_.contains(std::string(word)); }
  template <class... Words>
  bool SaysAny(Words... words) const {
    return (Says(words) || ...);
  }
  static bool HasRelation(std::string_view text) { return text.find_first_of("=<>") != std::string_view::npos; }

  std::string Find();

  // "Equations of the form ax^2 = k": the kind of exercise, and no part of it.
  void DropPattern();
  // What an introduction is about does not matter where a sentence of its own says what to do: "Lawn care. Solve: 2x = 6".
  void DropIntroduction();

  // Words and expressions in their order, without words that only fill.
  void MakePlan();
  bool Plans(std::string_view phrase) const;
  // The same, and no word before it does something to it: "half of #" in "find half of 6", but not in "the square of half of
  // 6".
  bool PlansAlone(std::string_view phrase) const;

  // "The square root of 144", "the absolute value of -7". What is named and not known is not left out.
  std::optional<std::string> FindNamedOperation() const;

  // "The value of c that makes x^2 + 12x + c a perfect square": b^2/(4a).
  std::optional<std::string> FindSquareNumber() const;

  // Without "1) " or "Problem 3." before an exercise.
  static std::string WithoutNumbering(std::string text);
  // "30 percent" as 30%.
  static std::string WithPercentSigns(std::string text);
  // "The fourth root of 81" as root(4, 81).
  static std::string WithRoots(std::string text);
  void RefuseUnclearBegin() const;
  void RefuseRestrictions() const;

  // Without "with x eq 0", which was x \neq 0.
  static std::string WithoutUnequal(std::string text);

  // "Is x = 2 a solution of 3x = 6?": the equation with the value in it.
  std::optional<std::string> FindTruth() const;

  // "Subtract A from B", "the product of A and B": two expressions with what to do in words.
  std::optional<std::string> JoinedByWords(const std::vector<std::string>& terms) const;

  // "when n is 6" is n = 6.
  void TakeValuesInWords();

  // The unit of the place to which to round; empty if nothing is to be rounded.
  std::string RoundingUnit() const;

  // "66 inches ... convert her height into feet": one number with its unit, and another unit of the same kind. What happens
  // in the sentence does not matter then.
  std::optional<std::string> FindUnits() const;

  // "for x 3^x = 81": a letter after "for" that no sign follows.
  void SplitLettersAfterFor();
  // A text that stands there twice.
  static std::string WithoutRepetition(const std::string& text);

  // "log base 16 of y = x" as log_(16)(y) = x, and without "x=?".
  static std::string WithLogarithms(std::string text);

  // Takes "x-intercept" out of a text, since its letter is no mathematics, and keeps which one is asked for: the last one.
  void TakeIntercepts(std::string& text);

  // The one curve, as an equation of x and y: f(x) = ... is y = ...
  book::Relation Curve() const;

  // Where a curve meets an axis, the other coordinate is 0; where it meets any of them, one is.
  std::string FindIntercept() const;

  // The vertex of y = ax^2 + bx + c is at x = -b/(2a).
  std::string FindVertex() const;

  // The numbers of ax + by = c, without zero before x or y.
  struct LineNumbers {
    std::string x;
    std::string y;
    std::string constant;
  };
  static LineNumbers LineOf(const book::Relation& relation);

  // The points (a, b) of a text, as pairs.
  std::vector<std::pair<std::string, std::string>> Points() const;

  // The equation of a line by its slope and a point, by two points, or parallel to another.
  std::optional<std::string> FindOfLine() const;

  // "y varies directly as the square of x, and y = 14 when x = 3": the equation, or a value of it.
  std::optional<std::string> FindVariation() const;

  // "The average rate of change of f(x) = x^2 on [1, 3]."
  std::optional<std::string> FindRateOfChange() const;

  std::string FindDiscriminant() const;

  static bool IsOddPower(const book::Ptr& exponent);

  // With x and y exchanged, and solved for y. A function in which x stands once, or a quotient of lines, takes no value twice.
  std::string FindInverse() const;

  // The distance, the midpoint or the slope between two points.
  std::optional<std::string> FindOfPoints() const;

  // Greatest common factors and least common multiples of numbers and polynomials, and of the denominators of fractions.
  std::optional<std::string> FindCommon() const;

  // Equations in one piece: by commas, semicolons, or only blanks.
  void SplitMath(std::string text);
  // "x = 9 - 2y x + 2y = 13": at a blank between the signs where both parts can be read.
  void SplitAtBlank(const std::string& text);

  std::string ReadGap(const std::string& plain, std::size_t gap);

  std::optional<std::string> FindNumberTask();
  // "Find the place value of the digit 7 in 63,407,218."
  std::optional<std::string> FindPlaceValue() const;

  // "45% of 80", "81 is 75% of what number", "78 is what percent of 260", "what percent of 260 is 78".
  std::optional<std::string> FindPercent();

  // Where an expression or function is defined: no even root of a negative number, no logarithm of none that is positive, no
  // zero below a line. "Undefined" asks for these zeros.
  bool AsksForExcluded() const;
  std::string FindDomain();

  struct Definition {
    std::string letter;
    std::string body;
  };
  using Definitions = std::map<std::string, Definition>;

  // The end of the bracket that opens at a place; the size of the text if it does not close.
  static std::size_t Closing(std::string_view text, std::size_t open);

  // With what functions are in place of their names: f(g(2)), (f + g)(x), f/g of the letter. Nothing if no name stands in it.
  static std::optional<std::string> Applied(std::string_view text, const Definitions& functions, std::string_view argument);

  // f(x) = ..., perhaps g(x) = ..., and what is asked of them: f(2), f(g(x)), (f + g)(3), f(x) = 5.
  std::optional<std::string> FindFunction();

  // The letter that is asked for: after "for", or soon after "find", as in "find the principal, P".
  std::optional<std::string> LetterAskedFor() const;

  static bool IsSetting(const std::string& relation, std::string& letter, std::string& value);

  std::string FindRelation(std::vector<std::string> relations, std::vector<std::string> terms);

  static bool HasOnlyRealRoots(const book::Relation& relation, const std::string& letter);

  // What the domain solves without a task, and else with one.
  std::string Equation(const std::string& letter, const std::string& equation) const;

  // Whether one of several inequalities holds: "or" stands between them, and not "and".
  bool Alternatives() const;

  std::string FindInequality(const std::vector<std::string>& relations);

  // "As a fraction and a percent".
  bool AsksForTwoForms() const;
  // "As a mixed number", and no other form beside it.
  bool AsksForMixed() const;

  // There is nothing to do with a number alone: the words around it mean something else.
  void RefuseLoneNumber(const std::string& term) const;

  std::string FindExpression(const std::string& term);

  const Domain& domain_;
  std::string_view text_;
  std::vector<TextPiece> pieces_;
  std::set<std::string> words_;
  std::vector<std::string> math_;
  bool has_words_ = false;
  std::string plan_;
  bool names_task_ = false;  // as states do
  bool sums_intercepts_ = false;
  bool letters_are_real_ = false;  // it asks for real numbers
  std::string intercept_;          // the letter of the axis, if one is asked for
};

}  // namespace conpole

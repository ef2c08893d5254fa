// Tactics in the domain `equations`: how an equation is led by axioms to the one that a person writes in the next line. They
// go straight to their aim and search for nothing. Each takes a subterm of the equation and rewrites it in place, axiom by
// axiom, each of which the domain must offer (explain/derivation/proof.h); one that does not succeed throws NoProof.
//
// Sums are worked on as lists ((a + b) + c) + d without subtractions; terms are numbers, multiples of the unknown, multiples of
// a bracket, or a bracket over a number. One thread at a time per proof.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "explain/derivation/equation_term.h"
#include "explain/derivation/proof.h"

namespace conpole::axioms {

class EquationProof {
 public:
  // The domain, which is `equations`, must outlive it.
  EquationProof(const Domain& domain, Expr left, Expr right, char unknown);

  std::vector<Derivation::Line> TakeLines() { return proof_.TakeLines(); }
  Expr& left() { return left_; }
  Expr& right() { return right_; }

  void SwapSides();
  // Adds a term to both sides, or subtracts it. It must be a term of a side, but for its sign.
  void AddToBothSides(const SchoolTerm& term, bool subtract);
  // Multiplies both sides by a number, or divides them, and works out the numbers in each term.
  void ScaleBothSides(char op, const Exact& number);
  // Multiplies both sides by the unknown or a multiple of it, which must stand below a line, and cancels it there. It is for
  // the caller to know that it is not 0.
  void MultiplyByUnknown(const Exact& coefficient);
  // Leads a side to these terms in this order, which must have its value. Those that are written as they were stay as they are.
  void MakeTerms(Expr& side, std::span<const SchoolTerm> wanted, std::span<const SchoolTerm> old);
  // What is left of 1x where the unknown stands only once, and of a division where a number is the answer.
  void Finish(bool answer);

 private:
  using Keep = std::function<bool(const Linear& bracket)>;

  [[noreturn]] static void Fail() { throw NoProof(); }

  // Axioms, each on one subterm. What an axiom does not apply to fails.
  void Commute(Expr& e);
  void GroupLeft(Expr& e);   // a + (b + c) becomes (a + b) + c
  void GroupRight(Expr& e);  // (a + b) + c becomes a + (b + c)
  void Distribute(Expr& e);  // c(a + b), (a + b)c, (a + b)/c
  void TakeOut(Expr& e);     // ac + bc becomes (a + b)c
  void Evaluate(Expr& e);
  void AddOpposite(Expr& e);
  void DropZeroFactor(Expr& e);
  void DropZeroTerm(Expr& e);
  void DropOne(Expr& e);
  void OnBothSides(char op, const Expr& operand);

  // Tactics.
  void EvaluateAll(Expr& e);  // a subterm without the unknown
  void Flatten(Expr& e);      // a sum becomes a list
  void Normalise(Expr& e);    // a product or quotient becomes a term
  // Of number * something, or something * number.
  void TrimCoefficient(Expr& product);
  void MergeLast(Expr& side);              // in a + b - c, if b and c are alike
  void CancelUnknown(Expr& e);             // (a / kx) * nx, or n * nx
  void Expand(Expr& e, const Keep& keep);  // a term becomes a list of terms without brackets, but those to keep
  void ScaleTerms(Expr& e);                // (a + b) * n, worked out term by term
  void MakeBlock(Expr& sum, std::size_t first, std::size_t count, std::span<const SchoolTerm> wanted);
  void TidyBracket(Expr& term, std::span<const SchoolTerm> wanted);
  void Move(Expr& sum, std::size_t from, std::size_t to);
  void Swap(Expr& sum, std::size_t i);
  // Makes terms i and i + 1 one. Returns whether there is one; a zero goes, unless it is all there is.
  bool Merge(Expr& sum, std::size_t i);
  // Adds numbers to both sides until this one stands there.
  void MakeNumber(const Rational& number);

  bool HasNumber(const Rational& number) const;
  std::vector<Rational> Numbers() const;
  void Log(std::string_view axiom);
  std::string Text() const;

  Expr left_;
  Expr right_;
  char unknown_;
  Proof proof_;
};

}  // namespace conpole::axioms

// What the subjects of equations, fractions and multiplication share: their states are terms, which are read and written in the
// same way, and most of their axioms replace a subterm.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "notation/term_notation.h"
#include "subjects/subject.h"

namespace conpole {

class TermSubject : public Subject {
 public:
  TermSubject(const DomainType* type, TermKind kind) : Subject(type), kind_(kind) {}

  NotationResult Read(const Domain& domain, std::string_view current, std::string_view text) const override;
  Line Understand(std::string state) const override;
  std::string Write(Script script, const Line& line) const override;
  Formula MakeFormula(const Line& line) const override;
  std::vector<std::string> SplitLines(std::string_view current, std::string_view text) const override;
  // A right line that is not closer is another way to write the line before.
  Advance FindAdvance(const Problem& before, const Problem& after) const override;
  std::vector<MadeMistake> MakeMistakes(const Domain& domain, const Line& line, std::size_t count,
                                        Random& random) const override;

 protected:
  // A part of a state in canonical text, for a sentence.
  std::string Shown(Script script, const std::string& part) const;
  // {term}, what the axiom was used on, and {result}, what became of it.
  Catalogue::Slots TermAndResult(const Action& action, const Line& before, const Line& after, Script script,
                                 bool results) const;
  // Puts the typical error that makes the second line of the first, if there is one, in place of the sentence.
  void NameMistake(const Line& before, const Line& after, Comparison& comparison) const;

 private:
  // The same line in school algebra; empty if it cannot be said there.
  std::string InAlgebra(const Line& line) const;

  TermKind kind_;
};

// For states without an unknown: an answer has the value of the problem.
class ValueSubject : public TermSubject {
 public:
  using TermSubject::TermSubject;

  Verdict Verify(const Problem& problem, const Line& answer) const override;
  LineJudgement Judge(const Domain& domain, const Line& before, const Line& after) const override;
  Comparison Compare(const Problem& before, const Problem& after) const override;
};

}  // namespace conpole

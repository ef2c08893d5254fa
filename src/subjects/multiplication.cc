// multiplication: products of whole numbers of any size.
#include "domains/axioms/multiplication.h"

#include <string>

#include "subjects/subjects.h"
#include "subjects/term_subject.h"

namespace conpole {
namespace {

class Multiplication final : public ValueSubject {
 public:
  Multiplication() : ValueSubject(&MultiplicationType(), TermKind::kMultiplication) {}

  Action ReadAction(std::string_view label) const override { return ReadLabel(label, LoneNumber::kPosition); }

  Catalogue::Slots Describe(const Action& action, const Line& before, const Line& after, Script script,
                            bool results) const override {
    return TermAndResult(action, before, after, script, results);
  }

  std::string WriteAnswer(Script script, const Line& line) const override {
    return IsNumber(line) ? AllDigits(line) : Write(script, line);
  }
  Formula MakeAnswerFormula(const Line& line) const override {
    if (!IsNumber(line)) return MakeFormula(line);
    FormulaBuilder formula;
    formula.Number(AllDigits(line));
    return formula.Take();
  }

  // 12e3 is this domain's way to write a number.
  Clue Guess(const Clues& clues) const override { return clues.HasExponent() ? Clue::kContents : Clue::kNone; }

  std::string_view Example() const override { return "12 * 34"; }

 private:
  static bool IsNumber(const Line& line) { return line.term && line.term->size() == 1; }
  // 36e1 is 360.
  static std::string AllDigits(const Line& line) {
    const ExpressionNode& number = line.term->front();
    return numerator(number.number).str() + std::string(number.number == 0 ? 0 : number.exponent, '0');
  }
};

}  // namespace

const Subject& MultiplicationSubject() {
  static const Multiplication subject;
  return subject;
}

}  // namespace conpole

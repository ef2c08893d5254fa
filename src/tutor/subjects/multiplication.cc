// multiplication: products of whole numbers of any size.
#include "domains/multiplication.h"

#include "tutor/subjects/subjects.h"
#include "tutor/subjects/term_subject.h"

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

  // Fractions can subtract whole numbers; only this domain knows products of large ones and powers of ten.
  Clue Guess(const Clues& clues) const override {
    const bool product = clues.HasSign("*") || clues.Has(Token::Kind::kLetter) || clues.Has(Token::Kind::kPower);
    return product ? Clue::kContents : Clue::kNone;
  }

  std::string_view Example() const override { return "12 * 34"; }
};

}  // namespace

const Subject& MultiplicationSubject() {
  static const Multiplication subject;
  return subject;
}

}  // namespace conpole

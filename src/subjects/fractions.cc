// fractions: one operation on two fractions or whole numbers.
#include "domains/axioms/fractions.h"

#include <optional>
#include <string>

#include "subjects/subjects.h"
#include "subjects/term_subject.h"

namespace conpole {
namespace {

class Fractions final : public ValueSubject {
 public:
  Fractions() : ValueSubject(&FractionsType(), TermKind::kFraction) {}

  Action ReadAction(std::string_view label) const override { return ReadLabel(label, LoneNumber::kPosition); }

  Catalogue::Slots Describe(const Action& action, const Line& before, const Line& after, Script script,
                            bool results) const override {
    if (action.axiom == "factorize" && action.operands.size() == 2) {
      // A number and the product that it is: 6 and 2*3.
      std::string product = action.operands[1];
      if (const std::size_t sign = product.find('*'); sign != std::string::npos) product.replace(sign, 1, " * ");
      return {{"number", Math(script, action.operands[0])}, {"term", Shown(script, product)}};
    }
    const bool by_number = action.axiom == "cancel" || action.axiom == "scale" || action.axiom == "mfrac";
    if (by_number && !action.operands.empty()) return {{"number", Math(script, action.operands[0])}};
    return TermAndResult(action, before, after, script, results);
  }

  std::optional<Picture> MakePicture(const Line& line) const override { return FractionsOf(MakeFormula(line)); }

  std::string_view Example() const override { return "1/2 + 1/3"; }
};

}  // namespace

const Subject& FractionsSubject() {
  static const Fractions subject;
  return subject;
}

}  // namespace conpole

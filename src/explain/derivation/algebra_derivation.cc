#include "explain/derivation/algebra_derivation.h"

#include <cstddef>
#include <utility>

#include "domains/school/algebra_text.h"
#include "explain/derivation/equation_steps.h"
#include "explain/derivation/number_steps.h"
#include "explain/derivation/proof.h"

namespace conpole {

std::vector<Derivation> OpenAlgebraSteps(std::span<const std::string> path, std::span<const std::string> labels) {
  std::vector<Derivation> derivations;
  axioms::EquationSteps equations;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::string_view label = labels[i];
    const std::size_t blank = label.find(' ');
    const std::string_view action = label.substr(0, blank);
    const std::string_view operand = blank == std::string_view::npos ? std::string_view() : label.substr(blank + 1);
    const algebra::ReadResult before = algebra::Read(path[i]);
    const algebra::ReadResult after = algebra::Read(path[i + 1]);
    Derivation derivation;
    if (!before.error && !after.error) {
      const bool number = before.state.form == algebra::State::Form::kExpression;
      try {
        derivation = number ? axioms::OpenNumberStep(before.state, action, operand)
                            : equations.Open(before.state, action, operand, after.state);
      } catch (const axioms::NoProof&) {
        // It stays closed.
      }
    }
    if (!derivation.opened()) {
      const bool result = action == "conclude" || action == "settle";
      derivation.sentence = result ? "detail.result" : "detail.not_opened";
    }
    derivations.push_back(std::move(derivation));
  }
  return derivations;
}

}  // namespace conpole

// Steps of school algebra on equations, opened into axioms of `equations`. For algebra_derivation.cc. One thread at a time per
// object.
#pragma once

#include <optional>
#include <string_view>

#include "conpole/domain.h"
#include "domains/school/algebra_text.h"
#include "explain/derivation.h"
#include "explain/derivation/equation_term.h"

namespace conpole::axioms {

class EquationSteps {
 public:
  // Steps must come in their order; each one is opened or not by itself. If not, it throws NoProof or opens nothing.
  Derivation Open(const algebra::State& before, std::string_view action, std::string_view operand, const algebra::State& after);

 private:
  struct Current {
    algebra::Equation line;
    char unknown;
    Expr left;
    Expr right;
  };
  std::optional<Current> current_;  // where the last step ended
};

}  // namespace conpole::axioms

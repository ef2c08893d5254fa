// Steps in words: from an action's label and the states before and after it to a sentence, "Subtract 3 from both sides.". The
// sentences come from the catalogue. A result is named only after it was checked to equal what it replaces, so that no sentence
// is false. Any thread may call this.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "conpole/domain.h"
#include "tutor/catalogue.h"
#include "tutor/term_notation.h"

namespace conpole {

struct ExplainOptions {
  std::string language = "en";
  Script script = Script::kPlain;  // of terms inside the sentence; in LaTeX they stand between dollar signs
  bool results = true;             // whether a sentence may say what becomes of what it names
};

// Where a label says that its axiom is used; nothing if it is used on the whole state.
std::optional<std::size_t> PositionOf(const Domain& domain, std::string_view label);

// Requires that the action `label` leads from `before` to `after`, both canonical. Throws Error if the language is not known,
// or if the label is of no axiom that the catalogue has.
std::string ExplainStep(const Domain& domain, std::string_view label, std::string_view before, std::string_view after,
                        const ExplainOptions& options = {});

}  // namespace conpole

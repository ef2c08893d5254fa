// Steps in words: from an action and the lines before and after it to a sentence, "Subtract 3 from both sides.". The sentences
// come from the catalogue, their slots from the domain's subject. In a domain without a subject a step is its label. A result
// is named only after it was checked to equal what it replaces, so that no sentence is false. Any thread may call this.
#pragma once

#include <string>
#include <string_view>

#include "conpole/domain.h"
#include "explain/action.h"
#include "notation/notation.h"
#include "subjects/subject.h"

namespace conpole {

struct ExplainOptions {
  std::string language = "en";
  Script script = Script::kPlain;  // of terms inside the sentence; in LaTeX they stand between dollar signs
  bool results = true;             // whether a sentence may say what becomes of what it names
};

// Requires that the action leads from `before` to `after`, of a domain of this subject. Throws Error if the language is not
// known, or if the catalogue does not have the axiom.
std::string ExplainStep(const Subject& subject, const Action& action, const Line& before, const Line& after,
                        const ExplainOptions& options = {});
// The same for a label and canonical texts.
std::string ExplainStep(const Domain& domain, std::string_view label, std::string_view before, std::string_view after,
                        const ExplainOptions& options = {});

// What the step is for, and no more.
std::string HintAtStep(const Subject& subject, const Action& action, const Line& before, const Line& after,
                       const ExplainOptions& options = {});
// Which step it is, without what it leads to: what the catalogue has for it (hint.DOMAIN.END.how), where its sentence would
// give an answer away, and else that sentence without results.
std::string HintAtOperation(const Subject& subject, const Action& action, const Line& before, const Line& after,
                            const ExplainOptions& options = {});

}  // namespace conpole

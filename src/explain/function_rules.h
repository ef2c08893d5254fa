// Typical errors with roots, logarithms, absolute values and powers as rules in text: src/explain/mistakes/functions.domain has
// them. They match expressions of school books, where mistake_rules.h knows terms with one unknown.
//
// Pure functions: any thread may call any of this.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "domains/files/definition.h"
#include "domains/school/textbook_tree.h"

namespace conpole::mistakes {

// The file, which is read when it is first asked for.
const files::Definition& FunctionFile();

struct FunctionRule {
  std::string name;
  // Letters stand for anything. Of an equation both sides, else one expression.
  std::vector<textbook::Ptr> from;
  std::vector<textbook::Ptr> to;
};
// The first one that fits is named.
const std::vector<FunctionRule>& FunctionRules();

// Calls `found` with what the rule makes, for each way in which these sides look like the rule's. Requires as many as it has.
void ApplyRule(const FunctionRule& rule, const std::vector<textbook::Ptr>& sides,
               const std::function<void(const std::vector<textbook::Ptr>&)>& found);

}  // namespace conpole::mistakes

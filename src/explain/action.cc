#include "explain/action.h"

#include "conpole/successors.h"
#include "util/read_number.h"
#include "util/text.h"

namespace conpole {

Action ReadLabel(std::string_view label, LoneNumber lone_number) {
  Action action;
  action.label = label;
  action.axiom = AxiomOf(label);
  if (label.size() > action.axiom.size() + 1) {
    std::vector<std::string_view> operands = Split(label.substr(action.axiom.size() + 1), ", ");
    if (operands.back().empty()) operands.pop_back();
    action.operands.assign(operands.begin(), operands.end());
  }
  if (action.operands.empty() || (action.operands.size() == 1 && lone_number == LoneNumber::kOperand)) return action;
  action.position = ReadNumber<std::size_t>(action.operands.front());
  if (action.position) action.operands.erase(action.operands.begin());
  return action;
}

}  // namespace conpole

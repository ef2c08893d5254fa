#include "explain/action.h"

#include <charconv>

#include "conpole/successors.h"

namespace conpole {

Action ReadLabel(std::string_view label, LoneNumber lone_number) {
  constexpr std::string_view kSeparator = ", ";
  Action action;
  action.label = label;
  action.axiom = AxiomOf(label);
  std::string_view rest = label.substr(std::min(label.size(), action.axiom.size() + 1));
  while (!rest.empty()) {
    const std::size_t end = rest.find(kSeparator);
    action.operands.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + kSeparator.size());
  }
  if (action.operands.empty() || (action.operands.size() == 1 && lone_number == LoneNumber::kOperand)) return action;
  const std::string& first = action.operands.front();
  std::size_t position = 0;
  const auto [at, failure] = std::from_chars(first.data(), first.data() + first.size(), position);
  if (failure != std::errc() || at != first.data() + first.size()) return action;
  action.position = position;
  action.operands.erase(action.operands.begin());
  return action;
}

}  // namespace conpole

#include "nn/architecture.h"

#include <fmt/format.h>

#include "conpole/error.h"
#include "util/text.h"

namespace conpole {

std::string_view HeadName(Head head) {
  switch (head) {
    case Head::kBilinear:
      return "bilinear";
    case Head::kValue:
      return "value";
    case Head::kActionsAndValue:
      return "actions+value";
    default:
      return "actions";
  }
}

Head HeadOf(std::string_view name) {
  for (const Head head : {Head::kBilinear, Head::kValue, Head::kActions, Head::kActionsAndValue}) {
    if (HeadName(head) == name) return head;
  }
  throw Error(fmt::format("the architecture's head must be bilinear, value, actions or actions+value, not {}", Shown(name)));
}

ScoreMeaning UsualMeaning(Head head) { return head == Head::kValue ? ScoreMeaning::kLogOdds : ScoreMeaning::kLogPreference; }

int Architecture::size(std::string_view name) const {
  const auto found = sizes.find(name);
  if (found == sizes.end()) throw Error(fmt::format("the architecture has no size '{}'", name));
  return found->second;
}

std::vector<TensorShape> HeadTensorShapes(const Architecture& architecture, std::size_t vector_size) {
  if (architecture.head == Head::kBilinear) return {{"score.weight", {vector_size, vector_size}}};
  std::vector<TensorShape> shapes;
  if (IsOfActions(architecture.head)) {
    const auto actions = static_cast<std::size_t>(architecture.size("actions"));
    shapes = {{"action.weight", {actions, vector_size}}, {"action.bias", {actions}}};
  }
  if (architecture.head != Head::kActions) {
    shapes.push_back({"value.weight", {1, vector_size}});
    shapes.push_back({"value.bias", {1}});
  }
  return shapes;
}

}  // namespace conpole

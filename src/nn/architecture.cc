#include "nn/architecture.h"

#include <fmt/format.h>

#include "conpole/error.h"
#include "util/text.h"

namespace conpole {

std::string_view HeadName(Head head) { return head == Head::kBilinear ? "bilinear" : "value"; }

Head HeadOf(std::string_view name) {
  for (const Head head : {Head::kBilinear, Head::kValue}) {
    if (HeadName(head) == name) return head;
  }
  throw Error(fmt::format("the architecture's head must be bilinear or value, not {}", Shown(name)));
}

ScoreMeaning UsualMeaning(Head head) { return head == Head::kBilinear ? ScoreMeaning::kLogPreference : ScoreMeaning::kLogOdds; }

int Architecture::size(std::string_view name) const {
  const auto found = sizes.find(name);
  if (found == sizes.end()) throw Error(fmt::format("the architecture has no size '{}'", name));
  return found->second;
}

std::vector<TensorShape> HeadTensorShapes(Head head, std::size_t vector_size) {
  if (head == Head::kBilinear) return {{"score.weight", {vector_size, vector_size}}};
  return {{"value.weight", {1, vector_size}}, {"value.bias", {1}}};
}

}  // namespace conpole

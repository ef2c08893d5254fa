// What a network is, apart from its weights: the kind of its encoder, that kind's sizes, and its head. Plain data. Which kinds
// there are, and what sizes they allow, is in nn/network_kind.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/scorer.h"

namespace conpole {

// How vectors become scores.
enum class Head : std::uint8_t {
  kBilinear,  // phi(candidate)^T W phi(parent)
  kValue,     // a linear function of phi(candidate), whatever its parent
  kActions,   // a linear function of phi(parent) per action, for states of a fixed layout
  // Likewise, and one more that says how far the state itself is.
  kActionsAndValue,
};

// The name of a head in files.
std::string_view HeadName(Head head);
// Throws Error, listing the names that there are, for any other.
Head HeadOf(std::string_view name);
// Whether it is one for states of a fixed layout.
inline bool IsOfActions(Head head) { return head == Head::kActions || head == Head::kActionsAndValue; }
// What the scores of a head mean where nothing else is said.
ScoreMeaning UsualMeaning(Head head);

struct Architecture {
  std::string kind = "lstm";
  std::map<std::string, int, std::less<>> sizes;  // by name
  Head head = Head::kBilinear;
  // Of networks that read texts: spaces only part what is parted without them in most domains, and a network that skips them
  // has a third less to read.
  bool skips_spaces = false;
  // Of networks that read texts: the signs outside printable ASCII that it tells apart, in UTF-8 and in the order of their rows
  // (nn/alphabet.h).
  std::string alphabet = {};

  // Throws Error if there is no such size.
  int size(std::string_view name) const;
  friend bool operator==(const Architecture&, const Architecture&) = default;
};

struct TensorShape {
  std::string name;
  std::vector<std::size_t> shape;
  // Whether training starts with values of variance 1, as suits what characters stand for, instead of small ones.
  bool starts_large = false;
};

// The tensors of a head on vectors of this size:
//   score.weight               D x D      (bilinear head)
//   value.weight, value.bias   1 x D, 1   (value head)
//   action.weight, action.bias A x D, A   (actions head; A is the architecture's size "actions")
//   action.* and value.*                  (actions+value head)
std::vector<TensorShape> HeadTensorShapes(const Architecture& architecture, std::size_t vector_size);

}  // namespace conpole

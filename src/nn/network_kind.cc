#include "nn/network_kind.h"

#include <algorithm>

#include <fmt/format.h>

#include "conpole/error.h"
#include "nn/alphabet.h"
#include "nn/bag_encoder.h"
#include "nn/lstm_encoder.h"
#include "nn/residual_network.h"
#include "util/read_number.h"
#include "util/text.h"

namespace conpole {
namespace {

const NetworkSize* FindSize(const NetworkKind& kind, std::string_view name) {
  const auto found = std::find_if(kind.sizes.begin(), kind.sizes.end(), [&](const auto& size) { return size.name == name; });
  return found == kind.sizes.end() ? nullptr : &*found;
}

const NetworkSize& RequireSize(const NetworkKind& kind, std::string_view name) {
  if (const NetworkSize* const size = FindSize(kind, name)) return *size;
  std::vector<std::string> names;
  for (const NetworkSize& size : kind.sizes) names.push_back(size.name);
  throw Error(fmt::format("a network of kind {} has no {}; its sizes are: {}", kind.name, Shown(name), Join(names)));
}

}  // namespace

const std::vector<const NetworkKind*>& NetworkKinds() {
  static const std::vector<const NetworkKind*> kinds{
      &LstmKind(),
      &BagKind(),
      &ResidualKind(),
  };
  return kinds;
}

const NetworkKind& NetworkKindOf(std::string_view name) {
  std::vector<std::string> names;
  for (const NetworkKind* kind : NetworkKinds()) {
    if (kind->name == name) return *kind;
    names.push_back(kind->name);
  }
  throw Error(fmt::format("unknown kind of network {}; there are: {}", Shown(name), Join(names)));
}

void NetworkSize::Check(int value) const {
  if (value < 1 || value > max) throw Error(fmt::format("the architecture's {} must be an integer from 1 to {}", name, max));
}

int NetworkSize::Parse(std::string_view text) const {
  const int value = ReadNumber<int>(text).value_or(0);
  Check(value);
  return value;
}

const NetworkKind& CheckedKind(const Architecture& architecture) {
  const NetworkKind& kind = NetworkKindOf(architecture.kind);
  for (const NetworkSize& size : kind.sizes) size.Check(architecture.size(size.name));
  for (const auto& [name, value] : architecture.sizes) RequireSize(kind, name);
  const bool reads_texts = kind.make_encoder != nullptr;
  if (reads_texts == IsOfActions(architecture.head)) {
    throw Error(fmt::format("a network of kind {} cannot have the head {}", kind.name, HeadName(architecture.head)));
  }
  if (!reads_texts && (architecture.skips_spaces || !architecture.alphabet.empty())) {
    throw Error(fmt::format("a network of kind {} reads no texts, and has no {}", kind.name,
                            architecture.skips_spaces ? "spaces to skip" : "alphabet"));
  }
  CheckAlphabet(architecture.alphabet);
  return kind;
}

std::vector<std::string> NetworkSizeNames() {
  std::vector<std::string> names;
  for (const NetworkKind* kind : NetworkKinds()) {
    for (const NetworkSize& size : kind->sizes) {
      if (!size.of_layout && std::find(names.begin(), names.end(), size.name) == names.end()) names.push_back(size.name);
    }
  }
  return names;
}

Architecture TrainingArchitecture(std::string_view kind_name, const std::map<std::string, int, std::less<>>& given) {
  const NetworkKind& kind = NetworkKindOf(kind_name);
  Architecture architecture{.kind = kind.name, .sizes = {}};
  if (kind.make_encoder == nullptr) architecture.head = Head::kActions;
  for (const NetworkSize& size : kind.sizes) architecture.sizes[size.name] = size.training;
  for (const auto& [name, value] : given) {
    if (value == 0) continue;
    RequireSize(kind, name).Check(value);
    architecture.sizes[name] = value;
  }
  return architecture;
}

}  // namespace conpole

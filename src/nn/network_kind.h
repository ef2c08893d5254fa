// The kinds of encoders that there are. A kind is what model files, settings of training and engines need to know about it; the
// table of all kinds is in network_kind.cc, one line each. What LibTorch needs for a kind is in torch/network.cc.
// docs/adding-a-network.md has the steps. Kinds are immutable and live as long as the program.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nn/architecture.h"
#include "nn/encoder.h"
#include "nn/kernels.h"

namespace conpole {

struct Model;

// A size of a kind of network. The bounds are far above any network that is of use here; they keep a file's claims from
// becoming allocations. They hold for files, for training and in both engines alike.
struct NetworkSize {
  std::string name;  // in files, settings and on the command line
  std::string meaning;
  int max;                 // the least is 1
  int training;            // what training starts with if nothing else is said
  bool of_layout = false;  // given by the layout of the domain's states, and no setting

  // Throws Error, naming the size and its bounds, unless `value` is within them.
  void Check(int value) const;
  // The size that is written in `text`, in decimal. Throws Error in the same way.
  int Parse(std::string_view text) const;
};

struct NetworkKind {
  std::string name;
  std::string meaning;
  std::vector<NetworkSize> sizes;

  // All of the following are given architectures whose sizes were checked.
  std::size_t (*vector_size)(const Architecture& architecture);
  // Random weights lie between plus and minus one over the square root of this.
  int (*fan_in)(const Architecture& architecture);
  // Those of the encoder; the head's are the same for all kinds.
  std::vector<TensorShape> (*tensor_shapes)(const Architecture& architecture);
  // An engine on the CPU for a model whose tensors were checked. It does not refer to the model afterwards. Null for kinds that
  // read states of a fixed layout and not texts: these have the head "actions" or
  // "actions+value", and only these.
  std::unique_ptr<Encoder> (*make_encoder)(const Model& model, const Kernels& kernels);
  // Encoders for what lies before the vector, the lowest layer first, likewise. Null for kinds that show nothing of it.
  std::vector<NetworkLayer> (*make_layers)(const Model& model, const Kernels& kernels) = nullptr;
};

const std::vector<const NetworkKind*>& NetworkKinds();
// Throws Error, listing the names that there are, for any other.
const NetworkKind& NetworkKindOf(std::string_view name);

// The kind of an architecture. Throws Error unless there is such a kind, the sizes are the kind's, each within its bounds, and
// the head is one for what the kind reads.
const NetworkKind& CheckedKind(const Architecture& architecture);

// The sizes of all kinds that layouts do not give, each name once: what training can be asked for.
std::vector<std::string> NetworkSizeNames();
// An architecture with the sizes that training starts with, except those that are given; 0 counts as not given. Throws Error if
// a given one does not belong to the kind or is out of bounds.
Architecture TrainingArchitecture(std::string_view kind, const std::map<std::string, int, std::less<>>& given);

}  // namespace conpole

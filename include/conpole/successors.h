// The caller-owned buffer that domains write successors into: one arena of characters and the offsets at which states end.
// Labels ("swap 3") live in an arena of their own and are built only when asked for. Clear() keeps the memory, so a buffer that
// is used again and again stops allocating. Between two calls of Clear, all successors are written with labels or all without.
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conpole/message.h"
#include "conpole/text_buffer.h"

namespace conpole {

enum class Labels : std::uint8_t { kOff, kOn };

// Why a text is not a state of the domain: what was expected, and the byte where.
struct Malformed {
  std::size_t position = 0;
  Message message;
};

class Successors {
 public:
  Successors() : state_ends_{0}, label_ends_{0} {}

  void Clear();

  std::size_t size() const { return state_ends_.size() - 1; }
  bool empty() const { return size() == 0; }

  std::string_view state(std::size_t i) const { return Slice(states_, state_ends_, i); }
  // Requires Labels::kOn.
  std::string_view label(std::size_t i) const { return Slice(labels_, label_ends_, i); }

  // All states without separators, and where each begins: state i is [offsets[i], offsets[i + 1]).
  std::string_view text() const { return states_.view(); }
  const std::vector<std::size_t>& offsets() const { return state_ends_; }

  const Malformed& error() const { return error_; }

  // For domains. A state is written by asking for room, writing at the returned address, and ending it.
  char* BeginState(std::size_t max_bytes) { return states_.Reserve(max_bytes); }
  void EndState(char* end) {
    states_.SetEnd(end);
    state_ends_.push_back(states_.size());
  }
  char* BeginLabel(std::size_t max_bytes) { return labels_.Reserve(max_bytes); }
  void EndLabel(char* end) {
    labels_.SetEnd(end);
    label_ends_.push_back(labels_.size());
  }
  void SetError(Malformed error) { error_ = std::move(error); }

  // Keeps, of the successors from index `first` on, those whose label names this axiom. Requires labels.
  void KeepAxiom(std::size_t first, std::string_view axiom);

 private:
  static std::string_view Slice(const TextBuffer& text, const std::vector<std::size_t>& ends, std::size_t i) {
    return {text.data() + ends[i], ends[i + 1] - ends[i]};
  }

  TextBuffer states_;
  TextBuffer labels_;
  std::vector<std::size_t> state_ends_;
  std::vector<std::size_t> label_ends_;
  Malformed error_;
};

// The axiom that a label names: "swap" for "swap 3".
inline std::string_view AxiomOf(std::string_view label) { return label.substr(0, label.find(' ')); }

}  // namespace conpole

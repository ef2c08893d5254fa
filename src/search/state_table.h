// The states that one search has met: each text is kept once, with the state it was reached from. Ids count up from 0 in the
// order of arrival, so that a range of ids says what was new in a step. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/successors.h"
#include "util/hash.h"
#include "util/large_pages.h"
#include "util/text_slots.h"

namespace conpole {

class StateTable {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = TextSlots::kNone;

  struct State {
    std::uint64_t hash;
    const char* data;
    std::uint32_t size;
    Id parent;  // kNone for the first
    std::string_view text() const { return {data, size}; }
  };

  // Forgets all states and keeps the memory for the next ones.
  void Clear();

  Id size() const { return static_cast<Id>(states_.size()); }
  const State& operator[](Id id) const { return states_[id]; }

  // The id of this text; a new one if it was not met before.
  Id Add(std::string_view text, Id parent);

  // Adds successors in their order and calls met(id, fresh) for each; `fresh` says whether it is new. Stops after a call that
  // returns false.
  template <class Met>
  void AddAll(const Successors& successors, Id parent, const Met& met) {
    hashes_.resize(successors.size());
    for (std::size_t i = 0; i < successors.size(); ++i) {
      hashes_[i] = HashText(successors.state(i));
      slots_.Prefetch(hashes_[i]);
    }
    for (std::size_t i = 0; i < successors.size(); ++i) {
      const Id before = size();
      const Id id = FindOrAdd<true>(successors.state(i), hashes_[i], parent);
      if (!met(id, id == before)) return;
    }
  }

  // For searches that find a better way to a state later on.
  void SetParent(Id id, Id parent) { states_[id].parent = parent; }

  // From the first state to this one.
  std::vector<std::string> PathTo(Id id) const;

  // What the table holds, in bytes.
  std::size_t MemoryUsed() const;

 private:
  // `kSlack` says that the text lies in a TextBuffer, so that it can be copied in blocks.
  template <bool kSlack>
  Id FindOrAdd(std::string_view text, std::uint64_t hash, Id parent);
  template <bool kSlack>
  const char* CopyText(std::string_view text);

  LargeVector<State> states_;
  TextSlots slots_;
  std::vector<std::uint64_t> hashes_;  // of the successors being added

  std::vector<LargeArray> blocks_;
  std::size_t block_ = 0;       // the block that texts are added to
  std::size_t block_used_ = 0;  // of that block
};

}  // namespace conpole

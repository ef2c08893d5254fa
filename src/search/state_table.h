// The states that one search has met: each text is kept once, with the state it was reached from. Ids count up from 0 in the
// order of arrival, so that a range of ids says what was new in a step. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/successors.h"
#include "util/hash.h"

namespace conpole {

class StateTable {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = UINT32_MAX;

  struct State {
    std::uint64_t hash;
    const char* data;
    std::uint32_t size;
    Id parent;  // kNone for the first
    std::string_view text() const { return {data, size}; }
  };

  Id size() const { return static_cast<Id>(states_.size()); }
  const State& operator[](Id id) const { return states_[id]; }

  // The id of this text; a new one if it was not met before.
  Id Add(std::string_view text, Id parent);

  // Adds successors in their order and calls met(id, fresh) for each; `fresh` says whether it is new. Stops after a call that
  // returns false.
  template <class Met>
  void AddAll(const Successors& successors, Id parent, const Met& met) {
    hashes_.clear();
    for (std::size_t i = 0; i < successors.size(); ++i) {
      hashes_.push_back(HashText(successors.state(i)));
      Prefetch(hashes_.back());
    }
    for (std::size_t i = 0; i < successors.size(); ++i) {
      const Id before = size();
      const Id id = Find(successors.state(i), hashes_[i], parent);
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
  // A slot is 0, or the upper half of the hash and the id + 1.
  using Slot = std::uint64_t;

  std::size_t FirstSlot(std::uint64_t hash) const { return static_cast<std::size_t>(hash) & (slots_.size() - 1); }
  void Prefetch(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[FirstSlot(hash)]);
  }
  Id Find(std::string_view text, std::uint64_t hash, Id parent);
  void GrowSlots();
  const char* Keep(std::string_view text);

  std::vector<State> states_;
  std::vector<Slot> slots_;
  std::vector<std::uint64_t> hashes_;  // of the successors being added

  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t block_size_ = 0;
  std::size_t block_used_ = 0;
  std::size_t text_bytes_ = 0;
};

}  // namespace conpole

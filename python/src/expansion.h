// The successors of many states, in columns: all texts in one buffer, and arrays that say where each begins and whose it is.
// Immutable once made. The memory of an expansion that is gone is used for the next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "util/thread_pool.h"

namespace conpole::python {

// A run of consecutive states and their successors.
struct Block {
  std::size_t first_state = 0;
  Successors successors;
  std::vector<Status> status;     // per state
  std::vector<std::size_t> ends;  // per state: one past its last successor
};

// The successors of the states in blocks, listed on all threads of the pool. Throws MalformedText for the first state that is
// malformed. The memory goes back to the thread that made it, for its next call.
class ExpandedBlocks {
 public:
  ExpandedBlocks(const Domain& domain, std::span<const std::string_view> states, Labels labels, ThreadPool& pool);
  ~ExpandedBlocks();
  ExpandedBlocks(const ExpandedBlocks&) = delete;
  ExpandedBlocks& operator=(const ExpandedBlocks&) = delete;

  std::span<const Block> blocks() const { return {memory_.data(), count_}; }

 private:
  std::vector<Block> memory_;
  std::size_t count_;
};

class Expansion {
 public:
  static std::unique_ptr<Expansion> Make(const Domain& domain, std::span<const std::string_view> states, Labels labels,
                                         ThreadPool& pool);
  ~Expansion();
  Expansion(const Expansion&) = delete;
  Expansion& operator=(const Expansion&) = delete;

  std::size_t states() const { return columns_->status.size(); }
  std::size_t size() const { return columns_->merged ? columns_->successors : columns_->block.successors.size(); }

  std::string_view text() const;
  std::span<const std::size_t> offsets() const;  // successor i is [offsets[i], offsets[i + 1]) of the text
  std::span<const std::int32_t> parents() const { return {columns_->parents.data(), size()}; }  // per successor: its state
  std::span<const std::int64_t> first() const { return columns_->first; }  // state i has [first[i], first[i + 1])
  std::span<const Status> status() const { return columns_->status; }
  // The label of the step to each successor. Only if asked for.
  bool has_labels() const { return columns_->labels == Labels::kOn; }
  std::string_view label_text() const { return {columns_->label_text.data(), columns_->label_text.size()}; }
  std::span<const std::size_t> label_offsets() const { return columns_->label_offsets; }
  std::string_view successor(std::size_t i) const { return text().substr(offsets()[i], offsets()[i + 1] - offsets()[i]); }

 private:
  // With one thread the domain writes to the place where the text stays; with more, their blocks are put together.
  struct Columns {
    bool merged = false;
    Labels labels = Labels::kOff;
    Block block;
    // When merged. The memory is as large as it ever had to be, of which `bytes` and `successors` are in use.
    std::unique_ptr<char[]> text;
    std::size_t text_capacity = 0;
    std::vector<std::size_t> offsets;
    std::size_t successors = 0;
    std::size_t bytes = 0;
    // With labels. Put together once all are listed: they are rarely asked for.
    std::vector<char> label_text;
    std::vector<std::size_t> label_offsets;
    // Always.
    std::vector<std::int32_t> parents;
    std::vector<std::int64_t> first;
    std::vector<Status> status;

    void ListInPlace(const Domain& domain, std::span<const std::string_view> states);
    void ListOnThreads(const Domain& domain, std::span<const std::string_view> states, ThreadPool& pool);

    bool Fits() const { return bytes <= text_capacity && successors < offsets.size() && successors <= parents.size(); }
    // Makes it fit, and keeps what is there.
    void Grow();
    // Copies a merged block to its place.
    void Put(const Block& listed, std::size_t first_byte, std::size_t first_successor);
    // The same for its labels.
    void PutLabels(const Block& listed, std::size_t first_byte, std::size_t first_successor);
    void ResizeLabels(std::size_t label_bytes, std::size_t count);
    // Fills in parents and first for the states of a block whose successors begin at `first_successor`.
    void NumberStates(const Block& listed, std::size_t first_successor);
  };
  class Merge;
  class Spare;

  Expansion();

  std::unique_ptr<Columns> columns_;
};

}  // namespace conpole::python

#include "python/src/expansion.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <mutex>
#include <thread>
#include <utility>

#include "python/src/bindings.h"
#include "python/src/python_domain.h"

namespace conpole::python {
namespace {

// What a thread or the free list keeps for the next call at the most.
constexpr std::size_t kMaxKeptBytes = std::size_t{64} << 20;

// Taken while in use: a domain written in Python may come back here.
thread_local std::vector<Block> spare_blocks;

// Several blocks per thread even out. More states than these cost nothing more to begin with, and would leave the core's cache.
std::size_t BlocksOf(std::size_t states, std::size_t threads) {
  const std::size_t states_of_block = std::clamp<std::size_t>(states / (8 * threads), 32, 256);
  return std::max<std::size_t>(1, states / states_of_block);
}

// Lists the successors of the states of block `index` of `count`, up to one that is malformed.
void ExpandBlock(const Domain& domain, std::span<const std::string_view> states, std::size_t index, std::size_t count,
                 Labels labels, Block& block) {
  block.first_state = states.size() * index / count;
  const std::size_t size = states.size() * (index + 1) / count - block.first_state;
  block.successors.Clear();
  if (const PythonDomain* const python = AsPython(domain)) {
    block.status.clear();
    block.ends.clear();
    return python->ExpandAll(states.subspan(block.first_state, size), labels, block.successors, block.status, block.ends);
  }
  block.status.resize(size);
  block.ends.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    block.status[i] = domain.Expand(states[block.first_state + i], labels, block.successors);
    block.ends[i] = block.successors.size();
    if (block.status[i] == Status::kMalformed) {
      block.status.resize(i + 1);
      block.ends.resize(i + 1);
      return;
    }
  }
}

// Labels lie one behind the other.
std::string_view AllLabels(const Block& block) {
  if (block.successors.empty()) return {};
  const std::string_view first = block.successors.label(0);
  const std::string_view last = block.successors.label(block.successors.size() - 1);
  return {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
}

bool IsMalformed(const Block& block) { return !block.status.empty() && block.status.back() == Status::kMalformed; }

[[noreturn]] void ThrowMalformed(const Domain& domain, std::span<const std::string_view> states, const Block& block) {
  throw MalformedText(states[block.first_state + block.status.size() - 1], "state", domain, block.successors.error());
}

}  // namespace

ExpandedBlocks::ExpandedBlocks(const Domain& domain, std::span<const std::string_view> states, Labels labels, ThreadPool& pool)
    : memory_(std::move(spare_blocks)) {
  count_ = pool.size() == 1 ? 1 : BlocksOf(states.size(), pool.size());
  if (memory_.size() < count_) memory_.resize(count_);
  pool.For(count_, [&](std::size_t i) { ExpandBlock(domain, states, i, count_, labels, memory_[i]); });
  for (const Block& block : blocks()) {
    if (IsMalformed(block)) ThrowMalformed(domain, states, block);
  }
}

ExpandedBlocks::~ExpandedBlocks() {
  std::size_t bytes = 0;
  for (const Block& block : memory_) bytes += block.successors.text().size();
  if (bytes <= kMaxKeptBytes) spare_blocks = std::move(memory_);
}

// Columns of expansions that are gone. Their pages are in memory already, which fresh ones would have to be brought to.
class Expansion::Spare {
 public:
  static Spare& Get() {
    static Spare& spare = *new Spare;  // outlives every expansion
    return spare;
  }

  std::unique_ptr<Columns> Take() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return std::make_unique<Columns>();
    std::unique_ptr<Columns> taken = std::move(spare_.back());
    spare_.pop_back();
    return taken;
  }

  void Give(std::unique_ptr<Columns> columns) {
    constexpr std::size_t kMaxSpare = 2;
    const std::size_t bytes = columns->block.successors.text().size() + columns->text_capacity;
    if (bytes + columns->label_text.capacity() > kMaxKeptBytes) return;
    const std::lock_guard lock(mutex_);
    if (spare_.size() < kMaxSpare) spare_.push_back(std::move(columns));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Columns>> spare_;
};

Expansion::Expansion() : columns_(Spare::Get().Take()) {}

Expansion::~Expansion() { Spare::Get().Give(std::move(columns_)); }

void Expansion::Columns::Grow() {
  if (text_capacity < bytes) {
    const std::size_t capacity = bytes + bytes / 4;
    std::unique_ptr<char[]> larger(new char[capacity]);
    if (text) std::memcpy(larger.get(), text.get(), text_capacity);
    text = std::move(larger);
    text_capacity = capacity;
  }
  const std::size_t needed = successors + 1;
  if (offsets.size() < needed) offsets.resize(needed + needed / 4);
  if (parents.size() < needed) parents.resize(needed + needed / 4);
}

void Expansion::Columns::Put(const Block& listed, std::size_t first_byte, std::size_t first_successor) {
  const std::string_view from = listed.successors.text();
  if (!from.empty()) std::memcpy(text.get() + first_byte, from.data(), from.size());
  for (std::size_t k = 0; k < listed.successors.size(); ++k) {
    offsets[first_successor + k + 1] = first_byte + listed.successors.offsets()[k + 1];
  }
  std::copy(listed.status.begin(), listed.status.end(), status.begin() + static_cast<std::ptrdiff_t>(listed.first_state));
  NumberStates(listed, first_successor);
}

void Expansion::Columns::ResizeLabels(std::size_t label_bytes, std::size_t count) {
  label_text.resize(label_bytes);
  label_offsets.resize(count + 1);
  label_offsets.front() = 0;
}

void Expansion::Columns::PutLabels(const Block& listed, std::size_t first_byte, std::size_t first_successor) {
  const std::string_view from = AllLabels(listed);
  from.copy(label_text.data() + first_byte, from.size());
  for (std::size_t k = 0; k < listed.successors.size(); ++k) {
    first_byte += listed.successors.label(k).size();
    label_offsets[first_successor + k + 1] = first_byte;
  }
}

void Expansion::Columns::NumberStates(const Block& listed, std::size_t first_successor) {
  std::size_t begin = 0;
  for (std::size_t k = 0; k < listed.ends.size(); ++k) {
    const std::size_t state = listed.first_state + k;
    std::fill(parents.begin() + static_cast<std::ptrdiff_t>(first_successor + begin),
              parents.begin() + static_cast<std::ptrdiff_t>(first_successor + listed.ends[k]),
              static_cast<std::int32_t>(state));
    begin = listed.ends[k];
    first[state + 1] = static_cast<std::int64_t>(first_successor + begin);
  }
}

// Blocks to list successors in. A thread keeps the one that it used last, which is still in its core's cache; the others are
// for all.
class SpareBlocks {
 public:
  static std::unique_ptr<Block> Take() {
    if (own) return std::move(own);
    SpareBlocks& all = Get();
    const std::lock_guard lock(all.mutex_);
    if (all.blocks_.empty()) return std::make_unique<Block>();
    std::unique_ptr<Block> taken = std::move(all.blocks_.back());
    all.blocks_.pop_back();
    return taken;
  }

  static void Give(std::unique_ptr<Block> block) {
    constexpr std::size_t kMaxBlocks = 64;
    constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
    if (block->successors.text().size() > kMaxBytes) return;
    if (!own) {
      own = std::move(block);
      return;
    }
    SpareBlocks& all = Get();
    const std::lock_guard lock(all.mutex_);
    if (all.blocks_.size() < kMaxBlocks) all.blocks_.push_back(std::move(block));
  }

 private:
  static SpareBlocks& Get() {
    static SpareBlocks& all = *new SpareBlocks;  // threads may end later than the program
    return all;
  }

  static thread_local std::unique_ptr<Block> own;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Block>> blocks_;
};

thread_local std::unique_ptr<Block> SpareBlocks::own;

// Puts blocks together while others are still listed. The place of a block is known when all before it are finished. So that it
// is copied out of the cache of the core that listed it, the same thread does that: at once, or when it finishes its next one.
class Expansion::Merge {
 public:
  Merge(Columns& columns, std::size_t states, std::size_t blocks) : columns_(columns), places_(blocks) {
    columns.successors = 0;
    columns.bytes = 0;
    columns.first.resize(states + 1);
    columns.status.resize(states);
    columns.first.front() = 0;
  }

  void Finished(std::size_t index, std::unique_ptr<Block> block) {
    const std::thread::id self = std::this_thread::get_id();
    std::vector<Waiting> ready;
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back({index, self, std::move(block)});
      places_[index].size = waiting_.back().block.get();
      for (; next_ < places_.size() && places_[next_].size != nullptr; ++next_) {
        places_[next_].first_byte =
            std::exchange(columns_.bytes, columns_.bytes + places_[next_].size->successors.text().size());
        places_[next_].first_successor =
            std::exchange(columns_.successors, columns_.successors + places_[next_].size->successors.size());
      }
      if (!columns_.Fits() || columns_.labels == Labels::kOn) return;
      const auto mine = std::partition(waiting_.begin(), waiting_.end(), [&](const Waiting& waiting) {
        return waiting.index >= next_ || waiting.thread != self;
      });
      ready.assign(std::make_move_iterator(mine), std::make_move_iterator(waiting_.end()));
      waiting_.erase(mine, waiting_.end());
    }
    for (Waiting& waiting : ready) Put(waiting);
  }

  // When all are finished: copies those that nobody came back for, or for which there was not enough memory.
  void End(ThreadPool& pool) {
    if (!columns_.Fits()) columns_.Grow();
    columns_.offsets.front() = 0;
    if (columns_.labels == Labels::kOn) PlaceLabels();
    if (waiting_.size() > pool.size()) {
      pool.For(waiting_.size(), [&](std::size_t i) { Put(waiting_[i]); });
    } else {
      for (Waiting& waiting : waiting_) Put(waiting);
    }
  }

 private:
  struct BlockPlace {
    const Block* size = nullptr;  // of a finished block, until it has its place
    std::size_t first_byte = 0;
    std::size_t first_successor = 0;
    std::size_t first_label_byte = 0;
  };
  struct Waiting {
    std::size_t index;
    std::thread::id thread;
    std::unique_ptr<Block> block;
  };

  // With labels, all blocks are waiting in the end.
  void PlaceLabels() {
    std::size_t bytes = 0;
    for (BlockPlace& place : places_) {
      place.first_label_byte = std::exchange(bytes, bytes + AllLabels(*place.size).size());
    }
    columns_.ResizeLabels(bytes, columns_.successors);
  }

  void Put(Waiting& waiting) {
    const BlockPlace& place = places_[waiting.index];
    columns_.Put(*waiting.block, place.first_byte, place.first_successor);
    if (columns_.labels == Labels::kOn) columns_.PutLabels(*waiting.block, place.first_label_byte, place.first_successor);
    SpareBlocks::Give(std::move(waiting.block));
  }

  Columns& columns_;
  std::mutex mutex_;  // guards all below and the counts of the columns, while blocks are listed
  std::vector<BlockPlace> places_;
  std::size_t next_ = 0;  // the first block without a place
  std::vector<Waiting> waiting_;
};

std::unique_ptr<Expansion> Expansion::Make(const Domain& domain, std::span<const std::string_view> states, Labels labels,
                                           ThreadPool& pool) {
  std::unique_ptr<Expansion> expansion(new Expansion);
  Columns& columns = *expansion->columns_;
  columns.merged = pool.size() > 1;
  columns.labels = labels;
  if (columns.merged) {
    columns.ListOnThreads(domain, states, pool);
  } else {
    columns.ListInPlace(domain, states);
  }
  return expansion;
}

void Expansion::Columns::ListInPlace(const Domain& domain, std::span<const std::string_view> states) {
  ExpandBlock(domain, states, 0, 1, labels, block);
  if (IsMalformed(block)) ThrowMalformed(domain, states, block);
  first.resize(states.size() + 1);
  first.front() = 0;
  if (parents.size() < block.successors.size()) parents.resize(block.successors.size());
  status = block.status;
  NumberStates(block, 0);
  if (labels == Labels::kOn) {
    ResizeLabels(AllLabels(block).size(), block.successors.size());
    PutLabels(block, 0, 0);
  }
}

void Expansion::Columns::ListOnThreads(const Domain& domain, std::span<const std::string_view> states, ThreadPool& pool) {
  const std::size_t count = BlocksOf(states.size(), pool.size());
  Merge merge(*this, states.size(), count);
  std::mutex mutex;
  std::unique_ptr<Block> malformed;  // the first one
  pool.For(count, [&](std::size_t i) {
    std::unique_ptr<Block> listed = SpareBlocks::Take();
    ExpandBlock(domain, states, i, count, labels, *listed);
    if (!IsMalformed(*listed)) return merge.Finished(i, std::move(listed));
    const std::lock_guard lock(mutex);
    if (!malformed || listed->first_state < malformed->first_state) malformed = std::move(listed);
  });
  if (malformed) ThrowMalformed(domain, states, *malformed);
  merge.End(pool);
}

std::string_view Expansion::text() const {
  if (!columns_->merged) return columns_->block.successors.text();
  return {columns_->text.get(), columns_->bytes};
}

std::span<const std::size_t> Expansion::offsets() const {
  if (!columns_->merged) return columns_->block.successors.offsets();
  return {columns_->offsets.data(), columns_->successors + 1};
}

}  // namespace conpole::python

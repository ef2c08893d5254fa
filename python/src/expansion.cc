#include "python/src/expansion.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

#include "python/src/bindings.h"

namespace conpole::python {
namespace {

// What a thread or the free list keeps for the next call at the most.
constexpr std::size_t kMaxKeptBytes = std::size_t{64} << 20;

// Taken while in use: a domain written in Python may come back here.
thread_local std::vector<Block> spare_blocks;

// False if a state is malformed, which is then the last one of the block.
bool ExpandBlock(const Domain& domain, std::span<const std::string_view> states, Labels labels, Block& block) {
  block.successors.Clear();
  block.status.resize(states.size());
  block.ends.resize(states.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    block.status[i] = domain.Expand(states[i], labels, block.successors);
    block.ends[i] = block.successors.size();
    if (block.status[i] == Status::kMalformed) {
      block.status.resize(i + 1);
      return false;
    }
  }
  return true;
}

[[noreturn]] void ThrowMalformed(const Domain& domain, std::span<const std::string_view> states, const Block& block) {
  throw MalformedText(states[block.first_state + block.status.size() - 1], "state", domain, block.successors.error());
}

}  // namespace

ExpandedBlocks::ExpandedBlocks(const Domain& domain, std::span<const std::string_view> states, Labels labels, ThreadPool& pool)
    : memory_(std::move(spare_blocks)) {
  constexpr std::size_t kStates = 32;  // several blocks per thread even out, and fit into the cache of a core
  count_ = pool.size() == 1 ? 1 : std::max<std::size_t>(1, states.size() / kStates);
  if (memory_.size() < count_) memory_.resize(count_);
  std::vector<char> readable(count_);
  pool.For(count_, [&](std::size_t i) {
    const std::size_t begin = states.size() * i / count_;
    const std::size_t end = states.size() * (i + 1) / count_;
    memory_[i].first_state = begin;
    readable[i] = ExpandBlock(domain, states.subspan(begin, end - begin), labels, memory_[i]);
  });
  for (std::size_t i = 0; i < count_; ++i) {
    if (!readable[i]) ThrowMalformed(domain, states, memory_[i]);
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
    if (columns->block.successors.text().size() + columns->text_capacity > kMaxKeptBytes) return;
    const std::lock_guard lock(mutex_);
    if (spare_.size() < kMaxSpare) spare_.push_back(std::move(columns));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Columns>> spare_;
};

Expansion::Expansion() : columns_(Spare::Get().Take()) {}

Expansion::~Expansion() { Spare::Get().Give(std::move(columns_)); }

std::unique_ptr<Expansion> Expansion::Make(const Domain& domain, std::span<const std::string_view> states, ThreadPool& pool) {
  std::unique_ptr<Expansion> expansion(new Expansion);
  Columns& columns = *expansion->columns_;
  columns.merged = pool.size() > 1;
  if (columns.merged) {
    const ExpandedBlocks expanded(domain, states, Labels::kOff, pool);
    expansion->Merge(expanded.blocks(), states.size(), pool);
    return expansion;
  }
  Block& block = columns.block;
  block.first_state = 0;
  if (!ExpandBlock(domain, states, Labels::kOff, block)) ThrowMalformed(domain, states, block);
  columns.first.resize(states.size() + 1);
  columns.parents.resize(block.successors.size());
  columns.status = block.status;
  expansion->NumberStates(block, 0);
  return expansion;
}

void Expansion::Merge(std::span<const Block> blocks, std::size_t states, ThreadPool& pool) {
  std::vector<std::size_t> first_byte{0};
  std::vector<std::size_t> first_successor{0};
  for (const Block& block : blocks) {
    first_byte.push_back(first_byte.back() + block.successors.text().size());
    first_successor.push_back(first_successor.back() + block.successors.size());
  }
  Columns& columns = *columns_;
  if (columns.text_capacity < first_byte.back()) {
    columns.text_capacity = first_byte.back() + first_byte.back() / 4;
    columns.text.reset(new char[columns.text_capacity]);
  }
  // Never cleared before, so that only what is added gets written twice.
  columns.offsets.resize(first_successor.back() + 1);
  columns.parents.resize(first_successor.back());
  columns.first.resize(states + 1);
  columns.status.resize(states);
  columns.offsets.front() = 0;
  columns.first.front() = 0;
  pool.For(blocks.size(), [&](std::size_t i) {
    const Block& block = blocks[i];
    const std::string_view text = block.successors.text();
    if (!text.empty()) std::memcpy(columns.text.get() + first_byte[i], text.data(), text.size());
    for (std::size_t k = 0; k < block.successors.size(); ++k) {
      columns.offsets[first_successor[i] + k + 1] = first_byte[i] + block.successors.offsets()[k + 1];
    }
    std::copy(block.status.begin(), block.status.end(),
              columns.status.begin() + static_cast<std::ptrdiff_t>(block.first_state));
    NumberStates(block, first_successor[i]);
  });
}

void Expansion::NumberStates(const Block& block, std::size_t first_successor) {
  Columns& columns = *columns_;
  std::size_t begin = 0;
  for (std::size_t k = 0; k < block.ends.size(); ++k) {
    const std::size_t state = block.first_state + k;
    std::fill(columns.parents.begin() + static_cast<std::ptrdiff_t>(first_successor + begin),
              columns.parents.begin() + static_cast<std::ptrdiff_t>(first_successor + block.ends[k]),
              static_cast<std::int32_t>(state));
    begin = block.ends[k];
    columns.first[state + 1] = static_cast<std::int64_t>(first_successor + begin);
  }
}

std::string_view Expansion::text() const {
  if (!columns_->merged) return columns_->block.successors.text();
  return {columns_->text.get(), columns_->offsets.back()};
}

std::span<const std::size_t> Expansion::offsets() const {
  return columns_->merged ? columns_->offsets : columns_->block.successors.offsets();
}

}  // namespace conpole::python

#include "train/loop/replay.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "conpole/domain.h"
#include "conpole/error.h"

namespace conpole {
namespace {

// A block: the counts, the pairs, the lengths of the texts (all 16 bits), the targets, and the characters. The last target in a
// block is that of all pairs behind it, too.
struct Counts {
  std::uint16_t texts;
  std::uint16_t pairs;
  std::uint16_t learned;
  std::uint16_t targets;
};
struct SmallPair {
  std::uint16_t parent;
  std::uint16_t candidate;
};

template <class T>
char* Put(char* to, const T& value) {
  std::memcpy(to, &value, sizeof value);
  return to + sizeof value;
}

template <class T>
const char* Get(const char* from, T& value) {
  std::memcpy(&value, from, sizeof value);
  return from + sizeof value;
}

// Whether Read can make sense of a block that comes from a file.
bool IsBlock(std::string_view block) {
  Counts counts{};
  if (block.size() < sizeof counts) return false;
  const char* at = Get(block.data(), counts);
  std::size_t size =
      sizeof counts + counts.pairs * sizeof(SmallPair) + counts.texts * sizeof(std::uint16_t) + counts.targets * sizeof(float);
  if (block.size() < size || counts.learned == 0 || counts.learned > counts.pairs) return false;
  if (counts.targets == 0 || counts.targets > counts.pairs) return false;
  for (std::size_t i = 0; i < counts.pairs; ++i) {
    SmallPair pair{};
    at = Get(at, pair);
    if (pair.parent >= counts.texts || pair.candidate >= counts.texts) return false;
  }
  for (std::size_t i = 0; i < counts.texts; ++i) {
    std::uint16_t length = 0;
    at = Get(at, length);
    if (length > kMaxStateBytes) return false;
    size += length;
  }
  return size == block.size();
}

// By their bits, since no NaN equals itself.
bool AreSame(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }

// How many targets say all of them.
std::size_t DistinctTargets(const std::vector<float>& targets) {
  std::size_t count = targets.size();
  while (count > 1 && AreSame(targets[count - 1], targets[count - 2])) --count;
  return count;
}

}  // namespace

void ReplayBuffer::Add(const Experience& experience) {
  const std::size_t targets = DistinctTargets(experience.targets);
  std::size_t size = sizeof(Counts) + experience.pairs.size() * sizeof(SmallPair) + targets * sizeof(float);
  for (const std::string_view text : experience.texts) size += sizeof(std::uint16_t) + text.size();
  std::string block(size, '\0');
  char* at = Put(block.data(), Counts{static_cast<std::uint16_t>(experience.texts.size()),
                                      static_cast<std::uint16_t>(experience.pairs.size()),
                                      static_cast<std::uint16_t>(experience.learned), static_cast<std::uint16_t>(targets)});
  for (const ScoreBatch::Pair& pair : experience.pairs) {
    at = Put(at, SmallPair{static_cast<std::uint16_t>(pair.parent), static_cast<std::uint16_t>(pair.candidate)});
  }
  for (const std::string_view text : experience.texts) at = Put(at, static_cast<std::uint16_t>(text.size()));
  for (std::size_t i = 0; i < targets; ++i) at = Put(at, experience.targets[i]);
  for (const std::string_view text : experience.texts) at += text.copy(at, text.size());
  if (blocks_.size() < capacity_) {
    blocks_.push_back(std::move(block));
  } else {
    blocks_[added_ % capacity_] = std::move(block);
  }
  ++added_;
}

void ReplayBuffer::Read(std::size_t index, Experience& experience) const {
  const std::string& block = blocks_[index];
  Counts counts{};
  const char* at = Get(block.data(), counts);
  experience.pairs.resize(counts.pairs);
  experience.texts.resize(counts.texts);
  experience.targets.resize(counts.pairs);
  experience.learned = counts.learned;
  for (ScoreBatch::Pair& pair : experience.pairs) {
    SmallPair small{};
    at = Get(at, small);
    pair = {small.parent, small.candidate};
  }
  const char* characters = at + counts.texts * sizeof(std::uint16_t) + counts.targets * sizeof(float);
  for (std::string_view& text : experience.texts) {
    std::uint16_t length = 0;
    at = Get(at, length);
    text = {characters, length};
    characters += length;
  }
  for (std::size_t i = 0; i < counts.targets; ++i) at = Get(at, experience.targets[i]);
  for (std::size_t i = counts.targets; i < counts.pairs; ++i) experience.targets[i] = experience.targets[counts.targets - 1];
}

std::size_t ReplayBuffer::LongestText(std::size_t index) const {
  Counts counts{};
  const char* lengths = Get(blocks_[index].data(), counts) + counts.pairs * sizeof(SmallPair);
  std::size_t longest = 0;
  for (std::size_t i = 0; i < counts.texts; ++i) {
    std::uint16_t length = 0;
    lengths = Get(lengths, length);
    longest = std::max<std::size_t>(longest, length);
  }
  return longest;
}

std::size_t ReplayBuffer::MemoryUsed() const {
  std::size_t bytes = blocks_.capacity() * sizeof(std::string);
  for (const std::string& block : blocks_) bytes += block.capacity();
  return bytes;
}

void ReplayBuffer::Save(const std::function<void(std::string_view)>& write) const {
  const auto write_number = [&](std::uint64_t number) {
    write({reinterpret_cast<const char*>(&number), sizeof number});  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
  };
  write_number(added_);
  write_number(blocks_.size());
  for (const std::string& block : blocks_) {
    write_number(block.size());
    write(block);
  }
}

void ReplayBuffer::Restore(std::string_view bytes) {
  const auto take_number = [&] {
    std::uint64_t number = 0;
    if (bytes.size() < sizeof number) throw Error("the experiences end too early");
    Get(bytes.data(), number);
    bytes.remove_prefix(sizeof number);
    return number;
  };
  const std::uint64_t added = take_number();
  const std::uint64_t count = take_number();
  ReplayBuffer restored(capacity_);
  Experience experience;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t size = take_number();
    if (size > bytes.size() || !IsBlock(bytes.substr(0, size))) throw Error("an experience is damaged");
    if (restored.blocks_.size() == capacity_) throw Error("there are more experiences than the replay buffer may hold");
    restored.blocks_.emplace_back(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  if (!bytes.empty()) throw Error("there is something behind the experiences");
  restored.added_ = added;
  *this = std::move(restored);
}

}  // namespace conpole

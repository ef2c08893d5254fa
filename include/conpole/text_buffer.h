// A growable array of characters with room to spare: up to kSlack bytes past the end may be read and written freely, so that
// short pieces of text can be copied in whole blocks (CopyBlocks) instead of by length. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace conpole {

class TextBuffer {
 public:
  static constexpr std::size_t kSlack = 32;

  // Room for `bytes` more characters and the slack; returns where they go.
  char* Reserve(std::size_t bytes) {
    if (size_ + bytes > capacity_) Grow(size_ + bytes);
    return data_.get() + size_;
  }
  // `end` is one past the last character written at the address that Reserve returned.
  void SetEnd(const char* end) { size_ = static_cast<std::size_t>(end - data_.get()); }

  void Assign(std::string_view text) {
    size_ = 0;
    char* const out = Reserve(text.size());
    if (!text.empty()) std::memcpy(out, text.data(), text.size());
    size_ = text.size();
  }
  void Clear() { size_ = 0; }
  // Requires size <= size().
  void Truncate(std::size_t size) { size_ = size; }
  // Moves characters to an earlier place in the buffer.
  void MoveWithin(std::size_t from, std::size_t to, std::size_t count) {
    std::memmove(data_.get() + to, data_.get() + from, count);
  }

  const char* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  std::string_view view() const { return {data_.get(), size_}; }

 private:
  void Grow(std::size_t needed) {
    const std::size_t capacity = needed + needed / 2 + 256;
    std::unique_ptr<char[]> data(new char[capacity + kSlack]);
    if (size_ != 0) std::memcpy(data.get(), data_.get(), size_);
    data_ = std::move(data);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// Copies `count` characters and returns the end of the copy. May read and write up to TextBuffer::kSlack bytes more: both sides
// must lie in TextBuffers and must not overlap.
inline char* CopyBlocks(char* to, const char* from, std::size_t count) {
  for (std::size_t done = 0; done < count; done += TextBuffer::kSlack) {
    std::memcpy(to + done, from + done, TextBuffer::kSlack);
  }
  return to + count;
}

}  // namespace conpole

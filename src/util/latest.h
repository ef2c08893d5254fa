// The latest results of a function of texts, so that a text that passes through several hands is worked on once. For one thread
// at a time: a function keeps one per thread.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace conpole {

template <class Result, std::size_t kCount>
class Latest {
 public:
  // The result for a text: a kept one, or else what `make` returns. Valid until the next call.
  template <class Make>
  const Result& Of(std::string_view text, const Make& make) {
    for (const Entry& entry : entries_) {
      if (entry.is_used && entry.text == text) return entry.result;
    }
    Result result = make(text);
    Entry& oldest = entries_[next_];
    next_ = (next_ + 1) % kCount;
    oldest = {true, std::string(text), std::move(result)};
    return oldest.result;
  }

 private:
  struct Entry {
    bool is_used = false;
    std::string text;
    Result result;
  };
  std::array<Entry, kCount> entries_;
  std::size_t next_ = 0;
};

}  // namespace conpole

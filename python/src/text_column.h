// Texts in a column: all characters in one buffer, and where each text begins. Immutable once made; any thread may read it.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "conpole/error.h"

namespace conpole::python {

class TextColumn {
 public:
  TextColumn() : TextColumn(std::vector<char>(), {0}) {}
  // Copies the texts.
  explicit TextColumn(std::span<const std::string_view> texts) {
    std::size_t bytes = 0;
    for (const std::string_view text : texts) bytes += text.size();
    own_text_.resize(bytes);
    own_offsets_.reserve(texts.size() + 1);
    own_offsets_.push_back(0);
    char* at = own_text_.data();
    for (const std::string_view text : texts) {
      at += text.copy(at, text.size());
      own_offsets_.push_back(own_offsets_.back() + text.size());
    }
    LookAtOwn();
  }
  // Throws Error unless the offsets begin with 0, never fall and end with the number of characters.
  TextColumn(std::vector<char> text, std::vector<std::size_t> offsets)
      : own_text_(std::move(text)), own_offsets_(std::move(offsets)) {
    bool fits = !own_offsets_.empty() && own_offsets_.front() == 0 && own_offsets_.back() == own_text_.size();
    for (std::size_t i = 1; i < own_offsets_.size(); ++i) fits = fits && own_offsets_[i - 1] <= own_offsets_[i];
    if (!fits) throw Error("the offsets of texts begin with 0, never fall and end with the number of bytes");
    LookAtOwn();
  }
  // Looks at memory of others, who have to keep it as it is.
  TextColumn(std::string_view text, std::span<const std::size_t> offsets) : text_(text), offsets_(offsets) {}

  // The characters stay where they are.
  TextColumn(TextColumn&&) = default;
  TextColumn& operator=(TextColumn&&) = default;

  std::size_t size() const { return offsets_.size() - 1; }
  std::string_view operator[](std::size_t i) const { return text_.substr(offsets_[i], offsets_[i + 1] - offsets_[i]); }

  // Text i is [offsets[i], offsets[i + 1]) of the characters.
  std::string_view text() const { return text_; }
  std::span<const std::size_t> offsets() const { return offsets_; }

 private:
  void LookAtOwn() {
    text_ = {own_text_.data(), own_text_.size()};
    offsets_ = own_offsets_;
  }

  std::vector<char> own_text_;
  std::vector<std::size_t> own_offsets_;
  std::string_view text_;
  std::span<const std::size_t> offsets_;
};

}  // namespace conpole::python

// Texts without their spaces, as networks that skip them read them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace conpole {

class SpacelessTexts {
 public:
  explicit SpacelessTexts(std::span<const std::string_view> texts) {
    std::size_t size = 0;
    for (const std::string_view text : texts) size += text.size();
    characters_.resize(size);
    texts_.reserve(texts.size());
    char* end = characters_.data();
    for (const std::string_view text : texts) {
      char* const begin = end;
      for (const char character : text) {
        *end = character;
        end += character == ' ' ? 0 : 1;
      }
      texts_.emplace_back(begin, static_cast<std::size_t>(end - begin));
    }
  }
  SpacelessTexts(const SpacelessTexts&) = delete;
  SpacelessTexts& operator=(const SpacelessTexts&) = delete;

  // One for each, in their order. Valid while this lives.
  std::span<const std::string_view> texts() const { return texts_; }

 private:
  std::string characters_;
  std::vector<std::string_view> texts_;
};

}  // namespace conpole

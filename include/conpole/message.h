// What a user is told about something that is wrong, so that it can be said in any language: a sentence with slots, and what
// fills them. The sentence in English, with {} for every slot ("expected {}, found {}"), is its id; what fills a slot may be
// such a message itself. src/language/errors has the sentences in other languages, and Catalogue::Say puts a message into
// words. Plain data; any thread may call any of this.
#pragma once

#include <concepts>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace conpole {

// A sentence in English with as many slots as it says, which the compiler counts.
template <std::size_t slots>
struct MessageId {
  template <typename Text>
    requires std::convertible_to<const Text&, std::string_view>
  consteval MessageId(const Text& sentence) : text(sentence) {  // NOLINT(google-explicit-constructor)
    std::size_t found = 0;
    for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
      if (at + 1 == text.size() || text[at + 1] != '}') throw "a slot is written {}";
      ++found;
    }
    if (found != slots) throw "a message needs one text for each slot";
  }

  std::string_view text;
};

class Message {
 public:
  Message() = default;
  // A sentence without slots, or any text that is the same in every language.
  Message(std::string text) : english_(std::move(text)) {}  // NOLINT(google-explicit-constructor)
  Message(std::string_view text) : english_(text) {}        // NOLINT(google-explicit-constructor)
  Message(const char* text) : english_(text) {}             // NOLINT(google-explicit-constructor)
  // A slot takes what a message can be made from, a character or a whole number.
  template <typename... Slots>
    requires(sizeof...(Slots) > 0)
  Message(MessageId<sizeof...(Slots)> id, Slots&&... slots) : id_(id.text), slots_{SlotOf(std::forward<Slots>(slots))...} {
    english_ = Filled(id_, [this](std::size_t slot) -> const std::string& { return slots_[slot].english_; });
  }

  const std::string& id() const { return slots_.empty() ? english_ : id_; }
  const std::vector<Message>& slots() const { return slots_; }
  const std::string& english() const { return english_; }
  bool empty() const { return english_.empty(); }

  operator const std::string&() const { return english_; }  // NOLINT(google-explicit-constructor)
  friend bool operator==(const Message& message, std::string_view english) { return message.english_ == english; }
  friend std::ostream& operator<<(std::ostream& out, const Message& message) { return out << message.english_; }

  // The sentence with its slots filled: {} is the first one that has not been used, {0} the first of all.
  template <typename TextOfSlot>
  static std::string Filled(std::string_view sentence, const TextOfSlot& text_of) {
    std::string filled;
    std::size_t next = 0;
    while (true) {
      const std::size_t open = sentence.find('{');
      filled += sentence.substr(0, open);
      if (open == std::string_view::npos) return filled;
      const bool numbered = sentence[open + 1] != '}';
      filled += text_of(numbered ? static_cast<std::size_t>(sentence[open + 1] - '0') : next++);
      sentence.remove_prefix(open + (numbered ? 3 : 2));
    }
  }

 private:
  template <typename Slot>
  static Message SlotOf(Slot&& slot) {
    using Plain = std::remove_cvref_t<Slot>;
    if constexpr (std::is_same_v<Plain, char>) {
      return std::string(1, slot);
    } else if constexpr (std::integral<Plain>) {
      return std::to_string(slot);
    } else {
      return Message(std::forward<Slot>(slot));
    }
  }

  std::string english_;  // put together once, when the message is made
  std::string id_;       // of one with slots; of others it is english_
  std::vector<Message> slots_;
};

}  // namespace conpole

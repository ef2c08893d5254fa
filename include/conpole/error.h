// The one exception type. Expected outcomes (solved, dead end, malformed text) are values; an Error is everything else that a
// user can act on: an unknown name, an unreadable file, a parameter out of range. It is caught only at the edges of the
// program, which say its message in the user's language.
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>

#include "conpole/message.h"

namespace conpole {

class Error : public std::runtime_error {
 public:
  explicit Error(Message message)
      : std::runtime_error(message.english()), message_(std::make_shared<const Message>(std::move(message))) {}

  // what() is the same in English.
  const Message& message() const { return *message_; }

 private:
  std::shared_ptr<const Message> message_;  // shared, so that copying an Error throws nothing
};

}  // namespace conpole

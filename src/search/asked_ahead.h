// For domains that answer many questions by one call in less time than by many, such as those written in Python: derive from
// this besides Domain, and searches that advance together say in each round what they are going to ask.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "conpole/domain.h"
#include "conpole/stop_token.h"

namespace conpole {

class AskedAhead {
 public:
  // A domain that knows the successors of these states already, with `solved` also which of these are solved, and asks this one
  // about all else. Domain and states must outlive it. It knows less if it was stopped.
  virtual std::unique_ptr<const Domain> Ask(std::span<const std::string_view> states, bool solved,
                                            const StopToken& stop) const = 0;

 protected:
  ~AskedAhead() = default;
};

}  // namespace conpole

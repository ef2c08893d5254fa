// The one exception type. Expected outcomes (solved, dead end, malformed text) are values; an Error is everything else that a
// user can act on: an unknown name, an unreadable file, a parameter out of range. It is caught only at the edges of the
// program.
#pragma once

#include <stdexcept>

namespace conpole {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace conpole

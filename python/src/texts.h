// Strings on their way between Python and C++.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <pybind11/pybind11.h>

namespace conpole::python {

// The characters of a str. Throws TypeError, naming `what`, for any other object. Valid as long as the object.
std::string_view ViewOf(pybind11::handle text, const char* what);

// The strings of a sequence, of a TextColumn or of the successors of an Expansion, which are looked at where they are. Valid as
// long as this object, also while the interpreter's lock is released. Made and destroyed with the lock held.
class Texts {
 public:
  // Throws TypeError, naming `what`, if it is nothing of the kind.
  Texts(const pybind11::object& sequence, const char* what);

  const std::vector<std::string_view>& views() const { return views_; }
  std::size_t size() const { return views_.size(); }

 private:
  pybind11::object owner_;  // of a sequence a copy: the caller's list may change meanwhile
  std::vector<std::string_view> views_;
};

pybind11::str ToStr(std::string_view text);

}  // namespace conpole::python

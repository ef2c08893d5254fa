// For domains that bring their subject along, such as those written in Python: derive from this besides Domain, and SubjectOf
// finds it.
#pragma once

namespace conpole {

class Subject;

class HasOwnSubject {
 public:
  // Lives as long as the domain.
  virtual const Subject& subject() const = 0;

 protected:
  ~HasOwnSubject() = default;
};

}  // namespace conpole

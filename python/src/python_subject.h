// What the tutor knows of a domain written in Python: what the methods explain, latex and verify of its class say, and the
// meanings of its axioms as hints. Where they say nothing, it is the subject of all domains that have none of their own.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "conpole/domain.h"
#include "python/src/python_methods.h"
#include "subjects/subject.h"

namespace conpole::python {

class PythonSubject final : public Subject {
 public:
  // Calls its argument with the methods of the domain's object, and with the interpreter's lock.
  using Ask = std::function<void(const std::function<void(const PythonMethods&)>&)>;

  // The type and what `ask` refers to must outlive it.
  PythonSubject(const DomainType* type, Ask ask) : Subject(type), ask_(std::move(ask)) {}

  std::string Write(Script script, const Line& line) const override;
  Verdict Verify(const Problem& problem, const Line& answer) const override;
  std::optional<std::string> OwnSentence(const Action& action, const Line& before, const Line& after, std::string_view language,
                                         bool results) const override;
  std::optional<std::string> OwnHint(const Action& action, std::string_view language) const override;

 private:
  Ask ask_;
};

}  // namespace conpole::python

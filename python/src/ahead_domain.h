// A domain written in Python in one round of searches: what they are going to ask it was asked by few calls of Python
// (asked_ahead.h).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "conpole/stop_token.h"
#include "python/src/python_methods.h"
#include "util/text_index.h"

namespace conpole::python {

class AheadDomain final : public Domain {
 public:
  // As AskedAhead::Ask has it. Requires the interpreter's lock.
  AheadDomain(const Domain& domain, const PythonMethods& methods, std::span<const std::string_view> states, bool solved,
              const StopToken& stop);

  std::string Generate(std::uint64_t seed) const override { return domain_.Generate(seed); }
  Status Expand(std::string_view state, Labels labels, Successors& out) const override;
  bool Solved(std::string_view state) const override;
  Parsed Parse(std::string_view text) const override { return domain_.Parse(text); }

 private:
  const Domain& domain_;
  TextIndex states_;
  Successors successors_;          // of all states, one after the other
  std::vector<Status> status_;     // per state
  std::vector<std::size_t> ends_;  // per state: one past its last successor
  TextIndex asked_;                // distinct successors
  std::vector<bool> solved_;       // of these
};

}  // namespace conpole::python

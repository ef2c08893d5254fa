// What states of a domain file mean: their values, truth or elements, as its `keeps` says. This judges rules before they are
// used, answers, and the lines of learners. Numbers are exact wherever the functions allow it. The work is bounded; what
// cannot be told is said to be so.
//
// Immutable; any thread may use it. The definition outlives it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domains/files/definition.h"
#include "domains/files/engine.h"

namespace conpole::files {

// Two states that differ in what should be kept, and where.
struct Counterexample {
  std::string before;
  std::string after;
  std::string point;         // "x = 2, y = -1"; empty if there are no letters
  std::string before_value;  // as people read it
  std::string after_value;
};

// What is wrong with a rule, in words.
std::string FaultMessage(const Definition& file, const Rule& rule, const Counterexample& fault);

class Judge {
 public:
  // Throws FileError if something that the file can say has no meaning, and one is needed.
  explicit Judge(const Definition& file);

  enum class Outcome : std::uint8_t { kSame, kDifferent, kCannotTell };

  // Whether two states mean the same. Points at which one of them is not defined count only if `is_strict`.
  Outcome Compare(const TermText& before, const TermText& after, bool is_strict,
                  Counterexample* counterexample = nullptr) const;

  // A state that the rule changes in a way that it must not; nothing if none was found.
  std::optional<Counterexample> FindFault(const Rule& rule, std::size_t attempts) const;
  // Whether the rule changes what is kept, as a mistake should.
  bool ChangesSomething(const Rule& rule, std::size_t attempts) const;
  // Whether an answer solves the problem, by other means than the steps.
  Outcome Verify(const TermText& problem, const TermText& answer) const;

 private:
  template <class Found>
  void ForEachInstance(const Rule& rule, std::size_t attempts, const Found& found) const;
  Outcome CompareAt(const TermText& before, const TermText& after, bool is_strict, const Rule* rule,
                    const Application* application, Counterexample* counterexample) const;

  const Definition& file_;
  Engine engine_;
  bool has_slope_ = false;  // whether a meaning is a derivative
};

}  // namespace conpole::files

// Applies the rules of a domain file to states that are terms or lists. A rule is matched against the flat array of parts of a
// state, and its result is spliced into the state's text: no term is built. Rules that begin with an operator look only at the
// parts that have it.
//
// Immutable; any thread may use it. The definition outlives it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/successors.h"
#include "domains/files/definition.h"
#include "domains/files/program.h"

namespace conpole::files {

// More successors of a state are not offered.
inline constexpr std::size_t kMaxSuccessors = 5'000;

// One way to use a rule, for those who explain it.
struct Application {
  std::string result;
  std::size_t at = 0;                                            // the part, or the element of a list
  std::map<std::string, std::string, std::less<>> slots = {};    // from, to and the variables
  std::vector<std::pair<std::int32_t, std::string>> bound = {};  // the variables with their texts
};

class Engine {
 public:
  explicit Engine(const Definition& file);

  bool Solved(const TermText& state) const;
  // Nothing is appended if the state has more parts than the limit.
  void Append(const TermText& state, Labels labels, Successors& out) const;
  bool AnyRuleApplies(const TermText& state) const;
  // All ways to use one rule on a state, whatever its family says.
  std::vector<Application> Applications(const Rule& rule, const TermText& state) const;
  std::vector<Application> Applications(const RuleProgram& rule, const TermText& state) const;
  // Fills the slots of a sentence.
  static std::string Fill(const Template& text, const Definition& file, const Application& application);

 private:
  template <class Run, class Added>
  void AppendAll(Run& run, const Added& added) const;

  const Definition& file_;
  std::vector<FamilyProgram> families_;
  std::vector<GoalProgram> goals_;
  FormIndex index_;
};

}  // namespace conpole::files

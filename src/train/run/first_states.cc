#include "train/run/first_states.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>

#include "conpole/successors.h"
#include "domains/files/domain_file.h"
#include "nn/alphabet.h"
#include "util/random.h"
#include "util/text.h"

namespace conpole {
namespace {

// Calls `visit` with each state until that returns false. Returns whether it never did.
template <class Visit>
bool VisitFirstStates(const Domain& domain, const SeedRange& problems, const Visit& visit) {
  constexpr std::uint64_t kProblems = 64;
  constexpr int kSteps = 4;
  Random random(0);
  Successors successors;
  for (std::uint64_t i = 0; i < std::min(kProblems, problems.size()); ++i) {
    std::string state = domain.Generate(problems.first + i);
    if (!visit(state)) return false;
    for (int step = 0; step < kSteps; ++step) {
      successors.Clear();
      if (domain.Expand(state, Labels::kOff, successors) != Status::kOpen || successors.size() == 0) break;
      for (std::size_t k = 0; k < successors.size(); ++k) {
        if (!visit(successors.state(k))) return false;
      }
      state = successors.state(random.Uint64(0, successors.size()));
    }
  }
  return true;
}

void AddSignsOf(const files::Definition& definition, AlphabetBuilder& builder) {
  for (const files::Operator& op : definition.grammar.operators()) {
    builder.Add(op.symbol);
    for (const std::string& literal : op.literals) builder.Add(literal);
  }
  if (definition.kind == files::StateKind::kList) {
    for (const std::string* const part :
         {&definition.grammar.list.open, &definition.grammar.list.separator, &definition.grammar.list.close}) {
      builder.Add(*part);
    }
  }
  for (const std::string& colour : definition.layout.colours) builder.Add(colour);
  builder.Add(definition.layout.picture);
}

}  // namespace

bool MeansTheSameWithoutSpaces(const Domains& domains, const SeedRange& problems) {
  bool has_spaces = false;
  std::map<std::string, std::string> seen;  // of a domain, by what is left
  const auto is_clear = [&](std::string_view state) {
    std::string left;
    for (std::size_t i = 0; i < state.size(); ++i) {
      if (state[i] != ' ') {
        left += state[i];
        continue;
      }
      has_spaces = true;
      const char before = i == 0 ? ' ' : state[i - 1];
      const char behind = i + 1 == state.size() ? ' ' : state[i + 1];
      if ((IsDigit(before) && IsDigit(behind)) || (IsLetter(before) && IsLetter(behind))) return false;
    }
    return seen.emplace(left, state).first->second == state;
  };
  for (const Domain* const domain : domains) {
    seen.clear();
    if (!VisitFirstStates(*domain, problems, is_clear)) return false;
  }
  return has_spaces;
}

std::string AlphabetOf(const Domains& domains, const SeedRange& problems) {
  AlphabetBuilder builder;
  for (const Domain* const domain : domains) {
    if (const DomainFile* const file = domain->type().file) AddSignsOf(file->definition(), builder);
    VisitFirstStates(*domain, problems, [&](std::string_view state) {
      builder.Add(state);
      return true;
    });
    constexpr std::uint64_t kMoreProblems = 256;  // of which only the first state is looked at
    for (std::uint64_t i = 0; i < std::min(kMoreProblems, problems.size()); ++i) {
      builder.Add(domain->Generate(problems.first + i));
    }
  }
  return builder.Alphabet();
}

}  // namespace conpole

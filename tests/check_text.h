// What holds for any text whatsoever that a domain is given: it is a state or it is refused with a reason, and a state's text
// is stable. Shared by the conformance suite and the fuzz targets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conpole/domain.h"

namespace conpole {

// Every registered domain, for suites that are run for each.
inline std::vector<std::string> DomainNames() {
  std::vector<std::string> names;
  for (const DomainType* type : DomainTypes()) names.push_back(type->name);
  return names;
}

// The successors of one state, copied out of the buffer.
struct Expansion {
  Status status = Status::kMalformed;
  std::vector<std::pair<std::string, std::string>> actions;  // label (empty without labels), next state

  friend bool operator==(const Expansion&, const Expansion&) = default;
};

inline Expansion ExpandCopy(const Domain& domain, std::string_view state, Labels labels = Labels::kOn) {
  Successors out;
  Expansion result{domain.Expand(state, labels, out), {}};
  for (std::size_t i = 0; i < out.size(); ++i) {
    result.actions.emplace_back(labels == Labels::kOn ? out.label(i) : std::string_view(), out.state(i));
  }
  return result;
}

// The state that the action with this label leads to; nothing if there is no such action.
inline std::optional<std::string> Next(const Domain& domain, std::string_view state, std::string_view label) {
  for (const auto& [name, next] : ExpandCopy(domain, state).actions) {
    if (name == label) return next;
  }
  return std::nullopt;
}

// The labels of all actions of these axioms, in order.
inline std::vector<std::string> LabelsOf(const Domain& domain, std::string_view state, const std::vector<std::string>& axioms) {
  std::vector<std::string> labels;
  for (const auto& [label, next] : ExpandCopy(domain, state).actions) {
    if (std::find(axioms.begin(), axioms.end(), AxiomOf(label)) != axioms.end()) labels.push_back(label);
  }
  return labels;
}

inline bool IsReason(const Malformed& error, std::string_view text) {
  return error.position <= text.size() && !error.message.empty();
}

// Returns what is wrong with the domain's answers about `text`; nothing if all is well.
inline std::optional<std::string> FindFault(const Domain& domain, std::string_view text) {
  const Parsed parsed = domain.Parse(text);
  Successors out;
  const Status status = domain.Expand(text, Labels::kOn, out);
  if (status == Status::kMalformed) {
    if (!IsReason(out.error(), text)) return "Expand gives no reason or a position past the end";
    if (!parsed.error) return "Expand refuses what Parse accepts";
  }
  if (status != Status::kOpen && !out.empty()) return "successors of a state that is not open";
  if (status == Status::kOpen && out.empty()) return "an open state without successors";
  if (parsed.error) {
    if (!IsReason(*parsed.error, text)) return "Parse gives no reason or a position past the end";
    return std::nullopt;
  }
  const Parsed again = domain.Parse(parsed.state);
  if (again.error || again.state != parsed.state) return "not canonical: " + parsed.state;
  if (domain.Solved(parsed.state) != (status == Status::kSolved)) return "Solved and Expand disagree on " + parsed.state;
  const Expansion expansion = ExpandCopy(domain, parsed.state);
  if (ExpandCopy(domain, text) != expansion) return "other successors than of " + parsed.state;
  // Texts that are not canonical may be read in another way.
  const std::string spaced = ' ' + parsed.state;
  if (const Parsed same = domain.Parse(spaced); !same.error) {
    if (same.state != parsed.state) return "another state after a blank: " + same.state;
    if (ExpandCopy(domain, spaced) != expansion) return "other successors after a blank than of " + parsed.state;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Parsed next = domain.Parse(out.state(i));
    const std::string step = std::string(out.label(i)) + " => " + std::string(out.state(i));
    if (next.error) return "successor is malformed: " + step + ": " + next.error->message.english();
    if (next.state != out.state(i)) return "successor is not canonical: " + step + ", which reads " + next.state;
  }
  return std::nullopt;
}

}  // namespace conpole

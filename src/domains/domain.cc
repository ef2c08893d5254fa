#include "conpole/domain.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "conpole/error.h"
#include "domains/files/domain_file.h"
#include "util/read_number.h"
#include "util/text.h"

namespace conpole {

std::optional<Malformed> CheckLength(std::string_view text) {
  if (text.size() <= kMaxStateBytes) return std::nullopt;
  return Malformed{kMaxStateBytes, Message("the text is longer than {} bytes", kMaxStateBytes)};
}

Parameters::Parameters(const std::vector<Parameter>& known, const std::map<std::string, std::string>& given) {
  for (const Parameter& parameter : known) values_[parameter.name] = parameter.default_value;
  for (const auto& [name, value] : given) {
    const auto parameter =
        std::find_if(known.begin(), known.end(), [&, &name = name](const Parameter& p) { return p.name == name; });
    if (parameter == known.end()) {
      std::vector<std::string> names;
      for (const Parameter& p : known) names.push_back(p.name);
      throw Error(fmt::format("unknown parameter '{}'; there are: {}", name, Join(names)));
    }
    if (parameter->range) {
      const std::optional<std::int64_t> number = ReadNumber<std::int64_t>(value);
      if (!number || *number < parameter->range->low || *number > parameter->range->high) {
        throw Error(fmt::format("parameter '{}' must be an integer from {} to {}, not '{}'", name, parameter->range->low,
                                parameter->range->high, value));
      }
    }
    values_[name] = value;
  }
}

std::int64_t Parameters::Integer(std::string_view name) const { return std::stoll(Text(name)); }

const std::string& Parameters::Text(std::string_view name) const {
  const auto value = values_.find(name);
  if (value == values_.end()) throw Error(fmt::format("there is no parameter '{}'", name));
  return value->second;
}

void Parameters::RequireOrdered(std::string_view low, std::string_view high) const {
  if (Integer(low) > Integer(high)) {
    throw Error(fmt::format("parameter '{}' ({}) is greater than '{}' ({})", low, Integer(low), high, Integer(high)));
  }
}

std::string Domain::Spec() const {
  if (type_.file != nullptr) return type_.file->spec();
  std::string spec = type_.name;
  char separator = ':';
  for (const Parameter& parameter : type_.parameters) {
    const std::string& value = parameters_.Text(parameter.name);
    if (value == parameter.default_value) continue;
    spec += fmt::format("{}{}={}", separator, parameter.name, value);
    separator = ',';
  }
  return spec;
}

Status Domain::Apply(std::string_view state, std::string_view axiom, Successors& out) const {
  const auto& axioms = type_.axioms;
  if (std::none_of(axioms.begin(), axioms.end(), [&](const Axiom& known) { return known.name == axiom; })) {
    std::vector<std::string> names;
    for (const Axiom& known : axioms) names.push_back(known.name);
    throw Error(fmt::format("domain {} has no axiom '{}'; there are: {}", type_.name, axiom, Join(names)));
  }
  const std::size_t first = out.size();
  const Status status = Expand(state, Labels::kOn, out);
  if (status != Status::kOpen) return status;
  out.KeepAxiom(first, axiom);
  return out.size() == first ? Status::kDeadEnd : Status::kOpen;
}

void Successors::Clear() {
  states_.Clear();
  labels_.Clear();
  state_ends_.resize(1);
  label_ends_.resize(1);
}

void Successors::KeepAxiom(std::size_t first, std::string_view axiom) {
  // Kept ones move forward over those that go; the bytes may overlap.
  std::size_t kept = first;
  const auto move = [](TextBuffer& text, std::vector<std::size_t>& ends, std::size_t from, std::size_t to) {
    const std::size_t length = ends[from + 1] - ends[from];
    text.MoveWithin(ends[from], ends[to], length);
    ends[to + 1] = ends[to] + length;
  };
  for (std::size_t i = first; i < size(); ++i) {
    if (AxiomOf(label(i)) != axiom) continue;
    move(states_, state_ends_, i, kept);
    move(labels_, label_ends_, i, kept);
    ++kept;
  }
  state_ends_.resize(kept + 1);
  label_ends_.resize(kept + 1);
  states_.Truncate(state_ends_.back());
  labels_.Truncate(label_ends_.back());
}

}  // namespace conpole

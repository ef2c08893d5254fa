// A label read for its place: axiom, position, operand. Views into the label. Any thread may call this.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

#include "conpole/successors.h"
#include "domains/axioms/places.h"
#include "util/text.h"

namespace conpole {

struct PlacedLabel {
  std::string_view axiom;
  std::optional<std::uint32_t> position;
  std::string_view rest;  // what else it names: the operand of an axiom without a position
};

inline PlacedLabel ReadPlacedLabel(std::string_view label, const Places& places) {
  PlacedLabel read;
  read.axiom = AxiomOf(label);
  read.rest = label.substr(std::min(label.size(), read.axiom.size() + 1));
  const Places::Labelled labelled = places.labelled();
  if (labelled == Places::Labelled::kNever || read.rest.empty() || !IsDigit(read.rest.front())) return read;
  std::uint32_t position = 0;
  const char* const end = read.rest.data() + read.rest.size();
  const auto [at, failed] = std::from_chars(read.rest.data(), end, position);
  if (failed != std::errc()) return read;
  const bool is_place = at == end ? labelled == Places::Labelled::kAlways : *at == ',';
  if (!is_place) return read;
  read.position = position;
  read.rest.remove_prefix(static_cast<std::size_t>(at - read.rest.data()));
  if (!read.rest.empty()) read.rest.remove_prefix(1);
  if (read.rest.starts_with(' ')) read.rest.remove_prefix(1);
  return read;
}

}  // namespace conpole

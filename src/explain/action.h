// An action of a domain as data: what its label says, read once. Everything that speaks about steps works on this. Plain data;
// any thread may use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace conpole {

struct Action {
  std::string label;  // as the domain writes it
  std::string axiom;
  std::optional<std::size_t> position;  // of the subterm, digit or bar that the axiom is used on
  std::vector<std::string> operands;    // what else the label names, in its order
};

// What a number means that stands alone after the axiom: the 3 of "swap 3" is a position, that of "sub 3" an operand.
enum class LoneNumber : std::uint8_t { kPosition, kOperand };

// Reads AXIOM, AXIOM POSITION, AXIOM OPERAND or AXIOM POSITION, OPERAND, OPERAND... The only reader of labels. Every text is
// read; what has no such form becomes operands.
Action ReadLabel(std::string_view label, LoneNumber lone_number);

}  // namespace conpole

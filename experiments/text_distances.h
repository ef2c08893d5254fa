// How far apart two problems are by their texts alone: what vectors have to do better than before they can be said to have
// learned anything. Values; any thread may call these.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace conpole {

// Characters to insert, delete or replace (Levenshtein).
std::size_t EditDistance(std::string_view a, std::string_view b);

// Every run of digits as one N.
std::string WithNumbersAsN(std::string_view text);

// The shape of a problem: its text without its numbers, their signs and what is put around them because of these. Problems of
// one template have one shape: (2x - 7) = (-3) and (-5x - 1) = 4 are (Nx - N) = N.
std::string ShapeOf(std::string_view text);

// Unknowns (letters); pluses and minuses between two terms, so that signs of numbers do not count; products and quotients, also
// those that are written without a sign, as 3x.
using Counts = std::array<std::size_t, 3>;
Counts CountsOf(std::string_view text);
// The sum of the differences.
std::size_t CountsDistance(const Counts& a, const Counts& b);

// How often each character occurs; all digits count as one.
using CharacterCounts = std::array<std::size_t, 256>;
CharacterCounts CharacterCountsOf(std::string_view text);
std::size_t CharacterCountsDistance(const CharacterCounts& a, const CharacterCounts& b);

}  // namespace conpole

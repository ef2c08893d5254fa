// Scorers that know nothing of a domain but the text of its states, and one that knows the cube. They cost next to nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "conpole/scorer.h"

namespace conpole {

// Uniform in [0, 1), a function of the seed and the two texts.
std::unique_ptr<Scorer> MakeRandomScorer(std::uint64_t seed);

// 1 / length of the candidate: shorter is better.
std::unique_ptr<Scorer> MakeLengthScorer();

// For the cube: the share of cells that have the colour they should have.
std::unique_ptr<Scorer> MakeStickerScorer();

// A scorer by its name on the command line (random, length, stickers). Throws Error, listing what exists, if there is none or
// it does not fit the domain.
std::unique_ptr<Scorer> MakeScorer(std::string_view name, std::string_view domain, std::uint64_t seed);

// The name of the one that guides best where there is no model.
std::string_view DefaultScorer(std::string_view domain);

}  // namespace conpole

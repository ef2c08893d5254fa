// Scorers that need no network: they know the text of a state, or what its domain knows about it. They cost next to nothing. As
// all scorers, one thread at a time uses them.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "conpole/domain.h"
#include "conpole/scorer.h"

namespace conpole {

// Uniform in [0, 1), a function of the seed and the two texts. A rank.
std::unique_ptr<Scorer> MakeRandomScorer(std::uint64_t seed);

// 1 / length of the candidate: shorter is better. A rank.
std::unique_ptr<Scorer> MakeLengthScorer();

// Minus the steps to go from the candidate, as the heuristic estimates them.
std::unique_ptr<Scorer> MakeHeuristicScorer(const Heuristic& heuristic);

// A scorer by its name: random, length, or a heuristic of the domain. Throws Error, listing what exists, if there is none.
std::unique_ptr<Scorer> MakeScorer(std::string_view name, const DomainType& domain, std::uint64_t seed);

// Whether the domain's best heuristic guides well enough to be used where a model is there too.
bool HeuristicSuffices(const DomainType& domain);

// The name of the one that guides best without a model.
std::string_view DefaultScorer(const DomainType& domain);

}  // namespace conpole

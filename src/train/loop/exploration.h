// What searches in training do besides following the network: how they go by chance while it knows nothing, and how they
// deviate from it. All is a function of seeds and texts, so that runs can be repeated. Any thread may call the functions.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "conpole/scorer.h"
#include "train/run/options.h"

namespace conpole {

// What searches are guided by until the network counts: chance alone, or chance that prefers short texts. Ranks.
std::unique_ptr<Scorer> MakeChanceScorer(Chance chance, std::uint64_t seed);

// Adds to each score a draw from Gumbel's distribution, times `scale`: the best K of the sums are then K candidates drawn one
// after the other, each with a probability proportional to exp(score / scale). `seed` should be another one for each batch.
void AddGumbelNoise(const ScoreBatch& batch, double scale, std::uint64_t seed, std::span<float> scores);

}  // namespace conpole

#include "train/loop/exploration.h"

#include <cmath>

#include "search/scorers.h"
#include "util/hash.h"

namespace conpole {
namespace {

// A character less makes a candidate so much more likely, in nats.
constexpr double kNatsPerCharacter = 0.25;

// A draw from Gumbel's distribution, by a number that looks random.
double Gumbel(std::uint64_t bits) {
  const double part = (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53;  // inside (0, 1)
  return -std::log(-std::log(part));
}

class ShortTextScorer final : public Scorer {
 public:
  explicit ShortTextScorer(std::uint64_t seed) : seed_(seed) {}

  ScoreMeaning meaning() const override { return ScoreMeaning::kRank; }
  bool NeedsDistinctTexts() const override { return false; }
  void Score(const ScoreBatch& batch, std::span<float> scores) override {
    for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
      scores[i] = static_cast<float>(-kNatsPerCharacter * static_cast<double>(batch.texts[batch.pairs[i].candidate].size()));
    }
    AddGumbelNoise(batch, 1, seed_, scores);
  }

 private:
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<Scorer> MakeChanceScorer(Chance chance, std::uint64_t seed) {
  if (chance == Chance::kShort) return std::make_unique<ShortTextScorer>(seed);
  return MakeRandomScorer(seed);
}

void AddGumbelNoise(const ScoreBatch& batch, double scale, std::uint64_t seed, std::span<float> scores) {
  for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
    const ScoreBatch::Pair& pair = batch.pairs[i];
    const std::uint64_t bits = MixHash(batch.hashes[pair.parent] ^ seed, batch.hashes[pair.candidate]);
    scores[i] += static_cast<float>(scale * Gumbel(bits));
  }
}

}  // namespace conpole

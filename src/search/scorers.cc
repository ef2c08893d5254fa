#include "search/scorers.h"

#include <fmt/format.h>

#include "conpole/error.h"
#include "util/hash.h"
#include "util/text.h"

namespace conpole {
namespace {

// A scorer that is a function of one pair at a time.
template <class ScorePair>
class PairScorer final : public Scorer {
 public:
  explicit PairScorer(ScorePair score_pair) : score_pair_(score_pair) {}
  ScoreMeaning meaning() const override { return ScoreMeaning::kRank; }
  bool NeedsDistinctTexts() const override { return false; }
  void Score(const ScoreBatch& batch, std::span<float> scores) override {
    for (std::size_t i = 0; i < batch.pairs.size(); ++i) scores[i] = score_pair_(batch, batch.pairs[i]);
  }

 private:
  ScorePair score_pair_;
};

template <class ScorePair>
std::unique_ptr<Scorer> MakePairScorer(ScorePair score_pair) {
  return std::make_unique<PairScorer<ScorePair>>(score_pair);
}

}  // namespace

std::unique_ptr<Scorer> MakeRandomScorer(std::uint64_t seed) {
  return MakePairScorer([seed](const ScoreBatch& batch, ScoreBatch::Pair pair) {
    const std::uint64_t bits = MixHash(batch.hashes[pair.parent] ^ seed, batch.hashes[pair.candidate]);
    return static_cast<float>(bits >> 40) * 0x1p-24F;
  });
}

std::unique_ptr<Scorer> MakeLengthScorer() {
  return MakePairScorer([](const ScoreBatch& batch, ScoreBatch::Pair pair) {
    return 1.0F / static_cast<float>(batch.texts[pair.candidate].size() + 1);
  });
}

std::unique_ptr<Scorer> MakeStickerScorer() {
  return MakePairScorer([](const ScoreBatch& batch, ScoreBatch::Pair pair) {
    // A000000000a: the colour belongs on the face that the letter before it names.
    const std::string_view text = batch.texts[pair.candidate];
    char colour = '0';
    int right = 0;
    for (const char c : text) {
      if (c >= 'A' && c <= 'F') colour = static_cast<char>('0' + (c - 'A'));
      right += c == colour ? 1 : 0;
    }
    return static_cast<float>(right) / 54.0F;
  });
}

std::unique_ptr<Scorer> MakeScorer(std::string_view name, std::string_view domain, std::uint64_t seed) {
  if (name == "random") return MakeRandomScorer(seed);
  if (name == "length") return MakeLengthScorer();
  if (name == "stickers" && domain != "rubiks-cube") throw Error("the scorer 'stickers' is for rubiks-cube only");
  if (name == "stickers") return MakeStickerScorer();
  throw Error(fmt::format("unknown scorer '{}'; there are: random, length, stickers", name));
}

std::string_view DefaultScorer(std::string_view domain) { return domain == "rubiks-cube" ? "stickers" : "length"; }

}  // namespace conpole

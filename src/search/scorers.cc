#include "search/scorers.h"

#include <string>
#include <vector>

#include "conpole/error.h"
#include "util/hash.h"
#include "util/text.h"

namespace conpole {
namespace {

// A scorer that is a function of one pair at a time.
template <class ScorePair>
class PairScorer final : public Scorer {
 public:
  PairScorer(ScoreMeaning meaning, ScorePair score_pair) : meaning_(meaning), score_pair_(score_pair) {}
  ScoreMeaning meaning() const override { return meaning_; }
  bool NeedsDistinctTexts() const override { return false; }
  std::size_t CharactersAtATime() const override { return SIZE_MAX; }
  void Score(const ScoreBatch& batch, std::span<float> scores) override {
    for (std::size_t i = 0; i < batch.pairs.size(); ++i) scores[i] = score_pair_(batch, batch.pairs[i]);
  }

 private:
  ScoreMeaning meaning_;
  ScorePair score_pair_;
};

template <class ScorePair>
std::unique_ptr<Scorer> MakePairScorer(ScoreMeaning meaning, ScorePair score_pair) {
  return std::make_unique<PairScorer<ScorePair>>(meaning, score_pair);
}

}  // namespace

std::unique_ptr<Scorer> MakeRandomScorer(std::uint64_t seed) {
  return MakePairScorer(ScoreMeaning::kRank, [seed](const ScoreBatch& batch, ScoreBatch::Pair pair) {
    const std::uint64_t bits = MixHash(batch.hashes[pair.parent] ^ seed, batch.hashes[pair.candidate]);
    return static_cast<float>(bits >> 40) * 0x1p-24F;
  });
}

std::unique_ptr<Scorer> MakeLengthScorer() {
  return MakePairScorer(ScoreMeaning::kRank, [](const ScoreBatch& batch, ScoreBatch::Pair pair) {
    return 1.0F / static_cast<float>(batch.texts[pair.candidate].size() + 1);
  });
}

std::unique_ptr<Scorer> MakeHeuristicScorer(const Heuristic& heuristic) {
  return MakePairScorer(ScoreMeaning::kMinusStepsToGo,
                        [steps_to_go = heuristic.steps_to_go](const ScoreBatch& batch, ScoreBatch::Pair pair) {
                          return -steps_to_go(batch.texts[pair.candidate]);
                        });
}

std::unique_ptr<Scorer> MakeScorer(std::string_view name, const DomainType& domain, std::uint64_t seed) {
  if (name == "random") return MakeRandomScorer(seed);
  if (name == "length") return MakeLengthScorer();
  std::vector<std::string> names{"random", "length"};
  for (const Heuristic& heuristic : domain.heuristics) {
    if (heuristic.name == name) return MakeHeuristicScorer(heuristic);
    names.push_back(heuristic.name);
  }
  throw Error(Message("there is no scorer '{}' for {}; there are: {}", name, domain.name, Join(names)));
}

bool HeuristicSuffices(const DomainType& domain) { return !domain.heuristics.empty() && domain.heuristics.front().suffices; }

std::string_view DefaultScorer(const DomainType& domain) {
  return domain.heuristics.empty() ? std::string_view("length") : domain.heuristics.front().name;
}

}  // namespace conpole

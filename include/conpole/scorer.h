// The seam between search and whatever guides it. A search collects what it wants to know of many problems into one batch, and
// a scorer answers the whole batch at once. Caching and other additions are scorers around a scorer. One thread at a time uses
// a scorer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace conpole {

// (parent, candidate) pairs over a list of texts. The texts stay valid during the call.
struct ScoreBatch {
  struct Pair {
    std::uint32_t parent;     // index of a text
    std::uint32_t candidate;  // index of a text
  };
  std::span<const std::string_view> texts;
  std::span<const std::uint64_t> hashes;  // of the texts
  std::span<const Pair> pairs;
};

// What a score says about a candidate. Higher is always better. A search names the meanings that it can use and refuses others.
enum class ScoreMeaning : std::uint8_t {
  kLogPreference,   // log of how much it is preferred to its parent's other candidates, up to a constant: a policy's logits
  kLogOdds,         // log-odds that it lies on a solution, whatever its parent
  kMinusStepsToGo,  // minus an estimate of the steps from it to a solution, whatever its parent
  kRank,            // nothing but that higher is better
};

// The names of the meanings in files, settings and messages, in the order above.
inline constexpr std::array<std::string_view, 4> kScoreMeaningNames{"log-preference", "log-odds", "steps-to-go", "rank"};
constexpr std::string_view ScoreMeaningName(ScoreMeaning meaning) {
  return kScoreMeaningNames[static_cast<std::size_t>(meaning)];
}
// Nothing if no meaning has this name.
constexpr std::optional<ScoreMeaning> ScoreMeaningOf(std::string_view name) {
  for (std::size_t i = 0; i < kScoreMeaningNames.size(); ++i) {
    if (kScoreMeaningNames[i] == name) return static_cast<ScoreMeaning>(i);
  }
  return std::nullopt;
}

class PackedPolicy;

class Scorer {
 public:
  virtual ~Scorer() = default;

  virtual ScoreMeaning meaning() const = 0;
  // Whether the texts of a batch must all be different. Finding that out is worth it if looking at a text is expensive.
  virtual bool NeedsDistinctTexts() const { return true; }

  // How many problems should advance together for batches that suit this scorer: enough to keep it busy, and few enough for
  // their states to stay in the processor's cache and for a batch to be answered well within a second.
  virtual std::size_t ProblemsInFlight() const { return 64; }

  // How many characters of candidates it should be given at a time: few enough to be answered well within a second, since a
  // search can be stopped only in between. Larger batches come in pieces; SIZE_MAX says that this is never needed.
  virtual std::size_t CharactersAtATime() const { return std::size_t{1} << 20; }

  // The policy behind it, where states are packed (conpole/packed_policy.h), so that a search can do without texts; null if
  // there is none. It belongs to the scorer.
  virtual PackedPolicy* packed() { return nullptr; }

  // Writes one score per pair; higher is better. A pair's score depends on its two texts alone, not on the rest of the batch.
  // Called by one thread at a time.
  virtual void Score(const ScoreBatch& batch, std::span<float> scores) = 0;
};

}  // namespace conpole

// Scorers of concurrent calls that share a network: what they ask for at about the same time is answered in one network call,
// since a network scores many texts in less time than one after another. Nobody waits for company: whoever asks while an engine
// is free uses it at once, for itself and for all that wait; who asks while none is free is answered together with the others
// that do. A pair's score depends on its two texts alone, so that the answers are the same as without company.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "conpole/scorer.h"
#include "util/text_index.h"

namespace conpole {

// The queue in front of the network. Any number of threads may ask.
class ScoreBatcher {
 public:
  struct Counts {
    std::uint64_t asked = 0;     // batches that were asked for
    std::uint64_t answered = 0;  // network calls that answered them
    std::uint64_t pairs = 0;     // that were scored
  };

  // The engines, at least one, give the same scores; each is used by one thread at a time. No more texts are joined than an
  // engine takes at a time.
  explicit ScoreBatcher(std::vector<std::unique_ptr<Scorer>> engines);

  // Returns once the scores are written. Throws what the engine throws for this batch.
  void Score(const ScoreBatch& batch, std::span<float> scores);

  ScoreMeaning meaning() const { return meaning_; }
  std::size_t problems_in_flight() const { return problems_in_flight_; }
  std::size_t characters_at_a_time() const { return characters_at_a_time_; }
  Counts counts() const;

 private:
  struct Asked {
    const ScoreBatch& batch;
    std::span<float> scores;
    std::size_t characters;
    bool is_taken = false;  // by whoever runs an engine
    bool is_done = false;
    std::exception_ptr failure = {};
    std::condition_variable wake = {};
  };
  struct Engine {
    std::unique_ptr<Scorer> scorer;
    TextIndex texts = {};  // of a joined batch; memory that is used again
    std::vector<ScoreBatch::Pair> pairs = {};
    std::vector<float> scores = {};
  };

  // Those at the head of the queue that fit into one network call. Requires the lock and a queue that is not empty.
  std::vector<Asked*> TakeTogether();
  static void Answer(Engine& engine, std::span<Asked* const> together);
  static void AnswerJoined(Engine& engine, std::span<Asked* const> together);

  ScoreMeaning meaning_;
  std::size_t problems_in_flight_;
  std::size_t characters_at_a_time_;

  mutable std::mutex mutex_;  // of all below, and of what is asked; not held while an engine runs
  std::vector<Engine> engines_;
  std::vector<Engine*> free_engines_;
  std::deque<Asked*> queue_;  // not taken yet
  Counts counts_;
};

// The scorer of one call. The batcher must outlive it.
class BatchingScorer final : public Scorer {
 public:
  explicit BatchingScorer(ScoreBatcher& batcher) : batcher_(batcher) {}

  ScoreMeaning meaning() const override { return batcher_.meaning(); }
  std::size_t ProblemsInFlight() const override { return batcher_.problems_in_flight(); }
  std::size_t CharactersAtATime() const override { return batcher_.characters_at_a_time(); }
  void Score(const ScoreBatch& batch, std::span<float> scores) override { batcher_.Score(batch, scores); }

 private:
  ScoreBatcher& batcher_;
};

}  // namespace conpole

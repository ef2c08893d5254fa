#include "service/batching_scorer.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/error.h"
#include "tutor/policy.h"

namespace conpole {
namespace {

// Opens once, for all that wait.
class Gate {
 public:
  void Open() {
    {
      const std::lock_guard lock(mutex_);
      is_open_ = true;
    }
    opened_.notify_all();
  }
  void Wait() {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return is_open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool is_open_ = false;
};

// Scores by lengths; the first call waits at the gate. It does not like bad texts.
class SlowScorer final : public Scorer {
 public:
  explicit SlowScorer(Gate& gate, std::size_t characters = SIZE_MAX) : gate_(gate), characters_(characters) {}

  ScoreMeaning meaning() const override { return ScoreMeaning::kLogPreference; }
  std::size_t CharactersAtATime() const override { return characters_; }
  void Score(const ScoreBatch& batch, std::span<float> scores) override {
    if (++calls_ == 1) gate_.Wait();
    for (const std::string_view text : batch.texts) {
      if (text == "bad") throw Error("a bad text");
    }
    for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
      scores[i] =
          static_cast<float>(100 * batch.texts[batch.pairs[i].parent].size() + batch.texts[batch.pairs[i].candidate].size());
    }
  }

 private:
  Gate& gate_;
  std::size_t characters_;
  int calls_ = 0;
};

std::vector<std::unique_ptr<Scorer>> One(std::unique_ptr<Scorer> scorer) {
  std::vector<std::unique_ptr<Scorer>> scorers;
  scorers.push_back(std::move(scorer));
  return scorers;
}

// Asks from many threads while the first one holds the engine; returns what each got, -1 for an error.
std::vector<float> AskTogether(ScoreBatcher& batcher, Gate& gate, const std::vector<std::string>& candidates) {
  std::vector<float> scores(candidates.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    threads.emplace_back([&, i] {
      BatchingScorer scorer(batcher);
      const std::string_view candidate = candidates[i];
      try {
        scores[i] = ScoreCandidates(scorer, "parent", std::span(&candidate, 1)).front();
      } catch (const Error&) {
        scores[i] = -1;
      }
    });
    // All of them ask before the first is answered.
    while (batcher.counts().asked != i + 1) std::this_thread::yield();
  }
  gate.Open();
  for (std::thread& thread : threads) thread.join();
  return scores;
}

TEST(BatchingScorerTest, WhatIsAskedMeanwhileIsAnsweredTogether) {
  Gate gate;
  ScoreBatcher batcher(One(std::make_unique<SlowScorer>(gate)));
  EXPECT_EQ(AskTogether(batcher, gate, {"a", "bb", "ccc", "bb", "a"}), (std::vector<float>{601, 602, 603, 602, 601}));
  EXPECT_EQ(batcher.counts().asked, 5U);
  EXPECT_EQ(batcher.counts().answered, 2U);
  EXPECT_EQ(batcher.counts().pairs, 5U);
}

TEST(BatchingScorerTest, NoMoreIsJoinedThanAnEngineTakesAtATime) {
  Gate gate;
  // "parent" and two letters twice.
  ScoreBatcher batcher(One(std::make_unique<SlowScorer>(gate, 16)));
  EXPECT_EQ(AskTogether(batcher, gate, {"aa", "bb", "cc", "dd", "ee"}), std::vector<float>(5, 602));
  EXPECT_EQ(batcher.counts().answered, 3U);
}

TEST(BatchingScorerTest, OneFaultIsNotEverybodys) {
  Gate gate;
  ScoreBatcher batcher(One(std::make_unique<SlowScorer>(gate)));
  EXPECT_EQ(AskTogether(batcher, gate, {"a", "bb", "bad", "ccc"}), (std::vector<float>{601, 602, -1, 603}));
}

TEST(BatchingScorerTest, ManyThreadsAndEngines) {
  Gate gate;
  gate.Open();
  std::vector<std::unique_ptr<Scorer>> engines;
  for (int i = 0; i < 2; ++i) engines.push_back(std::make_unique<SlowScorer>(gate, 64));
  ScoreBatcher batcher(std::move(engines));
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (std::size_t t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      BatchingScorer scorer(batcher);
      for (std::size_t i = 0; i < 200; ++i) {
        const std::string text(1 + (t * 7 + i) % 20, 'x');
        const std::string_view candidate = text;
        if (ScoreCandidates(scorer, "p", std::span(&candidate, 1)).front() != static_cast<float>(100 + text.size())) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(batcher.counts().asked, 1600U);
}

}  // namespace
}  // namespace conpole

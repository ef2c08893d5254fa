#include "service/batching_scorer.h"

#include <algorithm>
#include <utility>

namespace conpole {

ScoreBatcher::ScoreBatcher(std::vector<std::unique_ptr<Scorer>> engines)
    : meaning_(engines.front()->meaning()),
      problems_in_flight_(engines.front()->ProblemsInFlight()),
      characters_at_a_time_(engines.front()->CharactersAtATime()) {
  for (std::unique_ptr<Scorer>& scorer : engines) engines_.push_back({std::move(scorer)});
  for (Engine& engine : engines_) free_engines_.push_back(&engine);
}

void ScoreBatcher::Score(const ScoreBatch& batch, std::span<float> scores) {
  Asked asked{batch, scores, 0};
  for (const std::string_view text : batch.texts) asked.characters += text.size();
  std::unique_lock lock(mutex_);
  ++counts_.asked;
  counts_.pairs += batch.pairs.size();
  queue_.push_back(&asked);
  for (;;) {
    asked.wake.wait(lock, [&] { return asked.is_done || (!asked.is_taken && !free_engines_.empty()); });
    if (asked.is_done) break;
    // 1. Take an engine, and with it what waits; this batch may have to wait for the next one.
    Engine& engine = *free_engines_.back();
    free_engines_.pop_back();
    const std::vector<Asked*> together = TakeTogether();
    ++counts_.answered;
    // 2. Run it.
    lock.unlock();
    Answer(engine, together);
    lock.lock();
    // 3. Wake those that were answered, and one of those that were not: it takes the engine.
    free_engines_.push_back(&engine);
    for (Asked* const one : together) {
      one->is_done = true;
      if (one != &asked) one->wake.notify_one();
    }
    if (!queue_.empty()) queue_.front()->wake.notify_one();
  }
  if (asked.failure) std::rethrow_exception(asked.failure);
}

ScoreBatcher::Counts ScoreBatcher::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

std::vector<ScoreBatcher::Asked*> ScoreBatcher::TakeTogether() {
  std::vector<Asked*> together;
  std::size_t characters = 0;
  do {
    Asked* const next = queue_.front();
    characters += next->characters;
    next->is_taken = true;
    together.push_back(next);
    queue_.pop_front();
  } while (!queue_.empty() && characters + queue_.front()->characters <= characters_at_a_time_);
  return together;
}

void ScoreBatcher::Answer(Engine& engine, std::span<Asked* const> together) {
  if (together.size() > 1) {
    try {
      return AnswerJoined(engine, together);
    } catch (...) {
      // One of them is to blame: each is asked alone, and the others do not suffer.
    }
  }
  for (Asked* const one : together) {
    try {
      engine.scorer->Score(one->batch, one->scores);
    } catch (...) {
      one->failure = std::current_exception();
    }
  }
}

void ScoreBatcher::AnswerJoined(Engine& engine, std::span<Asked* const> together) {
  std::size_t texts = 0;
  std::size_t pairs = 0;
  for (const Asked* const one : together) {
    texts += one->batch.texts.size();
    pairs += one->batch.pairs.size();
  }
  engine.texts.Reset(texts);
  engine.pairs.clear();
  engine.scores.resize(pairs);
  std::vector<std::uint32_t> places;
  for (const Asked* const one : together) {
    places.clear();
    for (std::size_t i = 0; i < one->batch.texts.size(); ++i) {
      places.push_back(engine.texts.Add(one->batch.texts[i], one->batch.hashes[i]));
    }
    for (const ScoreBatch::Pair& pair : one->batch.pairs) engine.pairs.push_back({places[pair.parent], places[pair.candidate]});
  }
  engine.scorer->Score({engine.texts.texts(), engine.texts.hashes(), engine.pairs}, engine.scores);
  auto next = engine.scores.begin();
  for (const Asked* const one : together) {
    const auto count = static_cast<std::ptrdiff_t>(one->scores.size());
    std::copy_n(next, count, one->scores.begin());
    next += count;
  }
}

}  // namespace conpole

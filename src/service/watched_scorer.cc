#include "service/watched_scorer.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "conpole/stop_token.h"
#include "search/lockstep.h"

namespace conpole {
namespace {

// Between two reports, and before the first: most searches have ended by then.
constexpr std::chrono::milliseconds kBetweenReports{100};
constexpr std::uint64_t kLongest = 1'000'000'000;  // milliseconds that the clock can count to

class WatchedPolicy final : public PackedPolicy {
 public:
  WatchedPolicy(PackedPolicy& policy, CallWatch& watch) : policy_(policy), watch_(watch) {}

  std::size_t cells() const override { return policy_.cells(); }
  std::size_t actions() const override { return policy_.actions(); }
  std::size_t StatesAtATime() const override { return policy_.StatesAtATime(); }
  PackedBeam* beam() override { return policy_.beam(); }
  void Score(std::span<const std::uint8_t> states, std::span<float> preferences) override {
    Look(states);
    policy_.Score(states, preferences);
  }
  bool has_values() const override { return policy_.has_values(); }
  void ScoreWithValues(std::span<const std::uint8_t> states, std::span<float> preferences, std::span<float> values) override {
    Look(states);
    policy_.ScoreWithValues(states, preferences, values);
  }

 private:
  void Look(std::span<const std::uint8_t> states) { watch_.Look(states.size() / std::max<std::size_t>(1, policy_.cells())); }

  PackedPolicy& policy_;
  CallWatch& watch_;
};

class WatchedScorer final : public Scorer {
 public:
  WatchedScorer(std::unique_ptr<Scorer> scorer, CallWatch& watch) : scorer_(std::move(scorer)), watch_(watch) {
    if (PackedPolicy* const policy = scorer_->packed()) packed_ = std::make_unique<WatchedPolicy>(*policy, watch);
  }

  ScoreMeaning meaning() const override { return scorer_->meaning(); }
  bool NeedsDistinctTexts() const override { return scorer_->NeedsDistinctTexts(); }
  std::size_t ProblemsInFlight() const override { return scorer_->ProblemsInFlight(); }
  // Fewer than the scorer likes: some texts become longer on their way to a network, and somebody waits.
  std::size_t CharactersAtATime() const override { return std::max<std::size_t>(1, scorer_->CharactersAtATime() / 4); }
  PackedPolicy* packed() override { return packed_.get(); }
  // A search gives no more at a time. Whoever asks for all that can be done at once is answered in pieces, or not at all if the
  // call is stopped.
  void Score(const ScoreBatch& batch, std::span<float> scores) override {
    if (is_in_pieces_ || batch.pairs.size() < 2 || CharactersOf(batch) <= CharactersAtATime())
      return ScoreAtOnce(batch, scores);
    is_in_pieces_ = true;
    const StopToken stop = StopToken().Or([this] {
      watch_.Look(0);
      return watch_.stop().load();
    });
    const bool is_whole = ScoreInPieces(*this, batch, scores, stop);
    is_in_pieces_ = false;
    if (!is_whole) throw CallStopped();
  }

 private:
  static std::size_t CharactersOf(const ScoreBatch& batch) {
    std::size_t characters = 0;
    for (const std::string_view text : batch.texts) characters += text.size();
    return characters;
  }

  void ScoreAtOnce(const ScoreBatch& batch, std::span<float> scores) {
    // The candidates of a parent stand together.
    std::size_t parents = 0;
    for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
      if (i == 0 || batch.pairs[i].parent != batch.pairs[i - 1].parent) ++parents;
    }
    watch_.Look(parents);
    scorer_->Score(batch, scores);
  }

  std::unique_ptr<Scorer> scorer_;
  CallWatch& watch_;
  bool is_in_pieces_ = false;
  std::unique_ptr<WatchedPolicy> packed_;
};

}  // namespace

CallWatch::CallWatch(const std::atomic<bool>* caller_stop, const Report& report, std::uint64_t milliseconds)
    : caller_stop_(caller_stop),
      report_(report),
      deadline_(start_ + std::chrono::milliseconds(std::min(milliseconds, kLongest))),
      next_report_(start_) {}

void CallWatch::Look(std::size_t expanded) {
  const Clock::time_point now = Clock::now();
  if ((caller_stop_ != nullptr && caller_stop_->load(std::memory_order_relaxed)) || now >= deadline_) stop_ = true;
  if (throws_ && stop_) throw CallStopped();
  if (!report_) return;
  const std::lock_guard lock(mutex_);
  expanded_ += expanded;
  if (now < next_report_) return;
  next_report_ = now + kBetweenReports;
  const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(now - start_).count();
  report_(fmt::format(R"({{"expanded":{},"beam":{},"milliseconds":{}}})", expanded_, expanded, passed));
}

std::unique_ptr<Scorer> MakeWatchedScorer(std::unique_ptr<Scorer> scorer, CallWatch& watch) {
  return std::make_unique<WatchedScorer>(std::move(scorer), watch);
}

}  // namespace conpole

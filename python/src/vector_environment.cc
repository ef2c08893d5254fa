#include "python/src/vector_environment.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "python/src/bindings.h"
#include "python/src/python_domain.h"
#include "python/src/shared_pool.h"
#include "util/random.h"

namespace conpole::python {
namespace {

// Problems that are solved as they stand are passed over; a domain that has nothing else is a mistake.
constexpr int kMaxSolvedProblems = 1000;
// Less is done sooner, and with less in all, than threads are woken up.
constexpr std::int64_t kNanosecondsWorthThreads = 1'000'000;

using Clock = std::chrono::steady_clock;

std::size_t BlockSize(std::size_t count, std::size_t threads) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  return std::clamp<std::size_t>(count / (8 * threads), 32, 256);
}

// Successors do not outlive the step that listed them, so they may grow again from nothing.
constexpr std::size_t kMaxIdleBytes = std::size_t{16} << 20;

// Asks for a text to be brought into the cache.
void Fetch(std::string_view text) {
  constexpr std::size_t kCacheLine = 64;
  for (std::size_t place = 0; place < text.size(); place += kCacheLine) __builtin_prefetch(text.data() + place);
  if (!text.empty()) __builtin_prefetch(&text.back());
}

void Empty(Successors& successors) {
  if (successors.text().size() > kMaxIdleBytes) {
    successors = {};
  } else {
    successors.Clear();
  }
}

}  // namespace

std::uint64_t ProblemSeeds::Next() {
  constexpr Uint128 kMultiplier = (Uint128{0x2360ED051FC65DA4} << 64) | 0x4385DF649FCCF645;
  state = state * kMultiplier + increment;
  const std::uint64_t mixed = static_cast<std::uint64_t>(state >> 64) ^ static_cast<std::uint64_t>(state);
  const auto turn = static_cast<unsigned>(state >> 122);
  const std::uint64_t drawn = mixed >> turn | mixed << ((64 - turn) % 64);
  return drawn >> 1;
}

WalkSurvey SurveyWalks(const Domain& domain, std::uint64_t problems, std::uint64_t steps) {
  WalkSurvey survey;
  SignalWatch watch;
  Random random(0);
  Successors successors;
  for (std::uint64_t seed = 0; seed < problems; ++seed) {
    std::string state = domain.Generate(seed);
    for (std::uint64_t step = 0; step <= steps; ++step) {
      watch.Look();
      successors.Clear();
      survey.length = std::max(survey.length, state.size());
      if (domain.Expand(state, Labels::kOff, successors) != Status::kOpen) break;
      if (survey.actions != 0 && successors.size() != survey.actions) survey.always_as_many_actions = false;
      survey.actions = std::max(survey.actions, successors.size());
      state = successors.state(random.Uint64(0, successors.size()));
    }
  }
  return survey;
}

// While it lives, no other thread gets in.
class VectorEnvironment::Use {
 public:
  explicit Use(std::atomic<bool>& in_use) : in_use_(in_use) {
    if (in_use_.exchange(true)) throw Error("the environment is in use: another call of it has not come back yet");
  }
  ~Use() { in_use_ = false; }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  std::atomic<bool>& in_use_;
};

VectorEnvironment::VectorEnvironment(std::shared_ptr<const Domain> domain, const Options& options)
    : domain_(std::move(domain)), options_(options), is_python_(IsPython(*domain_)) {
  if (options.count == 0) throw Error("num_envs must be at least 1");
  if (options.max_steps == 0) throw Error("max_steps must be at least 1");
  if (options.max_actions == 0) throw Error("max_actions must be at least 1");
  if (options.max_length == 0) throw Error("max_length must be at least 1");
  positions_.resize(options.count);
  next_positions_.resize(options.count);
  const std::size_t size = BlockSize(options.count, options.threads);
  for (std::size_t begin = 0; begin < options.count; begin += size) {
    Block& block = blocks_.emplace_back();
    block.begin = begin;
    block.end = std::min(begin + size, options.count);
  }
}

template <class Fetch, class Prepare, class Finish>
void VectorEnvironment::Advance(const View& view, const Fetch& fetch, const Prepare& prepare, const Finish& finish) {
  SignalWatch watch;
  const auto advance_block = [&](std::size_t index) {
    const Clock::time_point begin = Clock::now();
    Block& block = blocks_[index];
    fetch(block);
    for (std::size_t i = block.begin; i < block.end; ++i) {
      const Position& from = positions_[i];
      Position& to = next_positions_[i];
      to.seeds = from.seeds;
      to.steps = from.steps;
      to.ended = from.ended;
      prepare(i, from, block, to);
    }
    Empty(block.successors);
    if (is_python_) ListByOneCall(block);
    for (std::size_t i = block.begin; i < block.end; ++i) {
      if (!is_python_) List(next_positions_[i], block);
      finish(i, positions_[i], block, next_positions_[i]);
      Show(i, view, next_positions_[i]);
    }
    block.nanoseconds = std::chrono::nanoseconds(Clock::now() - begin).count();
    watch.Look();
  };
  // A domain written in Python runs in the thread that called it.
  const bool on_threads = !is_python_ && nanoseconds_ > kNanosecondsWorthThreads;
  are_listed_ = false;
  WithSharedPool(on_threads ? options_.threads : 1, [&](ThreadPool& pool) { ForEachBlock(pool, advance_block); });
  are_listed_ = true;
  positions_.swap(next_positions_);
  nanoseconds_ = 0;
  for (const Block& block : blocks_) nanoseconds_ += block.nanoseconds;
}

template <class Body>
void VectorEnvironment::ForEachBlock(ThreadPool& pool, const Body& body) {
  const std::size_t threads = pool.size();
  const auto first_of_share = [&](std::size_t share) { return blocks_.size() * share / threads; };
  std::vector<std::atomic<std::size_t>> next(threads);
  for (std::size_t share = 0; share < threads; ++share) next[share] = first_of_share(share);
  std::atomic<bool> failed = false;
  pool.For(threads, [&](std::size_t thread) {
    try {
      for (std::size_t k = 0; k < threads; ++k) {
        const std::size_t share = (thread + k) % threads;
        const std::size_t end = first_of_share(share + 1);
        for (std::size_t i = next[share]++; i < end && !failed; i = next[share]++) body(i);
      }
    } catch (...) {
      failed = true;
      throw;
    }
  });
}

void VectorEnvironment::ListAgain() {
  for (Block& block : blocks_) {
    Empty(block.successors);
    for (std::size_t i = block.begin; i < block.end; ++i) List(positions_[i], block);
  }
  are_listed_ = true;
}

void VectorEnvironment::ListSuccessors(std::vector<std::string_view>& texts, std::vector<std::int64_t>& first) {
  const Use use(in_use_);
  if (!are_listed_) ListAgain();
  first.assign(1, 0);
  for (const Block& block : blocks_) {
    for (std::size_t i = block.begin; i < block.end; ++i) {
      const std::size_t count = std::min(positions_[i].actions, options_.max_actions);
      for (std::size_t k = 0; k < count; ++k) texts.push_back(block.successors.state(positions_[i].first + k));
      first.push_back(static_cast<std::int64_t>(texts.size()));
    }
  }
}

void VectorEnvironment::Reset(std::span<const bool> chosen, std::span<const std::optional<ProblemSeeds>> seeds,
                              std::span<const std::optional<std::string>> problems, const View& view) {
  const Use use(in_use_);
  if (!ready_ && !std::all_of(chosen.begin(), chosen.end(), [](bool is_chosen) { return is_chosen; })) {
    throw Error("the first reset must be of all environments");
  }
  const auto prepare = [&](std::size_t i, const Position& from, const Block&, Position& to) {
    if (!chosen[i]) {
      to.state = from.state;
      return;
    }
    if (seeds[i]) to.seeds = *seeds[i];
    if (problems[i]) {
      to.state = *problems[i];
    } else {
      Draw(to);
    }
    Begin(to);
  };
  Advance(
      view, [](const Block&) {}, prepare, [](std::size_t, const Position&, const Block&, const Position&) {});
  ready_ = true;
}

void VectorEnvironment::Step(std::span<const std::int64_t> actions, const View& view, const Outcomes& outcomes) {
  const Use use(in_use_);
  if (!ready_) throw Error("reset the environment before its first step");
  if (!are_listed_) ListAgain();
  const auto chosen = [&](std::size_t i) { return positions_[i].first + static_cast<std::size_t>(actions[i]); };
  // The successors of a thousand environments fill more than the cache of a core, and of each of them one is read, at a place
  // that the core cannot guess.
  const auto fetch = [&](const Block& block) {
    for (std::size_t i = block.begin; i < block.end; ++i) __builtin_prefetch(block.successors.offsets().data() + chosen(i));
    for (std::size_t i = block.begin; i < block.end; ++i) {
      if (static_cast<std::size_t>(actions[i]) < positions_[i].actions) Fetch(block.successors.state(chosen(i)));
      Fetch(next_positions_[i].state);
    }
  };
  const auto prepare = [&](std::size_t i, const Position& from, const Block& block, Position& to) {
    if (from.ended) {
      if (options_.autoreset == Autoreset::kDisabled) {
        throw Error(fmt::format("the episode of environment {} has ended; reset it before its next step", i));
      }
      Draw(to);
      Begin(to);
      return;
    }
    const auto action = static_cast<std::size_t>(actions[i]);
    to.state = action < from.actions ? block.successors.state(chosen(i)) : std::string_view(from.state);
    ++to.steps;
  };
  const auto finish = [&](std::size_t i, const Position& from, Block& block, Position& to) {
    const bool solved = !from.ended && to.status == Status::kSolved;
    outcomes.rewards[i] = solved && from.status != Status::kSolved ? 1 : 0;
    outcomes.terminated[i] = solved;
    outcomes.truncated[i] = !from.ended && !solved && (to.status == Status::kDeadEnd || to.steps >= options_.max_steps);
    to.ended = outcomes.terminated[i] || outcomes.truncated[i];
    if (!to.ended || options_.autoreset != Autoreset::kSameStep) return;
    to.final_state = to.state;
    Draw(to);
    Begin(to);
    List(to, block);
  };
  Advance(view, fetch, prepare, finish);
}

void VectorEnvironment::Restore(std::vector<Position> positions, const View& view) {
  const Use use(in_use_);
  if (positions.size() != options_.count) throw Error("there must be one position per environment");
  Advance(
      view, [](const Block&) {}, [&](std::size_t i, const Position&, const Block&, Position& to) { to = positions[i]; },
      [](std::size_t, const Position&, const Block&, const Position&) {});
  ready_ = true;
}

void VectorEnvironment::Begin(Position& position) {
  position.steps = 0;
  position.ended = false;
}

void VectorEnvironment::Draw(Position& position) const {
  for (int i = 0; i < kMaxSolvedProblems; ++i) {
    position.state = domain_->Generate(position.seeds.Next());
    if (!domain_->Solved(position.state)) return;
  }
  throw Error(fmt::format("{} generates only problems that are solved as they stand", domain_->Spec()));
}

void VectorEnvironment::List(Position& position, Block& block) const {
  position.first = block.successors.size();
  position.status = domain_->Expand(position.state, Labels::kOff, block.successors);
  if (position.status == Status::kMalformed) {
    throw MalformedText(position.state, "state", *domain_, block.successors.error());
  }
  position.actions = block.successors.size() - position.first;
}

void VectorEnvironment::ListByOneCall(Block& block) {
  const std::span positions = std::span(next_positions_).subspan(block.begin, block.end - block.begin);
  std::vector<std::string_view> states;
  for (const Position& position : positions) states.push_back(position.state);
  std::vector<Status> status;
  std::vector<std::size_t> ends;
  AsPython(*domain_)->ExpandAll(states, Labels::kOff, block.successors, status, ends);
  if (status.back() == Status::kMalformed) {
    throw MalformedText(states[status.size() - 1], "state", *domain_, block.successors.error());
  }
  for (std::size_t i = 0; i < positions.size(); ++i) {
    positions[i].first = i == 0 ? 0 : ends[i - 1];
    positions[i].status = status[i];
    positions[i].actions = ends[i] - positions[i].first;
  }
}

void VectorEnvironment::Show(std::size_t i, const View& view, const Position& position) {
  const std::size_t length = std::min(position.state.size(), options_.max_length);
  std::uint8_t* const characters = view.characters + i * options_.max_length;
  std::memcpy(characters, position.state.data(), length);
  std::memset(characters + length, 0, options_.max_length - length);
  view.lengths[i] = static_cast<std::int32_t>(position.state.size());
  if (length < position.state.size()) cut_characters_.store(true, std::memory_order_relaxed);

  const std::size_t actions = std::min(position.actions, options_.max_actions);
  std::int8_t* const mask = view.action_mask + i * options_.max_actions;
  std::memset(mask, 1, actions);
  std::memset(mask + actions, 0, options_.max_actions - actions);
  view.actions[i] = static_cast<std::int32_t>(position.actions);
  if (actions < position.actions) cut_actions_.store(true, std::memory_order_relaxed);
}

}  // namespace conpole::python

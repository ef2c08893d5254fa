// Many problems of one domain, each with a state that actions lead on from: what conpole.VectorEnvironment is made of. A step
// takes one action per environment and lists the successors of all states that they lead to, on all cores, without texts of
// Python in the way; what learners see is written into arrays of the caller.
//
// One thread at a time may call this; a second one is told so by an Error, since Python cannot keep it from trying. All methods
// but the constructor are called without the interpreter's lock. A call that throws leaves everything as it was before.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "python/src/interruption.h"
#include "util/int128.h"
#include "util/thread_pool.h"

namespace conpole::python {

// The generator that NumPy calls PCG64, from which an environment draws the seeds of its problems: those that
// numpy.random.Generator.integers(2**63) gives.
struct ProblemSeeds {
  Uint128 state = 0;
  Uint128 increment = 1;

  std::uint64_t Next();
};

// What random walks through a domain meet at the most.
struct WalkSurvey {
  std::size_t actions = 0;
  std::size_t length = 0;
  bool always_as_many_actions = true;  // every open state has as many
};
// Walks `steps` steps from each of the problems with the seeds below `problems`. The same for the same arguments. Called
// without the interpreter's lock.
WalkSurvey SurveyWalks(const Domain& domain, std::uint64_t problems, std::uint64_t steps);

// What becomes of an environment whose episode has ended.
enum class Autoreset : std::uint8_t {
  kNextStep,  // the next step begins a new episode, and its action is ignored
  kSameStep,  // a new episode has begun when the step is done
  kDisabled,  // somebody has to reset it
};

class VectorEnvironment {
 public:
  struct Options {
    std::size_t count = 1;
    std::uint64_t max_steps = 30;  // of an episode
    std::size_t max_actions = 1;   // those beyond cannot be chosen
    std::size_t max_length = 1;    // characters that an observation has room for
    Autoreset autoreset = Autoreset::kNextStep;
    std::size_t threads = 0;  // 0 for one per core
  };

  // What learners see: a row for each environment.
  struct View {
    std::uint8_t* characters;  // max_length each, zeros after the state's
    std::int32_t* lengths;     // of the states, also where that is more than there is room for
    std::int8_t* action_mask;  // max_actions each
    std::int32_t* actions;     // that there are, also those that cannot be chosen
  };
  struct Outcomes {
    double* rewards;
    bool* terminated;
    bool* truncated;
  };

  // Where an environment is.
  struct Position {
    std::string state;
    std::string final_state;  // of the episode that ended with the last step; only where that begins the next one
    ProblemSeeds seeds;
    std::uint64_t steps = 0;
    bool ended = false;
    Status status = Status::kOpen;
    std::size_t first = 0;  // of its successors, among those of its block
    std::size_t actions = 0;
  };

  // Throws Error if an option makes no sense.
  VectorEnvironment(std::shared_ptr<const Domain> domain, const Options& options);

  const Domain& domain() const { return *domain_; }
  const Options& options() const { return options_; }
  bool ready() const { return ready_; }
  const std::vector<Position>& positions() const { return positions_; }
  // Whether any state so far had more actions, or characters, than there is room for.
  bool cut_actions() const { return cut_actions_; }
  bool cut_characters() const { return cut_characters_; }

  // Begins new episodes in the chosen environments: with their problem, which is canonical text, or with one that is drawn.
  // Seeds, where given, are those to draw from. The first time all must be chosen.
  void Reset(std::span<const bool> chosen, std::span<const std::optional<ProblemSeeds>> seeds,
             std::span<const std::optional<std::string>> problems, const View& view);
  // An action that there is not changes nothing, but counts as a step. Requires that each is from 0 to max_actions - 1.
  void Step(std::span<const std::int64_t> actions, const View& view, const Outcomes& outcomes);
  // The successors that can be chosen, of all environments one after the other, as they were listed by the last step; and of
  // each environment where its own begin, with the end of the last. The texts are valid until the next call.
  void ListSuccessors(std::vector<std::string_view>& texts, std::vector<std::int64_t>& first);
  // Goes on from where another environment of the same domain and options was.
  void Restore(std::vector<Position> positions, const View& view);

 private:
  // Some environments in a row, which one thread works on.
  struct Block {
    std::size_t begin = 0;
    std::size_t end = 0;
    Successors successors;         // of the states of all of them
    std::int64_t nanoseconds = 0;  // of its last step
  };
  class Use;

  // Moves all environments: fetch(block) may ask for the memory that is read next, and prepare(i, from, block, to) sets the new
  // state, which may be a successor of the old one. When its own successors are listed, which takes the place of the others,
  // finish(i, from, block, to) says what has come of it.
  template <class Fetch, class Prepare, class Finish>
  void Advance(const View& view, const Fetch& fetch, const Prepare& prepare, const Finish& finish);
  // Calls body(i) for every block. A thread begins with its own share of them, which its core may have in its cache, and helps
  // with the others then.
  template <class Body>
  void ForEachBlock(ThreadPool& pool, const Body& body);
  // After a call that failed half way.
  void ListAgain();
  static void Begin(Position& position);
  void Draw(Position& position) const;
  void List(Position& position, Block& block) const;
  // The same for all next positions of a block, in a domain written in Python.
  void ListByOneCall(Block& block);
  void Show(std::size_t i, const View& view, const Position& position);

  std::shared_ptr<const Domain> domain_;
  Options options_;
  std::vector<Position> positions_;
  std::vector<Position> next_positions_;
  std::vector<Block> blocks_;
  bool ready_ = false;
  bool are_listed_ = false;  // whether the blocks have the successors of all positions
  bool is_python_;
  std::int64_t nanoseconds_ = 0;  // of the last step, on all threads together
  std::atomic<bool> cut_actions_ = false;
  std::atomic<bool> cut_characters_ = false;
  std::atomic<bool> in_use_ = false;
};

}  // namespace conpole::python

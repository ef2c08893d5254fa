// When a training run evaluates, how its learning rate falls, when it stands still and when it is over.
//   - With a number of steps, or of seconds, the learning rate falls along a cosine over them, and the run is over after them.
//   - Without, a run goes on as long as it gets somewhere: validation improves, or problems become longer. Where it has not for
//     long and too little is solved, it stands still, and whoever asked does something about it, a few times at the most.
//     Otherwise, and where all validation problems are solved twice in a row, the learning rate falls, and the run is over.
// Decided by steps and by what was solved, so that runs can be repeated and all ranks agree. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <nlohmann/json_fwd.hpp>

#include "train/run/options.h"

namespace conpole {

class Schedule {
 public:
  explicit Schedule(const TrainOptions& options);

  // The part of the run that is done, from 0 to 1, by which the learning rate falls.
  double PartDone(std::uint64_t steps, double seconds) const;
  // Keeps at least so many seconds of a budget of seconds, half of it at the most, for the evaluation at the end.
  void Reserve(double seconds) { reserved_ = std::max(reserved_, std::min(seconds, seconds_ / 2)); }
  // How many seconds are left at the present speed; not a number while nobody can tell.
  double SecondsLeft(std::uint64_t steps, double seconds) const;
  // Where the evaluation after one at `steps` is.
  std::uint64_t NextEvaluation(std::uint64_t steps) const;

  // How far a run has come.
  struct Progress {
    double validation = 0;    // the part of the validation problems that is solved
    std::uint64_t level = 0;  // of what becomes harder while problems are solved
  };
  // To be called at each evaluation. Whether the run stands still, and something is to be done about it.
  bool StandsStill(std::uint64_t steps, const Progress& progress);
  // How often it stood still so far.
  std::size_t remedies() const { return remedies_; }
  // Since when it has got nowhere.
  std::uint64_t progressed() const { return progressed_; }
  bool is_finishing() const { return finish_begin_ != 0; }

  nlohmann::json Save() const;
  // Throws nlohmann::json::exception if it is not what Save gave.
  void Restore(const nlohmann::json& saved);

 private:
  void Finish(std::uint64_t steps, std::uint64_t least);
  bool has_budget() const { return steps_ != 0 || seconds_ != 0; }

  std::uint64_t steps_;
  double seconds_;
  double reserved_ = 0;
  std::uint64_t eval_every_;
  std::uint64_t eval_least_;
  Progress best_;
  std::uint64_t progressed_ = 0;
  std::size_t perfect_ = 0;  // evaluations in a row in which all problems were solved
  std::size_t remedies_ = 0;
  std::uint64_t finish_begin_ = 0;  // 0: the end is not in sight
  std::uint64_t finish_end_ = 0;
};

}  // namespace conpole

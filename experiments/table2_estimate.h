// How long the runs of reproduce table2 take, from what was measured: first the records that are kept in the repository, which
// the program has with it, then what it sees of the runs themselves. A run takes some seconds however short it is, and after
// that so much per step. Values; no two threads at a time may use one object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace conpole::cli {

// Runs of a kind take as long as each other, for as many steps.
struct RunKind {
  std::string agent;
  std::string variant;
  std::string domain;
  bool is_on_gpu = false;

  friend bool operator==(const RunKind&, const RunKind&) = default;
};

struct MeasuredRun {
  RunKind kind;
  std::uint64_t steps = 0;
  double seconds = 0;    // of training
  std::size_t jobs = 0;  // how many runs shared the machine; 0 if nobody knows
};

// The runs whose records were in docs/data/table2 when the program was built.
std::vector<MeasuredRun> RunsMeasuredBefore();

class TimeEstimate {
 public:
  // For runs of which `jobs` share the machine, from runs that others have measured.
  TimeEstimate(std::vector<MeasuredRun> elsewhere, std::size_t jobs);

  // A run of this kind was seen here: from now on it counts for its kind, and tells how fast this machine is. Nothing is
  // learned of no steps.
  void Learn(const RunKind& kind, std::uint64_t steps, double seconds);
  // So much longer than its training did a run take, to begin and to be tested.
  void LearnRest(double seconds);

  // A whole run. Where nothing is known of its kind, from the kinds that have the most in common with it.
  double SecondsFor(const RunKind& kind, std::uint64_t steps) const;
  // The rest of a run that has done a part of its steps. The further it is, the more its own pace counts.
  double SecondsLeft(const RunKind& kind, std::uint64_t steps, std::uint64_t done, double seconds) const;

 private:
  // Seconds per step beyond what every run takes, if something like it was ever measured elsewhere.
  std::optional<double> PerStepElsewhere(const RunKind& kind) const;
  double Training(const RunKind& kind, std::uint64_t steps) const;
  // Of runs that share the machine with jobs_ others, in seconds of one that shares it with `jobs`.
  double Slowdown(bool is_on_gpu, std::size_t jobs) const;

  std::vector<MeasuredRun> elsewhere_;
  std::vector<MeasuredRun> here_;  // one of each kind
  std::size_t jobs_;
  double rest_ = 0;
  std::size_t rests_ = 0;
};

// When all is done, with `jobs` at a time: those that are under way have so much left, and of those that wait the first begins
// whenever one ends.
double SecondsUntilDone(std::span<const double> under_way, std::span<const double> waiting, std::size_t jobs);

}  // namespace conpole::cli

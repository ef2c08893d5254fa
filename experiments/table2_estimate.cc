#include "experiments/table2_estimate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

#include "experiments/measured_runs.h"

namespace conpole::cli {
namespace {

// What a run takes however short it is: to evaluate some twenty times, mostly.
double LeastSeconds(bool is_on_gpu) { return is_on_gpu ? 15 : 2; }

// Before anything was seen to be tested.
constexpr double kRestToBeginWith = 8;

// Where nothing at all was measured: the steps per second of the slower agents.
double StepsPerSecondAnyway(bool is_on_gpu) { return is_on_gpu ? 2000 : 400; }

double PerStep(const MeasuredRun& run) {
  // A run that took hardly any time still tells something.
  const double least = std::min(LeastSeconds(run.kind.is_on_gpu), run.seconds / 2);
  return (run.seconds - least) / static_cast<double>(run.steps);
}

class GeometricMean {
 public:
  void Add(double value) {
    logarithms_ += std::log(value);
    ++count_;
  }
  std::optional<double> value() const {
    if (count_ == 0) return {};
    return std::exp(logarithms_ / static_cast<double>(count_));
  }

 private:
  double logarithms_ = 0;
  std::size_t count_ = 0;
};

// How much two kinds have in common. An agent makes more of a difference than a domain.
int Likeness(const RunKind& a, const RunKind& b) {
  if (a.is_on_gpu != b.is_on_gpu) return -1;
  return (a.agent == b.agent ? 4 : 0) + (a.agent == b.agent && a.variant == b.variant ? 2 : 0) + (a.domain == b.domain ? 1 : 0);
}

}  // namespace

std::vector<MeasuredRun> RunsMeasuredBefore() {
  std::vector<MeasuredRun> runs;
  for (const KeptRun& run : kKeptRuns) {
    if (run.steps == 0 || run.seconds <= 0) continue;  // what learns nothing takes no time to learn
    runs.push_back({{std::string(run.agent), std::string(run.variant), std::string(run.domain), run.device.starts_with("cuda")},
                    run.steps,
                    run.seconds,
                    run.jobs});
  }
  return runs;
}

TimeEstimate::TimeEstimate(std::vector<MeasuredRun> elsewhere, std::size_t jobs)
    : elsewhere_(std::move(elsewhere)), jobs_(std::max<std::size_t>(1, jobs)) {
  std::erase_if(elsewhere_, [](const MeasuredRun& run) { return run.steps == 0 || run.seconds <= 0; });
}

void TimeEstimate::Learn(const RunKind& kind, std::uint64_t steps, double seconds) {
  if (steps == 0 || seconds <= 0) return;
  std::erase_if(here_, [&](const MeasuredRun& run) { return run.kind == kind; });
  here_.push_back({kind, steps, seconds, jobs_});
}

void TimeEstimate::LearnRest(double seconds) {
  rest_ += std::max(0.0, seconds);
  ++rests_;
}

double TimeEstimate::SecondsFor(const RunKind& kind, std::uint64_t steps) const {
  return Training(kind, steps) + (rests_ == 0 ? kRestToBeginWith : rest_ / static_cast<double>(rests_));
}

double TimeEstimate::SecondsLeft(const RunKind& kind, std::uint64_t steps, std::uint64_t done, double seconds) const {
  const double expected = SecondsFor(kind, steps);
  if (done == 0 || steps == 0) return std::max(0.0, expected - seconds);
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(steps));
  // The first steps are not like the others: nothing is learned yet.
  constexpr double kTrusted = 5;
  const double own = std::min(1.0, kTrusted * share);
  const double whole = own * seconds / share + (1 - own) * expected;
  return whole * (1 - share) + (expected - Training(kind, steps));
}

std::optional<double> TimeEstimate::PerStepElsewhere(const RunKind& kind) const {
  int best = -1;
  for (const MeasuredRun& run : elsewhere_) best = std::max(best, Likeness(run.kind, kind));
  if (best < 0) return {};
  GeometricMean mean;
  for (const MeasuredRun& run : elsewhere_) {
    if (Likeness(run.kind, kind) == best) mean.Add(PerStep(run) * Slowdown(kind.is_on_gpu, run.jobs));
  }
  return mean.value();
}

double TimeEstimate::Training(const RunKind& kind, std::uint64_t steps) const {
  const auto all_steps = static_cast<double>(steps);
  for (const MeasuredRun& run : here_) {
    if (run.kind != kind) continue;
    const double least = std::min(LeastSeconds(kind.is_on_gpu), run.seconds / 2);
    return least + PerStep(run) * all_steps;
  }
  // Where all that was seen here takes twice as long as elsewhere, this will, too.
  GeometricMean pace;
  for (const MeasuredRun& run : here_) {
    if (run.kind.is_on_gpu != kind.is_on_gpu) continue;
    if (const std::optional<double> per_step = PerStepElsewhere(run.kind)) pace.Add(PerStep(run) / *per_step);
  }
  const double per_step = PerStepElsewhere(kind).value_or(1 / StepsPerSecondAnyway(kind.is_on_gpu));
  return LeastSeconds(kind.is_on_gpu) + pace.value().value_or(1) * per_step * all_steps;
}

double TimeEstimate::Slowdown(bool is_on_gpu, std::size_t jobs) const {
  if (jobs == 0 || jobs == jobs_) return 1;
  // Measured: four runs that share a GPU do 2.6 times as much as one alone. The cores of a processor are divided.
  const double shared = is_on_gpu ? 1 - std::log(2.6) / std::log(4.0) : 1;
  return std::pow(static_cast<double>(jobs_) / static_cast<double>(jobs), shared);
}

double SecondsUntilDone(std::span<const double> under_way, std::span<const double> waiting, std::size_t jobs) {
  std::priority_queue<double, std::vector<double>, std::greater<>> ends(under_way.begin(), under_way.end());
  double last = 0;
  for (const double seconds : under_way) last = std::max(last, seconds);
  for (const double seconds : waiting) {
    double begin = 0;
    if (ends.size() >= std::max<std::size_t>(1, jobs)) {
      begin = ends.top();
      ends.pop();
    }
    ends.push(begin + seconds);
    last = std::max(last, begin + seconds);
  }
  return last;
}

}  // namespace conpole::cli

#include "python/src/guide.h"

#include <chrono>
#include <cmath>
#include <future>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include "conpole/error.h"
#include "nn/network_scorer.h"
#include "python/src/arrays.h"
#include "python/src/loaded_model.h"
#include "python/src/pair_batch.h"
#include "python/src/texts.h"
#include "search/scorers.h"
#include "tutor/policy.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

// The method of scorers that take columns.
constexpr const char* kScoreColumns = "score_columns";

// Writes what a function in Python returned for a batch. Requires the lock.
void TakeScores(py::object returned, const ScoreBatch& batch, std::span<float> scores) {
  const py::array_t<float> array =
      FloatsOf(std::move(returned), scores.size(),
               fmt::format("the scorer must return a list of {} scores, one per candidate", scores.size()));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    scores[i] = array.data()[i];
    if (std::isnan(scores[i])) {
      throw Error(
          fmt::format("the scorer returned a score that is not a number, for '{}'", batch.texts[batch.pairs[i].candidate]));
    }
  }
}

// scorer.score_columns(batch) -> scores, in Python.
class ColumnScorer final : public Scorer {
 public:
  ColumnScorer(const py::object& scorer, ScoreMeaning meaning) : scorer_(scorer), meaning_(meaning) {}

  ScoreMeaning meaning() const override { return meaning_; }

  void Score(const ScoreBatch& batch, std::span<float> scores) override {
    auto columns = std::make_unique<PairBatch>(batch);
    const py::gil_scoped_acquire lock;
    TakeScores(scorer_.attr(kScoreColumns)(std::move(columns)), batch, scores);
  }

 private:
  const py::object& scorer_;  // belongs to the caller of the search
  ScoreMeaning meaning_;
};

// scorer(parents, candidates) -> scores, in Python.
class CallableScorer final : public Scorer {
 public:
  CallableScorer(const py::object& callable, ScoreMeaning meaning) : callable_(callable), meaning_(meaning) {}

  ScoreMeaning meaning() const override { return meaning_; }

  void Score(const ScoreBatch& batch, std::span<float> scores) override {
    const py::gil_scoped_acquire lock;
    std::vector<py::str> texts;
    texts.reserve(batch.texts.size());
    for (const std::string_view text : batch.texts) texts.push_back(ToStr(text));
    py::list parents(batch.pairs.size());
    py::list candidates(batch.pairs.size());
    for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
      parents[i] = texts[batch.pairs[i].parent];
      candidates[i] = texts[batch.pairs[i].candidate];
    }
    TakeScores(callable_(parents, candidates), batch, scores);
  }

 private:
  const py::object& callable_;  // belongs to the caller of the search
  ScoreMeaning meaning_;
};

ScoreMeaning MeaningOf(const std::string& name) {
  if (const std::optional<ScoreMeaning> meaning = ScoreMeaningOf(name)) return *meaning;
  // What they were called before.
  if (name == "preference") return ScoreMeaning::kLogPreference;
  if (name == "negative cost") return ScoreMeaning::kMinusStepsToGo;
  throw Error(fmt::format("unknown meaning '{}' of scores; there are: {}", name, fmt::join(kScoreMeaningNames, ", ")));
}

// Interrupts work that runs without Python's code in it, so that Ctrl-C works.
void RunInterruptibly(const std::function<void()>& work, std::atomic<bool>& stop) {
  std::future<void> done;
  {
    const py::gil_scoped_release release;
    done = std::async(std::launch::async, work);
    constexpr std::chrono::milliseconds kBetweenLooks(50);
    while (done.wait_for(kBetweenLooks) != std::future_status::ready) {
      const py::gil_scoped_acquire lock;
      if (PyErr_CheckSignals() == 0) continue;
      stop = true;
      {
        const py::gil_scoped_release waiting;
        done.wait();
      }
      throw py::error_already_set();
    }
  }
  done.get();
}

}  // namespace

Guide::Guide(py::object given, const std::string& meaning, std::uint64_t seed)
    : given_(std::move(given)),
      meaning_(MeaningOf(meaning)),
      seed_(seed),
      is_function_(!py::isinstance<py::str>(given_) && !py::isinstance<LoadedModel>(given_)) {
  if (is_function_ && PyCallable_Check(given_.ptr()) == 0 && !py::hasattr(given_, kScoreColumns)) {
    throw py::type_error(
        fmt::format("the scorer must be a name, a Model, a function of (parents, candidates) or an object with a method {}, "
                    "not {}",
                    kScoreColumns, Py_TYPE(given_.ptr())->tp_name));
  }
}

SessionPolicy Guide::policy() const {
  SessionPolicy policy;
  policy.make_scorer = [this](const Domain& domain, ThreadPool& pool) { return MakeScorer(domain, pool); };
  if (py::isinstance<LoadedModel>(given_)) {
    const LoadedModel& loaded = py::cast<const LoadedModel&>(given_);
    policy.name = loaded.path;
    policy.metadata = loaded.model.metadata;
  }
  return policy;
}

std::unique_ptr<Scorer> Guide::MakeScorer(const Domain& domain, ThreadPool& pool) const {
  if (is_function_ && py::hasattr(given_, kScoreColumns)) return std::make_unique<ColumnScorer>(given_, meaning_);
  if (is_function_) return std::make_unique<CallableScorer>(given_, meaning_);
  if (py::isinstance<py::str>(given_)) return conpole::MakeScorer(py::cast<std::string>(given_), domain.type(), seed_);
  const LoadedModel& loaded = py::cast<const LoadedModel&>(given_);
  loaded.RequireFor(domain);
  if (loaded.layout != nullptr) return MakeModelScorer(domain, loaded.model, pool);
  return ForAnyUnknown(domain, std::make_unique<NetworkScorer>(loaded.model, pool));
}

void RunUnlocked(bool runs_python, std::atomic<bool>& stop, const std::function<void()>& work) {
  if (!runs_python) return RunInterruptibly(work, stop);
  const py::gil_scoped_release release;
  work();
}

}  // namespace conpole::python

#include "python/src/python_learner.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "conpole/error.h"
#include "nn/network_scorer.h"
#include "python/src/arrays.h"
#include "python/src/pair_batch.h"
#include "search/lockstep.h"
#include "util/thread_pool.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

// In one call of Python, which bounds the memory that it takes.
constexpr std::size_t kCharactersAtATime = std::size_t{1} << 20;

const char* LossName(Loss loss) {
  switch (loss) {
    case Loss::kContrastive:
      return "contrastive";
    case Loss::kBinary:
      return "binary";
    case Loss::kSquared:
      return "squared";
  }
  return "";
}

// What a method score of the adapter says, as a scorer, so that large batches come in pieces.
class MethodScorer final : public Scorer {
 public:
  MethodScorer(const py::object& object, const char* method, ScoreMeaning meaning, std::size_t characters)
      : object_(object), method_(method), meaning_(meaning), characters_(characters) {}

  ScoreMeaning meaning() const override { return meaning_; }
  std::size_t CharactersAtATime() const override { return characters_; }
  void Score(const ScoreBatch& batch, std::span<float> scores) override {
    auto columns = std::make_unique<PairBatch>(batch);
    const py::gil_scoped_acquire lock;
    const py::array_t<float> given =
        FloatsOf(object_.attr(method_)(std::move(columns)), scores.size(),
                 fmt::format("the learner must return {} scores, one per candidate", scores.size()));
    std::copy_n(given.data(), scores.size(), scores.begin());
  }

 private:
  const py::object& object_;
  const char* method_;
  ScoreMeaning meaning_;
  std::size_t characters_;
};

class PythonLearner final : public Learner {
 public:
  PythonLearner(const py::object& object, const Model& model, const LearnerOptions& options, const std::string& device)
      : object_(object),
        architecture_(model.architecture),
        meaning_(model.meaning()),
        pool_(options.threads),
        policy_(object, "score", meaning_, kCharactersAtATime),
        slow_(object, "score_by_slow_copy", meaning_, kCharactersAtATime) {
    {
      const py::gil_scoped_acquire lock;
      py::dict target;
      target["every"] = options.target.every;
      target["average"] = options.target.average;
      object_.attr("begin")(
          ArraysOf(model.tensors),
          py::cast(std::map<std::string, int>(model.architecture.sizes.begin(), model.architecture.sizes.end())),
          LossName(options.loss), options.weight_decay, options.clip, options.threads, device,
          options.target.is_used() ? py::object(target) : py::none(), model.architecture.skips_spaces,
          model.architecture.alphabet);
      scores_natively_ = py::cast<bool>(object_.attr("native_scores"));
    }
    PythonLearner::Refresh();
  }

  void Score(const ScoreBatch& batch, std::span<float> scores, const std::atomic<bool>* stop) override {
    if (native_) {
      ScoreInPieces(*native_, batch, scores, stop);
    } else {
      ScoreInPieces(policy_, batch, scores, stop);
    }
  }

  void ScoreBySlowCopy(const ScoreBatch& batch, std::span<float> scores, const std::atomic<bool>* stop) override {
    ScoreInPieces(slow_, batch, scores, stop);
  }

  void Learn(const TrainingBatch& batch, double learning_rate) override {
    auto columns = std::make_unique<PairBatch>(batch);
    const py::gil_scoped_acquire lock;
    const double loss = py::cast<double>(py::float_(py::object(object_.attr("learn")(std::move(columns), learning_rate))));
    if (!std::isfinite(loss)) throw Diverged("training has diverged: the loss is not finite any more");
    losses_ += loss;
    ++gradient_steps_;
  }

  void Refresh() override {
    {
      const py::gil_scoped_acquire lock;
      object_.attr("refresh")();
    }
    if (scores_natively_) native_.emplace(CheckedModel(), pool_);
  }

  double TakeLoss() override {
    const double sum = std::exchange(losses_, 0);
    const std::size_t steps = std::exchange(gradient_steps_, 0);
    return steps == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(steps);
  }

  Tensors Weights() const override { return CheckedModel().tensors; }

  std::string Save() const override {
    const py::gil_scoped_acquire lock;
    return static_cast<std::string>(py::bytes(object_.attr("save")()));
  }

  void Restore(std::string_view bytes) override {
    {
      const py::gil_scoped_acquire lock;
      object_.attr("restore")(py::bytes(bytes.data(), bytes.size()));
    }
    Refresh();
  }

 private:
  // Without tensors, if the learner's network is none of conpole's.
  Model CheckedModel() const {
    Model model{architecture_, {}, {}, meaning_};
    const py::gil_scoped_acquire lock;
    const py::object given = object_.attr("weights")();
    if (given.is_none()) return model;
    for (const auto& [name, value] : given.cast<std::map<std::string, py::object>>()) {
      const py::array_t<float, py::array::c_style | py::array::forcecast> array(HostArray(value));
      Tensor tensor{{array.shape(), array.shape() + array.ndim()}, {array.data(), array.data() + array.size()}};
      if (!std::all_of(tensor.values.begin(), tensor.values.end(), [](float weight) { return std::isfinite(weight); })) {
        throw Diverged(fmt::format("training has diverged: a weight of {} is not finite any more", name));
      }
      model.tensors.emplace(name, std::move(tensor));
    }
    CheckTensors(model);
    return model;
  }

  const py::object& object_;
  Architecture architecture_;
  ScoreMeaning meaning_;
  ThreadPool pool_;
  MethodScorer policy_;
  MethodScorer slow_;
  bool scores_natively_ = false;
  std::optional<NetworkScorer> native_;  // with the weights as of the last Refresh
  double losses_ = 0;                    // the sum since it was taken
  std::size_t gradient_steps_ = 0;
};

}  // namespace

std::unique_ptr<Learner> MakePythonLearner(const py::object& object, const Model& model, const LearnerOptions& options,
                                           const std::string& device) {
  return std::make_unique<PythonLearner>(object, model, options, device);
}

py::dict ArraysOf(const Tensors& tensors) {
  py::dict arrays;
  for (const auto& [name, tensor] : tensors) {
    py::array_t<float> array(std::vector<py::ssize_t>(tensor.shape.begin(), tensor.shape.end()));
    std::copy(tensor.values.begin(), tensor.values.end(), array.mutable_data());
    arrays[py::str(name)] = std::move(array);
  }
  return arrays;
}

}  // namespace conpole::python

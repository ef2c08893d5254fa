#include "train/cpu/cpu_learner.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "nn/network_scorer.h"
#include "search/lockstep.h"
#include "train/cpu/differentiator.h"
#include "train/cpu/losses.h"
#include "train/loop/learner_state.h"
#include "train/ranks/ranks.h"

namespace conpole {
namespace {

// Weights that a thread takes at a time. Sums over all of them are added up by parts, so that threads do not change them.
constexpr std::size_t kPart = std::size_t{1} << 13;

class CpuLearner final : public Learner {
 public:
  CpuLearner(const Model& model, const LearnerOptions& options)
      : architecture_(model.architecture),
        meaning_(model.meaning()),
        options_(options),
        pool_(options.threads),
        reader_(model.architecture),
        network_(model.architecture),
        weights_(network_.VectorOf(model.tensors)),
        mean_(weights_.size()),
        square_(weights_.size()),
        norms_((weights_.size() + kPart - 1) / kPart) {
    for (std::size_t i = 0; i < pool_.size(); ++i) {
      differentiators_.push_back(std::make_unique<Differentiator>(network_, reader_));
    }
    gradients_.resize(pool_.size());
    if (options_.ranks != nullptr) options_.ranks->UseDevice("cpu");
    if (options_.target.is_used()) slow_weights_ = weights_;
    CpuLearner::Refresh();
  }

  void Score(const ScoreBatch& batch, std::span<float> scores, const std::atomic<bool>* stop) override {
    ScoreInPieces(*policy_, batch, scores, stop);
    CheckHealth();
  }

  void ScoreBySlowCopy(const ScoreBatch& batch, std::span<float> scores, const std::atomic<bool>* stop) override {
    if (std::exchange(slow_is_stale_, false)) Give(slow_weights_, slow_);
    ScoreInPieces(*slow_, batch, scores, stop);
  }

  void Learn(const TrainingBatch& batch, double learning_rate) override { LearnMeanwhile(batch, learning_rate, {}); }

  void LearnMeanwhile(const TrainingBatch& batch, double learning_rate, const std::function<bool()>& meanwhile) override {
    CheckHealth();
    const double loss = Differentiate(batch, meanwhile);
    const double norm = NormOfGradient();
    // Once the loss is not finite, all weights would become so.
    is_healthy_ = std::isfinite(loss) && std::isfinite(norm);
    CheckHealth();
    losses_ += loss;
    ++losses_counted_;
    Step(learning_rate, std::min(1.0, options_.clip / (norm + 1e-6)));
    UpdateSlowCopy();
  }

  void Refresh() override { Give(weights_, policy_); }

  double TakeLoss() override {
    CheckHealth();
    const double sum = std::exchange(losses_, 0);
    const std::int64_t steps = std::exchange(losses_counted_, 0);
    return steps == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(steps);
  }

  std::uint64_t unknown_characters() const override { return reader_.unknown_characters(); }

  Tensors Weights() const override {
    CheckWeights();
    return network_.TensorsOf(weights_);
  }

  std::string SaveForScoring() const override {
    CheckHealth();
    return FormatLearnerState({{{kWeightsName, weights_}}}, steps_);
  }

  std::string Save() const override {
    CheckWeights();
    CheckFinite(mean_, "the mean of the gradients");
    CheckFinite(square_, "the mean of the gradients' squares");
    std::vector<std::pair<std::string, std::span<const float>>> vectors{
        {kWeightsName, weights_}, {kMeanName, mean_}, {kSquareName, square_}};
    if (options_.target.is_used()) vectors.emplace_back(kSlowWeightsName, slow_weights_);
    return FormatLearnerState(vectors, steps_);
  }

  void Restore(std::string_view bytes) override {
    const LearnerState state = ParseLearnerState(bytes);
    const auto at = [&](const char* name) { return state.At(name, weights_.size()); };
    std::vector<float> weights = at(kWeightsName);
    std::vector<float> mean = at(kMeanName);
    std::vector<float> square = at(kSquareName);
    if (options_.target.is_used()) slow_weights_ = at(kSlowWeightsName);
    weights_ = std::move(weights);
    mean_ = std::move(mean);
    square_ = std::move(square);
    steps_ = state.steps;
    slow_is_stale_ = true;
    Refresh();
  }

 private:
  // Leaves the gradient in gradients_[0], and returns the loss.
  double Differentiate(const TrainingBatch& batch, const std::function<bool()>& meanwhile) {
    const double count = batch.examples() == 0 ? 0 : static_cast<double>(WeightOf(options_.loss, batch));
    network_.Pack(weights_, pool_);
    // Over ranks it is a sum, and becomes a mean when all that it counts is known.
    const double weight = options_.ranks == nullptr ? count : 1;
    std::vector<TrainingBatch> parts;
    if (pool_.size() > 1) parts = batch.Split(pool_.size());
    const std::size_t part_count = count == 0 ? 0 : std::max<std::size_t>(1, parts.size());
    std::vector<double> losses(part_count);
    pool_.For(part_count, [&](std::size_t i) {
      gradients_[i].assign(weights_.size() + 2, 0.0F);
      losses[i] = differentiators_[i]->Run(parts.empty() ? batch : parts[i], options_.loss, weight, gradients_[i].data());
    });
    if (part_count == 0) gradients_[0].assign(weights_.size() + 2, 0.0F);
    ForParts([&](std::size_t begin, std::size_t size) {
      for (std::size_t i = 1; i < part_count; ++i) {
        kernels_.add(size, 1, gradients_[i].data() + begin, gradients_[0].data() + begin);
      }
    });
    double loss = 0;
    for (const double part : losses) loss += part;
    return options_.ranks == nullptr ? loss : SumOverRanks(loss, count, meanwhile);
  }

  // The gradients of the batches of all ranks as if they were one, and the loss.
  double SumOverRanks(double loss, double count, const std::function<bool()>& meanwhile) {
    std::vector<float>& sums = gradients_[0];
    const std::size_t size = weights_.size();
    sums[size] = static_cast<float>(loss);
    sums[size + 1] = static_cast<float>(count);
    if (meanwhile) {
      options_.ranks->SumMeanwhile(sums, meanwhile);
    } else {
      options_.ranks->Sum(sums);
    }
    const float factor = 1 / std::max(1.0F, sums[size + 1]);
    for (float& sum : sums) sum *= factor;
    return static_cast<double>(sums[size]);
  }

  double NormOfGradient() {
    ForParts([&](std::size_t begin, std::size_t size) {
      constexpr std::size_t kLanes = 16;
      float sums[kLanes] = {};
      const float* const gradient = gradients_[0].data() + begin;
      std::size_t i = 0;
      for (; i + kLanes <= size; i += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += gradient[i + lane] * gradient[i + lane];
      }
      for (; i < size; ++i) sums[0] += gradient[i] * gradient[i];
      norms_[begin / kPart] = 0;
      for (const float sum : sums) norms_[begin / kPart] += static_cast<double>(sum);
    });
    double sum = 0;
    for (const double norm : norms_) sum += norm;
    return std::sqrt(sum);
  }

  void Step(double learning_rate, double gradient_factor) {
    ++steps_;
    const auto steps = static_cast<double>(steps_);
    const TrainingKernels::Adamw step{
        .gradient_factor = static_cast<float>(gradient_factor),
        .weight_factor = static_cast<float>(1 - learning_rate * options_.weight_decay),
        .rate = static_cast<float>(learning_rate / (1 - std::pow(TrainingKernels::kBeta1, steps))),
        .square_factor = static_cast<float>(1 / std::sqrt(1 - std::pow(TrainingKernels::kBeta2, steps)))};
    ForParts([&](std::size_t begin, std::size_t size) {
      kernels_.adamw(size, step, gradients_[0].data() + begin, weights_.data() + begin, mean_.data() + begin,
                     square_.data() + begin);
    });
  }

  void UpdateSlowCopy() {
    const TargetNetwork& target = options_.target;
    if (!target.is_used()) return;
    const auto way = static_cast<float>(target.average);
    for (std::size_t i = 0; i < weights_.size(); ++i) slow_weights_[i] += way * (weights_[i] - slow_weights_[i]);
    const bool is_due = target.every != 0 && steps_ % static_cast<std::int64_t>(target.every) == 0;
    if (is_due) slow_weights_ = weights_;
    slow_is_stale_ |= is_due || target.average != 0;
  }

  void ForParts(const std::function<void(std::size_t begin, std::size_t size)>& work) {
    pool_.For(norms_.size(), [&](std::size_t i) { work(i * kPart, std::min(kPart, weights_.size() - i * kPart)); });
  }

  void Give(std::span<const float> weights, std::optional<NetworkScorer>& scorer) {
    scorer.emplace(Model{architecture_, network_.TensorsOf(weights), {}, meaning_}, pool_);
  }
  void CheckHealth() const {
    if (!is_healthy_) ThrowDiverged("the loss, or a weight,");
  }
  void CheckWeights() const {
    CheckHealth();
    CheckFinite(weights_, "a weight");
  }

  Architecture architecture_;
  ScoreMeaning meaning_;
  LearnerOptions options_;
  ThreadPool pool_;
  const TrainingKernels& kernels_ = TrainingKernels::Best();
  TextReader reader_;
  NetworkWeights network_;
  std::vector<float> weights_;
  std::vector<float> mean_;    // of the gradients, lately
  std::vector<float> square_;  // of their squares
  std::int64_t steps_ = 0;
  std::vector<std::unique_ptr<Differentiator>> differentiators_;  // one per thread
  std::vector<std::vector<float>> gradients_;                     // likewise; and room for the loss and what it is a mean of
  std::vector<double> norms_;                                     // squared, of parts of the gradient
  std::optional<NetworkScorer> policy_;                           // what search asks
  std::vector<float> slow_weights_;
  std::optional<NetworkScorer> slow_;  // what targets are made with, if they are
  bool slow_is_stale_ = true;          // it has not got slow_weights_ yet
  bool is_healthy_ = true;
  double losses_ = 0;  // the sum since it was taken
  std::int64_t losses_counted_ = 0;
};

}  // namespace

std::unique_ptr<Learner> MakeCpuLearner(const Model& model, const LearnerOptions& options) {
  CheckTensors(model);
  return std::make_unique<CpuLearner>(model, options);
}

}  // namespace conpole

#include "torch/torch_learner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <torch/torch.h>

#include "conpole/error.h"
#include "search/lockstep.h"
#include "torch/inference.h"
#include "torch/losses.h"
#include "torch/network.h"
#include "torch/optimiser.h"
#include "torch/rank_sum.h"
#include "train/cpu/losses.h"

#ifdef CONPOLE_FUSED_LSTM
#include "torch/fused_network.h"
#endif

namespace conpole {
namespace {

// Scored without looking at the stop flag: a fraction of a second's work on a GPU.
constexpr std::size_t kCharactersAtATime = std::size_t{1} << 24;
// And in one pass, which bounds the memory that it takes.
constexpr std::size_t kCharactersPerPass = std::size_t{1} << 20;

// Scores with weights that are given anew now and then.
class WeightsScorer final : public Scorer {
 public:
  WeightsScorer(const Model& model, const TorchLearnerOptions& options)
      : meaning_(model.meaning()),
        inference_(model.architecture,
                   {options.device, DeviceOf(options.device).is_cuda() ? TorchPrecision::kFloat16 : TorchPrecision::kFloat32,
                    kCharactersPerPass, options.own_kernels}) {}

  void Take(const torch::Tensor& weights) { inference_.network()->CopyParametersFrom(weights); }

  ScoreMeaning meaning() const override { return meaning_; }
  std::size_t CharactersAtATime() const override { return kCharactersAtATime; }
  void Score(const ScoreBatch& batch, std::span<float> scores) override { inference_.Score(batch, scores); }

 private:
  ScoreMeaning meaning_;
  Inference inference_;
};

// One weight vector in 32 bits that the optimiser works on, and a network whose parameters are copies of its parts. One vector
// needs one call of each operation, where a network's parameters would need dozens.
class TorchLearner final : public Learner {
 public:
  TorchLearner(const Model& model, const TorchLearnerOptions& options)
      : options_(options.learner),
        device_(DeviceOf(options.device)),
        network_(model.architecture, TextEncoderOptions{options.own_kernels}),
        policy_(model, options) {
    network_->SetTensors(model.tensors);
    weights_ = Flat(*network_).to(device_);
    network_->to(device_, device_.is_cuda() ? torch::kBFloat16 : torch::kFloat32);
    network_->train();
#ifdef CONPOLE_FUSED_LSTM
    if (options.own_kernels && FusedNetwork::CanRun(model.architecture, weights_.to(torch::kBFloat16))) {
      fused_.emplace(model.architecture);
    }
#endif
    optimiser_ = {torch::zeros_like(weights_), torch::zeros_like(weights_)};
    losses_ = torch::zeros({}, torch::TensorOptions(device_));
    health_ = torch::zeros({}, torch::TensorOptions(device_));
    if (options_.ranks != nullptr) options_.ranks->UseDevice(device_.str());
    if (options_.target.is_used()) {
      slow_weights_ = weights_.clone();
      slow_.emplace(model, options);
    }
    TorchLearner::Refresh();
  }

  void Score(const ScoreBatch& batch, std::span<float> scores, const std::atomic<bool>* stop) override {
    ScoreInPieces(policy_, batch, scores, stop);
    CheckHealth();  // a GPU has come to the end of its work here, so that asking costs nothing
  }

  void ScoreBySlowCopy(const ScoreBatch& batch, std::span<float> scores, const std::atomic<bool>* stop) override {
    if (std::exchange(slow_is_stale_, false)) slow_->Take(slow_weights_);
    ScoreInPieces(*slow_, batch, scores, stop);
  }

  // A GPU does sums and scores one after the other, and scores best in large batches, so that nothing is done meanwhile.
  void Learn(const TrainingBatch& batch, double learning_rate) override {
    const Differential differential = options_.ranks == nullptr ? Differentiate(batch) : DifferentiateOnRanks(batch);
    const torch::NoGradGuard no_gradients;
    const torch::Tensor gradient = differential.gradient * (options_.clip / (differential.gradient.norm() + 1e-6)).clamp_max(1);
    optimiser_.Step(weights_, gradient, learning_rate, options_.weight_decay);
    losses_ += differential.loss;
    ++gradient_steps_;
    // Zero as long as all is finite, and not a number from then on.
    health_ += (differential.loss + weights_.sum()) * 0;
    if (!device_.is_cuda()) CheckHealth();
    CopyWeights();
    UpdateSlowCopy();
  }

  void Refresh() override { policy_.Take(weights_); }

  double TakeLoss() override {
    CheckHealth();
    const auto sum = losses_.item<double>();
    losses_.zero_();
    const std::int64_t steps = std::exchange(gradient_steps_, 0);
    return steps == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(steps);
  }

  std::uint64_t unknown_characters() const override {
#ifdef CONPOLE_FUSED_LSTM
    if (fused_) return fused_->unknown_characters();
#endif
    return network_->unknown_characters();
  }

  Tensors Weights() const override {
    CheckFinite(weights_, "a weight");
    Network copy(network_->architecture());
    copy->CopyParametersFrom(weights_);
    return copy->GetTensors();
  }

  std::string SaveForScoring() const override {
    CheckHealth();
    return FormatVectors({{kWeightsName, weights_}}, optimiser_.steps);
  }

  std::string Save() const override {
    CheckHealth();
    CheckFinite(weights_, "a weight");
    CheckFinite(optimiser_.mean, "the mean of the gradients");
    CheckFinite(optimiser_.square, "the mean of the gradients' squares");
    std::vector<std::pair<std::string, torch::Tensor>> vectors{
        {kWeightsName, weights_}, {kMeanName, optimiser_.mean}, {kSquareName, optimiser_.square}};
    if (slow_) vectors.emplace_back(kSlowWeightsName, slow_weights_);
    return FormatVectors(vectors, optimiser_.steps);
  }

  void Restore(std::string_view bytes) override {
    const LearnerState state = ParseLearnerState(bytes);
    const auto take = [&](const char* name) { return TakeVector(state, name, weights_); };
    const torch::Tensor weights = take(kWeightsName);
    const torch::Tensor mean = take(kMeanName);
    const torch::Tensor square = take(kSquareName);
    const torch::Tensor slow_weights = slow_ ? take(kSlowWeightsName) : torch::Tensor();
    const torch::NoGradGuard no_gradients;
    weights_.copy_(weights);
    optimiser_.mean.copy_(mean);
    optimiser_.square.copy_(square);
    optimiser_.steps = state.steps;
    if (slow_) slow_weights_.copy_(slow_weights);
    slow_is_stale_ = true;
    CopyWeights();
    Refresh();
  }

 private:
  // All parameters as one vector, in the network's order.
  static torch::Tensor Flat(const NetworkImpl& network) {
    std::vector<torch::Tensor> parts;
    for (const torch::Tensor& parameter : network.all_parameters()) parts.push_back(parameter.detach().reshape({-1}));
    return torch::cat(parts);
  }

  // The loss and its gradient by all weights.
  struct Differential {
    torch::Tensor loss;
    torch::Tensor gradient;
  };

  Differential Differentiate(const TrainingBatch& batch) {
#ifdef CONPOLE_FUSED_LSTM
    if (fused_) {
      const torch::NoGradGuard no_gradients;
      const LossOfScores loss =
          LossOf(options_.loss, fused_->Score(weights_.to(torch::kBFloat16), batch.texts(), batch.pairs()), batch);
      return {loss.value, fused_->Gradient(loss.gradient)};
    }
#endif
    NetworkImpl& network = *network_;
    const torch::Tensor vectors = network.Encode(batch.texts());
    const torch::Tensor scores = network.ScorePairs(vectors, PairRows(batch.pairs(), device_));
    const LossOfScores loss = LossOf(options_.loss, scores, batch);
    scores.backward(loss.gradient);
    std::vector<torch::Tensor> gradients;
    for (torch::Tensor parameter : network.all_parameters()) {
      gradients.push_back(parameter.grad().reshape({-1}));
      parameter.mutable_grad().reset();
    }
    return {loss.value, torch::cat(gradients).to(torch::kFloat32)};
  }

  // The same of the batches of all ranks as if they were one: one sum of the gradients, the losses and what they count for.
  Differential DifferentiateOnRanks(const TrainingBatch& batch) {
    const std::int64_t size = weights_.numel();
    torch::Tensor sums = torch::zeros({size + 2}, weights_.options());
    if (const std::size_t weight = batch.examples() == 0 ? 0 : WeightOf(options_.loss, batch); weight != 0) {
      const Differential here = Differentiate(batch);
      const torch::NoGradGuard no_gradients;
      const auto scale = static_cast<double>(weight);
      sums.slice(0, 0, size).copy_(here.gradient).mul_(scale);
      sums.slice(0, size, size + 1).copy_(here.loss.reshape({1})).mul_(scale);
      sums.slice(0, size + 1, size + 2).fill_(scale);
    }
    const torch::NoGradGuard no_gradients;
    SumOverRanks(*options_.ranks, sums);
    sums.slice(0, 0, size + 1).div_(sums.slice(0, size + 1, size + 2).clamp_min(1));
    return {sums[size], sums.slice(0, 0, size)};
  }

  void UpdateSlowCopy() {
    if (!slow_) return;
    const TargetNetwork& target = options_.target;
    if (target.average != 0) slow_weights_.lerp_(weights_, target.average);
    const bool is_due = target.every != 0 && optimiser_.steps % static_cast<std::int64_t>(target.every) == 0;
    if (is_due) slow_weights_.copy_(weights_);
    slow_is_stale_ |= is_due || target.average != 0;
  }

  void CheckHealth() const {
    if (!std::isfinite(health_.item<double>())) ThrowDiverged("the loss, or a weight,");
  }

  void CopyWeights() {
#ifdef CONPOLE_FUSED_LSTM
    if (fused_) return;  // takes them as they are
#endif
    network_->CopyParametersFrom(weights_);
  }

  LearnerOptions options_;
  torch::Device device_;
  Network network_;  // what gradients are computed with
#ifdef CONPOLE_FUSED_LSTM
  std::optional<FusedNetwork> fused_;  // or this, where it fits
#endif
  torch::Tensor weights_;
  AdamW optimiser_;
  WeightsScorer policy_;  // what search asks
  torch::Tensor slow_weights_;
  std::optional<WeightsScorer> slow_;  // what targets are made with, if they are
  bool slow_is_stale_ = true;          // it has not got slow_weights_ yet
  torch::Tensor losses_;               // the sum since it was taken
  torch::Tensor health_;               // 0, or not a number once something was not finite
  std::int64_t gradient_steps_ = 0;
};

}  // namespace

std::unique_ptr<Learner> MakeTorchLearner(const Model& model, const TorchLearnerOptions& options) {
  return std::make_unique<TorchLearner>(model, options);
}

}  // namespace conpole

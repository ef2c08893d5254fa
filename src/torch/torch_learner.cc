#include "torch/torch_learner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <torch/torch.h>

#include "conpole/error.h"
#include "nn/network_scorer.h"
#include "search/lockstep.h"
#include "torch/inference.h"
#include "torch/losses.h"
#include "torch/network.h"
#include "torch/optimiser.h"
#include "torch/rank_sum.h"
#include "util/thread_pool.h"

#ifdef CONPOLE_FUSED_LSTM
#include "torch/fused_network.h"
#endif

namespace conpole {
namespace {

// Scored without looking at the stop flag: a fraction of a second's work on a GPU.
constexpr std::size_t kCharactersAtATimeOnGpu = std::size_t{1} << 24;
// And in one pass, which bounds the memory that it takes.
constexpr std::size_t kCharactersPerPass = std::size_t{1} << 20;

// Scores with one set of weights, which are given anew now and then: with the runtime engine on the CPU, with LibTorch on a
// GPU.
class WeightsScorer final : public Scorer {
 public:
  WeightsScorer(const Model& model, const TorchLearnerOptions& options, bool on_gpu, ThreadPool& pool)
      : architecture_(model.architecture), meaning_(model.meaning()), pool_(pool) {
    if (!on_gpu) return;
    inference_.emplace(architecture_,
                       TorchOptions{options.device, TorchPrecision::kFloat16, kCharactersPerPass, options.own_kernels});
  }

  // The module to copy weights to; null on the CPU, which takes them by SetTensors.
  NetworkImpl* module() { return inference_ ? inference_->network().get() : nullptr; }
  void SetTensors(Tensors tensors) { scorer_.emplace(Model{architecture_, std::move(tensors), {}, {}}, pool_); }

  ScoreMeaning meaning() const override { return meaning_; }
  std::size_t CharactersAtATime() const override { return inference_ ? kCharactersAtATimeOnGpu : scorer_->CharactersAtATime(); }
  void Score(const ScoreBatch& batch, std::span<float> scores) override {
    if (inference_) {
      inference_->Score(batch, scores);
    } else {
      scorer_->Score(batch, scores);
    }
  }

 private:
  Architecture architecture_;
  ScoreMeaning meaning_;
  ThreadPool& pool_;
  std::optional<Inference> inference_;   // on a GPU
  std::optional<NetworkScorer> scorer_;  // on the CPU
};

// One weight vector in 32 bits that the optimiser works on, and networks whose parameters are copies of its parts. One vector
// needs one call of each operation, where a network's parameters would need dozens. On a GPU there is one network; on the CPU
// there is one for each thread, since operations on a few strings are too small to be shared.
class TorchLearner final : public Learner {
 public:
  TorchLearner(const Model& model, const TorchLearnerOptions& options)
      : options_(options.learner),
        device_(DeviceOf(options.device)),
        pool_(device_.is_cuda() ? 1 : options.learner.threads),
        policy_(model, options, device_.is_cuda(), pool_) {
    for (std::size_t i = 0; i < pool_.size(); ++i) {
      Network network(model.architecture, TextEncoderOptions{options.own_kernels});
      network->SetTensors(model.tensors);
      if (i == 0) weights_ = Flat(*network).to(device_);
      network->to(device_, device_.is_cuda() ? torch::kBFloat16 : torch::kFloat32);
      network->train();
      networks_.push_back(std::move(network));
    }
#ifdef CONPOLE_FUSED_LSTM
    if (options.own_kernels && FusedNetwork::CanRun(model.architecture, weights_.to(torch::kBFloat16))) {
      fused_.emplace(model.architecture);
    }
#endif
    optimiser_ = {torch::zeros_like(weights_), torch::zeros_like(weights_)};
    losses_ = torch::zeros({}, torch::TensorOptions(device_));
    health_ = torch::zeros({}, torch::TensorOptions(device_));
    if (!device_.is_cuda()) {
      UseNoThreadsWithinOperations();
      KeepFreedMemory();
    }
    if (options_.ranks != nullptr) PrepareSums(*options_.ranks, device_);
    if (options_.target.is_used()) {
      slow_weights_ = weights_.clone();
      slow_.emplace(model, options, device_.is_cuda(), pool_);
    }
    TorchLearner::Refresh();
  }

  void Score(const ScoreBatch& batch, std::span<float> scores, const std::atomic<bool>* stop) override {
    ScoreInPieces(policy_, batch, scores, stop);
    CheckHealth();  // a GPU has come to the end of its work here, so that asking costs nothing
  }

  void ScoreBySlowCopy(const ScoreBatch& batch, std::span<float> scores, const std::atomic<bool>* stop) override {
    if (std::exchange(slow_is_stale_, false)) Give(slow_weights_, *slow_);
    ScoreInPieces(*slow_, batch, scores, stop);
  }

  void Learn(const TrainingBatch& batch, double learning_rate) override { LearnMeanwhile(batch, learning_rate, {}); }

  // A GPU does sums and scores one after the other, and scores best in large batches.
  void LearnMeanwhile(const TrainingBatch& batch, double learning_rate, const std::function<bool()>& meanwhile) override {
    const Differential differential = options_.ranks == nullptr
                                          ? DifferentiateHere(batch)
                                          : DifferentiateOnRanks(batch, device_.is_cuda() ? nullptr : meanwhile);
    const torch::NoGradGuard no_gradients;
    const torch::Tensor gradient = differential.gradient * (options_.clip / (differential.gradient.norm() + 1e-6)).clamp_max(1);
    optimiser_.Step(weights_, gradient, learning_rate, options_.weight_decay);
    losses_ += differential.loss;
    ++gradient_steps_;
    // Zero as long as all is finite, and not a number from then on.
    health_ += (differential.loss + weights_.sum()) * 0;
    if (!device_.is_cuda()) CheckHealth();
    CopyWeightsToAll();
    UpdateSlowCopy();
  }

  void Refresh() override { Give(weights_, policy_); }

  double TakeLoss() override {
    CheckHealth();
    const auto sum = losses_.item<double>();
    losses_.zero_();
    const std::int64_t steps = std::exchange(gradient_steps_, 0);
    return steps == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(steps);
  }

  std::uint64_t unknown_characters() const override {
    std::uint64_t sum = 0;
    for (const Network& network : networks_) sum += network->unknown_characters();
#ifdef CONPOLE_FUSED_LSTM
    if (fused_) sum += fused_->unknown_characters();
#endif
    return sum;
  }

  Tensors Weights() const override {
    CheckFinite(weights_, "a weight");
    return TensorsOf(weights_);
  }

  std::string SaveForScoring() const override {
    CheckHealth();
    return FormatVectors({{kWeights, weights_}}, optimiser_.steps);
  }

  std::string Save() const override {
    CheckHealth();
    CheckFinite(weights_, "a weight");
    CheckFinite(optimiser_.mean, "the mean of the gradients");
    CheckFinite(optimiser_.square, "the mean of the gradients' squares");
    std::vector<std::pair<std::string, torch::Tensor>> vectors{
        {kWeights, weights_}, {kMean, optimiser_.mean}, {kSquare, optimiser_.square}};
    if (slow_) vectors.emplace_back(kSlowWeights, slow_weights_);
    return FormatVectors(vectors, optimiser_.steps);
  }

  void Restore(std::string_view bytes) override {
    const Vectors vectors = ParseVectors(bytes);
    const auto take = [&](const char* name) { return vectors.Take(name, weights_); };
    const torch::Tensor weights = take(kWeights);
    const torch::Tensor mean = take(kMean);
    const torch::Tensor square = take(kSquare);
    const torch::Tensor slow_weights = slow_ ? take(kSlowWeights) : torch::Tensor();
    const torch::NoGradGuard no_gradients;
    weights_.copy_(weights);
    optimiser_.mean.copy_(mean);
    optimiser_.square.copy_(square);
    optimiser_.steps = vectors.steps;
    if (slow_) slow_weights_.copy_(slow_weights);
    slow_is_stale_ = true;
    CopyWeightsToAll();
    Refresh();
  }

 private:
  static constexpr const char* kWeights = "weights";
  static constexpr const char* kMean = "mean";
  static constexpr const char* kSquare = "square";
  static constexpr const char* kSlowWeights = "slow-weights";

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

  Differential Differentiate(std::size_t network_index, const TrainingBatch& batch) {
#ifdef CONPOLE_FUSED_LSTM
    if (fused_) {
      const torch::NoGradGuard no_gradients;
      const LossOfScores loss =
          LossOf(options_.loss, fused_->Score(weights_.to(torch::kBFloat16), batch.texts(), batch.pairs()), batch);
      return {loss.value, fused_->Gradient(loss.gradient)};
    }
#endif
    NetworkImpl& network = *networks_[network_index];
    const torch::Tensor vectors = network.Encode(batch.texts());
    const torch::Tensor scores = ScoresOf(network, batch, vectors);
    const LossOfScores loss = LossOf(options_.loss, scores, batch);
    scores.backward(loss.gradient);
    std::vector<torch::Tensor> gradients;
    for (torch::Tensor parameter : network.all_parameters()) {
      gradients.push_back(parameter.grad().reshape({-1}));
      parameter.mutable_grad().reset();
    }
    return {loss.value, torch::cat(gradients).to(torch::kFloat32)};
  }

  Differential DifferentiateHere(const TrainingBatch& batch) {
    return networks_.size() == 1 ? Differentiate(0, batch) : DifferentiateOnThreads(batch);
  }

  // The same of the batches of all ranks as if they were one: one sum of the gradients, the losses and what they count for.
  Differential DifferentiateOnRanks(const TrainingBatch& batch, const std::function<bool()>& meanwhile) {
    const std::int64_t size = weights_.numel();
    torch::Tensor sums = torch::zeros({size + 2}, weights_.options());
    if (const std::size_t weight = batch.examples() == 0 ? 0 : WeightOf(options_.loss, batch); weight != 0) {
      const Differential here = DifferentiateHere(batch);
      const torch::NoGradGuard no_gradients;
      const auto scale = static_cast<double>(weight);
      sums.slice(0, 0, size).copy_(here.gradient).mul_(scale);
      sums.slice(0, size, size + 1).copy_(here.loss.reshape({1})).mul_(scale);
      sums.slice(0, size + 1, size + 2).fill_(scale);
    }
    const torch::NoGradGuard no_gradients;
    SumOverRanks(*options_.ranks, sums, meanwhile);
    sums.slice(0, 0, size + 1).div_(sums.slice(0, size + 1, size + 2).clamp_min(1));
    return {sums[size], sums.slice(0, 0, size)};
  }

  // The same, with a part of the batch for each network.
  Differential DifferentiateOnThreads(const TrainingBatch& batch) {
    const std::vector<TrainingBatch> parts = batch.Split(networks_.size());
    std::vector<Differential> differentials(parts.size());
    pool_.For(parts.size(), [&](std::size_t i) { differentials[i] = Differentiate(i, parts[i]); });
    Differential sum{torch::zeros({}), torch::zeros_like(weights_)};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const double share =
          static_cast<double>(WeightOf(options_.loss, parts[i])) / static_cast<double>(WeightOf(options_.loss, batch));
      sum.loss += differentials[i].loss * share;
      sum.gradient += differentials[i].gradient * share;
    }
    return sum;
  }

  // One per pair, in 32 bits.
  torch::Tensor ScoresOf(NetworkImpl& network, const TrainingBatch& batch, const torch::Tensor& vectors) const {
    return network.ScorePairs(vectors, PairRows(batch.pairs(), device_));
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
  void Give(const torch::Tensor& weights, WeightsScorer& scorer) const {
    if (NetworkImpl* const module = scorer.module()) {
      module->CopyParametersFrom(weights);
    } else {
      scorer.SetTensors(TensorsOf(weights));
    }
  }

  Tensors TensorsOf(const torch::Tensor& weights) const {
    // On the CPU the networks have the weights as they are.
    if (weights.is_same(weights_) && !device_.is_cuda()) return networks_[0]->GetTensors();
    Network copy(networks_[0]->architecture());
    copy->CopyParametersFrom(weights);
    return copy->GetTensors();
  }

  void CopyWeightsToAll() {
#ifdef CONPOLE_FUSED_LSTM
    if (fused_) return;  // takes them as they are
#endif
    for (Network& network : networks_) network->CopyParametersFrom(weights_);
  }

  LearnerOptions options_;
  torch::Device device_;
  ThreadPool pool_;                // on the CPU
  std::vector<Network> networks_;  // what gradients are computed with
#ifdef CONPOLE_FUSED_LSTM
  std::optional<FusedNetwork> fused_;  // instead of them, where there are kernels for it
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

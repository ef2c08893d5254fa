#include "torch/torch_learner.h"

#include <dlfcn.h>

#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include <torch/torch.h>

#include "conpole/error.h"
#include "nn/network_scorer.h"
#include "torch/inference.h"
#include "torch/network.h"
#include "util/thread_pool.h"

namespace conpole {
namespace {

// Minus infinity would do, but its gradient is not a number.
constexpr double kNoScore = -1e9;

// LibTorch, and OpenBLAS where LibTorch uses it, have threads of their own, which share every operation and wait for each
// other. Those on a few strings are too small for that, and our threads do without.
void UseNoThreadsWithinOperations() {
  torch::set_num_threads(1);
  using SetThreads = void (*)(int);
  if (const auto set_threads = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) set_threads(1);
}

// One weight vector in 32 bits that the optimiser works on, and networks whose parameters are copies of its parts. One vector
// needs one call of each operation, where a network's parameters would need dozens. On a GPU there is one network; on the CPU
// there is one for each thread, since operations on a few strings are too small to be shared.
class TorchLearner final : public Learner {
 public:
  TorchLearner(const Model& model, const TorchLearnerOptions& options)
      : options_(options), device_(DeviceOf(options.device)), pool_(device_.is_cuda() ? 1 : options.threads) {
    for (std::size_t i = 0; i < pool_.size(); ++i) {
      Network network(model.architecture, TextEncoderOptions{options.own_kernels});
      network->SetTensors(model.tensors);
      if (i == 0) weights_ = Flat(*network).to(device_).requires_grad_(true);
      network->to(device_, device_.is_cuda() ? torch::kBFloat16 : torch::kFloat32);
      network->train();
      networks_.push_back(std::move(network));
    }
    optimiser_ = std::make_unique<torch::optim::AdamW>(std::vector<torch::Tensor>{weights_},
                                                       torch::optim::AdamWOptions(0).weight_decay(options.weight_decay));
    losses_ = torch::zeros({}, torch::TensorOptions(device_));
    if (device_.is_cuda()) {
      inference_.emplace(model.architecture,
                         TorchOptions{options.device, TorchPrecision::kFloat16, options.max_characters, options.own_kernels});
    } else {
      UseNoThreadsWithinOperations();
    }
    TorchLearner::Refresh();
  }

  void Score(const ScoreBatch& batch, std::span<float> scores) override {
    if (inference_) {
      inference_->Score(batch, scores);
    } else {
      scorer_->Score(batch, scores);
    }
  }

  void Learn(const TrainingBatch& batch, double learning_rate) override {
    const Differential differential = networks_.size() == 1 ? Differentiate(0, batch) : DifferentiateOnThreads(batch);
    const torch::NoGradGuard no_gradients;
    const double limit = options_.clip;
    weights_.mutable_grad() = differential.gradient * (limit / (differential.gradient.norm() + 1e-6)).clamp_max(1);
    static_cast<torch::optim::AdamWOptions&>(optimiser_->param_groups()[0].options()).lr(learning_rate);
    optimiser_->step();
    CopyWeightsToAll();
    losses_ += differential.loss;
    ++gradient_steps_;
  }

  void Refresh() override {
    if (inference_) return CopyWeightsTo(*inference_->network());
    Model model{networks_[0]->architecture(), Weights(), {}};
    scorer_.emplace(model, pool_);
  }

  double TakeLoss() override {
    const auto sum = losses_.item<double>();
    losses_.zero_();
    const std::int64_t steps = std::exchange(gradient_steps_, 0);
    return steps == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(steps);
  }

  Tensors Weights() const override {
    Network copy(networks_[0]->architecture());
    CopyWeightsTo(*copy);
    return copy->GetTensors();
  }

  std::string Save() const override {
    torch::serialize::OutputArchive archive;
    archive.write("weights", weights_.detach().to(torch::kCPU));
    torch::serialize::OutputArchive optimiser_archive(archive.compilation_unit());
    optimiser_->save(optimiser_archive);
    archive.write("optimiser", optimiser_archive);
    std::ostringstream stream;
    archive.save_to(stream);
    return stream.str();
  }

  void Restore(std::string_view bytes) override {
    try {
      torch::serialize::InputArchive archive;
      archive.load_from(bytes.data(), bytes.size());
      torch::Tensor weights;
      archive.read("weights", weights);
      if (weights.sizes() != weights_.sizes()) throw Error("the checkpoint is of a network of other sizes");
      torch::serialize::InputArchive optimiser_archive;
      archive.read("optimiser", optimiser_archive);
      optimiser_->load(optimiser_archive);
      const torch::NoGradGuard no_gradients;
      weights_.copy_(weights);
      CopyWeightsToAll();
    } catch (const c10::Error& error) {
      throw Error(std::string("the state of the learner cannot be read: ") + error.what_without_backtrace());
    }
    Refresh();
  }

 private:
  // All parameters as one vector, in the network's order.
  static torch::Tensor Flat(const NetworkImpl& network) {
    std::vector<torch::Tensor> parts;
    for (const torch::Tensor& parameter : network.parameters()) parts.push_back(parameter.detach().reshape({-1}));
    return torch::cat(parts);
  }

  // The loss and its gradient by all weights.
  struct Differential {
    torch::Tensor loss;
    torch::Tensor gradient;
  };

  Differential Differentiate(std::size_t network_index, const TrainingBatch& batch) {
    NetworkImpl& network = *networks_[network_index];
    const torch::Tensor loss = LossOf(network, batch, network.Encode(batch.texts()));
    loss.backward();
    std::vector<torch::Tensor> gradients;
    for (torch::Tensor& parameter : network.parameters()) {
      gradients.push_back(parameter.grad().reshape({-1}));
      parameter.mutable_grad().reset();
    }
    return {loss.detach(), torch::cat(gradients).to(torch::kFloat32)};
  }

  // The same, with a part of the batch for each network.
  Differential DifferentiateOnThreads(const TrainingBatch& batch) {
    const std::vector<TrainingBatch> parts = batch.Split(networks_.size());
    std::vector<Differential> differentials(parts.size());
    pool_.For(parts.size(), [&](std::size_t i) { differentials[i] = Differentiate(i, parts[i]); });
    Differential sum{torch::zeros({}), torch::zeros_like(weights_)};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      // What the loss is a mean of.
      const bool of_pairs = options_.loss == Loss::kBinary;
      const auto count = static_cast<double>(of_pairs ? parts[i].pairs().size() : parts[i].examples());
      const double share = count / static_cast<double>(of_pairs ? batch.pairs().size() : batch.examples());
      sum.loss += differentials[i].loss * share;
      sum.gradient += differentials[i].gradient * share;
    }
    return sum;
  }

  void CopyWeightsToAll() {
    for (Network& network : networks_) CopyWeightsTo(*network);
  }

  void CopyWeightsTo(NetworkImpl& network) const {
    const torch::NoGradGuard no_gradients;
    const torch::Tensor weights = weights_.detach();
    std::int64_t begin = 0;
    for (torch::Tensor& parameter : network.parameters()) {
      parameter.copy_(weights.slice(0, begin, begin + parameter.numel()).view(parameter.sizes()));
      begin += parameter.numel();
    }
  }

  // The mean over the examples, or of all their pairs.
  torch::Tensor LossOf(NetworkImpl& network, const TrainingBatch& batch, const torch::Tensor& vectors) const {
    const torch::Tensor pairs = PairRows(batch.pairs(), device_);
    const torch::Tensor scores = network.ScorePairs(vectors, pairs);
    if (options_.loss == Loss::kBinary) {
      const torch::Tensor targets = torch::zeros({static_cast<std::int64_t>(batch.pairs().size())});
      std::size_t begin = 0;
      for (const std::size_t end : batch.example_ends()) targets.data_ptr<float>()[std::exchange(begin, end)] = 1;
      return torch::binary_cross_entropy_with_logits(scores, targets.to(device_));
    }
    // A row per example, the right pair first, filled up with a score that counts for nothing.
    std::size_t longest = 0;
    std::size_t begin = 0;
    for (const std::size_t end : batch.example_ends()) longest = std::max(longest, end - std::exchange(begin, end));
    const auto none = static_cast<std::int64_t>(batch.pairs().size());
    torch::Tensor places =
        torch::full({static_cast<std::int64_t>(batch.examples()), static_cast<std::int64_t>(longest)}, none, torch::kInt64);
    begin = 0;
    auto* row = places.data_ptr<std::int64_t>();
    for (const std::size_t end : batch.example_ends()) {
      for (std::size_t i = begin; i < end; ++i) row[i - begin] = static_cast<std::int64_t>(i);
      begin = end;
      row += longest;
    }
    const torch::Tensor padded = torch::cat({scores, torch::full({1}, kNoScore, scores.options())});
    return -padded.index({places.to(device_)}).log_softmax(1).select(1, 0).mean();
  }

  TorchLearnerOptions options_;
  torch::Device device_;
  ThreadPool pool_;                // on the CPU
  std::vector<Network> networks_;  // what gradients are computed with
  torch::Tensor weights_;
  std::unique_ptr<torch::optim::AdamW> optimiser_;
  std::optional<Inference> inference_;   // on a GPU
  std::optional<NetworkScorer> scorer_;  // on the CPU
  torch::Tensor losses_;                 // the sum since it was taken
  std::int64_t gradient_steps_ = 0;
};

}  // namespace

std::unique_ptr<Learner> MakeTorchLearner(const Model& model, const TorchLearnerOptions& options) {
  return std::make_unique<TorchLearner>(model, options);
}

}  // namespace conpole

#include "torch/torch_head.h"

namespace conpole {
namespace {

class BilinearTorchHead final : public TorchHead {
 public:
  explicit BilinearTorchHead(std::int64_t size)
      : form_(register_module("score", torch::nn::Linear(torch::nn::LinearOptions(size, size).bias(false)))) {}

  // Added up in 32 bits.
  torch::Tensor Score(const torch::Tensor& vectors, const torch::Tensor& pairs) override {
    const torch::Tensor parents = vectors.index_select(0, pairs[0]);
    const torch::Tensor candidates = vectors.index_select(0, pairs[1]);
    return (form_->forward(parents).to(torch::kFloat32) * candidates.to(torch::kFloat32)).sum(1);
  }

 private:
  torch::nn::Linear form_;
};

class ValueTorchHead final : public TorchHead {
 public:
  explicit ValueTorchHead(std::int64_t size) : value_(register_module("value", torch::nn::Linear(size, 1))) {}

  torch::Tensor Score(const torch::Tensor& vectors, const torch::Tensor& pairs) override {
    return value_->forward(vectors.index_select(0, pairs[1])).squeeze(1).to(torch::kFloat32);
  }

 private:
  torch::nn::Linear value_;
};

}  // namespace

std::shared_ptr<TorchHead> MakeTorchHead(Head head, std::int64_t vector_size) {
  if (head == Head::kValue) return std::make_shared<ValueTorchHead>(vector_size);
  return std::make_shared<BilinearTorchHead>(vector_size);
}

}  // namespace conpole

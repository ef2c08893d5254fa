#include "nn/head.h"

#include <algorithm>
#include <numeric>

#include "nn/network_kind.h"

namespace conpole {
namespace {

// score(s, c) = phi(c) . (W phi(s)): the product with W is made once for each parent.
class BilinearHead final : public ScoringHead {
 public:
  BilinearHead(const Model& model, std::size_t size, const Kernels& kernels)
      : kernels_(kernels), size_(size), weights_(model.tensors.at("score.weight").values.data(), size, size) {}

  bool needs_parents() const override { return true; }
  bool needs_candidates() const override { return true; }

  void Score(std::span<const float> vectors, std::span<const ScoreBatch::Pair> pairs, std::span<float> scores,
             ThreadPool& pool) const override {
    const std::size_t texts = vectors.size() / size_;
    std::vector<char> is_parent(texts);
    for (const ScoreBatch::Pair& pair : pairs) is_parent[pair.parent] = 1;
    std::vector<float> products(vectors.size());
    pool.For(texts, [&](std::size_t text) {
      if (is_parent[text] != 0) Multiply(vectors.data() + text * size_, products.data() + text * size_);
    });
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const float* const candidate = vectors.data() + pairs[i].candidate * size_;
      scores[i] = std::inner_product(candidate, candidate + size_, products.data() + pairs[i].parent * size_, 0.0F);
    }
  }

 private:
  void Multiply(const float* vector, float* product) const {
    const std::vector<float> zero(weights_.padded_width());
    std::vector<float> result(weights_.padded_width());
    const float* const start = zero.data();
    float* const out = result.data();
    const Factor factor{&vector, &weights_};
    kernels_.multiply(1, &start, &factor, 1, &out);
    std::copy_n(result.data(), size_, product);
  }

  const Kernels& kernels_;
  std::size_t size_;
  PackedMatrix weights_;
};

class ValueHead final : public ScoringHead {
 public:
  explicit ValueHead(const Model& model)
      : weights_(model.tensors.at("value.weight").values), bias_(model.tensors.at("value.bias").values.front()) {}

  bool needs_parents() const override { return false; }
  bool needs_candidates() const override { return true; }

  void Score(std::span<const float> vectors, std::span<const ScoreBatch::Pair> pairs, std::span<float> scores,
             ThreadPool& /*pool*/) const override {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const float* const candidate = vectors.data() + pairs[i].candidate * weights_.size();
      scores[i] = std::inner_product(candidate, candidate + weights_.size(), weights_.begin(), bias_);
    }
  }

 private:
  std::vector<float> weights_;
  float bias_;
};

}  // namespace

std::unique_ptr<ScoringHead> MakeHead(const Model& model, const Kernels& kernels) {
  CheckTensors(model);
  const std::size_t size = NetworkKindOf(model.architecture.kind).vector_size(model.architecture);
  if (model.architecture.head == Head::kValue) return std::make_unique<ValueHead>(model);
  return std::make_unique<BilinearHead>(model, size, kernels);
}

void ScorePairs(const Encoder& encoder, const ScoringHead& head, const ScoreBatch& batch, std::span<float> scores,
                ThreadPool& pool, ScoringMemory& memory) {
  memory.is_needed.assign(batch.texts.size(), 0);
  for (const ScoreBatch::Pair& pair : batch.pairs) {
    if (head.needs_parents()) memory.is_needed[pair.parent] = 1;
    if (head.needs_candidates()) memory.is_needed[pair.candidate] = 1;
  }
  memory.texts.clear();
  memory.row_of_text.assign(batch.texts.size(), 0);
  for (std::size_t i = 0; i < batch.texts.size(); ++i) {
    if (memory.is_needed[i] == 0) continue;
    memory.row_of_text[i] = static_cast<std::uint32_t>(memory.texts.size());
    memory.texts.push_back(batch.texts[i]);
  }
  memory.vectors.resize(memory.texts.size() * encoder.vector_size());
  encoder.Encode(memory.texts, memory.vectors, pool);
  if (memory.texts.size() == batch.texts.size()) return head.Score(memory.vectors, batch.pairs, scores, pool);
  memory.pairs.clear();
  for (const ScoreBatch::Pair& pair : batch.pairs) {
    memory.pairs.push_back({memory.row_of_text[pair.parent], memory.row_of_text[pair.candidate]});
  }
  head.Score(memory.vectors, memory.pairs, scores, pool);
}

}  // namespace conpole

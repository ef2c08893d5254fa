#include "train/cpu/differentiator.h"

#include <algorithm>
#include <numeric>

#include "train/cpu/losses.h"

namespace conpole {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

}  // namespace

Differentiator::Differentiator(NetworkWeights& weights, const TextReader& reader)
    : weights_(weights),
      reader_(reader),
      is_bilinear_(weights.architecture().head == Head::kBilinear),
      encoder_(weights.architecture().kind == "lstm" ? MakeLstmGradients(weights) : MakeBagGradients(weights)),
      first_{weights.Matrix("mlp.0.weight"), weights.PlaceOf("mlp.0.bias")},
      second_{weights.Matrix("mlp.2.weight"), weights.PlaceOf("mlp.2.bias")} {
  if (is_bilinear_) {
    form_ = &weights.Matrix("score.weight");
  } else {
    value_ = weights.PlaceOf("value.weight");
    value_bias_ = weights.PlaceOf("value.bias");
  }
}

double Differentiator::Run(const TrainingBatch& batch, Loss loss, double weight, float* gradients) {
  // 1. Texts to vectors.
  ReadTexts(batch);
  encoder_->Forward(reader_.Read(texts_, memory_), below_);
  Forward(first_, below_, middle_);
  for (std::size_t row = 0; row < middle_.count(); ++row) {
    for (std::size_t i = 0; i < middle_.width(); ++i) middle_[row][i] = std::max(middle_[row][i], 0.0F);
  }
  Forward(second_, middle_, vectors_);
  // 2. Vectors to scores, scores to the loss.
  scores_.resize(batch.pairs().size());
  of_scores_.resize(scores_.size());
  is_bilinear_ ? ScoreBilinear(batch) : ScoreByValue(batch);
  const double sum = LossOf(loss, batch, scores_, weight, of_scores_);
  // 3. And back.
  of_vectors_.Clear(vectors_.count(), vectors_.width());
  is_bilinear_ ? BilinearBackward(batch, gradients) : ValueBackward(batch, gradients);
  Backward(second_, middle_, of_vectors_, of_middle_, gradients);
  for (std::size_t row = 0; row < middle_.count(); ++row) {
    for (std::size_t i = 0; i < middle_.width(); ++i) of_middle_[row][i] = middle_[row][i] > 0 ? of_middle_[row][i] : 0.0F;
  }
  Backward(first_, below_, of_middle_, of_below_, gradients);
  encoder_->Backward(of_below_, gradients);
  return sum;
}

void Differentiator::Forward(const Layer& layer, const Rows& in, Rows& out) {
  out.Resize(in.count(), layer.matrix.out);
  for (std::size_t row = 0; row < in.count(); ++row) std::copy_n(weights_[layer.bias], layer.matrix.out, out[row]);
  const auto out_row = [&](std::size_t row) { return out[row]; };
  products_.Multiply(
      layer.matrix.there, in.count(), out_row, [&](std::size_t row) { return in[row]; }, out_row);
}

void Differentiator::Backward(const Layer& layer, const Rows& in, const Rows& of_out, Rows& of_in, float* gradients) {
  const auto of_row = [&](std::size_t row) { return of_out[row]; };
  for (std::size_t row = 0; row < in.count(); ++row) products_.Add(layer.matrix.out, of_out[row], gradients + layer.bias);
  products_.AddGradient(
      layer.matrix, in.count(), of_row, [&](std::size_t row) { return in[row]; }, gradients);
  of_in.Clear(in.count(), layer.matrix.in);
  const auto of_in_row = [&](std::size_t row) { return of_in[row]; };
  products_.Multiply(layer.matrix.back, in.count(), of_in_row, of_row, of_in_row);
}

void Differentiator::ReadTexts(const TrainingBatch& batch) {
  constexpr std::uint32_t kNeeded = 0;
  row_of_text_.assign(batch.texts().size(), kNone);
  for (const ScoreBatch::Pair& pair : batch.pairs()) {
    if (is_bilinear_) row_of_text_[pair.parent] = kNeeded;
    row_of_text_[pair.candidate] = kNeeded;
  }
  texts_.clear();
  for (std::size_t i = 0; i < row_of_text_.size(); ++i) {
    if (row_of_text_[i] == kNone) continue;
    row_of_text_[i] = static_cast<std::uint32_t>(texts_.size());
    texts_.push_back(batch.texts()[i]);
  }
}

// The score of a pair is the product of its candidate's vector with the form of its parent's.
void Differentiator::ScoreBilinear(const TrainingBatch& batch) {
  parents_.clear();
  parent_of_row_.assign(vectors_.count(), kNone);
  for (const ScoreBatch::Pair& pair : batch.pairs()) {
    std::uint32_t& place = parent_of_row_[row_of_text_[pair.parent]];
    if (place != kNone) continue;
    place = static_cast<std::uint32_t>(parents_.size());
    parents_.push_back(row_of_text_[pair.parent]);
  }
  forms_.Clear(parents_.size(), form_->out);
  const auto form = [&](std::size_t i) { return forms_[i]; };
  products_.Multiply(
      form_->there, parents_.size(), form, [&](std::size_t i) { return vectors_[parents_[i]]; }, form);
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    const ScoreBatch::Pair& pair = batch.pairs()[i];
    const float* const candidate = vectors_[row_of_text_[pair.candidate]];
    scores_[i] = std::inner_product(candidate, candidate + form_->out, forms_[parent_of_row_[row_of_text_[pair.parent]]], 0.0F);
  }
}

void Differentiator::BilinearBackward(const TrainingBatch& batch, float* gradients) {
  of_forms_.Clear(parents_.size(), form_->out);
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    const std::size_t candidate = row_of_text_[batch.pairs()[i].candidate];
    const std::size_t parent = parent_of_row_[row_of_text_[batch.pairs()[i].parent]];
    products_.kernels().add(form_->out, of_scores_[i], forms_[parent], of_vectors_[candidate]);
    products_.kernels().add(form_->out, of_scores_[i], vectors_[candidate], of_forms_[parent]);
  }
  const auto of_form = [&](std::size_t i) { return of_forms_[i]; };
  const auto of_parent = [&](std::size_t i) { return of_vectors_[parents_[i]]; };
  products_.AddGradient(
      *form_, parents_.size(), of_form, [&](std::size_t i) { return vectors_[parents_[i]]; }, gradients);
  products_.Multiply(form_->back, parents_.size(), of_parent, of_form, of_parent);
}

void Differentiator::ScoreByValue(const TrainingBatch& batch) {
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    const float* const vector = vectors_[row_of_text_[batch.pairs()[i].candidate]];
    scores_[i] = std::inner_product(vector, vector + vectors_.width(), weights_[value_], *weights_[value_bias_]);
  }
}

void Differentiator::ValueBackward(const TrainingBatch& batch, float* gradients) {
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    const std::size_t candidate = row_of_text_[batch.pairs()[i].candidate];
    products_.kernels().add(vectors_.width(), of_scores_[i], vectors_[candidate], gradients + value_);
    products_.kernels().add(vectors_.width(), of_scores_[i], weights_[value_], of_vectors_[candidate]);
    gradients[value_bias_] += of_scores_[i];
  }
}

}  // namespace conpole

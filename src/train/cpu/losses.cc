#include "train/cpu/losses.h"

#include <algorithm>
#include <cmath>

namespace conpole {
namespace {

// Cross-entropy between the targets of an example, which add up to 1, and the softmax of its scores.
double Contrastive(std::span<const float> targets, std::span<const float> scores, double weight, std::span<float> gradients) {
  const auto most = static_cast<double>(*std::max_element(scores.begin(), scores.end()));
  double sum = 0;
  double targeted = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    sum += std::exp(static_cast<double>(scores[i]) - most);
    targeted += static_cast<double>(targets[i]);
  }
  const double log_sum = std::log(sum) + most;
  double loss = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double log_share = static_cast<double>(scores[i]) - log_sum;
    const auto target = static_cast<double>(targets[i]);
    loss -= target * log_share;
    gradients[i] = static_cast<float>((std::exp(log_share) * targeted - target) / weight);
  }
  return loss;
}

}  // namespace

std::size_t WeightOf(Loss loss, const TrainingBatch& batch) {
  return loss == Loss::kContrastive ? batch.examples() : batch.pairs().size();
}

double LossOf(Loss loss, const TrainingBatch& batch, std::span<const float> scores, double weight, std::span<float> gradients) {
  double sum = 0;
  if (loss == Loss::kContrastive) {
    std::size_t begin = 0;
    for (const std::size_t end : batch.example_ends()) {
      const std::size_t size = end - begin;
      if (size != 0) {
        sum += Contrastive(batch.targets().subspan(begin, size), scores.subspan(begin, size), weight,
                           gradients.subspan(begin, size));
      }
      begin = end;
    }
    return sum / weight;
  }
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto score = static_cast<double>(scores[i]);
    const auto target = static_cast<double>(batch.targets()[i]);
    double gradient = score - target;
    if (loss == Loss::kSquared) {
      sum += gradient * gradient / 2;
    } else {
      sum += std::max(score, 0.0) - score * target + std::log1p(std::exp(-std::abs(score)));
      gradient = 1 / (1 + std::exp(-score)) - target;
    }
    gradients[i] = static_cast<float>(gradient / weight);
  }
  return sum / weight;
}

}  // namespace conpole

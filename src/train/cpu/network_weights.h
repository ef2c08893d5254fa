// The weights of a network that learns on the CPU: one vector of all of them, and its matrices packed for products in both
// directions, which all threads share. Made and packed by one thread; any thread may read what is packed.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "nn/kernels.h"
#include "nn/model.h"
#include "train/cpu/training_kernels.h"
#include "util/thread_pool.h"

namespace conpole {

// A matrix whose rows have room for what products write.
class Rows {
 public:
  // What it has is lost, or zero.
  void Resize(std::size_t count, std::size_t width);
  void Clear(std::size_t count, std::size_t width);

  std::size_t count() const { return count_; }
  std::size_t width() const { return width_; }
  float* operator[](std::size_t row) { return values_.data() + row * stride_; }
  const float* operator[](std::size_t row) const { return values_.data() + row * stride_; }

 private:
  std::size_t count_ = 0;
  std::size_t width_ = 0;
  std::size_t stride_ = 0;
  LargeVector<float> values_;
};

// A matrix in the vector of weights, or some of its columns: `out` x `in`.
struct WeightMatrix {
  std::size_t at = 0;
  std::size_t out = 0;
  std::size_t in = 0;
  std::size_t stride = 0;  // from one row to the next
  PackedMatrix there;      // from inputs to outputs
  PackedMatrix back;       // from the gradients of outputs to those of inputs
};

class NetworkWeights {
 public:
  // Throws Error if networks of this kind do not read texts.
  explicit NetworkWeights(const Architecture& architecture);

  const Architecture& architecture() const { return architecture_; }
  // In the order in which LibTorch's module has them, so that both learners can go on with what the other saved.
  std::size_t size() const { return size_; }
  std::vector<float> VectorOf(const Tensors& tensors) const;
  Tensors TensorsOf(std::span<const float> weights) const;

  // Where a tensor begins in the vector.
  std::size_t PlaceOf(const std::string& name) const { return parts_.at(name).first; }
  // The matrix of this name, or one of `parts` of its columns, which is packed from now on.
  const WeightMatrix& Matrix(const std::string& name, std::size_t part = 0, std::size_t parts = 1);

  // To be called before the first product, and whenever the weights have changed.
  void Pack(std::span<const float> weights, ThreadPool& pool);
  // The weights of a tensor, as they were packed last.
  const float* operator[](std::size_t place) const { return weights_.data() + place; }

 private:
  Architecture architecture_;
  std::size_t size_ = 0;
  std::map<std::string, std::pair<std::size_t, std::vector<std::size_t>>> parts_;  // place and shape
  std::map<std::pair<std::string, std::size_t>, WeightMatrix> matrices_;
  std::span<const float> weights_;
};

// RowProducts of rows that lie anywhere. One per thread.
class RowProducts {
 public:
  // out(i) = start(i) + in(i) * matrix, for all i < count; each gives a pointer.
  template <class Start, class In, class Out>
  void Multiply(const PackedMatrix& matrix, std::size_t count, const Start& start, const In& in, const Out& out) {
    for (std::size_t begin = 0; begin < count; begin += kAtATime) {
      const std::size_t rows = std::min(kAtATime, count - begin);
      for (std::size_t i = 0; i < rows; ++i) {
        left_[i] = start(begin + i);
        right_[i] = in(begin + i);
        out_[i] = out(begin + i);
      }
      const Factor factor{right_, &matrix};
      products_.multiply(rows, left_, &factor, 1, out_);
    }
  }

  // Adds the gradient of a matrix to that of all weights: of(i) is that of its output for in(i).
  template <class Of, class In>
  void AddGradient(const WeightMatrix& matrix, std::size_t count, const Of& of, const In& in, float* gradients) {
    for (std::size_t begin = 0; begin < count; begin += kAtATime) {
      const std::size_t rows = std::min(kAtATime, count - begin);
      for (std::size_t i = 0; i < rows; ++i) {
        left_[i] = of(begin + i);
        right_[i] = in(begin + i);
      }
      kernels_.add_products(rows, left_, matrix.out, right_, matrix.in, gradients + matrix.at, matrix.stride);
    }
  }

  void Add(std::size_t size, const float* from, float* to) const { kernels_.add(size, 1, from, to); }
  const TrainingKernels& kernels() const { return kernels_; }

 private:
  // As many as stay in a near cache while all columns are gone through; a multiple of the kernels' blocks.
  static constexpr std::size_t kAtATime = 192;

  const Kernels& products_ = Kernels::Best();
  const TrainingKernels& kernels_ = TrainingKernels::Best();
  const float* left_[kAtATime];
  const float* right_[kAtATime];
  float* out_[kAtATime];
};

}  // namespace conpole

// The LibTorch engine: vectors and scores of large batches, on a GPU or on the CPU. The header needs no LibTorch. One thread at
// a time may use an encoder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/scorer.h"
#include "nn/model.h"

namespace conpole {

enum class TorchPrecision : std::uint8_t { kFloat32, kFloat16, kBFloat16 };

struct TorchOptions {
  std::string device = "cpu";  // cpu, cuda or cuda:N
  TorchPrecision precision = TorchPrecision::kFloat32;
  std::size_t max_characters = std::size_t{4} << 20;  // in one pass through the network; bounds the memory it takes
  bool own_kernels = true;                            // on a GPU: instead of cuDNN's, where they fit
};

class TorchEncoder {
 public:
  // Throws Error if the device is not there or the model's tensors do not fit its architecture.
  TorchEncoder(const Model& model, const TorchOptions& options);
  ~TorchEncoder();

  const Architecture& architecture() const;
  // Writes the vectors of all texts, one after the other.
  void Encode(std::span<const std::string_view> texts, std::span<float> vectors);
  // Scores pairs of texts with the model's head.
  void Score(const ScoreBatch& batch, std::span<float> scores);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// A TorchEncoder as searches take it.
class TorchScorer final : public Scorer {
 public:
  TorchScorer(const Model& model, const TorchOptions& options)
      : encoder_(model, options), meaning_(model.meaning()), device_(options.device) {}

  ScoreMeaning meaning() const override { return meaning_; }
  // A GPU takes as long for a thousand strings as for one.
  std::size_t ProblemsInFlight() const override { return device_ == "cpu" ? 8 : 1024; }
  void Score(const ScoreBatch& batch, std::span<float> scores) override { encoder_.Score(batch, scores); }

 private:
  TorchEncoder encoder_;
  ScoreMeaning meaning_;
  std::string device_;
};

// The names of the kinds of networks that this engine knows, in the order of NetworkKinds.
std::vector<std::string> TorchKinds();
// Whether this build and machine can run on a GPU.
bool CudaIsAvailable();
// Operations per second of a large matrix product on this device and in this precision: what an encoder cannot exceed.
double TorchProductRate(const TorchOptions& options);
// Threads that LibTorch uses on the CPU.
void SetTorchThreads(int threads);

}  // namespace conpole

// conpole-torch's side of torch_engine.h.
#include <utility>

#include "cli/torch_engine.h"
#include "torch/process_group.h"
#include "torch/torch_encoder.h"
#include "torch/torch_learner.h"
#include "torch/torch_packed_learner.h"
#include "torch/torch_policy.h"

namespace conpole::cli {
namespace {

class LinkedTorch final : public TorchEngine {
 public:
  std::unique_ptr<Scorer> MakeScorer(const Model& model, const std::string& device) const override {
    return std::make_unique<TorchScorer>(model, TorchOptions{device, TorchPrecision::kFloat16});
  }
  std::unique_ptr<PackedPolicy> MakePackedPolicy(const Model& model, const FixedLayout& layout,
                                                 const std::string& device) const override {
    return MakeTorchPolicy(model, layout, TorchOptions{device, TorchPrecision::kFloat16});
  }
  std::unique_ptr<Learner> MakeLearner(const Model& model, const LearnerOptions& options,
                                       const std::string& device) const override {
    return MakeTorchLearner(model, {.learner = options, .device = device});
  }
  std::unique_ptr<PackedLearner> MakePackedLearner(const Architecture& architecture, const FixedLayout& layout,
                                                   const PackedLearnerOptions& options,
                                                   const std::string& device) const override {
    return MakeTorchPackedLearner(architecture, layout, options, device);
  }
  std::unique_ptr<Ranks> JoinRanks(const RankPlace& place,
                                   std::function<void(const std::string& message)> lost) const override {
    return JoinProcessGroup(place, {std::move(lost)});
  }
  std::string DeviceOfRank(const std::string& device, const RankPlace& place) const override {
    return conpole::DeviceOfRank(device, place);
  }
  std::string Version() const override { return LibTorchVersion(); }
};

}  // namespace

void RememberArguments(char** /*arguments*/) {}

std::string BestDevice() { return CudaIsAvailable() ? "cuda" : "cpu"; }

const TorchEngine& RequireTorch() {
  static const LinkedTorch engine;
  return engine;
}

}  // namespace conpole::cli

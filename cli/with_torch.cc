// conpole-torch's side of torch_engine.h.
#include "cli/torch_engine.h"
#include "torch/torch_encoder.h"
#include "torch/torch_learner.h"

namespace conpole::cli {

void RememberArguments(char** /*arguments*/) {}

void RequireTorch() {}

std::unique_ptr<Scorer> MakeTorchScorer(const Model& model, const std::string& device) {
  return std::make_unique<TorchScorer>(model, TorchOptions{device, TorchPrecision::kFloat16});
}

std::unique_ptr<Learner> MakeLearner(const Model& model, const Agent& agent, const TrainOptions& options,
                                     const std::string& device) {
  TorchLearnerOptions learner;
  learner.device = device;
  learner.loss = agent.loss();
  learner.weight_decay = options.weight_decay;
  learner.clip = options.clip;
  learner.threads = options.threads;
  learner.max_characters = options.max_characters;
  return MakeTorchLearner(model, learner);
}

}  // namespace conpole::cli

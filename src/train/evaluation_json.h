// Evaluations in checkpoints: an array of the three shares, null if there is none. Pure functions: any thread may call them.
#pragma once

#include <optional>

#include <nlohmann/json.hpp>

#include "train/trainer.h"

namespace conpole {

inline nlohmann::json ToJson(const std::optional<Evaluation>& evaluation) {
  if (!evaluation) return nullptr;
  return {evaluation->success, evaluation->right, evaluation->wrong};
}

inline std::optional<Evaluation> EvaluationOf(const nlohmann::json& saved) {
  if (saved.is_null()) return {};
  return Evaluation{saved.at(0), saved.at(1), saved.at(2)};
}

}  // namespace conpole

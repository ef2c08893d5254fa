#include "train/loop/latest_solutions.h"

#include <nlohmann/json.hpp>

namespace conpole {

void LatestSolutions::Add(const Path& path) {
  paths_.push_back(path);
  if (paths_.size() > most_) paths_.pop_front();
}

nlohmann::json LatestSolutions::Save() const { return paths_; }

void LatestSolutions::Restore(const nlohmann::json& saved) {
  for (const nlohmann::json& path : saved) Add(path.get<Path>());
}

}  // namespace conpole

// The latest solutions that training has found, for those who look for what recurs in them. One thread.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace conpole {

class LatestSolutions {
 public:
  using Path = std::vector<std::string>;  // the states, from the problem to the answer

  explicit LatestSolutions(std::size_t most) : most_(most) {}

  void Add(const Path& path);
  // The oldest first.
  std::vector<Path> paths() const { return {paths_.begin(), paths_.end()}; }

  nlohmann::json Save() const;
  // Adds them. Throws nlohmann::json::exception if it is not what Save gave.
  void Restore(const nlohmann::json& saved);

 private:
  std::size_t most_;
  std::deque<Path> paths_;
};

}  // namespace conpole

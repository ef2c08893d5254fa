// Problems made by walking away from solved ones: a solution that was found says which states are one step from solved, and
// random steps from there lead to states that are not far. Such problems are easy however hard the domain's are, and grow
// harder as they are solved: walks are up to `level` steps long, which rises by one while nearly all are solved and falls while
// few are. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "conpole/domain.h"
#include "util/random.h"

namespace conpole {

class WalkedProblems {
 public:
  // The states from a problem to a solved one.
  void AddSolution(const std::vector<std::string>& path);
  bool can_walk() const { return !starts_.empty(); }

  struct Walk {
    std::string end;
    std::size_t listed = 0;  // states whose successors were listed
  };
  // Ends early where there is no way on. Requires can_walk().
  Walk Take(const Domain& domain, Random& random) const;
  // A problem that was taken was tried.
  void Report(bool solved);

  std::size_t level() const { return level_; }

  nlohmann::json Save() const;
  // Throws nlohmann::json::exception if it is not what Save gave.
  void Restore(const nlohmann::json& saved);

 private:
  std::vector<std::string> starts_;  // the latest; one step from solved
  std::uint64_t added_ = 0;
  std::size_t level_ = 1;
  std::deque<bool> outcomes_;  // since the level was changed
};

}  // namespace conpole

#include <fmt/format.h>

#include "conpole/error.h"
#include "conpole/search.h"

namespace conpole {

std::vector<std::string> LabelsOfPath(const Domain& domain, const std::vector<std::string>& path) {
  std::vector<std::string> labels;
  Successors successors;
  for (std::size_t step = 0; step + 1 < path.size(); ++step) {
    successors.Clear();
    domain.Expand(path[step], Labels::kOn, successors);
    std::size_t i = 0;
    while (i < successors.size() && successors.state(i) != path[step + 1]) ++i;
    if (i == successors.size()) throw Error(fmt::format("'{}' is not a successor of '{}'", path[step + 1], path[step]));
    labels.emplace_back(successors.label(i));
  }
  return labels;
}

}  // namespace conpole

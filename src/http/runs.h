// Training runs for the page: what `conpole train` leaves in the folders of its runs, read anew for every request, also while
// the runs go on. Immutable; any thread may use it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "service/request.h"
#include "service/service.h"

namespace conpole {

class TrainingRuns {
 public:
  // Throws Error unless it is a folder. Runs are in it, or in folders of it.
  explicit TrainingRuns(const std::string& folder);

  // list: all runs, the one that wrote last first. show: one of them, with its curves and a problem that it tried lately.
  static std::vector<std::string_view> Operations() { return {"list", "show"}; }
  // Throws nothing.
  ServiceAnswer Answer(std::string_view operation, std::string_view request) const;

 private:
  ServiceJson List() const;
  ServiceJson Show(const std::string& name) const;

  std::string folder_;
};

}  // namespace conpole

// Any bytes at all as a request to the service: the first byte chooses the operation, the rest is the request. This is what
// comes from the network, and over the seam to JavaScript. There is always an answer or a problem in JSON, and never one that
// should not have happened. There are no models, so that no time goes into networks.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "service/service.h"

namespace {

conpole::ServiceOptions TinyOptions() {
  conpole::ServiceOptions options;
  options.limits.request_bytes = 4'096;
  options.limits.milliseconds = 20;
  options.limits.max_milliseconds = 20;
  options.limits.max_expansions = 30;
  options.limits.problems = 8;
  options.limits.lines = 3;
  options.limits.nodes = 50;
  options.models = std::make_unique<conpole::HandedModels>();
  return options;
}

void Require(bool condition, std::string_view what, std::string_view operation, std::string_view answer) {
  if (condition) return;
  std::fprintf(stderr, "%.*s: %.*s: %.*s\n", static_cast<int>(operation.size()), operation.data(),
               static_cast<int>(what.size()), what.data(), static_cast<int>(answer.size()), answer.data());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static conpole::Service service(TinyOptions());
  static const std::vector<std::string_view> operations = conpole::Service::Operations();
  static const std::set<int> statuses{200, 400, 404, 413, 422, 424, 503};
  if (size == 0) return 0;
  const std::string_view operation = operations[data[0] % operations.size()];
  const std::string_view request(reinterpret_cast<const char*>(data) + 1, size - 1);
  const conpole::ServiceAnswer answer = service.Answer(operation, request);
  Require(statuses.contains(answer.status), "a status that there is not", operation, answer.body);
  Require(nlohmann::json::accept(answer.body), "not JSON", operation, answer.body);
  if (!answer.ok()) {
    const nlohmann::json problem = nlohmann::json::parse(answer.body);
    Require(problem.at("status") == answer.status && !problem.at("detail").get<std::string>().empty(), "not a problem",
            operation, answer.body);
  }
  return 0;
}

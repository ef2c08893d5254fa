// Which path and method mean what: an answer that is there at once, or an operation of the service that a worker has to
// compute. Also what every response carries: security headers, and for named origins what lets their pages read it (CORS).
// Immutable; any thread may use it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "http/http.h"
#include "http/static_files.h"

namespace conpole {

struct RouteOptions {
  std::string token = {};                      // that /v1 and /metrics ask for ("Bearer"); empty: none
  std::vector<std::string> cors_origins = {};  // pages of these may read answers; "*" for all
};

// An operation of the service. Its request is the body.
struct OperationRoute {
  std::string operation;
  bool streams = false;  // as server-sent events: progress, then answer or problem
};
// Something that only the server knows.
enum class ServerRoute : std::uint8_t { kHealth, kMetrics };

using Route = std::variant<HttpResponse, OperationRoute, ServerRoute>;

class Routes {
 public:
  Routes(RouteOptions options, StaticFiles page);

  Route Find(const HttpHead& head) const;
  // The name of a route for metrics and logs: few, whatever clients ask for.
  std::string_view NameOf(const HttpHead& head) const;
  // Adds the headers that all responses have.
  void Complete(const HttpHead& head, HttpResponse& response) const;

  const StaticFiles& page() const { return page_; }

 private:
  bool IsAuthorised(const HttpHead& head) const;
  bool IsAllowedOrigin(std::string_view origin) const;
  Route FindOperation(const HttpHead& head, std::string_view operation) const;

  RouteOptions options_;
  StaticFiles page_;
};

// The document that describes the API, openapi.yaml.
std::string_view OpenApiDocument();

}  // namespace conpole

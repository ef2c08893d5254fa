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
  std::vector<std::string> tokens = {};           // that /v1 and /metrics ask for one of ("Bearer"); empty: none
  std::vector<std::string> cors_origins = {};     // pages of these may read answers; "*" for all
  std::vector<std::string> frame_ancestors = {};  // pages of these origins may show the page in a frame
  std::vector<std::string> connect_origins = {};  // that the page may send to, besides its own
  bool has_classroom = false;                     // whether there is /class
  bool has_runs = false;                          // whether there is /runs
};

// Operations wait only for others that take about as long: those that look something up or judge it, those that search for one
// step, and those that may search for as long as they were allowed to.
enum class Lane : std::uint8_t { kQuick, kHint, kLong };
inline constexpr std::size_t kLanes = 3;

// An operation of the service, of the classroom ("class/work") or about training runs ("runs/list"). Its request is the body.
struct OperationRoute {
  std::string operation;
  bool streams = false;  // as server-sent events: progress, then answer or problem
  Lane lane = Lane::kLong;
};
// Something that only the server knows.
enum class ServerRoute : std::uint8_t { kHealth, kReady, kMetrics };

using Route = std::variant<HttpResponse, OperationRoute, ServerRoute>;

class Routes {
 public:
  Routes(RouteOptions options, StaticFiles page);

  Route Find(const HttpHead& head) const;
  // The name of a route for metrics and logs: few, whatever clients ask for.
  std::string_view NameOf(const HttpHead& head) const;
  // Which of several tokens a request has: each is a client of its own. Nothing if there are not several.
  std::optional<std::size_t> FindToken(const HttpHead& head) const;
  // Adds the headers that all responses have.
  void Complete(const HttpHead& head, HttpResponse& response) const;

  const StaticFiles& page() const { return page_; }

 private:
  bool IsAuthorised(const HttpHead& head) const;
  std::optional<std::size_t> IndexOfToken(const HttpHead& head) const;
  bool IsAllowedOrigin(std::string_view origin) const;
  bool IsOperation(std::string_view path) const;
  Route FindOperation(const HttpHead& head) const;

  RouteOptions options_;
  StaticFiles page_;
  std::string page_policy_;
};

// The document that describes the API, openapi.json.
std::string_view OpenApiDocument();

}  // namespace conpole

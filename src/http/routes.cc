#include "http/routes.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "classroom/classroom.h"
#include "conpole/error.h"
#include "http/api_page.h"
#include "http/openapi.h"
#include "http/runs.h"
#include "service/service.h"
#include "util/text.h"

namespace conpole {
namespace {

constexpr std::string_view kApi = "/v1/";
constexpr std::string_view kClass = "/class/";
constexpr std::string_view kRuns = "/runs/";
constexpr std::array<std::string_view, 7> kOwnPaths{"/healthz",      "/readyz", "/metrics", "/openapi.yaml",
                                                    "/openapi.json", "/docs",   "/docs.css"};

// The page needs nothing from elsewhere, and runs WebAssembly.
constexpr std::string_view kPagePolicy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ";
constexpr std::string_view kConnect = "connect-src 'self'";
constexpr std::string_view kApiPolicy = "default-src 'none'; style-src 'self'; frame-ancestors 'none'";

// Operations that ask for nothing can be had by GET.
bool IsPlain(std::string_view operation) { return operation == "domains" || operation == "skills" || operation == "version"; }

template <class Names>
bool HasName(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Lane LaneOfOperation(std::string_view operation) {
  constexpr std::array<std::string_view, 8> kQuick{"check",    "next",    "read",     "skills",
                                                   "progress", "domains", "generate", "version"};
  constexpr std::array<std::string_view, 4> kHint{"hint", "exercise", "class/hint", "class/make"};
  if (HasName(kHint, operation)) return Lane::kHint;
  if (HasName(kQuick, operation) || (operation.starts_with("class/") && operation != "class/solution")) return Lane::kQuick;
  return Lane::kLong;
}

// "solve" of /v1/solve, "class/work" of /class/work.
std::string_view OperationOf(std::string_view path) { return path.substr(path.starts_with(kApi) ? kApi.size() : 1); }

// Takes as long for a wrong token as for the right one.
bool EqualInConstantTime(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0U : 1U;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const unsigned expected = static_cast<unsigned char>(b.empty() ? '\0' : b[i % b.size()]);
    difference |= static_cast<unsigned char>(a[i]) ^ expected;
  }
  return difference == 0;
}

bool EqualIgnoringCase(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

HttpResponse NotAllowed(std::string_view allowed) {
  HttpResponse response = MakeProblem(405, fmt::format("this path knows {} alone", allowed));
  response.With("Allow", std::string(allowed));
  return response;
}

HttpResponse Allowed(std::string_view allowed) {
  HttpResponse response{.status = 204};
  response.With("Allow", std::string(allowed));
  return response;
}

bool IsJson(std::string_view content_type) {
  const std::string_view type = content_type.substr(0, content_type.find(';'));
  const std::size_t end = type.find_last_not_of(' ');
  return EqualIgnoringCase(type.substr(0, end == std::string_view::npos ? 0 : end + 1), "application/json");
}

// Nothing that could end a directive and begin another one.
bool IsOrigin(std::string_view text) {
  const bool has_scheme = text.starts_with("https://") || text.starts_with("http://");
  return has_scheme && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  std::string_view("-.:/*[]").find(c) != std::string_view::npos;
         });
}

bool IsRead(const HttpHead& head) { return head.method == "GET" || head.method == "HEAD"; }

}  // namespace

std::string_view OpenApiDocument() { return kOpenApiDocument; }

Routes::Routes(RouteOptions options, StaticFiles page)
    : options_(std::move(options)),
      page_(std::move(page)),
      page_policy_(
          fmt::format("{}{}", kPagePolicy,
                      options_.frame_ancestors.empty() ? "'none'" : fmt::to_string(fmt::join(options_.frame_ancestors, " ")))) {
  for (const std::vector<std::string>* origins : {&options_.frame_ancestors, &options_.connect_origins}) {
    for (const std::string& origin : *origins) {
      if (!IsOrigin(origin)) throw Error(fmt::format("{} is no origin; https://school.example is one", Shown(origin)));
    }
  }
  for (const std::string& origin : options_.connect_origins) {
    page_policy_.insert(page_policy_.find(kConnect) + kConnect.size(), " " + origin);
    page_.AllowRequestsTo(origin);
  }
}

Route Routes::Find(const HttpHead& head) const {
  const std::string_view path = head.path;
  if (path.starts_with(kApi) || path.starts_with(kClass) || path.starts_with(kRuns)) return FindOperation(head);
  const bool is_own = HasName(kOwnPaths, path);
  if (!is_own && !page_.Has(path)) {
    if (page_.empty() && path == "/") {
      return MakeProblem(404, "there is no page here, only the API: /v1/OPERATION, described in /openapi.json");
    }
    return MakeProblem(404, "there is nothing at this path");
  }
  constexpr std::string_view kMethods = "GET, HEAD, OPTIONS";
  if (head.method == "OPTIONS") return Allowed(kMethods);
  if (!IsRead(head)) return NotAllowed(kMethods);
  if (path == "/healthz") return ServerRoute::kHealth;
  if (path == "/readyz") return ServerRoute::kReady;
  if (path == "/metrics") {
    if (!IsAuthorised(head)) {
      return MakeProblem(401, "a token is needed: Authorization: Bearer TOKEN").With("WWW-Authenticate", "Bearer");
    }
    return ServerRoute::kMetrics;
  }
  // JSON is YAML.
  if (path == "/openapi.yaml") return MakeResponse(200, "application/yaml", std::string(OpenApiDocument()));
  if (path == "/openapi.json") return MakeResponse(200, "application/json", std::string(OpenApiDocument()));
  if (path == "/docs") {
    return MakeResponse(200, "text/html; charset=utf-8", WriteApiPage(nlohmann::ordered_json::parse(OpenApiDocument())));
  }
  if (path == "/docs.css") return MakeResponse(200, "text/css; charset=utf-8", std::string(ApiPageStyles()));
  return *page_.Get(head);
}

bool Routes::IsOperation(std::string_view path) const {
  static const std::vector<std::string_view> operations = Service::Operations();
  static const std::vector<std::string_view> of_classes = Classroom::Operations();
  if (path.starts_with(kApi)) return HasName(operations, path.substr(kApi.size()));
  if (path.starts_with(kRuns)) return options_.has_runs && HasName(TrainingRuns::Operations(), path.substr(kRuns.size()));
  return options_.has_classroom && path.starts_with(kClass) && HasName(of_classes, path.substr(kClass.size()));
}

Route Routes::FindOperation(const HttpHead& head) const {
  const bool is_class = head.path.starts_with(kClass);
  if (!IsOperation(head.path)) {
    const bool is_run = head.path.starts_with(kRuns);
    if (is_class && !options_.has_classroom) return MakeProblem(404, "this server keeps no results: it runs without --data");
    if (is_run && !options_.has_runs) return MakeProblem(404, "this server shows no training: it runs without --runs");
    const auto operations = is_class ? Classroom::Operations() : is_run ? TrainingRuns::Operations() : Service::Operations();
    return MakeProblem(404, fmt::format("there is no such operation; there are: {}", fmt::join(operations, ", ")));
  }
  const std::string_view operation = OperationOf(head.path);
  const std::string_view methods = IsPlain(operation) ? "GET, HEAD, POST, OPTIONS" : "POST, OPTIONS";
  if (head.method == "OPTIONS") return Allowed(methods);
  const bool is_get = IsRead(head) && IsPlain(operation);
  if (head.method != "POST" && !is_get) return NotAllowed(methods);
  // Pupils have no token, and those who have a key of a set need none.
  if (!IsAuthorised(head) && (!is_class || operation == "class/make")) {
    return MakeProblem(401, "a token is needed: Authorization: Bearer TOKEN").With("WWW-Authenticate", "Bearer");
  }
  // Other types can be sent by pages of other origins without asking.
  const bool is_bare = !head.has_body && head.content_type.empty();
  if (!is_get && !is_bare && !IsJson(head.content_type)) {
    return MakeProblem(415, "the request must be JSON: Content-Type: application/json");
  }
  const bool streams = !is_class && Accepts(head.accept, "text/event-stream");
  return OperationRoute{std::string(operation), streams, LaneOfOperation(operation)};
}

std::string_view Routes::NameOf(const HttpHead& head) const {
  const std::string_view path = head.path;
  if (IsOperation(path)) return OperationOf(path);
  for (const std::string_view own : kOwnPaths) {
    if (path == own) return own;
  }
  return page_.Has(path) ? "page" : "other";
}

bool Routes::IsAuthorised(const HttpHead& head) const { return options_.tokens.empty() || IndexOfToken(head).has_value(); }

std::optional<std::size_t> Routes::FindToken(const HttpHead& head) const {
  return options_.tokens.size() > 1 ? IndexOfToken(head) : std::nullopt;
}

std::optional<std::size_t> Routes::IndexOfToken(const HttpHead& head) const {
  constexpr std::string_view kScheme = "Bearer ";
  const std::string_view given = head.authorization;
  if (!EqualIgnoringCase(given.substr(0, kScheme.size()), kScheme)) return std::nullopt;
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < options_.tokens.size(); ++i) {
    if (EqualInConstantTime(given.substr(kScheme.size()), options_.tokens[i])) found = i;
  }
  return found;
}

bool Routes::IsAllowedOrigin(std::string_view origin) const {
  return std::any_of(options_.cors_origins.begin(), options_.cors_origins.end(),
                     [&](const std::string& allowed) { return allowed == "*" || allowed == origin; });
}

void Routes::Complete(const HttpHead& head, HttpResponse& response) const {
  const bool is_page = !head.path.starts_with(kApi) && !head.path.starts_with(kClass) && page_.Has(head.path);
  response.With("X-Content-Type-Options", "nosniff");
  response.With("Referrer-Policy", "no-referrer");
  response.With("Content-Security-Policy", is_page ? page_policy_ : std::string(kApiPolicy));
  response.With("Cross-Origin-Resource-Policy", "same-origin");
  if (is_page) {
    response.With("Cross-Origin-Opener-Policy", "same-origin");
    response.With("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
  } else {
    response.With("Cache-Control", "no-store");
  }
  if (options_.cors_origins.empty()) return;
  response.With("Vary", "Origin");
  if (head.origin.empty() || !IsAllowedOrigin(head.origin)) return;
  response.With("Access-Control-Allow-Origin", head.origin);
  if (!head.is_preflight()) return;
  response.With("Access-Control-Allow-Methods", "GET, POST, OPTIONS");
  response.With("Access-Control-Allow-Headers", "Authorization, Content-Type");
  response.With("Access-Control-Max-Age", "600");
}

}  // namespace conpole

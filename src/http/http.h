// Requests and responses as the routes see them: values, without sockets.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace conpole {

// What comes before the body of a request.
struct HttpHead {
  std::string method = {};  // GET
  std::string path = {};    // without the query
  std::string accept = {};
  std::string accept_encoding = {};
  std::string authorization = {};
  std::string content_type = {};
  std::string if_none_match = {};
  std::string origin = {};
  std::string requested_method = {};  // of a preflight: Access-Control-Request-Method
  bool has_body = true;
  std::string forwarded_for = {};  // X-Forwarded-For, of all proxies
  std::string request_id = {};

  bool is_preflight() const { return method == "OPTIONS" && !origin.empty() && !requested_method.empty(); }
};

struct HttpResponse {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers = {};  // without Content-Length, Connection and Date
  std::shared_ptr<const std::string> body = nullptr;              // null for none

  HttpResponse& With(std::string name, std::string value) {
    headers.emplace_back(std::move(name), std::move(value));
    return *this;
  }
};

inline HttpResponse MakeResponse(int status, std::string_view type, std::string body) {
  HttpResponse response{.status = status};
  response.With("Content-Type", std::string(type));
  response.body = std::make_shared<const std::string>(std::move(body));
  return response;
}

// A problem (RFC 9457).
HttpResponse MakeProblem(int status, std::string detail);

}  // namespace conpole

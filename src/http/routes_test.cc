#include "http/routes.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <variant>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "http/api_page.h"

namespace conpole {
namespace {

namespace fs = std::filesystem;

class RoutesTest : public testing::Test {
 protected:
  RoutesTest()
      : folder_(fs::path(testing::TempDir()) / ("conpole_page_" + std::to_string(getpid()) + "_" +
                                                testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "page" / "deep");
    fs::create_directories(folder_ / "page" / "assets");
    Put("secret.txt", "secret");
    Put("page/index.html", "<!doctype html>");
    Put("page/engine.wasm", "wasm");
    Put("page/engine.wasm.br", "br");
    Put("page/engine.wasm.gz", "gz");
    Put("page/deep/index.html", "deep");
    Put("page/assets/main-0a1b2c3d.js", "script");
    Put("page/.hidden", "hidden");
    Put("page/alone.gz", "alone");
    fs::create_symlink(folder_ / "secret.txt", folder_ / "page" / "link.txt");
  }
  ~RoutesTest() override { fs::remove_all(folder_); }

  void Put(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::string Page() const { return (folder_ / "page").string(); }

  // The response that there is at once; status 0 if it is another route.
  static HttpResponse At(const Routes& routes, const HttpHead& head) {
    Route route = routes.Find(head);
    HttpResponse none;
    none.status = 0;
    HttpResponse* const response = std::get_if<HttpResponse>(&route);
    return response == nullptr ? none : *response;
  }
  static std::string Header(const HttpResponse& response, const std::string& name) {
    std::string all;
    for (const auto& [key, value] : response.headers) {
      if (key == name) all += value;
    }
    return all;
  }

 private:
  fs::path folder_;
};

TEST_F(RoutesTest, ThePageIsServed) {
  const Routes routes({}, StaticFiles(Page()));
  const HttpResponse index = At(routes, {.method = "GET", .path = "/"});
  EXPECT_EQ(index.status, 200);
  EXPECT_EQ(*index.body, "<!doctype html>");
  EXPECT_EQ(Header(index, "Content-Type"), "text/html; charset=utf-8");
  EXPECT_EQ(*At(routes, {.method = "GET", .path = "/deep/"}).body, "deep");
  const HttpResponse wasm = At(routes, {.method = "GET", .path = "/engine.wasm"});
  EXPECT_EQ(Header(wasm, "Content-Type"), "application/wasm");
  EXPECT_EQ(*wasm.body, "wasm");
  EXPECT_EQ(At(routes, {.method = "POST", .path = "/"}).status, 405);
}

TEST_F(RoutesTest, ThePageMaySendToOriginsThatAreNamed) {
  Put("page/index.html", "<meta content=\"default-src 'none'; connect-src 'self'; worker-src 'self'\" />");
  Put("page/index.html.br", "old");
  Put("page/service-worker.js", "worker");
  const Routes plain({}, StaticFiles(Page()));
  const Routes routes({.connect_origins = {"https://lrs.example"}}, StaticFiles(Page()));
  const HttpHead get{.method = "GET", .path = "/", .accept_encoding = "br"};
  EXPECT_EQ(*At(plain, get).body, "old");
  HttpResponse index = At(routes, get);
  EXPECT_NE(index.body->find("connect-src 'self' https://lrs.example; worker-src"), std::string::npos) << *index.body;
  routes.Complete(get, index);
  EXPECT_NE(Header(index, "Content-Security-Policy").find("connect-src 'self' https://lrs.example;"), std::string::npos);
  EXPECT_NE(Header(index, "ETag"), Header(At(plain, {.method = "GET", .path = "/"}), "ETag"));
  // Otherwise browsers would go on with the page that they keep.
  EXPECT_NE(*At(routes, {.method = "GET", .path = "/service-worker.js"}).body, "worker");
  EXPECT_THROW(Routes({.connect_origins = {"https://a.example; script-src *"}}, StaticFiles(Page())), Error);
}

TEST_F(RoutesTest, CompressedVariantsAreUsedWhereTheyAreAccepted) {
  const Routes routes({}, StaticFiles(Page()));
  const auto get = [&](const std::string& accepted, const std::string& known = {}) {
    return At(routes, {.method = "GET", .path = "/engine.wasm", .accept_encoding = accepted, .if_none_match = known});
  };
  EXPECT_EQ(*get("gzip, deflate, br").body, "br");
  EXPECT_EQ(Header(get("br"), "Content-Encoding"), "br");
  EXPECT_EQ(*get("gzip").body, "gz");
  EXPECT_EQ(*get("br;q=0, gzip;q=0.5").body, "gz");
  EXPECT_EQ(*get("identity").body, "wasm");
  EXPECT_EQ(Header(get("identity"), "Content-Encoding"), "");
  // A file that only looks like a variant is one of its own.
  EXPECT_EQ(At(routes, {.method = "GET", .path = "/alone.gz"}).status, 200);
  EXPECT_EQ(At(routes, {.method = "GET", .path = "/engine.wasm.br"}).status, 404);
  // What a client has already is not sent again; a variant is something else.
  const std::string tag = Header(get("br"), "ETag");
  EXPECT_EQ(get("br", tag).status, 304);
  EXPECT_EQ(get("br", "\"other\", W/" + tag).status, 304);
  EXPECT_EQ(get("gzip", tag).status, 200);
}

TEST_F(RoutesTest, OnlyWhatHasAHashInItsNameIsKeptUnasked) {
  const Routes routes({}, StaticFiles(Page()));
  EXPECT_EQ(Header(At(routes, {.method = "GET", .path = "/assets/main-0a1b2c3d.js"}), "Cache-Control"),
            "public, max-age=31536000, immutable");
  EXPECT_EQ(Header(At(routes, {.method = "GET", .path = "/"}), "Cache-Control"), "no-cache");
}

TEST_F(RoutesTest, NoPathLeadsOutOfThePage) {
  const Routes routes({}, StaticFiles(Page()));
  for (const std::string path :
       {"/../secret.txt", "/..%2fsecret.txt", "/%2e%2e/secret.txt", "/deep/../../secret.txt", "//secret.txt", "/link.txt",
        "/.hidden", "/etc/passwd", "/deep", "/./index.html", "", "..", "\\..\\secret.txt"}) {
    EXPECT_EQ(At(routes, {.method = "GET", .path = path}).status, 404) << path;
  }
}

TEST_F(RoutesTest, AFolderWithoutAPageIsRefused) {
  EXPECT_THROW(StaticFiles("/no/such/folder"), Error);
  fs::remove(fs::path(Page()) / "index.html");
  EXPECT_THROW(StaticFiles{Page()}, Error);
}

TEST_F(RoutesTest, OperationsWantPostAndJson) {
  const Routes routes({}, {});
  const auto find = [&](const std::string& method, const std::string& path, const std::string& type = "application/json") {
    return routes.Find({.method = method, .path = path, .content_type = type});
  };
  const auto status = [](const Route& route) { return std::get<HttpResponse>(route).status; };
  EXPECT_EQ(std::get<OperationRoute>(find("POST", "/v1/solve")).operation, "solve");
  EXPECT_EQ(std::get<OperationRoute>(find("POST", "/v1/solve", "Application/JSON; charset=utf-8")).operation, "solve");
  EXPECT_EQ(std::get<OperationRoute>(find("GET", "/v1/domains", "")).operation, "domains");
  EXPECT_EQ(status(find("POST", "/v1/solve", "text/plain")), 415);
  EXPECT_EQ(status(find("POST", "/v1/solve", "application/jsonx")), 415);
  EXPECT_EQ(status(find("POST", "/v1/solve", "")), 415);
  // What has no body has no type.
  EXPECT_TRUE(std::holds_alternative<OperationRoute>(
      routes.Find({.method = "POST", .path = "/v1/skills", .content_type = "", .has_body = false})));
  EXPECT_EQ(status(routes.Find({.method = "POST", .path = "/v1/skills", .content_type = "text/plain", .has_body = false})),
            415);
  EXPECT_EQ(status(find("GET", "/v1/solve")), 405);
  EXPECT_EQ(status(find("DELETE", "/v1/domains")), 405);
  EXPECT_EQ(Header(std::get<HttpResponse>(find("PUT", "/v1/solve")), "Allow"), "POST, OPTIONS");
  EXPECT_EQ(status(find("OPTIONS", "/v1/solve")), 204);
  EXPECT_EQ(status(find("POST", "/v1/sing")), 404);
  EXPECT_EQ(status(find("POST", "/v1/")), 404);
  EXPECT_EQ(status(find("POST", "/v1/solve/")), 404);
  EXPECT_EQ(status(find("GET", "/")), 404);
  EXPECT_EQ(status(find("GET", "/openapi.yaml")), 200);
  EXPECT_EQ(std::get<ServerRoute>(find("GET", "/healthz")), ServerRoute::kHealth);
  EXPECT_EQ(std::get<ServerRoute>(find("GET", "/readyz")), ServerRoute::kReady);
  const Route streamed = routes.Find(
      {.method = "POST", .path = "/v1/solve", .accept = "text/event-stream, */*", .content_type = "application/json"});
  EXPECT_TRUE(std::get<OperationRoute>(streamed).streams);
}

TEST_F(RoutesTest, ATokenIsAskedFor) {
  const Routes routes({.tokens = {"right"}}, StaticFiles(Page()));
  const auto find = [&](const std::string& path, const std::string& authorization) {
    return routes.Find({.method = path == "/v1/solve" ? "POST" : "GET",
                        .path = path,
                        .authorization = authorization,
                        .content_type = "application/json"});
  };
  for (const std::string wrong :
       {"", "right", "Bearer", "Bearer ", "Bearer wrong", "Bearer righ", "Bearer rightright", "Basic right"}) {
    const Route route = find("/v1/solve", wrong);
    ASSERT_TRUE(std::holds_alternative<HttpResponse>(route)) << wrong;
    EXPECT_EQ(std::get<HttpResponse>(route).status, 401) << wrong;
    EXPECT_EQ(Header(std::get<HttpResponse>(route), "WWW-Authenticate"), "Bearer");
    EXPECT_TRUE(std::holds_alternative<HttpResponse>(find("/metrics", wrong)));
  }
  EXPECT_TRUE(std::holds_alternative<OperationRoute>(find("/v1/solve", "Bearer right")));
  EXPECT_TRUE(std::holds_alternative<OperationRoute>(find("/v1/solve", "bearer right")));
  EXPECT_TRUE(std::holds_alternative<ServerRoute>(find("/metrics", "Bearer right")));
  // The page and the health are for everybody.
  EXPECT_EQ(std::get<HttpResponse>(find("/", "")).status, 200);
  EXPECT_TRUE(std::holds_alternative<ServerRoute>(find("/healthz", "")));
}

TEST_F(RoutesTest, SeveralTokensAreSeveralClients) {
  const Routes one({.tokens = {"right"}}, {});
  EXPECT_EQ(one.FindToken({.authorization = "Bearer right"}), std::nullopt);
  const Routes routes({.tokens = {"first", "second"}}, {});
  EXPECT_EQ(routes.FindToken({.authorization = "Bearer first"}), 0U);
  EXPECT_EQ(routes.FindToken({.authorization = "Bearer second"}), 1U);
  EXPECT_EQ(routes.FindToken({.authorization = "Bearer third"}), std::nullopt);
  EXPECT_TRUE(std::holds_alternative<OperationRoute>(routes.Find(
      {.method = "POST", .path = "/v1/solve", .authorization = "Bearer second", .content_type = "application/json"})));
}

TEST_F(RoutesTest, OperationsWaitOnlyForOthersOfTheirKind) {
  const Routes routes({}, {});
  const auto lane = [&](const std::string& operation) {
    const HttpHead head{.method = "POST", .path = "/v1/" + operation, .content_type = "application/json"};
    return std::get<OperationRoute>(routes.Find(head)).lane;
  };
  for (const std::string operation : {"check", "next", "read", "domains"})
    EXPECT_EQ(lane(operation), Lane::kQuick) << operation;
  EXPECT_EQ(lane("hint"), Lane::kHint);
  for (const std::string operation : {"solve", "tree", "embed", "similar", "map"}) EXPECT_EQ(lane(operation), Lane::kLong);
}

TEST_F(RoutesTest, OtherOriginsReadNothingUnlessTheyAreNamed) {
  const auto origin_of = [](const Routes& routes, const HttpHead& head) {
    HttpResponse response;
    routes.Complete(head, response);
    return Header(response, "Access-Control-Allow-Origin");
  };
  const HttpHead head{.method = "POST", .path = "/v1/solve", .origin = "https://school.example"};
  EXPECT_EQ(origin_of(Routes({}, {}), head), "");
  EXPECT_EQ(origin_of(Routes({.cors_origins = {"https://other.example"}}, {}), head), "");
  EXPECT_EQ(origin_of(Routes({.cors_origins = {"https://other.example", "https://school.example"}}, {}), head),
            "https://school.example");
  const Routes routes({.tokens = {"right"}, .cors_origins = {"https://school.example"}}, {});
  HttpHead preflight = head;
  preflight.method = "OPTIONS";
  preflight.requested_method = "POST";
  HttpResponse response = std::get<HttpResponse>(routes.Find(preflight));
  EXPECT_EQ(response.status, 204);
  routes.Complete(preflight, response);
  EXPECT_EQ(Header(response, "Access-Control-Allow-Origin"), "https://school.example");
  EXPECT_EQ(Header(response, "Access-Control-Allow-Headers"), "Authorization, Content-Type");
  EXPECT_EQ(Header(response, "Vary"), "Origin");
}

TEST_F(RoutesTest, EveryResponseHasSecurityHeaders) {
  const Routes routes({}, StaticFiles(Page()));
  for (const std::string path : {"/", "/v1/solve", "/nothing"}) {
    HttpResponse response;
    routes.Complete({.method = "GET", .path = path}, response);
    EXPECT_EQ(Header(response, "X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(Header(response, "Referrer-Policy"), "no-referrer");
    const std::string policy = Header(response, "Content-Security-Policy");
    EXPECT_NE(policy.find("default-src 'none'"), std::string::npos);
    EXPECT_NE(policy.find("frame-ancestors 'none'"), std::string::npos);
    EXPECT_EQ(policy.find("unsafe-inline"), std::string::npos);
  }
}

TEST_F(RoutesTest, OnlyNamedPagesShowThePageInAFrame) {
  const Routes routes({.frame_ancestors = {"https://lms.example", "https://*.school.example"}}, StaticFiles(Page()));
  HttpResponse page;
  routes.Complete({.method = "GET", .path = "/"}, page);
  EXPECT_TRUE(
      Header(page, "Content-Security-Policy").ends_with("frame-ancestors https://lms.example https://*.school.example"));
  HttpResponse answer;
  routes.Complete({.method = "POST", .path = "/v1/solve"}, answer);
  EXPECT_TRUE(Header(answer, "Content-Security-Policy").ends_with("frame-ancestors 'none'"));
  for (const std::string wrong : {"lms.example", "*", "https://a; script-src *", "https://a b"}) {
    EXPECT_THROW(Routes({.frame_ancestors = {wrong}}, {}), Error) << wrong;
  }
}

TEST_F(RoutesTest, TrainingIsShownOnlyWhereItIsAskedFor) {
  const HttpHead head{.method = "POST", .path = "/runs/list", .content_type = "application/json"};
  EXPECT_EQ(At(Routes({}, StaticFiles(Page())), head).status, 404);
  const Route route = Routes({.has_runs = true}, StaticFiles(Page())).Find(head);
  EXPECT_EQ(std::get<OperationRoute>(route).operation, "runs/list");
  EXPECT_EQ(At(Routes({.tokens = {"secret"}, .has_runs = true}, StaticFiles(Page())), head).status, 401);
  EXPECT_EQ(At(Routes({.has_runs = true}, StaticFiles(Page())), {.method = "GET", .path = "/runs/list"}).status, 405);
  EXPECT_EQ(At(Routes({.has_runs = true}, StaticFiles(Page())), {.method = "POST", .path = "/runs/delete"}).status, 404);
}

TEST_F(RoutesTest, NamesOfRoutesAreFew) {
  const Routes routes({}, StaticFiles(Page()));
  EXPECT_EQ(routes.NameOf({.path = "/v1/solve"}), "solve");
  EXPECT_EQ(routes.NameOf({.path = "/v1/\"}"}), "other");
  EXPECT_EQ(routes.NameOf({.path = "/"}), "page");
  EXPECT_EQ(routes.NameOf({.path = "/healthz"}), "/healthz");
  EXPECT_EQ(routes.NameOf({.path = "/what/ever"}), "other");
}

TEST_F(RoutesTest, TheDescriptionOfTheApiIsAPageToo) {
  const auto document = nlohmann::ordered_json::parse(OpenApiDocument());
  const std::string page = WriteApiPage(document);
  for (const auto& [path, methods] : document["paths"].items()) EXPECT_NE(page.find(path), std::string::npos) << path;
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_NE(page.find("<code>milliseconds</code>"), std::string::npos);
}

}  // namespace
}  // namespace conpole

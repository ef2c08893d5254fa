// The real server over sockets: what clients may send, also those that mean no good. No test depends on how fast the machine
// is: limits are either far away or so near that they are always met.
#include <signal.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "tests/served_program.h"

namespace conpole {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kSolve = R"({"problem": "2x+3=7"})";
constexpr int kLong = 60'000;  // milliseconds: what a busy machine may need

class ServeTest : public testing::Test {
 protected:
  // Patient, so that a busy machine is not taken for a slow client.
  static ServedProgram& Shared() {
    static ServedProgram server(CONPOLE_PROGRAM, {"--no-page", "--request-milliseconds", "600000", "--max-connections", "700",
                                                  "--max-connections-of-address", "700", "--log", "off"});
    return server;
  }
  static PlainClient Connect() { return PlainClient(Shared().port()); }

  static void ExpectServed() {
    PlainClient client = Connect();
    const auto response = client.Ask("solve", kSolve);
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 200);
    EXPECT_EQ(Json::parse(response->body)["answer"], "x = 2");
  }
  // The status that raw bytes get; 0 for none.
  static int StatusOf(std::string_view bytes) {
    PlainClient client = Connect();
    client.Send(bytes);
    const auto response = client.Receive();
    return response ? response->status : 0;
  }
  static void ExpectProblem(const std::optional<ReceivedResponse>& response, int status) {
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, status) << response->body;
    EXPECT_EQ(response->header("content-type"), "application/problem+json");
    EXPECT_EQ(Json::parse(response->body)["status"], status);
  }
};

TEST_F(ServeTest, AnswersOverAConnectionThatStays) {
  PlainClient client = Connect();
  for (int i = 0; i < 3; ++i) {
    const auto response = client.Ask("solve", kSolve);
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 200);
    EXPECT_EQ(response->header("content-type"), "application/json");
    EXPECT_EQ(response->header("cache-control"), "no-store");
    EXPECT_EQ(Json::parse(response->body)["status"], "solved");
  }
  const auto health = client.Ask("GET", "/healthz", "", "");
  ASSERT_TRUE(health);
  EXPECT_EQ(Json::parse(health->body)["status"], "ok");
}

TEST_F(ServeTest, ProblemsSayWhatIsWrong) {
  PlainClient client = Connect();
  const auto response = client.Ask("solve", R"({"problem": "2x+=7"})");
  ExpectProblem(response, 422);
  EXPECT_EQ(Json::parse(response->body)["position"], 3);
  ExpectProblem(client.Ask("solve", R"({"problem": "2x=4", "probelm": 1})"), 400);
  ExpectProblem(client.Ask("solve", "{"), 400);
  ExpectProblem(client.Ask("solve", "{\"problem\": \"\xff\xfe\"}"), 400);
  ExpectProblem(client.Ask("solve", "{\"problem\": " + std::string(100'000, '[')), 400);
  ExpectProblem(client.Ask("solve", R"({"problem": "2x=4", "milliseconds": null})"), 400);
  const auto overflow = client.Ask("solve", R"({"problem": "2x=4", "milliseconds": 1e999})");
  ExpectProblem(overflow, 400);
  EXPECT_EQ(overflow->body.find("exception"), std::string::npos) << overflow->body;
  // Without any time there are no vectors, and asking again would not help.
  const auto no_time = client.Ask("embed", R"({"problems": ["2x+3=7"], "domain": "equations", "milliseconds": 0})");
  ExpectProblem(no_time, 400);
  EXPECT_EQ(Json::parse(no_time->body)["field"], "milliseconds");
  ExpectProblem(client.Ask("sing", "{}"), 404);
  ExpectProblem(Connect().Ask("GET", "/v1/solve", "", ""), 405);
  ExpectProblem(Connect().Ask("GET", "/../../etc/passwd", "", ""), 404);
}

TEST_F(ServeTest, HeadAndOptions) {
  PlainClient client = Connect();
  const auto get = client.Ask("GET", "/v1/domains", "", "");
  const auto head = client.Ask("HEAD", "/v1/domains", "", "");
  ASSERT_TRUE(get && head);
  EXPECT_EQ(head->status, 200);
  EXPECT_EQ(head->header("content-length"), get->header("content-length"));
  const auto options = client.Ask("OPTIONS", "/v1/solve", "", "");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->status, 204);
  EXPECT_EQ(options->header("allow"), "POST, OPTIONS");
  // CORS is off.
  const auto preflight =
      client.Ask("OPTIONS", "/v1/solve", "", "Origin: https://a.example\r\nAccess-Control-Request-Method: POST\r\n");
  ASSERT_TRUE(preflight);
  EXPECT_EQ(preflight->header("access-control-allow-origin"), "");
  EXPECT_EQ(client.Ask("GET", "/healthz", "", "")->status, 200);
}

TEST_F(ServeTest, OldAndPipelinedRequests) {
  PlainClient old = Connect();
  old.Send("GET /healthz HTTP/1.0\r\n\r\n");
  const std::string all = old.ReceiveAll();
  EXPECT_TRUE(all.starts_with("HTTP/1.0 200")) << all;
  EXPECT_TRUE(all.ends_with("{\"status\":\"ok\"}")) << all;

  PlainClient client = Connect();
  std::string requests;
  for (int i = 0; i < 20; ++i)
    requests += RequestText("POST", "/v1/generate", fmt::format(R"({{"domain": "sorting", "seed": {}}})", i));
  client.Send(requests);
  for (int i = 0; i < 20; ++i) {
    const auto response = client.Receive();
    ASSERT_TRUE(response);
    EXPECT_EQ(Json::parse(response->body)["seed"], i);
  }
  // The other side may have said that it will send nothing more.
  PlainClient half = Connect();
  half.Send(RequestText("POST", "/v1/solve", kSolve));
  half.EndSending();
  // Where the answer takes long, the server asks by this whether anybody is still there.
  auto response = half.Receive();
  while (response && response->status == 100) response = half.Receive();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 200);
}

TEST_F(ServeTest, ChunkedAndExpectedBodies) {
  PlainClient client = Connect();
  client.Send("POST /v1/solve HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
  client.Send("a\r\n{\"problem\"\r\n");
  client.Send("b\r\n: \"2x+3=7\"}\r\n0\r\n\r\n");
  EXPECT_EQ(client.Receive()->status, 200);
  client.Send(
      fmt::format("POST /v1/solve HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {}\r\n"
                  "Expect: 100-continue\r\n\r\n",
                  kSolve.size()));
  EXPECT_EQ(client.Receive()->status, 100);
  client.Send(kSolve);
  EXPECT_EQ(client.Receive()->status, 200);
}

TEST_F(ServeTest, WhatIsTooLargeIsRefused) {
  // The answer comes although the client is still sending.
  PlainClient client = Connect();
  const std::string body = "{\"problem\": \"" + std::string(1 << 20, 'x') + "\"}";
  client.Send(RequestText("POST", "/v1/solve", body));
  ExpectProblem(client.Receive(), 413);
  EXPECT_TRUE(client.IsEnded(kLong));

  PlainClient chunked = Connect();
  chunked.Send("POST /v1/solve HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
  const std::string chunk = fmt::format("{:x}\r\n{}\r\n", 1 << 16, std::string(1 << 16, ' '));
  for (int i = 0; i < 16 && chunked.Send(chunk); ++i) {
  }
  ExpectProblem(chunked.Receive(), 413);

  // One header, many headers, a long path.
  EXPECT_EQ(StatusOf("GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(1 << 20, 'x') + "\r\n\r\n"), 431);
  std::string flood = "GET / HTTP/1.1\r\nHost: a\r\n";
  for (int i = 0; i < 10'000; ++i) flood += fmt::format("X-{}: y\r\n", i);
  EXPECT_EQ(StatusOf(flood + "\r\n"), 431);
  const int path = StatusOf("GET /" + std::string(100'000, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_TRUE(path == 431 || path == 400) << path;
  ExpectServed();
}

TEST_F(ServeTest, WhatIsNotHttpIsRefused) {
  for (const std::string& bytes :
       {std::string("hello\r\n\r\n"), std::string("GET / HTTP/3.7\r\n\r\n"),
        std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11), std::string("GET / HTTP/1.1\r\n\r\n"),
        std::string("POST /v1/solve HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n"),
        std::string("POST /v1/solve HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
        std::string("POST /v1/skills HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost : a\r\n\r\n"), std::string(64, '\0'),
        std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")}) {
    EXPECT_EQ(StatusOf(bytes), 400) << bytes;
  }
  const std::string post = "POST /v1/skills HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
  EXPECT_EQ(StatusOf(post + "Transfer-Encoding: gzip\r\n\r\n{}"), 501);
  EXPECT_EQ(StatusOf(post + "Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"), 501);
  EXPECT_EQ(StatusOf(post + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}"), 415);
  EXPECT_EQ(StatusOf(post + "Content-Encoding: identity\r\nContent-Length: 2\r\n\r\n{}"), 200);
  EXPECT_EQ(StatusOf("POST /v1/skills HTTP/1.1\r\nHost: a\r\n\r\n"), 200);
  EXPECT_EQ(StatusOf("POST /v1/skills HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"), 200);
  EXPECT_EQ(StatusOf("POST /v1/skills HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"), 415);
  // A client that goes away in the middle is nobody's concern.
  for (const std::string_view bytes : {"P", "POST /v1/solve HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\n{\"pro"}) {
    PlainClient client = Connect();
    client.Send(bytes);
  }
  ExpectServed();
}

TEST_F(ServeTest, FiveHundredIdleConnectionsDisturbNobody) {
  std::vector<PlainClient> idle;
  for (int i = 0; i < 500; ++i) idle.push_back(Connect());
  // Some have begun a request and do not go on.
  for (std::size_t i = 0; i < idle.size(); i += 5) idle[i].Send("POST /v1/solve HTTP/1.1\r\nHost");
  ExpectServed();
  EXPECT_EQ(idle[1].Ask("solve", kSolve)->status, 200);
  idle[0].Send(": a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
  ExpectProblem(idle[0].Receive(), 400);
}

TEST_F(ServeTest, EventsTellTheProgress) {
  PlainClient client = Connect();
  client.Ask("hint", R"({"line": "R U"})");  // what the cube needs once is there then
  const auto response =
      client.Ask("solve", R"({"problem": "R U R' U' F D2 B L R U F", "milliseconds": 2000})", "Accept: text/event-stream\r\n");
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->header("content-type"), "text/event-stream");
  EXPECT_TRUE(response->body.starts_with("event: progress\ndata: {\"expanded\":")) << response->body.substr(0, 100);
  const std::size_t last = response->body.rfind("event: ");
  ASSERT_NE(last, std::string::npos);
  const std::string event = response->body.substr(last);
  ASSERT_TRUE(event.starts_with("event: answer\ndata: {")) << event.substr(0, 100);
  EXPECT_TRUE(event.ends_with("}\n\n"));
  EXPECT_EQ(Json::parse(event.substr(event.find('{')))["domain"], "rubiks-cube");
  // The connection goes on, and problems are events too.
  const auto problem = client.Ask("solve", R"({"problem": "2x+=7"})", "Accept: text/event-stream\r\n");
  ASSERT_TRUE(problem);
  EXPECT_TRUE(problem->body.starts_with("event: problem\ndata: {")) << problem->body;
  // A client that goes away ends its search; the server goes on.
  PlainClient gone = Connect();
  gone.Send(RequestText("POST", "/v1/solve", R"({"problem": "R U R' U' F D2 B L R U F", "milliseconds": 30000})",
                        "Accept: text/event-stream\r\n"));
  ExpectServed();
}

TEST_F(ServeTest, MetricsCount) {
  ExpectServed();
  PlainClient client = Connect();
  const auto before = client.Ask("solve", R"({"problem": "1/2 + 1/3", "domain": "fractions"})");
  ASSERT_TRUE(before);
  EXPECT_EQ(before->status, 200);
  const auto metrics = client.Ask("GET", "/metrics", "", "");
  ASSERT_TRUE(metrics);
  EXPECT_NE(metrics->body.find("conpole_requests_total{route=\"solve\",status=\"200\"} "), std::string::npos);
  EXPECT_NE(metrics->body.find("conpole_request_seconds_bucket{route=\"solve\",le=\"+Inf\"} "), std::string::npos);
  EXPECT_NE(metrics->body.find("conpole_network_calls_total{model=\"fractions.safetensors\"} "), std::string::npos);
  EXPECT_NE(metrics->body.find("process_resident_memory_bytes "), std::string::npos);
}

TEST_F(ServeTest, SlowClientsAreDropped) {
  ServedProgram impatient(CONPOLE_PROGRAM, {"--no-page", "--request-milliseconds", "50", "--log", "off"});
  PlainClient slow(impatient.port());
  slow.Send("POST /v1/solve HTTP/1.1\r\n");
  ExpectProblem(slow.Receive(), 408);
  EXPECT_TRUE(slow.IsEnded(kLong));
  ServedProgram server(CONPOLE_PROGRAM, {"--no-page", "--idle-milliseconds", "50", "--log", "off"});
  PlainClient idle(server.port());
  EXPECT_TRUE(idle.IsEnded(kLong));
}

TEST_F(ServeTest, TooManyConnectionsAreRefusedAndIdleOnesMakeRoom) {
  ServedProgram server(CONPOLE_PROGRAM,
                       {"--no-page", "--max-connections", "3", "--request-milliseconds", "600000", "--log", "off"});
  std::vector<std::unique_ptr<PlainClient>> busy;
  for (int i = 0; i < 3; ++i) {
    busy.push_back(std::make_unique<PlainClient>(server.port()));
    ASSERT_EQ(busy.back()->Ask("GET", "/healthz", "", "")->status, 200);
  }
  // The one that was idle for longest goes.
  PlainClient next(server.port());
  EXPECT_EQ(next.Ask("GET", "/healthz", "", "")->status, 200);
  EXPECT_TRUE(busy[0]->IsEnded(kLong));
  // Where all are in the middle of a request, there is no room.
  for (PlainClient* const one : {busy[1].get(), busy[2].get(), &next}) {
    one->Send(
        "POST /v1/solve HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: "
        "100-continue\r\n\r\n");
    ASSERT_EQ(one->Receive()->status, 100);
  }
  PlainClient refused(server.port());
  ExpectProblem(refused.Receive(), 503);
  EXPECT_TRUE(refused.IsEnded(kLong));
  next.Send("{}");
  ExpectProblem(next.Receive(), 400);
}

// Takes longer than any test.
constexpr std::string_view kEndless =
    R"({"problem": "R U R' U' F D2 B L R U F", "milliseconds": 600000, "expansions": 1000000000})";
const std::vector<std::string> kEndlessLimits{
    "--max-milliseconds", "600000", "--max-expansions", "1000000000", "--no-page", "--log", "off"};

std::vector<std::string> WithEndless(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), kEndlessLimits.begin(), kEndlessLimits.end());
  return arguments;
}

// What the metrics of a server say.
long long MetricOf(const ServedProgram& server, const std::string& name) {
  const auto response = PlainClient(server.port()).Ask("GET", "/metrics", "", "");
  const std::size_t at = response ? response->body.find("\n" + name + " ") : std::string::npos;
  return at == std::string::npos ? -1 : std::stoll(response->body.substr(at + name.size() + 2));
}

void AwaitMetric(const ServedProgram& server, const std::string& name, long long value) {
  while (MetricOf(server, name) != value) std::this_thread::yield();
}

TEST_F(ServeTest, AFullQueueIsSaidAtOnceAndHoldsUpNothingQuick) {
  ServedProgram server(CONPOLE_PROGRAM, WithEndless({"--workers", "1", "--max-queued", "0"}));
  PlainClient first(server.port());
  first.Send(RequestText("POST", "/v1/solve", kEndless, "Accept: text/event-stream\r\n"));
  AwaitMetric(server, "conpole_requests_running", 1);
  PlainClient client(server.port());
  const auto refused = client.Ask("solve", kSolve);
  ExpectProblem(refused, 503);
  EXPECT_GE(std::stoi(refused->header("retry-after")), 1);
  const auto checked = client.Ask("check", R"({"problem": "2x+3=7", "lines": ["2x=4"]})");
  ASSERT_TRUE(checked);
  EXPECT_EQ(checked->status, 200);
  EXPECT_EQ(client.Ask("hint", R"({"line": "2x+3=7"})")->status, 200);
  EXPECT_EQ(client.Ask("GET", "/healthz", "", "")->status, 200);
  EXPECT_EQ(client.Ask("GET", "/readyz", "", "")->status, 503);
}

TEST_F(ServeTest, WhatNobodyWaitsForIsNotComputed) {
  ServedProgram server(CONPOLE_PROGRAM, WithEndless({"--workers", "1"}));
  EXPECT_EQ(PlainClient(server.port()).Ask("GET", "/readyz", "", "")->status, 200);
  {
    // One runs, the others wait; some take their answers as events.
    std::vector<std::unique_ptr<PlainClient>> clients;
    for (int i = 0; i < 20; ++i) {
      clients.push_back(std::make_unique<PlainClient>(server.port()));
      clients.back()->Send(RequestText("POST", "/v1/solve", kEndless, i % 2 == 0 ? "" : "Accept: text/event-stream\r\n"));
    }
    AwaitMetric(server, "conpole_queue_length", 19);
    EXPECT_EQ(MetricOf(server, "conpole_requests_running"), 1);
  }
  AwaitMetric(server, "conpole_queue_length", 0);
  AwaitMetric(server, "conpole_requests_running", 0);
  EXPECT_GE(MetricOf(server, "conpole_requests_abandoned_total"), 10);
  // The only worker is free again.
  EXPECT_EQ(PlainClient(server.port()).Ask("solve", kSolve)->status, 200);
}

TEST_F(ServeTest, WhoSendsNothingMoreIsStillAnswered) {
  ServedProgram server(CONPOLE_PROGRAM, WithEndless({"--workers", "1"}));
  PlainClient first(server.port());
  first.Send(RequestText("POST", "/v1/solve", kEndless));
  AwaitMetric(server, "conpole_requests_running", 1);
  auto half = std::make_unique<PlainClient>(server.port());
  half->Send(RequestText("POST", "/v1/solve", R"({"problem": "2x+3=7", "milliseconds": 600000})"));
  half->EndSending();
  AwaitMetric(server, "conpole_queue_length", 1);
  // The server asks whether somebody is there, with an answer that comes before the answer.
  EXPECT_EQ(half->Receive()->status, 100);
  { const PlainClient gone = std::move(first); }
  EXPECT_EQ(half->Receive()->status, 200);
}

TEST_F(ServeTest, TheTimeInTheQueueIsPartOfTheTime) {
  ServedProgram server(CONPOLE_PROGRAM, WithEndless({"--workers", "1"}));
  PlainClient first(server.port());
  first.Send(RequestText("POST", "/v1/solve", kEndless));
  AwaitMetric(server, "conpole_requests_running", 1);
  PlainClient second(server.port());
  second.Send(RequestText("POST", "/v1/solve", R"({"problem": "2x+3=7", "milliseconds": 1})"));
  AwaitMetric(server, "conpole_queue_length", 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));  // at least, which is all that counts
  { const PlainClient gone = std::move(first); }
  const auto late = second.Receive();
  ExpectProblem(late, 503);
  EXPECT_EQ(late->header("retry-after"), "1");
}

TEST_F(ServeTest, OneAddressCannotShutOutTheOthers) {
  ServedProgram server(CONPOLE_PROGRAM, {"--no-page", "--max-connections", "8", "--max-connections-of-address", "6",
                                         "--request-milliseconds", "600000", "--log", "off"});
  std::vector<std::unique_ptr<PlainClient>> slow;
  for (int i = 0; i < 30; ++i) {
    slow.push_back(std::make_unique<PlainClient>(server.port(), "127.0.0.2"));
    slow.back()->Send("POST /v1/solve HTTP/1.1\r\nHost");
  }
  EXPECT_TRUE(slow.front()->IsEnded(kLong));
  std::vector<std::unique_ptr<PlainClient>> others;
  for (const char* const address : {"127.0.0.1", "127.0.0.3", "127.0.0.4", "127.0.0.5"}) {
    others.push_back(std::make_unique<PlainClient>(server.port(), address));
    const auto response = others.back()->Ask("solve", kSolve);
    ASSERT_TRUE(response) << address;
    EXPECT_EQ(response->status, 200);
  }
  // They have lost nothing to the many.
  for (const auto& one : others) EXPECT_EQ(one->Ask("GET", "/healthz", "", "")->status, 200);
}

TEST_F(ServeTest, WhoHasTheMostConnectionsGivesOneUp) {
  ServedProgram server(CONPOLE_PROGRAM,
                       WithEndless({"--max-connections", "4", "--max-connections-of-address", "4", "--workers", "1"}));
  std::vector<std::unique_ptr<PlainClient>> many;
  for (int i = 0; i < 4; ++i) {
    many.push_back(std::make_unique<PlainClient>(server.port(), "127.0.0.2"));
    many.back()->Send(RequestText("POST", "/v1/solve", kEndless));
  }
  std::optional<ReceivedResponse> response;
  do {
    response = PlainClient(server.port()).Ask("check", R"({"problem": "2x+3=7", "lines": ["2x=4"]})");
  } while (!response || response->status != 200);
  int ended = 0;
  while (ended == 0)
    ended = static_cast<int>(std::count_if(many.begin(), many.end(), [](auto& one) { return one->IsEnded(0); }));
  EXPECT_LT(ended, 4);
}

TEST_F(ServeTest, RequestsHaveIdsAndLimits) {
  ServedProgram plain(CONPOLE_PROGRAM, {"--no-page", "--log", "off", "--rate", "1", "--burst", "2"});
  PlainClient client(plain.port());
  const auto first = client.Ask("GET", "/healthz", "", "X-Request-Id: invented\r\n");
  ASSERT_TRUE(first);
  EXPECT_EQ(first->header("x-request-id").size(), 16U);
  EXPECT_NE(client.Ask("GET", "/healthz", "", "")->header("x-request-id"), first->header("x-request-id"));
  auto response = client.Ask("version", "{}");
  while (response && response->status == 200) response = client.Ask("version", "{}");
  ExpectProblem(response, 429);
  EXPECT_EQ(response->header("retry-after"), "1");

  ServedProgram behind(CONPOLE_PROGRAM,
                       {"--no-page", "--log", "off", "--trusted-proxy", "127.0.0.0/8", "--rate", "1", "--burst", "1"});
  PlainClient proxy(behind.port());
  const auto passed = proxy.Ask("GET", "/healthz", "", "X-Request-Id: from-the-proxy\r\n");
  ASSERT_TRUE(passed);
  EXPECT_EQ(passed->header("x-request-id"), "from-the-proxy");
  // Clients behind a proxy are told apart.
  for (int i = 1; i < 100; ++i) {
    const auto answer = proxy.Ask("version", "{}", fmt::format("X-Forwarded-For: 192.0.2.{}\r\n", i));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200) << i;
  }
}

TEST_F(ServeTest, LargeAnswersAreCompressedForWhoWantsThat) {
  PlainClient client = Connect();
  const auto plain = client.Ask("GET", "/v1/domains", "", "");
  const auto packed = client.Ask("GET", "/v1/domains", "", "Accept-Encoding: gzip\r\n");
  ASSERT_TRUE(plain && packed);
  EXPECT_EQ(plain->header("content-encoding"), "");
  EXPECT_EQ(packed->header("content-encoding"), "gzip");
  EXPECT_LT(packed->body.size(), plain->body.size());
  std::string text(plain->body.size() + 1, '\0');
  z_stream stream{};
  ASSERT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string input = packed->body;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  EXPECT_EQ(text, plain->body);
  EXPECT_EQ(client.Ask("GET", "/v1/version", "", "Accept-Encoding: gzip\r\n")->header("content-encoding"), "");
}

TEST_F(ServeTest, TokenAndOriginsFromOutside) {
  const std::string file = testing::TempDir() + "conpole_token_" + std::to_string(getpid());
  std::ofstream(file) << "sesame\n";
  ServedProgram server(CONPOLE_PROGRAM,
                       {"--no-page", "--token-file", file, "--cors-origin", "https://a.example", "--log", "off"});
  std::filesystem::remove(file);
  PlainClient client(server.port());
  ExpectProblem(client.Ask("solve", kSolve), 401);
  PlainClient known(server.port());
  const auto response = known.Ask("solve", kSolve, "Authorization: Bearer sesame\r\nOrigin: https://a.example\r\n");
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->header("access-control-allow-origin"), "https://a.example");
}

TEST_F(ServeTest, ThePageIsServed) {
  const std::filesystem::path folder = testing::TempDir() + "conpole_serve_" + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "index.html") << "<!doctype html><title>conpole</title>";
  ServedProgram server(CONPOLE_PROGRAM, {"--page", folder.string(), "--log", "off"});
  PlainClient client(server.port());
  const auto page = client.Ask("GET", "/", "", "");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->body, "<!doctype html><title>conpole</title>");
  const auto again = client.Ask("GET", "/?q=1", "", "If-None-Match: " + page->header("etag") + "\r\n");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->status, 304);
  EXPECT_EQ(client.Ask("GET", "/healthz", "", "")->status, 200);
  std::filesystem::remove_all(folder);
}

TEST_F(ServeTest, AccessIsLoggedAsJson) {
  const std::string log = testing::TempDir() + "conpole_log_" + std::to_string(getpid());
  {
    ServedProgram server(CONPOLE_PROGRAM, {"--no-page"}, log);
    PlainClient client(server.port());
    client.Ask("solve", kSolve);
    client.Ask("GET", "/nothing?secret=1", "", "");
    server.Signal(SIGTERM);
    EXPECT_EQ(server.Wait(), 0);
  }
  std::ifstream file(log);
  std::vector<Json> requests;
  for (std::string line; std::getline(file, line);) {
    const Json json = Json::parse(line);
    EXPECT_TRUE(json.contains("time") && json.contains("event")) << line;
    EXPECT_EQ(line.find("secret"), std::string::npos);
    EXPECT_EQ(line.find("2x"), std::string::npos);
    if (json["event"] == "request") requests.push_back(json);
  }
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(requests[0]["path"], "/v1/solve");
  EXPECT_EQ(requests[0]["status"], 200);
  EXPECT_EQ(requests[0]["id"].get<std::string>().size(), 16U);
  EXPECT_LE(requests[0]["milliseconds"].dump().size(), std::string("600000.123").size());
  EXPECT_EQ(requests[1]["status"], 404);
  std::filesystem::remove(log);
}

TEST_F(ServeTest, ASignalLeavesNoRequestUnanswered) {
  for (const int signal : {SIGTERM, SIGINT}) {
    // Idle connections stay for a while that no machine is too busy for.
    ServedProgram server(CONPOLE_PROGRAM,
                         {"--no-page", "--log", "off", "--request-milliseconds", "600000", "--grace-milliseconds", "600000"});
    std::atomic<int> answered = 0;
    std::atomic<int> lost = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&] {
        PlainClient client(server.port());
        for (;;) {
          const auto response = client.Ask("solve", kSolve);
          if (!response || response->status != 200) {
            ++lost;
            return;
          }
          ++answered;
          if (response->header("connection") == "close") return;
        }
      });
    }
    while (answered < 50) std::this_thread::yield();
    // One that is being answered, and one that is being sent, when the signal comes.
    PlainClient working(server.port());
    working.Send(RequestText("POST", "/v1/solve", R"({"problem": "R U R' U' F D2 B L R U F", "milliseconds": 1000})"));
    PlainClient sending(server.port());
    const std::string request = RequestText("POST", "/v1/solve", kSolve);
    sending.Send(request.substr(0, 60));
    // Connections are accepted one after the other.
    ASSERT_EQ(PlainClient(server.port()).Ask("GET", "/healthz", "", "")->status, 200);
    server.Signal(signal);
    for (std::thread& thread : threads) thread.join();
    sending.Send(request.substr(60));
    EXPECT_EQ(sending.Receive()->status, 200);
    EXPECT_EQ(working.Receive()->status, 200);
    EXPECT_EQ(server.Wait(), 0);
    EXPECT_EQ(lost, 0);
    EXPECT_THROW(PlainClient(server.port()), Error);
  }
}

TEST_F(ServeTest, WhatCannotBeStartedIsSaid) {
  const auto fails = [](const std::vector<std::string>& arguments) {
    EXPECT_THROW(ServedProgram(CONPOLE_PROGRAM, arguments), Error) << arguments.front();
  };
  fails({"--host", "nowhere"});
  fails({"--host", "192.0.2.1"});
  fails({"--page", "/no/such/folder"});
  fails({"--token-file", "/no/such/file"});
  fails({"--log", "loud"});
  fails({"--port", "70000"});
  fails({"--trusted-proxy", "nobody"});
}

}  // namespace
}  // namespace conpole

#include "http/metrics.h"

#include <string>

#include <gtest/gtest.h>

namespace conpole {
namespace {

TEST(ServerMetricsTest, CountsByRouteAndStatus) {
  ServerMetrics metrics;
  metrics.CountRequest("solve", 200, 0.002);
  metrics.CountRequest("solve", 200, 0.001);
  metrics.CountRequest("solve", 422, 100);
  metrics.CountConnection();
  const std::string text = metrics.Format(
      {.connections = 7, .queued = 2, .running = 3, .networks = {{"a.safetensors", {.asked = 5, .answered = 4, .pairs = 9}}}});
  const auto has = [&](const std::string& line) { return text.find('\n' + line + '\n') != std::string::npos; };
  EXPECT_TRUE(has(R"(conpole_requests_total{route="solve",status="200"} 2)")) << text;
  EXPECT_TRUE(has(R"(conpole_requests_total{route="solve",status="422"} 1)"));
  // Buckets hold all that is at most as large.
  EXPECT_TRUE(has(R"(conpole_request_seconds_bucket{route="solve",le="0.001"} 1)"));
  EXPECT_TRUE(has(R"(conpole_request_seconds_bucket{route="solve",le="0.0025"} 2)"));
  EXPECT_TRUE(has(R"(conpole_request_seconds_bucket{route="solve",le="30"} 2)"));
  EXPECT_TRUE(has(R"(conpole_request_seconds_bucket{route="solve",le="+Inf"} 3)"));
  EXPECT_TRUE(has(R"(conpole_request_seconds_count{route="solve"} 3)"));
  EXPECT_TRUE(has("conpole_connections 7"));
  EXPECT_TRUE(has("conpole_connections_total 1"));
  EXPECT_TRUE(has("conpole_queue_length 2"));
  EXPECT_TRUE(has("conpole_requests_running 3"));
  EXPECT_TRUE(has(R"(conpole_network_calls_total{model="a.safetensors"} 4)"));
}

}  // namespace
}  // namespace conpole

// The server under load, on this machine: the real program in a process of its own, and clients that keep their connections and
// ask one request after another. Give it an idle machine; server and clients share its cores. What the server needs of the
// processors is measured too, and depends less on who else is busy.
//
//   bench/serve light   check and next without a network, 64 connections: requests per second, p50 and p99
//   bench/serve solve   solve with a network, 1 and 16 connections: requests per second and their ratio
//   bench/serve mixed   10,000 requests of all kinds: errors, and the memory on the way
//   bench/serve drain   SIGTERM under load: requests that were sent and not answered
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "tests/served_program.h"

namespace conpole {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;

struct Request {
  std::string operation;
  std::string body;
};

struct Load {
  double seconds = 0;
  double server_seconds = 0;  // of processors
  std::vector<double> milliseconds = {};
  std::size_t errors = 0;

  double rate() const { return static_cast<double>(milliseconds.size()) / seconds; }
  double Percentile(double share) const {
    std::vector<double> sorted = milliseconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? 0 : sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
  }
};

// Sends `count` requests over `connections` connections; request_at(i) is the i-th.
Load Run(const ServedProgram& server, std::size_t connections, std::size_t count,
         const std::function<Request(std::size_t)>& request_at) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    const Request request = request_at(i);
    texts.push_back(RequestText("POST", "/v1/" + request.operation, request.body));
  }
  Load load;
  std::mutex mutex;
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> threads;
  const double server_start = server.ProcessorSeconds();
  const Clock::time_point start = Clock::now();
  for (std::size_t c = 0; c < connections; ++c) {
    threads.emplace_back([&] {
      PlainClient client(server.port());
      std::vector<double> times;
      std::size_t errors = 0;
      for (std::size_t i = next++; i < count; i = next++) {
        const Clock::time_point sent = Clock::now();
        if (!client.Send(texts[i])) ++errors;
        const std::optional<ReceivedResponse> response = client.Receive();
        times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - sent).count());
        if (!response || response->status != 200) {
          ++errors;
          fmt::print("{} -> {}\n", texts[i].substr(texts[i].rfind('\n') + 1), response ? response->body : "no response");
        }
      }
      const std::lock_guard lock(mutex);
      load.milliseconds.insert(load.milliseconds.end(), times.begin(), times.end());
      load.errors += errors;
    });
  }
  for (std::thread& thread : threads) thread.join();
  load.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  load.server_seconds = server.ProcessorSeconds() - server_start;
  return load;
}

void Print(std::string_view name, const Load& load) {
  fmt::print("{:28} {:8.0f} requests/s  p50 {:7.2f} ms  p99 {:7.2f} ms  errors {}  server: {:.3f} ms of processor each\n", name,
             load.rate(), load.Percentile(0.5), load.Percentile(0.99), load.errors,
             1e3 * load.server_seconds / static_cast<double>(load.milliseconds.size()));
}

Request Light(std::size_t i) {
  const std::size_t a = 2 + i % 7;
  const std::size_t b = 1 + i % 11;
  const std::string problem = fmt::format("{}x + {} = {}", a, b, a * (1 + i % 5) + b);
  if (i % 2 == 0) return {"next", Json{{"line", problem}}.dump()};
  const std::string line = fmt::format("{}x = {}", a, a * (1 + i % 5) + (i % 6 == 1 ? b : 0));
  return {"check", Json{{"problem", problem}, {"lines", {line}}}.dump()};
}

Request Solve(std::string_view domain, std::size_t i) {
  static std::map<std::string, std::unique_ptr<Domain>, std::less<>> domains;
  std::unique_ptr<Domain>& made = domains[std::string(domain)];
  if (!made) made = MakeDomain(domain);
  return {"solve",
          Json{{"problem", made->Generate(10'000 + i)}, {"domain", domain}, {"policy", true}, {"milliseconds", 20'000}}.dump()};
}

int BenchLight(const ServedProgram& server) {
  Run(server, 16, 1'000, Light);
  for (const std::size_t connections : {std::size_t{1}, std::size_t{16}, std::size_t{64}}) {
    Print(fmt::format("check, next: {} connections", connections), Run(server, connections, 20'000, Light));
  }
  return 0;
}

int BenchSolve(const std::vector<std::string>& arguments) {
  const std::string domain = arguments.size() > 2 ? arguments[2] : "algebra";
  const std::size_t count = arguments.size() > 3 ? std::stoul(arguments[3]) : 300;
  // The same problems, since some take a hundred times as long as others; by a server of its own each time, so that nobody
  // profits from the vectors of another run.
  const auto measure = [&](std::size_t connections) {
    const ServedProgram server(CONPOLE_PROGRAM, {"--log", "off"});
    const auto from = [&](std::size_t first) { return [&domain, first](std::size_t i) { return Solve(domain, first + i); }; };
    Run(server, 1, 10, from(1'000'000));
    const Load load = Run(server, connections, count, from(0));
    Print(fmt::format("solve {}: {} at a time", domain, connections), load);
    return load;
  };
  const Load one = measure(1);
  const Load many = measure(16);
  fmt::print("throughput with 16: {:.2f} times that with 1\n", many.rate() / one.rate());
  return 0;
}

// All kinds of requests that take little time each.
Request Mixed(std::size_t i) {
  const std::size_t seed = i / 10;
  switch (i % 10) {
    case 0:
      return {"solve", Json{{"problem", fmt::format("{}(x + {}) = {}", 2 + seed % 7, seed % 9, 12 + seed % 50)}}.dump()};
    case 1:
      return Solve("fractions", seed);
    case 2:
      return {"hint", Json{{"line", fmt::format("{}x + 3 = {}", 2 + seed % 9, seed % 40)}, {"level", 1 + seed % 3}}.dump()};
    case 3:
      return {"exercise", Json{{"skill", "brackets"}, {"level", 1 + seed % 3}, {"seed", seed}}.dump()};
    case 4:
      return {"read", Json{{"text", fmt::format("Solve for x: {}x = {}", 2 + seed % 5, seed)}}.dump()};
    case 5:
      return {"embed", Json{{"problems", {fmt::format("{}x + {} = 7", 2 + seed % 30, seed)}}, {"domain", "algebra"}}.dump()};
    case 6:
      return {"tree", Json{{"problem", fmt::format("{}x + 3 = {}", 2 + seed % 9, seed % 40)}, {"beam", 2}}.dump()};
    case 7:
      return {"generate", Json{{"domain", "multiplication"}, {"seed", seed}}.dump()};
    default:
      return Light(i);
  }
}

int BenchMixed(const ServedProgram& server) {
  constexpr std::size_t kPart = 2'000;
  std::size_t errors = 0;
  for (std::size_t part = 0; part < 5; ++part) {
    const Load load = Run(server, 16, kPart, [&](std::size_t i) { return Mixed(part * kPart + i); });
    errors += load.errors;
    Print(fmt::format("mixed: {} requests", (part + 1) * kPart), load);
    fmt::print("  resident: {:.1f} MB\n", static_cast<double>(server.ResidentBytes()) / 1e6);
  }
  fmt::print("errors: {}\n", errors);
  return errors == 0 ? 0 : 1;
}

// A request counts as accepted once any byte of its answer came, or if the server was reading its connection: all that was
// sent over a connection that was open before the signal.
int BenchDrain() {
  std::size_t unanswered = 0;
  std::size_t answered = 0;
  constexpr int kRounds = 10;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 1'000; ++i) {
    const Request request = i % 4 == 0 ? Solve("algebra", i) : Light(i);
    texts.push_back(RequestText("POST", "/v1/" + request.operation, request.body));
  }
  for (int round = 0; round < kRounds; ++round) {
    ServedProgram server(CONPOLE_PROGRAM, {"--log", "off"});
    std::atomic<std::size_t> received = 0;
    std::atomic<std::size_t> lost = 0;
    std::vector<std::thread> threads;
    for (std::size_t c = 0; c < 32; ++c) {
      threads.emplace_back([&, c] {
        PlainClient client(server.port());
        for (std::size_t i = c;; i += 32) {
          if (!client.Send(texts[i % texts.size()])) {
            ++lost;
            return;
          }
          const std::optional<ReceivedResponse> response = client.Receive();
          if (!response) {
            ++lost;
            return;
          }
          ++received;
          if (response->header("connection") == "close") return;
        }
      });
    }
    while (received < 200) std::this_thread::yield();
    server.Signal(SIGTERM);
    const int status = server.Wait();
    for (std::thread& thread : threads) thread.join();
    unanswered += lost;
    answered += received;
    if (status != 0) fmt::print("exit status {}\n", status);
  }
  fmt::print("SIGTERM under load, {} times: {} requests answered, {} not\n", kRounds, answered, unanswered);
  return unanswered == 0 ? 0 : 1;
}

int Main(const std::vector<std::string>& arguments) {
  const std::string what = arguments.size() > 1 ? arguments[1] : "";
  if (what == "light" || what == "mixed") {
    const ServedProgram server(CONPOLE_PROGRAM, {"--log", "off"});
    return what == "light" ? BenchLight(server) : BenchMixed(server);
  }
  if (what == "solve") return BenchSolve(arguments);
  if (what == "drain") return BenchDrain();
  fmt::print("usage: serve light|solve [DOMAIN [COUNT]]|mixed|drain\n");
  return 2;
}

}  // namespace
}  // namespace conpole

int main(int argc, char** argv) {
  try {
    return conpole::Main({argv, argv + argc});
  } catch (const std::exception& error) {
    fmt::print("{}\n", error.what());
    return 2;
  }
}

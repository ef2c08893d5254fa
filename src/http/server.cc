// Everything but the workers happens on one thread, in coroutines: one that accepts connections, one per connection, and one
// that looks every now and then whose time is over. So nothing but the workers' queue needs a lock.
#include "http/server.h"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <ctime>
#include <deque>
#include <exception>
#include <iterator>
#include <limits>
#include <list>
#include <optional>
#include <set>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "http/metrics.h"
#include "http/worker_queue.h"
#include "service/request.h"
#include "util/text.h"

namespace conpole {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::awaitable;
using asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr std::chrono::milliseconds kBetweenSweeps{50};
// While nothing else is to be said, an event stream says so that often; whoever is gone is noticed then.
constexpr std::chrono::seconds kHeartbeat{10};
// What a client may still send after an answer that ends its connection, before it is cut off.
constexpr std::size_t kMaxDiscarded = std::size_t{8} << 20;
constexpr std::uint64_t kDiscardMilliseconds = 2'000;
constexpr std::size_t kReadBytes = 8 << 10;
// Files that are open besides connections.
constexpr std::size_t kOtherFiles = 64;
// Searches wait for each other's network calls, so that there are more workers than cores.
constexpr std::size_t kLeastWorkers = 16;

constexpr auto kAwait = [](error_code& error) { return asio::redirect_error(asio::use_awaitable, error); };

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// 2026-01-31T12:00:00.123Z
std::string LogTime() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &utc);
  return fmt::format("{}.{:03}Z", text.data(), milliseconds);
}

// Sun, 06 Nov 1994 08:49:37 GMT
std::string HttpTime() {
  const std::time_t seconds = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::array<char, 64> text{};
  std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &utc);
  return text.data();
}

using Parser = http::request_parser<http::string_body>;

HttpHead HeadOf(const Parser::value_type& request) {
  const auto field = [&](http::field name) { return std::string(request[name]); };
  std::string path(request.target());
  // A target may name the whole address.
  if (const std::size_t scheme = path.find("://"); scheme != std::string::npos && !path.starts_with('/')) {
    const std::size_t begin = path.find('/', scheme + 3);
    path = begin == std::string::npos ? "/" : path.substr(begin);
  }
  path = path.substr(0, path.find_first_of("?#"));
  return {.method = std::string(request.method_string()),
          .path = std::move(path),
          .accept = field(http::field::accept),
          .accept_encoding = field(http::field::accept_encoding),
          .authorization = field(http::field::authorization),
          .content_type = field(http::field::content_type),
          .if_none_match = field(http::field::if_none_match),
          .origin = field(http::field::origin),
          .requested_method = field(http::field::access_control_request_method)};
}

HttpResponse ToResponse(ServiceAnswer answer) {
  HttpResponse response =
      MakeResponse(answer.status, answer.ok() ? "application/json" : "application/problem+json", std::move(answer.body));
  if (answer.retry_after_seconds != 0) response.With("Retry-After", std::to_string(answer.retry_after_seconds));
  return response;
}

HttpResponse Overloaded() { return MakeProblem(503, "there are too many requests at the moment").With("Retry-After", "1"); }

std::string EventText(std::string_view name, std::string_view data) {
  return fmt::format("event: {}\ndata: {}\n\n", name, data);
}

// Makes room for this number of connections, if the system allows that. Returns how many there is room for.
std::size_t RoomForConnections(std::size_t wanted) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  const rlim_t needed = wanted + kOtherFiles;
  if (limit.rlim_cur < needed) {
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, needed);
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
  }
  if (limit.rlim_cur >= needed) return wanted;
  return limit.rlim_cur > kOtherFiles ? static_cast<std::size_t>(limit.rlim_cur) - kOtherFiles : 1;
}

// What a worker computes for a connection. All but `stop` belongs to the connections' thread.
struct Job {
  explicit Job(asio::io_context& io) : wake(io) {}

  std::atomic<bool> stop = false;
  std::deque<std::string> events = {};  // progress that was not sent yet
  std::optional<ServiceAnswer> answer = {};
  asio::steady_timer wake;  // ends when there is something new
};

}  // namespace

class Server::Parts {
 public:
  Parts(Service& service, RouteOptions routes, StaticFiles page, ServerOptions options)
      : service_(service),
        routes_(std::move(routes), std::move(page)),
        options_(std::move(options)),
        acceptor_(io_),
        signals_(io_),
        sweep_(io_) {
    options_.max_connections = RoomForConnections(options_.max_connections);
    Bind();
    if (options_.workers == 0)
      options_.workers = std::max<std::size_t>(kLeastWorkers, 2U * std::thread::hardware_concurrency());
    workers_.emplace(options_.workers, options_.max_queued);
  }

  std::uint16_t port() const { return port_; }

  void Run() {
    if (options_.handles_signals) {
      signals_.add(SIGINT);
      signals_.add(SIGTERM);
      asio::co_spawn(io_, AwaitSignals(), asio::detached);
    }
    asio::co_spawn(io_, Accept(), asio::detached);
    asio::co_spawn(io_, Sweep(), asio::detached);
    Log("listening", {{"host", options_.host}, {"port", port_}, {"workers", options_.workers}});
    io_.run();
    Log("ended", Json::object());
  }

  void Stop() {
    asio::post(io_, [this] { Drain(); });
  }

 private:
  enum class State : std::uint8_t { kIdle, kReading, kWorking, kWriting, kClosing };

  // One per coroutine that serves a connection, known to the server as long as it lives.
  struct Connection {
    Connection(Parts& server, tcp::socket accepted) : socket(std::move(accepted)), server_(server) {
      error_code ignored;
      const tcp::endpoint endpoint = socket.remote_endpoint(ignored);
      client = endpoint.address().to_string();
      place_ = server_.connections_.insert(server_.connections_.end(), this);
    }
    ~Connection() { server_.connections_.erase(place_); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void Enter(State next, std::uint64_t milliseconds) {
      state = next;
      since = Clock::now();
      deadline = since + std::chrono::milliseconds(milliseconds);
    }
    void EnterWithoutLimit(State next) {
      state = next;
      deadline = Clock::time_point::max();
    }
    // Its operation ends with an error.
    void Expire() {
      deadline = Clock::time_point::max();
      expired = true;
      error_code ignored;
      if (state == State::kWriting || state == State::kClosing) {
        socket.close(ignored);
      } else {
        socket.cancel(ignored);
      }
    }

    tcp::socket socket;
    std::string client;
    State state = State::kReading;
    bool expired = false;
    Clock::time_point since = Clock::now();
    Clock::time_point deadline = Clock::time_point::max();
    beast::flat_buffer buffer = {};

   private:
    Parts& server_;
    std::list<Connection*>::iterator place_;
  };

  // A request whose head was read, and what is known of its answer.
  struct Exchange {
    HttpHead head;
    unsigned version = 11;
    bool keep_alive = false;
    Clock::time_point start = Clock::now();
    int status = 0;
    std::size_t bytes = 0;
  };

  void Bind() {
    error_code error;
    const asio::ip::address address = asio::ip::make_address(options_.host, error);
    if (error) throw Error(fmt::format("{} is not an address; 127.0.0.1 is one, or 0.0.0.0 for all", Shown(options_.host)));
    const tcp::endpoint endpoint(address, options_.port);
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error) throw Error(fmt::format("cannot listen at {}:{}: {}", options_.host, options_.port, error.message()));
    acceptor_.non_blocking(true);
    port_ = acceptor_.local_endpoint().port();
  }

  void Log(std::string_view event, Json more, bool is_failure = true) const {
    if (!options_.log || (!is_failure && !options_.logs_requests)) return;
    Json line{{"time", LogTime()}, {"event", event}};
    line.update(more);
    options_.log(line.dump(-1, ' ', false, Json::error_handler_t::replace));
  }

  // --- Ending.

  awaitable<void> AwaitSignals() {
    for (;;) {
      error_code error;
      const int signal = co_await signals_.async_wait(kAwait(error));
      if (error) co_return;
      Log("signal", {{"signal", signal}});
      // Who signals twice does not want to wait for searches.
      if (is_draining_) StopJobs();
      Drain();
    }
  }

  // No new connections from now on, and each that there is ends after the answer that is due.
  void Drain() {
    if (is_draining_) return;
    is_draining_ = true;
    drain_start_ = Clock::now();
    error_code ignored;
    acceptor_.cancel(ignored);
    Log("draining", {{"connections", connections_.size()}, {"queued", workers_->queued()}, {"running", workers_->running()}});
  }

  void StopJobs() {
    for (Job* const job : jobs_) job->stop = true;
  }

  // --- Connections.

  awaitable<void> Accept() {
    while (!is_draining_) {
      error_code error;
      tcp::socket socket = co_await acceptor_.async_accept(kAwait(error));
      if (!error) {
        Begin(std::move(socket));
      } else if (!is_draining_) {
        // Files have run out, most likely.
        Log("accept", {{"error", error.message()}});
        MakeRoom();
        asio::steady_timer pause(io_, kBetweenSweeps);
        co_await pause.async_wait(kAwait(error));
      }
    }
    // Those that were accepted by the system already may have sent a request.
    for (;;) {
      error_code error;
      tcp::socket socket = acceptor_.accept(error);
      if (error) break;
      Begin(std::move(socket));
    }
    error_code ignored;
    acceptor_.close(ignored);
  }

  void Begin(tcp::socket socket) {
    metrics_.CountConnection();
    error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    const bool has_room = connections_.size() < options_.max_connections || MakeRoom();
    asio::co_spawn(io_, Serve(std::move(socket), has_room), asio::detached);
  }

  // Drops the connection that has been idle for longest. False if none is idle.
  bool MakeRoom() {
    Connection* longest = nullptr;
    for (Connection* const one : connections_) {
      if (one->state == State::kIdle && !one->expired && (longest == nullptr || one->since < longest->since)) longest = one;
    }
    if (longest == nullptr) return false;
    longest->Expire();
    return true;
  }

  awaitable<void> Sweep() {
    for (;;) {
      const Clock::time_point now = Clock::now();
      for (Connection* const one : connections_) {
        if (is_draining_ && one->state == State::kIdle) {
          const auto from = std::max(one->since, drain_start_);
          one->deadline = std::min(one->deadline, from + std::chrono::milliseconds(options_.grace_milliseconds));
        }
        if (one->deadline > now) continue;
        if (one->state == State::kReading || one->state == State::kWriting) metrics_.CountTimeout();
        one->Expire();
      }
      if (is_draining_ && now > drain_start_ + std::chrono::milliseconds(options_.drain_milliseconds)) StopJobs();
      if (is_draining_ && !acceptor_.is_open() && connections_.empty()) break;
      error_code error;
      sweep_.expires_after(kBetweenSweeps);
      co_await sweep_.async_wait(kAwait(error));
    }
    signals_.cancel();
  }

  awaitable<void> Serve(tcp::socket socket, bool has_room) {
    Connection connection(*this, std::move(socket));
    try {
      if (has_room) {
        while (co_await ServeRequest(connection)) {
        }
      } else {
        metrics_.CountRefusedConnection();
        Exchange exchange;
        HttpResponse response = Overloaded();
        co_await Write(connection, exchange, response);
      }
      co_await Close(connection);
    } catch (const std::exception& error) {
      Log("connection", {{"client", connection.client}, {"error", error.what()}});
    }
  }

  // One request and its answer. False if the connection ends with it:
  //   1. wait for it  2. read its head  3. find what it means  4. read its body  5. have it answered  6. write the answer
  awaitable<bool> ServeRequest(Connection& connection) {
    error_code error;
    if (connection.buffer.size() == 0) {
      connection.Enter(State::kIdle, options_.idle_milliseconds);
      const std::size_t read = co_await connection.socket.async_read_some(connection.buffer.prepare(kReadBytes), kAwait(error));
      if (error) co_return false;
      connection.buffer.commit(read);
    }
    connection.Enter(State::kReading, options_.request_milliseconds);
    Parser parser;
    parser.header_limit(static_cast<std::uint32_t>(options_.max_header_bytes));
    parser.body_limit(service_.options().limits.request_bytes);
    Exchange exchange;
    co_await http::async_read_header(connection.socket, connection.buffer, parser, kAwait(error));
    if (error) {
      co_await Refuse(connection, exchange, error);
      co_return false;
    }
    exchange.head = HeadOf(parser.get());
    exchange.version = parser.get().version();
    exchange.keep_alive = parser.keep_alive();
    exchange.start = Clock::now();
    Route route = routes_.Find(exchange.head);
    if (exchange.version >= 11 && parser.get().find(http::field::host) == parser.get().end()) {
      route = MakeProblem(400, "HTTP/1.1 wants a Host");
      exchange.keep_alive = false;
    }
    const OperationRoute* const operation = std::get_if<OperationRoute>(&route);
    if (operation != nullptr && !parser.is_done()) {
      const bool is_asked = parser.get()[http::field::expect] == "100-continue" && connection.buffer.size() == 0;
      if (is_asked) {
        static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
        co_await asio::async_write(connection.socket, asio::buffer(kContinue), kAwait(error));
      }
      if (!error) co_await http::async_read(connection.socket, connection.buffer, parser, kAwait(error));
      if (error) {
        co_await Refuse(connection, exchange, error);
        co_return false;
      }
    }
    // What was not read would be taken for the next request.
    if (!parser.is_done()) exchange.keep_alive = false;

    connection.EnterWithoutLimit(State::kWorking);
    if (operation != nullptr) {
      const std::shared_ptr<Job> job = Post(*operation, std::move(parser.get().body()));
      if (job != nullptr && operation->streams) {
        co_await Stream(connection, exchange, *job);
      } else {
        HttpResponse response = Overloaded();
        if (job != nullptr) {
          while (!job->answer) co_await Wait(*job, Clock::time_point::max());
          response = ToResponse(std::move(*job->answer));
        }
        co_await Write(connection, exchange, response);
      }
      if (job != nullptr) jobs_.erase(job.get());
    } else {
      HttpResponse response =
          std::holds_alternative<ServerRoute>(route) ? Answer(std::get<ServerRoute>(route)) : std::get<HttpResponse>(route);
      co_await Write(connection, exchange, response);
    }
    Note(connection, exchange);
    co_return exchange.keep_alive;
  }

  HttpResponse Answer(ServerRoute route) const {
    if (route == ServerRoute::kMetrics) {
      return MakeResponse(200, "text/plain; version=0.0.4; charset=utf-8",
                          metrics_.Format({.connections = connections_.size(),
                                           .queued = workers_->queued(),
                                           .running = workers_->running(),
                                           .networks = service_.NetworkCounts()}));
    }
    // A balancer sends nothing more to a server that ends.
    if (is_draining_) return MakeResponse(503, "application/json", R"({"status":"draining"})");
    return MakeResponse(200, "application/json", R"({"status":"ok"})");
  }

  // Gives work to the workers. Null if they have too much of it.
  std::shared_ptr<Job> Post(const OperationRoute& operation, std::string request) {
    auto job = std::make_shared<Job>(io_);
    const auto work = [this, job, operation, request = std::move(request)] {
      ServiceCall call{.stop = &job->stop};
      if (operation.streams) {
        call.progress = [this, job](const std::string& json) {
          asio::post(io_, [job, json] {
            job->events.push_back(json);
            job->wake.cancel();
          });
        };
      }
      ServiceAnswer answer = service_.Answer(operation.operation, request, call);
      asio::post(io_, [job, answer = std::move(answer)]() mutable {
        job->answer = std::move(answer);
        job->wake.cancel();
      });
    };
    if (!workers_->TryPost(work)) return nullptr;
    jobs_.insert(job.get());
    return job;
  }

  // Until there is something new, or the time has come.
  static awaitable<void> Wait(Job& job, Clock::time_point until) {
    error_code error;
    job.wake.expires_at(until);
    co_await job.wake.async_wait(kAwait(error));
  }

  // Something was wrong while a request was read: the client is told, if it is still there and may understand.
  awaitable<void> Refuse(Connection& connection, Exchange& exchange, const error_code& error) {
    exchange.keep_alive = false;
    std::optional<HttpResponse> response;
    if (connection.expired) {
      response = MakeProblem(408, "the request did not come within the time");
    } else if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      response = MakeProblem(431, fmt::format("the header has more than the allowed {} bytes", options_.max_header_bytes));
    } else if (error == http::error::body_limit) {
      response = MakeProblem(
          413, fmt::format("the request has more than the allowed {} bytes", service_.options().limits.request_bytes));
    } else if (error.category() == http::make_error_code(http::error::bad_method).category() &&
               error != http::error::end_of_stream && error != http::error::partial_message) {
      response = MakeProblem(400, fmt::format("this is not HTTP as it should be: {}", error.message()));
    }
    if (!response) co_return;
    connection.expired = false;
    co_await Write(connection, exchange, *response);
    Note(connection, exchange);
  }

  template <class Message>
  void Fill(const Exchange& exchange, HttpResponse& response, Message& message) {
    routes_.Complete(exchange.head, response);
    message.version(std::min(exchange.version, 11U));
    message.result(static_cast<unsigned>(response.status));
    for (const auto& [name, value] : response.headers) message.insert(name, value);
    message.set(http::field::server, "conpole");
    message.set(http::field::date, HttpTime());
  }

  awaitable<void> Write(Connection& connection, Exchange& exchange, HttpResponse& response) {
    if (is_draining_) exchange.keep_alive = false;
    http::response<http::span_body<const char>> message;
    Fill(exchange, response, message);
    message.keep_alive(exchange.keep_alive);
    if (response.body) message.body() = beast::span<const char>(response.body->data(), response.body->size());
    message.prepare_payload();
    http::response_serializer<http::span_body<const char>> serializer(message);
    connection.Enter(State::kWriting, options_.write_milliseconds);
    error_code error;
    if (exchange.head.method == "HEAD") {
      co_await http::async_write_header(connection.socket, serializer, kAwait(error));
    } else {
      co_await http::async_write(connection.socket, serializer, kAwait(error));
      exchange.bytes = response.body ? response.body->size() : 0;
    }
    exchange.status = response.status;
    if (error) exchange.keep_alive = false;
  }

  // The answer as server-sent events.
  awaitable<void> Stream(Connection& connection, Exchange& exchange, Job& job) {
    const bool is_chunked = exchange.version >= 11;
    if (!is_chunked || is_draining_) exchange.keep_alive = false;
    HttpResponse response;
    response.With("Content-Type", "text/event-stream");
    http::response<http::empty_body> message;
    Fill(exchange, response, message);
    message.keep_alive(exchange.keep_alive);
    message.chunked(is_chunked);
    http::response_serializer<http::empty_body> serializer(message);
    error_code error;
    connection.Enter(State::kWriting, options_.write_milliseconds);
    co_await http::async_write_header(connection.socket, serializer, kAwait(error));
    exchange.status = 200;
    bool is_last = false;
    while (!error && !is_last) {
      if (job.events.empty() && !job.answer) {
        connection.EnterWithoutLimit(State::kWorking);
        co_await Wait(job, Clock::now() + kHeartbeat);
      }
      std::string text;
      for (const std::string& event : job.events) text += EventText("progress", event);
      job.events.clear();
      if (job.answer) {
        is_last = true;
        exchange.status = job.answer->status;
        text += EventText(job.answer->ok() ? "answer" : "problem", job.answer->body);
      } else if (text.empty()) {
        text = ": still at it\n\n";
      }
      exchange.bytes += text.size();
      if (is_chunked) text = fmt::format("{:x}\r\n{}\r\n{}", text.size(), text, is_last ? "0\r\n\r\n" : "");
      connection.Enter(State::kWriting, options_.write_milliseconds);
      co_await asio::async_write(connection.socket, asio::buffer(text), kAwait(error));
    }
    // Nobody waits for the answer any more.
    job.stop = true;
    if (error) exchange.keep_alive = false;
  }

  // Ends a connection so that the client gets all that was written, also if it was still sending.
  awaitable<void> Close(Connection& connection) {
    error_code error;
    // Whose time was over gets no more of it.
    if (connection.expired) co_return;
    connection.socket.shutdown(tcp::socket::shutdown_send, error);
    connection.Enter(State::kClosing, kDiscardMilliseconds);
    std::array<char, kReadBytes> discarded{};
    for (std::size_t bytes = 0; !error && bytes < kMaxDiscarded;) {
      bytes += co_await connection.socket.async_read_some(asio::buffer(discarded), kAwait(error));
    }
    connection.socket.close(error);
  }

  void Note(const Connection& connection, const Exchange& exchange) {
    const double seconds = SecondsSince(exchange.start);
    const std::string_view route = exchange.head.path.empty() ? "other" : routes_.NameOf(exchange.head);
    metrics_.CountRequest(route, exchange.status, seconds);
    if (!options_.log || (!options_.logs_requests && exchange.status < 500)) return;
    Log("request", {{"client", connection.client},
                    {"method", exchange.head.method},
                    {"path", exchange.head.path},
                    {"status", exchange.status},
                    {"bytes", exchange.bytes},
                    {"milliseconds", seconds * 1e3}});
  }

  Service& service_;
  Routes routes_;
  ServerOptions options_;
  ServerMetrics metrics_;
  asio::io_context io_{1};
  tcp::acceptor acceptor_;
  asio::signal_set signals_;
  asio::steady_timer sweep_;
  std::uint16_t port_ = 0;
  std::list<Connection*> connections_;
  std::set<Job*> jobs_;
  bool is_draining_ = false;
  Clock::time_point drain_start_;
  std::optional<WorkerQueue> workers_;  // the last, since its threads use the rest
};

Server::Server(Service& service, RouteOptions routes, StaticFiles page, ServerOptions options)
    : parts_(std::make_unique<Parts>(service, std::move(routes), std::move(page), std::move(options))) {}

Server::~Server() = default;

std::uint16_t Server::port() const { return parts_->port(); }

void Server::Run() { parts_->Run(); }

void Server::Stop() { parts_->Stop(); }

}  // namespace conpole

// Everything but the workers happens on one thread, in coroutines: one that accepts connections, one per connection, and one
// that looks every now and then whose time is over. So nothing but the workers' queue needs a lock.
#include "http/server.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <ctime>
#include <deque>
#include <exception>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string_view>
#include <thread>
#include <tuple>
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

#include "classroom/classroom.h"
#include "conpole/error.h"
#include "http/client_address.h"
#include "http/gzip.h"
#include "http/metrics.h"
#include "http/rate_limit.h"
#include "http/runs.h"
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
constexpr std::size_t kLeastHintWorkers = 4;
constexpr std::size_t kLeastQuickWorkers = 4;
constexpr std::size_t kLeastOfAddress = 16;  // connections: a few browsers
// Of the threads of each lane: what takes long leaves the processors to what does not.
constexpr int kHintNiceness = 5;
constexpr int kLongNiceness = 10;
// Whoever is gone can be told from whoever only sends nothing more by sending something. An interim answer does no harm.
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr std::string_view kClassOperation = "class/";
constexpr std::string_view kRunsOperation = "runs/";
constexpr std::chrono::hours kBetweenCleanings{1};
constexpr int kClientLeft = 499;  // in logs and metrics: there was nobody to answer

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
  std::string forwarded;
  for (const auto& one : request) {
    if (!beast::iequals(one.name_string(), "X-Forwarded-For")) continue;
    forwarded += (forwarded.empty() ? "" : ",") + std::string(one.value());
  }
  return {.method = std::string(request.method_string()),
          .path = std::move(path),
          .accept = field(http::field::accept),
          .accept_encoding = field(http::field::accept_encoding),
          .authorization = field(http::field::authorization),
          .content_type = field(http::field::content_type),
          .if_none_match = field(http::field::if_none_match),
          .origin = field(http::field::origin),
          .requested_method = field(http::field::access_control_request_method),
          .has_body = request.chunked() || (request.has_content_length() && field(http::field::content_length) != "0"),
          .forwarded_for = std::move(forwarded),
          .request_id = std::string(request["X-Request-Id"])};
}

// What a request says of itself that could mean something else to a proxy in front of this server, or that nobody here can
// read.
std::optional<HttpResponse> RefusalOf(const Parser::value_type& request) {
  const auto hosts = request.count(http::field::host);
  if (request.version() >= 11 && hosts == 0) return MakeProblem(400, "HTTP/1.1 wants a Host");
  if (hosts > 1) return MakeProblem(400, "there is more than one Host");
  const auto transfers = request.count(http::field::transfer_encoding);
  if (transfers > 0 && request.count(http::field::content_length) > 0) {
    return MakeProblem(400, "a request has a Content-Length or a Transfer-Encoding, not both");
  }
  if (transfers > 1 || (transfers == 1 && !beast::iequals(request[http::field::transfer_encoding], "chunked"))) {
    return MakeProblem(501, "the only Transfer-Encoding here is chunked");
  }
  const auto encoding = request[http::field::content_encoding];
  if (request.count(http::field::content_encoding) > 1 || !(encoding.empty() || beast::iequals(encoding, "identity"))) {
    return MakeProblem(415, "the request must come without a Content-Encoding").With("Accept-Encoding", "identity");
  }
  return std::nullopt;
}

HttpResponse ToResponse(ServiceAnswer answer, std::string_view operation, bool is_gzipped) {
  const std::string_view type = operation == "class/csv" ? "text/csv; charset=utf-8" : "application/json";
  HttpResponse response = MakeResponse(answer.status, answer.ok() ? type : "application/problem+json", std::move(answer.body));
  response.With("Vary", "Accept-Encoding");
  if (is_gzipped) response.With("Content-Encoding", "gzip");
  if (answer.retry_after_seconds != 0) response.With("Retry-After", std::to_string(answer.retry_after_seconds));
  return response;
}

HttpResponse Overloaded(unsigned retry_after) {
  return MakeProblem(503, "there are too many requests at the moment").With("Retry-After", std::to_string(retry_after));
}

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
  Job(asio::io_context& io, Lane in_lane, std::string of_client) : lane(in_lane), client(std::move(of_client)), wake(io) {}

  const Lane lane;
  const std::string client;
  WorkerQueue::Ticket ticket = 0;
  std::atomic<bool> stop = false;
  std::deque<std::string> events = {};       // progress that was not sent yet
  std::optional<HttpResponse> refusal = {};  // it gave way to another client
  std::optional<ServiceAnswer> answer = {};
  bool is_gzipped = false;
  bool is_abandoned = false;  // the client has left
  bool is_over() const { return answer || refusal || is_abandoned; }
  asio::steady_timer wake;  // ends when there is something new
};

}  // namespace

class Server::Parts {
 public:
  Parts(Service& service, RouteOptions routes, StaticFiles page, ServerOptions options, Classroom* classroom,
        const TrainingRuns* runs)
      : service_(service),
        classroom_(classroom),
        runs_(runs),
        routes_(std::move(routes), std::move(page)),
        options_(std::move(options)),
        proxies_(options_.trusted_proxies),
        rate_limit_(options_.requests_per_second, options_.requests_at_once),
        acceptor_(io_),
        signals_(io_),
        sweep_(io_) {
    options_.max_connections = RoomForConnections(options_.max_connections);
    if (options_.max_connections_of_address == 0) {
      options_.max_connections_of_address =
          std::max(std::min(kLeastOfAddress, options_.max_connections), options_.max_connections / 4);
    }
    Bind();
    const std::size_t cores = std::thread::hardware_concurrency();
    if (options_.workers == 0) options_.workers = std::max(kLeastWorkers, 2 * cores);
    lanes_[Index(Lane::kQuick)] = std::make_unique<WorkerQueue>(std::max(kLeastQuickWorkers, cores), options_.max_queued);
    lanes_[Index(Lane::kHint)] =
        std::make_unique<WorkerQueue>(std::max(kLeastHintWorkers, cores), options_.max_queued, kHintNiceness);
    lanes_[Index(Lane::kLong)] = std::make_unique<WorkerQueue>(options_.workers, options_.max_queued, kLongNiceness);
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
  enum class State : std::uint8_t { kIdle, kReadingHead, kReading, kWorking, kWriting, kClosing };

  // One per coroutine that serves a connection, known to the server as long as it lives.
  struct Connection {
    Connection(Parts& server, tcp::socket accepted) : socket(std::move(accepted)), server_(server) {
      error_code ignored;
      peer = socket.remote_endpoint(ignored).address();
      address = ShareOf(peer);
      client = peer.to_string();
      place_ = server_.connections_.insert(server_.connections_.end(), this);
      ++server_.addresses_[address];
      ++server_.open_;
    }
    ~Connection() {
      LeaveRoom();
      server_.connections_.erase(place_);
    }
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

    // Its place is needed for others, at once.
    void Drop() {
      LeaveRoom();
      expired = is_dropped = true;
      error_code ignored;
      socket.close(ignored);
    }

    tcp::socket socket;
    asio::ip::address peer;
    std::string address;  // that limits count it under
    std::string client;   // as logs have it
    State state = State::kReadingHead;
    bool expired = false;
    bool is_dropped = false;
    bool is_last_request = false;  // the connection ends with its answer
    Job* job = nullptr;            // that it waits for
    bool can_be_probed = false;    // with an interim answer
    bool was_probed = false;
    Clock::time_point since = Clock::now();
    Clock::time_point deadline = Clock::time_point::max();
    beast::flat_buffer buffer = {};

   private:
    // It counts no more.
    void LeaveRoom() {
      if (is_dropped) return;
      --server_.open_;
      if (--server_.addresses_[address] == 0) server_.addresses_.erase(address);
    }

    Parts& server_;
    std::list<Connection*>::iterator place_;
  };

  // A request whose head was read, and what is known of its answer.
  struct Exchange {
    HttpHead head;
    unsigned version = 11;
    bool keep_alive = false;
    std::string client = {};  // whose share it is of
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
    Log("draining", {{"connections", connections_.size()}, {"queued", Queued()}, {"running", Running()}});
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
        if (MakeRoom()) continue;
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
    const asio::ip::address peer = socket.remote_endpoint(ignored).address();
    const std::string address = ShareOf(peer);
    const auto own = addresses_.find(address);
    if (own != addresses_.end() && own->second >= options_.max_connections_of_address && !proxies_.Trusts(peer) &&
        !MakeRoom(&address)) {
      // One address gets no more than its part, not even of what it takes to say so.
      metrics_.CountRefusedConnection();
      static const std::string kRefusal = [] {
        const std::string body = *MakeProblem(503, "your address has too many connections").body;
        return fmt::format(
            "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Type: application/problem+json\r\n"
            "Content-Length: {}\r\nConnection: close\r\n\r\n{}",
            body.size(), body);
      }();
      send(socket.native_handle(), kRefusal.data(), kRefusal.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
      return;
    }
    const bool has_room = open_ < options_.max_connections || MakeRoom() || TakeRoomFor(address);
    asio::co_spawn(io_, Serve(std::move(socket), has_room), asio::detached);
  }

  // Drops the connection that can be spared best, of an address or of all: one of the address that has the most; an idle one
  // rather than one whose request has only begun; the oldest of these. False if all are in the middle of something.
  bool MakeRoom(const std::string* address = nullptr) {
    Connection* best = nullptr;
    const auto rank = [&](const Connection& one) {
      return std::tuple(addresses_[one.address], one.state == State::kIdle, Clock::time_point::max() - one.since);
    };
    for (Connection* const one : connections_) {
      const bool can_be_spared = (one->state == State::kIdle || one->state == State::kReadingHead) && !one->expired;
      if (!can_be_spared || (address != nullptr && one->address != *address)) continue;
      if (best == nullptr || rank(*one) > rank(*best)) best = one;
    }
    if (best == nullptr) return false;
    best->Drop();
    return true;
  }

  // Where all connections wait for answers, the address that has the most gives one up for another that has fewer: its job that
  // began last is refused. False if nobody has too many.
  bool TakeRoomFor(const std::string& address) {
    const auto own = addresses_.find(address);
    const std::size_t fair = (own == addresses_.end() ? 0 : own->second) + 1;
    Connection* best = nullptr;
    for (Connection* const one : connections_) {
      if (one->job == nullptr || one->job->is_over() || addresses_[one->address] <= fair) continue;
      if (best == nullptr || addresses_[one->address] >= addresses_[best->address]) best = one;
    }
    if (best == nullptr) return false;
    Job& job = *best->job;
    best->is_last_request = true;
    job.stop = true;
    LaneOf(job).Remove(job.client, job.ticket);
    job.refusal = Overloaded(LaneOf(job).RetryAfterSeconds());
    job.wake.cancel();
    return true;
  }

  // Finds out whose clients have left, so that nothing is computed for nobody.
  void WatchClients() {
    std::vector<pollfd> polled;
    std::vector<Connection*> whose;
    for (Connection* const one : connections_) {
      if (one->job == nullptr || one->state != State::kWorking || one->job->is_over()) continue;
      polled.push_back({one->socket.native_handle(), POLLRDHUP, 0});
      whose.push_back(one);
    }
    if (polled.empty() || poll(polled.data(), polled.size(), 0) <= 0) return;
    for (std::size_t i = 0; i < polled.size(); ++i) {
      Connection& connection = *whose[i];
      const bool is_gone = (polled[i].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
      const bool sends_no_more = (polled[i].revents & POLLRDHUP) != 0;
      if (is_gone) {
        Abandon(*connection.job);
      } else if (sends_no_more && !connection.was_probed) {
        connection.was_probed = true;
        // A stream has begun already, and says that it is still at it when it is woken.
        if (connection.can_be_probed) {
          send(polled[i].fd, kContinue.data(), kContinue.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        } else {
          connection.job->wake.cancel();
        }
      }
    }
  }

  void Abandon(Job& job) {
    job.stop = true;
    job.is_abandoned = true;
    LaneOf(job).Remove(job.client, job.ticket);
    metrics_.CountAbandoned();
    job.wake.cancel();
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
        if (one->state != State::kIdle && one->state != State::kClosing) metrics_.CountTimeout();
        one->Expire();
      }
      WatchClients();
      if (classroom_ != nullptr && now >= next_cleaning_) Clean(now);
      if (is_draining_ && now > drain_start_ + std::chrono::milliseconds(options_.drain_milliseconds)) StopJobs();
      if (is_draining_ && !acceptor_.is_open() && connections_.empty()) break;
      error_code error;
      sweep_.expires_after(kBetweenSweeps);
      co_await sweep_.async_wait(kAwait(error));
    }
    signals_.cancel();
  }

  // Deletes what is old.
  void Clean(Clock::time_point now) {
    next_cleaning_ = now + kBetweenCleanings;
    const auto clean = [this] {
      try {
        classroom_->DeleteOld();
      } catch (const std::exception& error) {
        asio::post(io_, [this, what = std::string(error.what())] { Log("cleaning", {{"error", what}}); });
      }
    };
    lanes_[Index(Lane::kQuick)]->TryPost("the server itself", {.run = clean});
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
        HttpResponse response = Overloaded(1);
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
    connection.Enter(State::kReadingHead, options_.request_milliseconds);
    Parser parser;
    parser.header_limit(static_cast<std::uint32_t>(options_.max_header_bytes));
    parser.body_limit(service_.options().limits.request_bytes);
    Exchange exchange;
    co_await http::async_read_header(connection.socket, connection.buffer, parser, kAwait(error));
    if (error) {
      co_await Refuse(connection, exchange, error);
      co_return false;
    }
    connection.state = State::kReading;
    exchange.head = HeadOf(parser.get());
    exchange.version = parser.get().version();
    exchange.keep_alive = parser.keep_alive();
    exchange.start = Clock::now();
    Identify(connection, exchange);
    Route route = FindRoute(exchange, parser.get());
    const OperationRoute* const operation = std::get_if<OperationRoute>(&route);
    if (operation != nullptr && !parser.is_done()) {
      const bool is_asked = parser.get()[http::field::expect] == "100-continue" && connection.buffer.size() == 0;
      if (is_asked) {
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
      const std::shared_ptr<Job> job = Post(*operation, exchange, std::move(parser.get().body()));
      connection.job = job.get();
      connection.can_be_probed = !operation->streams && exchange.version >= 11;
      connection.was_probed = false;
      if (operation->streams && !job->refusal) {
        co_await Stream(connection, exchange, *job);
      } else {
        while (!job->is_over()) co_await Wait(*job, Clock::time_point::max());
        if (job->is_abandoned) {
          exchange.status = kClientLeft;
          connection.Drop();
        } else {
          HttpResponse response =
              job->refusal ? *job->refusal : ToResponse(std::move(*job->answer), operation->operation, job->is_gzipped);
          co_await Write(connection, exchange, response);
        }
      }
      connection.job = nullptr;
      jobs_.erase(job.get());
      if (connection.is_dropped) exchange.keep_alive = false;
    } else {
      HttpResponse response =
          std::holds_alternative<ServerRoute>(route) ? Answer(std::get<ServerRoute>(route)) : std::get<HttpResponse>(route);
      co_await Write(connection, exchange, response);
    }
    Note(connection, exchange);
    co_return exchange.keep_alive;
  }

  // Whose share a request is of, and by which id it is found in logs.
  void Identify(Connection& connection, Exchange& exchange) {
    const asio::ip::address client = proxies_.ClientOf(connection.peer, exchange.head.forwarded_for);
    connection.client = client.to_string();
    const std::optional<std::size_t> token = routes_.FindToken(exchange.head);
    exchange.client = token ? fmt::format("token {}", *token) : ShareOf(client);
    // An id that a proxy gave tells more than one of our own.
    std::string& id = exchange.head.request_id;
    if (!proxies_.Trusts(connection.peer) || !IsRequestId(id)) id = fmt::format("{:016x}", random_());
  }

  Route FindRoute(Exchange& exchange, const Parser::value_type& request) {
    if (std::optional<HttpResponse> refusal = RefusalOf(request)) {
      exchange.keep_alive = false;
      return *std::move(refusal);
    }
    Route route = routes_.Find(exchange.head);
    if (!std::holds_alternative<OperationRoute>(route)) return route;
    const unsigned wait = rate_limit_.Ask(exchange.client, exchange.start);
    if (wait == 0) return route;
    return MakeProblem(429, "these are more requests than one client may send").With("Retry-After", std::to_string(wait));
  }

  static constexpr std::size_t Index(Lane lane) { return static_cast<std::size_t>(lane); }
  WorkerQueue& LaneOf(const Job& job) const { return *lanes_[Index(job.lane)]; }
  std::size_t Queued() const {
    std::size_t sum = 0;
    for (const auto& lane : lanes_) sum += lane->queued();
    return sum;
  }
  std::size_t Running() const {
    std::size_t sum = 0;
    for (const auto& lane : lanes_) sum += lane->running();
    return sum;
  }

  HttpResponse Answer(ServerRoute route) const {
    if (route == ServerRoute::kMetrics) {
      return MakeResponse(200, "text/plain; version=0.0.4; charset=utf-8",
                          metrics_.Format({.connections = connections_.size(),
                                           .queued = Queued(),
                                           .running = Running(),
                                           .networks = service_.NetworkCounts()}));
    }
    // A balancer sends nothing more to a server that ends.
    if (is_draining_) return MakeResponse(503, "application/json", R"({"status":"draining"})");
    const bool is_full = std::any_of(lanes_.begin(), lanes_.end(), [](const auto& lane) { return lane->full(); });
    if (route == ServerRoute::kReady && is_full) {
      return MakeResponse(503, "application/json", R"({"status":"busy"})").With("Retry-After", "1");
    }
    return MakeResponse(200, "application/json", R"({"status":"ok"})");
  }

  ServiceAnswer AnswerOperation(std::string_view operation, const std::string& request, const ServiceCall& call) const {
    if (operation.starts_with(kClassOperation)) {
      return classroom_->Answer(operation.substr(kClassOperation.size()), request, call);
    }
    if (operation.starts_with(kRunsOperation)) return runs_->Answer(operation.substr(kRunsOperation.size()), request);
    return service_.Answer(operation, request, call);
  }

  // Gives work to the workers of its lane. The job is refused already if they have too much of it.
  std::shared_ptr<Job> Post(const OperationRoute& operation, const Exchange& exchange, std::string request) {
    auto job = std::make_shared<Job>(io_, operation.lane, exchange.client);
    const bool may_gzip = !operation.streams && Accepts(exchange.head.accept_encoding, "gzip");
    const auto run = [this, job, operation, may_gzip, posted = Clock::now(), request = std::move(request)] {
      const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - posted).count();
      ServiceCall call{.stop = &job->stop, .waited_milliseconds = static_cast<std::uint64_t>(waited)};
      if (operation.streams) {
        call.progress = [this, job](const std::string& json) {
          asio::post(io_, [job, json] {
            job->events.push_back(json);
            job->wake.cancel();
          });
        };
      }
      ServiceAnswer answer = AnswerOperation(operation.operation, request, call);
      bool is_gzipped = false;
      if (may_gzip && answer.body.size() >= kLeastGzipBytes) {
        if (std::optional<std::string> packed = Gzip(answer.body)) {
          answer.body = *std::move(packed);
          is_gzipped = true;
        }
      }
      asio::post(io_, [job, answer = std::move(answer), is_gzipped]() mutable {
        job->answer = std::move(answer);
        job->is_gzipped = is_gzipped;
        job->wake.cancel();
      });
    };
    const auto refuse = [this, job] {
      job->refusal = Overloaded(LaneOf(*job).RetryAfterSeconds());
      job->wake.cancel();
    };
    jobs_.insert(job.get());
    const std::optional<WorkerQueue::Ticket> ticket = LaneOf(*job).TryPost(job->client, {.run = run, .drop = refuse});
    if (ticket) {
      job->ticket = *ticket;
    } else {
      refuse();
    }
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
    if (connection.is_dropped) co_return;
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
    if (!exchange.head.request_id.empty()) message.set("X-Request-Id", exchange.head.request_id);
    message.set(http::field::server, "conpole");
    message.set(http::field::date, HttpTime());
  }

  awaitable<void> Write(Connection& connection, Exchange& exchange, HttpResponse& response) {
    if (is_draining_ || connection.is_last_request) exchange.keep_alive = false;
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
      if (job.events.empty() && !job.is_over()) {
        connection.EnterWithoutLimit(State::kWorking);
        co_await Wait(job, Clock::now() + kHeartbeat);
      }
      if (job.is_abandoned) {
        exchange.status = kClientLeft;
        connection.Drop();
        break;
      }
      std::string text;
      for (const std::string& event : job.events) text += EventText("progress", event);
      job.events.clear();
      if (job.answer) {
        is_last = true;
        exchange.status = job.answer->status;
        text += EventText(job.answer->ok() ? "answer" : "problem", job.answer->body);
      } else if (job.refusal) {
        is_last = true;
        exchange.status = job.refusal->status;
        text += EventText("problem", *job.refusal->body);
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
    if (connection.is_last_request) exchange.keep_alive = false;
    if (!is_last && !job.is_abandoned) LaneOf(job).Remove(job.client, job.ticket);
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
    if (exchange.status == 429) metrics_.CountLimited();
    const std::string_view route = exchange.head.path.empty() ? "other" : routes_.NameOf(exchange.head);
    metrics_.CountRequest(route, exchange.status, seconds);
    if (!options_.log || (!options_.logs_requests && exchange.status < 500)) return;
    Log("request", {{"id", exchange.head.request_id},
                    {"client", connection.client},
                    {"method", exchange.head.method},
                    {"path", exchange.head.path},
                    {"status", exchange.status},
                    {"bytes", exchange.bytes},
                    {"milliseconds", std::round(seconds * 1e6) / 1e3}});
  }

  Service& service_;
  Classroom* classroom_;
  const TrainingRuns* runs_;
  Routes routes_;
  ServerOptions options_;
  TrustedProxies proxies_;
  RateLimit rate_limit_;
  std::mt19937_64 random_{(std::uint64_t{std::random_device()()} << 32) | std::random_device()()};  // of request ids
  ServerMetrics metrics_;
  asio::io_context io_{1};
  tcp::acceptor acceptor_;
  asio::signal_set signals_;
  asio::steady_timer sweep_;
  std::uint16_t port_ = 0;
  std::list<Connection*> connections_;
  std::size_t open_ = 0;                          // of them; the others are about to end
  std::map<std::string, std::size_t> addresses_;  // how many of these each has
  std::set<Job*> jobs_;
  bool is_draining_ = false;
  Clock::time_point next_cleaning_ = Clock::now() + kBetweenCleanings;
  Clock::time_point drain_start_;
  std::array<std::unique_ptr<WorkerQueue>, kLanes> lanes_;  // the last, since their threads use the rest
};

Server::Server(Service& service, RouteOptions routes, StaticFiles page, ServerOptions options, Classroom* classroom,
               const TrainingRuns* runs)
    : parts_(std::make_unique<Parts>(service, std::move(routes), std::move(page), std::move(options), classroom, runs)) {}

Server::~Server() = default;

std::uint16_t Server::port() const { return parts_->port(); }

void Server::Run() { parts_->Run(); }

void Server::Stop() { parts_->Stop(); }

}  // namespace conpole

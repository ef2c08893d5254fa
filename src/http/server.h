// A server of the service over HTTP/1.1 (Boost.Beast). One thread does all that has to do with connections; what takes long
// runs on workers, in lanes (routes.h), with a fair share for each client. Connections are limited in number, in all and for
// each address, requests in size, both in time: who is slow is dropped, and the others do not notice. What a client asked for
// ends when the client leaves. Everything but Run is for the thread that made the server, before Run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "http/routes.h"
#include "service/service.h"

namespace conpole {

class Classroom;
class TrainingRuns;

struct ServerOptions {
  std::string host = "127.0.0.1";  // an address, not a name
  std::uint16_t port = 8080;       // 0 for any that is free
  std::size_t workers = 0;         // for what takes long; 0 for what suits the machine
  std::size_t max_queued = 256;    // requests that wait for a worker, in each lane; more are refused with 503
  std::size_t max_connections = 900;
  std::size_t max_connections_of_address = 0;  // 0 for a quarter of all, and not less than 16
  double requests_per_second = 0;              // of one client, in the long run; 0 for no limit
  double requests_at_once = 50;                // of one client, after a pause
  // Addresses or networks whose X-Forwarded-For and X-Request-Id are believed.
  std::vector<std::string> trusted_proxies = {};
  std::size_t max_header_bytes = std::size_t{16} << 10;
  // Milliseconds that a client may take: until it asks again, for a whole request, to take the next part of an answer.
  std::uint64_t idle_milliseconds = 60'000;
  std::uint64_t request_milliseconds = 10'000;
  std::uint64_t write_milliseconds = 30'000;
  // After a signal: how long idle connections stay, in case their client is about to ask; how long searches may go on until
  // they have to answer with what they have.
  std::uint64_t grace_milliseconds = 500;
  std::uint64_t drain_milliseconds = 25'000;
  bool handles_signals = true;  // SIGINT and SIGTERM end it in good order
  // Gets a JSON object per event, without a line end; empty for no log.
  std::function<void(const std::string& json)> log = {};
  bool logs_requests = true;  // each of them, or only what went wrong
};

class Server {
 public:
  // Binds the address. The service must outlive the server. Throws Error if that is not possible.
  // `classroom` answers /class and `runs` /runs; null for none. They must outlive the server, too.
  Server(Service& service, RouteOptions routes, StaticFiles page, ServerOptions options, Classroom* classroom = nullptr,
         const TrainingRuns* runs = nullptr);
  ~Server();

  std::uint16_t port() const;
  // Serves until a signal comes or Stop is called, and then until every request that was accepted is answered.
  void Run();
  // Any thread may call it.
  void Stop();

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace conpole

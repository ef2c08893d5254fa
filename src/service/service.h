// What conpole does for people and programs as one object that answers requests in JSON: the HTTP server, the engine in a
// browser and any other shell hand over an operation's name with a request and pass the answer on. The operations, their fields
// and their answers are described in src/http/openapi.json and docs/server.md.
//
// A service is thread-safe: any number of threads may call Answer at the same time. It starts no thread, reads no file and
// needs no clock but one that counts milliseconds; models come from a ModelSource. Answers depend on nothing but the request,
// unless its time runs out.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "service/model_shelf.h"

namespace conpole {

struct ServiceLimits {
  std::size_t request_bytes = std::size_t{512} << 10;
  std::uint64_t milliseconds = 5'000;        // of a search, if the request does not say
  std::uint64_t max_milliseconds = 30'000;   // that a request may ask for
  std::uint64_t max_expansions = 1'000'000;  // likewise
  std::size_t problems = 2'000;              // of one request
  std::size_t lines = 200;                   // of a solution that is checked
  std::size_t nodes = 2'000;                 // of a search tree
};

struct ServiceOptions {
  ServiceLimits limits = {};
  std::size_t threads = 1;                        // of each call
  std::size_t engines = 1;                        // network calls of a model that run at a time
  std::unique_ptr<ModelSource> models = nullptr;  // null: there are none
  std::string engine = "native";                  // what the version says that it runs as
};

// What surrounds one request. What it refers to must outlive the call.
struct ServiceCall {
  const std::atomic<bool>* stop = nullptr;  // ends searches, if given; there is an answer all the same
  // Called now and then while a search runs, with {"expanded", "beam", "milliseconds"}; by any thread of the call.
  std::function<void(const std::string& json)> progress = {};
  std::uint64_t waited_milliseconds = 0;  // since the request came: they are part of the time that it has
};

struct ServiceAnswer {
  int status = 200;                  // of HTTP
  std::string body;                  // JSON: the answer or, unless the status is 200, the problem (RFC 9457)
  unsigned retry_after_seconds = 0;  // when it is worth asking again; 0 if nothing is known of that
  bool ok() const { return status == 200; }
};

class Service {
 public:
  explicit Service(ServiceOptions options = {});
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // Never throws for anything in the request.
  ServiceAnswer Answer(std::string_view operation, std::string_view request, const ServiceCall& call = {});

  // The names of the operations.
  static std::vector<std::string_view> Operations();
  const ServiceOptions& options() const { return options_; }

  // What the networks did since the service was made, by the models' files.
  std::map<std::string, ScoreBatcher::Counts> NetworkCounts() const;

 private:
  ServiceOptions options_;
  ModelShelf models_;
};

}  // namespace conpole

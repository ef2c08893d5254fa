// conpole serve: the tutor over HTTP, and the page (http/server.h).
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "classroom/classroom.h"
#include "classroom/record_store.h"
#include "classroom/store.h"
#include "cli/command.h"
#include "cli/output.h"
#include "conpole/error.h"
#include "http/runs.h"
#include "http/server.h"
#include "http/shipped_models.h"
#include "http/static_files.h"
#include "service/service.h"
#include "util/program_path.h"
#include "util/read_file.h"
#include "util/text.h"

namespace conpole::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTokenVariable = "CONPOLE_SERVE_TOKEN";

struct ServeOptions {
  ServerOptions server;
  ServiceLimits limits;
  std::uint64_t port = 8080;
  std::string page;
  bool no_page = false;
  std::string token_file;
  std::vector<std::string> cors_origins;
  std::vector<std::string> frame_ancestors;
  std::string data;
  std::string runs;
  std::string records;
  std::uint64_t keep_days = 90;
  std::uint64_t rate = 0;
  std::uint64_t burst = 50;
  std::string log = "all";
};

// One per line. Never an argument: those can be seen by everybody on the machine.
std::vector<std::string> TokensOf(const ServeOptions& options) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
  const char* const variable = std::getenv(kTokenVariable);
  if (options.token_file.empty() && variable == nullptr) return {};
  std::istringstream lines(options.token_file.empty() ? variable : ReadRegularFile(options.token_file, kMaxBytes));
  std::vector<std::string> tokens;
  for (std::string line; std::getline(lines, line);) {
    if (const std::string_view token = Trimmed(line); !token.empty()) tokens.emplace_back(token);
  }
  if (tokens.empty()) throw Error("the token is empty");
  return tokens;
}

// The folder of the page: the one that is named, or the one that comes with the program or was built in the source tree.
std::optional<std::string> PageFolder(const ServeOptions& options) {
  if (options.no_page) return std::nullopt;
  if (!options.page.empty()) return options.page;
  const std::optional<fs::path> program = ProgramPath();
  if (!program) return std::nullopt;
  const fs::path above = program->parent_path().parent_path();
  std::error_code failure;
  for (const fs::path& folder : {above / "share" / "conpole" / "page", above / "web" / "dist"}) {
    if (fs::is_regular_file(folder / "index.html", failure)) return folder.string();
  }
  return std::nullopt;
}

int Serve(ServeOptions options) {
  if (options.log != "all" && options.log != "errors" && options.log != "off") {
    throw Error(fmt::format("--log must be all, errors or off, not '{}'", options.log));
  }
  options.server.port = static_cast<std::uint16_t>(options.port);
  options.server.requests_per_second = static_cast<double>(options.rate);
  options.server.requests_at_once = static_cast<double>(options.burst);
  options.server.logs_requests = options.log == "all";
  if (options.log != "off") {
    options.server.log = [](const std::string& json) {
      const std::string line = json + '\n';
      std::fwrite(line.data(), 1, line.size(), stderr);
    };
  }
  options.limits.milliseconds = std::min(options.limits.milliseconds, options.limits.max_milliseconds);
  ServiceOptions service_options;
  service_options.limits = options.limits;
  service_options.engines = std::max(1U, std::thread::hardware_concurrency());
  service_options.models = std::make_unique<ShippedModels>();
  Service service(std::move(service_options));

  RouteOptions routes{.tokens = TokensOf(options),
                      .cors_origins = options.cors_origins,
                      .frame_ancestors = options.frame_ancestors,
                      .has_classroom = !options.data.empty(),
                      .has_runs = !options.runs.empty()};
  std::optional<Classroom> classroom;
  if (!options.data.empty()) {
    ClassroomOptions class_options{.keep_days = options.keep_days};
    if (!options.records.empty()) {
      class_options.records = ReadRecordStore(options.records);
      if (std::string origin = class_options.records->Origin(); !origin.empty()) routes.connect_origins = {std::move(origin)};
    }
    classroom.emplace(service, OpenClassStore(options.data), std::move(class_options));
  } else if (!options.records.empty()) {
    throw Error("--records is for classes: it needs --data");
  }
  std::optional<TrainingRuns> runs;
  if (!options.runs.empty()) runs.emplace(options.runs);
  const bool is_open = routes.tokens.empty();
  const std::optional<std::string> folder = PageFolder(options);
  StaticFiles page = folder ? StaticFiles(*folder) : StaticFiles();
  const bool has_page = !page.empty();
  Server server(service, std::move(routes), std::move(page), options.server, classroom ? &*classroom : nullptr,
                runs ? &*runs : nullptr);
  const bool is_ipv6 = options.server.host.find(':') != std::string::npos;
  PrintLine(fmt::format("conpole serves at http://{}{}{}:{}/", is_ipv6 ? "[" : "", options.server.host, is_ipv6 ? "]" : "",
                        server.port()));
  if (has_page) {
    PrintLine(fmt::format("the page is that of {}", *folder));
  } else {
    PrintLine("there is no page here, only the API; --page names the folder of one (npm run build in web/ makes it)");
  }
  if (classroom) PrintLine(fmt::format("sets and results are kept in {} for {} days", options.data, options.keep_days));
  if (runs && has_page) PrintLine(fmt::format("the training runs in {} are at #/runs of the page", options.runs));
  if (is_open && options.server.host != "127.0.0.1" && options.server.host != "::1") {
    PrintLine("everybody who reaches this address may ask: there is no token");
  }
  // Whoever reads the log may go away.
  std::signal(SIGPIPE, SIG_IGN);
  server.Run();
  return kOk;
}

}  // namespace

void AddServe(Command& program) {
  Command& command = program.Add("serve", "Serve the tutor over HTTP, and the page");
  const auto options = std::make_shared<ServeOptions>();
  ServerOptions& server = options->server;
  ServiceLimits& limits = options->limits;
  command.Text("--host", server.host, "The address to listen at; 0.0.0.0 is all of this machine.");
  command.Number("--port", options->port, "The port to listen at; 0 is any that is free.", {0, 65'535});
  command.Text("--page", options->page, "The folder of the page; by default the one that comes with the program.");
  command.Flag("--no-page", options->no_page, "Serve the API alone, without a page.");
  command.Text(
      "--token-file", options->token_file,
      fmt::format("A file with the tokens, one per line, of which clients must send one; or set {} in the environment.",
                  kTokenVariable));
  command.Text("--data", options->data,
               "A folder to keep exercise sets, pupils' names and results in; by default nothing is kept of anybody.");
  command.Number("--keep-days", options->keep_days, "With --data: after how many days a set and its results are deleted.",
                 {1, 3'650});
  command.Text("--records", options->records,
               "With --data: a file with the learning record store (xAPI) that pages of classes send statements to.");
  command.Text("--runs", options->runs, "A folder of training runs to show in the page, at #/runs; by default none are shown.");
  command.List("--cors-origin", options->cors_origins,
               "An origin, for example https://school.example, whose pages may read answers; * is all. Can be repeated.");
  command.List("--frame-ancestor", options->frame_ancestors,
               "An origin, for example https://lms.example, whose pages may show the page in a frame. Can be repeated.");
  command.List(
      "--trusted-proxy", server.trusted_proxies,
      "An address or a network, for example 10.0.0.0/8, of proxies that tell who asks (X-Forwarded-For). Can be repeated.");
  command.Text("--log", options->log, "What to log on standard error, as lines of JSON: all, errors or off.");
  command.group = "Limits";
  command.Number("--milliseconds", limits.milliseconds, "The time to search, if a request does not say.", {1, 600'000});
  command.Number("--max-milliseconds", limits.max_milliseconds, "The time to search that a request may ask for.", {1, 600'000});
  command.Number("--max-expansions", limits.max_expansions, "How many states a request may have expanded.", {1, 1'000'000'000});
  command.Number("--max-bytes", limits.request_bytes, "How many bytes a request may have.", {1'024, 64 << 20});
  command.Number("--max-problems", limits.problems, "How many problems one request may have.", {1, 100'000});
  command.Number("--max-connections", server.max_connections, "How many connections there may be at a time.", {1, 100'000});
  command.Number("--max-connections-of-address", server.max_connections_of_address,
                 "How many of them one address may have; 0 is a quarter, and at least 16.", {0, 100'000});
  command.Number("--rate", options->rate, "How many requests a second one client may send in the long run; 0 is no limit.",
                 {0, 1'000'000});
  command.Number("--burst", options->burst, "How many requests one client may send at once, with --rate.", {1, 1'000'000});
  command.Number("--workers", server.workers, "How many long searches run at a time; 0 is what suits the machine.", {0, 1'024});
  command.Number("--max-queued", server.max_queued,
                 "How many requests of a kind (quick ones, hints, long searches) may wait for a worker; more are refused.",
                 {0, 100'000});
  constexpr std::uint64_t kDay = 86'400'000;
  command.Number("--idle-milliseconds", server.idle_milliseconds, "How long a connection may be idle.", {1, kDay});
  command.Number("--request-milliseconds", server.request_milliseconds, "How long a client may take to send a request.",
                 {1, kDay});
  command.Number("--grace-milliseconds", server.grace_milliseconds,
                 "How long idle connections stay after a signal, since their clients may be about to ask.", {0, kDay});
  command.Number("--drain-milliseconds", server.drain_milliseconds,
                 "How long searches may go on after a signal, until they answer with what they have.", {0, kDay});
  command.footer =
      "SIGTERM and SIGINT end it: requests that were accepted are answered first. docs/server.md has the API, /openapi.json "
      "describes it.\n"
      "Exit status: 0 ended by a signal, 2 it cannot start.";
  command.action = [options] { return Serve(*options); };
}

}  // namespace conpole::cli

// The real program as a server in a process of its own, and a plain client that talks to it over a socket, byte for byte. For
// tests and benchmarks. One thread at a time per object.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace conpole {

// A `conpole serve` that was started on a free port. Ends with the object, if not before.
class ServedProgram {
 public:
  // `program` is the path of conpole, `arguments` come after "serve --port 0"; what it logs goes to the file `log`, if that is
  // named. Throws Error if it does not start.
  ServedProgram(const std::string& program, const std::vector<std::string>& arguments, const std::string& log = "/dev/null");
  ~ServedProgram();
  ServedProgram(const ServedProgram&) = delete;
  ServedProgram& operator=(const ServedProgram&) = delete;

  std::uint16_t port() const { return port_; }
  pid_t process() const { return process_; }
  // The lines that it printed before it served.
  const std::string& printed() const { return printed_; }

  void Signal(int signal) const;
  // Waits for its end; its exit status, or minus the signal that ended it.
  int Wait();
  // Seconds of processors that it used so far, and the bytes of memory that it holds.
  double ProcessorSeconds() const;
  std::size_t ResidentBytes() const;

 private:
  pid_t process_ = -1;
  int output_ = -1;
  std::uint16_t port_ = 0;
  std::string printed_;
};

struct ReceivedResponse {
  int status = 0;
  std::map<std::string, std::string> headers = {};  // names in lower case
  std::string body = {};

  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
};

// A connection to a server on this machine.
class PlainClient {
 public:
  // From an address of this machine: 127.0.0.2 is one too. Throws Error if nobody listens.
  explicit PlainClient(std::uint16_t port, const char* address = "127.0.0.1");
  ~PlainClient();
  PlainClient(PlainClient&& other) noexcept;
  PlainClient& operator=(PlainClient&&) = delete;

  // False if the other side is gone.
  bool Send(std::string_view bytes);
  void EndSending();
  // The next response; nothing if the connection ends before it is whole. Nothing is read of a body that a HEAD does not have.
  std::optional<ReceivedResponse> Receive(bool is_head = false);
  // Everything until the connection ends.
  std::string ReceiveAll();
  // Whether the other side has ended the connection; waits for it so long at the most.
  bool IsEnded(int milliseconds);

  // Both: a request with a JSON body to /v1/OPERATION, or any other.
  std::optional<ReceivedResponse> Ask(std::string_view operation, std::string_view body, std::string_view more_headers = {});
  std::optional<ReceivedResponse> Ask(std::string_view method, std::string_view path, std::string_view body,
                                      std::string_view more_headers);

 private:
  bool Fill();

  int socket_ = -1;
  std::string received_;
};

// A request with all that it needs.
std::string RequestText(std::string_view method, std::string_view path, std::string_view body,
                        std::string_view more_headers = {});

}  // namespace conpole

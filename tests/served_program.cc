#include "tests/served_program.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"

namespace conpole {
namespace {

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

}  // namespace

ServedProgram::ServedProgram(const std::string& program, const std::vector<std::string>& arguments, const std::string& log) {
  std::array<int, 2> pipe_ends{};
  if (pipe(pipe_ends.data()) != 0) throw Error("there is no pipe");
  std::vector<std::string> all{program, "serve", "--port", "0"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& one : all) argv.push_back(one.data());
  argv.push_back(nullptr);
  process_ = fork();
  if (process_ < 0) throw Error("there is no process");
  if (process_ == 0) {
    dup2(pipe_ends[1], STDOUT_FILENO);
    const int log_file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (log_file >= 0) dup2(log_file, STDERR_FILENO);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(pipe_ends[1]);
  output_ = pipe_ends[0];
  // "conpole serves at http://127.0.0.1:PORT/", and a line about the page.
  std::array<char, 512> buffer{};
  while (std::count(printed_.begin(), printed_.end(), '\n') < 2) {
    const ssize_t read_bytes = read(output_, buffer.data(), buffer.size());
    if (read_bytes <= 0) throw Error(fmt::format("{} did not start: {}", program, printed_));
    printed_.append(buffer.data(), static_cast<std::size_t>(read_bytes));
  }
  const std::string first = printed_.substr(0, printed_.find('\n'));
  const std::size_t begin = first.rfind(':') + 1;
  std::from_chars(first.data() + begin, first.data() + first.size(), port_);
  if (port_ == 0) throw Error("it does not say its port: " + printed_);
}

ServedProgram::~ServedProgram() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  close(output_);
}

void ServedProgram::Signal(int signal) const { kill(process_, signal); }

int ServedProgram::Wait() {
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

double ServedProgram::ProcessorSeconds() const {
  std::ifstream file(fmt::format("/proc/{}/stat", process_));
  std::string text{std::istreambuf_iterator<char>(file), {}};
  // After the name in parentheses: the 12th and the 13th field are the times.
  text = text.substr(text.rfind(')') + 2);
  std::size_t at = 0;
  for (int i = 0; i < 11; ++i) at = text.find(' ', at) + 1;
  char* end = nullptr;
  const double user = std::strtod(text.c_str() + at, &end);
  return (user + std::strtod(end, nullptr)) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

std::size_t ServedProgram::ResidentBytes() const {
  std::ifstream file(fmt::format("/proc/{}/statm", process_));
  std::size_t whole = 0;
  std::size_t resident = 0;
  file >> whole >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

PlainClient::PlainClient(std::uint16_t port, const char* from) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in own{};
  own.sin_family = AF_INET;
  if (inet_pton(AF_INET, from, &own.sin_addr) != 1 ||
      bind(socket_, reinterpret_cast<const sockaddr*>(&own), sizeof(own)) != 0) {
    close(std::exchange(socket_, -1));
    throw Error(fmt::format("{} is no address of this machine", from));
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    close(std::exchange(socket_, -1));
    throw Error("nobody listens");
  }
  const int on = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

PlainClient::~PlainClient() {
  if (socket_ >= 0) close(socket_);
}

PlainClient::PlainClient(PlainClient&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), received_(std::move(other.received_)) {}

bool PlainClient::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void PlainClient::EndSending() { shutdown(socket_, SHUT_WR); }

bool PlainClient::Fill() {
  std::array<char, 16 << 10> buffer;
  const ssize_t read_bytes = recv(socket_, buffer.data(), buffer.size(), 0);
  if (read_bytes <= 0) return false;
  received_.append(buffer.data(), static_cast<std::size_t>(read_bytes));
  return true;
}

std::optional<ReceivedResponse> PlainClient::Receive(bool is_head) {
  std::size_t end = 0;
  while ((end = received_.find("\r\n\r\n")) == std::string::npos) {
    if (!Fill()) return std::nullopt;
  }
  ReceivedResponse response;
  std::string_view head = std::string_view(received_).substr(0, end + 2);
  const std::string_view first = head.substr(0, head.find("\r\n"));
  if (first.size() > 12) std::from_chars(first.data() + 9, first.data() + 12, response.status);
  for (head.remove_prefix(first.size() + 2); !head.empty();) {
    const std::string_view line = head.substr(0, head.find("\r\n"));
    const std::size_t colon = std::min(line.find(':'), line.size());
    std::string_view value = line.substr(std::min(colon + 1, line.size()));
    while (value.starts_with(' ')) value.remove_prefix(1);
    std::string& kept = response.headers[Lower(line.substr(0, colon))];
    kept += (kept.empty() ? "" : ", ") + std::string(value);
    head.remove_prefix(line.size() + 2);
  }
  received_.erase(0, end + 4);
  if (is_head || response.status == 204 || response.status == 304 || response.status / 100 == 1) return response;
  if (response.header("transfer-encoding") == "chunked") {
    for (;;) {
      std::size_t line = 0;
      while ((line = received_.find("\r\n")) == std::string::npos) {
        if (!Fill()) return std::nullopt;
      }
      std::size_t size = 0;
      std::from_chars(received_.data(), received_.data() + line, size, 16);
      while (received_.size() < line + 2 + size + 2) {
        if (!Fill()) return std::nullopt;
      }
      response.body += received_.substr(line + 2, size);
      received_.erase(0, line + 2 + size + 2);
      if (size == 0) return response;
    }
  }
  const std::string length = response.header("content-length");
  if (length.empty()) {
    while (Fill()) {
    }
    response.body = std::exchange(received_, {});
    return response;
  }
  std::size_t size = 0;
  std::from_chars(length.data(), length.data() + length.size(), size);
  while (received_.size() < size) {
    if (!Fill()) return std::nullopt;
  }
  response.body = received_.substr(0, size);
  received_.erase(0, size);
  return response;
}

std::string PlainClient::ReceiveAll() {
  while (Fill()) {
  }
  return std::exchange(received_, {});
}

bool PlainClient::IsEnded(int milliseconds) {
  pollfd one{socket_, POLLIN, 0};
  while (poll(&one, 1, milliseconds) > 0) {
    if (!Fill()) return true;
  }
  return false;
}

std::string RequestText(std::string_view method, std::string_view path, std::string_view body, std::string_view more_headers) {
  const std::string length =
      body.empty() ? std::string() : fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n", body.size());
  return fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\n{}{}\r\n{}", method, path, length, more_headers, body);
}

std::optional<ReceivedResponse> PlainClient::Ask(std::string_view operation, std::string_view body,
                                                 std::string_view more_headers) {
  return Ask("POST", fmt::format("/v1/{}", operation), body, more_headers);
}

std::optional<ReceivedResponse> PlainClient::Ask(std::string_view method, std::string_view path, std::string_view body,
                                                 std::string_view more_headers) {
  if (!Send(RequestText(method, path, body, more_headers))) return std::nullopt;
  return Receive(method == "HEAD");
}

}  // namespace conpole

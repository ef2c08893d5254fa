#include "experiments/gnuplot.h"

#include <spawn.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "util/text.h"

namespace conpole::cli {
namespace {

std::string SystemMessage(int code) { return std::generic_category().message(code); }

// A file without a name. Unlike a pipe it never makes the child wait for us.
class Scratch {
 public:
  Scratch() : file_(std::tmpfile()) {
    if (file_ == nullptr) throw Error(fmt::format("cannot create a temporary file: {}", SystemMessage(errno)));
  }

  int descriptor() const { return fileno(file_.get()); }

  void Write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() || std::fflush(file_.get()) != 0) {
      throw Error(fmt::format("cannot write a temporary file: {}", SystemMessage(errno)));
    }
    std::rewind(file_.get());
  }
  std::string Read() {
    std::string text;
    std::array<char, 1 << 14> block{};
    std::rewind(file_.get());
    while (const std::size_t got = std::fread(block.data(), 1, block.size(), file_.get())) text.append(block.data(), got);
    return text;
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

// The child's exit status; -1 if a signal ended it.
int Spawn(const Scratch& in, const Scratch& out, const Scratch& err) {
  // Without the user's settings, so that a plot looks the same for everyone.
  std::array<const char*, 3> arguments{"gnuplot", "--default-settings", nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.descriptor(), STDERR_FILENO);
  pid_t child = 0;
  const int failure = posix_spawnp(&child, arguments[0], &actions, nullptr, const_cast<char**>(arguments.data()), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure == ENOENT) throw Error("gnuplot, which draws the plots, is not installed; on Debian: apt install gnuplot-nox");
  if (failure != 0) throw Error(fmt::format("cannot run gnuplot: {}", SystemMessage(failure)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string_view LastLine(std::string_view text) {
  const std::size_t end = text.find_last_not_of('\n');
  text = text.substr(0, end == std::string_view::npos ? 0 : end + 1);
  const std::size_t newline = text.rfind('\n');
  return newline == std::string_view::npos ? text : text.substr(newline + 1);
}

}  // namespace

std::string GnuplotQuoted(std::string_view text) {
  using Json = nlohmann::json;
  const std::string json = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  // All but the plainest characters by their codes: what gnuplot takes for a quote, a command or a macro depends on the place.
  // Digits too, as they would continue a code before them.
  std::string quoted = "\"";
  for (const char c : Json::parse(json).get<std::string>()) {
    if (IsLetter(c) || c == ' ') {
      quoted += c;
    } else {
      const bool control = (c >= '\0' && c < ' ') || c == '\x7f';
      quoted += fmt::format("\\{:03o}", static_cast<unsigned char>(control ? ' ' : c));
    }
  }
  return quoted + "\"";
}

std::string RunGnuplot(const std::string& script) {
  Scratch in;
  Scratch out;
  Scratch err;
  in.Write(script);
  const int status = Spawn(in, out, err);
  std::string picture = out.Read();
  if (status != 0 || picture.empty()) throw Error(fmt::format("gnuplot failed: {}", LastLine(err.Read())));
  return picture;
}

}  // namespace conpole::cli

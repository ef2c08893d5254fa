#include "experiments/child_process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <cerrno>
#include <csignal>
#include <system_error>

#include <fmt/format.h>

#include "conpole/error.h"

namespace conpole::cli {
namespace {

int StatusOf(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

int OpenEmpty(const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) throw Error(fmt::format("{} cannot be written: {}", path, std::generic_category().message(errno)));
  return file;
}

}  // namespace

ChildProcess::ChildProcess(const std::string& program, const std::vector<std::string>& arguments, const std::string& out,
                           const std::string& err) {
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const int out_file = OpenEmpty(out);
  const int err_file = OpenEmpty(err);
  const pid_t parent = getpid();
  pid_ = fork();
  const int failure = errno;
  if (pid_ == 0) {
    // Nothing but system calls from here on: other threads may have held any lock.
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(1);  // it has ended in between
#endif
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(out_file, STDOUT_FILENO);
    dup2(err_file, STDERR_FILENO);
    execv(program.c_str(), argv.data());
    _exit(127);
  }
  close(out_file);
  close(err_file);
  if (pid_ < 0) throw Error(fmt::format("{} cannot be run: {}", program, std::generic_category().message(failure)));
}

ChildProcess::~ChildProcess() { Kill(); }

std::optional<int> ChildProcess::Status() {
  if (status_) return status_;
  int status = 0;
  const pid_t ended = waitpid(pid_, &status, WNOHANG);
  if (ended == pid_) status_ = StatusOf(status);
  if (ended < 0 && errno != EINTR) status_ = -1;
  return status_;
}

void ChildProcess::Terminate() {
  if (!Status()) kill(pid_, SIGTERM);
}

void ChildProcess::Kill() {
  if (Status()) return;
  kill(pid_, SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
  status_ = StatusOf(status);
}

}  // namespace conpole::cli

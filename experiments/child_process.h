// Other programs that run at the same time, without a shell. A child is asked to end (SIGTERM) when the thread that started it
// does, however that happens, so that nothing goes on unseen after this program is killed. One thread at a time.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace conpole::cli {

class ChildProcess {
 public:
  // Starts a program with arguments, the first of which is not its name. Its standard output goes to one file and its standard
  // error to another; both begin empty. It reads nothing. Throws Error.
  ChildProcess(const std::string& program, const std::vector<std::string>& arguments, const std::string& out,
               const std::string& err);
  // Ends it, at once.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // The exit status once it has ended, -1 if a signal ended it; nothing while it runs. Does not wait.
  std::optional<int> Status();
  // Asks it to end.
  void Terminate();
  // Ends it, and waits until it has.
  void Kill();

 private:
  pid_t pid_ = -1;
  std::optional<int> status_;
};

}  // namespace conpole::cli

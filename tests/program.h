// The program as a child process, for tests that meet it as its users do: arguments in, text and exit status out.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace conpole {

using Json = nlohmann::json;
using Arguments = std::vector<std::string>;

// A running program, this project's own unless told otherwise. Its standard streams are the given descriptors.
class Process {
 public:
  Process(const Arguments& arguments, int in, int out, int err, const std::string& program = CONPOLE_PROGRAM) {
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ != 0) return;
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    execv(program.c_str(), argv.data());
    _exit(127);
  }
  ~Process() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    Wait();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return pid_; }
  // The most memory that it had at a time; known once it has ended.
  long peak_kilobytes() const { return peak_kilobytes_; }

  // The exit status; 1000 and the signal if one ended it.
  int Wait() {
    int status = 0;
    rusage used{};
    while (wait4(pid_, &status, 0, &used) < 0 && errno == EINTR) continue;
    peak_kilobytes_ = used.ru_maxrss;
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }

 private:
  pid_t pid_ = 0;
  long peak_kilobytes_ = 0;
};

// A file without a name.
class Scratch {
 public:
  explicit Scratch(std::string_view text = {}) : file_(std::tmpfile()) {
    if (!text.empty()) std::fwrite(text.data(), 1, text.size(), file_);
    std::rewind(file_);
  }
  ~Scratch() { std::fclose(file_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  int descriptor() const { return fileno(file_); }
  std::string Read() const {
    std::string text;
    std::array<char, 4096> block{};
    std::rewind(file_);
    while (const std::size_t got = std::fread(block.data(), 1, block.size(), file_)) text.append(block.data(), got);
    return text;
  }

 private:
  std::FILE* file_;
};

inline std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

struct Outcome {
  int status = 0;
  std::string out;
  std::string err;

  std::vector<std::string> lines() const { return Lines(out); }
  Json json() const { return Json::parse(out); }
};

inline Outcome Conpole(const Arguments& arguments, std::string_view input = {}) {
  const Scratch in(input);
  const Scratch out;
  const Scratch err;
  const int status = Process(arguments, in.descriptor(), out.descriptor(), err.descriptor()).Wait();
  return {status, out.Read(), err.Read()};
}

inline void ExpectRefused(const Arguments& arguments, std::string_view reason = {}) {
  const Outcome outcome = Conpole(arguments);
  std::string command;
  for (const std::string& argument : arguments) command += " " + argument;
  EXPECT_EQ(outcome.status, 2) << command;
  EXPECT_EQ(outcome.out, "") << command;
  EXPECT_TRUE(outcome.err.starts_with("conpole: ")) << command << ": " << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << command << ": " << outcome.err;
  EXPECT_TRUE(outcome.err.ends_with('\n')) << command;
  EXPECT_NE(outcome.err.find(reason), std::string::npos) << command << ": " << outcome.err;
}

}  // namespace conpole

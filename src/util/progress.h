// A progress bar on standard error; silent unless that is a terminal. Not thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace conpole {

class Progress {
 public:
  Progress(std::string what, std::size_t total);
  // Clears the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `note` stands behind the bar.
  void Advance(std::size_t done, const std::string& note = {});

 private:
  std::string what_;
  std::size_t total_;
  bool shown_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace conpole

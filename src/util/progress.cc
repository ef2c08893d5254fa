#include "util/progress.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include <fmt/format.h>

namespace conpole {
namespace {

constexpr std::size_t kWidth = 30;
constexpr auto kInterval = std::chrono::milliseconds(100);

}  // namespace

Progress::Progress(std::string what, std::size_t total)
    : what_(std::move(what)), total_(total), shown_(isatty(STDERR_FILENO) == 1) {
  Advance(0);
}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::Advance(std::size_t done, const std::string& note) {
  const auto now = std::chrono::steady_clock::now();
  if (!shown_ || now - last_ < kInterval) return;
  last_ = now;
  const std::size_t filled = total_ == 0 ? kWidth : kWidth * done / total_;
  fmt::print(stderr, "\r{} [{}{}] {}/{} {}\x1b[K", what_, std::string(filled, '#'), std::string(kWidth - filled, '.'), done,
             total_, note);
  std::fflush(stderr);
}

}  // namespace conpole

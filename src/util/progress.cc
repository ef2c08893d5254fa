#include "util/progress.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace conpole {
namespace {

constexpr std::size_t kWidth = 30;
constexpr auto kBetweenLooks = std::chrono::milliseconds(100);
constexpr auto kBetweenLines = std::chrono::seconds(10);

}  // namespace

ProgressLine::ProgressLine(Elsewhere elsewhere, std::FILE* out)
    : out_(out),
      is_terminal_(isatty(fileno(out)) == 1),
      is_silent_(!is_terminal_ && elsewhere == Elsewhere::kNothing),
      next_(is_terminal_ ? Clock::time_point() : Clock::now() + kBetweenLines) {}

ProgressLine::~ProgressLine() {
  if (!is_terminal_) return;
  fmt::print(out_, "\r\x1b[K");
  std::fflush(out_);
}

bool ProgressLine::IsDue() const { return !is_silent_ && Clock::now() >= next_; }

void ProgressLine::Show(std::string_view text) {
  if (!IsDue()) return;
  if (is_terminal_) {
    fmt::print(out_, "\r{}\x1b[K", text);
    next_ = Clock::now() + kBetweenLooks;
  } else {
    fmt::print(out_, "{}\n", text);
    next_ = Clock::now() + kBetweenLines;
  }
  std::fflush(out_);
}

Progress::Progress(std::string what, std::size_t total) : what_(std::move(what)), total_(total) { Advance(0); }

void Progress::Advance(std::size_t done, const std::string& note) {
  if (!line_.IsDue()) return;
  const std::size_t filled = total_ == 0 ? kWidth : kWidth * std::min(done, total_) / total_;
  line_.Show(fmt::format("{} [{}{}] {}/{} {}", what_, std::string(filled, '#'), std::string(kWidth - filled, '.'), done, total_,
                         note));
}

}  // namespace conpole

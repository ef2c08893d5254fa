#include "util/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace conpole {
namespace {

constexpr std::size_t kWidth = 30;
constexpr auto kBetweenLooks = std::chrono::milliseconds(100);
constexpr auto kBetweenLines = std::chrono::seconds(10);

// Of a terminal, so that no line becomes two.
std::size_t Columns(std::FILE* out) {
  winsize size{};
  return ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1U : 79U;
}

}  // namespace

ProgressLine::ProgressLine(Elsewhere elsewhere, std::FILE* out)
    : out_(out),
      is_terminal_(isatty(fileno(out)) == 1),
      is_silent_(!is_terminal_ && elsewhere == Elsewhere::kNothing),
      next_(is_terminal_ ? Clock::time_point() : Clock::now() + kBetweenLines) {}

ProgressLine::~ProgressLine() { Clear(); }

void ProgressLine::Clear() {
  if (!is_terminal_) return;
  if (lines_below_ != 0) fmt::print(out_, "\x1b[{}A", std::exchange(lines_below_, 0));
  fmt::print(out_, "\r\x1b[J");
  std::fflush(out_);
}

bool ProgressLine::IsDue() const { return !is_silent_ && Clock::now() >= next_; }

void ProgressLine::Show(std::string_view text) {
  if (!IsDue()) return;
  if (is_terminal_) {
    Clear();
    const std::size_t columns = Columns(out_);
    for (std::string_view rest = text;;) {
      const std::size_t end = rest.find('\n');
      fmt::print(out_, "{}", rest.substr(0, std::min(end, columns)));
      if (end == std::string_view::npos) break;
      fmt::print(out_, "\n");
      ++lines_below_;
      rest.remove_prefix(end + 1);
    }
    next_ = Clock::now() + kBetweenLooks;
  } else {
    fmt::print(out_, "{}\n", text.substr(0, text.find('\n')));
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

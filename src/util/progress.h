// What long work shows of itself on standard error. On a terminal it is a line, or several, that change and go away in the end;
// elsewhere it is nothing, or a line now and then. Not thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace conpole {

class ProgressLine {
 public:
  // What happens where the output is not a terminal.
  enum class Elsewhere : std::uint8_t { kNothing, kLines };

  // `out` must outlive the object.
  explicit ProgressLine(Elsewhere elsewhere = Elsewhere::kNothing, std::FILE* out = stderr);
  // Clears the lines on a terminal.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Whether Show would write: callers need not make a text that nobody sees. On a terminal ten times a second at the most,
  // elsewhere every ten seconds, and not before ten have passed.
  bool IsDue() const;
  // Writes the text if it is due. Of several lines only a terminal shows more than the first, each as far as there is room.
  void Show(std::string_view text);
  // Takes the lines away, for something else to be written.
  void Clear();

 private:
  using Clock = std::chrono::steady_clock;

  std::FILE* out_;
  bool is_terminal_;
  bool is_silent_;
  std::size_t lines_below_ = 0;  // the first one, on a terminal
  Clock::time_point next_;
};

// A bar for work of which the amount is known.
class Progress {
 public:
  Progress(std::string what, std::size_t total);

  // `note` stands behind the bar.
  void Advance(std::size_t done, const std::string& note = {});

 private:
  std::string what_;
  std::size_t total_;
  ProgressLine line_;
};

}  // namespace conpole

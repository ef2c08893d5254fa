#include "cli/output.h"

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <new>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "util/atomic_file.h"
#include "util/read_file.h"

namespace conpole::cli {
namespace {

constexpr unsigned kDelete = 0x7F;
constexpr unsigned kLastControl = 0x9F;  // from kDelete on: the controls of ISO 8859, which some terminals obey too

// The bytes of the character that the text begins with; 0 if they are not UTF-8.
std::size_t CharacterSize(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t size = byte(0) >= 0xC2 && byte(0) < 0xE0 ? 2
                           : byte(0) < 0xC2                  ? 0
                           : byte(0) < 0xF0                  ? 3
                           : byte(0) < 0xF5                  ? 4
                                                             : 0;
  if (size == 0 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Longer than needed, half of a pair of UTF-16, or past the last character.
  const bool refused = (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xED && byte(1) >= 0xA0) ||
                       (byte(0) == 0xF0 && byte(1) < 0x90) || (byte(0) == 0xF4 && byte(1) >= 0x90);
  return refused ? 0 : size;
}

bool IsControl(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < ' ' || first == kDelete;
  return first == 0xC2 && static_cast<unsigned char>(character[1]) <= kLastControl;
}

}  // namespace

void PrintText(std::string_view text) {
  std::cout << text << std::flush;
  if (!std::cout) throw Error("cannot write to standard output");
}

void PrintLine(std::string_view text) {
  std::cout << text << '\n' << std::flush;
  if (!std::cout) throw Error("cannot write to standard output");
}

void PrintJsonLine(const Json& object) { PrintLine(object.dump(-1, ' ', false, Json::error_handler_t::replace)); }

std::string Printable(std::string_view text) {
  std::string printable;
  while (!text.empty()) {
    const std::size_t size = CharacterSize(text);
    const std::string_view character = text.substr(0, size == 0 ? 1 : size);
    if (character == "\n" || character == "\r") {
      printable += ' ';
    } else if (size == 0 || IsControl(character)) {
      for (const char c : character) printable += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      printable += character;
    }
    text.remove_prefix(character.size());
  }
  return printable;
}

std::string PrintableMessage(std::string_view message) {
  constexpr std::size_t kMostQuoted = 200;
  constexpr std::size_t kMost = 2'000;  // a name that was asked for stands without quotation marks
  std::string shortened;
  while (!message.empty()) {
    const std::size_t open = message.find('\'');
    const std::size_t close = open == std::string_view::npos ? open : message.find('\'', open + 1);
    if (close == std::string_view::npos) break;
    std::size_t end = std::min(close, open + 1 + kMostQuoted);
    while (end < close && (static_cast<unsigned char>(message[end]) & 0xC0) == 0x80) ++end;  // a character stays whole
    shortened += message.substr(0, end);
    shortened += end < close ? "...'" : "'";
    message.remove_prefix(close + 1);
  }
  shortened += message;
  if (shortened.size() > kMost) {
    std::size_t end = kMost;
    while (end > 0 && (static_cast<unsigned char>(shortened[end]) & 0xC0) == 0x80) --end;
    shortened.replace(end, std::string::npos, "...");
  }
  return Printable(shortened);
}

Message MessageOf(const std::exception& error) {
  if (const auto* const own = dynamic_cast<const Error*>(&error)) return own->message();
  const bool is_memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
                         dynamic_cast<const std::length_error*>(&error) != nullptr;  // more than there can ever be
  return is_memory ? Message("there is not enough memory for this") : Message(error.what());
}

void RequirePlaceFor(const std::string& path) {
  NamingFile(path, [&] { const AtomicFile trial(path); });
}

}  // namespace conpole::cli

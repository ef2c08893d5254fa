// The text of configuration files: the part of TOML that settings need. A line is NAME = VALUE, [SECTION], or empty; a value is
// a number, or text in one line and in 'quotes', or in "quotes" with TOML's escapes; # begins a comment. All functions may be
// called by any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace conpole {

struct ConfigEntry {
  std::string name;
  std::string value;  // of text, what is meant; of numbers, as they are usually written
  bool is_text = false;
  std::size_t line = 0;
};

struct ConfigSection {
  std::string name;  // empty for what stands before the first section
  std::size_t line = 0;
  std::vector<ConfigEntry> entries;
};

// The sections in their order; the first one has no name and is always there. Throws Error, which begins with the number of the
// line, for what is not such a text, and for what is set twice.
std::vector<ConfigSection> ReadConfigText(std::string_view text);

// A text in quotes, as ReadConfigText takes it.
std::string QuotedForConfig(std::string_view text);

}  // namespace conpole

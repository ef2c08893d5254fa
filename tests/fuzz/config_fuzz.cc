// Any text of a configuration file: sections whose values, written again, are read as the same, or an Error that names a line.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/error.h"
#include "train/run/config_text.h"

namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  try {
    for (const conpole::ConfigSection& section : conpole::ReadConfigText(input)) {
      for (const conpole::ConfigEntry& entry : section.entries) {
        const std::string value = entry.is_text ? conpole::QuotedForConfig(entry.value) : entry.value;
        const std::vector<conpole::ConfigSection> again = conpole::ReadConfigText(entry.name + " = " + value);
        Require(again.size() == 1 && again[0].entries.size() == 1);
        Require(again[0].entries[0].value == entry.value && again[0].entries[0].is_text == entry.is_text);
      }
    }
  } catch (const conpole::Error& error) {
    Require(std::string_view(error.what()).starts_with("line "));
  }
  return 0;
}

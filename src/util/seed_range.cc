#include "util/seed_range.h"

#include <charconv>
#include <system_error>

#include <fmt/format.h>

#include "conpole/error.h"

namespace conpole {

SeedRange ParseSeedRange(std::string_view name, std::string_view text) {
  SeedRange range;
  const auto read = [](const char* at, const char* end, std::uint64_t& value) -> const char* {
    const auto [past, failure] = std::from_chars(at, end, value);
    return failure == std::errc() ? past : nullptr;
  };
  const char* const end = text.data() + text.size();
  const char* at = read(text.data(), end, range.first);
  at = at != nullptr && at != end && *at == ':' ? read(at + 1, end, range.end) : nullptr;
  if (at != end) throw Error(fmt::format("{} must be FIRST:END, for example 0:200, not '{}'", name, text));
  if (range.first >= range.end) throw Error(fmt::format("{} {}: there are no seeds in it", name, text));
  return range;
}

}  // namespace conpole

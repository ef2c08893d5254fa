// Seeds of problems from a first one up to, but not including, an end: FIRST:END. Values.
#pragma once

#include <cstdint>
#include <string_view>

namespace conpole {

struct SeedRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;

  std::uint64_t size() const { return end - first; }
  friend bool operator==(const SeedRange&, const SeedRange&) = default;
};

// Throws Error, which begins with `name`, unless the text is FIRST:END with FIRST before END.
SeedRange ParseSeedRange(std::string_view name, std::string_view text);

}  // namespace conpole

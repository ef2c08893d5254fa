// Answers in fewer bytes, where the build has zlib. Any thread may use it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace conpole {

// Smaller answers are not worth it.
inline constexpr std::size_t kLeastGzipBytes = 2'048;

// Nothing if there is no zlib, or if it does not become smaller.
std::optional<std::string> Gzip(std::string_view text);

}  // namespace conpole

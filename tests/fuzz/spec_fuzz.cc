// Any domain specification: a domain whose Spec() gives it back, or an Error with a message.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "conpole/domain.h"
#include "conpole/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view spec(reinterpret_cast<const char*>(data), size);
  // Its value is a path, and a fuzzer should not open files.
  if (spec.find("templates") != std::string_view::npos) return 0;
  try {
    const auto domain = conpole::MakeDomain(spec);
    const std::string canonical = domain->Spec();
    const auto again = conpole::MakeDomain(canonical);
    if (again->Spec() != canonical || again->parameters().values() != domain->parameters().values()) std::abort();
  } catch (const conpole::Error& error) {
    if (*error.what() == '\0') std::abort();
  }
  return 0;
}

// Any text at all given to one domain (CONPOLE_FUZZ_SPEC): no crash, and every promise that check_text.h knows holds.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "conpole/domain.h"
#include "tests/check_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::unique_ptr<conpole::Domain> domain = conpole::MakeDomain(CONPOLE_FUZZ_SPEC);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const std::optional<std::string> fault = conpole::FindFault(*domain, text)) {
    std::fprintf(stderr, "%s\n", fault->c_str());
    std::abort();
  }
  return 0;
}

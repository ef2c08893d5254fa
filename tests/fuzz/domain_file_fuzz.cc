// A domain file is any text; what is accepted has problems, successors and a report that keep the promises of every domain.
// What comes after a line "====" is a state for the domain.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "conpole/error.h"
#include "domains/files/domain_file.h"
#include "domains/files/report.h"
#include "tests/check_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace conpole;
  std::string text(reinterpret_cast<const char*>(data), size);
  std::string state;
  if (const std::size_t separator = text.find("\n====\n"); separator != std::string::npos) {
    state = text.substr(separator + 6);
    text.resize(separator + 1);
  }
  try {
    // What tries rules and problems takes longer than all the rest: some files are enough.
    const bool is_tried = size % 16 == 0;
    const auto file = is_tried ? std::make_shared<const DomainFile>("f", text, text)
                               : std::make_shared<const DomainFile>("f", text, text, DomainFile::Unchecked());
    const std::unique_ptr<Domain> domain = MakeFileDomain(file);
    for (std::uint64_t seed = 0; seed <= 1; ++seed) {
      const std::string problem = seed == 0 ? domain->Generate(0) : state;
      if (const std::optional<std::string> fault = FindFault(*domain, problem)) {
        std::cerr << *fault << '\n';
        std::abort();
      }
    }
    const std::string formatted = files::Formatted("f", text);
    if (files::Formatted("f", formatted) != formatted || !DifferenceOf(formatted, text).empty()) std::abort();
  } catch (const Error&) {
  }
  return 0;
}

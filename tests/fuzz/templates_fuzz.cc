// Any file of equation templates: shapes that are canonical equations, or an Error that names the source.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "domains/axioms/equation_templates.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::unique_ptr<conpole::Domain> domain = conpole::MakeDomain("equations");
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::vector<conpole::EquationTemplate> templates = conpole::ParseTemplates(text, "fuzz");
    if (templates.empty()) std::abort();
    for (const conpole::EquationTemplate& shape : templates) {
      const conpole::Parsed parsed = domain->Parse(shape.equation);
      if (parsed.error || parsed.state != shape.equation) std::abort();
    }
  } catch (const conpole::Error& error) {
    if (!std::string_view(error.what()).starts_with("fuzz:")) std::abort();
  }
  return 0;
}

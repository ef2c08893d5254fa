// Any line of school algebra: every step from it is opened into axioms or says why not, soon. Every axiom is one that its
// domain offers, and numbers keep their value.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "explain/derivation/algebra_derivation.h"
#include "verify/exact.h"

namespace {

void Require(bool condition, std::string_view what, std::string_view text) {
  if (condition) return;
  std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(what.size()), what.data(), static_cast<int>(text.size()), text.data());
  std::abort();
}

bool Offers(const conpole::Domain& domain, const conpole::Derivation::Line& line) {
  conpole::Successors successors;
  domain.Expand(line.before, conpole::Labels::kOn, successors);
  for (std::size_t i = 0; i < successors.size(); ++i) {
    if (successors.label(i) == line.label && successors.state(i) == line.after) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::unique_ptr<conpole::Domain> algebra = conpole::MakeDomain("algebra");
  const conpole::Parsed parsed = algebra->Parse({reinterpret_cast<const char*>(data), size});
  if (parsed.error) return 0;
  conpole::Successors successors;
  algebra->Expand(parsed.state, conpole::Labels::kOn, successors);
  for (std::size_t i = 0; i < successors.size(); ++i) {
    const std::vector<std::string> path{parsed.state, std::string(successors.state(i))};
    const std::vector<std::string> labels{std::string(successors.label(i))};
    const conpole::Derivation derivation = conpole::OpenAlgebraSteps(path, labels).front();
    Require(derivation.opened() == derivation.sentence.empty(), "neither opened nor not", labels[0]);
    if (!derivation.opened()) continue;
    const std::unique_ptr<conpole::Domain> domain = conpole::MakeDomain(derivation.domain);
    for (const conpole::Derivation::Line& line : derivation.lines) {
      Require(Offers(*domain, line), "not offered", line.label);
      if (domain->type().name == "equations") continue;
      Require(conpole::EvaluateTerm(line.before, 0) == conpole::EvaluateTerm(line.after, 0), "another value", line.after);
    }
  }
  return 0;
}

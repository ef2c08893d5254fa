// The table of all domains, and how a domain is made from text.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "domains/axioms/equations.h"
#include "domains/axioms/fractions.h"
#include "domains/axioms/multiplication.h"
#include "domains/files/domain_file.h"
#include "domains/puzzles/rubiks_cube.h"
#include "domains/puzzles/sorting.h"
#include "domains/puzzles/ternary_addition.h"
#include "domains/school/algebra.h"
#include "util/text.h"

namespace conpole {

const std::vector<const DomainType*>& DomainTypes() {
  static const std::vector<const DomainType*> types{&SortingType(),   &TernaryAdditionType(), &MultiplicationType(),
                                                    &FractionsType(), &EquationsType(),       &RubiksCubeType(),
                                                    &AlgebraType()};
  return types;
}

std::unique_ptr<Domain> MakeDomain(std::string_view spec) {
  if (IsDomainFileSpec(spec)) return MakeFileDomain(spec);
  const std::size_t colon = spec.find(':');
  const std::string_view name = spec.substr(0, colon);
  const DomainType* found = nullptr;
  std::vector<std::string> names;
  for (const DomainType* type : DomainTypes()) {
    if (type->name == name) found = type;
    names.push_back(type->name);
  }
  if (found == nullptr)
    throw Error(
        Message("unknown domain '{}'; there are: {}, and files whose names end in {}", name, Join(names), kDomainFileSuffix));

  std::map<std::string, std::string> given;
  for (std::size_t separator = colon; separator != std::string_view::npos;) {
    const std::size_t begin = separator + 1;
    separator = spec.find(',', begin);
    const std::string_view item = spec.substr(begin, std::min(separator, spec.size()) - begin);
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) {
      throw Error(Message("domain {}: expected PARAMETER=VALUE, found '{}'", found->name, item));
    }
    const auto [at, added] = given.emplace(item.substr(0, equals), item.substr(equals + 1));
    if (!added) throw Error(Message("domain {}: parameter '{}' is given twice", found->name, at->first));
  }
  try {
    return found->make(Parameters(found->parameters, given));
  } catch (const Error& error) {
    throw Error(Message("domain {}: {}", found->name, error.what()));
  }
}

}  // namespace conpole

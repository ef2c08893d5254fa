// The problems of school algebra, by family: what a textbook has in its chapters. Pure functions: any thread may call any of
// this.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace conpole::algebra {

struct Family {
  std::string_view name;
  std::string_view example;
};
// All families, the simpler ones first.
const std::vector<Family>& Families();
// The index of the family with this name; the number of families if it is the mixture of all; throws Error otherwise.
std::size_t FindFamily(std::string_view name);
inline constexpr std::string_view kMixture = "mixture";

// The canonical text of the problem with this seed. Numbers are of about this size; those of products have up to 30 digits.
std::string MakeProblem(std::size_t family, std::int64_t max_number, std::uint64_t seed);

}  // namespace conpole::algebra

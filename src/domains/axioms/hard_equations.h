// Hard equations: problems drawn from a grammar instead of shapes. Sums of many terms on both sides, brackets in brackets that
// are multiplied or divided, fractions, and the unknown below the line. All have the unknown somewhere, and leave room under
// the caps of the domain for an operation on both sides. Most have one solution; some have none, or every number solves them:
// subjects/classify.h tells which. What is drawn depends on the seed and the options alone. Any thread may call this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace conpole {

struct HardEquationOptions {
  // Terms of both sides together, at the most; at least half as many. What a bracket is multiplied with, divided by, and what
  // stands below the line is no term of its own.
  std::int64_t size = 8;
  std::int32_t max_constant = 10;
  bool zero = false;  // whether constants may be 0; what is divided by never is
  // What the domain can work on. A problem stays below both by what an operation on both sides adds.
  std::size_t max_nodes = 30;
  std::size_t max_bytes = 80;
};

// Smaller ones exist, but have nothing that is hard.
inline constexpr std::int64_t kSmallestHardEquation = 2;
inline constexpr std::int64_t kLargestHardEquation = 16;

// Canonical text of the domain equations. Where the caps leave no room for that many terms, it has fewer.
std::string DrawHardEquation(std::uint64_t seed, const HardEquationOptions& options);

}  // namespace conpole

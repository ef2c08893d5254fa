// Divisors of 64-bit integers, fast for the small numbers that problems are made of and never slow for large ones. Any
// thread may call this.
#pragma once

#include <cstdint>
#include <vector>

namespace conpole {

// Appends to `out`, in increasing order, every k >= 2 that divides n and has k * k <= n. 0 and 1 have none.
void AppendSmallDivisors(std::uint64_t n, std::vector<std::uint64_t>& out);

}  // namespace conpole

// The compiler's 128-bit integers under names that pass -Wpedantic.
#pragma once

namespace conpole {

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

}  // namespace conpole

// How often a test tries what it tries at random. The build with optimisation tries the full number. Builds without NDEBUG,
// those with sanitizers among them, are many times slower and look for faults that any of the tries shows: there fewer suffice.
#pragma once

namespace conpole {

#ifdef NDEBUG
inline constexpr bool kIsOptimised = true;
#else
inline constexpr bool kIsOptimised = false;
#endif

template <class Number>
constexpr Number Repetitions(Number optimised, Number otherwise) {
  return kIsOptimised ? optimised : otherwise;
}

}  // namespace conpole

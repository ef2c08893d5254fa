// Exercises of a school book to practise and to be judged on, by family. Pure functions: any thread may call any of this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace conpole::textbook {

// The names of all families, as chapters have them.
const std::vector<std::string_view>& ExerciseFamilies();
inline constexpr std::string_view kAllExercises = "exercises";
// The index of a family; their number for the mixture of all; nothing if there is none of that name.
std::optional<std::size_t> FindExerciseFamily(std::string_view name);

// The canonical text of the exercise with this seed, which can be solved. Numbers are of about this size.
std::string MakeExercise(std::size_t family, std::int64_t max_number, std::uint64_t seed);

}  // namespace conpole::textbook

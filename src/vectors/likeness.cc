#include "vectors/likeness.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "vectors/unit_vectors.h"

namespace conpole {

Likeness LikenessByVectors(const ProblemEncoder& encoder, ThreadPool& pool) {
  return [&encoder, &pool](const std::string& problem, std::span<const std::string> others) {
    UnitVectors vectors(encoder.dimension());
    vectors.Add(encoder.Encode(others, pool));
    const std::vector<float> vector = encoder.Encode(std::span(&problem, 1), pool);
    std::vector<std::size_t> places;
    for (const Neighbour& neighbour : vectors.Nearest(vector, others.size(), pool)) places.push_back(neighbour.row);
    return places;
  };
}

}  // namespace conpole

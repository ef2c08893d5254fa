// Vectors of length one, and which of them are nearest to another by their cosine: exactly, by looking at all of them.
//
// A component is kept as a 16-bit fixed-point number, which is right to 1.6e-5. Products and sums of these are whole numbers,
// so that neighbours and cosines are the same on every machine, for any number of threads, and the rows are read as fast as
// memory gives them: a million vectors of 256 components are 512 MB.
//
// Filling it is for one thread. Once it is filled, any number of threads may ask, each with a pool of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "util/large_pages.h"
#include "util/thread_pool.h"

namespace conpole {

// Scales a vector to length one; the vector of zeros stays as it is.
void Normalise(std::span<float> vector);

struct Neighbour {
  std::size_t row = 0;
  float cosine = 0;
  friend bool operator==(const Neighbour&, const Neighbour&) = default;
};

class UnitVectors {
 public:
  // Requires a dimension of at least 1.
  explicit UnitVectors(std::size_t dimension);
  // From what fixed_point() gave. Throws Error unless the rows are whole, and each of them a vector of length one or of zeros.
  UnitVectors(std::size_t dimension, LargeVector<std::int16_t> rows);

  std::size_t dimension() const { return dimension_; }
  // How many there are.
  std::size_t size() const { return rows_.size() / dimension_; }

  // Makes room for `count` vectors in all.
  void Reserve(std::size_t count) { rows_.reserve(count * dimension_); }
  // Appends vectors, which stand one after the other and are normalised here.
  void Add(std::span<const float> vectors);

  // The rows with the greatest cosines to a vector of the same dimension, which is normalised here: the nearest first, of equal
  // ones the first row first; `count` of them, or all if there are fewer. The row `except` is left out.
  std::vector<Neighbour> Nearest(std::span<const float> vector, std::size_t count, ThreadPool& pool,
                                 std::optional<std::size_t> except = std::nullopt) const;
  // Of two rows.
  float Cosine(std::size_t row, std::size_t other) const;

  // All rows, one after the other: their components times 32767.
  std::span<const std::int16_t> fixed_point() const { return rows_; }

 private:
  const std::int16_t* RowAt(std::size_t row) const { return rows_.data() + row * dimension_; }

  std::size_t dimension_;
  LargeVector<std::int16_t> rows_;
};

}  // namespace conpole

#include "vectors/unit_vectors.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "conpole/error.h"

namespace conpole {
namespace {

// What stands for 1. A sum of products of two unit vectors, or of a part of them, lies within plus and minus its square, so
// that 32 bits hold it.
constexpr std::int32_t kOne = 32767;
constexpr float kOneSquared = static_cast<float>(kOne) * static_cast<float>(kOne);
// Rows that a thread looks at together, and those whose products it keeps at a time.
constexpr std::size_t kBlock = 8192;
constexpr std::size_t kTile = 64;

struct Candidate {
  std::int32_t product;
  std::size_t row;
};

bool IsNearer(const Candidate& a, const Candidate& b) { return a.product != b.product ? a.product > b.product : a.row < b.row; }

// Compilers make this a few instructions per 16 bytes, or per more where the processor has them.
inline std::int32_t Product(const std::int16_t* a, const std::int16_t* b, std::size_t size) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += std::int32_t{a[i]} * std::int32_t{b[i]};
  return sum;
}

float CosineOf(std::int32_t product) { return std::clamp(static_cast<float>(product) / kOneSquared, -1.0F, 1.0F); }

void AppendFixedPoint(std::span<const float> vector, LargeVector<std::int16_t>& to) {
  std::vector<float> unit(vector.begin(), vector.end());
  Normalise(unit);
  for (const float component : unit) {
    const float scaled = std::clamp(component, -1.0F, 1.0F) * static_cast<float>(kOne);
    to.push_back(static_cast<std::int16_t>(std::lrint(scaled)));
  }
}

}  // namespace

void Normalise(std::span<float> vector) {
  double square = 0;
  for (const float component : vector) square += static_cast<double>(component) * static_cast<double>(component);
  if (!std::isfinite(square)) throw Error("a vector is not finite");
  if (square == 0) return;
  const double scale = 1 / std::sqrt(square);
  for (float& component : vector) component = static_cast<float>(static_cast<double>(component) * scale);
}

UnitVectors::UnitVectors(std::size_t dimension) : dimension_(dimension) {
  if (dimension == 0) throw Error("a vector needs at least one component");
}

UnitVectors::UnitVectors(std::size_t dimension, LargeVector<std::int16_t> rows) : UnitVectors(dimension) {
  if (rows.size() % dimension != 0) throw Error("a vector is not whole");
  rows_ = std::move(rows);
  // Rounding changes each component by a half at the most, and within these bounds no sum of products is too large.
  constexpr std::int64_t kLeast = std::int64_t{kOne} * kOne / 100 * 98;
  constexpr std::int64_t kMost = std::int64_t{kOne} * kOne / 100 * 102;
  for (std::size_t row = 0; row < size(); ++row) {
    std::int64_t square = 0;
    for (std::size_t i = 0; i < dimension_; ++i) square += std::int64_t{RowAt(row)[i]} * RowAt(row)[i];
    if (square != 0 && (square < kLeast || square > kMost)) throw Error("a vector is not of length one");
  }
}

void UnitVectors::Add(std::span<const float> vectors) {
  for (std::size_t at = 0; at + dimension_ <= vectors.size(); at += dimension_) {
    AppendFixedPoint(vectors.subspan(at, dimension_), rows_);
  }
}

std::vector<Neighbour> UnitVectors::Nearest(std::span<const float> vector, std::size_t count, ThreadPool& pool,
                                            std::optional<std::size_t> except) const {
  LargeVector<std::int16_t> query;
  AppendFixedPoint(vector, query);
  if (count == 0 || size() == 0) return {};
  const std::size_t blocks = (size() + kBlock - 1) / kBlock;
  // The best of each block, the worst of them first.
  std::vector<std::vector<Candidate>> best(blocks);
  pool.For(blocks, [&](std::size_t block) {
    std::vector<Candidate>& heap = best[block];
    const std::size_t end = std::min(size(), (block + 1) * kBlock);
    for (std::size_t first = block * kBlock; first < end; first += kTile) {
      const std::size_t rows = std::min(kTile, end - first);
      std::int32_t products[kTile];
      for (std::size_t i = 0; i < rows; ++i) products[i] = Product(query.data(), RowAt(first + i), dimension_);
      for (std::size_t i = 0; i < rows; ++i) {
        const Candidate candidate{products[i], first + i};
        if (candidate.row == except || (heap.size() == count && !IsNearer(candidate, heap.front()))) continue;
        if (heap.size() == count) {
          std::pop_heap(heap.begin(), heap.end(), IsNearer);
          heap.pop_back();
        }
        heap.push_back(candidate);
        std::push_heap(heap.begin(), heap.end(), IsNearer);
      }
    }
  });
  std::vector<Candidate> all;
  for (const std::vector<Candidate>& of_block : best) all.insert(all.end(), of_block.begin(), of_block.end());
  const auto wanted = all.begin() + static_cast<std::ptrdiff_t>(std::min(count, all.size()));
  std::partial_sort(all.begin(), wanted, all.end(), IsNearer);
  std::vector<Neighbour> neighbours;
  for (auto at = all.begin(); at != wanted; ++at) neighbours.push_back({at->row, CosineOf(at->product)});
  return neighbours;
}

float UnitVectors::Cosine(std::size_t row, std::size_t other) const {
  return CosineOf(Product(RowAt(row), RowAt(other), dimension_));
}

}  // namespace conpole

#include "vectors/pca.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace conpole {
namespace {

double Dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double OffDiagonal(const std::vector<double>& matrix, std::size_t size) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < i; ++j) sum += 2 * matrix[i * size + j] * matrix[i * size + j];
  }
  return sum;
}

// Turns rows p and q of a matrix against each other.
void RotateRows(std::vector<double>& matrix, std::size_t size, std::size_t p, std::size_t q, double sine, double tau) {
  double* const row_p = matrix.data() + p * size;
  double* const row_q = matrix.data() + q * size;
  for (std::size_t k = 0; k < size; ++k) {
    const double a = row_p[k];
    const double b = row_q[k];
    row_p[k] = a - sine * (b + tau * a);
    row_q[k] = b + sine * (a - tau * b);
  }
}

std::vector<std::vector<double>> Centred(std::span<const float> vectors, std::size_t dimension, std::vector<double>& mean) {
  const std::size_t count = vectors.size() / dimension;
  mean.assign(dimension, 0);
  for (std::size_t i = 0; i < vectors.size(); ++i) mean[i % dimension] += static_cast<double>(vectors[i]);
  for (double& value : mean) value /= static_cast<double>(std::max<std::size_t>(1, count));
  std::vector<std::vector<double>> rows(count, std::vector<double>(dimension));
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    rows[i / dimension][i % dimension] = static_cast<double>(vectors[i]) - mean[i % dimension];
  }
  return rows;
}

// All scalar products of the rows with each other, over `divisor`.
std::vector<double> Products(const std::vector<std::vector<double>>& rows, double divisor) {
  std::vector<double> products(rows.size() * rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      products[i * rows.size() + j] = products[j * rows.size() + i] = Dot(rows[i], rows[j]) / divisor;
    }
  }
  return products;
}

std::vector<std::vector<double>> Transposed(const std::vector<std::vector<double>>& rows, std::size_t dimension) {
  std::vector<std::vector<double>> columns(dimension, std::vector<double>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < dimension; ++k) columns[k][i] = rows[i][k];
  }
  return columns;
}

// The sum of the rows, each as often as `weights` says, scaled to length one; zero if it has no length.
std::vector<double> Combined(const std::vector<std::vector<double>>& rows, const std::vector<double>& weights,
                             std::size_t dimension) {
  std::vector<double> sum(dimension);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < dimension; ++k) sum[k] += weights[i] * rows[i][k];
  }
  const double length = std::sqrt(Dot(sum, sum));
  for (double& value : sum) value = length > 0 ? value / length : 0;
  return sum;
}

void FixSign(std::vector<double>& direction) {
  const auto greatest =
      std::max_element(direction.begin(), direction.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  if (*greatest >= 0) return;
  for (double& value : direction) value = -value;
}

}  // namespace

Eigensystem SymmetricEigensystem(std::vector<double> matrix, std::size_t size) {
  std::vector<double> vectors(size * size, 0);  // rows
  for (std::size_t i = 0; i < size; ++i) vectors[i * size + i] = 1;
  const double norm = std::inner_product(matrix.begin(), matrix.end(), matrix.begin(), 0.0);
  // Every sweep squares what is left off the diagonal, roughly; ten and some are more than any matrix has needed.
  constexpr int kMaxSweeps = 60;
  constexpr double kSmall = 1e-30;  // of squares: rounding is far above
  for (int sweep = 0; sweep < kMaxSweeps && OffDiagonal(matrix, size) > kSmall * norm; ++sweep) {
    for (std::size_t p = 0; p < size; ++p) {
      for (std::size_t q = p + 1; q < size; ++q) {
        const double off = matrix[p * size + q];
        if (off == 0) continue;
        const double theta = (matrix[q * size + q] - matrix[p * size + p]) / (2 * off);
        // The smaller of the two angles that make the entry zero.
        const double tangent = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::hypot(theta, 1));
        const double cosine = 1 / std::hypot(tangent, 1);
        const double sine = tangent * cosine;
        const double tau = sine / (1 + cosine);
        const double p_value = matrix[p * size + p] - tangent * off;
        const double q_value = matrix[q * size + q] + tangent * off;
        RotateRows(matrix, size, p, q, sine, tau);
        for (std::size_t k = 0; k < size; ++k) {
          matrix[k * size + p] = matrix[p * size + k];
          matrix[k * size + q] = matrix[q * size + k];
        }
        matrix[p * size + p] = p_value;
        matrix[q * size + q] = q_value;
        matrix[p * size + q] = matrix[q * size + p] = 0;
        RotateRows(vectors, size, p, q, sine, tau);
      }
    }
  }
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return matrix[a * size + a] > matrix[b * size + b]; });
  Eigensystem system;
  for (const std::size_t i : order) {
    system.values.push_back(matrix[i * size + i]);
    const auto begin = vectors.begin() + static_cast<std::ptrdiff_t>(i * size);
    system.vectors.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
  }
  return system;
}

double PrincipalComponents::Share(std::size_t component) const {
  return total_variance > 0 ? variances[component] / total_variance : 0;
}

PrincipalComponents FindPrincipalComponents(std::span<const float> vectors, std::size_t dimension, std::size_t count) {
  PrincipalComponents components;
  const std::vector<std::vector<double>> rows = Centred(vectors, dimension, components.mean);
  const double divisor = rows.size() > 1 ? static_cast<double>(rows.size() - 1) : 1;
  for (const std::vector<double>& row : rows) components.total_variance += Dot(row, row) / divisor;
  // The smaller of the two matrices.
  const bool few_rows = rows.size() < dimension;
  const std::size_t size = few_rows ? rows.size() : dimension;
  const Eigensystem system = SymmetricEigensystem(Products(few_rows ? rows : Transposed(rows, dimension), divisor), size);
  // What rounding leaves of no variance at all.
  const double least = 1e-12 * components.total_variance;
  for (std::size_t c = 0; c < count; ++c) {
    std::vector<double> direction(dimension, 0);
    double variance = 0;
    if (c < size && system.values[c] > least) {
      variance = system.values[c];
      direction = few_rows ? Combined(rows, system.vectors[c], dimension) : system.vectors[c];
      FixSign(direction);
    }
    components.variances.push_back(variance);
    components.directions.push_back(std::move(direction));
  }
  for (const std::vector<double>& row : rows) {
    std::vector<double> place;
    for (const std::vector<double>& direction : components.directions) place.push_back(Dot(row, direction));
    components.places.push_back(std::move(place));
  }
  return components;
}

}  // namespace conpole

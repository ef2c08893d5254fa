// Principal components: the directions in which vectors differ most, and where the vectors lie along them. The eigenvectors are
// those of the covariance or, where there are fewer vectors than dimensions, of the matrix of scalar products, which has the
// same eigenvalues; Jacobi's rotations find them to rounding. Values; any thread may call these.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace conpole {

// A symmetric matrix as its eigenvectors: values in decreasing order, vectors[i] of length one belongs to values[i].
struct Eigensystem {
  std::vector<double> values;
  std::vector<std::vector<double>> vectors;
};
// `matrix` is square, symmetric and row-major, of size * size finite numbers.
Eigensystem SymmetricEigensystem(std::vector<double> matrix, std::size_t size);

struct PrincipalComponents {
  std::vector<double> mean;                     // of the vectors
  std::vector<std::vector<double>> directions;  // of length one and orthogonal, the one of most variance first
  std::vector<double> variances;                // along each
  double total_variance = 0;                    // along all directions that there are
  std::vector<std::vector<double>> places;      // of each vector: its coordinates along the directions, from the mean

  // What a direction explains of all variance; 0 if there is none.
  double Share(std::size_t component) const;
};
// The first `count` components of vectors that stand one after the other, `dimension` finite floats each. A direction along
// which nothing varies is zero. Signs are by convention: the coefficient of a direction with the greatest magnitude, of equal
// ones the first, is positive. Requires a dimension of at least 1.
PrincipalComponents FindPrincipalComponents(std::span<const float> vectors, std::size_t dimension, std::size_t count);

}  // namespace conpole

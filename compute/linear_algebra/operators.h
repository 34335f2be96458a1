// What conjugate gradients need of a matrix: its product with a vector.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "compute/linear_algebra/matrix.h"
#include "compute/linear_algebra/sparse.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {

// Symmetric.  Products have the same bits for any number of threads.
class LinearOperator
{
public:
    virtual ~LinearOperator() = default;
    virtual std::size_t size() const = 0;
    virtual void apply(const double* x, double* y, ThreadPool& pool) const = 0;  // y = A x; x and y apart
    virtual void diagonal(double* d) const = 0;
};

// Reads all of the matrix.  It must outlive the operator, here and below, unless it says otherwise.
std::unique_ptr<LinearOperator> denseOperator(const Matrix& a);
std::unique_ptr<LinearOperator> sparseOperator(const SparseMatrix& a);

// Reads only its lower half, of which it makes a copy: half the memory traffic of a product.
std::unique_ptr<LinearOperator> denseHalfOperator(const Matrix& a);
std::unique_ptr<LinearOperator> sparseHalfOperator(const SparseMatrix& a);  // on one thread

// Poisson's equation on a grid of width x height inner points: 4 on the diagonal, -1 for each neighbour; matrix-free.
std::unique_ptr<LinearOperator> poissonOperator(std::size_t width, std::size_t height);

// For methods that need its elements.
SparseMatrix poissonMatrix(std::size_t width, std::size_t height);
Matrix denseOf(const SparseMatrix& a);

}  // namespace orogen::compute
